/** The search page for visitors. It works without scripts; its address is the only state. */
import { html } from "hono/html";
import { NEVER_UNASKED } from "../../http/answer/caching.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import { alternates } from "../../pages/alternates.ts";
import { icon } from "../../pages/icons.ts";
import { type Pages, pageAnswer } from "../../pages/page.ts";
import { emptyState, note, paging } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import { typed } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { idsOf } from "../../records/record.ts";
import type { Part } from "../../search/parts.ts";
import type { Services } from "../../services.ts";
import { cards, inDeck, readDeck } from "../cards.ts";
import { INDEXED_KINDS, kindAddress } from "../names-page.ts";
import {
  asParams,
  isNarrowed,
  LAST_PAGE,
  PAGE_SIZE,
  readSearchState,
  type SearchState,
  SORTS,
  searchAddress,
  VIEWS,
} from "./address.ts";
import { searchBox, searchBoxHead } from "./box.ts";
import { type Chip, chipRow, filterPanel, kindTabs } from "./filters.ts";
import { PICTURED_KINDS, type SearchView, viewSearch } from "./view.ts";
import { visitorSearch } from "./visitor-search.ts";

export function searchPageRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/search",
    summary: "Search what is public",
    access: "public",
    isCached: true,
    async show(view) {
      const state = readSearchState(new URL(view.c.req.url).searchParams);
      const search = visitorSearch(api.services, view);
      const seen = await withinLimit(api, view, () => viewSearch(api.services, view, state, search));
      const title = state.q === "" ? view.t("search.title") : `${state.q} · ${view.t("search.title")}`;
      return pageAnswer(view, {
        title,
        // from the referrer, the page of a record knows the way back to this search (record.js)
        head: html`<meta name="referrer" content="same-origin">${searchBoxHead(view)}<script type="module" nonce="${view.nonce}" src="${view.asset("histogram.js")}"></script>
          ${isIndexed(state) ? alternates(view, api.services.config.baseUrl + searchAddress(state)) : html`<meta name="robots" content="noindex">`}`,
        content: await content(api.services, view, state, seen),
        headers: { "Cache-Control": NEVER_UNASKED, ...search.headers() },
      });
    },
  });
}

/** Search engines are not to index filtered searches, of which there is no end (`robots.ts`). */
const isIndexed = ({ filters, clauses, sort, layout, more }: SearchState): boolean =>
  filters.length + clauses.length === 0 && sort === "relevance" && layout === "grid" && more === "";

async function content(services: Services, view: View, state: SearchState, seen: SearchView): Promise<Html> {
  const { t } = view;
  const { found, chips } = seen;
  const address = (more: Partial<SearchState>) => view.link(searchAddress({ ...state, more: "", ...more }));
  const kept = asParams({ ...state, q: "" });
  const tabs = kindTabs(view, seen, state, (kind) => view.link(searchAddress(seen.ofKind(kind))));
  const clear = address(WITHOUT_FILTERS);
  const pagesInAll = Math.ceil(found.total / PAGE_SIZE);
  const head = html`<div class="asked">
      ${searchBox(view, state.q, state.layout === "grid" ? kept : [...kept, ["view", state.layout]])}
      <p><a href="${view.link(advancedAddress(state))}" rel="nofollow">${t("advanced.title")}</a>${byName(view, state)}</p>
      ${tabs}
      ${chipRow(view, chips, clear)}
      ${state.any && state.clauses.length > 1 ? html`<p class="help">${t("advanced.anyHolds")}</p>` : ""}
      ${found.degraded ? note("warning", t("search.degraded"), "status") : ""}
      ${found.suggestion === null ? "" : html`<p class="meant">${t(found.isCompleted ? "search.beginnings" : "search.instead", { q: typed(state.q) })} <a href="${address({ q: found.suggestion, page: 1 })}">${found.suggestion}</a></p>`}
    </div>`;
  const ids = idsOf(seen.hits);
  const deck = await readDeck(services.sql, view, ids);
  const items = inDeck(deck, ids);
  if (items.length === 0) {
    const isBeyond = state.page > 1 && found.total > 0;
    const first = html`<p><a href="${address({ page: 1 })}">${t("job.count.records", { count: found.total })}</a></p>`;
    const nothing = isBeyond
      ? emptyState(t("errorPage.404"), "", first)
      : found.degraded
        ? ""
        : nothingFound(view, state, found.parts, chips, address);
    return html`<h1 class="hidden">${t("search.title")}</h1>${head}${nothing}`;
  }
  return html`${head}
    <div class="found">
      ${filterPanel(view, state, seen.dates, seen.facets)}
      <section class="results" aria-labelledby="count">
        <header><h1 id="count">${found.isLeast ? t("search.total.more", { count: found.total }) : t("job.count.records", { count: found.total })}</h1>
          ${layouts(view, state, address)}${sorting(view, state, address)}</header>
        ${cards(view, deck, items, { layout: state.layout, isLoose: state.sort === "relevance" })}
        ${pagesInAll > LAST_PAGE && state.page === LAST_PAGE ? note("information", t("search.tooFar")) : ""}
        ${paging(view, state.page, Math.min(pagesInAll, LAST_PAGE), (number) => address({ page: number }))}
        ${files(view, state, seen)}
      </section>
    </div>`;
}

