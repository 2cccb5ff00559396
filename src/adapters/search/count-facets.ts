/** Counts hits and facet values in the database, both in one statement, with a grouping set for each facet. */
import { MOST_VALUES, type SearchAnswer } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import { inBatches } from "./batches.ts";
import { FIRST_VALUES, furtherTerm } from "./first-values.ts";
import type { Condition } from "./scope.ts";
import type { SearchContext } from "./search-context.ts";
import type { Tables } from "./table-sets.ts";

const valuesOf = ({ query }: SearchContext): number => query.mostValues ?? MOST_VALUES;

/** A field to count; `number` is undefined if no record in the index has the field. */
export type Facet = { field: string; isFacet: boolean; number: number | undefined };
export type FacetCount = { value: string; count: number };
type NumberedCount = FacetCount & { number: number };

export async function facetsOf({ facetTerms, query }: SearchContext): Promise<Facet[]> {
  const facets: Facet[] = [];
  for (const { field, isFacet } of query.facets) {
    facets.push({ field, isFacet, number: isFacet ? await facetTerms.fieldNumber(field) : undefined });
  }
  return facets;
}

/** The counts in the format of an answer, which has every requested field, even without values. */
export function byField(facets: readonly Facet[], counts: readonly NumberedCount[]): SearchAnswer["facets"] {
  const fields: SearchAnswer["facets"] = Object.fromEntries(facets.map(({ field }) => [field, []]));
  for (const { number, value, count } of counts) {
    const facet = facets.find((candidate) => candidate.number === number);
    if (facet) fields[facet.field]!.push({ value, count });
  }
  return fields;
}

/** `slots`: fields with a position of their own for the first value (`first-values.ts`). `further`: fields with more values. */
type Counted = { numbers: number[]; slots: number[]; further: number[] };

async function countedParts({ sql, tables }: SearchContext, facets: readonly Facet[]): Promise<Counted> {
  const numbers = facets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  if (numbers.length === 0) return { numbers, slots: [], further: [] };
  const rows = await sql<{ number: number }[]>`
    select distinct s.term >> 24 as number from ${tables.counts} s
    where s.term = any(${numbers.map(furtherTerm)}::int[]) and s.n > 0`;
  return {
    numbers,
    slots: numbers.filter((number) => number <= FIRST_VALUES),
    further: rows.map(({ number }) => number),
  };
}

