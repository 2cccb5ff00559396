/** Procedures with a due date whose end is open or still to come: loans to be returned, checks to be made. */
import type { Caller } from "../caller.ts";
import { type NamedRow, namesColumn } from "../records/store.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

export type DueProcedure = NamedRow & { subtype: string; due_date: string; is_overdue: boolean };

/** The earliest first. @param today such as `2026-01-31`: earlier due dates are overdue */
export async function dueProcedures(
  sql: Sql,
  caller: Caller,
  today: string,
  limit: number,
): Promise<DueProcedure[]> {
  return sql<DueProcedure[]>`
    select r.id, r.record_type, r.idno, r.status, r.subtype, ${namesColumn(sql)} as names, r.due_date,
      r.due_date < ${today}::date as is_overdue
    from records r
    where r.record_type = 'procedure' and r.due_date is not null
      and (r.end_date is null or r.end_date > ${today}::date) and ${visibleTo(sql, caller)}
    order by r.due_date, r.idno limit ${limit}`;
}
