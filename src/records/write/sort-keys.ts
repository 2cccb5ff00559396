/** The keys by which lists sort; also for records that have none yet: after an upgrade, or from an export. */
import type { Sql } from "../../services.ts";
import { numberKey, sortKey } from "../../text.ts";
import { parseEdtf } from "../dates/edtf.ts";
import type { Metadata } from "../record.ts";
import { vacuumAfter } from "./table-maintenance.ts";

/** Records per batch; other queries use the embedded database's only session in between. */
const BATCH = 200;

/** The field by which records are sorted by date. */
export const MADE = "date";

/** In days since 1970-01-01; of a span without a beginning, its end. Null without a date. */
export function firstDay(metadata: Metadata): number | null {
  const days = (metadata[MADE] ?? []).flatMap(({ value }) => {
    const date = parseEdtf(value);
    return date?.earliestDay ?? date?.latestDay ?? [];
  });
  return days.length === 0 ? null : Math.min(...days);
}

/** What sorts behind every date. */
const UNDATED = "~";

export const sortKeysOf = (idno: string, title: string, metadata: Metadata) => ({
  sort_idno: numberKey(idno),
  sort_title: sortKey(title),
  sort_date: dateKey(firstDay(metadata)),
});

/** Sorts as the day does, which may be before 1970. */
export const dateKey = (day: number | null): string =>
  day === null ? UNDATED : String(BigInt(day) + 2n ** 53n).padStart(17, "0");

/** @param stopped whether to leave the rest to the next call */
export async function makeSortKeys(
  sql: Sql,
  stopped: () => boolean | Promise<boolean> = () => false,
): Promise<void> {
  let made = 0;
  while (!(await stopped())) {
    const rows = await sql<{ id: string; idno: string; title: string; metadata: Metadata }[]>`
      select id, idno, title, metadata from records where sort_date = '' and purged_at is null order by id limit ${BATCH}`;
    if (rows.length === 0) break;
    const keys = rows.map(({ id, idno, title, metadata }) => ({ id, ...sortKeysOf(idno, title, metadata) }));
    // a record that is written meanwhile gets its keys from the writer
    await sql`
      update records r set sort_idno = x.sort_idno, sort_title = x.sort_title, sort_date = x.sort_date
      from json_to_recordset(${sql.json(keys)}::json) as x(id uuid, sort_idno text, sort_title text, sort_date text)
      where r.id = x.id and r.sort_date = ''`;
    made += rows.length;
  }
  await vacuumAfter(sql, "records", made);
}
