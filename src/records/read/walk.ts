/**
 * Walks a list to its end so that no record is missed. In most orders, an edit can move a record from the part still
 * to come into the part already read. So a walk ends with the records that were moved meanwhile, in the order of
 * their changes; some of them come twice. This is not needed in the order of creation, nor with the oldest change
 * first, which moves records ahead.
 */
import { type Caller, mayDo } from "../../caller.ts";
import { BEFORE_ALL_IDS } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { listRecords, type Page } from "./list.ts";
import type { ListQuery } from "./list-order.ts";

export async function walkRecords(sql: Sql, caller: Caller, kind: Kind, query: ListQuery): Promise<Page> {
  const { cursor, sort_by } = query;
  const again = (since: string, from: NonNullable<ListQuery["cursor"]>, page_size: number) =>
    listRecords(sql, caller, kind, {
      ...query,
      ...{ sort_by: "updated_at", sort_dir: "asc", moved: { since, by: sort_by } },
      ...{ cursor: from, page_size },
    });
  if (cursor?.again && cursor.since) {
    const page = await again(cursor.since, cursor, query.page_size);
    return { ...page, next: page.next && { ...page.next, since: cursor.since, again: true } };
  }
  const since = cursor ? (cursor.since ?? null) : await beginning(sql, caller, kind, query);
  const page = await listRecords(sql, caller, kind, query);
  if (page.next) return { ...page, next: { ...page.next, since } };
  if (!cursor || since === null) return page;
  const next = { key: since, id: BEFORE_ALL_IDS, page: page.page + 1, total: page.total, since, again: true };
  const moved = await again(since, next, 1);
  return { ...page, next: moved.rows.length > 0 ? next : null };
}

/**
 * Null if no edit can make the walk miss a record. Otherwise the time since which the first page, read after this,
 * may lack changes: changes of running transactions have times from their beginning on. Public dates are full seconds, and
 * read from the clock before they are written.
 */
async function beginning(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  { sort_by, sort_dir }: ListQuery,
): Promise<string | null> {
  if (sort_by === "created_at" || (sort_by === "updated_at" && sort_dir === "asc")) return null;
  const since = sql`least(statement_timestamp(), min(xact_start))`;
  const [row] = await sql<{ since: string }[]>`
    select ${mayDo(caller, "read", kind) ? since : sql`date_trunc('second', ${since}) - interval '1 second'`} as since
    from pg_stat_activity where datname = current_database() and backend_xid is not null`;
  return row!.since;
}
