/** The trees of a kind of record, flat: who stands below whom. */
import type { Caller } from "../caller.ts";
import type { Sql } from "../services.ts";
import type { Kind } from "./kinds.ts";
import { visibleParent, visibleTo } from "./visibility.ts";

/** Records of a tree that a page shows. */
const MOST = 2_000;

/** In the order of their numbers. What stands below something that the caller may not see stands at the top. */
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
