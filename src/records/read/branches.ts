/** The trees of a kind of record as a flat list with parents. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { visibleParent, visibleTo } from "../visibility.ts";

/** The most records of a tree on a page. */
const MOST = 2_000;

/** Ordered by number. Records below a parent that the caller may not see are at the top level. */
export async function branchesOf(
  sql: Sql,
  caller: Caller,
  kind: Kind,
): Promise<{ id: string; parent_id: string | null }[]> {
  return sql<{ id: string; parent_id: string | null }[]>`
    select r.id, ${visibleParent(sql, caller)} as parent_id from records r
    where r.record_type = ${kind} and ${visibleTo(sql, caller)}
    order by r.idno limit ${MOST}`;
}
