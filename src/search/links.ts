/** Hits that are linked to something: to what exactly, as this reader may know of it. */
import type { Caller } from "../caller.ts";
import { visibleTo } from "../records/visibility.ts";
import type { LinkCondition } from "../search-index.ts";
import type { Sql } from "../services.ts";
import type { Asked } from "./request.ts";

/** Collections below one another that a search looks into. */
const MOST_BELOW = 10_000;

/** Null when one of the records is not there for the reader: then nothing is linked to it. */
export async function linkConditions(
  sql: Sql,
  reader: Caller,
  linked: Asked["linked"],
  relationTypes: readonly string[] | null,
): Promise<LinkCondition[] | null> {
  const conditions: LinkCondition[] = [];
  for (const { kind, id } of linked) {
    // what is below a collection that the reader may not see is not below it for them
    const rows = await sql<{ id: string }[]>`
      with recursive below as (
        select r.id from records r
        where r.id = ${id} and r.record_type = ${kind} and ${visibleTo(sql, reader)}
        union
        select r.id from records r join below on r.parent_id = below.id
        where r.record_type = 'collection' and ${visibleTo(sql, reader)})
      select id from below limit ${MOST_BELOW}`;
    if (rows.length === 0) return null;
    conditions.push({ ids: rows.map((row) => row.id), relationTypes });
  }
  return conditions;
}
