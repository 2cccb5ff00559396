/** The ids of all public records of a kind, in order, in batches that fit into memory. */
import { VISITOR } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { visibleTo } from "../visibility.ts";

export async function* publicIdPages(sql: Sql, kind: Kind, batch: number): AsyncGenerator<string[]> {
  for (let after: string | null = null; ; ) {
    const ids: string[] = await publicIds(sql, kind, after, batch);
    if (ids.length > 0) yield ids;
    if (ids.length < batch) return;
    after = ids.at(-1)!;
  }
}

async function publicIds(sql: Sql, kind: Kind, after: string | null, batch: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from records r
    where r.record_type = ${kind} and ${visibleTo(sql, VISITOR)}
      ${after === null ? sql`` : sql`and r.id > ${after}`}
    order by r.id limit ${batch}`;
  return rows.map(({ id }) => id);
}
