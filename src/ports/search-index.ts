/**
 * The port to the search index: what it stores of a record, what a query says, what an answer contains. There are two
 * adapters: tables in the service's own database, and Typesense (`adapters/search/`).
 */

/** The name of the index among the projections. */
export const SEARCH_TARGET = "search";

type RecordStatus = "draft" | "internal" | "public";

/** What the index gets to know of a record. Built by `search/document.ts`, which separates public from other text. */
export type SearchDocument = {
  id: string;
  recordType: string;
  status: RecordStatus;
  collectionStatus: string | null;
  /** Searchable text for everybody; empty unless the record is public. */
  publicText: readonly WeightedText[];
  /** Searchable text that only staff may find. */
  staffText: readonly WeightedText[];
  /** Titles of links that visitors may not know (record or relation type not public): for staff who may read every kind of record. */
  linkedText: readonly WeightedText[];
  /** Values of the facet fields: the record's own values first, then broader terms; dates as `search/buckets.ts` says. */
  facets: ReadonlyMap<string, readonly string[]>;
  /** Ranges by field: dates as days since 1970-01-01, numbers as they are; ±Infinity for an open end. */
  ranges: ReadonlyMap<string, readonly SearchRange[]>;
  /** Fields that have a value. Only Typesense stores these, and the links. */
  present: readonly string[];
  /**
   * Linked records, except objects that link to this one (`search/request.ts` reads those from the database). `isPublic`:
   * visitors may know of links of this type.
   */
  links: readonly { id: string; isPublic: boolean }[];
  /**
   * `idno`, `title`: their sort keys (`text.ts`). `date`: the first day of the date of making, in days since 1970-01-01.
   * `public_at`: what visitors know of `updated_at`. Only Typesense stores the dates and times.
   */
  sort: {
    idno: string;
    title: string;
    date: number | null;
    created_at: string;
    updated_at: string;
    public_at: string;
  };
};

/** Weight A is for names of the record. `stems`: of its words, if SEARCH_LANGUAGES has its language (`en:photograph`). */
export type WeightedText = { weight: "A" | "B" | "C" | "D"; text: string; stems?: readonly string[] };

export type SearchRange = { from: number; to: number };

/** Which records a caller may find, and by which text. Required in every query, so that nobody can forget it. */
export type SearchScope = {
  /**
   * `public`: only public records, by their public text. `staff`: all records of the types below, by all their text.
   * `limited`: the same, but without `linkedText`, for staff who may not read every type. They find public
   * records of the other types through a second scope.
   */
  audience: "public" | "limited" | "staff";
  recordTypes: readonly string[];
  statuses: readonly RecordStatus[];
  /** Only objects with these collection statuses are found; null: all. */
  collectionStatuses: readonly string[] | null;
};

/**
 * One condition on the words of a record. Words are folded (`searchWordsOf` in `text.ts`); several words are a phrase.
 * `stems`: a record with one of these stems matches, too.
 */
export type SearchTerm = {
  words: readonly string[];
  prefix: boolean;
  negated: boolean;
  /** Typed in quotation marks: not corrected, and not searched by its stem. */
  exact: boolean;
  stems?: readonly string[];
};

/** The most prefixes of one query, because many words may begin with each. */
export const MOST_PREFIXES = 5;

/** One condition on a field. `isFacet`: the index has the values of the field. */
export type FieldCondition = {
  field: string;
  isFacet: boolean;
} /** `also`: further facets in which the values are looked for, such as the decades of a date. */ & (
  | { op: "is"; values: readonly string[]; also?: readonly string[] }
  /** One value has these words in this order. `searched`: the words of the field are in the index. */
  | { op: "contains"; words: readonly string[]; searched: boolean }
  /** A value begins with these words; the last word may be unfinished. */
  | { op: "starts"; words: readonly string[]; searched: boolean }
  /** The range of a value overlaps this one. */
  | { op: "between"; from: number; to: number }
  | { op: "exists" }
  | { op: "missing" }
);

/** The record is linked to one of `ids`, by one of these relation types (null: by any); or it is one of `among`. */
export type LinkCondition =
  | { ids: readonly string[]; relationTypes: readonly string[] | null }
  | { among: readonly string[] };

type SearchSort = {
  /** `date`: records without one come last in both directions. `updated_at`: with a public scope, by what visitors know of it (`publicOrder`). */
  by: "relevance" | "idno" | "title" | "date" | "created_at" | "updated_at";
  direction: "asc" | "desc";
};

