/**
 * When something public about a record moved last: its public values, what it points at and their names, its media, or
 * whether it is public at all. For OAI-PMH, the sitemap and the feed of changes, which page through it by date and id.
 *
 * A harvester asks for what has changed since its last time. It would never see a change that gets its date and is
 * committed only after the harvester has asked, with a later date in its hands. So dates are given here alone: by one
 * transaction at a time, none before the one of the transaction before, each read from the clock when the others are
 * done. `settledUntil` waits for the one that is under way, and answers the last second that nothing can be added to any
 * more: harvests end there, and say so as the time of their answer.
 */
import type { Sql, Tx } from "../services.ts";
import type { Kind } from "./kinds.ts";

/** Whoever gives dates has it alone; whoever asks how far they are settled shares it for a moment. */
const LOCK = "public dates";

export type Redated = {
  id: string;
  record_type: Kind;
  /** Null: it is public no more. */
  fingerprint: string | null;
  /** Of harvesters; what is public no more stays in those that it was in. */
  sets: readonly string[];
  /** Whether there is a IIIF manifest of it now. */
  has_manifest: boolean;
};

export async function giveDates(sql: Sql, rows: readonly Redated[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${LOCK}))`;
    await saveDates(tx, rows);
  });
}

/** The clock, or behind all dates there are when it was set back. A statement of its own, so that it sees what was waited for. */
async function saveDates(tx: Tx, rows: readonly Redated[]): Promise<void> {
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
}

/** Times as OAI-PMH writes them (ISO 8601, UTC, seconds): `2026-11-22T15:04:05Z`. */
export const utc = 'YYYY-MM-DD"T"HH24:MI:SS"Z"';

/** The last second to which no date is added any more: the end of a harvest, and the time of its answer. */
export async function settledUntil(sql: Sql): Promise<string> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock_shared(hashtext(${LOCK}))`;
    const [row] = await tx<{ until: string }[]>`
      select to_char(case when now < last then last else now - interval '1 second' end at time zone 'UTC', ${utc}) as until
      from (select date_trunc('second', clock_timestamp()) as now, (select max(datestamp) from public_dates) as last) c`;
    return row!.until;
  });
}

/** `withdrawn`: it was public once, and is no more; deleted, purged or taken back. `sets`: beside that of its type. */
export type PublicDate = {
  id: string;
  record_type: Kind;
  datestamp: string;
  withdrawn: boolean;
  sets: string[];
};

export type PublicDatesAsked = {
  /** Both included. */
  from?: string;
  until?: string;
  kinds?: readonly Kind[];
  set?: string;
};

function columns(sql: Sql) {
  return sql`record_id as id, record_type, to_char(datestamp at time zone 'UTC', ${utc}) as datestamp,
    fingerprint is null as withdrawn, sets`;
}

/** The next page behind `after`, by id: each record comes once, however often it moves meanwhile. */
export async function publicDatesById(
  sql: Sql,
  asked: PublicDatesAsked,
  after: string | null,
  limit: number,
): Promise<PublicDate[]> {
  return sql<PublicDate[]>`
    select ${columns(sql)} from public_dates
    where ${within(sql, asked)} ${after === null ? sql`` : sql`and record_id > ${after}`}
    order by record_id limit ${limit}`;
}

/** Nothing when the record never was public, or there is none. */
export async function publicDateOf(sql: Sql, kind: Kind, id: string): Promise<PublicDate | undefined> {
  const [row] = await sql<PublicDate[]>`
    select ${columns(sql)} from public_dates where record_id = ${id} and record_type = ${kind}`;
  return row;
}

export async function countPublicDates(sql: Sql, asked: PublicDatesAsked): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from public_dates where ${within(sql, asked)}`;
  return row!.n;
}

/** `is true` keeps the type a filter: through its index each page of a list by id would sort all records of the type. */
function within(sql: Sql, { from, until, kinds, set }: PublicDatesAsked) {
  return sql`true
    ${from === undefined ? sql`` : sql`and public_dates.datestamp >= ${from}::timestamptz`}
    ${until === undefined ? sql`` : sql`and public_dates.datestamp <= ${until}::timestamptz`}
    ${kinds === undefined ? sql`` : sql`and (record_type = any(${kinds as string[]})) is true`}
    ${set === undefined ? sql`` : sql`and ${set} = any(sets)`}`;
}

/** The first date there is; null while nothing was ever public. */
export async function earliestPublicDate(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ first: string | null }[]>`
    select to_char(min(datestamp) at time zone 'UTC', ${utc}) as first from public_dates`;
  return row!.first;
}
