/** What one search works with, and how far it goes. */
import type { SearchAnswer, SearchQuery } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Mirror } from "./mirror.ts";
import type { Condition } from "./scope.ts";
import type { IndexState, Tables } from "./state.ts";
import type { WordNumbers } from "./word-numbers.ts";

export type Search = {
  sql: Sql;
  dictionary: Dictionary;
  numbers: WordNumbers;
  tables: Tables;
  state: IndexState;
  query: SearchQuery;
  scope: Condition;
  limits: Limits;
  mirror: Mirror;
};

/** How far a search goes. */
export type Limits = {
  /** Records of a scope up to which everything is counted. */
  exactUpTo: number;
  /** Hits that are counted in a larger one: enough to choose by, and found in a moment. */
  mostCounted: number;
  /** Hits that are weighed. */
  mostWeighed: number;
  /** Records of the index up to which a process holds it in its memory, where words and values are counted exactly. */
  mostHeld: number;
};

export const LIMITS: Limits = {
  exactUpTo: 100_000,
  mostCounted: 10_000,
  mostWeighed: 500,
  mostHeld: 2_000_000,
};

/** The answer when nothing can be found. */
export function nothing(query: SearchQuery): SearchAnswer {
  return {
    total: 0,
    isLeast: false,
    hits: [],
    facets: Object.fromEntries(query.facets.map(({ field }) => [field, []])),
    corrections: [],
  };
}
