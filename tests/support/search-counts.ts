/** Compares the stored counts of the search index with its rows. */
import { readState, tablesOf } from "../../src/adapters/search/table-sets.ts";
import type { Sql } from "../../src/services.ts";

/** How many counts of the active index are wrong. */
export async function wrongCounts(sql: Sql): Promise<number> {
  const { rows, counts } = tablesOf(sql, (await readState(sql)).current);
  const [wrong] = await sql<{ n: number }[]>`
    with real as (
      select t.term, s.record_type, s.status, s.collection_status, count(*)::int as n
      from ${rows} s, lateral (
        select unnest(s.terms || 0) as term
        union select (unnest(s.terms[33:]) >> 24) << 24) t
      group by 1, 2, 3, 4)
    select count(*)::int as n from real r full join (select * from ${counts} where n <> 0) c
      using (term, record_type, status, collection_status)
    where r.n is distinct from c.n`;
  return wrong!.n;
}
