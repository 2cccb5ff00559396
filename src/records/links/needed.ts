/** Links that people rarely mean to remove: the page asks before it removes one. */
import type { Sql } from "../../services.ts";
import { MADE_BY } from "./attributions.ts";
import { CONCERNS, LOANS } from "./loans.ts";

export type Need = "last_maker" | "on_loan";

/** Of these links: the only one that names a maker of a public object, and those of objects that are on a loan. */
export async function neededLinks(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Need>> {
  const rows = await sql<{ id: string; need: Need }[]>`
    select l.id, 'last_maker' as need
    from relations l join records o on o.id = l.from_id and o.status = 'public' and o.deleted_at is null
    where l.id = any(${ids as string[]}) and l.relation_type = ${MADE_BY} and not exists (
      select 1 from relations m where m.from_id = l.from_id and m.relation_type = l.relation_type and m.id <> l.id)
    union all
    select l.id, 'on_loan'
    from relations l join records o on o.id = l.from_id and o.collection_status in ('on_loan_in', 'on_loan_out')
      join records p on p.id = l.to_id and p.subtype = any(${LOANS as string[]}) and p.end_date is null and p.deleted_at is null
    where l.id = any(${ids as string[]}) and l.relation_type = ${CONCERNS}`;
  return new Map(rows.map(({ id, need }) => [id, need]));
}
