/** The trees of collections as a flat list with parents. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import { visibleParent, visibleTo } from "../visibility.ts";

/** The most records of a tree on a page. */
const MOST = 2_000;

/** Ordered by number. Records below a parent that the caller may not see are at the top level. */
export async function collectionBranches(
  sql: Sql,
  caller: Caller,
): Promise<{ id: string; parent_id: string | null }[]> {
  return sql<{ id: string; parent_id: string | null }[]>`
    select r.id, ${visibleParent(sql, caller)} as parent_id from records r
    where r.record_type = 'collection' and ${visibleTo(sql, caller)}
    order by r.idno limit ${MOST}`;
}
