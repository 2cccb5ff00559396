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
import type { Services, Sql, Tx } from "../services.ts";
import { inHalves } from "./in-halves.ts";
import type { Kind } from "./kinds.ts";
import type { Projection } from "./projections.ts";
import { publicFingerprints } from "./public-view.ts";

export const publicDates: Projection = {
  target: "public-dates",
  title: "the dates of what is public",
  about: "published",
  isEnabled: () => true,
  fillsItself: true,
  project: (services, ids) =>
    inHalves(
      ids,
      (part) => redate(services, part),
      async () => void (await services.sql`select 1`),
    ),
  idsAfter: async ({ sql }, after, limit) => {
    const rows = await sql<{ id: string }[]>`
      select record_id as id from public_dates ${after === null ? sql`` : sql`where record_id > ${after}`}
      order by record_id limit ${limit}`;
    return rows.map(({ id }) => id);
  },
};

/** Records whose public side is another one than it was get a new date; what never was public has none. */
async function redate(services: Services, ids: readonly string[]): Promise<void> {
  const { sql } = services;
  const prints = await publicFingerprints(services, ids);
  const known = await sql<{ id: string; record_type: Kind; is_dated: boolean; fingerprint: string | null }[]>`
    select r.id, r.record_type, d.record_id is not null as is_dated, d.fingerprint
    from records r left join public_dates d on d.record_id = r.id
    where r.id = any(${ids as string[]}) and r.published_at is not null`;
  const moved = known.filter(
    ({ id, is_dated, fingerprint }) => !is_dated || fingerprint !== (prints.get(id) ?? null),
  );
  if (moved.length === 0) return;
  const rows = moved.map(({ id, record_type }) => ({ id, record_type, fingerprint: prints.get(id) ?? null }));
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${LOCK}))`;
    await saveDates(tx, rows);
  });
}

/** Whoever gives dates has it alone; whoever asks how far they are settled shares it for a moment. */
const LOCK = "public dates";

/** The clock, or behind all dates there are when it was set back. A statement of its own, so that it sees what was waited for. */
async function saveDates(
  tx: Tx,
  rows: readonly { id: string; record_type: Kind; fingerprint: string | null }[],
): Promise<void> {
  await tx`
    insert into public_dates (record_id, record_type, datestamp, fingerprint)
    select x.id, x.record_type, t.next, x.fingerprint
    from json_to_recordset(${tx.json(rows)}::json) as x(id uuid, record_type text, fingerprint text),
      (select case when now >= coalesce(last, now) then now else last + interval '1 second' end as next
        from (select date_trunc('second', clock_timestamp()) as now, (select max(datestamp) from public_dates) as last) c) t
    order by x.id
    on conflict (record_id) do update set datestamp = excluded.datestamp, fingerprint = excluded.fingerprint`;
}

/** Times as OAI-PMH writes them (ISO 8601, UTC, seconds): `2026-11-22T15:04:05Z`. */
const utc = 'YYYY-MM-DD"T"HH24:MI:SS"Z"';

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

/** `withdrawn`: it was public once, and is no more; deleted, purged or taken back. */
export type PublicDate = { id: string; record_type: Kind; datestamp: string; withdrawn: boolean };

export type PublicDatesAsked = {
  /** Both included. */
  from?: string;
  until: string;
  kind?: Kind;
  /** The last one of the page before. */
  after?: Pick<PublicDate, "datestamp" | "id">;
};

/** The next page, by date and id. A record that moves meanwhile comes at the end, or in the next harvest; never in neither. */
export async function publicDatesAfter(
  sql: Sql,
  asked: PublicDatesAsked,
  limit: number,
): Promise<PublicDate[]> {
  const { after } = asked;
  return sql<PublicDate[]>`
    select record_id as id, record_type, to_char(datestamp at time zone 'UTC', ${utc}) as datestamp,
      fingerprint is null as withdrawn
    from public_dates
    where ${within(sql, asked)}
      ${after ? sql`and (datestamp, record_id) > (${after.datestamp}::timestamptz, ${after.id}::uuid)` : sql``}
    order by ${asked.kind ? sql`record_type,` : sql``} public_dates.datestamp, record_id limit ${limit}`;
}

export async function countPublicDates(sql: Sql, asked: Omit<PublicDatesAsked, "after">): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from public_dates where ${within(sql, asked)}`;
  return row!.n;
}

function within(sql: Sql, { from, until, kind }: PublicDatesAsked) {
  return sql`public_dates.datestamp <= ${until}::timestamptz
    ${from === undefined ? sql`` : sql`and public_dates.datestamp >= ${from}::timestamptz`}
    ${kind === undefined ? sql`` : sql`and record_type = ${kind}`}`;
}

/** The first date there is; null while nothing was ever public. */
export async function earliestPublicDate(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ first: string | null }[]>`
    select to_char(min(datestamp) at time zone 'UTC', ${utc}) as first from public_dates`;
  return row!.first;
}