export type SearchQuery = {
  /** A record is found if it is in one of them. No record type is in two. Without scopes, nothing is found. */
  scopes: readonly SearchScope[];
  terms: readonly SearchTerm[];
  /**
   * What the sort key of a number begins with if the query may be that number (`number-first.ts`). In the order of relevance, the
   * records that have most of these starts come first.
   */
  numbers: readonly string[];
  /** Sort keys of titles: an entity that has one comes first among records of equal score. */
  names: readonly string[];
  /** All must hold. */
  conditions: readonly FieldCondition[];
  /** At least one must hold, if there are any. */
  anyOf: readonly FieldCondition[];
  links: readonly LinkCondition[];
  /** Fields whose values are counted over all hits, most frequent first. */
  facets: readonly { field: string; isFacet: boolean }[];
  /** Values that each facet returns: 50 unless a page lists more. */
  mostValues?: number;
  /** `relevance`: best first; if there are no words, those of `first`, and then the newest first. */
  sort: SearchSort;
  /** A facet and its values. */
  first: { field: string; values: readonly string[] };
  /** A multiple of `limit`. */
  offset: number;
  limit: number;
  /** If nothing is found, nothing else is tried. */
  asTyped?: true;
};

/** Whether the order of changes must not tell of private ones. */
export const publicOrder = ({ scopes, sort }: Pick<SearchQuery, "scopes" | "sort">): boolean =>
  sort.by === "updated_at" && scopes.some(({ audience }) => audience === "public");

/** Values that a facet returns by default. */
export const MOST_VALUES = 50;

export type SearchAnswer = {
  total: number;
  /** `total` or some facet counts are lower limits, because not all records, or not all words of a prefix, were looked through. */
  isLeast: boolean;
  hits: SearchHit[];
  facets: Record<string, { value: string; count: number }[]>;
  /** Terms of the query that find nothing, and what was searched instead: their beginning (`katsu*`), or another word. */
  corrections: { from: string; to: string }[];
};

/** `score` is 0 if the query has no words. */
export type SearchHit = { id: string; score: number };

export type SuggestQuery = {
  /** As in a search. */
  scopes: readonly SearchScope[];
  /** What was typed, as folded words; the last word may be unfinished. */
  words: readonly string[];
  /** What was typed, in the form in which titles are sorted. */
  start: string;
  /** Record types whose titles the reader may see. */
  titledTypes: readonly string[];
  /** Facet fields that the reader may see. */
  fields: readonly string[];
  limit: number;
};

export type Suggestions = {
  /** Ids of records with a title that begins with what was typed, or has words that do. */
  records: string[];
  /** Values of facet fields that begin with what was typed, with the number of records in the scopes. */
  terms: { field: string; value: string; count: number }[];
};

export type IndexedRecord = { id: string; recordType: string; status: string };

export type SearchIndex = {
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  find(query: SearchQuery): Promise<SearchAnswer>;
  suggest(query: SuggestQuery): Promise<Suggestions>;
  /** It stores `public_at`, so records are put again when that changes. */
  storesPublicDates?: true;
  /** Throws with the reason if the index cannot answer. */
  ping(): Promise<void>;
  /** Deletes what is no longer needed. Called every night. */
  tidy?(): Promise<void>;
  generations: SearchGenerations;
  /** The records in the index after the id `after`, in order of ids. */
  walk(after: string | null, limit: number): Promise<IndexedRecord[]>;
  /** Ids of the documents that differ from what the index has. */
  differing?(documents: readonly SearchDocument[]): Promise<string[]>;
};

/**
 * Builds a new index while the current one answers. `put` and `remove` of the port only change the current one; the rebuild
 * brings these changes to the new one (`search/rebuild.ts`).
 */
export type SearchGenerations = {
  /** Creates an empty new index, in place of any unfinished one. */
  begin(): Promise<void>;
  /** Whether there is an unfinished new index. */
  isBuilding(): Promise<boolean>;
  /** Recommended number of records for one `put`. */
  batchSize: number;
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Does the slow part of finishing. Records may still be put afterwards. */
  settle(): Promise<void>;
  /** The new index takes over, and the former one is deleted. */
  swap(): Promise<void>;
  drop(): Promise<void>;
};
