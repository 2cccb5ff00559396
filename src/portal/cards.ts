/** Records as cards, for example the results of a search: with their picture, or compact without one. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { MOST_STEPS, proportionOf, stepOf } from "../pages/proportions.ts";
import { title } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { type Picture, sizedImage } from "../records/media/pictures.ts";
import { findCollectionCovers, findCovers, latestPictured } from "../records/media/store.ts";
import { recordsNow } from "../records/read/store.ts";
import type { Services, Sql } from "../services.ts";
import { recordAddress } from "./addresses.ts";
import { type Card, type CardFacts, cardFacts, cardLine, NO_TEXT } from "./card-facts.ts";

/** More records in a row without a picture than this get a list of their own. */
const FEW = 3;
/** How many pictures are visible when a page opens. */
const AT_ONCE = 4;

type Layout = "grid" | "list";

/** The data of all cards on a page, read together. */
export type Deck = { facts: ReadonlyMap<string, CardFacts>; covers: ReadonlyMap<string, Picture> };

export async function readDeck(sql: Sql, view: View, ids: readonly string[]): Promise<Deck> {
  const [ofObjects, ofCollections, facts] = await Promise.all([
    findCovers(sql, VISITOR, ids),
    findCollectionCovers(sql, VISITOR, ids),
    cardFacts(sql, view, ids),
  ]);
  return { facts, covers: new Map([...ofObjects, ...ofCollections]) };
}

/**
 * Cards in the order of the records: a wall of pictures, or a list. Records without a picture leave the wall if they come first,
 * or if there are many in a row.
 * @param isLoose records without a picture come last, so that they leave no gaps after the first picture
 * @param of the title of the page: cards on a maker's page do not repeat the maker's name
 */
export function cards(
  view: View,
  { facts, covers }: Deck,
  records: readonly Card[],
  { layout = "grid", isLoose = false, of }: { layout?: Layout; isLoose?: boolean; of?: string } = {},
): Html {
  const shown = records.map((record, index) => {
    const cover = covers.get(record.id);
    const loading = index < AT_ONCE ? "eager" : "lazy";
    const known = facts.get(record.id);
    const shownFacts = known && { ...known, makers: known.makers.filter((maker) => maker !== of) };
    const item = card(view, record, shownFacts, cover ? picture(view, cover, layout, loading) : null);
    return { item, isPlain: cover === undefined };
  });
  const list = (name: string, items: typeof shown) =>
    html`<ol class="${name}">${items.map(({ item }) => item)}</ol>`;
  if (layout === "list") return list("card-list", shown);
  const first = Math.max(
    shown.findIndex(({ isPlain }) => !isPlain),
    0,
  );
  const rest = shown.slice(first);
  const loose = [...rest.filter(({ isPlain }) => !isPlain), ...rest.filter(({ isPlain }) => isPlain)];
  const runs = runsOf([...shown.slice(0, first), ...(isLoose ? loose : rest)], ({ isPlain }) => isPlain);
  const placed = runs.flatMap((run, index) => {
    const isBrief = run[0]!.isPlain && (index === 0 || run.length > FEW);
    return run.map((each) => ({ ...each, place: isBrief ? "brief" : "cards" }));
  });
  return html`${runsOf(placed, ({ place }) => place).map((run) => list(run[0]!.place, run))}`;
}

/** Splits the items into runs of neighbours of one sort. */
function runsOf<Item>(items: readonly Item[], sort: (item: Item) => unknown): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last && sort(last[0]!) === sort(item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** The cards of those records that visitors see. */
export const inDeck = ({ facts }: Deck, ids: readonly string[]): Card[] =>
  ids.flatMap((id) => facts.get(id)?.record ?? []);

/** The first few objects of each list; objects with a picture come first. */
export async function picturedFirst(
  { sql }: Pick<Services, "sql">,
  lists: readonly (readonly string[])[],
  few: number,
): Promise<string[][]> {
  const covers = await findCovers(sql, VISITOR, [...new Set(lists.flat())]);
  return lists.map((ids) => {
    const pictured = ids.filter((id) => covers.has(id));
    return [...pictured, ...ids.filter((id) => !covers.has(id))].slice(0, few);
  });
}

/** The records that the museum chose for its first page; if it chose none, the latest objects with a picture. */
export async function highlights(
  { sql, config }: Pick<Services, "sql" | "config">,
  { settings }: View,
  many: number,
): Promise<string[]> {
  return settings.highlights.length > 0
    ? [...new Set((await recordsNow(sql, settings.highlights)).values())]
    : latestPictured(sql, VISITOR, config.publicCollectionStatuses, many);
}

/** A small picture. The title beside it describes it, so `alt` is empty. */
export function tile(view: View, cover: Picture | undefined): Html {
  if (!cover) return html``;
  const base = view.link("");
  const [small, large] = [400, 800].map((longest) => sizedImage(base, cover, longest));
  return html`<span class="tile"><img src="${small!.address}" srcset="${small!.address} 1x, ${large!.address} 2x" width="${small!.width}"
    height="${small!.height}" alt="" loading="lazy"></span>`;
}

type Shown = { image: Html; proportion: number; isCut: boolean };

function card(view: View, record: Card, facts: CardFacts | undefined, shown: Shown | null): Html {
  const { subtype = NO_TEXT, makers = [], when = "" } = facts ?? {};
  // a maker or a date shows that it is an object; all other cards name the subtype
  const namesSubtype = record.record_type !== "object" || (makers.length === 0 && when === "");
  const tile = shown ? html`<span class="tile${shown.isCut ? " whole" : ""}">${shown.image}</span>` : "";
  return html`<li class="${shown ? `p${shown.proportion}` : "plain"}"><a href="${view.link(recordAddress(record))}">${tile}
    ${title("b", view, record)}</a> <small>${cardLine(view, { subtype: namesSubtype ? subtype : NO_TEXT, makers, when })}</small> <small class="number">${facts?.record.idno ?? ""}</small></li>`;
}

/** `alt` is empty, as in `tile`. A picture that is too wide or too high for a card is shown whole inside it. */
function picture(view: View, cover: Picture, layout: Layout, loading: "eager" | "lazy"): Shown {
  const base = view.link("");
  const [small, large] = [400, 800].map((longest) => sizedImage(base, cover, longest));
  const step = stepOf(cover.width / cover.height);
  const proportion = Math.min(Math.max(step, 0), MOST_STEPS);
  const width = layout === "list" ? 6 : Math.round(15 * proportionOf(proportion));
  return {
    proportion,
    isCut: step !== proportion,
    image: html`<img src="${small!.address}" srcset="${small!.address} ${small!.width}w, ${large!.address} ${large!.width}w"
      sizes="${width}rem" width="${small!.width}" height="${small!.height}" alt="" loading="${loading}">`,
  };
}
