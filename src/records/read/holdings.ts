/** The number of objects in each collection, including the collections below it. */
import type { Sql } from "../../services.ts";
import { foundByVisitors } from "../visibility.ts";

/**
 * Empty collections are left out. @param collectionStatuses only objects with one of these are counted
 */
export async function countHoldings(
  sql: Sql,
  ids: readonly string[],
  collectionStatuses: readonly string[],
): Promise<Map<string, number>> {
  const open = foundByVisitors(sql, collectionStatuses);
  const rows = await sql<{ id: string; count: number }[]>`
    with recursive below as (
      select r.id as top, r.id from records r where r.id = any(${ids as string[]}) and ${open}
      union
      select b.top, r.id from below b join records r on r.parent_id = b.id
      where r.record_type = 'collection' and ${open}
    ), held as (
      select b.top, l.from_id as id from below b
        join relations l on l.to_id = b.id join relation_types t on t.name = l.relation_type and t.is_public
      union
      select b.top, l.to_id from below b
        join relations l on l.from_id = b.id join relation_types t on t.name = l.relation_type and t.is_public)
    select h.top as id, count(*)::int as count from held h join records r on r.id = h.id
    where r.record_type = 'object' and ${open}
    group by h.top`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}
