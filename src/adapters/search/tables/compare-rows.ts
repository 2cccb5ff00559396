/** Compares rows of the index with the rows that would be written now. */
import { plainArray } from "../../../ids.ts";
import type { SearchDocument } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import type { FacetTerms } from "../snapshot/facet-terms.ts";
import { type TableSet, tablesOf } from "./table-sets.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { rowsOf, textLines } from "./write-rows.ts";

type Kept = { id: string; collection_status: string; terms: number[]; words: number[]; same_text: boolean };

/** Ids of the documents whose row differs in words, facet values, ranges or collection status. */
export async function differingRows(
  { sql, facetTerms, numbers }: { sql: Sql; facetTerms: FacetTerms; numbers: WordNumbers },
  tableSet: TableSet,
  documents: readonly SearchDocument[],
): Promise<string[]> {
  const rows = await rowsOf(facetTerms, numbers, documents);
  const ids = rows.map((row) => row.id);
  const tables = tablesOf(sql, tableSet);
  const kept = await sql<Kept[]>`
    select s.id, s.collection_status, s.terms, s.words, t.words is not distinct from x.words::tsvector as same_text
    from unnest(${plainArray(ids)}::uuid[], ${textLines(sql, rows)}) x(id, words)
      join ${tables.rows} s on s.id = x.id left join ${tables.texts} t on t.id = s.id`;
  const spans = await sql<{ id: string; field_no: number; low: number; high: number }[]>`
    select id, field_no, low, high from ${tables.ranges} where id = any(${ids})`;
  const found = new Map(kept.map((row) => [row.id, row]));
  const spanKey = (span: { field_no: number; low: number; high: number }) =>
    `${span.field_no} ${span.low} ${span.high}`;
  const ranges = new Map<string, string[]>();
  for (const span of spans) ranges.set(span.id, [...(ranges.get(span.id) ?? []), spanKey(span)]);
  return rows
    .filter((row) => {
      const there = found.get(row.id);
      return (
        !there?.same_text ||
        there.collection_status !== row.collection_status ||
        !haveSameItems(there.terms, row.terms) ||
        !haveSameItems(there.words, row.words) ||
        !haveSameItems(ranges.get(row.id) ?? [], row.ranges.map(spanKey))
      );
    })
    .map((row) => row.id);
}

function haveSameItems<T>(one: Iterable<T>, other: Iterable<T>): boolean {
  const [mine, theirs] = [new Set(one), new Set(other)];
  return mine.size === theirs.size && [...mine].every((item) => theirs.has(item));
}
