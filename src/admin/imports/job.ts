/** The page of an import that runs or has run: its progress, its result, and what to do next. */

import { html } from "hono/html";
import { type Account, mayUse } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { countedUnits } from "../../imports/report/counts.ts";
import type { AlikeName, NewName } from "../../imports/report/new-names.ts";
import { SEPARATOR } from "../../imports/report/preview.ts";
import { demandJob } from "../../jobs/change.ts";
import { readJobText } from "../../jobs/files.ts";
import { isOver, type Job } from "../../jobs/job.ts";
import { jobFileAnswer } from "../../jobs/routes.ts";
import { jobFor, mayReadPreview } from "../../jobs/shown.ts";
import { said, say, type Told } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import type { Pages } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { isUndoable, type ListedImport } from "../../records/batch/imports-list.ts";
import type { Kind } from "../../records/kinds.ts";
import { attributedName } from "../../records/links/attributions.ts";
import type { Metadata } from "../../records/record.ts";
import { currentSchema, fieldsOf as recordFields, type Schema } from "../../records/schema.ts";
import type { Services, Sql } from "../../services.ts";
import { uuidIn } from "../asked.ts";
import { type Shown, underWay } from "../bulk/outcome.ts";
import { unseenNote } from "../editor/linked-drafts.ts";
import { namePlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { importsPath as AT, listPath, photosPath } from "../sections.ts";
import { valuesInWords } from "../values-in-words.ts";
import { changedList, refusedTable, reportNotes, reportOf, reportText } from "./report.ts";
import { newNamesSection, sameNamesOf } from "./same-names.ts";
import { visitorsNote } from "./seen-by-visitors.ts";
import { findSent } from "./sent.ts";
import { importOf, reload, stopped, undoAnswer } from "./undo-page.ts";
import { COUNTED } from "./views.ts";

/** The most ways to qualify makers that the page lists. */
const MOST_ATTRIBUTIONS = 50;

/** `lost`: missing in previews from earlier versions. */
type FieldTally = {
  created: number;
  changed: number;
  removed: number;
  example: string;
  lost?: number;
  lost_example?: string;
};

/** The result of a dry run (`imports/preview.ts`). */
type Preview = {
  preview: {
    fields: Record<string, FieldTally>;
    relations: Record<
      string,
      { rows: number; not_made: number; example: Told; lost?: number; lost_example?: string }
    >;
    /** Missing in previews from earlier versions. */
    attributions?: { relation: string; metadata: Metadata; rows: number; example: string }[];
    media: { rows: number; example: string };
    /** Missing in previews from earlier versions. */
    names?: NewName[];
    alike?: AlikeName[];
  };
};

export function importJobRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  const access = { feature: "import:run" };

  page(api, pages, {
    path: `${AT}/jobs/{id}`,
    summary: "An import that runs or has run",
    access,
    async show(view) {
      const { caller } = view;
      const job = await demandJob(sql, caller, uuidIn(view, "id"));
      if (job.kind === "import-undo") return undoAnswer(sql, view, job);
      const preview = await previewOf(sql, caller, job);
      const schema = await currentSchema(sql);
      const { sections = [], refused = [], changed_records = [] } = (await reportOf(sql, caller, job)) ?? {};
      const nameOf = fieldsOf(view, schema, job);
      const report = reportNotes(view, sections, view.link(`${AT}/jobs/${job.id}/report`), nameOf);
      const shown = jobFor(view.t, caller, job);
      const made = await importOf(sql, shown.result?.import_id);
      const file = typeof job.params.sent_as === "string" ? job.params.sent_as : "";
      const sent = preview ? await findSent(sql, caller, file) : null;
      const at = sent && { job: job.id, file, same: sameNamesOf(sent.form?.same) };
      const names = preview ? newNamesSection(view, preview.preview, at) : "";
      return adminAnswer(view, {
        at: AT,
        title: titleOf(view, shown),
        head: reload(job),
        content: html`${jobPage(view, job, shown, made, html`${names}${report}${refusedTable(view, refused, nameOf)}${preview ? await previewTables(sql, view, schema, job, preview) : ""}${changedList(view, job.params.type as Kind, changed_records, Number(shown.result?.updated))}`)}${made?.state === "undone" ? "" : await unseenOf(api.services, view, shown, `${AT}/jobs/${job.id}`)}`,
      });
    },
  });

  page(api, pages, {
    path: `${AT}/jobs/{id}/rejects`,
    summary: "The rows that an import refused",
    access,
    show: (view) => jobFileAnswer(sql, view.c, view.caller, uuidIn(view, "id"), "rejects"),
  });

  page(api, pages, {
    path: `${AT}/jobs/{id}/report`,
    summary: "All that should be checked after an import",
    access,
    async show(view) {
      const { c, caller } = view;
      const job = await demandJob(sql, caller, uuidIn(view, "id"));
      const report = await reportOf(sql, caller, job);
      if (report === null) throw new Problem("not_found", said("problem.job.no_file", { name: "report" }));
      return c.body(reportText(view, report.sections, fieldsOf(view, await currentSchema(sql), job)), 200, {
        "Cache-Control": "private, no-store",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": `attachment; filename="report-${job.id}.txt"`,
      });
    },
  });
}

