/** Of published objects, what visitors still do not see: pictures that are private, and objects that their search leaves out. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import { firstNames, seenBy } from "./linked-drafts.ts";

export type Hidden = { why: "pictures" | "search"; count: number; names: string[] };

/** `id`: of the public object, or of an import or batch edit that wrote public ones. */
export async function findHidden(
  sql: Sql,
  caller: Caller,
  id: string,
  publicCollectionStatuses: readonly string[],
): Promise<Hidden[]> {
  return sql<Hidden[]>`
    with seen as (${seenBy(sql, caller, id)}),
    hidden as (
      select r.id, r.idno, r.title, r.sort_title, 'search' as why from seen join records r using (id)
      where r.record_type = 'object' and r.collection_status <> all(${publicCollectionStatuses as string[]})
      union all
      select r.id, r.idno, r.title, r.sort_title, 'pictures' from seen join records r using (id)
      where exists (select from object_media m where m.object_id = r.id and m.deleted_at is null)
        and not exists (select from object_media m where m.object_id = r.id and m.deleted_at is null
          and m.visibility = 'public'))
    select why, count(*)::int as count, ${firstNames(sql)} as names
    from hidden group by why order by why`;
}
