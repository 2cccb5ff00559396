/** The addresses of public records for crawlers, in files of a fixed size, read from the public dates. */
import type { Kind } from "../../records/kinds.ts";
import { utc } from "../../records/public/dates.ts";
import type { Sql } from "../../services.ts";

/** The most addresses of a sitemap (https://www.sitemaps.org/protocol.html). */
export const MOST_ADDRESSES = 50_000;
/** Rows in memory at once. */
const SLICE = 1_000;

/** One file. `last`: its last id. `moved`: the last change or withdrawal in its range of ids (UTC). */
type Part = { after: string | null; last: string; count: number; moved: string };

/** The file that begins after the record `after`, or null after the last record. */
export async function partAfter(
  sql: Sql,
  kinds: readonly Kind[],
  after: string | null,
): Promise<Part | null> {
  const behind = after === null ? sql`true` : sql`record_id > ${after}`;
  const [row] = await sql<{ last: string | null; count: number; moved: string }[]>`
    with part as materialized (
      select record_id from public_dates
      where ${behind} and fingerprint is not null and record_type = any(${kinds as string[]})
      order by record_id limit ${MOST_ADDRESSES}),
    span as (
      select (select record_id from part order by record_id desc limit 1) as last, (select count(*)::int from part) as count)
    select last, count, (
      select to_char(max(datestamp) at time zone 'UTC', ${utc}) from public_dates
      where ${behind} and (count < ${MOST_ADDRESSES} or record_id <= last)) as moved
    from span`;
  return row?.last ? { ...row, last: row.last, after } : null;
}

/** All files, one statement each. */
export async function allParts(sql: Sql, kinds: readonly Kind[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (let after: string | null = null; ; ) {
    const part: Part | null = await partAfter(sql, kinds, after);
    if (part === null) return parts;
    parts.push(part);
    if (part.count < MOST_ADDRESSES) return parts;
    after = part.last;
  }
}

export type Address = { id: string; record_type: Kind; datestamp: string };

/** The addresses of a file, in batches. */
export async function* addressesOf(
  sql: Sql,
  kinds: readonly Kind[],
  { after, last }: Part,
): AsyncGenerator<Address[]> {
  for (let from = after; ; ) {
    const rows: Address[] = await sql<Address[]>`
      select record_id as id, record_type, to_char(datestamp at time zone 'UTC', ${utc}) as datestamp
      from public_dates
      where fingerprint is not null and (record_type = any(${kinds as string[]})) is true and record_id <= ${last}
        ${from === null ? sql`` : sql`and record_id > ${from}`}
      order by record_id limit ${SLICE}`;
    if (rows.length > 0) yield rows;
    if (rows.length < SLICE) return;
    from = rows.at(-1)!.id;
  }
}

/** The kinds that have public records, with the date of the last change. */
export async function lastChanges(
  sql: Sql,
  kinds: readonly Kind[],
): Promise<{ record_type: Kind; moved: string }[]> {
  return sql<{ record_type: Kind; moved: string }[]>`
    select k.record_type, to_char(d.datestamp at time zone 'UTC', ${utc}) as moved
    from unnest(${kinds as string[]}::text[]) k(record_type) cross join lateral (
      select datestamp from public_dates
      where record_type = k.record_type and fingerprint is not null
      order by datestamp desc limit 1) d`;
}
