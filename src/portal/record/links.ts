/** What a record is linked to: names among the facts, objects as pictures. */

import { html } from "hono/html";
import type { Long } from "../../http/answer/list-envelope.ts";
import { partLinks } from "../../pages/parts.ts";
import { named, text, title } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Services } from "../../services.ts";
import { recordAddress } from "../addresses.ts";
import { cardsOf } from "../cards.ts";
import { searchAddress } from "../search/address.ts";
import type { Link, RecordView } from "./view.ts";

type NeededServices = Pick<Services, "sql">;

/** A name that leads to its record. */
export const linkTo = (view: View, item: Link): Html =>
  html`<a href="${view.link(recordAddress(item))}">${title("bdi", view, item)}</a>`;

/** Kinds that the search page finds objects by. */
const FILTERS: readonly Kind[] = ["entity", "place", "occurrence", "collection"];

const isObject = ({ record_type }: Link): boolean => record_type === "object";

/** Names, in rows as those of fields. */
export function linkRows(view: View, record: RecordView): Html[] {
  const { links } = record;
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

/** Objects, each under what it is to this record; the collections below a collection; others like it. */
export async function linkedCards(services: NeededServices, view: View, record: RecordView): Promise<Html[]> {
  const all = [...linkWalls(view, record), ...alsoWalls(view, record)];
  const deck = await cardsOf(
    services,
    view,
    all.flatMap(({ items }) => items),
    record.title.value,
  );
  return all.map(
    ({ title, items, more }) =>
      html`<section class="wall"><h2>${title}</h2>${deck(items, "grid")}${more ?? ""}</section>`,
  );
}

function linkWalls(view: View, record: RecordView): Wall[] {
  const { children, childrenLong, links, row } = record;
  const below =
    children.length === 0
      ? []
      : [
          {
            title: view.t("kind.collection"),
            items: children,
            more: furtherParts(view, record, childrenLong),
          },
        ];
  const groups = links.flatMap(({ label, items, long }) => {
    const objects = items.filter(isObject);
    if (objects.length === 0) return [];
    const isCut = long.total > long.size && FILTERS.includes(row.record_type);
    const more = html`${furtherParts(view, record, long)}${isCut ? allOf(view, record) : ""}`;
    return { title: named(view, label), items: objects, more };
  });
  // what somebody made before what somebody else made of it
  const rank = ({ items }: Wall) => (items[0]!.isQualified ? 0 : items.length);
  return [...below, ...groups.sort((a, b) => rank(b) - rank(a))];
}

/** Which part of a long list the page shows, and the way to the others. */
export const furtherParts = (view: View, { row, part }: RecordView, long: Long): Html =>
  partLinks(view, part, long, (next) => `${view.link(recordAddress(row))}?part=${next}`);

/** By the same hand, and of the same collection; each of them once. */
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

/** The search for all objects that are linked to this record. */
function allOf({ t, link }: View, { row: { record_type, id } }: RecordView): Html {
  const address = searchAddress({ type: "object", filters: [[`rel_${record_type}`, id]] });
  return html`<p><a class="button quiet" href="${link(address)}" rel="nofollow">${t("record.all")}</a></p>`;
}
