/** Records as cards with their picture, for example those that a search finds. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { type IconName, icon } from "../pages/icons.ts";
import { title } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { type Picture, sizedImage } from "../records/media/pictures.ts";
import { findCollectionCovers, findCovers } from "../records/media/store.ts";
import type { Services, Sql } from "../services.ts";
import { type Card, type CardFacts, cardFacts, cardLine, NO_TEXT } from "./card-facts.ts";

/** The proportions of cards (width by height) are rounded to steps of 5 %, because the policy (CSP) allows no inline styles. */
const NARROWEST = 0.7;
const STEP = 1.05;
const MOST_STEPS = 23;
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
 * Cards in the order of the records: a wall of pictures, or a list.
 * @param of the title of the page: the cards on the page of a maker do not repeat that maker's name
 */
export function cards(
  view: View,
  { facts, covers }: Deck,
  records: readonly Card[],
  { layout = "grid", of }: { layout?: Layout; of?: string } = {},
): Html {
  const shown = records.map((record, index) => {
    const cover = covers.get(record.id);
    const loading = index < AT_ONCE ? "eager" : "lazy";
    const known = facts.get(record.id);
    const others = known && { ...known, makers: known.makers.filter((maker) => maker !== of) };
    return card(view, record, others, cover ? picture(view, cover, layout, loading) : null);
  });
  return html`<ol class="${layout === "list" ? "card-list" : "cards"}">${shown}</ol>`;
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

type Shown = { image: Html; proportion: number; isCut: boolean };

function card(view: View, record: Card, facts: CardFacts | undefined, shown: Shown | null): Html {
  const { id, record_type: kind } = record;
  const { subtype = NO_TEXT, makers = [], when = "" } = facts ?? {};
  // a maker or a date tells that it is an object; all other cards say what they show
  const isSaid = kind !== "object" || (makers.length === 0 && when === "");
  return html`<li class="${shown ? `p${shown.proportion}` : `p${PLAIN} plain`}"><a href="${view.link(`/${kinds[kind].plural}/${id}`)}">
    <span class="tile${shown?.isCut ? " whole" : ""}">${shown?.image ?? icon(KIND_ICONS[kind])}</span>
    ${title("b", view, record)}</a> <small>${cardLine(view, { subtype: isSaid ? subtype : NO_TEXT, makers, when })}</small> <small class="number">${facts?.record.idno ?? ""}</small></li>`;
}

const KIND_ICONS: Readonly<Record<Kind, IconName>> = {
  object: "object",
  entity: "person",
  place: "place",
  occurrence: "event",
  procedure: "file",
  collection: "collection",
  storage_location: "place",
};

const stepOf = (proportion: number): number => Math.round(Math.log(proportion / NARROWEST) / Math.log(STEP));
const PLAIN = stepOf(0.9);

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
