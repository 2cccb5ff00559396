/** The home page: name and texts of the museum, a search box, three rows of records. */

import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import type { Api } from "../http/endpoint.ts";
import { alternates } from "../pages/alternates.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import { jsonLd } from "../pages/schema-org.ts";
import { inOneLanguage, paragraphs, text } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import type { Picture } from "../records/media/pictures.ts";
import { idsBelow } from "../records/read/store.ts";
import type { Services } from "../services.ts";
import type { Card } from "./card-facts.ts";
import { cards, type Deck, highlights, inDeck, picturedFirst, readDeck } from "./cards.ts";
import { kindAddress } from "./names-page.ts";
import { openGraph } from "./record/open-graph.ts";
import { aboutTheMuseum } from "./record/schema-org.ts";
import { OFFERED, SUBTYPE_KEYS } from "./search/address.ts";
import { searchBox, searchBoxHead } from "./search/box.ts";
import { countKinds } from "./search/facets.ts";
import { type VisitorSearch, visitorSearch } from "./search/visitor-search.ts";

/** The most records in one row. */
const IN_A_ROW = 6;
/** How many of the newest objects are checked for pictures. */
const NEWEST = 48;

/** `look`: a wall of pictures, tiles of one size, or one line on wide screens. */
type Row = {
  title: string;
  look: "wall" | "alike" | "line";
  items: readonly Card[];
  all: string | null;
};
type HomeData = {
  counts: ReturnType<typeof countKinds>;
  rows: Row[];
  deck: Deck;
  /** The picture of the first highlight. */
  cover: Picture | undefined;
  degraded: boolean;
};

export function homeRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  page(api, pages, {
    path: "/",
    summary: "The first page",
    access: "public",
    isCached: true,
    async show(view) {
      const search = visitorSearch(services, view);
      const data = await withinLimit(api, view, () => readHome(services, view, search));
      return pageAnswer(view, {
        title: null,
        head: head(services.config.baseUrl, view, data.cover),
        content: content(view, data),
        headers: search.headers(),
      });
    },
  });
}

function head(baseUrl: string, view: View, picture: Picture | undefined): Html {
  const address = `${baseUrl}/`;
  const summary = inOneLanguage(view, view.settings.sentence)?.value ?? view.t("home.lead");
  return html`${searchBoxHead(view)}<link rel="stylesheet" href="${view.asset("home.css")}">
    ${alternates(view, address)}
    ${openGraph(baseUrl, view, { title: view.name, address, summary, picture })}
    ${jsonLd(aboutTheMuseum(baseUrl, view, summary))}`;
}

/** No record is in two rows. */
async function readHome(services: Services, view: View, { find }: VisitorSearch): Promise<HomeData> {
  const { t } = view;
  const [everything, newest, pictured, collections] = await Promise.all([
    find({}, SUBTYPE_KEYS),
    find({ type: "object", sort: "created_at" }, [], { size: NEWEST }),
    highlights(services, view, IN_A_ROW),
    highestCollections(services),
  ]);
  const others = newest.hits.flatMap(({ id }) => (pictured.includes(id) ? [] : id));
  const [recent = []] = await picturedFirst(services, [others], IN_A_ROW);
  const deck = await readDeck(services.sql, view, [...pictured, ...collections, ...recent]);
  const rows: Row[] = [
    { title: t("home.highlights"), look: "wall", items: inDeck(deck, pictured), all: null },
    {
      title: t("kind.collection"),
      look: "alike",
      items: inDeck(deck, collections),
      all: kindAddress("collection"),
    },
    {
      title: t("home.recent"),
      look: "line",
      items: inDeck(deck, recent),
      all: kindAddress("object"),
    },
  ];
  return {
    counts: countKinds(everything.facets).filter(({ kind, count }) => count > 0 && OFFERED.includes(kind)),
    rows: rows.filter(({ items }) => items.length > 0),
    deck,
    cover: deck.covers.get(pictured[0] ?? ""),
    degraded: everything.degraded || newest.degraded,
  };
}

/** The top collections. If there is only one, the collections below it. */
async function highestCollections({ sql }: Services): Promise<string[]> {
  const top = await idsBelow(sql, VISITOR, "collection", null, { limit: IN_A_ROW });
  if (top.length !== 1) return top;
  const below = await idsBelow(sql, VISITOR, "collection", top[0]!, { limit: IN_A_ROW });
  return below.length > 0 ? below : top;
}

function content(view: View, { counts, rows, deck, degraded }: HomeData): Html {
  const { t, link, name, settings } = view;
  const sentence = inOneLanguage(view, settings.sentence);
  const about = inOneLanguage(view, settings.home_text);
  const walls = rows.map(
    ({ title, look, items, all }) => html`<section class="row-of-cards ${look}">
      <h2>${title}</h2>${all === null ? "" : html`<a href="${link(all)}">${t("home.all")}</a>`}
      ${cards(view, deck, items)}
    </section>`,
  );
  return html`<section class="hero">
      <h1>${name}</h1>
      ${sentence === null ? html`<p class="lead">${t("home.lead")}</p>` : html`<div class="lead">${text("p", view, sentence)}</div>`}
      ${searchBox(view, "")}
      ${counts.length === 0 ? "" : kindLinks(view, counts)}
    </section>
    ${degraded ? note("warning", t("search.degraded")) : ""}
    ${!degraded && counts.length === 0 ? emptyState(t("home.empty"), t("home.emptyText")) : ""}
    ${walls}
    ${about === null ? "" : html`<section class="told">${paragraphs(view, about)}</section>`}`;
}

function kindLinks({ t, link, formats }: View, counts: HomeData["counts"]): Html {
  return html`<ul class="kinds">${counts.map(
    ({ kind, count }) =>
      html`<li><a href="${link(kindAddress(kind))}">${t(`kind.${kind}`)}</a> <small>${formats.number(count)}</small></li>`,
  )}</ul>`;
}
