/** Procedures with a due date whose end is open or still to come: loans to be returned, checks to be made. */
import type { Caller } from "../caller.ts";
import { type Long, offsetOf } from "../http/answer/list-envelope.ts";
import { type NamedRow, namesColumn } from "../records/read/store.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

export type DueProcedure = NamedRow & { subtype: string; due_date: string; is_overdue: boolean };

/** A part of them, the earliest first. @param today such as `2026-01-31`: earlier due dates are overdue */
export async function dueProcedures(
  sql: Sql,
  caller: Caller,
  today: string,
  { part, size }: { part: number; size: number },
): Promise<{ due: DueProcedure[]; long: Long }> {
  const those = sql`
    from records r
    where r.record_type = 'procedure' and r.due_date is not null
      and (r.end_date is null or r.end_date > ${today}::date) and ${visibleTo(sql, caller)}`;
  const [{ total }] = await sql<[{ total: number }]>`select count(*)::int as total ${those}`;
  const long = { total, size };
  const due = await sql<DueProcedure[]>`
    select r.id, r.record_type, r.idno, r.status, r.subtype, ${namesColumn(sql)} as names, r.due_date,
      r.due_date < ${today}::date as is_overdue
    ${those} order by r.due_date, r.idno limit ${size} offset ${offsetOf(part, long)}`;
  return { due, long };
}
