/** The views of a list: open one, save the current list as one, delete one. */
import { html } from "hono/html";
import { type Caller, mayUse } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { invalid, Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { currentSchema } from "../../records/schema.ts";
import { composed, unseenFault } from "../../text.ts";
import { uuidIn } from "../asked.ts";
import { listPath } from "../sections.ts";
import { MY_DRAFTS, queryOf, readListParams } from "./params.ts";
import { deleteView, type ListView, saveView } from "./views-store.ts";

const viewsPath = (kind: Kind): string => `${listPath(kind)}/views`;
const mayShare = (caller: Caller): boolean => mayUse(caller, "settings:manage");
const LONGEST_NAME = 100;
const LONGEST_QUERY = 2_000;

/** `query`: of the list as shown; `whole`: with its columns, as a view stores it. */
export function viewsMenu(
  view: View,
  kind: Kind,
  views: readonly ListView[],
  query: string,
  whole: string,
): Html {
  const { t, link, caller } = view;
  const address = (one: Pick<ListView, "query">) =>
    link(one.query === "" ? listPath(kind) : `${listPath(kind)}?${one.query}`);
  const presets = [
    { name: t("filter.myDrafts"), query: MY_DRAFTS },
    { name: t("filter.mine"), query: "mine=yes" },
  ];
  const mine = views.filter(({ is_own, is_shared }) => is_own || (is_shared && mayShare(caller)));
  return html`<div class="views">
    <nav aria-label="${t("views.title")}"><ul>${[...presets, ...views].map(
      (one) =>
        html`<li><a href="${address(one)}" ${one.query === query || one.query === whole ? html`aria-current="page"` : ""} dir="auto">${one.name}</a></li>`,
    )}</ul></nav>
    <details><summary>${t("views.keep")}</summary>
      <form class="filters" method="post" action="${link(viewsPath(kind))}">${csrfField(view)}
        <input type="hidden" name="query" value="${whole}">
        <label class="wide"><span>${t("views.name")}</span><input name="name" required maxlength="${LONGEST_NAME}" aria-describedby="views-again"></label>
        ${mayShare(caller) ? html`<label class="tick"><input type="checkbox" name="shared" value="yes"> ${t("views.shared")}</label>` : ""}
        <button class="quiet">${t("admin.save")}</button>
        <small class="help" id="views-again">${t("views.again")}</small>
      </form>
      ${
        mine.length === 0
          ? ""
          : html`<ul class="plain">${mine.map(
              ({ id, name, is_shared }) =>
                html`<li class="row"><span dir="auto">${name}</span>${is_shared ? html` <small>${t("views.isShared")}</small>` : ""}
            <form method="post" action="${link(`${viewsPath(kind)}/${id}/delete`)}">${csrfField(view)}<input type="hidden" name="query" value="${query}"><button class="quiet small" aria-label="${t("views.deleteThis", { what: name })}">${t("config.delete")}</button></form></li>`,
            )}</ul>`
      }
    </details></div>`;
}

export function listViewRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  for (const kind of KINDS) {
    const { many } = kinds[kind];
    const access = { action: "read", kind } as const;
    /** The list as it was before the form was sent. */
    const back = async (form: ReadonlyMap<string, string>) =>
      queryOf(readListParams(new URLSearchParams(form.get("query") ?? ""), await currentSchema(sql), kind));

    pageForm(api, pages, {
      path: viewsPath(kind),
      summary: `Keep a view of the list of ${many}`,
      access,
      async take(view, fields) {
        const name = composed(fields.get("name") ?? "").trim();
        const detail =
          name === "" || name.length > LONGEST_NAME
            ? said("fault.length.between", { least: 1, most: LONGEST_NAME })
            : unseenFault(name);
        if (detail) throw invalid([{ pointer: "/name", detail }]);
        const query = await back(fields);
        if (query.length > LONGEST_QUERY)
          throw invalid([{ pointer: "/query", detail: said("fault.too_long", { most: LONGEST_QUERY }) }]);
        const is_shared = fields.get("shared") === "yes" && mayShare(view.caller);
        await saveView(sql, view.caller, kind, { name, query, is_shared });
        return redirectTo(view, `${listPath(kind)}?${query}`, "views.kept");
      },
    });

    pageForm(api, pages, {
      path: `${viewsPath(kind)}/{id}/delete`,
      summary: `Delete a view of the list of ${many}`,
      access,
      async take(view, fields) {
        const gone = await deleteView(sql, view.caller, kind, uuidIn(view, "id"), mayShare(view.caller));
        if (!gone) throw new Problem("not_found", said("problem.view.not_found"));
        return redirectTo(view, `${listPath(kind)}?${await back(fields)}`, "views.deleted");
      },
    });
  }
}
