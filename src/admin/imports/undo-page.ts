/** What undoing an import or batch edit would do, does, or has done. */
import { html } from "hono/html";
import { onBehalfOf } from "../../accounts/on-behalf.ts";
import { type Account, mayDo } from "../../caller.ts";
import { demandMayUndo } from "../../imports/undo/undo.ts";
import { mayChange } from "../../jobs/change.ts";
import { enqueueJob } from "../../jobs/enqueue.ts";
import { isOver, type Job } from "../../jobs/job.ts";
import { jobFor } from "../../jobs/shown.ts";
import { findJob } from "../../jobs/store.ts";
import { csrfField } from "../../pages/forms.ts";
import { note, tallyOf } from "../../pages/parts.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import type { Edit } from "../../records/batch/edit-plan.ts";
import { findImport, type ListedImport } from "../../records/batch/imports-list.ts";
import { KINDS, type Kind } from "../../records/kinds.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { currentSchema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";
import { publishes } from "../bulk/form.ts";
import { type Concerned, failed, recordsSection, type Shown, underWay } from "../bulk/outcome.ts";
import { summariesOf } from "../bulk/summary.ts";
import { namePlainly } from "../field-names.ts";
import { nextStep } from "../first-steps.ts";
import { adminAnswer } from "../layout.ts";
import { importsPath, listPath, trashPath } from "../sections.ts";
import { retryForm } from "../system/jobs.ts";
import { nameOf } from "./views.ts";

/** Seconds until the page of a running job reloads. */
const AGAIN = 2;

type Numbers = { trashed: number; restored: number; done: number; left: number };

function numbersOf({ result }: Shown): Numbers {
  const of = (name: keyof Numbers) => Number(result?.[name] ?? 0);
  return { trashed: of("trashed"), restored: of("restored"), done: of("done"), left: of("left") };
}

const isTrial = ({ params }: Job): boolean => params.dry_run === true;

/** The page reloads until the job is over. */
export const reload = (job: Job): Html =>
  isOver(job) ? html`` : html`<meta http-equiv="refresh" content="${String(AGAIN)}">`;

export async function importOf(sql: Sql, id: unknown): Promise<ListedImport | undefined> {
  const known = IdShape.safeParse(id).data;
  return known === undefined ? undefined : findImport(sql, known);
}

/** Begins the undo of an import or batch edit, or a trial of it. Answers the id of the job. */
export async function beginUndo(
  sql: Sql,
  caller: Account,
  found: ListedImport,
  isTrial: boolean,
): Promise<string> {
  demandMayUndo(caller, found);
  const { id, record_type } = found;
  const { job } = await enqueueJob(sql, {
    kind: "import-undo",
    params: { import_id: id, record_type, dry_run: isTrial, on_behalf: onBehalfOf(caller) },
    createdBy: caller.id,
    ...(isTrial ? {} : { uniqueKey: `import-undo ${id}` }),
  });
  return job.id;
}

/** Why a job ended early, with a button to go on. */
export const stopped = (view: StaffView, job: Job, shown: Shown): Html =>
  html`${failed(view, job, shown)}${mayChange(view.caller, job) ? retryForm(view, job) : ""}`;

/** @param edit what the batch edit did, if it was one and its job still exists */
export function undoTitle({ t }: View, job: Job, shown: Shown, edit: Edit | "import" | undefined): string {
  const what = edit === "import" ? edit : edit && publishes(edit) ? "publish" : "edit";
  const { trashed, restored, done, left } = numbersOf(shown);
  const after = left === 0 ? "all" : trashed + restored + done === 0 ? "none" : "partly";
  const state = isTrial(job) ? "would" : !isOver(job) ? "now" : job.state === "done" ? after : "partly";
  return t(`undo.title.${what}`, { state });
}

