/** What one search works with, and who may find what, as a condition on the rows of the index, named `s`. */
import type { SearchAnswer, SearchQuery, SearchScope } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import type { Dictionary } from "./dictionary.ts";
import { collectionStatusLetter, KIND_LETTERS, kindLetter, statusLetter } from "./letters.ts";
import type { Mirror } from "./mirror.ts";
import type { IndexState, Tables } from "./state.ts";
import type { WordNumbers } from "./word-numbers.ts";

export type Condition = ReturnType<typeof scopeCondition>;

/** What one search works with. */
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

/** What the caller may find: by one of their scopes at least. */
export function scopesCondition(sql: Sql, scopes: readonly SearchScope[]): Condition {
  return anyOf(
    sql,
    scopes.map((scope) => scopeCondition(sql, scope)),
  );
}

/** What the caller may find by one of their scopes. */
export function scopeCondition(sql: Sql, scope: SearchScope) {
  // whatever was asked for: what the public finds is public
  const statuses = scope.audience === "public" ? ["p"] : scope.statuses.map(statusLetter);
  const held = scope.collectionStatuses?.map(collectionStatusLetter);
  return sql`${oneOf(sql, "status", statuses)} and ${oneOfKinds(sql, scope.recordTypes.map(kindLetter))}
    ${held ? sql`and (s.record_type <> 'o' or ${oneOf(sql, "collection_status", held)})` : sql``}`;
}

/** The shortest form is the quickest: it is asked of every row. */
function oneOfKinds(sql: Sql, letters: readonly string[]) {
  const missing = KIND_LETTERS.filter((letter) => !letters.includes(letter));
  if (missing.length === 0) return sql`true`;
  return missing.length === 1
    ? sql`s.record_type <> ${missing[0]!}::text::"char"`
    : oneOf(sql, "record_type", letters);
}

function oneOf(sql: Sql, column: "status" | "record_type" | "collection_status", letters: readonly string[]) {
  return letters.length === 1
    ? sql`s.${sql(column)} = ${letters[0]!}::text::"char"`
    : sql`s.${sql(column)} = any(${letters as string[]}::text[]::"char"[])`;
}

/** One of them, of which there is one at least. */
export function anyOf(sql: Sql, conditions: readonly Condition[]): Condition {
  return conditions.length === 1
    ? conditions[0]!
    : sql`(${conditions.map((one) => sql`(${one})`).reduce((all, one) => sql`${all} or ${one}`)})`;
}

/** All of them. */
export function allOf(sql: Sql, conditions: readonly Condition[]): Condition {
  return conditions.reduce((all, one) => sql`${all} and ${one}`, sql`true`);
}

/** Numbers that are asked for at once: the index compares each row that it meets with all of them. */
export const AT_ONCE = 25;

/** Has one of these words. */
export function overlaps(sql: Sql, numbers: readonly number[]): Condition {
  if (numbers.length === 0) return sql`false`;
  const parts: number[][] = [];
  for (let at = 0; at < numbers.length; at += AT_ONCE) parts.push(numbers.slice(at, at + AT_ONCE));
  return anyOf(
    sql,
    parts.map((part) => sql`s.words && ${part}::int[]`),
  );
}

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
