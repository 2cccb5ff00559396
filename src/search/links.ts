/** Translates search parameters about linked records into conditions, as far as this reader may know the links. */
import type { Caller } from "../caller.ts";
import type { LinkCondition } from "../ports/search-index.ts";
import { mergedTarget } from "../records/merge/store.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";
import type { SearchRequest } from "./request.ts";

/** The most records of a tree that a search includes, and the most records that one object is linked to. */
const MOST = 10_000;

/** Null if the reader may not see one of the records: then nothing is found. */
export async function linkConditions(
  sql: Sql,
  reader: Caller,
  linked: SearchRequest["linked"],
  relationTypes: readonly string[] | null,
): Promise<LinkCondition[] | null> {
  const conditions: LinkCondition[] = [];
  for (const { kind, id: asked } of linked) {
    const id = await idNow(sql, reader, asked);
    // records below one that the reader may not see are left out
    const rows = await sql<{ id: string }[]>`
      with recursive below as (
        select r.id from records r
        where r.id = ${id} and r.record_type = ${kind} and ${visibleTo(sql, reader)}
        union
        select r.id from records r join below on r.parent_id = below.id
        where r.record_type = ${kind} and ${visibleTo(sql, reader)})
      select id from below limit ${MOST}`;
    if (rows.length === 0) return null;
    const ids = rows.map((row) => row.id);
    // Typesense has a link from an object only with that object (`project.ts`), so read the other ends here
    conditions.push(
      kind === "object" ? { among: await otherEndsOf(sql, id, relationTypes) } : { ids, relationTypes },
    );
  }
  return conditions;
}

/** An old address or saved view may name a record that was merged since: the other one is meant. */
export async function idNow(sql: Sql, reader: Caller, id: string): Promise<string> {
  return (await mergedTarget(sql, reader, id))?.id ?? id;
}

async function otherEndsOf(sql: Sql, id: string, relationTypes: readonly string[] | null): Promise<string[]> {
  const known = relationTypes === null ? sql`` : sql`and relation_type = any(${relationTypes as string[]})`;
  const rows = await sql<{ id: string }[]>`
    select to_id as id from relations where from_id = ${id} ${known}
    union
    select from_id from relations where to_id = ${id} ${known}
    limit ${MOST}`;
  return rows.map((row) => row.id);
}
