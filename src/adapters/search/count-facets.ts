/** Total and facets over the rows of `m`, counted in one pass: a grouping set for each slot. */
import type { Sql } from "../../services.ts";
import type { Condition } from "./conditions.ts";
import { furtherTerm, SLOTS } from "./slots.ts";

/** Values that a facet answers with. */
export const MOST_VALUES = 50;

/** A field to count; `number` is undefined when the index does not know it. */
export type Facet = { field: string; indexed: boolean; number: number | undefined };
export type FacetCount = { value: string; count: number };
export type CountedRow = { n: number; facets: (FacetCount & { number: number })[] | null };

/** What of the index is counted: the places that hold first values, and the fields that have others besides. */
export type Counted = { numbers: number[]; slots: number[]; further: number[] };

export async function countedParts(sql: Sql, facets: readonly Facet[]): Promise<Counted> {
  const numbers = facets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  if (numbers.length === 0) return { numbers, slots: [], further: [] };
  const rows = await sql<{ number: number }[]>`
    select distinct s.term >> 24 as number from search_counts s
    where s.term = any(${numbers.map(furtherTerm)}::int[]) and s.n > 0`;
  return {
    numbers,
    slots: numbers.filter((number) => number <= SLOTS),
    further: rows.map(({ number }) => number),
  };
}

/** Columns of `m` that counting reads. */
export function facetColumns(sql: Sql, { slots, further }: Counted) {
  const others =
    further.length > 0
      ? sql`, case when cardinality(s.terms) > ${SLOTS} then s.terms[${SLOTS + 1}:] end as further`
      : sql``;
  return slots.reduce((all, slot) => sql`${all}, s.terms[${slot}] as ${sql(`slot_${slot}`)}`, others);
}

/** `g`: how often each term stands in its slot. Every row is in the first set (`place` 0) once. */
export function countedBySlot(sql: Sql, counted: Counted) {
  const [first, ...others] = counted.slots.map((slot) => sql(`slot_${slot}`));
  if (!first) return sql`g as materialized (select 0 as term, 0 as place, count(*)::int as n from m)`;
  const sets = others.reduce((all, slot) => sql`${all}, (${slot})`, sql`(${first})`);
  const term = others.reduce((all, slot) => sql`${all}, ${slot}`, sql`${first}`);
  return sql`g as materialized (
    select coalesce(${term}) as term, grouping(${first}) as place, count(*)::int as n
    from m group by grouping sets (${sets}))`;
}

/** The columns of `CountedRow`, from `g` and, where rows have further values, once more from `m`. */
export function countedColumns(sql: Sql, { numbers, further }: Counted) {
  const total = sql`(select coalesce(sum(n), 0)::int from g where place = 0) as n`;
  if (numbers.length === 0) return sql`${total}, null::json as facets`;
  const others =
    further.length > 0
      ? sql`
        union all
        select o.term, 1 from (select unnest(further) as term from m where further is not null) o
        where o.term >> 24 = any(${further}::int[])`
      : sql``;
  return sql`${total}, (
    select json_agg(json_build_object('number', f.term >> 24, 'value', t.value, 'count', f.n)
      order by f.term >> 24, f.n desc, t.value collate "C")
    from (
      select term, sum(n)::int as n, row_number() over (partition by term >> 24 order by sum(n) desc, term) as rank
      from (select term, n from g where term <> 0 ${others}) x
      group by term) f
    join search_terms t on t.term = f.term
    where f.rank <= ${MOST_VALUES}) as facets`;
}

/** Counts that stand in the index already: every record in the scope has a part in them. */
export async function readFacet(sql: Sql, scope: Condition, number: number): Promise<FacetCount[]> {
  const rows = await sql<FacetCount[]>`
    select t.value, c.n as count
    from (
      select s.term, sum(s.n)::int as n from search_counts s
      where s.term >> 24 = ${number} and s.term <> ${furtherTerm(number)} and ${scope}
      group by s.term having sum(s.n) > 0
      order by sum(s.n) desc, s.term limit ${MOST_VALUES}) c
    join search_terms t on t.term = c.term
    order by c.n desc, t.value collate "C"`;
  return [...rows];
}

/** Fields that are no facets are counted from the records themselves: right, but slower. */
export async function countUnindexed(
  sql: Sql,
  where: Condition,
  field: string,
  most: number,
): Promise<FacetCount[]> {
  const rows = await sql<FacetCount[]>`
    select e ->> 'value' as value, count(distinct r.id)::int as count
    from (select s.id from record_search s where ${where} limit ${most}) m
      join records r on r.id = m.id, jsonb_array_elements(r.metadata -> ${field}) e
    group by 1 order by 2 desc, 1 limit ${MOST_VALUES}`;
  return [...rows];
}