const fieldsOf =
  (view: View, schema: Schema, { params }: Job) =>
  (name: string) =>
    namePlainly(view, schema, params.type as Kind, name);

async function previewOf(sql: Sql, account: Account, job: Job): Promise<Preview | null> {
  if (job.state !== "done" || !job.result?.preview || !mayReadPreview(account, job)) return null;
  return JSON.parse(await readJobText(sql, job.id, "preview")) as Preview;
}

/** The note on what visitors cannot see, if the import has published something. */
async function unseenOf(services: Services, view: View, { result }: Shown, here: string): Promise<Html> {
  return typeof result?.import_id === "string" && Array.isArray(result.linked_drafts)
    ? unseenNote(services, view, result.import_id, here)
    : html``;
}

function titleOf({ t }: View, { params }: Shown): string {
  return typeof params?.filename === "string" ? params.filename : t("admin.imports");
}

function jobPage(
  view: StaffView,
  job: Job,
  shown: Shown,
  made: ListedImport | undefined,
  details: Html,
): Html {
  const { t, link, formats } = view;
  const isDry = job.params.dry_run === true;
  const at = job.messages.findIndex(
    ({ text }) => typeof text === "object" && text.key === "job.import.unused_columns",
  );
  const leftOut = shown.messages[at];
  const warnings = (shown.result?.warnings ?? []) as string[];
  const messages = shown.messages.filter((one) => one !== leftOut);
  return html`<div>
      <p class="crumbs"><a href="${link(AT)}">${t("admin.imports")}</a></p>
      <h1 dir="auto">${titleOf(view, shown)}</h1>
    </div>
    ${
      isOver(job)
        ? outcome(view, job, shown, made)
        : html`<div role="status">${underWay(view, job, t(isDry ? "admin.import.trying" : "admin.import.running"))}</div>`
    }
    ${warnings.length === 0 ? "" : note("warning", html`<ul class="plain">${warnings.map((text) => html`<li dir="auto">${text}</li>`)}</ul>`)}
    ${tally(view, shown.result)}
    ${madeNote(view, shown.result)}
    ${leftOut === undefined ? "" : html`<p dir="auto">${leftOut.text}</p>`}
    ${details}
    ${messages.length === 0 ? "" : html`<details><summary>${t("jobs.messages")}</summary><ul class="plain">${messages.map(({ at, text }) => html`<li><small>${formats.time(at)}</small> ${text}</li>`)}</ul></details>`}`;
}

function outcome(view: StaffView, job: Job, shown: Shown, made: ListedImport | undefined): Html {
  const { t, link } = view;
  if (job.state !== "done") return stopped(view, job, shown);
  const rejects = shown.result?.rejects
    ? html`<a class="button quiet" href="${link(`${AT}/jobs/${job.id}/rejects`)}" download>${t("admin.import.rejects")}</a>`
    : "";
  if (job.params.dry_run === true) {
    return html`${note("information", t("admin.import.tried"))}<div class="row">
      ${typeof job.params.sent_as === "string" ? html`<a class="button" href="${link(`${AT}/files/${job.params.sent_as}`)}">${t("bulk.goOn")}</a>` : ""}${rejects}</div>`;
  }
  if (made?.state === "undone")
    return html`${note("information", t("admin.import.undone"))}<div class="row">${rejects}</div>`;
  const photos =
    job.params.type === "object" && mayUse(view.caller, "media:write")
      ? html`<a class="button quiet" href="${link(photosPath)}">${t("photos.title")}</a>`
      : "";
  // the list starts with the latest changes
  return html`${note("success", t("admin.import.done"))}<div class="row">
    <a class="button" href="${link(listPath(job.params.type as Kind))}">${t("admin.import.show")}</a>${photos}${rejects}
    ${made && isUndoable(made) ? html`<form method="post" action="${link(`${AT}/${made.id}/undo`)}">${csrfField(view)}<button class="quiet">${t("admin.import.undo")}</button></form>` : ""}</div>`;
}