/** @param undoes the import or batch edit */
export async function undoState(
  sql: Sql,
  view: StaffView,
  job: Job,
  shown: Shown,
  undoes: ListedImport | undefined,
): Promise<Html> {
  const { t, link, caller } = view;
  if (!isOver(job)) return underWay(view, job, t(isTrial(job) ? "undo.tried" : "bulk.running"));
  if (job.state !== "done") return stopped(view, job, shown);
  const dry = isTrial(job) ? "yes" : "no";
  const { trashed, restored, done, left } = numbersOf(shown);
  const { undone, named } = (shown.result ?? {}) as {
    undone?: Record<"trashed" | "restored", Concerned[]>;
    named?: Concerned[];
  };
  const all = { trashed, restored, left };
  const label = (what: keyof typeof all) => t(`undo.${what}`, { dry });
  const concerned = [...(undone?.trashed ?? []), ...(undone?.restored ?? []), ...(named ?? [])];
  const schema = await currentSchema(sql);
  const paths = await locationPaths(sql, schema, caller, [t.language], concerned);
  const section = (what: keyof typeof all, records: readonly Concerned[] = []) => {
    const called = records.map((one) => ({ ...one, title: paths.get(one.id) ?? one.title }));
    return recordsSection(view, label(what), called, all[what], what === "trashed" && !isTrial(job));
  };
  const isInTrash = (kind: Kind) => undone?.trashed.some(({ record_type }) => record_type === kind);
  const trash = KINDS.filter((kind) => isInTrash(kind) && mayDo(caller, "delete", kind)).map(
    (kind) =>
      html`<a class="button quiet" href="${link(trashPath(kind))}">${t("trash.title")}${t("form.colon")} ${t(`kind.${kind}`)}</a>`,
  );
  const list = undoes
    ? html`<a class="button quiet" href="${link(listPath(undoes.record_type))}">${t("admin.import.show")}</a>`
    : "";
  const next =
    dry === "no"
      ? html`${list}${trash}`
      : html`${trashed + restored === 0 ? "" : html`<form method="post" action="${link(`${importsPath}/${job.params.import_id}/undo`)}">${csrfField(view)}<input type="hidden" name="seen" value="1"><button>${t(undoes?.source === "edit" ? "bulk.undo" : "admin.import.undo")}</button></form>`}
        <a class="button quiet" href="${link(importsPath)}">${t("merge.cancel")}</a>`;
  const told =
    trashed + restored + done === 0 && left > 0
      ? note("warning", t("undo.nothing"))
      : dry === "yes"
        ? note("information", t("undo.tried"))
        : left > 0
          ? note("warning", t("admin.import.left", { count: left }))
          : note("success", t(undoes?.source === "edit" ? "bulk.undone" : "admin.import.undone"));
  return html`${told}
    ${tallyOf(
      view,
      (["trashed", "restored", "left"] as const).map((what) => [label(what), all[what]]),
    )}
    <div class="row">${next}</div>
    ${section("trashed", undone?.trashed)}${section("restored", undone?.restored)}${section("left", named)}`;
}

export async function undoAnswer(sql: Sql, view: StaffView, job: Job): Promise<Response> {
  const { t, link, formats, caller } = view;
  const undoes = await importOf(sql, job.params.import_id);
  const schema = await currentSchema(sql);
  const shown = jobFor(
    t,
    caller,
    job,
    undoes && ((code) => namePlainly(view, schema, undoes.record_type, code)),
  );
  const edit = undoes?.source === "edit" ? (await findJob(sql, undoes.id))?.params.edit : "import";
  const title = undoTitle(view, job, shown, edit as Edit | "import" | undefined);
  const told = undoes && (await summariesOf(sql, view, [undoes])).get(undoes.id);
  const name =
    undoes && mayDo(caller, "read", undoes.record_type)
      ? html`<p class="lead" dir="auto">${nameOf(view, { ...undoes, job: undefined, told })} <small>${formats.time(undoes.started_at)}</small></p>`
      : "";
  return adminAnswer(view, {
    at: importsPath,
    title,
    head: reload(job),
    content: html`<div><p class="crumbs"><a href="${link(importsPath)}">${t("admin.imports")}</a></p><h1>${title}</h1>${name}</div>
      ${await undoState(sql, view, job, shown, undoes)}
      ${isOver(job) && job.params.dry_run !== true ? await nextStep(sql, view, importsPath) : ""}`,
  });
}
