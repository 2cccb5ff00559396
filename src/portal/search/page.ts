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
import { PICTURED_KINDS, type Seen, seenBy } from "./view.ts";
import { visitorSearch } from "./visitor-search.ts";

export function searchPageRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/search",
    summary: "Search what is public",
    access: "public",
    isKept: true,
    async show({ c, view, caller }) {
      const asked = readSearchState(new URL(c.req.url).searchParams);
      const search = visitorSearch(api.services, c, view);
      const seen = await withinLimit(api, c, caller, () => seenBy(api.services, view, asked, search));
      const title = asked.q === "" ? view.t("search.title") : `${asked.q} · ${view.t("search.title")}`;
      return pageAnswer(c, view, {
        title,
        // the pages of records lead back to this search (record.js)
        head: html`<meta name="referrer" content="same-origin">${searchBoxHead(view)}<script type="module" nonce="${view.nonce}" src="${view.asset("histogram.js")}"></script>
          ${isOfCrawlers(asked) ? alternates(view, api.services.config.baseUrl + searchAddress(asked)) : html`<meta name="robots" content="noindex">`}`,
        content: await content(api.services, view, asked, seen),
        headers: { "Cache-Control": NEVER_UNASKED, ...search.headers() },
      });
    },
  });
}

/** Filtered searches are endless for a crawler, so search engines shall not index them (`crawlers.ts`). */
const isOfCrawlers = ({ filters, clauses, sort, layout, more }: SearchState): boolean =>
  filters.length + clauses.length === 0 && sort === "relevance" && layout === "grid" && more === "";