function tally({ t, formats }: View, result: Shown["result"]): Html {
  if (!result || typeof result.created !== "number") return html``;
  return html`<dl class="tally">${COUNTED.filter((name) => typeof result[name] === "number").map(
    (name) =>
      html`<div><dt>${t(`admin.import.${name}`)}</dt><dd>${formats.number(Number(result[name]))}</dd></div>`,
  )}</dl>${Number(result.skipped ?? 0) > 0 ? html`<p class="help">${t("admin.import.skippedWhy")}</p>` : ""}`;
}

/** Records that were created, or would be, because rows name them. */
function madeNote({ t, formats }: View, result: Shown["result"]): Html {
  const made = Object.entries((result?.made ?? {}) as Record<string, number>);
  if (made.length === 0) return html``;
  const what = made.map(([kind, n]) => `${t(`kind.${kind as Kind}`)} (${formats.number(n)})`).join(", ");
  return note("warning", t("admin.import.makes", { what }));
}

async function previewTables(
  sql: Sql,
  view: View,
  schema: Schema,
  { params }: Job,
  { preview }: Preview,
): Promise<Html> {
  const { t, formats } = view;
  const kind = params.type as Kind;
  const { media } = preview;
  const units = countedUnits(media.rows, params.record_xpath === undefined ? "row" : "record");
  const nameOf = (name: string) => namePlainly(view, schema, kind, name);
  // only terms: dates and quoted values show how cells were read
  const isOfTerms = (name: string) => Boolean(recordFields(schema, kind).get(name)?.vocabulary);
  const entriesOf = (text = "") => text.split(SEPARATOR).map((value) => ({ value }));
  const terms = Object.entries(preview.fields).flatMap(([name, { example, lost_example }]) =>
    isOfTerms(name) ? [{ kind, metadata: { [name]: [example, lost_example].flatMap(entriesOf) } }] : [],
  );
  const words = await valuesInWords(sql, view, schema, terms);
  const told = (name: string, text: string) =>
    isOfTerms(name)
      ? entriesOf(text)
          .map((entry) => words(kind, name, [entry]))
          .join(SEPARATOR)
      : words(kind, name, text);
  return html`
    ${visitorsNote(view, schema, kind, Object.keys(preview.fields), Object.keys(preview.relations))}${media.rows === 0 ? "" : note("information", say(t, said("job.preview.media", { units, example: media.example })))}
    <section class="group"><h2>${t("admin.import.would")}</h2><div class="scroll" tabindex="0" role="region" aria-label="${t("admin.import.would")}"><table>
      <thead><tr><th>${t("admin.field")}</th><th class="number">${t("admin.import.created")}</th><th class="number">${t("admin.import.updated")}</th><th>${t("admin.import.examples")}</th><th class="number">${t("job.preview.lost")}</th><th>${t("admin.import.examples")}</th></tr></thead>
      <tbody>${Object.entries(preview.fields).map(
        ([name, { created, changed, removed, example, lost = 0, lost_example = "" }]) =>
          html`<tr><th scope="row">${nameOf(name)}</th><td class="number">${formats.number(created)}</td><td class="number">${formats.number(changed + removed)}</td><td dir="auto">${told(name, example)}</td>${lostCells(view, lost, told(name, lost_example))}</tr>`,
      )}${Object.entries(preview.relations).map(
        ([name, { rows, example, lost = 0, lost_example = "" }]) =>
          html`<tr><th scope="row">${linkPlainly(view, schema, kind, name)}</th><td class="number">${formats.number(rows)}</td><td class="number">–</td><td dir="auto">${say(t, example)}</td>${lostCells(view, lost, lost_example)}</tr>`,
      )}${(preview.attributions ?? [])
        .slice(0, MOST_ATTRIBUTIONS)
        .map(
          ({ relation, metadata, rows, example }) =>
            html`<tr><th scope="row">${linkPlainly(view, schema, kind, relation)}</th><td class="number">${formats.number(rows)}</td><td class="number">–</td><td dir="auto">${attributedName(t, schema, metadata, example)}</td>${lostCells(view, 0, "")}</tr>`,
        )}</tbody></table></div></section>`;
}

const lostCells = ({ formats }: View, lost: number, example: string): Html =>
  html`<td class="number">${formats.number(lost)}</td><td dir="auto">${lost > 0 ? html`<del>${example}</del>` : "–"}</td>`;

/** @param name `created_by → entity` */
function linkPlainly(view: View, schema: Schema, kind: Kind, name: string): string {
  const [link, to] = name.split(" → ");
  return `${namePlainly(view, schema, kind, link!)} → ${view.t(`kind.${to as Kind}`)}`;
}
