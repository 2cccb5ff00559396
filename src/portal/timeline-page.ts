/** Objects by century and decade: a histogram over the whole width, and a few pictures of each time. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import type { Api } from "../http/endpoint.ts";
import { inTurn } from "../http/turns.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import { currentSchema } from "../records/schema.ts";
import { type Found, searchFor } from "../search/search.ts";
import type { Services } from "../services.ts";
import { cardsOf } from "./cards.ts";
import { type Bar, barsOf, bucketInWords, histogram, yearsOf } from "./histogram.ts";
import { type Asked, readAsked, searchAddress, searchOf } from "./search-address.ts";
import { datesOf, facetFields } from "./search-facets.ts";

/** Cards of each time. */
const FEW = 5;
/** Times that have cards: each is a search. The later ones, of which museums have most. */
const MOST_TIMES = 12;

type Time = { bar: Bar; found: Found };
type Seen = { bars: Bar[]; times: Time[]; field: string; degraded: boolean };

export function timelinePageRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/timeline",
    summary: "Objects by the time in which they were made",
    access: "public",
    isKept: true,
    async show({ c, view, caller }) {
      const given = c.req.query("century") ?? "";
      const century = /^-?\d\dXX$/.test(given) ? given : null;
      const seen = await inTurn(api, c, caller, () => look(api.services, view, century, c.get("requestId")));
      const words = century === null ? null : bucketInWords(century, view.t.language);
      return pageAnswer(c, view, {
        title: words === null ? view.t("timeline.title") : `${words} · ${view.t("timeline.title")}`,
        head: html`<link rel="stylesheet" href="${view.asset("search.css")}">`,
        content: await content(api.services, view, words, seen),
        headers: seen?.degraded ? { "Cache-Control": "no-store" } : {},
      });
    },
  });
}

/** Null where objects have no date that may be counted. */
async function look(
  services: Services,
  view: View,
  century: string | null,
  requestId: string,
): Promise<Seen | null> {
  const field = datesOf(
    facetFields(await currentSchema(services.sql, view.settings.version), "object"),
  )?.name;
  if (field === undefined) return null;
  const find = (filters: Asked["filters"], facets: readonly string[], size: number) =>
    searchFor(services, VISITOR, {
      ...searchOf({ ...readAsked(new URLSearchParams()), type: "object", filters }, facets, size),
      languages: [view.t.language],
      requestId,
    });
  const within = century === null ? [] : [[`meta_${field}`, century] as const];
  const all = await find(within, [`${field}.century`, `${field}.decade`], 1);
  const bars = barsOf(all.facets, field, century === null ? null : yearsOf(century));
  const times: Time[] = [];
  for (const bar of bars.filter(({ count }) => count > 0).slice(-MOST_TIMES))
    times.push({ bar, found: await find([[`meta_${field}`, bar.value]], [], FEW) });
  return { bars, times, field, degraded: all.degraded };
}

async function content(
  services: Services,
  view: View,
  century: string | null,
  seen: Seen | null,
): Promise<Html> {
  const { t, link } = view;
  if (seen?.degraded) return note("warning", t("search.degraded"), "status");
  const head = html`<p class="crumbs"><a href="${link("/browse")}">${t("browse.title")}</a>${
    century === null
      ? ""
      : html` <span aria-hidden="true">›</span> <a href="${link("/timeline")}">${t("timeline.title")}</a>`
  }</p>
    <h1>${century ?? t("timeline.title")}</h1>
    <p class="lead">${t("timeline.lead")}</p>`;
  if (seen === null || seen.bars.length === 0)
    return html`<section class="stack">${head}${emptyState(t("timeline.empty"), t("home.emptyText"))}</section>`;
  const { bars, times, field } = seen;
  const results = ({ value }: Bar) =>
    link(searchAddress({ type: "object", filters: [[`meta_${field}`, value]] }));
  const deeper = (bar: Bar) =>
    bar.value.endsWith("XX") ? link(`/timeline?century=${encodeURIComponent(bar.value)}`) : results(bar);
  const cards = await cardsOf(
    services,
    view,
    times.flatMap(({ found }) => found.items),
  );
  const sections = times.map(
    ({ bar, found }) => html`<section class="time" aria-labelledby="t${bar.value}">
        <h2 id="t${bar.value}"><a href="${deeper(bar)}">${bucketInWords(bar.value, t.language)}</a></h2>
        <p><a href="${results(bar)}" rel="nofollow">${t.counted("browse.objects", bar.count)}<span class="hidden"> (${bucketInWords(bar.value, t.language)})</span></a></p>
        ${cards(found.items, "grid")}
      </section>`,
  );
  return html`<section class="stack">${head}</section>
    <div class="timeline">${histogram(view, t("timeline.title"), bars, null, deeper)}</div>
    ${sections}`;
}
