/** Documents and queries for tests of the search port. */

import type {
  FieldCondition,
  SearchDocument,
  SearchIndex,
  SearchQuery,
  SearchScope,
  SearchTerm,
  SuggestQuery,
} from "../../../src/ports/search-index.ts";
import { numberKey, searchWordsOf, sortKey, withCirca } from "../../../src/text.ts";

/** Relation types of the default schema: public ones, and private ones. */
export const OPEN_LINK = "created_by";
export const HIDDEN_LINK = "made_at";

/** The nth record: ids of later records are greater. */
export function idOf(n: number): string {
  return `0190a5c0-${String(n).padStart(4, "0")}-7000-8000-0000000000${String(n % 100).padStart(2, "0")}`;
}

type RecordParts = Partial<Omit<SearchDocument, "id" | "facets" | "ranges" | "sort">> & {
  title?: string;
  idno?: string;
  facets?: Record<string, readonly string[]>;
  ranges?: Record<string, readonly { from: number; to: number }[]>;
};

/** A public, active object by default, with a title; the title of a record that is not public is only for staff. */
export function record(n: number, told: RecordParts = {}): SearchDocument {
  const { title = `Record ${n}`, idno = `OBJ-${n}`, facets = {}, ranges = {}, ...rest } = told;
  const titles = [
    { weight: "A", text: idno },
    { weight: "A", text: title },
  ] as const;
  const isPublic = (rest.status ?? "public") === "public";
  const time = `2026-01-31T12:00:00.${String(n).padStart(6, "0")}`;
  return {
    id: idOf(n),
    recordType: "object",
    status: "public",
    collectionStatus: (rest.recordType ?? "object") === "object" ? "active" : null,
    linkedText: [],
    links: [],
    ...rest,
    publicText: isPublic ? [...titles, ...(rest.publicText ?? [])] : [],
    staffText: [...(isPublic ? [] : [...titles, ...(rest.publicText ?? [])]), ...(rest.staffText ?? [])],
    facets: new Map(Object.entries(facets)),
    ranges: new Map(Object.entries(ranges)),
    present: rest.present ?? [...Object.keys(facets), ...Object.keys(ranges)],
    sort: {
      idno: numberKey(idno),
      title: sortKey(title),
      date: ranges.date?.map(({ from, to }) => (Number.isFinite(from) ? from : to))[0] ?? null,
      created_at: time,
      updated_at: time,
      public_at: time,
    },
  };
}

const KINDS = ["object", "entity", "place", "occurrence", "procedure", "collection"];

export const VISITORS: SearchScope = {
  audience: "public",
  recordTypes: KINDS,
  statuses: ["public"],
  collectionStatuses: ["active"],
};
export const STAFF: SearchScope = {
  audience: "staff",
  recordTypes: [...KINDS, "storage_location"],
  statuses: ["draft", "internal", "public"],
  collectionStatuses: null,
};
/** Staff who may not read every kind of record. */
export const SOME_STAFF: SearchScope = { ...STAFF, audience: "limited", recordTypes: ["object"] };

/** `old "red boat" -oil har*`, as typed in a search box; `boats~boat` is a word with its stem. */
export function terms(text: string): SearchTerm[] {
  return [...withCirca(text).matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)]
    .map(([, minus, phrase, word]) => ({
      words: searchWordsOf(phrase ?? word!.split("~")[0]!),
      stems: word?.includes("~") ? [`en:${word.split("~")[1]}`] : [],
      prefix: word?.endsWith("*") ?? false,
      negated: minus === "-",
      exact: phrase !== undefined,
    }))
    .filter(({ words }) => words.length > 0);
}

export function queryFor(
  text: string,
  told: Partial<Omit<SearchQuery, "facets">> & { facets?: readonly string[] } = {},
): SearchQuery {
  return {
    scopes: [VISITORS],
    terms: terms(text),
    numbers: [],
    names: [],
    conditions: [],
    anyOf: [],
    links: [],
    sort: { by: "relevance", direction: "desc" },
    first: { field: "picture", values: ["public"] },
    offset: 0,
    limit: 20,
    ...told,
    facets: (told.facets ?? []).map((field) => ({ field, isFacet: true })),
  };
}

/** A condition on a facet field. */
export function condition(field: string, rest: Record<string, unknown>): FieldCondition {
  return { field, isFacet: true, ...rest } as FieldCondition;
}

/** The numbers of the records found, lowest first. */
export async function found(index: SearchIndex, query: SearchQuery): Promise<number[]> {
  return (await foundInOrder(index, query)).sort((a, b) => a - b);
}

/** The same in the order of the answer. */
export async function foundInOrder(index: SearchIndex, query: SearchQuery): Promise<number[]> {
  const { hits } = await index.find(query);
  return hits.map(({ id }) => Number(id.slice(9, 13)));
}

export function suggestQueryFor(text: string, told: Partial<SuggestQuery> = {}): SuggestQuery {
  return {
    scopes: [VISITORS],
    words: searchWordsOf(text),
    start: sortKey(text),
    titledTypes: KINDS,
    fields: [],
    limit: 10,
    ...told,
  };
}