/** Counts the matching rows, up to `most`, and how often each facet value occurs in them. */
export async function countMatches(
  search: SearchContext,
  facets: readonly Facet[],
  where: Condition,
  most: number,
): Promise<{ n: number; facets: NumberedCount[] }> {
  const { sql, tables } = search;
  const { slots, further } = await countedParts(search, facets);
  const matches = (columns: Condition) =>
    sql`(select ${columns} from ${tables.rows} s where ${where} limit ${most}) m`;
  const names = slots.map((slot) => sql(`slot_${slot}`));
  const [first, ...rest] = names;
  if (!first && further.length === 0) {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${matches(sql`1`)}`;
    return { n: row!.n, facets: [] };
  }
  const columns = slots.reduce(
    (all, slot) => sql`${all}, s.terms[${slot}] as ${sql(`slot_${slot}`)}`,
    sql`true as one`,
  );
  // the first facet has exactly one value for each row, so its sum is the total; counting rows would take as long as a facet
  const whole = first ?? sql`one`;
  const sets = rest.reduce((all, slot) => sql`${all}, (${slot})`, sql`(${whole})`);
  const term = names.reduce((all, slot) => sql`${all}, ${slot}`, sql`null::int`);
  const others =
    further.length > 0
      ? sql`
        union all
        select o.term, count(*)::int from (
          select unnest(m.further) as term
          from ${matches(sql`s.terms[${FIRST_VALUES + 1}:] as further, cardinality(s.terms) as size`)}
          where m.size > ${FIRST_VALUES}) o
        where o.term >> 24 = any(${further}::int[]) group by o.term`
      : sql``;
  const [row] = await sql<{ n: number; facets: NumberedCount[] | null }[]>`
    with g as materialized (
      select coalesce(${term}) as term, grouping(${whole}) as part, count(*)::int as n
      from ${matches(columns)} group by grouping sets (${sets}))
    select (select coalesce(sum(n), 0)::int from g where part = 0) as n, (
      select json_agg(json_build_object('number', f.term >> 24, 'value', t.value, 'count', f.n)
        order by f.term >> 24, f.n desc, t.value collate "C")
      from (
        select term, sum(n)::int as n, row_number() over (partition by term >> 24 order by sum(n) desc, term) as rank
        from (select term, n from g where term <> 0 ${others}) x
        group by term) f
      join search_terms t on t.term = f.term
      where f.rank <= ${valuesOf(search)}) as facets`;
  return { n: row!.n, facets: row!.facets ?? [] };
}

/** The most frequent values of each field, as texts instead of numbers. */
export async function withValues(
  search: SearchContext,
  counts: readonly (readonly { term: number; n: number }[])[],
): Promise<NumberedCount[]> {
  const most = counts.map((field) =>
    [...field].sort((a, b) => b.n - a.n || a.term - b.term).slice(0, valuesOf(search)),
  );
  const values = await search.facetTerms.valuesOf(most.flatMap((field) => field.map(({ term }) => term)));
  return most.flatMap((field) =>
    field
      .map(({ term, n }) => ({ number: term >> 24, value: values.get(term)!, count: n }))
      .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value)),
  );
}

/** Compares by code points, like the collation C of the database. */
export function compareTexts(a: string, b: string): number {
  for (let at = 0; ; ) {
    const one = a.codePointAt(at);
    const other = b.codePointAt(at);
    if (one !== other) return (one ?? -1) - (other ?? -1);
    if (one === undefined) return 0;
    at += one > 0xffff ? 2 : 1;
  }
}

/** Total, facets and a page (newest first) of everything in the scope. */
export async function readAll(
  search: SearchContext,
  numbers: readonly number[],
): Promise<{ n: number; ids: string[]; facets: NumberedCount[] }> {
  const { sql, tables, scope, query } = search;
  const [row] = await sql<{ n: number; ids: string[]; facets: NumberedCount[] | null }[]>`
    select (${scopeSize(sql, tables, scope)}) as n, array(
        select s.id from ${tables.rows} s where ${scope}
        order by s.id desc limit ${query.limit} offset ${query.offset}) as ids, (
      select json_agg(json_build_object('number', c.term >> 24, 'value', t.value, 'count', c.n)
        order by c.term >> 24, c.n desc, t.value collate "C")
      from unnest(${numbers as number[]}::int[]) f(number) cross join lateral (
          select s.term, sum(s.n)::int as n from ${tables.counts} s
          where s.term >> 24 = f.number and s.term <> f.number << 24 and ${scope}
          group by s.term having sum(s.n) > 0
          order by sum(s.n) desc, s.term limit ${valuesOf(search)}) c
        join search_terms t on t.term = c.term) as facets`;
  return { n: row!.n, ids: row!.ids, facets: row!.facets ?? [] };
}

/** A field that is not a facet is counted over at most this many hits. */
export const MOST_UNINDEXED = 20_000;

/** Counts a field that is not a facet, which means reading the records themselves. */
export async function countUnindexed(
  search: SearchContext,
  ids: readonly string[],
  field: string,
): Promise<FacetCount[]> {
  const { sql } = search;
  const counts = new Map<string, number>();
  const add = ({ value, count }: FacetCount) => counts.set(value, (counts.get(value) ?? 0) + count);
  await inBatches(ids, async (slice) => {
    const rows = await sql<FacetCount[]>`
      select e ->> 'value' as value, count(distinct r.id)::int as count
      from records r, jsonb_array_elements(r.metadata -> ${field}) e
      where r.id = any(${slice}::uuid[]) group by 1`;
    rows.forEach(add);
    return [];
  });
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value))
    .slice(0, valuesOf(search));
}

/** Number of records in the scope. */
export async function countScope({ sql, tables, scope }: SearchContext): Promise<number> {
  const [row] = await sql<{ n: number }[]>`${scopeSize(sql, tables, scope)}`;
  return row!.n;
}

const scopeSize = (sql: Sql, tables: Tables, scope: Condition) => sql`
  select coalesce(sum(s.n), 0)::int as n from ${tables.counts} s where s.term = 0 and ${scope}`;
