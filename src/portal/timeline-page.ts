/** Objects by century and decade: a histogram, and some pictures of each period. */
import { html } from "hono/html";
import { withinLimit } from "../http/concurrency-limit.ts";
import type { Api } from "../http/endpoint.ts";
import { alternates } from "../pages/alternates.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import { dateInWords } from "../records/dates/in-words.ts";
import { idsOf } from "../records/record.ts";
import { currentSchema } from "../records/schema.ts";
import { yearsOf } from "../search/buckets.ts";
import type { Services } from "../services.ts";
import { cards, inDeck, picturedFirst, readDeck } from "./cards.ts";
import { type Filter, searchAddress } from "./search/address.ts";
import { datesOf, facetFields } from "./search/facets.ts";
import { type Bar, barsOf, histogram } from "./search/histogram.ts";
import { type VisitorSearch, visitorSearch } from "./search/visitor-search.ts";

/** The most cards of one period. */
const FEW = 6;
/** How many records are checked for pictures. */
const LOOKED_AT = 18;
/** The most labels below the bars. */
const TICKS = 7;
/** The most periods with cards, since each is a search. The latest ones are shown: most objects of museums are from them. */
const MOST_PERIODS = 12;

type Period = { bar: Bar; ids: readonly string[] };
type Timeline = { bars: Bar[]; periods: Period[]; field: string; hasEarlier: boolean; degraded: boolean };

export function timelinePageRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/timeline",
    summary: "Objects by the time in which they were made",
    access: "public",
    isCached: true,
    async show(view) {
      const wanted = view.c.req.query("century") ?? "";
      const century = /^-?\d\dXX$/.test(wanted) ? wanted : null;
      const search = visitorSearch(api.services, view);
      const timeline = await withinLimit(api, view, () => readTimeline(api.services, view, century, search));
      const words = century === null ? null : dateInWords(century, view.t.language);
      return pageAnswer(view, {
        title: words === null ? view.t("timeline.title") : `${words} · ${view.t("timeline.title")}`,
        head: html`<link rel="stylesheet" href="${view.asset("search.css")}">${alternates(view, `${api.services.config.baseUrl}/timeline${century === null ? "" : `?century=${century}`}`)}`,
        content: await content(api.services, view, words, timeline),
        headers: search.headers(),
      });
    },
  });
}

/** Null if objects have no date field that visitors may count. */
async function readTimeline(
  services: Services,
  view: View,
  century: string | null,
  search: VisitorSearch,
): Promise<Timeline | null> {
  const field = datesOf(
    facetFields(await currentSchema(services.sql, view.settings.version), "object"),
  )?.name;
  if (field === undefined) return null;
  const find = (filters: readonly Filter[], facets: readonly string[], size: number) =>
    search.find({ type: "object", filters }, facets, { size });
  const within = century === null ? [] : [[`meta_${field}`, century] as const];
  const all = await find(within, [`${field}.century`, `${field}.decade`], 1);
  const bars = barsOf(all.facets, field, century === null ? null : yearsOf(century));
  const filled = bars.filter(({ count }) => count > 0);
  const shown = filled.slice(-MOST_PERIODS);
  const found: string[][] = [];
  for (const bar of shown) {
    const { hits } = await find([[`meta_${field}`, bar.value]], [], LOOKED_AT);
    found.push(idsOf(hits));
  }
  const few = await picturedFirst(services, found, FEW);
  const periods = shown.map((bar, index) => ({ bar, ids: few[index]! }));
  return { bars, periods, field, hasEarlier: filled.length > shown.length, degraded: all.degraded };
}

async function content(
  services: Services,
  view: View,
  century: string | null,
  timeline: Timeline | null,
): Promise<Html> {
  const { t, link } = view;
  if (timeline?.degraded) return note("warning", t("search.degraded"), "status");
  const head = html`<p class="crumbs"><a href="${link("/browse")}">${t("browse.title")}</a>${
    century === null
      ? ""
      : html` <span aria-hidden="true">›</span> <a href="${link("/timeline")}">${t("timeline.title")}</a>`
  }</p>
    <h1>${century ?? t("timeline.title")}</h1>
    <p class="lead">${t("timeline.lead")}</p>`;
  if (timeline === null || timeline.bars.length === 0)
    return html`<section class="stack">${head}${emptyState(t("timeline.empty"), t("home.emptyText"))}</section>`;
  const { bars, periods, field, hasEarlier } = timeline;
  const results = ({ value }: Bar) =>
    link(searchAddress({ type: "object", filters: [[`meta_${field}`, value]] }));
  const deeper = (bar: Bar) =>
    bar.value.endsWith("XX") ? link(`/timeline?century=${encodeURIComponent(bar.value)}`) : results(bar);
  const deck = await readDeck(
    services.sql,
    view,
    periods.flatMap(({ ids }) => ids),
  );
  const sections = periods.map(
    ({ bar, ids }) => html`<section class="time" aria-labelledby="t${bar.value}">
        <h2 id="t${bar.value}"><a href="${deeper(bar)}">${dateInWords(bar.value, t.language)}</a></h2>
        <p><a href="${results(bar)}" rel="nofollow">${t("browse.objects", { count: bar.count })}<span class="hidden"> (${dateInWords(bar.value, t.language)})</span></a></p>
        ${cards(view, deck, inDeck(deck, ids))}
      </section>`,
  );
  return html`<section class="stack">${head}</section>
    <div class="timeline">${histogram(view, t("timeline.title"), bars, null, deeper, TICKS)}</div>
    ${hasEarlier ? html`<p class="help">${t("timeline.earlier")}</p>` : ""}
    ${sections}`;
}
