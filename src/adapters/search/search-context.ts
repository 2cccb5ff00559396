/** What one search works with, and its limits. */
import type { SearchAnswer, SearchQuery } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import type { FacetTerms } from "./facet-terms.ts";
import type { IndexState, Tables } from "./place-state.ts";
import type { Condition } from "./scope.ts";
import type { Snapshots } from "./snapshots.ts";
import type { WordNumbers } from "./word-numbers.ts";

export type Search = {
  sql: Sql;
  facetTerms: FacetTerms;
  numbers: WordNumbers;
  tables: Tables;
  state: IndexState;
  query: SearchQuery;
  scope: Condition;
  limits: Limits;
  snapshots: Snapshots;
};

export type Limits = {
  /** In a scope of at most so many records, SQL counts all hits. */
  exactUpTo: number;
  /** Hits that the database counts in a larger scope. */
  mostCounted: number;
  /** Up to so many hits are ranked one by one. */
  mostRanked: number;
  /** An index of up to so many records is searched in memory, where all hits are counted; 0: never. */
  mostInMemory: number;
};

export const LIMITS: Limits = {
  exactUpTo: 100_000,
  mostCounted: 10_000,
  mostRanked: 500,
  mostInMemory: 2_000_000,
};

/** The answer when nothing can be found. */
export function emptyAnswer(query: SearchQuery): SearchAnswer {
  return {
    total: 0,
    isLeast: false,
    hits: [],
    facets: Object.fromEntries(query.facets.map(({ field }) => [field, []])),
    corrections: [],
  };
}
