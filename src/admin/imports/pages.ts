import { html } from "hono/html";
import { onBehalfOf } from "../../accounts/on-behalf.ts";
import { mayDo, mayUse, refuse } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { newId } from "../../ids.ts";
import { type ImportRequest, optionsOf } from "../../imports/request.ts";
import { checkImport, demandMayImport } from "../../imports/run.ts";
import { type Sample, sampleOf } from "../../imports/sample.ts";
import { UPSERT_STRATEGIES } from "../../imports/save/items.ts";
import { enqueueJob } from "../../jobs/enqueue.ts";
import { copyJobFile, writeJobText } from "../../jobs/files.ts";
import { said } from "../../messages/said.ts";
import { CSRF_FIELD } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { page, pageForm, pageUpload } from "../../pages/routes.ts";
import type { PageView, StaffView } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { findImport } from "../../records/batch/imports-list.ts";
import { KINDS } from "../../records/kinds.ts";
import { currentSchema, fieldsOf } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import { mayPublish } from "../../records/visibility.ts";
import type { Services } from "../../services.ts";
import { faultsOf, refusal } from "../asked.ts";
import { faultsNamed, subtypeChoices } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { importsPath as AT } from "../sections.ts";
import { choicesOfForm, mappingOf } from "./form.ts";
import { guessChoices, ourColumns } from "./guesses.ts";
import { importsPage } from "./list-page.ts";
import { choicesOf, fittingMappings, keepMapping, LONGEST_NAME, mappingChoice } from "./mappings.ts";
import { unusedName } from "./mappings-store.ts";
import { sameNow, takeSameName } from "./same-names.ts";
import { demandSent, SAMPLE, type Sent, sourceOf, takeFile } from "./sent.ts";
import { readingOf, readingQuery } from "./sheets.ts";
import { targetsOf } from "./targets.ts";
import { beginUndo } from "./undo-page.ts";
import { type MappingForm, mappingPage } from "./views.ts";

/** Rows that are searched for separators within values. */
const LOOKED_THROUGH = 500;

export function importPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;
  const access = { feature: "import:run" };

  page(api, pages, {
    path: AT,
    summary: "Imports and bulk edits; who may not import sees their own bulk edits",
    access: "account",
    show(view) {
      const { caller } = view;
      if (!mayUse(caller, "import:run") && !KINDS.some((kind) => mayDo(caller, "update", kind)))
        throw refuse(caller, "import:run");
      return importsPage(sql, view);
    },
  });

  pageUpload(api, pages, {
    path: `${AT}/files`,
    summary: "Send a list that is to be imported",
    access,
    async take(view) {
      try {
        const id = await takeFile(services, view);
        return redirectTo(view, `${AT}/files/${id}`);
      } catch (error) {
        return importsPage(sql, view, refusal(error));
      }
    },
  });

  page(api, pages, {
    path: `${AT}/files/{id}`,
    summary: "What the columns of a list mean",
    access,
    async show(view) {
      const { c } = view;
      const { id, sent } = await demandSent(sql, view);
      const asked = readingOf((name) => c.req.query(name));
      const isAsked = Object.keys(asked).length > 0;
      // without a test run, the form may contain only joined names
      const form = isAsked || sent.form?.["target/0"] === undefined ? undefined : sent.form;
      const options = new Map(Object.entries(form ?? { same: sent.form?.same ?? "" }));
      const source = sourceOf(sql, id, sent);
      const read = await sampleOf(
        source,
        LOOKED_THROUGH,
        isAsked ? asked : readingOf((name) => options.get(name)),
      );
      const sample = { ...read, rows: read.rows.slice(0, SAMPLE) };
      const { header } = sample;
      const fitting = await fittingMappings(sql, sent.kind, header);
      const wanted = c.req.query("mapping");
      const applied = wanted
        ? fitting.find((one) => one.id === wanted)
        : form === undefined
          ? fitting[0]
          : undefined;
      const guessed = guessChoices(await currentSchema(sql), view.caller, sent.kind, header, read.rows);
      for (const [name, value] of Object.entries(applied?.options ?? {})) options.set(name, value);
      // so that the next version of the list is read in the same way, with the same joined names
      if (form === undefined)
        options.set(
          "keep_as",
          applied?.name ?? (await unusedName(sql, sent.kind, nameOfList(sent.filename))),
        );
      const choices = applied
        ? choicesOf(applied, header, guessed)
        : form
          ? choicesOfForm(options, header)
          : guessed;
      const kept = mappingChoice(view, id, fitting, applied ?? null, readingQuery(sample));
      return mappingAnswer(services, view, { id, sent, sample, choices, options, faults: [], kept });
    },
  });

  pageForm(api, pages, {
    path: `${AT}/files/{id}`,
    summary: "Try an import, or import",
    access,
    async take(view, form) {
      const { caller } = view;
      const { id, sent } = await demandSent(sql, view);
      const { fields, same } = await sameNow(sql, caller, form);
      const sample = await sampleOf(
        sourceOf(sql, id, sent),
        SAMPLE,
        readingOf((name) => fields.get(name)),
      );
      const choices = choicesOfForm(fields, sample.header);
      const schema = await currentSchema(sql);
      try {
        const mapping = mappingOf(sample.header, choices, {
          fields: fieldsOf(schema, sent.kind),
          onlyLink: fields.get("only_link") === "yes",
          similar: fields.get("similar") === "yes",
          key: fields.get("key") ?? "",
          isOurs: ourColumns(schema, sent.kind, sample.header) !== null,
          same,
          subtypes: [...(schema.subtypes.get(sent.kind)?.values() ?? [])],
        });
        const keep = () => keepMapping(sql, sent.kind, sample.header, choices, fields);
        const job = await begin(services, view, id, sent, mapping, fields, keep);
        const { [CSRF_FIELD]: _, import: __, ...kept } = Object.fromEntries(fields);
        await writeJobText(sql, id, "mapping", JSON.stringify({ ...sent, form: kept }));
        return redirectTo(view, `${AT}/jobs/${job}`);
      } catch (error) {
        const faults = faultsNamed(view, schema, sent.kind, faultsOf(refusal(error)));
        return mappingAnswer(services, view, {
          id,
          sent,
          sample,
          choices,
          options: fields,
          faults,
          kept: html``,
        });
      }
    },
  });

  pageForm(api, pages, {
    path: `${AT}/files/{id}/same`,
    summary: "Say whom a name in a list means",
    access,
    take: async (view, fields) => redirectTo(view, await takeSameName(sql, view, fields)),
  });

  pageForm(api, pages, {
    path: `${AT}/{id}/undo`,
    summary: "Take an import back",
    access,
    async take(view, fields) {
      const id = view.c.req.param("id") ?? "";
      const isTrial = fields.get("seen") !== "1";
      const found = IdShape.safeParse(id).success ? await findImport(sql, id) : undefined;
      if (!found) throw new Problem("not_found", said("problem.import.not_found", { id: id.slice(0, 100) }));
      return redirectTo(view, `${AT}/jobs/${await beginUndo(sql, view.caller, found, isTrial)}`);
    },
  });
}

