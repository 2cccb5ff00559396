/**
 * The records that meet the conditions of a search. For facet values, the snapshot has sets of records. For the rest, the
 * database is asked: for links and ranges in one statement each, for phrases and for values of fields that are not facets in many
 * short ones.
 */
import type { PendingQuery, Row } from "postgres";
import { plainArray } from "../../../ids.ts";
import type { FieldCondition, LinkCondition, SearchScope } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import { inBatches, pause } from "../tables/batches.ts";
import { packedIds } from "../tables/packed-rows.ts";
import { type NumberedTerm, needsText } from "../tables/word-numbers.ts";
import { tsqueryText } from "../tables/words.ts";
import type { FacetTerms } from "./facet-terms.ts";
import type { SearchContext } from "./search-context.ts";
import type { SetName } from "./snapshot.ts";
import {
  findByValues,
  isFacetValue,
  isOfValues,
  isRange,
  type RangeCondition,
  type ValueCondition,
} from "./value-conditions.ts";

/** The terms of a query, as words that the audience of one scope may search. */
export type ScopedTerms = { scope: SearchScope; terms: readonly NumberedTerm[] };

/** The records that meet a condition: all in these sets and scopes, and those with these ids (packed). */
export type Matches = {
  sets: readonly SetName[];
  scopes: readonly SearchScope[];
  ids: readonly Uint8Array[];
};

export type Remaining = {
  search: SearchContext;
  parts: readonly ScopedTerms[];
  /** Every hit must be in each of them. */
  matches: Matches[];
  /**
   * Ids of the newest records, at most `most`, that can still be hits: they are in all matches so far, and have the words of
   * these parts and, if there are groups, one word of each list of at least one group.
   */
  candidates(
    parts: readonly ScopedTerms[],
    most: number,
    groups?: readonly (readonly number[][])[],
  ): Promise<readonly string[]>;
};

/** Conditions of which one must hold. `terms`: numbers of the facet values. */
type Alternatives = { terms: number[]; ranges: RangeCondition[]; values: ValueCondition[] };

/** `none`: nothing can be found; `least`: there may be more hits. */
type Outcome = "all" | "least" | "none";

/** Adds the matches of all conditions, the quickest first. */
export async function addMatches(remaining: Remaining): Promise<Outcome> {
  const { search, matches } = remaining;
  const { conditions, anyOf } = search.query;
  const all: Alternatives[] = [];
  for (const one of conditions) all.push(await alternativesOf(search, [one]));
  if (anyOf.length > 0) all.push(await alternativesOf(search, anyOf));
  for (const { terms, ranges, values } of all)
    if (ranges.length + values.length === 0) matches.push(matching({ terms }));
  if (!matches.every(canMatch)) return "none";
  await addLinksAndRanges(
    remaining,
    all.filter(({ ranges, values }) => ranges.length > 0 && values.length === 0),
  );
  if (!matches.every(canMatch)) return "none";
  const areAllPhrases = await addPhrases(remaining);
  const areAllValues = await addValues(remaining, all);
  return areAllPhrases && areAllValues ? "all" : "least";
}

const canMatch = ({ sets, scopes, ids }: Matches): boolean =>
  sets.length + scopes.length > 0 || ids.some(({ length }) => length > 0);

function matching({ terms = [], scopes = [], ids = [] }: Partial<Matches> & { terms?: number[] }): Matches {
  return { sets: terms.length > 0 ? [{ of: "terms", numbers: terms }] : [], scopes, ids };
}

/** The set of the records with one of these values of a facet; none if no record has any. */
export async function valuesSet(
  { facetTerms }: SearchContext,
  { field, values }: { field: string; values: readonly string[] },
): Promise<readonly SetName[]> {
  return matching({ terms: await termsOf(facetTerms, field, values) }).sets;
}

async function termsOf(facetTerms: FacetTerms, field: string, values: readonly string[]): Promise<number[]> {
  const number = (await facetTerms.fieldNumbers([field])).get(field);
  return number === undefined ? [] : facetTerms.findTerms(number, values);
}

async function alternativesOf(
  { facetTerms }: SearchContext,
  either: readonly FieldCondition[],
): Promise<Alternatives> {
  const terms: number[] = [];
  for (const { field, values, also = [] } of either.filter(isFacetValue))
    for (const name of [field, ...also]) terms.push(...(await termsOf(facetTerms, name, values)));
  return { terms, ranges: either.filter(isRange), values: either.filter(isOfValues) };
}

