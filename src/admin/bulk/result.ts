/** The progress and result of a batch edit, and its undo. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { demandJob } from "../../jobs/change.ts";
import { isOver, type Job } from "../../jobs/job.ts";
import { jobFor } from "../../jobs/shown.ts";
import { csrfField } from "../../pages/forms.ts";
import { note } from "../../pages/parts.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import type { Edit } from "../../records/batch/edit-plan.ts";
import { findImport, isUndoable } from "../../records/batch/imports-list.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Schema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services } from "../../services.ts";
import { unseenNote } from "../editor/linked-drafts.ts";
import { namePlainly } from "../field-names.ts";
import { undoState, undoTitle } from "../imports/undo-page.ts";
import { adminAnswer } from "../layout.ts";
import { endOf } from "../record-names.ts";
import { bulkPath, listPath } from "../sections.ts";
import { describeEdit, publishes, wordsOfEdit } from "./form.ts";
import { type Concerned, failed, recordsSection, type Shown, underWay } from "./outcome.ts";
import { crumbs } from "./views.ts";

/** `?undo=` in the address names the job that undoes the edit. */
export async function resultAnswer(
  services: Services,
  view: StaffView,
  schema: Schema,
  job: Job,
): Promise<Response> {
  const { sql } = services;
  const { caller, t } = view;
  const kind = job.params.record_type as Kind;
  const edit = job.params.edit as Edit;
  const shownTo = (one: Job) => jobFor(t, caller, one, (name) => namePlainly(view, schema, kind, name));
  const undone = IdShape.safeParse(view.c.req.query("undo")).data;
  const undo = undone === undefined ? null : await demandJob(sql, caller, undone);
  const own = undo?.params.import_id === job.id ? undo : null;
  const goesOn = !isOver(job) || (own !== null && !isOver(own));
  const found = await findImport(sql, job.id);
  const mayUndo = own === null && isOver(job) && found !== undefined && isUndoable(found);
  const title = own ? undoTitle(view, own, shownTo(own), edit) : t("bulk.title");
  return adminAnswer(view, {
    at: listPath(kind),
    title,
    head: goesOn ? html`<noscript><meta http-equiv="refresh" content="2"></noscript>` : html``,
    // with the title, which the script renews, too
    content: html`<div id="live" class="groups" role="status" ${goesOn ? html`data-live` : ""}>
      <div>${crumbs(view, { kind, back: String(job.params.back ?? "") })}<h1>${title}</h1>
        <p class="lead" dir="auto">${describeEdit(view, schema, kind, edit, await endOf(sql, view, schema, edit), await wordsOfEdit(sql, view, schema, kind, edit))}</p></div>
        ${
          own
            ? await undoState(sql, view, own, shownTo(own), found)
            : found?.state === "undone"
              ? note("information", t("bulk.undone"))
              : state(view, job, shownTo(job))
        }
        ${
          publishes(edit) && isOver(job) && own === null && found?.state !== "undone"
            ? html`${await unseenNote(services, view, job.id, bulkPath(kind, job.id))}<div class="row"><a class="button quiet" href="${view.link("/")}">${t("menu.portal")}</a></div>`
            : ""
        }
        ${
          mayUndo && mayDo(caller, "update", kind)
            ? html`<form method="post" action="${view.link(bulkPath(kind, job.id))}/undo">${csrfField(view)}<p class="help">${t("bulk.undoText")}</p><button class="quiet">${t("bulk.undo")}</button></form>`
            : ""
        }
      </div>`,
  });
}

function state(view: View, job: Job, shown: Shown): Html {
  const { t, formats } = view;
  const count = (name: string) => Number(shown.result?.[name] ?? 0);
  const left = count("rejected") + count("skipped");
  const { linked = [] } = (shown.result ?? {}) as { linked?: Concerned[] };
  const counts = [
    ["bulk.changed", count("updated")],
    ["bulk.same", count("unchanged")],
    ["bulk.left", left],
  ] as const;
  const told = !isOver(job)
    ? underWay(view, job, t("bulk.running"))
    : job.state === "done"
      ? view.flash
        ? ""
        : note("success", t("bulk.done"))
      : failed(view, job, shown);
  return html`${told}
    <dl class="tally">${counts.map(([label, n]) => html`<div><dt>${t(label)}</dt><dd>${formats.number(n)}</dd></div>`)}</dl>
    ${recordsSection(view, t("bulk.left"), shown.result?.named, left)}
    ${recordsSection(view, t("bulk.same"), linked, linked.length)}`;
}
