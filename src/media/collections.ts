/** What each collection holds, those below it included: how many objects, and one of them that has a picture. */
import type { Caller } from "../caller.ts";
import { visibleMedia, visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

export type Holding = { id: string; count: number; pictured: string | null };

/**
 * Collections that hold nothing are left out.
 * @param ids whose holdings are told
 * @param collectionStatuses objects of others are not counted
 */
export async function holdingsOf(
  sql: Sql,
  caller: Caller,
  ids: readonly string[],
  collectionStatuses: readonly string[],
): Promise<Map<string, Holding>> {
  const rows = await sql<Holding[]>`
    with recursive below as (
      select r.id as top, r.id from records r where r.id = any(${ids as string[]}) and ${visibleTo(sql, caller)}
      union
      select b.top, r.id from below b join records r on r.parent_id = b.id
      where r.record_type = 'collection' and ${visibleTo(sql, caller)}
    ), held as (
      select b.top, l.from_id as id from below b
        join relations l on l.to_id = b.id join relation_types t on t.name = l.relation_type and t.is_public
      union
      select b.top, l.to_id from below b
        join relations l on l.from_id = b.id join relation_types t on t.name = l.relation_type and t.is_public)
    select h.top as id, count(*)::int as count, min(r.id::text) filter (where exists (
        select 1 from object_media m where m.object_id = r.id and m.category = 'image' and m.width is not null
          and m.status <> 'error' and ${visibleMedia(sql, caller)})) as pictured
    from held h join records r on r.id = h.id
    where r.record_type = 'object' and ${visibleTo(sql, caller)}
      and r.collection_status = any(${collectionStatuses as string[]})
    group by h.top`;
  return new Map(rows.map((row) => [row.id, row]));
}
