/** The trees of a kind of record as a flat list with parents. */
import type { Caller } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
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

/** The records above each record in a tree, nearest first, up to the first that the reader may not see. */
export async function ancestors(
  sql: Sql,
  reader: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; above: string[] }[]>`
    with recursive up as (
      select c.id, r.id as parent, r.parent_id, 1 as height
      from records c join records r on r.id = c.parent_id
      where c.id = any(${plainArray([...new Set(ids)])}::uuid[]) and ${visibleTo(sql, reader)}
      union all
      select u.id, r.id, r.parent_id, u.height + 1
      from up u join records r on r.id = u.parent_id
      where ${visibleTo(sql, reader)})
    select id, json_agg(parent order by height) as above from up group by id`;
  return new Map(rows.map(({ id, above }) => [id, above]));
}
