/**
 * The date of a record's last public change: of its public values, its linked records and their names, its media, or its
 * publication. OAI-PMH, the sitemap and the feed of changes page through records by it.
 *
 * A harvester asks for changes since its last harvest. It would miss a change that is committed after the harvest with an earlier
 * date. So only this file gives dates: in one transaction at a time, which reads the clock after the previous one has ended, and
 * gives no earlier dates. `settledUntil` waits for the running transaction and returns the last second that can no longer change.
 * Harvests end at that second, and give it as the time of their answer.
 */
import type { Sql, Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { markAlso } from "../outbox.ts";

/** Giving dates takes the lock exclusively; asking how far they are settled shares it. */
const LOCK = "public dates";

export type Redated = {
  id: string;
  record_type: Kind;
  /** Null: no longer public. */
  fingerprint: string | null;
  /** OAI-PMH sets. A withdrawn record stays in its sets. */
  sets: readonly string[];
  /** Whether it now has an IIIF manifest. */
  has_manifest: boolean;
};

/**
 * Lists in the order of dates must have every public record, so a record gets a date in the transaction that publishes it. Until
 * the projection gives it a settled one, its fingerprint is empty, which matches no record.
 */
export async function beginDates(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    insert into public_dates (record_id, record_type, datestamp, fingerprint)
    select id, record_type, date_trunc('second', published_at), '' from records
    where id = any(${ids as string[]}::uuid[]) and published_at is not null
    on conflict do nothing`;
}

/** Gives the time of the clock, or, if the clock was set back, a second after the last date. `alsoMark`: other projections. */
export async function giveDates(
  sql: Sql,
  rows: readonly Redated[],
  alsoMark: readonly string[] = [],
): Promise<void> {
  if (rows.length === 0) return;
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${LOCK}))`;
    // a separate statement, so that it sees the changes that the lock waited for
    await tx`
      insert into public_dates (record_id, record_type, datestamp, fingerprint, sets, manifest_activity)
      select x.id, x.record_type, t.next, x.fingerprint, x.sets, case when x.has_manifest then 'Create' end
      from json_to_recordset(${tx.json(rows)}::json)
        as x(id uuid, record_type text, fingerprint text, sets text[], has_manifest boolean),
        (select case when now >= coalesce(last, now) then now else last + interval '1 second' end as next
          from (select date_trunc('second', clock_timestamp()) as now, (select max(datestamp) from public_dates) as last) c) t
      order by x.id
      on conflict (record_id) do update set datestamp = excluded.datestamp, fingerprint = excluded.fingerprint,
        sets = case when excluded.fingerprint is null then public_dates.sets else excluded.sets end,
        manifest_activity = case
          when excluded.manifest_activity is null then case when public_dates.manifest_activity is not null then 'Delete' end
          when public_dates.manifest_activity in ('Create', 'Update') then 'Update'
          else 'Create' end`;
    const ids = rows.map(({ id }) => id);
    for (const target of alsoMark) await markAlso(tx, target, ids);
  });
}

/** Times as OAI-PMH writes them (ISO 8601, UTC, seconds): `2026-11-22T15:04:05Z`. */
export const utc = 'YYYY-MM-DD"T"HH24:MI:SS"Z"';

/** The last second that can no longer get new dates: where a harvest ends. */
export async function settledUntil(sql: Sql): Promise<string> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock_shared(hashtext(${LOCK}))`;
    const [row] = await tx<{ until: string }[]>`
      select to_char(case when now < last then last else now - interval '1 second' end at time zone 'UTC', ${utc}) as until
      from (select date_trunc('second', clock_timestamp()) as now, (select max(datestamp) from public_dates) as last) c`;
    return row!.until;
  });
}

/** `withdrawn`: it was public and no longer is (deleted, purged or unpublished). `sets`: besides the set of its type. */
export type PublicDate = {
  id: string;
  record_type: Kind;
  datestamp: string;
  withdrawn: boolean;
  sets: string[];
};

export type PublicDatesQuery = {
  /** Both inclusive. */
  from?: string;
  until?: string;
  kinds?: readonly Kind[];
  set?: string;
};

function columns(sql: Sql) {
  return sql`record_id as id, record_type, to_char(datestamp at time zone 'UTC', ${utc}) as datestamp,
    fingerprint is null as withdrawn, sets`;
}

/** The next page after `after`, by id, so that each record comes once even if it changes meanwhile. */
export async function publicDatesById(
  sql: Sql,
  asked: PublicDatesQuery,
  after: string | null,
  limit: number,
): Promise<PublicDate[]> {
  return sql<PublicDate[]>`
    select ${columns(sql)} from public_dates
    where ${within(sql, asked)} ${after === null ? sql`` : sql`and record_id > ${after}`}
    order by record_id limit ${limit}`;
}

/** Undefined if the record was never public or does not exist. */
export async function publicDateOf(sql: Sql, kind: Kind, id: string): Promise<PublicDate | undefined> {
  const [row] = await sql<PublicDate[]>`
    select ${columns(sql)} from public_dates where record_id = ${id} and record_type = ${kind}`;
  return row;
}

export async function countPublicDates(sql: Sql, asked: PublicDatesQuery): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from public_dates where ${within(sql, asked)}`;
  return row!.n;
}

/** `is true` keeps the planner from using the index by type, with which each page would sort all records of the type. */
function within(sql: Sql, { from, until, kinds, set }: PublicDatesQuery) {
  return sql`true
    ${from === undefined ? sql`` : sql`and public_dates.datestamp >= ${from}::timestamptz`}
    ${until === undefined ? sql`` : sql`and public_dates.datestamp <= ${until}::timestamptz`}
    ${kinds === undefined ? sql`` : sql`and (record_type = any(${kinds as string[]})) is true`}
    ${set === undefined ? sql`` : sql`and ${set} = any(sets)`}`;
}

/** The earliest date; null if nothing was ever public. */
export async function earliestPublicDate(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ first: string | null }[]>`
    select to_char(min(datestamp) at time zone 'UTC', ${utc}) as first from public_dates`;
  return row!.first;
}
