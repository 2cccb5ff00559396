/** What all steps of one search share, and the limits of searches. */
import type { SearchAnswer, SearchQuery, SuggestQuery } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import type { IndexState, Tables } from "../tables/table-sets.ts";
import type { WordNumbers } from "../tables/word-numbers.ts";
import type { FacetTerms } from "./facet-terms.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Parts } from "./snapshots.ts";

/** `Query` is what was asked: a search, or a suggestion. */
export type SearchContext<Query = SearchQuery> = {
  sql: Sql;
  facetTerms: FacetTerms;
  numbers: WordNumbers;
  tables: Tables;
  state: IndexState;
  query: Query;
  limits: Limits;
  /** Calls `ask` with a snapshot of the index that has these parts and everything that was committed before the question. */
  inSnapshot<T>(parts: Parts, ask: (snapshot: Snapshot) => T): Promise<T>;
};

export type SuggestContext = SearchContext<SuggestQuery>;

export type Limits = {
  /**
   * Up to this many hits are ranked one by one; more are ordered by grade (`rank.ts`). If so few candidates are
   * left, links and ranges are looked up only for these.
   */
  mostRanked: number;
  /** Records that are looked through for a phrase, and for conditions on values. With more, not all hits are found. */
  mostLookedThrough: number;
};

export const LIMITS: Limits = { mostRanked: 500, mostLookedThrough: 100_000 };

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
