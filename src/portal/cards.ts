/** Records as cards, for example those that a search finds: with their picture, or compact without one. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { title } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { kinds } from "../records/kinds.ts";
import { type Picture, sizedImage } from "../records/media/pictures.ts";
import { findCollectionCovers, findCovers, latestPictured } from "../records/media/store.ts";
import { recordsNow } from "../records/read/store.ts";
import type { Services, Sql } from "../services.ts";
import { type Card, type CardFacts, cardFacts, cardLine, NO_TEXT } from "./card-facts.ts";

/** The proportions of cards (width by height) are rounded to steps of 5 %, because the policy (CSP) allows no inline styles. */
const NARROWEST = 0.7;
const STEP = 1.05;
const MOST_STEPS = 23;
/** The most records without a picture that stand among pictures; more have a place of their own. */
const FEW = 3;
/** How many pictures are visible when a page opens. */
const AT_ONCE = 4;

type Layout = "grid" | "list";

/** The data of the cards of a page, read at once for all its lists. */
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
 * Cards in the order of the records: a wall of pictures, or a list. Many without a picture in a row leave the wall, and so do the first.
 * @param isLoose after the first picture, those without one come last, so that they leave no holes among pictures
 * @param of the title of the page: the cards on the page of a maker do not repeat that maker's name
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
    const others = known && { ...known, makers: known.makers.filter((maker) => maker !== of) };
    const item = card(view, record, others, cover ? picture(view, cover, layout, loading) : null);
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

/** The items in their order; neighbours of one sort stay together. */
function runsOf<Item>(items: readonly Item[], sort: (item: Item) => unknown): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last && sort(last[0]!) === sort(item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** Those of the records that visitors see. */
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

/** A picture of one of several alike. The title beside it describes it, so `alt` is empty. */
export function tile(view: View, cover: Picture | undefined): Html {
  if (!cover) return html``;
  const base = view.link("");
  const [small, large] = [400, 800].map((longest) => sizedImage(base, cover, longest));
  return html`<span class="tile"><img src="${small!.address}" srcset="${small!.address} 1x, ${large!.address} 2x" width="${small!.width}"
    height="${small!.height}" alt="" loading="lazy"></span>`;
}

type Shown = { image: Html; proportion: number; isCut: boolean };

function card(view: View, record: Card, facts: CardFacts | undefined, shown: Shown | null): Html {
  const { id, record_type: kind } = record;
  const { subtype = NO_TEXT, makers = [], when = "" } = facts ?? {};
  // a maker or a date tells that it is an object; all other cards say what they show
  const isSaid = kind !== "object" || (makers.length === 0 && when === "");
  const tile = shown ? html`<span class="tile${shown.isCut ? " whole" : ""}">${shown.image}</span>` : "";
  return html`<li class="${shown ? `p${shown.proportion}` : "plain"}"><a href="${view.link(`/${kinds[kind].plural}/${id}`)}">${tile}
    ${title("b", view, record)}</a> <small>${cardLine(view, { subtype: isSaid ? subtype : NO_TEXT, makers, when })}</small> <small class="number">${facts?.record.idno ?? ""}</small></li>`;
}

const stepOf = (proportion: number): number => Math.round(Math.log(proportion / NARROWEST) / Math.log(STEP));

/** `alt` is empty, because the title is beside it. A picture that is too wide or too high for a card is shown whole inside it. */
function picture(view: View, cover: Picture, layout: Layout, loading: "eager" | "lazy"): Shown {
  const base = view.link("");
  const [small, large] = [400, 800].map((longest) => sizedImage(base, cover, longest));
  const step = stepOf(cover.width / cover.height);
  const proportion = Math.min(Math.max(step, 0), MOST_STEPS);
  const width = layout === "list" ? 6 : Math.round(15 * NARROWEST * STEP ** proportion);
  return {
    proportion,
    isCut: step !== proportion,
    image: html`<img src="${small!.address}" srcset="${small!.address} ${small!.width}w, ${large!.address} ${large!.width}w"
      sizes="${width}rem" width="${small!.width}" height="${small!.height}" alt="" loading="${loading}">`,
  };
}
