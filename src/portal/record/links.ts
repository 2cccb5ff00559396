/** The links of a record: other records as names among the facts, objects as cards with pictures. */

import { html } from "hono/html";
import type { Long } from "../../http/answer/list-envelope.ts";
import { partLinks } from "../../pages/parts.ts";
import { named, text, title } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Kind } from "../../records/kinds.ts";
import { recordAddress } from "../addresses.ts";
import { cards } from "../cards.ts";
import { searchAddress } from "../search/address.ts";
import type { Link, RecordView } from "./view.ts";

/** The name of a record, as a link to its page. */
export const linkTo = (view: View, item: Link): Html =>
  html`<a href="${view.link(recordAddress(item))}">${title("bdi", view, item)}</a>`;

/** The search page has filters for objects that are linked to records of these kinds. */
const FILTERS: readonly Kind[] = ["entity", "place", "occurrence", "collection"];

const isObject = ({ record_type }: Link): boolean => record_type === "object";

/** One row of names for each type of link, in the same form as the rows of fields. */
export function linkRows(view: View, record: RecordView, links: RecordView["links"]): Html[] {
  return links.flatMap(({ label, items, long }) => {
    const others = items.filter((item) => !isObject(item));
    if (others.length === 0) return [];
    return html`<div><dt>${named(view, label)}</dt><dd><ul class="links">${others.map(
      (item) =>
        html`<li>${linkTo(view, item)}${item.notes.length === 0 ? "" : html` <small>${item.notes.map((note, index) => html`${index === 0 ? "" : ", "}${text("bdi", view, note)}`)}</small>`}</li>`,
    )}</ul>${furtherParts(view, record, long)}</dd></div>`;
  });
}

type Wall = { title: Html | string; items: readonly Link[]; more?: Html };

/** Linked objects by type of link; the collections below a collection; similar objects. */
export function linkedCards(view: View, record: RecordView): Html[] {
  const of = record.title.value;
  const { covers } = record.deck;
  return [...linkWalls(view, record), ...alsoWalls(view, record)].map(({ title, items, more }) => {
    const pictured = items.toSorted((a, b) => Number(covers.has(b.id)) - Number(covers.has(a.id)));
    return html`<section class="wall"><h2>${title}</h2>${cards(view, record.deck, pictured, { of })}${more ?? ""}</section>`;
  });
}

function linkWalls(view: View, record: RecordView): Wall[] {
  const { children, childrenLong, links, row } = record;
  const title = view.t("kind.collection");
  const below: Wall = { title, items: children, more: furtherParts(view, record, childrenLong) };
  const groups = links.flatMap(({ type, label, items, long }) => {
    const objects = items.filter(isObject);
    if (objects.length === 0) return [];
    const isCut = long.total > long.size && FILTERS.includes(row.record_type);
    const more = html`${furtherParts(view, record, long)}${isCut ? allOf(view, record) : ""}`;
    return { title: named(view, label), items: objects, more, type };
  });
  // own works first, then long walls; links with a qualifier ("workshop of") last
  const rank = ({ type, items }: (typeof groups)[number]) =>
    items[0]!.isQualified ? 0 : type === "created" ? Number.MAX_SAFE_INTEGER : items.length;
  return [...(children.length > 0 ? [below] : []), ...groups.sort((a, b) => rank(b) - rank(a))];
}

const furtherParts = (view: View, { row, part }: RecordView, long: Long): Html =>
  partLinks(view, part, long, (next) => `${view.link(recordAddress(row))}?part=${next}`);

/** Objects by the same maker, and in the same collection. No object is shown twice. */
function alsoWalls(view: View, { also, links }: RecordView): Wall[] {
  const shown = new Set(links.flatMap(({ items }) => items.map(({ id }) => id)));
  return also.flatMap(({ type, of, items }) => {
    const others = items.filter(({ id }) => !shown.has(id));
    for (const { id } of others) shown.add(id);
    if (others.length === 0) return [];
    const title = html`${view.t(type === "created_by" ? "record.alsoBy" : "record.alsoIn")} ${linkTo(view, of)}`;
    return { title, items: others };
  });
}

/** A link to the search for all objects that are linked to this record. */
function allOf({ t, link }: View, { row: { record_type, id } }: RecordView): Html {
  const address = searchAddress({ type: "object", filters: [[`rel_${record_type}`, id]] });
  return html`<p><a class="button quiet" href="${link(address)}" rel="nofollow">${t("record.all")}</a></p>`;
}
