/** Counts and latest changes of the records that the caller may read in full, for the staff's start page. */
import type { Account, Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import type { Kind, Status } from "../kinds.ts";
import { wholeKinds } from "../visibility.ts";
import { type NamedRow, namesColumn } from "./store.ts";

/** The number of records by kind and status, without the trash. */
export async function countByStatus(
  sql: Sql,
  caller: Caller,
): Promise<{ record_type: Kind; status: Status; n: number }[]> {
  return sql<{ record_type: Kind; status: Status; n: number }[]>`
    select r.record_type, r.status, count(*)::int as n from records r
    where r.deleted_at is null and r.record_type = any(${wholeKinds(caller) as string[]})
    group by r.record_type, r.status`;
}

/** Newer records of others than this many make somebody's own forgotten. */
const REMEMBERED = 2_000;

/** The subtype of the last record of a kind that an account made; null if that was long ago. */
export async function lastSubtype(sql: Sql, kind: Kind, { id }: Account): Promise<string | null> {
  const [row] = await sql<{ subtype: string }[]>`
    select subtype from (
      select subtype, created_by from records where record_type = ${kind} and deleted_at is null
      order by created_at desc, id desc limit ${REMEMBERED}) r
    where created_by = ${id} limit 1`;
  return row?.subtype ?? null;
}

export type LastChange = NamedRow & { updated_at: string; by: string | null };

/** The last changed records of all kinds, with the account that changed them; null: not an account. */
export async function lastChanges(sql: Sql, caller: Caller, limit: number): Promise<LastChange[]> {
  return sql<LastChange[]>`
    select r.id, r.record_type, r.idno, r.status, r.names, r.updated_at, a.email as by
    from (
      select r.* from unnest(${wholeKinds(caller) as string[]}::text[]) k, lateral (
        select r.id, r.record_type, r.idno, r.status, r.version, r.updated_at, ${namesColumn(sql)} as names
        from records r where r.record_type = k and r.deleted_at is null
        order by r.updated_at desc limit ${limit}) r
      order by r.updated_at desc limit ${limit}) r
    left join revisions v on v.record_id = r.id and v.version = r.version
    left join accounts a on a.id = v.actor_id
    order by r.updated_at desc`;
}
