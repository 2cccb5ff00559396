/** Records as cards with their picture: what a search finds, what is new. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { type IconName, icon } from "../pages/icons.ts";
import { title } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { type Picture, sizedImage } from "../records/media/pictures.ts";
import { findCollectionCovers, findCovers } from "../records/media/store.ts";
import type { Services } from "../services.ts";
import { type CardFacts, cardFacts, cardLine, NO_TEXT } from "./card-facts.ts";

export type Card = { id: string; record_type: Kind; title: string; lang?: string };

/** A card's proportions, width by height, go in steps of a twentieth: a page has no styles of its own (CSP). */
const NARROWEST = 0.7;
const STEP = 1.05;
const MOST_STEPS = 23;
/** Pictures that are in sight when a page opens. */
const AT_ONCE = 4;

type Layout = "grid" | "list";

/** In their order: as a wall of pictures, or as a list. */
export async function cards(
  services: Pick<Services, "sql">,
  view: View,
  records: readonly Card[],
  layout: Layout = "grid",
): Promise<Html> {
  return (await cardsOf(services, view, records))(records, layout);
}

/**
 * The same for several lists on one page, whose records are read at once.
 * @param of whose page it is: what that person made does not say so each time
 */
export async function cardsOf(
  { sql }: Pick<Services, "sql">,
  view: View,
  all: readonly Card[],
  of?: string,
): Promise<(records: readonly Card[], layout: Layout) => Html> {
  const idsOf = (kind: Kind) => all.filter(({ record_type }) => record_type === kind).map(({ id }) => id);
  const ids = all.map(({ id }) => id);
  const [ofObjects, ofCollections, facts] = await Promise.all([
    findCovers(sql, VISITOR, idsOf("object")),
    findCollectionCovers(sql, VISITOR, idsOf("collection")),
    cardFacts(sql, view, ids),
  ]);
  const covers = new Map([...ofObjects, ...ofCollections]);
  return (records, layout) => {
    const shown = records.map((record, index) => {
      const cover = covers.get(record.id);
      const loading = index < AT_ONCE ? "eager" : "lazy";
      const known = facts.get(record.id);
      const others = known && { ...known, makers: known.makers.filter((maker) => maker !== of) };
      return card(view, record, others, cover ? picture(view, cover, layout, loading) : null);
    });
    return html`<ol class="${layout === "list" ? "card-list" : "cards"}">${shown}</ol>`;
  };
}

/** Of each of these lists of objects the first few, those with a picture before all others. */
export async function picturedFirst<C extends Card>(
  { sql }: Pick<Services, "sql">,
  lists: readonly (readonly C[])[],
  few: number,
): Promise<C[][]> {
  const ids = lists.flat().map(({ id }) => id);
  const covers = await findCovers(sql, VISITOR, [...new Set(ids)]);
  return lists.map((objects) => {
    const pictured = objects.filter(({ id }) => covers.has(id));
    return [...pictured, ...objects.filter(({ id }) => !covers.has(id))].slice(0, few);
  });
}

type Shown = { image: Html; proportion: number; isCut: boolean };

function card(view: View, record: Card, facts: CardFacts | undefined, shown: Shown | null): Html {
  const { id, record_type: kind } = record;
  const { idno = "", subtype = NO_TEXT, makers = [], when = "" } = facts ?? {};
  // a picture tells that it is an object; what else is found says what it is
  const isSaid = kind !== "object" || (makers.length === 0 && when === "");
  return html`<li class="${shown ? `p${shown.proportion}` : `p${PLAIN} plain`}"><a href="${view.link(`/${kinds[kind].plural}/${id}`)}">
    <span class="tile${shown?.isCut ? " whole" : ""}">${shown?.image ?? icon(KIND_ICONS[kind])}</span>
    ${title("b", view, record)}</a> <small>${cardLine(view, { subtype: isSaid ? subtype : NO_TEXT, makers, when })}</small> <small class="number">${idno}</small></li>`;
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

/** The title beside it says what it shows. One that is far from any card's proportions is shown whole inside of one. */
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
