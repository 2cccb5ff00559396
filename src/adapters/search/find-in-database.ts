/**
 * Answers a search with SQL alone: searches without any condition, and all searches if memory is not used or the index is
 * too large for it. In a large index, not all hits are counted.
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
import { emptyAnswer, type SearchContext } from "./search-context.ts";
import { sortedPage } from "./sort.ts";

/** More than one record in 25 counts as many. */
const COMMON = 25;

export async function findInDatabase(search: SearchContext, facets: readonly Facet[]): Promise<SearchAnswer> {
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
    // the count stops at `most`, so there may be more
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

async function pageOf(search: SearchContext, { where, all, words, n, size }: Found): Promise<SearchHit[]> {
  const { query } = search;
  if (query.sort.by !== "relevance") return sortedPage(search, where);
  if (query.terms.some((term) => !term.negated)) return rankedPage(search, all, words, n);
  return n * COMMON > size ? newestOfMany(search, all) : newestOfFew(search, where);
}

/** Everything in the scope: total and facets are read from the stored counts. */
async function everythingInScope(search: SearchContext, facets: readonly Facet[]): Promise<SearchAnswer> {
  const numbers = facets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const { n, ids, facets: numbered } = await readAll(search, numbers);
  const hits = ids.map((id) => ({ id, score: 0 }));
  return { total: n, isLeast: false, hits, facets: byField(facets, numbered), corrections: [] };
}

/** A page of many hits, newest first. Reading records from the newest on finds enough hits soon. */
async function newestOfMany(
  { sql, tables, query }: SearchContext,
  [scope, ...others]: readonly Condition[],
): Promise<SearchHit[]> {
  // no index applies to a condition inside coalesce, so the planner has to read from the newest record on
  const conditions = others.map((one) => sql`coalesce(${one}, false)`);
  const hits = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s where ${allOf(sql, [scope!, ...conditions])}
    order by s.id desc limit ${query.limit} offset ${query.offset}`;
  return hits.map(({ id }) => ({ id, score: 0 }));
}

/** A page of few hits, newest first. */
async function newestOfFew({ sql, tables, query }: SearchContext, where: Condition): Promise<SearchHit[]> {
  const hits = await sql<{ id: string }[]>`
    with m as materialized (select s.id from ${tables.rows} s where ${where})
    select id from m order by id desc limit ${query.limit} offset ${query.offset}`;
  return hits.map(({ id }) => ({ id, score: 0 }));
}

async function newestIds({ sql, tables }: SearchContext, where: Condition, most: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s where ${where} order by s.id desc limit ${most}`;
  return rows.map(({ id }) => id);
}
