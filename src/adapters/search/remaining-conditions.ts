/**
 * The conditions of a search in memory for which there are no sets: links, ranges, phrases, and fields that are not facets.
 * The database finds the records that meet them, in many short statements.
 */
import type { SearchScope } from "../../search-index.ts";
import { inBatches, pause } from "./batches.ts";
import { indexedAlternatives, valueGroups } from "./conditions.ts";
import { isPossible, type NumberedTerm, needsText } from "./query-words.ts";
import type { Condition } from "./scope.ts";
import type { SearchContext } from "./search-context.ts";
import { findByValues, isFacetValue } from "./value-conditions.ts";
import { tsqueryText } from "./words.ts";

/** The terms of a query, as words that the audience of one scope may search. */
export type Part = { scope: SearchScope; terms: readonly NumberedTerm[] };

/** The records that meet a condition: those with these ids or numbers (packed, four bytes each), and all in these scopes. */
export type Matches = {
  ids: readonly string[];
  numbers: readonly Uint8Array[];
  scopes: readonly SearchScope[];
};

export type Remaining = {
  search: SearchContext;
  parts: readonly Part[];
  /** Every hit must be in each of them. */
  matches: Matches[];
  /**
   * Ids of the newest records, at most `most`, that can still be hits: they are in all matches so far, and have the words
   * of these parts and of at least one group. Null if SQL alone must answer.
   */
  candidates(
    parts: readonly Part[],
    most: number,
    groups?: readonly (readonly number[][])[],
  ): Promise<readonly string[] | null>;
};

/** `none`: nothing can be found; `least`: there may be more hits; null: SQL alone must answer. */
export type Outcome = "all" | "least" | "none" | null;

/** Checks all these conditions and adds the results to `matches`. */
export async function applyRemaining(remaining: Remaining): Promise<Outcome> {
  let outcome: Outcome = "all";
  for (const apply of [applyRangesAndLinks, applyPhrases, applyValues]) {
    const one = await apply(remaining);
    if (one === null || one === "none") return one;
    if (one === "least") outcome = one;
  }
  return outcome;
}

async function applyRangesAndLinks({ search, parts, matches, candidates }: Remaining): Promise<Outcome> {
  const { limits } = search;
  const alternatives = await indexedAlternatives(search, (condition) => !isFacetValue(condition));
  if (!isPossible(alternatives)) return "none";
  if (alternatives.length === 0) return "all";
  const ids = await candidates(parts, limits.mostRanked + 1);
  if (ids === null) return null;
  const few = ids.length <= limits.mostRanked ? ids : null;
  for (const either of alternatives) {
    const numbers: Uint8Array[] = [];
    for (const where of either) numbers.push(await numbersOf(search, where, few));
    matches.push({ ids: [], numbers, scopes: [] });
  }
  return "all";
}

/** Numbers of the rows that meet the condition; if ids are given, only of these. */
async function numbersOf(
  { sql, tables }: SearchContext,
  where: Condition,
  ids: readonly string[] | null,
): Promise<Uint8Array> {
  await pause();
  const among = ids === null ? sql`` : sql`and s.id = any(${ids as string[]}::uuid[])`;
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(s.no), '') as packed from ${tables.rows} s where ${where} ${among}`;
  return all!.packed ?? new Uint8Array();
}

/** Looks for phrases in the texts of the records that have all their words. */
async function applyPhrases({ search, parts, matches, candidates }: Remaining): Promise<Outcome> {
  const { sql, tables, limits } = search;
  const withTexts = parts.filter(({ terms }) => terms.some(needsText));
  if (withTexts.length === 0) return "all";
  const scopes = parts.filter((part) => !withTexts.includes(part)).map(({ scope }) => scope);
  const found: string[] = [];
  let outcome: Outcome = "all";
  for (const part of withTexts) {
    const ids = await candidates([part], limits.exactUpTo + 1);
    if (ids === null) return null;
    if (ids.length > limits.exactUpTo) outcome = "least";
    const phrases = part.terms.filter(needsText).map(({ term }) => term);
    const rows = await inBatches(
      ids.slice(0, limits.exactUpTo),
      (batch) => sql<{ id: string }[]>`
        select t.id from ${tables.texts} t
        where t.id = any(${batch}::uuid[]) and t.words @@ ${tsqueryText(phrases, part.scope.audience)}::tsquery`,
    );
    for (const { id } of rows) found.push(id);
  }
  matches.push({ ids: found, numbers: [], scopes });
  return outcome;
}

async function applyValues({ search, parts, matches, candidates }: Remaining): Promise<Outcome> {
  let outcome: Outcome = "all";
  for (const group of await valueGroups(search)) {
    const found = await findByValues(search, group, (words, most) => candidates(parts, most, words));
    if (found === null) return null;
    const numbers: Uint8Array[] = [];
    for (const where of group.others) numbers.push(await numbersOf(search, where, null));
    matches.push({ ids: found.ids, numbers, scopes: [] });
    if (found.isLeast) outcome = "least";
  }
  return outcome;
}
