/**
 * The search index as the core sees it: what it is given of a record, what it is asked, what it answers. Filled by the
 * tables of the service's own database, or by Typesense (`adapters/search/`).
 */

/** Its name among the projections. */
export const SEARCH_TARGET = "search";

export type RecordStatus = "draft" | "internal" | "public";

/** A record as the index keeps it. Built by `search/document.ts`, which divides its texts into public and other ones. */
export type SearchDocument = {
  id: string;
  recordType: string;
  status: RecordStatus;
  collectionStatus: string | null;
  /** Searchable text for everybody; empty unless the record is public. */
  publicText: readonly WeightedText[];
  /** Searchable text that only staff may find. */
  staffText: readonly WeightedText[];
  /** Titles of linked records that are not public: for staff who may read every kind of record. */
  linkedText: readonly WeightedText[];
  /** Values of the facet fields: the record's own first, then those that stand for them (broader terms, decades). */
  facets: ReadonlyMap<string, readonly string[]>;
  /** Fields that have a span: dates as days from 1970-01-01, numbers as they are; ±Infinity where one end is open. */
  ranges: ReadonlyMap<string, readonly SearchRange[]>;
  /** Fields that have a value at all. */
  present: readonly string[];
  /**
   * Records at the other end of a link, except objects that point at this one (`search/links.ts` asks the database for
   * those). `isPublic`: visitors may know of links of this type.
   */
  links: readonly { id: string; isPublic: boolean }[];
  sort: { idno: string; title: string; created_at: string; updated_at: string };
};

/** Weight A names the record. `stems`: of its words, where a language is searched by stems (`en:photograph`). */
export type WeightedText = { weight: "A" | "B" | "C" | "D"; text: string; stems?: readonly string[] };

export type SearchRange = { from: number; to: number };

/** What a caller may find. Required in every query, so that forgetting it does not compile. */
export type SearchScope = {
  /**
   * `public`: only public records, by their public text. `staff`: everything of the types below, by all their text.
   * `limited`: the same for staff who may not read every kind, so not by the titles of linked records; what is public of
   * the other kinds they find by a second scope.
   */
  audience: "public" | "limited" | "staff";
  recordTypes: readonly string[];
  statuses: readonly RecordStatus[];
  /** Objects outside these collection statuses are not found; null: no such limit. */
  collectionStatuses: readonly string[] | null;
};

/**
 * One condition on the words of a record, folded (`searchWordsOf` in `text.ts`). More words than one are a phrase.
 * `stems`: each of them stands for the word, too.
 */
export type SearchTerm = {
  words: readonly string[];
  prefix: boolean;
  negated: boolean;
  /** Written in quotation marks: neither corrected nor taken by its stem. */
  exact: boolean;
  stems?: readonly string[];
};

/** One condition on a field. `isFacet`: it is a facet field, whose values the index has. */
export type FieldCondition = {
  field: string;
  isFacet: boolean;
} /** `also`: facets in which a value counts as well, as a decade does for a date. */ & (
  | { op: "is"; values: readonly string[]; also?: readonly string[] }
  /** The words stand in one value in this order. `searched`: the words of the field are among those of the record. */
  | { op: "contains"; words: readonly string[]; searched: boolean }
  /** A value begins with these words; the last may go on. */
  | { op: "starts"; words: readonly string[]; searched: boolean }
  /** A value's span touches this one. */
  | { op: "between"; from: number; to: number }
  | { op: "exists" }
  | { op: "missing" }
);

/** Linked to one of these records, by a relation type that the reader may know of (null: any); or one of those linked. */
export type LinkCondition =
  | { ids: readonly string[]; relationTypes: readonly string[] | null }
  | { among: readonly string[] };

export type SearchSort = {
  by: "relevance" | "idno" | "title" | "created_at" | "updated_at";
  direction: "asc" | "desc";
};

export type SearchQuery = {
  /** What one of them has is found; no type is in two. None: nothing is. */
  scopes: readonly SearchScope[];
  terms: readonly SearchTerm[];
  /** All must hold. */
  conditions: readonly FieldCondition[];
  /** One must hold, where there is one. */
  anyOf: readonly FieldCondition[];
  links: readonly LinkCondition[];
  /** Fields whose values are counted over all hits, most frequent first. */
  facets: readonly { field: string; isFacet: boolean }[];
  /** Values that each of them answers with: 50, but for pages that list them all. */
  mostValues?: number;
  /** `relevance` is best first; without words it is newest first. */
  sort: SearchSort;
  offset: number;
  limit: number;
};

/** Values that a facet answers with. */
export const MOST_VALUES = 50;

export type SearchAnswer = {
  total: number;
  /** The total, and the counts of the facets, are the least that is certain: there were too many hits to count. */
  isLeast: boolean;
  hits: SearchHit[];
  facets: Record<string, { value: string; count: number }[]>;
  /** Words that nobody finds anything by, and those that were searched instead. */
  corrections: { from: string; to: string }[];
};

/** `score` is 0 where there are no words. */
export type SearchHit = { id: string; score: number };

export type SuggestQuery = {
  /** As in a search. */
  scopes: readonly SearchScope[];
  /** What was typed, folded; the last word may go on. */
  words: readonly string[];
  /** The same as titles are sorted by. */
  start: string;
  /** Kinds of record whose titles the reader may see. */
  titledTypes: readonly string[];
  /** Facet fields that the reader may see. */
  fields: readonly string[];
  limit: number;
};

export type Suggestions = {
  /** Records one of whose titles begins so, or has a word that does. */
  records: string[];
  /** Values of facet fields that begin so, with the number of records in the scopes. */
  terms: { field: string; value: string; count: number }[];
};

export type SearchIndex = {
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  find(query: SearchQuery): Promise<SearchAnswer>;
  suggest(query: SuggestQuery): Promise<Suggestions>;
  /** Throws with the reason when the index cannot answer. */
  ping(): Promise<void>;
  /** Throws away what is no longer needed. Every night. */
  tidy?(): Promise<void>;
  /** Told while many records come in, so that it may adapt to its new size. */
  grown?(): Promise<void>;
  generations: SearchGenerations;
  /** Which records the index has, as the index sees them, in order of their ids after `after`. */
  walk(after: string | null, limit: number): Promise<{ id: string; recordType: string; status: string }[]>;
  /** Ids of those that the index has otherwise, where it can tell. */
  differing?(documents: readonly SearchDocument[]): Promise<string[]>;
};

/**
 * A new index beside the one that answers. What is put and removed meanwhile goes to the one that answers only; whoever
 * builds brings it over (`search/rebuild.ts`).
 */
export type SearchGenerations = {
  /** Makes an empty one, or throws away what a former build left. `kept`: kinds that are copied from the one that answers. */
  begin(kept: readonly string[]): Promise<void>;
  /** Whether there is one that is being built. */
  isBuilding(): Promise<boolean>;
  /** Records that `put` is to be given, and calls of it that may go on at the same time. */
  batch: { records: number; atOnce: number };
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Does what takes long, before writers have to wait for the end. What is put after it is there as well. */
  settle(): Promise<void>;
  /** From now on it answers, whole; what answered before is thrown away. */
  swap(): Promise<void>;
  drop(): Promise<void>;
};
