/** What is due: the list of open procedures with a due date, on the screen and on paper. */
import { html } from "hono/html";
import type { Api } from "../../http/endpoint.ts";
import { icon } from "../../pages/icons.ts";
import type { Pages } from "../../pages/page.ts";
import { emptyState, numberAsked, partLinks } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { DUE_WHEN, type DueProcedure, type DueWhen, dueProcedures } from "../../procedures/due.ts";
import { today } from "../../procedures/move.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { valuePlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { duePath, recordPath } from "../sections.ts";
import { nameOf } from "./movement-tables.ts";

const MOST_DUE = 500;

export function duePageRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;

  page(api, pages, {
    path: duePath,
    summary: "What is due",
    access: { action: "read", kind: "procedure" },
    async show({ c, view, caller }) {
      const { t, link } = view;
      const schema = await currentSchema(sql);
      const part = numberAsked(c, "part");
      const when = DUE_WHEN.find((each) => each === c.req.query("when"));
      const { due, long } = await dueProcedures(sql, caller, today(), { part, size: MOST_DUE, when });
      const here = link(when ? `${duePath}?when=${when}&` : `${duePath}?`);
      return adminAnswer(c, view, {
        at: duePath,
        title: t("admin.due"),
        content: html`<div class="heading"><h1>${t("admin.due")}</h1></div>${choice(view, when)}
          ${due.length === 0 ? emptyState(t("admin.due.none"), t(when ? "due.noneText" : "admin.due.noneText")) : dueTable(view, schema, due)}
          ${partLinks(view, part, long, (next) => `${here}part=${next}`)}`,
      });
    },
  });
}

function choice({ t, link }: View, chosen: DueWhen | undefined): Html {
  const item = (when: DueWhen | undefined) =>
    html`<li><a href="${link(when ? `${duePath}?when=${when}` : duePath)}" ${when === chosen ? html`aria-current="page"` : ""}>${t(`due.${when ?? "all"}`)}</a></li>`;
  return html`<div class="views"><nav aria-label="${t("admin.filter")}"><ul>${[undefined, ...DUE_WHEN].map(item)}</ul></nav></div>`;
}

function dueTable(view: View, schema: Schema, due: readonly DueProcedure[]): Html {
  const { t, link, formats } = view;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("admin.due")}"><table>
    <thead><tr><th>${t("column.due_date")}</th><th>${t("admin.number")}</th><th>${t("admin.name")}</th><th>${t("search.subtype")}</th></tr></thead>
    <tbody>${due.map(
      (
        one,
      ) => html`<tr><td class="nowrap">${one.is_overdue ? html`<b class="fault">${icon("warning")} ${t("due.overdue")}</b> ` : ""}<time datetime="${one.due_date}">${formats.day(`${one.due_date}T12:00:00`)}</time></td>
      <td class="nowrap"><a href="${link(recordPath("procedure", one.id))}">${one.idno}</a></td><td dir="auto">${nameOf(view, one)}</td><td>${valuePlainly(view, schema, "procedure", "procedure_type", one.subtype)}</td></tr>`,
    )}</tbody></table></div>`;
}
