/** /v1/jobs: lists jobs, shows their progress, cancels and retries them. */

import { z } from "zod";
import { type Account, refuse } from "../caller.ts";
import { pageLinks } from "../http/answer/resource-answers.ts";
import { type Api, accountOf, type Ctx, endpoint } from "../http/endpoint.ts";
import { wordsFor } from "../http/words.ts";
import { said, sayAll } from "../messages/said.ts";
import type { Translate } from "../messages/translate.ts";
import { Problem } from "../problem.ts";
import type { Sql } from "../services.ts";
import { jobAccepted } from "./answer.ts";
import { cancelFor, demandJob, demandMayChange, retryFor } from "./change.ts";
import { jobFileSizes, readJobFile, readJobText } from "./files.ts";
import { isOver, type Job } from "./job.ts";
import { JobFileParams, JobListShape, JobParams, JobQuery, JobShape } from "./shape.ts";
import { JOBS_READ, jobFor, mayKnowFile, mayReadPreview } from "./shown.ts";
import { countJobs, listJobs } from "./store.ts";

const PRIVATE = { "Cache-Control": "private, no-store" };

type Readable = z.infer<typeof JobFileParams>["name"];

/** Rejects contain only what was sent; the others contain values of the catalogue. */
function demandMayOpen(caller: Account, job: Job, name: Readable): void {
  if (name === "rejects" ? mayKnowFile(caller, job) : mayReadPreview(caller, job)) return;
  throw refuse(caller, `records:read for ${String(job.params.type)}`);
}

/** An import of XML refuses elements, one of CSV rows. */
function fileForm({ params }: Job, name: Readable): { type: string; ending: string } {
  if (name !== "rejects") return { type: "application/json", ending: "json" };
  return params.record_xpath === undefined
    ? { type: "text/csv; charset=utf-8", ending: "csv" }
    : { type: "application/xml", ending: "xml" };
}

/** The file of a job, for callers who may read it. */
export async function jobFileAnswer(
  sql: Sql,
  c: Ctx,
  account: Account,
  id: string,
  name: Readable,
): Promise<Response> {
  const job = await demandJob(sql, account, id);
  demandMayChange(account, job);
  demandMayOpen(account, job, name);
  const bytes = (await jobFileSizes(sql, job.id)).get(name);
  if (bytes === undefined || !isOver(job))
    throw new Problem("not_found", said("problem.job.no_file", { name }));
  const { type, ending } = fileForm(job, name);
  const told = name === "rejects" ? null : await inWords(sql, wordsFor(c), job.id, name);
  const headers = {
    ...PRIVATE,
    "Content-Type": type,
    "Content-Length": String(told?.length ?? bytes),
    "Content-Disposition": `attachment; filename="${name}-${job.id}.${ending}"`,
  };
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  return c.body(told ?? readJobFile(sql, job.id, name), 200, headers);
}

/** These files store sentences as keys and values. */
async function inWords(sql: Sql, t: Translate, id: string, name: Readable): Promise<Uint8Array<ArrayBuffer>> {
  const json = JSON.parse(await readJobText(sql, id, name));
  return new TextEncoder().encode(`${JSON.stringify(sayAll(t, json))}\n`);
}

export function jobRoutes(api: Api): void {
  const { sql } = api.services;
  const access = { feature: JOBS_READ, orMaker: true } as const;

  endpoint(api, {
    method: "get",
    path: "/v1/jobs",
    tag: "jobs",
    summary: "List the jobs",
    description:
      "Newest first. Done and cancelled jobs are kept for two weeks, failed ones for three months. " +
      "Link headers (RFC 8288) give first, prev, next and last. Titles, values and file names are shown to callers who may " +
      "read records of that type.",
    access: { feature: JOBS_READ },
    query: JobQuery,
    answers: { 200: { description: "A page", schema: JobListShape } },
    async handle({ c, caller, query }) {
      const account = accountOf(caller);
      const { page, page_size, ...filter } = query;
      const total = await countJobs(sql, filter);
      const jobs = await listJobs(sql, filter, { limit: page_size, offset: (page - 1) * page_size });
      const body = { total, page, page_size, items: jobs.map((job) => jobFor(wordsFor(c), account, job)) };
      return c.json(body, 200, { ...PRIVATE, Link: pageLinks(c, body) });
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/jobs/{id}",
    tag: "jobs",
    summary: "Read a job",
    description: "Titles, values and file names are shown to callers who may read records of that type.",
    access,
    params: JobParams,
    problems: [404],
    answers: { 200: { description: "The job as it is now", schema: JobShape } },
    handle: async ({ c, caller, params }) =>
      c.json(jobFor(wordsFor(c), accountOf(caller), await demandJob(sql, caller, params.id)), 200, PRIVATE),
  });

  endpoint(api, {
    method: "get",
    path: "/v1/jobs/{id}/files/{name}",
    tag: "jobs",
    summary: "Read a file of a job",
    description:
      "`rejects`: the rows that an import refused, to be corrected and imported again. `preview`: the result of a dry run. " +
      "`report`: all that the result says, with every line; `sections` has it in words. Kept as long as the job. For the account that started the job, and callers who have `settings:manage` and may read records of that type; " +
      "`preview` and `report` always need the permission to read them, and of others' imports the permission to read all types: they name linked records.",
    access,
    params: JobFileParams,
    produces: [],
    problems: [404],
    answers: {
      200: {
        description: "The file",
        schema: z.string(),
        type: ["text/csv", "application/xml", "application/json"],
      },
    },
    handle: ({ c, caller, params }) => jobFileAnswer(sql, c, accountOf(caller), params.id, params.name),
  });

  endpoint(api, {
    method: "post",
    path: "/v1/jobs/{id}/cancel",
    tag: "jobs",
    summary: "Cancel a job",
    description:
      "A waiting job is cancelled at once (200). A running one is asked to stop (202) and does so at its next step; what it " +
      "has done until then stays. Needs `settings:manage`, or to be the account that started the job.",
    access,
    params: JobParams,
    problems: [404, 409],
    answers: {
      200: { description: "It is cancelled", schema: JobShape },
      202: { description: "It will stop", schema: JobShape },
    },
    async handle({ c, caller, params }) {
      const account = accountOf(caller);
      const job = await cancelFor(sql, account, params.id);
      return c.json(jobFor(wordsFor(c), account, job), job.state === "cancelled" ? 200 : 202, PRIVATE);
    },
  });

  endpoint(api, {
    method: "post",
    path: "/v1/jobs/{id}/retry",
    tag: "jobs",
    summary: "Retry a failed or cancelled job",
    description: "Needs `settings:manage`, or to be the account that started the job.",
    access,
    params: JobParams,
    problems: [404, 409],
    answers: { 202: { description: "It is queued", schema: JobShape } },
    async handle({ c, caller, params }) {
      const account = accountOf(caller);
      return jobAccepted(c, account, await retryFor(sql, account, params.id));
    },
  });
}
