/** The filters for lists of a kind of record, depending on the schema and on what the reader may read. */
import { type Caller, mayDo } from "../../caller.ts";
import type { MessageKey } from "../../messages/translate.ts";
import type { Kind } from "../../records/kinds.ts";
import { mayBeQualified } from "../../records/links/attributions.ts";
import { STORED_AT } from "../../records/links/places.ts";
import type { Lack } from "../../records/read/list-filters.ts";
import {
  type Field,
  fieldsOf,
  isNeededToPublish,
  type RelationType,
  type Schema,
} from "../../records/schema.ts";

/** Linked records by which a list can be filtered: the parameter, its label, and the heading of the column. */
export const LINKED = {
  maker: { to: "entity", label: "filter.maker", column: "filter.maker" },
  location: { to: "storage_location", label: "filter.location", column: "list.location" },
  place: { to: "place", label: "filter.place", column: "filter.place" },
  collection: { to: "collection", label: "filter.collection", column: "list.collection" },
} as const satisfies Record<string, { to: Kind; label: MessageKey; column: MessageKey }>;
export type LinkedName = keyof typeof LINKED;
export const LINKED_NAMES = Object.keys(LINKED) as LinkedName[];

export const LACKS = ["picture", "location", "rights", "maker", "required"] as const;
export type LackName = (typeof LACKS)[number];

/** The types of link, from records of this kind, that a filter uses. */
export function relationTypesOf(schema: Schema, kind: Kind, name: LinkedName): string[] {
  const { to } = LINKED[name];
  const follows = (type: RelationType) =>
    type.from_types.includes(kind) &&
    type.to_types.includes(to) &&
    (name !== "maker" || mayBeQualified(type)) &&
    (name !== "location" || type.name === STORED_AT);
  return [...schema.relationTypes.values()].filter(follows).map((type) => type.name);
}

/** The kinds of linked records by which this reader can filter. */
export function linkedFilters(schema: Schema, caller: Caller, kind: Kind): LinkedName[] {
  return LINKED_NAMES.filter(
    (name) =>
      LINKED[name].to !== kind &&
      mayDo(caller, "read", LINKED[name].to) &&
      relationTypesOf(schema, kind, name).length > 0,
  );
}

/** What the filter `without` looks for; null if records of this kind never have it. */
export function lackOf(schema: Schema, kind: Kind, name: LackName): Lack | null {
  const fields = (pattern: string) =>
    [...fieldsOf(schema, kind).values()].filter(({ mapping }) => mapping.pattern === pattern);
  if (name === "required") {
    const needed = [...fieldsOf(schema, kind).values()].filter(isNeededToPublish);
    return needed.length === 0 ? null : { oneOf: needed.map((field) => field.name) };
  }
  const none = { relationTypes: [], fields: [], pictures: false };
  if (name === "picture") return kind === "object" ? { ...none, pictures: true } : null;
  const named = name === "location" ? [] : fields(name === "maker" ? "creator_text" : "right");
  const relationTypes = name === "rights" ? [] : relationTypesOf(schema, kind, name);
  if (named.length + relationTypes.length === 0) return null;
  return { ...none, relationTypes, fields: named.map((field) => field.name) };
}

/** Fields with terms, and dates, which are filtered by a range. */
export function fieldFilters(schema: Schema, kind: Kind): { terms: Field[]; dates: Field[] } {
  const all = [...fieldsOf(schema, kind).values()];
  return {
    terms: all.filter(({ is_facet, field_type }) => is_facet && field_type !== "date"),
    dates: all.filter(({ field_type }) => field_type === "date"),
  };
}

/** Whether this parameter of an address filters by a field. */
export function isFieldFilter(schema: Schema, kind: Kind, parameter: string): boolean {
  const { terms, dates } = fieldFilters(schema, kind);
  return (
    terms.some(({ name }) => parameter === `meta_${name}`) ||
    dates.some(({ name }) => parameter === `range_${name}_from` || parameter === `range_${name}_to`)
  );
}
