/**
 * Makes the search document of a record. It has separate texts for visitors and for staff, but only one set of facets and
 * ranges: the query limits which fields (`visibleFieldNames`) and records (`searchScopes`) a reader may search, `linkConditions`
 * leaves out linked records and relation types that the reader may not know, and `readHits` decides what a hit shows. All follow
 * `records/visibility.ts`.
 */

import { VISITOR } from "../caller.ts";
import type { SearchDocument, SearchRange, WeightedText } from "../ports/search-index.ts";
import { parseEdtf } from "../records/dates/edtf.ts";
import { termKey } from "../records/public/terms.ts";
import type { Entry, RecordRow } from "../records/record.ts";
import { type Field, fieldsOf, type Schema } from "../records/schema.ts";
import { maySee, maySeeField } from "../records/visibility.ts";
import { firstDay } from "../records/write/sort-keys.ts";
import { fold, numberKey, searchWordsOf, sortKey } from "../text.ts";
import { rightsUri } from "../vocabularies/rights.ts";
import {
  buckets,
  COLLECTION_STATUS,
  centuriesOf,
  decadesOf,
  MAKERS,
  PICTURES,
  subtypesOf,
} from "./buckets.ts";
import type { Stems } from "./stems.ts";

/** A linked record, for example a maker, whose names find this record: its title, or several, each with a qualifier. */
type LinkedTitle = { names: readonly string[]; isQualified: boolean; isPublic: boolean };

/** The most linked records whose names are in the text of one record. */
export const MOST_LINKED = 200;

export type IndexedRow = Pick<
  RecordRow,
  | "id"
  | "record_type"
  | "subtype"
  | "idno"
  | "status"
  | "collection_status"
  | "metadata"
  | "deleted_at"
  | "created_at"
  | "title"
  | "updated_at"
> & { public_at: string; picture: "public" | "private" | null };

export type Linked = {
  titles: readonly LinkedTitle[];
  /** Linked records, except objects that link to this one: `request.ts` reads those from the database. */
  ends: readonly { id: string; isPublic: boolean }[];
  /** The makers of an object that visitors see, as values of the facet. */
  makers: readonly string[];
};

export function searchDocument(
  schema: Schema,
  row: IndexedRow,
  linked: Linked,
  /** Other names of the record's terms, by `termKey`. */
  names: ReadonlyMap<string, readonly Entry[]>,
  stems: Stems,
): SearchDocument {
  const isPublic = maySee(VISITOR, row);
  const publicText: WeightedText[] = numbersOf(row.idno).map((text) => ({ weight: "A", text }));
  const staffText: WeightedText[] = [];
  const linkedText: WeightedText[] = [];
  const facets = new Map<string, readonly string[]>();
  const ranges = new Map<string, readonly SearchRange[]>();
  const values = valuesOf(row);
  facets.set(subtypesOf(row.record_type), [row.subtype]);
  if (row.collection_status !== null) facets.set(COLLECTION_STATUS, [row.collection_status]);
  if (row.picture !== null) facets.set(PICTURES, [row.picture]);
  if (linked.makers.length > 0) facets.set(MAKERS, linked.makers);
  fieldsOf(schema, row.record_type).forEach((field) => {
    const entries = values.get(field.name);
    if (!entries) return;
    if (field.is_searchable !== null) {
      const texts = maySeeField(VISITOR, field) ? publicText : staffText;
      for (const entry of entries)
        for (const { value, lang } of [entry, ...(names.get(termKey(field.vocabulary, entry.value)) ?? [])]) {
          const text = field.field_type === "date" ? dateText(value) : value;
          texts.push({ weight: field.is_searchable, text, stems: stems(text, lang ?? null) });
        }
    }
    // even if the field is a facet of one subtype only, so that one count covers all records
    if (schema.facets.has(field.name)) addFacets(facets, schema, field, entries);
    if (!hasSpans(field)) return;
    const spans = entries.flatMap(({ value }) => spanOf(field, value) ?? []);
    if (spans.length > 0) ranges.set(field.name, spans);
  });
  for (const { names, isQualified, isPublic: open } of linked.titles)
    for (const text of names)
      (open ? publicText : linkedText).push({
        // works of the workshop rank behind those of the master
        ...{ weight: isQualified ? "C" : "B", text, stems: stems(text, null) },
      });
  return {
    id: row.id,
    recordType: row.record_type,
    status: row.status,
    collectionStatus: row.collection_status,
    publicText: isPublic ? publicText : [],
    staffText: isPublic ? staffText : [...publicText, ...staffText],
    linkedText,
    facets,
    ranges,
    present: [...values.keys()],
    links: linked.ends,
    sort: {
      idno: numberKey(row.idno),
      title: sortKey(row.title),
      date: firstDay(row.metadata),
      created_at: row.created_at,
      updated_at: row.updated_at,
      public_at: isPublic ? row.public_at : row.updated_at,
    },
  };
}

