/** Total and facets over the rows of `m`, counted in one pass: a grouping set for each slot, and one for all rows. */
import type { Sql } from "../../services.ts";
import type { Condition } from "./conditions.ts";
import { SLOTS } from "./slots.ts";

/** Values that a facet answers with. */
export const MOST_VALUES = 50;

/** A field to count; `number` is undefined when the index does not know it. */
export type Facet = { field: string; indexed: boolean; number: number | undefined };
export type FacetCount = { value: string; count: number };
export type CountedRow = { n: number; facets: (FacetCount & { number: number })[] | null };

/** Columns of `m` that counting reads: the first value of each field at its place, and all further values. */
export function facetColumns(sql: Sql, facets: readonly Facet[]) {
  const further = facets.some((facet) => facet.number !== undefined)
    ? sql`, case when cardinality(s.terms) > ${SLOTS} then s.terms[${SLOTS + 1}:] end as further`
    : sql``;
  return slotsOf(facets).reduce(
    (all, slot) => sql`${all}, s.terms[${slot}] as ${sql(`slot_${slot}`)}`,
    further,
  );
}

/** `g`: how often each term stands in its slot; the row without a term counts the rows, and those with further values. */
export function countedBySlot(sql: Sql, facets: readonly Facet[]) {
  if (!facets.some((facet) => facet.number !== undefined))
    return sql`g as materialized (select null::int as term, count(*)::int as n, 0 as more from m)`;
  const slots = slotsOf(facets).map((slot) => sql(`slot_${slot}`));
  const sets = slots.reduce((all, slot) => sql`${all}, (${slot})`, sql`()`);
  const term = slots.reduce((all, slot) => sql`${all}, ${slot}`, sql`null::int`);
  return sql`g as materialized (
    select coalesce(${term}) as term, count(*)::int as n, count(further)::int as more
    from m group by grouping sets (${sets}))`;
}

/** The columns of `CountedRow`, from `g` and, where rows have further values, once more from `m`. */
export function countedColumns(sql: Sql, facets: readonly Facet[]) {
  const numbers = facets.flatMap((facet) => (facet.number === undefined ? [] : [facet.number]));
  const total = sql`(select n from g where term is null) as n`;
  if (numbers.length === 0) return sql`${total}, null::json as facets`;
  return sql`${total}, (
    select json_agg(json_build_object('number', f.term >> 24, 'value', t.value, 'count', f.n)
      order by f.term >> 24, f.n desc, t.value collate "C")
    from (
      select term, sum(n)::int as n, row_number() over (partition by term >> 24 order by sum(n) desc, term) as place
      from (
        select term, n from g where term <> 0
        union all
        select o.term, 1 from (
          select unnest(further) as term from m
          where further is not null and (select more from g where term is null) > 0) o
        where o.term >> 24 = any(${numbers}::int[])) x
      group by term) f
    join search_terms t on t.term = f.term
    where f.place <= ${MOST_VALUES}) as facets`;
}

/** Counts that stand in the index already: every record in the scope has a part in them. */
export async function readFacet(sql: Sql, scope: Condition, number: number): Promise<FacetCount[]> {
  const rows = await sql<FacetCount[]>`
    select t.value, c.n as count
    from (
      select s.term, sum(s.n)::int as n from search_counts s
      where s.term >> 24 = ${number} and ${scope}
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

function slotsOf(facets: readonly Facet[]): number[] {
  return facets.flatMap(({ number }) => (number !== undefined && number <= SLOTS ? [number] : []));
}