/** A link to all names of a kind in their order. */
const byName = ({ t, link }: View, { type }: SearchState): Html =>
  INDEXED_KINDS.some(({ kind }) => kind === type) && type !== ""
    ? html` <span aria-hidden="true">·</span> <a href="${link(kindAddress(type))}">${t(`kind.${type}`)} A–Z</a>`
    : html``;

type Address = (more: Partial<SearchState>) => string;
const WITHOUT_FILTERS: Partial<SearchState> = { filters: [], clauses: [], page: 1 };

function sorting(view: View, state: SearchState, address: Address): Html {
  const { t } = view;
  // without words, relevance is pictures first, and then the newest
  const isNewest = state.q === "" && !PICTURED_KINDS.includes(state.type);
  const current = isNewest && state.sort === "relevance" ? "created_at" : state.sort;
  const words = (sort: (typeof SORTS)[number]) =>
    sort === "relevance" && state.q === "" ? t("sort.pictures") : t(`sort.${sort}`);
  return html`<nav class="choices" aria-label="${t("sort.label")}"><span aria-hidden="true">${t("sort.label")}${t("form.colon")}</span> ${SORTS.slice(
    isNewest ? 1 : 0,
  ).map(
    (sort) =>
      html`<a href="${address({ sort, page: 1 })}" rel="nofollow" ${sort === current ? html`aria-current="true"` : ""}>${words(sort)}</a> `,
  )}</nav>`;
}

function layouts(view: View, state: SearchState, address: Address): Html {
  const { t } = view;
  return html`<nav class="choices layouts" aria-label="${t("view.label")}">${VIEWS.map(
    (layout) =>
      html`<a href="${address({ layout })}" rel="nofollow" ${layout === state.layout ? html`aria-current="true"` : ""}>${icon(layout)}<span class="hidden">${t(`view.${layout}`)}</span></a>`,
  )}</nav>`;
}

/** Links to the results as files. */
function files({ t, link }: View, state: SearchState, { kinds }: SearchView): Html {
  const type = state.type || "object";
  if (!kinds.some(({ kind, count }) => kind === type && count > 0)) return html``;
  const query = (more: [string, string][]) => new URLSearchParams([...asParams({ ...state, type }), ...more]);
  const manifests = link(`/iiif/presentation/3/search?${query([])}`);
  return html`<p class="help">${t(`kind.${type}`)}, ${t("search.asFiles")}${t("form.colon")}
    <a href="${link(`/portal/v1/search/export?${query([["format", "csv"]])}`)}" rel="nofollow" download>CSV</a>
    ${type === "object" ? html` · <a href="${manifests}" rel="nofollow">IIIF</a>` : ""}</p>`;
}

/** Suggests next steps, the most useful first. */
function nothingFound(
  view: View,
  state: SearchState,
  parts: readonly Part[],
  chips: readonly Chip[],
  address: Address,
): Html {
  const { t, link } = view;
  if (state.q === "" && !isNarrowed(state)) return emptyState(t("home.empty"), t("home.emptyText"));
  const everywhere = link(searchAddress({ q: state.q }));
  const ofParts = parts.map(
    ({ q, total }) =>
      html`<a href="${address({ q, page: 1 })}" rel="nofollow">${q}</a> <small>${t("job.count.records", { count: total })}</small>`,
  );
  const ways = [
    ...(chips.length > 0
      ? [html`<a href="${address(WITHOUT_FILTERS)}" rel="nofollow">${t("search.withoutFilters")}</a>`]
      : []),
    ...(state.type !== "" && state.q !== ""
      ? [html`<a href="${everywhere}">${t("search.everywhere")}</a>`]
      : []),
    html`<a href="${link("/browse")}">${t("browse.title")}</a>`,
    html`<a href="${link("/search")}">${t("search.everything")}</a>`,
  ];
  const list = (items: readonly Html[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return emptyState(
    state.q === "" ? t("search.nothing") : t("search.nothingFor", { q: typed(state.q) }),
    t(parts.length > 0 ? "search.parts" : "search.nothingText"),
    html`${parts.length > 0 ? html`${list(ofParts)}<p>${t("search.nothingText")}</p>` : ""}${list(ways)}`,
  );
}

const advancedAddress = (state: SearchState): string =>
  searchAddress({ ...state, more: "", page: 1 }).replace(/^\/search/, "/search/advanced");