/**
 * The number as it is, and as people type it: without leading zeros, and with its parts separate (1912.4a begins with 1912.4).
 * The hyphens keep `C.1930` from being read as a year.
 */
function numbersOf(idno: string): string[] {
  const parts = fold(idno).replace(/0*(\d+)/g, "-$1-");
  return [...new Map([parts, idno].map((text) => [searchWordsOf(text).join(" "), text])).values()].reverse();
}

/** The searchable text of a date (EDTF): "circa" if it is approximate. */
const dateText = (value: string): string => value.replace(/(\d[\d-]*)[~%]/g, "circa $1");

function valuesOf({ metadata }: IndexedRow): Map<string, readonly Entry[]> {
  const values = new Map<string, readonly Entry[]>();
  for (const name in metadata) if (metadata[name]!.length > 0) values.set(name, metadata[name]!);
  return values;
}

/** Adds each value once. Each language counts as a value of its own. A term also adds its broader terms. */
function addFacets(
  facets: Map<string, readonly string[]>,
  schema: Schema,
  field: Field,
  entries: readonly Entry[],
): void {
  const broader = field.vocabulary === null ? undefined : schema.broader.get(field.vocabulary);
  const own = entries.map((entry) => facetValue(field, entry.value));
  const all = broader ? [...own, ...own.flatMap((value) => broader.get(value) ?? [])] : own;
  facets.set(field.name, all.length === 1 ? all : [...new Set(all)]);
  if (field.field_type !== "date") return;
  const found = entries.map(({ value }) => dateOf(value));
  facets.set(decadesOf(field.name), [...new Set(found.flatMap((date) => date.decades))]);
  facets.set(centuriesOf(field.name), [...new Set(found.flatMap((date) => date.centuries))]);
}

/** The value as it is counted: rights by their official address. */
export const facetValue = ({ mapping }: Pick<Field, "mapping">, value: string): string =>
  mapping.pattern === "right" ? (rightsUri(value) ?? value) : value;

type IndexedDate = { span: SearchRange | null; decades: readonly string[]; centuries: readonly string[] };

function dateOf(value: string): IndexedDate {
  const date = parseEdtf(value);
  // of an open interval, the known end
  const first = date?.earliest ?? date?.latest;
  const last = date?.latest ?? date?.earliest;
  const years =
    first && last
      ? buckets(Number.parseInt(first, 10), Number.parseInt(last, 10))
      : { decades: [], centuries: [] };
  const isSpan = date !== null && (date.earliestDay !== null || date.latestDay !== null);
  const span = isSpan && {
    from: date.earliestDay ?? Number.NEGATIVE_INFINITY,
    to: date.latestDay ?? Number.POSITIVE_INFINITY,
  };
  return { ...years, span: span || null };
}

const hasSpans = ({ field_type }: Field) => field_type === "number" || field_type === "date";

/** A date (in days since 1970-01-01) or a number as a range; null if the value is neither. */
export function spanOf(field: Pick<Field, "field_type">, value: string): SearchRange | null {
  if (field.field_type === "number") {
    const number = /^[+-]?\d{1,30}(\.\d{1,30})?$/.test(value.trim()) ? Number(value) : null;
    return number === null ? null : { from: number, to: number };
  }
  return field.field_type === "date" ? dateOf(value).span : null;
}
