/** Asks the index in the database: one statement for hits, total and facets; counts alone where they suffice. */
import type { SearchAnswer, SearchQuery, Sql } from "../../services.ts";
import type { Dictionary } from "./dictionary.ts";
import { collectionStatusLetter, kindLetter, statusLetter } from "./letters.ts";
import { tsqueryText } from "./words.ts";

/** Hits over which facets are counted exactly; with more, the total is counted apart and facets cover these. */
const MOST_MATCHES = 50_000;
const MOST_VALUES = 50;
const SLOTS = 32;

type Facet = { field: string; number: number | undefined; indexed: boolean };
type Condition = ReturnType<typeof scopeCondition>;

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
  const everything =
    query.terms.length === 0 && filters.length === 0 && facets.every((facet) => facet.indexed);
  return everything ? browse(sql, query, facets) : match(sql, query, facets, filters);
}

/** What the caller may find, on a table named `s`. */
function scopeCondition(sql: Sql, { scope }: SearchQuery) {
  const types = scope.recordTypes.map(kindLetter);
  // whatever was asked for: what the public finds is public
  const statuses = scope.audience === "public" ? ["p"] : scope.statuses.map(statusLetter);
  const held = scope.collectionStatuses?.map(collectionStatusLetter);
  return sql`s.status = any(${statuses}::text[]::"char"[]) and s.record_type = any(${types}::text[]::"char"[])
    ${held ? sql`and (s.record_type <> 'o' or s.collection_status = any(${held}::text[]::"char"[]))` : sql``}`;
}

/** One condition a filter; null when a filter's values are unknown, so that nothing can match. */
async function filterConditions(
  sql: Sql,
  dictionary: Dictionary,
  query: SearchQuery,
): Promise<Condition[] | null> {
  const conditions: Condition[] = [];
  for (const { field, indexed, values } of query.filters) {
    if (!indexed) {
      conditions.push(sql`and exists (
        select 1 from records r, jsonb_array_elements(r.metadata -> ${field}) e
        where r.id = s.id and e ->> 'value' = any(${values as string[]}))`);
      continue;
    }
    const number = await dictionary.fieldNumber(field);
    const terms = number === undefined ? [] : await dictionary.findTerms(number, values);
    if (terms.length === 0) return null;
    conditions.push(
      terms.length === 1 ? sql`and s.terms @> ${terms}::int[]` : sql`and s.terms && ${terms}::int[]`,
    );
  }
  return conditions;
}

/** No words, no filters: total and facets stand in the counts already. */
async function browse(sql: Sql, query: SearchQuery, facets: readonly Facet[]): Promise<SearchAnswer> {
  const scope = scopeCondition(sql, query);
  const hits = await sql<{ id: string }[]>`
    select s.id from record_search s where ${scope}
    order by s.id desc limit ${query.limit} offset ${query.offset}`;
  const [row] = await sql<{ n: number }[]>`
    select coalesce(sum(s.n), 0)::int as n from search_counts s where s.term = 0 and ${scope}`;
  const counted: SearchAnswer["facets"] = {};
  for (const { field, number } of facets) {
    counted[field] =
      number === undefined
        ? []
        : await sql<{ value: string; count: number }[]>`
          select t.value, c.n as count
          from (
            select s.term, sum(s.n)::int as n from search_counts s
            where s.term >> 24 = ${number} and ${scope}
            group by s.term having sum(s.n) > 0
            order by sum(s.n) desc, s.term limit ${MOST_VALUES}) c
          join search_terms t on t.term = c.term
          order by c.n desc, t.value collate "C"`;
    counted[field] = [...counted[field]!];
  }
  return { total: row!.n, hits: hits.map(({ id }) => ({ id, score: 0 })), facets: counted };
}

