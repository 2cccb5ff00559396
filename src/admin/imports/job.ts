/** The page of an import that runs or has run: its progress, its result, and what to do next. */

import { html } from "hono/html";
import { type Account, mayDo, mayUse } from "../../caller.ts";
import { type Api, accountOf } from "../../http/endpoint.ts";
import { countedUnits } from "../../imports/report/counts.ts";
import type { AlikeName, NewName } from "../../imports/report/new-names.ts";
import { demandJob, mayChange } from "../../jobs/change.ts";
import { readJobText } from "../../jobs/files.ts";
import { isOver, type Job } from "../../jobs/job.ts";
import { jobFileAnswer } from "../../jobs/routes.ts";
import { jobFor, mayReadPreview } from "../../jobs/shown.ts";
import { said, say, type Told } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { csrfField } from "../../pages/forms.ts";
import type { Pages } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { findImport } from "../../records/batch/imports-list.ts";
import type { Kind } from "../../records/kinds.ts";
import { attributedName } from "../../records/links/attributions.ts";
import type { Metadata } from "../../records/record.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services, Sql } from "../../services.ts";
import { uuidIn } from "../asked.ts";
import { leftSection } from "../bulk/views.ts";
import { unseenNote } from "../editor/linked-drafts.ts";
import { namePlainly, valuePlainly } from "../field-names.ts";
import { nextStep } from "../first-steps.ts";
import { adminAnswer } from "../layout.ts";
import { listPath, photosPath } from "../sections.ts";
import { retryForm } from "../system/jobs.ts";
import { changedList, refusedTable, reportNotes, reportOf, reportText } from "./report.ts";
import { newNamesSection, sameNamesOf } from "./same-names.ts";
import { visitorsNote } from "./seen-by-visitors.ts";
import { findSent } from "./sent.ts";
import { COUNTED, nameOf as nameOfImport, undoPreview, undoTally } from "./views.ts";

