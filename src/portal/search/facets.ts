/** The facets of a search: values of public facet fields with counts, in the reader's language. */

import { VISITOR } from "../../caller.ts";
import type { Translate } from "../../messages/translate.ts";
import { labelText, type Text } from "../../pages/texts.ts";
import { COLLECTION_STATUSES, type Kind, kinds } from "../../records/kinds.ts";
import { attributedName } from "../../records/links/attributions.ts";
import { readHits } from "../../records/public/neighbours.ts";
import { labelsOfTerms, termKey } from "../../records/public/terms.ts";
import { currentSchema, type Field, type Schema } from "../../records/schema.ts";
import { visibleFieldNames } from "../../search/field-reader.ts";
import { MAKER, makerOf } from "../../search/maker-facet.ts";
import { SEARCH_TYPES } from "../../search/params.ts";
import type { Found } from "../../search/search.ts";
import type { Sql } from "../../services.ts";
import { type Filter, HAS_PICTURE, type SearchState, SUBTYPE_KEYS } from "./address.ts";

/** The most facet fields on a page. Subtypes, collection status, makers and the histogram are added; a search counts at most twenty. */
const MOST_FIELDS = 10;

export type Counts = Found["facets"];
export type FacetValue = { value: string; label: Text; count: number; isChosen: boolean };
/** `name`: of the parameter of its filter. `isCut`: there are more values than were counted. */
export type Facet = { name: string; label: Text; values: FacetValue[]; isCut: boolean };

/** The most values of a field that the index counts (interface §3). */
export const MOST_COUNTED = 50;

/** The facet fields of these kinds that visitors see, in the order of the schema; fields of objects come first. */
export function facetFields(schema: Schema, type: Kind | ""): Field[] {
  const types = type === "" ? SEARCH_TYPES : [type];
  const visible = visibleFieldNames(schema, VISITOR, types);
  const fields = new Map<string, Field>();
  for (const kind of types) {
    for (const field of schema.fields.get(kind)?.values() ?? []) {
      if (field.is_facet && visible.has(field.name) && !fields.has(field.name)) fields.set(field.name, field);
    }
  }
  return [...fields.values()];
}

/** The date field of the histogram. */
export const datesOf = (fields: readonly Field[]): Field | undefined =>
  fields.find(({ field_type }) => field_type === "date");

export const listedFields = (fields: readonly Field[]): Field[] =>
  fields.filter(({ field_type }) => field_type !== "date").slice(0, MOST_FIELDS);

/** The same search without the filters that these kinds do not have, since the search would refuse them. */
export function withType(schema: Schema, state: SearchState, type: Kind | ""): SearchState {
  const visible = visibleFieldNames(schema, VISITOR, type === "" ? SEARCH_TYPES : [type]);
  const isKnown = (field: string | undefined) => field === undefined || visible.has(field);
  return {
    ...state,
    type,
    page: 1,
    filters: state.filters.filter(([name]) => isKnown(fieldOf(name))),
    clauses: state.clauses.filter((clause) => isKnown(clause.split(":")[0])),
  };
}

/** The field of a filter; undefined for links and subtypes. */
export const fieldOf = (name: string): string | undefined =>
  /^(?:meta_(.+)|range_(.+)_(?:from|to))$/.exec(name)?.slice(1).find(Boolean);

/** The collection status is a facet if visitors find objects with more than one status (`PUBLIC_COLLECTION_STATUSES`). */
export const COLLECTION_STATUS = "collection_status";

const chosenOf = (filters: readonly Filter[], key: string): string[] =>
  filters.flatMap(([name, value]) => (name === key ? [value] : []));

/**
 * The number of records of each kind, from the counts of subtypes: each record has one.
 * @param filters if they contain subtypes of a kind, only these are counted
 */
export function countKinds(counts: Counts, filters: readonly Filter[] = []): { kind: Kind; count: number }[] {
  return SEARCH_TYPES.map((kind) => {
    const key = kinds[kind].subtypeKey;
    const chosen = chosenOf(filters, key);
    const counted = (counts[key] ?? []).filter(({ value }) => chosen.length === 0 || chosen.includes(value));
    return { kind, count: counted.reduce((sum, { count }) => sum + count, 0) };
  });
}

/** The total. A chosen subtype excludes the records of other kinds. */
export function countAll(
  ofKinds: readonly { kind: Kind; count: number }[],
  filters: readonly Filter[],
): number {
  const keys = SUBTYPE_KEYS.filter((key) => chosenOf(filters, key).length > 0);
  return ofKinds
    .filter(({ kind }) => keys.every((key) => key === kinds[kind].subtypeKey))
    .reduce((sum, { count }) => sum + count, 0);
}

/** The names of the values, read once for the whole page. */
export type Names = (field: string, value: string) => Text;

export async function namesOf(
  sql: Sql,
  t: Translate,
  counts: Counts,
  filters: readonly Filter[],
): Promise<Names> {
  const schema = await currentSchema(sql);
  const fields = new Map(facetFields(schema, "").map((field) => [field.name, field]));
  for (const kind of SEARCH_TYPES)
    for (const field of facetFields(schema, kind)) if (!fields.has(field.name)) fields.set(field.name, field);
  const values = [
    ...Object.entries(counts).flatMap(([name, all]) => all.map(({ value }) => [name, value] as const)),
    ...filters.map(([name, value]) => [fieldOf(name) ?? name, value] as const),
  ];
  const terms = values.flatMap(([name, value]) => {
    const vocabulary = fields.get(name)?.vocabulary;
    return vocabulary ? [{ vocabulary, value }] : [];
  });
  const labels = await labelsOfTerms(sql, terms);
  const makers = values.flatMap(([name, value]) => (name === MAKER ? (makerOf(value) ?? []) : []));
  const titles = await readHits(sql, schema, VISITOR, [...new Set(makers.map(({ id }) => id))], [t.language]);
  const subtypes = new Map(SEARCH_TYPES.map((kind) => [kinds[kind].subtypeKey, schema.subtypes.get(kind)]));
  return (field, value) => {
    const standing = field === COLLECTION_STATUS && COLLECTION_STATUSES.find((status) => status === value);
    if (standing) return { value: t(`collectionStatus.${standing}`) };
    if (field === HAS_PICTURE[0]) return { value: t("search.withPicture") };
    if (field === MAKER) {
      const maker = makerOf(value);
      const found = maker && titles.get(maker.id);
      // a maker that is not public, or no longer exists
      return { value: found ? attributedName(t, schema, maker.metadata, found.title) : "…" };
    }
    const vocabulary = fields.get(field)?.vocabulary;
    const own =
      subtypes.get(field)?.get(value)?.label ??
      (vocabulary ? labels.get(termKey(vocabulary, value)) : undefined);
    return own ? labelText(own, t.language, value) : { value };
  };
}

export function facetOf(name: string, label: Text, counts: Counts, state: SearchState, names: Names): Facet {
  const field = fieldOf(name) ?? name;
  const chosen = state.filters.filter(([each]) => each === name).map(([, value]) => value);
  const counted = counts[field] ?? [];
  const missing = chosen
    .filter((value) => !counted.some((each) => each.value === value))
    .map((value) => ({ value, count: 0 }));
  const values = [...missing, ...counted].map(({ value, count }) => ({
    value,
    count,
    label: names(field, value),
    isChosen: chosen.includes(value),
  }));
  return {
    name,
    label,
    // chosen values come first, so that they are easy to remove
    values: [...values.filter(({ isChosen }) => isChosen), ...values.filter(({ isChosen }) => !isChosen)],
    isCut: counted.length >= MOST_COUNTED,
  };
}