async function match(
  sql: Sql,
  query: SearchQuery,
  facets: readonly Facet[],
  filters: readonly Condition[],
): Promise<SearchAnswer> {
  const text = tsqueryText(query.terms, query.scope.audience);
  const wordCondition = text === "" ? sql`` : sql`and s.words @@ ${text}::tsquery`;
  const score = text === "" ? sql`0::real` : sql`ts_rank('{0.05, 0.1, 0.3, 1}', s.words, ${text}::tsquery)`;
  const where = sql`${scopeCondition(sql, query)} ${wordCondition}
    ${filters.length === 0 ? sql`` : filters.reduce((all, one) => sql`${all} ${one}`)}`;
  const slots = facets.filter((facet) => facet.number !== undefined && facet.number <= SLOTS);
  const columns = slots.map((facet, index) => sql`, s.terms[${facet.number!}] as ${sql(`slot_${index}`)}`);
  const numbers = facets.flatMap((facet) => (facet.number === undefined ? [] : [facet.number]));
  const [row] = await sql<
    { n: number; hits: { id: string; score: number }[] | null; facets: FacetRow[] | null }[]
  >`
    with m as materialized (
      select s.id, ${score} as score ${columns.length === 0 ? sql`` : columns.reduce((all, one) => sql`${all} ${one}`)}
        ${numbers.length === 0 ? sql`` : sql`, case when cardinality(s.terms) > ${SLOTS} then s.terms[${SLOTS + 1}:] end as others`}
      from record_search s where ${where} limit ${MOST_MATCHES + 1})
    select (select count(*)::int from m) as n,
      (select json_agg(h) from (
        select id, score from m order by score desc, id desc limit ${query.limit} offset ${query.offset}) h) as hits,
      ${numbers.length === 0 ? sql`null::json` : facetRows(sql, slots.length, numbers)} as facets`;
  const counted: SearchAnswer["facets"] = Object.fromEntries(facets.map(({ field }) => [field, []]));
  for (const { number, value, count } of row!.facets ?? []) {
    const facet = facets.find((candidate) => candidate.number === number);
    if (facet) counted[facet.field]!.push({ value, count });
  }
  for (const { field, indexed } of facets) {
    if (!indexed) counted[field] = await countUnindexed(sql, field, where);
  }
  return {
    total: row!.n > MOST_MATCHES ? await countMatches(sql, where) : row!.n,
    hits: (row!.hits ?? []).map(({ id, score: points }) => ({ id, score: round(points) })),
    facets: counted,
  };
}

type FacetRow = { number: number; value: string; count: number };

/** Counts terms by slot where a field has one, and among the further values. */
function facetRows(sql: Sql, slots: number, numbers: readonly number[]) {
  const bySlot = Array.from({ length: slots }, (_, index) => {
    const column = sql(`slot_${index}`);
    return sql`select ${column} as term from m where ${column} <> 0 union all`;
  });
  return sql`(
    select json_agg(json_build_object('number', f.term >> 24, 'value', t.value, 'count', f.n)
      order by f.term >> 24, f.n desc, t.value collate "C")
    from (
      select term, count(*)::int as n, row_number() over (partition by term >> 24 order by count(*) desc, term) as place
      from (
        ${bySlot.length === 0 ? sql`` : bySlot.reduce((all, one) => sql`${all} ${one}`)}
        select o.term from (select unnest(others) as term from m where others is not null) o
        where o.term >> 24 = any(${numbers as number[]})) x
      group by term) f
    join search_terms t on t.term = f.term
    where f.place <= ${MOST_VALUES})`;
}

async function countMatches(sql: Sql, where: Condition): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from record_search s where ${where}`;
  return row!.n;
}

/** Fields that are no facets are counted from the records themselves: right, but slower. */
async function countUnindexed(
  sql: Sql,
  field: string,
  where: Condition,
): Promise<{ value: string; count: number }[]> {
  const rows = await sql<{ value: string; count: number }[]>`
    select e ->> 'value' as value, count(distinct r.id)::int as count
    from (select s.id from record_search s where ${where} limit ${MOST_MATCHES}) m
      join records r on r.id = m.id, jsonb_array_elements(r.metadata -> ${field}) e
    group by 1 order by 2 desc, 1 limit ${MOST_VALUES}`;
  return [...rows];
}

function round(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
