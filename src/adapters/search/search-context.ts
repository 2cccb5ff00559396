/** What all steps of one search share, and the limits of searches. */
import type { SearchAnswer, SearchQuery } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import type { FacetTerms } from "./facet-terms.ts";
import type { Condition } from "./scope.ts";
import type { Snapshots } from "./snapshots.ts";
import type { IndexState, Tables } from "./table-sets.ts";
import type { WordNumbers } from "./word-numbers.ts";

export type SearchContext = {
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
  /** SQL counts all hits if the scope has at most this many records. */
  exactUpTo: number;
  /** In a larger scope, SQL stops counting at this many hits. */
  mostCounted: number;
  /** Up to this many hits are ranked one by one; more are ordered by grade (`rank.ts`). */
  mostRanked: number;
  /** An index of at most this many records is searched in memory, where all hits are counted; 0: never. */
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