async function content(services: Services, view: View, asked: SearchState, seen: Seen): Promise<Html> {
  const { t } = view;
  const { found, chips } = seen;
  const address = (more: Partial<SearchState>) => view.link(searchAddress({ ...asked, more: "", ...more }));
  const kept = asParams({ ...asked, q: "" });
  const tabs = kindTabs(view, seen, asked, (kind) => view.link(searchAddress(seen.ofKind(kind))));
  const clear = address(WITHOUT_FILTERS);
  const pagesInAll = Math.ceil(found.total / PAGE_SIZE);
  const head = html`<div class="asked">
      ${searchBox(view, asked.q, asked.layout === "grid" ? kept : [...kept, ["view", asked.layout]])}
      <p><a href="${view.link(advancedAddress(asked))}" rel="nofollow">${t("advanced.title")}</a>${byName(view, asked)}</p>
      ${tabs}
      ${chipRow(view, chips, clear)}
      ${asked.any && asked.clauses.length > 1 ? html`<p class="help">${t("advanced.anyHolds")}</p>` : ""}
      ${found.degraded ? note("warning", t("search.degraded"), "status") : ""}
      ${found.suggestion === null ? "" : html`<p class="meant">${t(found.isCompleted ? "search.beginnings" : "search.instead", { q: typed(asked.q) })} <a href="${address({ q: found.suggestion, page: 1 })}">${found.suggestion}</a></p>`}
    </div>`;
  const ids = seen.hits.map(({ id }) => id);
  const deck = await readDeck(services.sql, view, ids);
  const items = inDeck(deck, ids);
  if (items.length === 0) {
    const nothing = found.degraded ? "" : nothingFound(view, asked, found.parts, chips, address);
    return html`<h1 class="hidden">${t("search.title")}</h1>${head}${nothing}`;
  }
  return html`${head}
    <div class="found">
      ${filterPanel(view, asked, seen.dates, seen.facets)}
      <section class="results" aria-labelledby="count">
        <header><h1 id="count">${found.isLeast ? t("search.total.more", { count: found.total }) : t("job.count.records", { count: found.total })}</h1>
          ${layouts(view, asked, address)}${sorting(view, asked, address)}</header>
        ${cards(view, deck, items, { layout: asked.layout, isLoose: asked.sort === "relevance" })}
        ${pagesInAll > LAST_PAGE && asked.page === LAST_PAGE ? note("information", t("search.tooFar")) : ""}
        ${paging(view, asked.page, Math.min(pagesInAll, LAST_PAGE), (number) => address({ page: number }))}
        ${files(view, asked, seen)}
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

function sorting(view: View, asked: SearchState, address: Address): Html {
  const { t } = view;
  // without words, relevance is pictures first, and then the newest
  const isNewest = asked.q === "" && !PICTURED_KINDS.includes(asked.type);
  const current = isNewest && asked.sort === "relevance" ? "created_at" : asked.sort;
  const words = (sort: (typeof SORTS)[number]) =>
    sort === "relevance" && asked.q === "" ? t("sort.pictures") : t(`sort.${sort}`);
  return html`<nav class="choices" aria-label="${t("sort.label")}"><span aria-hidden="true">${t("sort.label")}${t("form.colon")}</span> ${SORTS.slice(
    isNewest ? 1 : 0,
  ).map(
    (sort) =>
      html`<a href="${address({ sort, page: 1 })}" rel="nofollow" ${sort === current ? html`aria-current="true"` : ""}>${words(sort)}</a> `,
  )}</nav>`;
}

function layouts(view: View, asked: SearchState, address: Address): Html {
  const { t } = view;
  return html`<nav class="choices layouts" aria-label="${t("view.label")}">${VIEWS.map(
    (layout) =>
      html`<a href="${address({ layout })}" rel="nofollow" ${layout === asked.layout ? html`aria-current="true"` : ""}>${icon(layout)}<span class="hidden">${t(`view.${layout}`)}</span></a>`,
  )}</nav>`;
}

/** What is found as files. */
function files({ t, link }: View, asked: SearchState, { kinds }: Seen): Html {
  const type = asked.type || "object";
  if (!kinds.some(({ kind, count }) => kind === type && count > 0)) return html``;
  const query = (more: [string, string][]) => new URLSearchParams([...asParams({ ...asked, type }), ...more]);
  const manifests = link(`/iiif/presentation/3/search?${query([])}`);
  return html`<p class="help">${t(`kind.${type}`)}, ${t("search.asFiles")}${t("form.colon")}
    <a href="${link(`/portal/v1/search/export?${query([["format", "csv"]])}`)}" rel="nofollow" download>CSV</a>
    ${type === "object" ? html` · <a href="${manifests}" rel="nofollow">IIIF</a>` : ""}</p>`;
}

/** Suggestions for the next step, the most useful first. */
function nothingFound(
  view: View,
  asked: SearchState,
  parts: readonly Part[],
  chips: readonly Chip[],
  address: Address,
): Html {
  const { t, link } = view;
  if (asked.q === "" && !isNarrowed(asked)) return emptyState(t("home.empty"), t("home.emptyText"));
  const everywhere = link(searchAddress({ q: asked.q }));
  const ofParts = parts.map(
    ({ q, total }) =>
      html`<a href="${address({ q, page: 1 })}" rel="nofollow">${q}</a> <small>${t("job.count.records", { count: total })}</small>`,
  );
  const ways = [
    ...(chips.length > 0
      ? [html`<a href="${address(WITHOUT_FILTERS)}" rel="nofollow">${t("search.withoutFilters")}</a>`]
      : []),
    ...(asked.type !== "" && asked.q !== ""
      ? [html`<a href="${everywhere}">${t("search.everywhere")}</a>`]
      : []),
    html`<a href="${link("/browse")}">${t("browse.title")}</a>`,
    html`<a href="${link("/search")}">${t("search.everything")}</a>`,
  ];
  const list = (items: readonly Html[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return emptyState(
    asked.q === "" ? t("search.nothing") : t("search.nothingFor", { q: typed(asked.q) }),
    t(parts.length > 0 ? "search.parts" : "search.nothingText"),
    html`${parts.length > 0 ? html`${list(ofParts)}<p>${t("search.nothingText")}</p>` : ""}${list(ways)}`,
  );
}

const advancedAddress = (asked: SearchState): string =>
  searchAddress({ ...asked, more: "", page: 1 }).replace(/^\/search/, "/search/advanced");