const nameOfList = (filename: string): string => filename.replace(/\.[^.]*$/, "").slice(0, LONGEST_NAME);

/** Enqueues the job and answers its id. `keep`: saves the choices, unless they are refused. */
async function begin(
  services: Services,
  { t: { language }, caller }: StaffView,
  id: string,
  sent: Sent,
  mapping: Record<string, unknown>,
  fields: ReadonlyMap<string, string>,
  keep: () => Promise<void>,
): Promise<string> {
  const { sql } = services;
  const reading = readingOf((name) => fields.get(name));
  const upsert = UPSERT_STRATEGIES.find((each) => each === fields.get("upsert_strategy"));
  const subtype = fields.get("subtype");
  const asked: Omit<ImportRequest, "mapping"> = {
    type: sent.kind,
    upsert_strategy: upsert ?? "skip",
    auto_publish: fields.get("auto_publish") === "yes",
    dry_run: fields.get("import") !== "yes",
    ...(reading.sheet === undefined ? {} : { sheet: reading.sheet }),
    ...(reading.headerRow === undefined ? {} : { header_row: reading.headerRow }),
    ...(subtype ? { subtype } : {}),
  };
  const options = optionsOf(asked, mapping);
  demandMayImport(caller, options);
  await checkImport(services, caller, sourceOf(sql, id, sent), options);
  await keep();
  const job = newId();
  await copyJobFile(sql, id, job, "input");
  await writeJobText(sql, job, "mapping", JSON.stringify(mapping));
  const { filename, bytes } = sent;
  // `sent_as`: the page to continue on after a dry run; `language`: of the reasons in the rejects file
  const params = { filename, bytes, ...asked, on_behalf: onBehalfOf(caller), sent_as: id, language };
  await enqueueJob(sql, { id: job, kind: "import", params, createdBy: caller.id });
  return job;
}

type MappingRequest = Pick<MappingForm, "id" | "choices" | "options" | "faults" | "kept"> & {
  sent: Sent;
  sample: Sample;
};

async function mappingAnswer(
  { sql }: Services,
  view: PageView,
  { id, sent, sample, choices, options, faults, kept }: MappingRequest,
): Promise<Response> {
  const schema = await currentSchema(sql);
  return adminAnswer(view, {
    at: AT,
    title: sent.filename,
    head: html`<script type="module" src="${view.asset("mapping.js")}" nonce="${view.nonce}"></script>`,
    status: faults.length > 0 ? 422 : 200,
    content: mappingPage(view, {
      id,
      filename: sent.filename,
      kind: sent.kind,
      sample,
      columns: sample.header.map((name, index) => ({
        name,
        examples: sample.rows.map((cells) => cells[index] ?? "").filter((cell) => cell !== ""),
      })),
      choices,
      targets: targetsOf(view, schema, sent.kind),
      subtypes: subtypeChoices(view, schema, sent.kind),
      options,
      faults,
      kept,
      mayPublish: mayPublish(view.caller, sent.kind),
      mayUpdate: mayDo(view.caller, "update", sent.kind),
    }),
  });
}
