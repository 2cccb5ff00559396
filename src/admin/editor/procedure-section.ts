/** On the page of a procedure: its objects, missing information, and changes that it proposes for the objects. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note, numberAsked, partLinks } from "../../pages/parts.ts";
import { pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { type LoanGaps, loanGaps, objectsOf, proposedStatus } from "../../procedures/follow-up.ts";
import { mayMove, today } from "../../procedures/move.ts";
import { isMarkedOut, sendLoan, sentOut, type Way } from "../../procedures/send-loan.ts";
import { LOAN_OUT } from "../../records/links/loans.ts";
import { idsOf, type RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import { patchRecord } from "../../records/write/write.ts";
import type { Services } from "../../services.ts";
import { demandRow, type OnRecord, type SideForm } from "../asked.ts";
import { sendingOfForm } from "../care/move-form.ts";
import { titleOf } from "../record-names.ts";
import { recordPath } from "../sections.ts";

/** The most objects of a procedure that a page shows and one click changes. */
export const MOST_OBJECTS = 500;
/** The most numbers in one sentence. */
const MOST_NAMED = 20;

export async function procedureSection(
  { sql }: Services,
  view: View,
  schema: Schema,
  row: RecordRow,
  part: number,
): Promise<Html> {
  const { t, link, caller } = view;
  if (!mayDo(caller, "read", "object")) return html``;
  const { objects, long } = await objectsOf(sql, caller, row.id, { part, size: MOST_OBJECTS });
  const here = link(recordPath("procedure", row.id));
  const gaps = await loanGaps(sql, row, objects, today());
  return html`<section class="group" id="objects" aria-labelledby="objects-title">
    <div class="heading"><h2 id="objects-title">${t("kind.object")}</h2>
      ${objects.length > 0 ? html`<a class="button quiet small" href="${here}/print?part=${part}">${t("care.printList")}</a>` : ""}</div>
    ${gaps ? gapsNote(view, gaps) : ""}
    ${mayDo(caller, "update", "object") ? await proposal(sql, view, row, objects, part) : ""}
    ${await loanForm(sql, view, schema, row, objects)}
    ${
      objects.length === 0
        ? html`<p class="help">${t("care.noObjects")}</p>`
        : html`<ul class="linked">${objects.map(
            (object) => html`<li><span class="help">${object.idno}</span>
              <a href="${link(recordPath("object", object.id))}" dir="auto">${titleOf(view, schema, object) ?? t("style.untitled")}</a>
              <small>${t(`collectionStatus.${object.collection_status ?? "active"}`)}</small></li>`,
          )}</ul>`
    }
    ${partLinks(view, part, long, (next) => `${here}?part=${next}#objects`)}
  </section>`;
}

/** The first of these numbers, and how many more there are. */
function firstNamed({ t }: View, numbers: readonly string[]): string {
  const more = numbers.length - MOST_NAMED;
  return [...numbers.slice(0, MOST_NAMED), ...(more > 0 ? [t("search.more", { count: more })] : [])].join(
    ", ",
  );
}

function gapsNote(view: View, { objects, partner, due, checks }: LoanGaps): Html {
  const { t } = view;
  const lacking = [
    objects && t("care.gap.objects"),
    partner && t("care.gap.partner"),
    due && t("care.gap.due"),
    checks.length > 0 && t("care.gap.checks", { numbers: firstNamed(view, checks) }),
  ].filter((each) => each !== false);
  if (lacking.length === 0) return html``;
  return note(
    "warning",
    html`<h3>${t("care.gaps")}</h3><ul>${lacking.map((each) => html`<li>${each}</li>`)}</ul>`,
  );
}

async function proposal(
  sql: Services["sql"],
  view: View,
  row: RecordRow,
  objects: readonly RecordRow[],
  part: number,
): Promise<Html> {
  const proposed = await proposedStatus(sql, row, objects, today());
  if (!proposed) return html``;
  const { t, link } = view;
  const status = t(`collectionStatus.${proposed.to}`);
  const numbers = firstNamed(
    view,
    proposed.objects.map(({ idno }) => idno),
  );
  return note(
    "information",
    html`<form class="row" method="post" action="${link(`${recordPath("procedure", row.id)}/statuses?part=${part}`)}">${csrfField(view)}
      <input type="hidden" name="to" value="${proposed.to}">
      <p>${t("care.proposal", { status, numbers })}</p>
      <button class="small">${t("care.propose", { status })}</button></form>`,
  );
}

/** Sends out the objects of an outgoing loan, or takes back those that are out. */
async function loanForm(
  sql: Services["sql"],
  view: View,
  schema: Schema,
  row: RecordRow,
  objects: readonly RecordRow[],
): Promise<Html> {
  const { t, link, caller } = view;
  if (row.subtype !== LOAN_OUT || !mayDo(caller, "update", "procedure") || !mayMove(schema, caller))
    return html``;
  const out = await sentOut(sql, row.id, idsOf(objects));
  const marked = objects.filter(isMarkedOut).length;
  const ways: Way[] = out.size > 0 ? ["back"] : marked > 0 ? ["out", "back"] : ["out"];
  if (objects.length === 0 || (out.size === 0 && row.end_date !== null)) return html``;
  const counts = { out: objects.length, back: Math.max(out.size, marked) };
  return html`${ways.map(
    (
      way,
    ) => html`<form class="filters" method="post" action="${link(`${recordPath("procedure", row.id)}/send`)}">${csrfField(view)}
    <input type="hidden" name="way" value="${way}">
    <label><span>${t("admin.location.day")}</span><input id="send-${way}-day" type="date" name="day" value="${today()}" required></label>
    <label class="wide"><span>${t(`care.loan.${way}To`)}</span><input id="send-${way}-to" name="to" maxlength="200" autocomplete="off" data-pick="storage-locations" aria-describedby="send-${way}"></label>
    <button class="quiet">${t(`care.loan.${way}`)}</button>
    <p class="help" id="send-${way}">${t(`care.loan.${way}Help`, { count: counts[way] })}</p></form>`,
  )}`;
}

const loanInputs = (way: Way): SideForm => ({
  day: { id: `send-${way}-day`, label: "admin.location.day" },
  to: { id: `send-${way}-to`, label: `care.loan.${way}To` },
});

export function procedureRoutes(api: Api, pages: Pages, onRecord: OnRecord): void {
  const { services } = api;
  const { sql } = services;
  pageForm(api, pages, {
    path: `${recordPath("procedure", "{id}")}/send`,
    summary: "Send the objects of a loan out, or take them back",
    access: { action: "update", kind: "procedure" },
    take: (view, fields) => {
      const way: Way = fields.get("way") === "back" ? "back" : "out";
      const act = async ({ id }: RecordRow) => {
        const move = await sendingOfForm(sql, view.caller, fields);
        const isChanged = await sendLoan(services, view.caller, id, way, move);
        const told = isChanged ? (`care.loan.${way}Done` as const) : "care.loan.none";
        return redirectTo(view, recordPath("procedure", id), told);
      };
      return onRecord(services, view, "procedure", act, loanInputs(way));
    },
  });

  pageForm(api, pages, {
    path: `${recordPath("procedure", "{id}")}/statuses`,
    summary: "Give the objects of a procedure the collection status that it proposes",
    access: { action: "update", kind: "object" },
    async take(view, fields) {
      const row = await demandRow(services, view, "procedure");
      const part = numberAsked(view, "part");
      const { objects } = await objectsOf(sql, view.caller, row.id, { part, size: MOST_OBJECTS });
      const proposed = await proposedStatus(sql, row, objects, today());
      const back = `${recordPath("procedure", row.id)}?part=${part}#objects`;
      // the proposal may have changed since the page was shown
      if (proposed?.to !== fields.get("to")) return redirectTo(view, back);
      for (const { id, version } of proposed?.objects ?? []) {
        const patch = { collection_status: proposed!.to };
        await patchRecord(services, view.caller, "object", id, patch, [version]);
      }
      return redirectTo(view, back, "care.proposed");
    },
  });
}