/** Links as they are in the records, and ranges. If few records can still be hits, only these are looked up. */
async function addLinksAndRanges(
  { search, parts, matches, candidates }: Remaining,
  ofRanges: readonly Alternatives[],
): Promise<void> {
  const { query, limits } = search;
  if (query.links.length + ofRanges.length === 0) return;
  const ids = await candidates(parts, limits.mostRanked + 1);
  const few = ids.length <= limits.mostRanked ? ids : null;
  for (const link of query.links)
    matches.push(matching({ ids: [await linkedRecords(search.sql, link, few)] }));
  for (const { terms, ranges } of ofRanges)
    matches.push(matching({ terms, ids: await recordsInRanges(search, ranges, few) }));
}

async function linkedRecords(
  sql: Sql,
  link: LinkCondition,
  few: readonly string[] | null,
): Promise<Uint8Array> {
  if ("among" in link) return packedIds(link.among);
  const ids = plainArray(link.ids);
  const known =
    link.relationTypes === null
      ? sql``
      : sql`and relation_type = any(${link.relationTypes as string[]}::text[])`;
  const linked = sql`
    select from_id as id from relations where to_id = any(${ids}::uuid[]) ${known}
    union
    select to_id from relations where from_id = any(${ids}::uuid[]) ${known}`;
  return packedIdsOf(sql, linked, few);
}

/** For each range, the records of which one value overlaps it. */
async function recordsInRanges(
  { sql, facetTerms, tables }: SearchContext,
  ranges: readonly RangeCondition[],
  few: readonly string[] | null,
): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  const numbers = await facetTerms.fieldNumbers(ranges.map(({ field }) => field));
  for (const { field, from, to } of ranges) {
    const number = numbers.get(field);
    if (number === undefined) continue;
    const overlapping = sql`
      select id from ${tables.ranges} where field_no = ${number} and low <= ${to} and high >= ${from}`;
    found.push(await packedIdsOf(sql, overlapping, few));
  }
  return found;
}

/** The ids that the query selects, packed; with `few`, only those of them. */
async function packedIdsOf(
  sql: Sql,
  query: PendingQuery<Row[]>,
  few: readonly string[] | null,
): Promise<Uint8Array> {
  await pause();
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(uuid_send(q.id), '') as packed from (${query}) q
    where ${few === null ? sql`true` : sql`q.id = any(${plainArray(few)}::uuid[])`}`;
  return all!.packed ?? new Uint8Array();
}

/** Looks for phrases in the texts of the records that have all their words. Returns whether all of these were looked through. */
async function addPhrases({ search, parts, matches, candidates }: Remaining): Promise<boolean> {
  const { sql, tables, limits } = search;
  const withTexts = parts.filter(({ terms }) => terms.some(needsText));
  if (withTexts.length === 0) return true;
  const scopes = parts.filter((part) => !withTexts.includes(part)).map(({ scope }) => scope);
  const found: string[] = [];
  let areAll = true;
  for (const part of withTexts) {
    const ids = await candidates([part], limits.mostLookedThrough + 1);
    if (ids.length > limits.mostLookedThrough) areAll = false;
    const phrases = part.terms.filter(needsText).map(({ term }) => term);
    const rows = await inBatches(
      ids.slice(0, limits.mostLookedThrough),
      (batch) => sql<{ id: string }[]>`
        select t.id from ${tables.texts} t
        where t.id = any(${batch}::uuid[]) and t.words @@ ${tsqueryText(phrases, part.scope.audience)}::tsquery`,
    );
    for (const { id } of rows) found.push(id);
  }
  matches.push(matching({ scopes, ids: [packedIds(found)] }));
  return areAll;
}

/** One reading of the records serves all conditions that must hold, and one all alternatives. Returns whether all were read. */
async function addValues(
  { search, parts, matches, candidates }: Remaining,
  all: readonly Alternatives[],
): Promise<boolean> {
  let areAll = true;
  const read = async ({ terms, ranges, values }: Alternatives, any: boolean) => {
    if (values.length === 0) return;
    const found = await findByValues(search, values, any, (words, most) => candidates(parts, most, words));
    const ids = [packedIds(found.ids), ...(await recordsInRanges(search, ranges, null))];
    matches.push(matching({ terms, ids }));
    areAll &&= !found.isLeast;
  };
  const { conditions, anyOf } = search.query;
  await read({ terms: [], ranges: [], values: conditions.filter(isOfValues) }, false);
  if (anyOf.length > 0) await read(all.at(-1)!, true);
  return areAll;
}
