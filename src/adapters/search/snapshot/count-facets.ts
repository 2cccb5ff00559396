/** The facets of an answer: their values as texts, most frequent first, and the counts of fields that are not facets. */
import { MOST_VALUES, type SearchAnswer } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import { inBatches } from "../tables/batches.ts";
import type { TermCount } from "./facet-column.ts";
import type { FacetTerms } from "./facet-terms.ts";
import type { SearchContext } from "./search-context.ts";

/** A field that is not a facet is counted over at most this many hits. */
export const MOST_UNINDEXED = 20_000;

type FacetCount = { value: string; count: number };

/** The numbers of the facets to count, by field. A facet that no record in the index has is left out. */
export const facetNumbers = ({ facetTerms, query }: SearchContext): Promise<ReadonlyMap<string, number>> =>
  facetTerms.fieldNumbers(query.facets.flatMap(({ field, isFacet }) => (isFacet ? [field] : [])));

/**
 * The most frequent values of each facet. An answer has every requested field, even without values.
 * @param counts by field, of those that have numbers
 * @param hits ids of the newest hits, over which the fields that are not facets are counted
 */
export async function countedFacets(
  { sql, facetTerms, query }: SearchContext,
  counts: ReadonlyMap<string, readonly TermCount[]>,
  hits: readonly string[],
): Promise<SearchAnswer["facets"]> {
  const { facets, mostValues = MOST_VALUES } = query;
  const all: SearchAnswer["facets"] = {};
  for (const { field, isFacet } of facets)
    all[field] = isFacet
      ? await withValues(facetTerms, counts.get(field) ?? [], mostValues)
      : await countUnindexed(sql, hits, field, mostValues);
  return all;
}

/** The `most` most frequent terms as texts instead of numbers. */
export async function withValues(
  facetTerms: FacetTerms,
  counts: readonly TermCount[],
  most: number,
): Promise<FacetCount[]> {
  const first = [...counts].sort((a, b) => b.n - a.n || a.term - b.term).slice(0, most);
  const values = await facetTerms.valuesOf(first.map(({ term }) => term));
  return first.map(({ term, n }) => ({ value: values.get(term)!, count: n })).sort(mostFirst);
}

/** Sorts the most frequent values first, and equally frequent ones by their characters. */
export function mostFirst(a: FacetCount, b: FacetCount): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}

/** Counts a field that is not a facet, which means reading the records themselves. Most frequent values first. */
export async function countUnindexed(
  sql: Sql,
  ids: readonly string[],
  field: string,
  most: number,
): Promise<FacetCount[]> {
  const counts = new Map<string, number>();
  await inBatches(ids, async (slice) => {
    const rows = await sql<FacetCount[]>`
      select e ->> 'value' as value, count(distinct r.id)::int as count
      from records r, jsonb_array_elements(r.metadata -> ${field}) e
      where r.id = any(${slice}::uuid[]) group by 1`;
    for (const { value, count } of rows) counts.set(value, (counts.get(value) ?? 0) + count);
    return [];
  });
  const all = [...counts].map(([value, count]) => ({ value, count }));
  return all.sort(mostFirst).slice(0, most);
}
