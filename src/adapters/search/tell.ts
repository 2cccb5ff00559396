/** Which records meet what the memory cannot tell: the database is asked, in steps that are short each. */
import type { SearchScope } from "../../search-index.ts";
import { indexedCondition, isOfText, linkCondition, type NumberedTerm } from "./conditions.ts";
import type { Search } from "./one-search.ts";
import type { Condition } from "./scope.ts";
import { inSlices, pause } from "./slices.ts";
import { isIndexed, isOfValues, isValue, meeting, type ValueCondition, wordsOfValues } from "./values.ts";
import { tsqueryText } from "./words.ts";

/** What is asked of the records within one scope. */
export type Part = { scope: SearchScope; terms: readonly NumberedTerm[] };

/** These records, the rows with these numbers (four bytes each), and all within these scopes. */
export type Told = {
  ids: readonly string[];
  numbers: readonly Uint8Array[];
  scopes: readonly SearchScope[];
};

export type Tell = {
  search: Search;
  parts: readonly Part[];
  /** A hit is in each of them. */
  told: Told[];
  /**
   * Ids of the newest, of so many at most, that meet what is told already, and have the words of one of the groups: one
   * of each of its lists.
   */
  among(
    parts: readonly Part[],
    most: number,
    groups?: readonly (readonly (readonly number[])[])[],
  ): Promise<readonly string[] | null>;
};

/** `none`: nothing can be found; `least`: perhaps not everything was found; null: the database must answer. */
export type Outcome = "all" | "least" | "none" | null;

/** Links, spans, and clauses of which one must hold, as long as the index has them all. */
export async function tellIndexed({ search, parts, told, among }: Tell): Promise<Outcome> {
  const { sql, query, limits } = search;
  /** One of each must hold. */
  const alternatives: ({ where: Condition } | null)[][] = query.links.map((link) => [
    { where: linkCondition(sql, link) },
  ]);
  for (const one of query.conditions)
    if (isIndexed(one) && !isValue(one)) alternatives.push([await indexedCondition(search, one)]);
  if (query.anyOf.length > 0 && query.anyOf.every(isIndexed))
    alternatives.push(await Promise.all(query.anyOf.map((one) => indexedCondition(search, one))));
  if (alternatives.length === 0) return "all";
  const ids = await among(parts, limits.mostWeighed + 1);
  if (ids === null) return null;
  const few = ids.length <= limits.mostWeighed ? ids : null;
  for (const some of alternatives) {
    const numbers: Uint8Array[] = [];
    for (const one of some) if (one !== null) numbers.push(await numbersOf(search, one.where, few));
    if (numbers.length === 0) return "none";
    told.push({ ids: [], numbers, scopes: [] });
  }
  return "all";
}

/** Numbers of the rows that meet the condition; of those with these ids only, when they are given. */
async function numbersOf(
  { sql, tables }: Search,
  where: Condition,
  ids: readonly string[] | null,
): Promise<Uint8Array> {
  await pause();
  const among = ids === null ? sql`` : sql`and s.id = any(${ids as string[]}::uuid[])`;
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(s.no), '') as packed from ${tables.rows} s where ${where} ${among}`;
  return all!.packed ?? new Uint8Array();
}

/** Phrases stand in the texts of the records that have their words. */
export async function tellPhrases({ search, parts, told, among }: Tell): Promise<Outcome> {
  const { sql, tables, limits } = search;
  const withTexts = parts.filter(({ terms }) => terms.some(isOfText));
  if (withTexts.length === 0) return "all";
  const scopes = parts.filter((part) => !withTexts.includes(part)).map(({ scope }) => scope);
  const found: string[] = [];
  let outcome: Outcome = "all";
  for (const part of withTexts) {
    const ids = await among([part], limits.exactUpTo + 1);
    if (ids === null) return null;
    if (ids.length > limits.exactUpTo) outcome = "least";
    const phrases = part.terms.filter(isOfText).map(({ term }) => term);
    const rows = await inSlices(
      ids.slice(0, limits.exactUpTo),
      (slice) => sql<{ id: string }[]>`
        select t.id from ${tables.texts} t
        where t.id = any(${slice}::uuid[]) and t.words @@ ${tsqueryText(phrases, part.scope.audience)}::tsquery`,
    );
    for (const { id } of rows) found.push(id);
  }
  told.push({ ids: found, numbers: [], scopes });
  return outcome;
}

/** Values stand in the records: those that have the words are read, once for all conditions. */
export async function tellValues(tell: Tell): Promise<Outcome> {
  const { search } = tell;
  const { conditions, anyOf } = search.query;
  const all = await tellThese(tell, conditions.filter(isOfValues), null);
  if (all === null || all === "none" || anyOf.every(isIndexed)) return all;
  const others: Uint8Array[] = [];
  for (const one of anyOf.filter(isIndexed)) {
    const met = await indexedCondition(search, one);
    if (met !== null) others.push(await numbersOf(search, met.where, null));
  }
  const any = await tellThese(tell, anyOf.filter(isOfValues), others);
  return any === "all" ? all : any;
}

/** @param others rows that meet another of the conditions, one of which is enough; null: all must hold */
async function tellThese(
  { search, parts, told, among }: Tell,
  conditions: readonly ValueCondition[],
  others: readonly Uint8Array[] | null,
): Promise<Outcome> {
  if (conditions.length === 0) return "all";
  const { exactUpTo } = search.limits;
  const words = await wordsOfValues(search, conditions);
  const groups = others === null ? [words.flat()] : words;
  const possible = groups.filter((lists) => lists.every((list) => list.length > 0));
  const ids = possible.length === 0 ? [] : await among(parts, exactUpTo + 1, possible);
  if (ids === null) return null;
  const met = await meeting(search, ids.slice(0, exactUpTo), conditions, others !== null);
  const isLeast = met.isLeast || ids.length > exactUpTo;
  if (met.ids.length === 0 && !isLeast && !others?.length) return "none";
  told.push({ ids: met.ids, numbers: others ?? [], scopes: [] });
  return isLeast ? "least" : "all";
}
