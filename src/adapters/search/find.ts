/** Asks the index in the database. Three ways, by what is asked for: everything, filters alone, words. */
import type { SearchAnswer, SearchQuery, Sql } from "../../services.ts";
import { agreeing, allOf, type Condition, filterConditions, scopeCondition } from "./conditions.ts";
import {
  type Counted,
  type CountedRow,
  countedBySlot,
  countedColumns,
  countedParts,
  countUnindexed,
  type Facet,
  facetColumns,
  readFacet,
} from "./count-facets.ts";
import type { Dictionary } from "./dictionary.ts";
import { tsqueryText } from "./words.ts";

/** Hits over which facets are counted exactly; with more, the total is counted apart and facets cover these. */
const MOST_MATCHES = 100_000;
/** A filter that one record in so many matches is common. */
const COMMON = 25;

type Hit = SearchAnswer["hits"][number];
type Found = CountedRow & { hits: Hit[] | null };

export async function findInDatabase(
  sql: Sql,
  dictionary: Dictionary,
  query: SearchQuery,
): Promise<SearchAnswer> {
  const facets: Facet[] = [];
  for (const { field, indexed } of query.facets) {
    facets.push({ field, indexed, number: indexed ? await dictionary.fieldNumber(field) : undefined });
  }
  const filters = await filterConditions(sql, dictionary, query);
  if (filters === null)
    return { total: 0, hits: [], facets: Object.fromEntries(facets.map(({ field }) => [field, []])) };
  const scope = scopeCondition(sql, query);
  if (query.terms.length === 0 && filters.length === 0 && facets.every((facet) => facet.indexed))
    return browse(sql, query, scope, facets);
  const tsquery = tsqueryText(query.terms, query.scope.audience);
  // what must not be there has no weight, and would take that of all others
  const weighed = tsqueryText(
    query.terms.filter((term) => !term.negated),
    query.scope.audience,
  );
  const words = tsquery === "" ? [] : [sql`s.words @@ ${tsquery}::tsquery`];
  const agreed = tsquery !== "" && query.scope.audience === "public" ? await agreeing(sql) : [];
  const where = allOf(sql, [scope, ...words, ...filters, ...agreed]);
  const counting = await countedParts(sql, facets);
  const found =
    tsquery === ""
      ? await sift(sql, query, counting, where, scope, filters)
      : await weigh(sql, query, counting, where, weighed);
  const counted: SearchAnswer["facets"] = Object.fromEntries(facets.map(({ field }) => [field, []]));
  for (const { number, value, count } of found.facets ?? []) {
    const facet = facets.find((candidate) => candidate.number === number);
    if (facet) counted[facet.field]!.push({ value, count });
  }
  for (const { field, indexed } of facets) {
    if (!indexed) counted[field] = await countUnindexed(sql, where, field, MOST_MATCHES);
  }
  return {
    total: found.n > MOST_MATCHES ? await countMatches(sql, where) : found.n,
    hits: found.hits ?? [],
    facets: counted,
  };
}

/** No words, no filters: total and facets stand in the counts already. */
async function browse(
  sql: Sql,
  query: SearchQuery,
  scope: Condition,
  facets: readonly Facet[],
): Promise<SearchAnswer> {
  const counted: SearchAnswer["facets"] = {};
  for (const { field, number } of facets)
    counted[field] = number === undefined ? [] : await readFacet(sql, scope, number);
  return {
    total: await countScope(sql, scope),
    hits: await walk(sql, query, scope),
    facets: counted,
  };
}

/** Filters alone: the count comes first and tells how the page is best found. */
async function sift(
  sql: Sql,
  query: SearchQuery,
  counting: Counted,
  where: Condition,
  scope: Condition,
  filters: readonly Condition[],
): Promise<Found> {
  const [row] = await sql<CountedRow[]>`
    with m as not materialized (
      select s.id ${facetColumns(sql, counting)} from record_search s where ${where} limit ${MOST_MATCHES + 1}),
    ${countedBySlot(sql, counting)}
    select ${countedColumns(sql, counting)}`;
  const counted = row!;
  if (counted.n <= query.offset) return { ...counted, hits: [] };
  if (counted.n * COMMON > (await countScope(sql, scope))) {
    // met soon on a walk from the newest; no index can answer what stands inside coalesce, so the planner, who has no
    // statistics of terms, walks
    const met = filters.map((filter) => sql`coalesce(${filter}, false)`);
    return { ...counted, hits: await walk(sql, query, allOf(sql, [scope, ...met])) };
  }
  const hits = await sql<{ id: string }[]>`
    with m as materialized (select s.id from record_search s where ${where})
    select id from m order by id desc limit ${query.limit} offset ${query.offset}`;
  return { ...counted, hits: hits.map(({ id }) => ({ id, score: 0 })) };
}

/** Words: every hit is weighed once; page, total and facets are read from what was kept. */
async function weigh(
  sql: Sql,
  query: SearchQuery,
  counting: Counted,
  where: Condition,
  weighed: string,
): Promise<Found> {
  const score =
    weighed === "" ? sql`0::real` : sql`ts_rank('{0.05, 0.1, 0.3, 1}', s.words, ${weighed}::tsquery)`;
  const [row] = await sql<Found[]>`
    with m as materialized (
      select s.id, ${score} as score ${facetColumns(sql, counting)}
      from record_search s where ${where} limit ${MOST_MATCHES + 1}),
    ${countedBySlot(sql, counting)}
    select ${countedColumns(sql, counting)},
      (select json_agg(h) from (
        select id, score from m order by score desc, id desc limit ${query.limit} offset ${query.offset}) h) as hits`;
  return { ...row!, hits: row!.hits?.map(({ id, score }) => ({ id, score: round(score) })) ?? [] };
}

/** A page, newest first. */
async function walk(sql: Sql, query: SearchQuery, where: Condition): Promise<Hit[]> {
  const hits = await sql<{ id: string }[]>`
    select s.id from record_search s where ${where}
    order by s.id desc limit ${query.limit} offset ${query.offset}`;
  return hits.map(({ id }) => ({ id, score: 0 }));
}

async function countScope(sql: Sql, scope: Condition): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select coalesce(sum(s.n), 0)::int as n from search_counts s where s.term = 0 and ${scope}`;
  return row!.n;
}

async function countMatches(sql: Sql, where: Condition): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from record_search s where ${where}`;
  return row!.n;
}

function round(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
