/** What visitors find by words, as a page that works without scripts; its address is the whole state. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import type { Api } from "../http/endpoint.ts";
import { inTurn } from "../http/turns.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note, paging } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import type { Kind } from "../records/kinds.ts";
import { SEARCH_TYPES, SearchParams } from "../search/params.ts";
import { LONGEST_QUERY } from "../search/query.ts";
import { type Found, searchFor } from "../search/search.ts";
import type { Services } from "../services.ts";
import { cards } from "./cards.ts";

const PAGE_SIZE = 20;
/** The search shows the first 10,000 hits (interface §3). */
const LAST_PAGE = 10_000 / PAGE_SIZE;

type Asked = { q: string; type: Kind | ""; page: number };

export function searchPageRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/search",
    summary: "Search what is public",
    access: "public",
    async show({ c, view, caller }) {
      const asked = readAsked(new URL(c.req.url).searchParams);
      const search = {
        params: SearchParams.parse({
          ...(asked.q === "" ? {} : { q: asked.q }),
          ...(asked.type === "" ? {} : { type: asked.type }),
          page: String(asked.page),
          page_size: String(PAGE_SIZE),
        }),
        clauses: { clauses: [], any: false },
        portal: true,
        languages: [view.t.language],
        requestId: c.get("requestId"),
      };
      const found = await inTurn(api, c, caller, () => searchFor(api.services, VISITOR, search));
      const title = asked.q === "" ? view.t("search.title") : `${asked.q} · ${view.t("search.title")}`;
      return pageAnswer(c, view, {
        title,
        content: await content(api.services, view, asked, found),
        headers: found.degraded ? { "Cache-Control": "no-store" } : {},
      });
    },
  });
}

/** Whatever an address holds that somebody typed or cut off: what cannot be meant is left out. */
function readAsked(params: URLSearchParams): Asked {
  const type = SEARCH_TYPES.find((kind) => kind === params.get("type")) ?? "";
  const page = /^\d{1,4}$/.test(params.get("page") ?? "") ? Number(params.get("page")) : 1;
  return {
    q: (params.get("q") ?? "").trim().slice(0, LONGEST_QUERY),
    type,
    page: Math.min(Math.max(page, 1), LAST_PAGE),
  };
}

async function content(services: Services, view: View, asked: Asked, found: Found): Promise<Html> {
  const { t } = view;
  const pagesInAll = Math.ceil(found.total / PAGE_SIZE);
  const address = (more: Partial<Asked>) => view.link(searchAddress({ ...asked, ...more }));
  return html`
    <section class="stack">
      <h1>${t("search.title")}</h1>
      <form action="${view.link("/search")}" role="search" class="search">
        <label class="hidden" for="q">${t("search.label")}</label>
        <input id="q" type="search" name="q" value="${asked.q}" maxlength="${LONGEST_QUERY}">
        <label class="hidden" for="type">${t("search.kind")}</label>
        <select id="type" name="type">
          <option value="">${t("search.all")}</option>
          ${SEARCH_TYPES.map((kind) => html`<option value="${kind}" ${kind === asked.type ? html`selected` : ""}>${t(`kind.${kind}`)}</option>`)}
        </select>
        <button>${t("search.button")}</button>
      </form>
      ${found.degraded ? note("warning", t("search.degraded"), "status") : ""}
      ${
        found.suggestion === null
          ? ""
          : html`<p>${t("search.meant")} <a href="${address({ q: found.suggestion, page: 1 })}">${found.suggestion}</a></p>`
      }
    </section>
    ${found.degraded ? "" : found.items.length === 0 ? nothing(view, asked) : await hits(services, view, found)}
    ${pagesInAll > LAST_PAGE && asked.page === LAST_PAGE ? note("information", t("search.tooFar")) : ""}
    ${paging(view, asked.page, Math.min(pagesInAll, LAST_PAGE), (number) => address({ page: number }))}`;
}

async function hits(services: Services, view: View, { items, total, isLeast }: Found): Promise<Html> {
  const { t } = view;
  return html`<section class="stack">
    <h2>${isLeast ? t("search.total.more", { count: total }) : t.counted("search.total", total)}</h2>
    ${await cards(services, view, items)}
  </section>`;
}

function nothing(view: View, { q, type }: Asked): Html {
  const { t } = view;
  const all = html`<a class="button" href="${view.link("/search")}">${t("search.all")}</a>`;
  return q === "" && type === ""
    ? emptyState(t("home.empty"), t("home.emptyText"))
    : emptyState(t("search.nothing"), t("search.nothingText"), all);
}

/** Path and query of a search. */
export function searchAddress({ q = "", type = "", page = 1 }: Partial<Asked>): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (type !== "") query.set("type", type);
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? "/search" : `/search?${query}`;
}