const AT = "/admin/imports";
/** Seconds until the page of a running job reloads. */
const AGAIN = 2;

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
    async show({ c, view, caller }) {
      const account = accountOf(caller);
      const job = await demandJob(sql, account, uuidIn(c, "id"));
      const preview = await previewOf(sql, account, job);
      const schema = await currentSchema(sql);
      const { sections = [], refused = [], changed_records = [] } = (await reportOf(sql, account, job)) ?? {};
      const nameOf = fieldsOf(view, schema, job);
      const report = reportNotes(view, sections, view.link(`${AT}/jobs/${job.id}/report`), nameOf);
      const shown = jobFor(view.t, account, job);
      const undone = await isUndone(sql, shown);
      const ofUndo = job.kind === "import-undo" ? IdShape.safeParse(job.params.import_id).data : undefined;
      const undoes = ofUndo === undefined ? undefined : await findImport(sql, ofUndo);
      const name =
        undoes && mayDo(caller, "read", undoes.record_type)
          ? html`<p dir="auto">${nameOfImport(view, { ...undoes, job: undefined, told: undefined })} <small>${view.formats.time(undoes.started_at)}</small></p>`
          : "";
      const file = typeof job.params.sent_as === "string" ? job.params.sent_as : "";
      const sent = preview ? await findSent(sql, account, file) : null;
      const at = sent && { job: job.id, file, same: sameNamesOf(sent.form?.same) };
      const names = preview ? newNamesSection(view, preview.preview, at) : "";
      const head = isOver(job) ? html`` : html`<meta http-equiv="refresh" content="${String(AGAIN)}">`;
      return adminAnswer(c, view, {
        at: AT,
        title: titleOf(view, shown),
        head,
        content: html`${jobPage(view, job, shown, { undone, name }, html`${names}${report}${refusedTable(view, refused, nameOf)}${preview ? previewTables(view, schema, job, preview) : ""}${changedList(view, job.params.type as Kind, changed_records, Number(shown.result?.updated))}`)}${undone ? "" : await unseenOf(api.services, view, shown, `${AT}/jobs/${job.id}`)}${isOver(job) && job.kind === "import-undo" && job.params.dry_run !== true ? await nextStep(sql, view, AT) : ""}`,
      });
    },
  });

  page(api, pages, {
    path: `${AT}/jobs/{id}/rejects`,
    summary: "The rows that an import refused",
    access,
    show: ({ c, caller }) => jobFileAnswer(sql, c, accountOf(caller), uuidIn(c, "id"), "rejects"),
  });

  page(api, pages, {
    path: `${AT}/jobs/{id}/report`,
    summary: "All that should be checked after an import",
    access,
    async show({ c, view, caller }) {
      const job = await demandJob(sql, accountOf(caller), uuidIn(c, "id"));
      const report = await reportOf(sql, accountOf(caller), job);
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

type Shown = ReturnType<typeof jobFor>;

async function isUndone(sql: Sql, { kind, result }: Shown): Promise<boolean> {
  if (kind === "import-undo" || typeof result?.import_id !== "string") return false;
  return (await findImport(sql, result.import_id))?.state === "undone";
}

/** The note on what visitors cannot see, if the import has published something. */
async function unseenOf(services: Services, view: View, { result }: Shown, here: string): Promise<Html> {
  return typeof result?.import_id === "string" && Array.isArray(result.linked_drafts)
    ? unseenNote(services, view, result.import_id, here)
    : html``;
}

function titleOf({ t }: View, { params, kind }: Shown): string {
  if (kind === "import-undo") return t("admin.import.undoing");
  return typeof params?.filename === "string" ? params.filename : t("admin.imports");
}

function underWay({ kind }: Job, isDry: boolean): MessageKey {
  if (isDry) return "admin.import.trying";
  return kind === "import-undo" ? "bulk.running" : "admin.import.running";
}

/** `name`: of the import that the job undoes. */
function jobPage(
  view: View,
  job: Job,
  shown: Shown,
  { undone, name }: { undone: boolean; name: Html | "" },
  details: Html,
): Html {
  const { t, link, formats } = view;
  const isDry = job.params.dry_run === true;
  const share = job.total ? Math.min(1, job.done / job.total) : null;
  const at = job.messages.findIndex(
    ({ text }) => typeof text === "object" && text.key === "job.import.unused_columns",
  );
  const leftOut = shown.messages[at];
  const warnings = (shown.result?.warnings ?? []) as string[];
  const messages = shown.messages.filter((one) => one !== leftOut);
  return html`<div>
      <p class="crumbs"><a href="${link(AT)}">${t("admin.imports")}</a></p>
      <h1 dir="auto">${titleOf(view, shown)}</h1>${name}
    </div>
    ${
      isOver(job)
        ? outcome(view, job, shown, { isDry, undone })
        : html`<div class="stack narrow" role="status"><p>${t(underWay(job, isDry))}</p>
          <progress ${share === null ? "" : html`value="${share.toFixed(3)}"`} aria-label="${t("admin.import.progress")}"></progress>
          <p class="help">${t("admin.import.leave")}</p></div>`
    }
    ${warnings.length === 0 ? "" : note("warning", html`<ul class="plain">${warnings.map((text) => html`<li dir="auto">${text}</li>`)}</ul>`)}
    ${tally(view, shown.result)}
    ${madeNote(view, shown.result)}
    ${leftOut === undefined ? "" : html`<p dir="auto">${leftOut.text}</p>`}
    ${details}
    ${messages.length === 0 ? "" : html`<details><summary>${t("jobs.messages")}</summary><ul class="plain">${messages.map(({ at, text }) => html`<li><small>${formats.time(at)}</small> ${text}</li>`)}</ul></details>`}`;
}

function outcome(
  view: View,
  job: Job,
  shown: Shown,
  { isDry, undone }: { isDry: boolean; undone: boolean },
): Html {
  const { t, link } = view;
  if (job.state !== "done") {
    const told = note(
      "error",
      html`<p>${t(job.state === "cancelled" ? "admin.import.cancelled" : "admin.import.failed")}</p>${shown.reason ? html`<p>${shown.reason}</p>` : ""}`,
      "alert",
    );
    return html`${told}${mayChange(accountOf(view.caller), job) ? retryForm(view, job) : ""}`;
  }
  const rejects = shown.result?.rejects
    ? html`<a class="button quiet" href="${link(`${AT}/jobs/${job.id}/rejects`)}" download>${t("admin.import.rejects")}</a>`
    : "";
  if (isDry && job.kind === "import-undo")
    return undoPreview(view, String(job.params.import_id), shown.result);
  if (isDry) {
    return html`${note("information", t("admin.import.tried"))}<div class="row">
      ${typeof job.params.sent_as === "string" ? html`<a class="button" href="${link(`${AT}/files/${job.params.sent_as}`)}">${t("bulk.goOn")}</a>` : ""}${rejects}</div>`;
  }
  if (job.kind === "import-undo") {
    const left = Number(shown.result?.left ?? 0);
    const told =
      left > 0
        ? note("warning", t("admin.import.left", { count: left }))
        : note("success", t("admin.import.undone"));
    return html`${told}${undoTally(view, shown.result)}${leftSection(view, shown.result?.named)}`;
  }
  if (undone) return html`${note("information", t("admin.import.undone"))}<div class="row">${rejects}</div>`;
  const id = shown.result?.import_id;
  const photos =
    job.params.type === "object" && mayUse(view.caller, "media:write")
      ? html`<a class="button quiet" href="${link(photosPath)}">${t("photos.title")}</a>`
      : "";
  // the list starts with the latest changes
  return html`${note("success", t("admin.import.done"))}<div class="row">
    <a class="button" href="${link(listPath(job.params.type as Kind))}">${t("admin.import.show")}</a>${photos}${rejects}
    ${typeof id === "string" ? html`<form method="post" action="${link(`${AT}/${id}/undo`)}">${csrfField(view)}<button class="quiet">${t("admin.import.undo")}</button></form>` : ""}</div>`;
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

function previewTables(view: View, schema: Schema, { params }: Job, { preview }: Preview): Html {
  const { t, formats } = view;
  const kind = params.type as Kind;
  const { media } = preview;
  const units = countedUnits(media.rows, params.record_xpath === undefined ? "row" : "record");
  const nameOf = (name: string) => namePlainly(view, schema, kind, name);
  const told = (name: string, value: string) => valuePlainly(view, schema, kind, name, value);
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
