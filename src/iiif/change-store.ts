/** The last change of each manifest, in the order of the changes. */
import { utc } from "../records/public/dates.ts";
import type { Sql } from "../services.ts";

/** The position of an activity in the order of all: its time (`20261122T150405Z`) and the record. */
export type Place = { time: string; id: string };

export type Activity = {
  id: string;
  record_type: "object" | "collection";
  type: "Create" | "Update" | "Delete";
  /** UTC (ISO 8601), seconds. */
  time: string;
};

const PAGE = 100;

/**
 * A page: the last 100 activities up to `end`; null if there are none. `before`: the end of the previous page;
 * `next`: the end of the next one. `until`: later activities are left out.
 */
export async function changesUpTo(
  sql: Sql,
  end: Place,
  until: string,
): Promise<{ activities: Activity[]; before: Place | null; next: Place | null }> {
  const found = await sql<Activity[]>`
    select ${columns(sql)} from public_dates
    where ${isListed(sql, until)} and (datestamp, record_id) <= (${end.time}::timestamptz, ${end.id}::uuid)
    order by public_dates.datestamp desc, record_id desc limit ${PAGE + 1}`;
  const after = await sql<Activity[]>`
    select ${columns(sql)} from public_dates
    where ${isListed(sql, until)} and (datestamp, record_id) > (${end.time}::timestamptz, ${end.id}::uuid)
    order by public_dates.datestamp, record_id limit ${PAGE}`;
  return {
    activities: found.slice(0, PAGE).reverse(),
    before: found[PAGE] ?? null,
    next: after.at(-1) ?? null,
  };
}

/** How many there are, and where the first and the last page end. */
export async function changesAtAll(
  sql: Sql,
  until: string,
): Promise<{ count: number; first: Place | null; last: Place | null }> {
  const first = await sql<Activity[]>`
    select ${columns(sql)} from public_dates where ${isListed(sql, until)}
    order by public_dates.datestamp, record_id limit ${PAGE}`;
  const [last] = await sql<Activity[]>`
    select ${columns(sql)} from public_dates where ${isListed(sql, until)}
    order by public_dates.datestamp desc, record_id desc limit 1`;
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from public_dates where ${isListed(sql, until)}`;
  return { count: row!.n, first: first.at(-1) ?? null, last: last ?? null };
}

function isListed(sql: Sql, until: string) {
  return sql`manifest_activity is not null and public_dates.datestamp <= ${until}::timestamptz`;
}

function columns(sql: Sql) {
  return sql`record_id as id, record_type, manifest_activity as type,
    to_char(datestamp at time zone 'UTC', ${utc}) as time`;
}
