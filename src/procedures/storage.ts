/** The tree of storage locations, with the number of objects in each. */
import type { Caller } from "../caller.ts";
import { STORED_AT } from "../records/links/places.ts";
import { type NamedRow, namesColumn } from "../records/read/store.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

export type StorageNode = NamedRow & { subtype: string; parent_id: string | null; stored: number };

/**
 * The first ones by number, as far as the caller may see them, and how many there are. `stored`: objects in exactly this place.
 * @param inside only the locations in this one
 */
export async function storageTree(
  sql: Sql,
  caller: Caller,
  limit: number,
  inside?: string,
): Promise<{ nodes: StorageNode[]; total: number }> {
  const within =
    inside === undefined
      ? sql``
      : sql`and r.id in (
        with recursive below as (
          select id from records where parent_id = ${inside}
          union all
          select c.id from below b join records c on c.parent_id = b.id)
        select id from below)`;
  const nodes = await sql<(StorageNode & { total: number })[]>`
    select r.id, r.record_type, r.idno, r.status, r.subtype, r.parent_id, ${namesColumn(sql)} as names,
      (select count(*)::int from relations l join records o on o.id = l.from_id
        where l.to_id = r.id and l.relation_type = ${STORED_AT} and o.deleted_at is null) as stored,
      count(*) over ()::int as total
    from records r
    where r.record_type = 'storage_location' and ${visibleTo(sql, caller)} ${within}
    order by r.idno limit ${limit}`;
  return { nodes, total: nodes[0]?.total ?? 0 };
}
