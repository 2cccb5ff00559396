/** Open procedures with a due date, on screen and on paper. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { withSemicolons } from "../../messages/semicolons.ts";
import { optionList } from "../../pages/forms.ts";
import { icon } from "../../pages/icons.ts";
import { type Pages, pageAnswer } from "../../pages/page.ts";
import { emptyState, numberAsked, partLinks } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import { DUE_WHEN, type DueWhen, dueProcedures, partnersOf } from "../../procedures/due.ts";
import { today } from "../../procedures/move.ts";
import { idsOf } from "../../records/record.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import type { Sql } from "../../services.ts";
import { notesOf } from "../editor/links-section.ts";
import { subtypeChoices, valuePlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { nameOf } from "../record-names.ts";
import { duePath, recordPath } from "../sections.ts";
import { sheet, tools } from "./print-sheets.ts";

const MOST_DUE = 500;
const printPath = `${duePath}/print`;

type Asked = { when: DueWhen | undefined; subtype: string | undefined };

export function duePageRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  const access = { action: "read", kind: "procedure" } as const;

  page(api, pages, {
    path: duePath,
    summary: "What is due",
    access,
    async show(view) {
      const { t, link } = view;
      const schema = await currentSchema(sql);
      const asked = askedIn(view, schema);
      const { table, others } = await dueList(sql, view, schema, asked, duePath);
      const none = emptyState(
        t("admin.due.none"),
        t(queryOf(asked) === "" ? "admin.due.noneText" : "due.noneText"),
      );
      return adminAnswer(view, {
        at: duePath,
        title: t("admin.due"),
        content: html`<div class="heading"><h1>${t("admin.due")}</h1>${table === null ? "" : html`<a class="button quiet small" href="${link(addressOf(printPath, asked))}">${t("care.printList")}</a>`}</div>
          ${choice(view, schema, asked)}${table ?? none}${others}`,
      });
    },
  });

  page(api, pages, {
    path: printPath,
    summary: "What is due, to be printed",
    access,
    async show(view) {
      const { t, name, formats } = view;
      const schema = await currentSchema(sql);
      const asked = askedIn(view, schema);
      const { table, others } = await dueList(sql, view, schema, asked, printPath);
      const { when, subtype } = asked;
      const only = [when && t(`due.${when}`), subtype && subtypeName(view, schema, subtype)].filter(Boolean);
      const content = html`${tools(view, addressOf(duePath, asked), "", true)}
        <header><p>${name}</p><h1>${[t("admin.due"), ...only].join(" · ")}</h1><p>${formats.day(`${today()}T12:00:00`)}</p></header>
        ${table ?? html`<p>${t("admin.due.none")}</p>`}${others}`;
      return pageAnswer(view, { layout: sheet, title: t("admin.due"), content });
    },
  });
}

function askedIn({ c }: PageView, schema: Schema): Asked {
  const subtype = c.req.query("type") ?? "";
  return {
    when: DUE_WHEN.find((each) => each === c.req.query("when")),
    subtype: schema.subtypes.get("procedure")?.has(subtype) ? subtype : undefined,
  };
}

function queryOf({ when, subtype }: Asked): string {
  const all = { ...(when ? { when } : {}), ...(subtype ? { type: subtype } : {}) };
  return new URLSearchParams(all).toString();
}

const addressOf = (path: string, asked: Asked): string => [path, queryOf(asked)].filter(Boolean).join("?");

function choice(view: View, schema: Schema, { when: chosen, subtype }: Asked): Html {
  const { t, link } = view;
  const item = (when: DueWhen | undefined) =>
    html`<li><a href="${link(addressOf(duePath, { when, subtype }))}" ${when === chosen ? html`aria-current="page"` : ""}>${t(`due.${when ?? "all"}`)}</a></li>`;
  return html`<div class="views"><nav aria-label="${t("admin.filter")}"><ul>${[undefined, ...DUE_WHEN].map(item)}</ul></nav></div>
    <form class="filters" action="${link(duePath)}">${chosen ? html`<input type="hidden" name="when" value="${chosen}">` : ""}
      <label><span>${t("search.subtype")}</span><select name="type"><option value="">${t("admin.any")}</option>${optionList(subtypeChoices(view, schema, "procedure"), subtype)}</select></label>
      <button class="quiet">${t("admin.filter")}</button></form>`;
}

const subtypeName = (view: View, schema: Schema, subtype: string): string =>
  valuePlainly(view, schema, "procedure", "procedure_type", subtype);

/** `table`: null if nothing is due. `others`: links to the other parts. */
async function dueList(
  sql: Sql,
  view: PageView,
  schema: Schema,
  asked: Asked,
  path: string,
): Promise<{ table: Html | null; others: Html }> {
  const { caller, t, link, formats } = view;
  const part = numberAsked(view, "part");
  const { due, long } = await dueProcedures(sql, caller, today(), { part, size: MOST_DUE, ...asked });
  const ids = idsOf(due);
  const partners = mayDo(caller, "read", "entity") ? await partnersOf(sql, caller, ids) : [];
  const notes = await notesOf(
    sql,
    view,
    partners.map(({ metadata }) => metadata),
  );
  const others = partLinks(view, part, long, (next) => {
    const address = addressOf(path, asked);
    return link(`${address}${address.includes("?") ? "&" : "?"}part=${next}`);
  });
  if (due.length === 0) return { table: null, others };
  const who = (id: string) => {
    const own = partners.filter(({ procedure_id }) => procedure_id === id);
    const named = own.map((one) =>
      [nameOf(view, schema, one), notes(one.metadata)].filter(Boolean).join(", "),
    );
    return withSemicolons(t, named);
  };
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="${t("admin.due")}"><table class="due">
    <thead><tr><th>${t("column.due_date")}</th><th>${t("admin.name")}</th><th>${t("search.subtype")}</th><th>${t("due.partner")}</th></tr></thead>
    <tbody>${due.map(
      (
        one,
      ) => html`<tr><td>${one.is_overdue ? html`<b class="fault nowrap">${icon("warning")} ${t("due.overdue")}</b> ` : ""}<time class="nowrap" datetime="${one.due_date}">${formats.day(`${one.due_date}T12:00:00`)}</time></td>
      <td><a href="${link(recordPath("procedure", one.id))}" dir="auto">${nameOf(view, schema, one)}</a> <small class="nowrap">${one.idno}</small></td><td>${subtypeName(view, schema, one.subtype)}</td><td dir="auto">${who(one.id)}</td></tr>`,
    )}</tbody></table></div>`;
  return { table, others };
}
