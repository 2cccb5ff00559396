/**
 * Answers a search by SQL alone: where nothing is asked for, where the memory is not used, and where the index is too large
 * for it. Of a large index not all hits are counted.
 */
import type { SearchAnswer, SearchHit } from "../../search-index.ts";
import { otherConditions, type WordConditions, wordConditions } from "./conditions.ts";
import {
  byField,
  countMatches,
  countScope,
  countUnindexed,
  type Facet,
  MOST_UNINDEXED,
  readAll,
} from "./count-facets.ts";
import { rankedPage } from "./rank.ts";
import { allOf, type Condition } from "./scope.ts";
import { emptyAnswer, type Search } from "./search-context.ts";
import { sortedPage } from "./sort.ts";

/** Conditions are common when more than one record in so many meets them. */
const COMMON = 25;

export async function findInDatabase(search: Search, facets: readonly Facet[]): Promise<SearchAnswer> {
  const { query } = search;
  const others = await otherConditions(search);
  const words = await wordConditions(search);
  if (others === null || words === null) return emptyAnswer(query);
  const all = [search.scope, ...words.where, ...others.where];
  const isBare = query.terms.length === 0 && others.where.length === 0;
  if (isBare && query.sort.by === "relevance" && facets.every((facet) => facet.isFacet))
    return everythingInScope(search, facets);
  const where = allOf(search.sql, all);
  const size = await countScope(search);
  const { exactUpTo, mostCounted } = search.limits;
  const most = size <= exactUpTo ? exactUpTo : mostCounted;
  const { n, facets: numbered } = await countMatches(search, facets, where, most);
  const counted = byField(facets, numbered);
  const unindexed = facets.filter(({ isFacet }) => !isFacet);
  if (unindexed.length > 0) {
    const ids = await newestIds(search, where, Math.min(most, MOST_UNINDEXED));
    for (const { field } of unindexed) counted[field] = await countUnindexed(search, ids, field);
  }
  const hits = n <= query.offset ? [] : await pageOf(search, { where, all, words, n, size });
  return {
    total: isBare ? size : n,
    // exactly so many are also the least there are
    isLeast:
      (n >= most && n < size && !isBare) ||
      (unindexed.length > 0 && n > MOST_UNINDEXED) ||
      words.isLeast ||
      others.isLeast,
    hits,
    facets: counted,
    corrections: [],
  };
}

type Found = { where: Condition; all: readonly Condition[]; words: WordConditions; n: number; size: number };

async function pageOf(search: Search, { where, all, words, n, size }: Found): Promise<SearchHit[]> {
  const { query } = search;
  if (query.sort.by !== "relevance") return sortedPage(search, where);
  if (query.terms.some((term) => !term.negated)) return rankedPage(search, all, words, n);
  return n * COMMON > size ? newestOfMany(search, all) : newestOfFew(search, where);
}

/** Everything in the scope: the counts of the index are the total and the facets. */
async function everythingInScope(search: Search, facets: readonly Facet[]): Promise<SearchAnswer> {
  const numbers = facets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const { n, ids, facets: numbered } = await readAll(search, numbers);
  const hits = ids.map((id) => ({ id, score: 0 }));
  return { total: n, isLeast: false, hits, facets: byField(facets, numbered), corrections: [] };
}

/** A page of many hits, newest first: a walk from the newest record meets them soon. */
async function newestOfMany(
  { sql, tables, query }: Search,
  [scope, ...others]: readonly Condition[],
): Promise<SearchHit[]> {
  // no index can answer a condition inside coalesce, so the planner, who has no statistics of terms, walks
  const conditions = others.map((one) => sql`coalesce(${one}, false)`);
  const hits = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s where ${allOf(sql, [scope!, ...conditions])}
    order by s.id desc limit ${query.limit} offset ${query.offset}`;
  return hits.map(({ id }) => ({ id, score: 0 }));
}

/** A page of few hits, newest first. */
async function newestOfFew({ sql, tables, query }: Search, where: Condition): Promise<SearchHit[]> {
  const hits = await sql<{ id: string }[]>`
    with m as materialized (select s.id from ${tables.rows} s where ${where})
    select id from m order by id desc limit ${query.limit} offset ${query.offset}`;
  return hits.map(({ id }) => ({ id, score: 0 }));
}

async function newestIds({ sql, tables }: Search, where: Condition, most: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s where ${where} order by s.id desc limit ${most}`;
  return rows.map(({ id }) => id);
}
