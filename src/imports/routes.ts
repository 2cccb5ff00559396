/** /v1/imports: queues jobs that import files and undo imports, with the same code as the command line (interface §8). */

import { z } from "zod";
import { onBehalfOf } from "../accounts/on-behalf.ts";
import { type Caller, mayDo } from "../caller.ts";
import { ActorShape, actorJson, listOf, pageQuery } from "../http/answer/list-envelope.ts";
import { pageLinks } from "../http/answer/resource-answers.ts";
import { type Api, accountOf, endpoint } from "../http/endpoint.ts";
import { demandOwnOrigin } from "../http/request/origin.ts";
import { wordsFor } from "../http/words.ts";
import { jobAccepted } from "../jobs/answer.ts";
import { enqueueJob } from "../jobs/enqueue.ts";
import { writeJobText } from "../jobs/files.ts";
import { JobShape } from "../jobs/shape.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { countImports, findImport, type ListedImport, listImports } from "../records/batch/imports-list.ts";
import { KINDS } from "../records/kinds.ts";
import { IdShape } from "../records/shape.ts";
import { ImportForm, readImportForm, readOptions } from "./request.ts";
import { checkImport, demandMayImport } from "./run.ts";
import { demandMayUndo } from "./undo/undo.ts";
import { takeUpload } from "./upload.ts";

const PRIVATE = { "Cache-Control": "private, no-store" };
const common = { tag: "imports", access: { feature: "import:run" } };

const Time = z.string().openapi({ example: "2026-01-31T12:00:00.123456" });

const ImportShape = z
  .object({
    id: IdShape,
    source: z.enum(["csv", "xlsx", "xml", "bulk", "edit"]),
    filename: z.string().nullable().openapi({ description: "Shown to whoever may read such records" }),
    record_type: z.enum(KINDS),
    state: z.enum(["running", "done", "failed", "undoing", "undone"]),
    started_at: Time,
    touched_at: Time.openapi({ description: "When it last wrote something" }),
    actor: ActorShape,
    rows_done: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    skipped: z.int(),
    rejected: z.int(),
  })
  .openapi("Import");

const ImportListShape = listOf(ImportShape).openapi("ImportList");

const ImportParams = z.object({ id: IdShape });
const UndoBody = z
  .strictObject({
    dry_run: z.boolean().default(false).openapi({ description: "Show what would be done; change nothing" }),
  })
  .openapi("ImportUndo");

function shownTo(caller: Caller, { actor_id, actor, state, ...one }: ListedImport) {
  const filename = mayDo(caller, "read", one.record_type) ? one.filename : null;
  // `done`, as for jobs
  return {
    ...one,
    filename,
    state: state === "finished" ? "done" : state,
    actor: actorJson(actor_id, actor),
  };
}

export function importRoutes(api: Api): void {
  const { services } = api;
  const { sql, config } = services;

  endpoint(api, {
    method: "post",
    path: "/v1/imports",
    ...common,
    summary: "Import a CSV, Excel, XML or LIDO file",
    description:
      "The form has the file and the options of `svc-manage import-csv`, `import-xml` and, with `format=lido`, `import-lido`. " +
      "The encoding of the file, its header, the mapping and the options are checked at once. A job does the rest; its `total` and `done` are bytes of " +
      "the file whose rows were read, and its `result` has the import's id and counts, also after it was cancelled or has failed. " +
      "`GET /v1/jobs/{id}/files/rejects` has the rows that were refused, or imported without a link: correct them and import that file. After a dry run, " +
      "`/files/preview` says what would be done. A job that was cancelled or has failed can be retried; it reads the file again and writes what is missing.",
    body: {
      schema: z
        .strictObject({
          file: z.string().openapi({ format: "binary", description: "The file to import" }),
          ...ImportForm.shape,
        })
        .openapi("ImportForm"),
      types: ["multipart/form-data"],
      streamed: true,
    },
    answers: { 202: { description: "The job that imports it", schema: JobShape } },
    async handle({ c, caller }) {
      // a page of another site could send a form
      demandOwnOrigin(c, config);
      const account = accountOf(caller);
      return takeUpload(services, c.req.raw, async ({ id, fields, source }) => {
        const { mapping, ...form } = readImportForm(fields, source.name);
        const options = await readOptions(services, account, form, mapping);
        demandMayImport(account, options);
        await checkImport(services, account, source, options);
        await writeJobText(sql, id, "mapping", mapping);
        const { name: filename, bytes } = source;
        const { language } = wordsFor(c);
        const params = { filename, bytes, ...form, on_behalf: onBehalfOf(account), language };
        const { job } = await enqueueJob(sql, { id, kind: "import", params, createdBy: account.id });
        return jobAccepted(c, account, job);
      });
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/imports",
    ...common,
    summary: "List imports and bulk edits",
    description: "Newest first. Link headers (RFC 8288) give first, prev, next and last.",
    query: z.strictObject(pageQuery),
    answers: { 200: { description: "A page", schema: ImportListShape } },
    async handle({ c, caller, query: { page, page_size } }) {
      const total = await countImports(sql);
      const found = await listImports(sql, page_size, (page - 1) * page_size);
      const items = found.map((one) => shownTo(caller, one));
      const body = { total, page, page_size, items };
      return c.json(body, 200, { ...PRIVATE, Link: pageLinks(c, body) });
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/imports/{id}",
    ...common,
    summary: "Read an import",
    params: ImportParams,
    problems: [404],
    answers: { 200: { description: "The import as it is now", schema: ImportShape } },
    handle: async ({ c, caller, params }) =>
      c.json(shownTo(caller, await demandImport(params.id)), 200, PRIVATE),
  });

  endpoint(api, {
    method: "post",
    path: "/v1/imports/{id}/undo",
    ...common,
    summary: "Undo a whole import or bulk edit",
    description:
      "A job does this: records that the import created go to the trash, records that it changed become as they were. Records edited since are left and " +
      "named in the job's `result`. If such a job is already waiting or running, the answer is that job.",
    params: ImportParams,
    body: { schema: UndoBody, optional: true },
    problems: [404],
    answers: { 202: { description: "The job that undoes it", schema: JobShape } },
    async handle({ c, caller, params, body }) {
      const account = accountOf(caller);
      const found = await demandImport(params.id);
      const { record_type } = found;
      demandMayUndo(account, found);
      const { job } = await enqueueJob(sql, {
        kind: "import-undo",
        params: { import_id: params.id, record_type, dry_run: body.dry_run, on_behalf: onBehalfOf(account) },
        createdBy: account.id,
        uniqueKey: `import-undo ${params.id}${body.dry_run ? " dry" : ""}`,
      });
      return jobAccepted(c, account, job);
    },
  });

  async function demandImport(id: string): Promise<ListedImport> {
    const found = await findImport(sql, id);
    if (!found) throw new Problem("not_found", said("problem.import.not_found", { id }));
    return found;
  }
}
