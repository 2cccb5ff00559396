/** Procedures with a due date whose end is open or still to come: loans to be returned, checks to be made. */
import type { Caller } from "../caller.ts";
import { type Long, offsetOf } from "../http/answer/list-envelope.ts";
import { type NamedRow, namesColumn } from "../records/read/store.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

export type DueProcedure = NamedRow & { subtype: string; due_date: string; is_overdue: boolean };

/** `week`: today or on the six days after it. */
export const DUE_WHEN = ["overdue", "week"] as const;
export type DueWhen = (typeof DUE_WHEN)[number];

/** @param today such as `2026-01-31`: earlier due dates are overdue. @param when all without it */
function openAndDue(sql: Sql, caller: Caller, today: string, when?: DueWhen) {
  const day = sql`${today}::date`;
  const due = {
    overdue: sql`and r.due_date < ${day}`,
    week: sql`and r.due_date between ${day} and ${day} + 6`,
  };
  return sql`
    from records r
    where r.record_type = 'procedure' and r.due_date is not null
      and (r.end_date is null or r.end_date > ${day}) and ${visibleTo(sql, caller)} ${when ? due[when] : sql``}`;
}

export async function countDue(sql: Sql, caller: Caller, today: string, when?: DueWhen): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total ${openAndDue(sql, caller, today, when)}`;
  return row.total;
}

/** A part of them, the earliest first. */
export async function dueProcedures(
  sql: Sql,
  caller: Caller,
  today: string,
  { part, size, when }: { part: number; size: number; when?: DueWhen | undefined },
): Promise<{ due: DueProcedure[]; long: Long }> {
  const long = { total: await countDue(sql, caller, today, when), size };
  const due = await sql<DueProcedure[]>`
    select r.id, r.record_type, r.idno, r.status, r.subtype, ${namesColumn(sql)} as names, r.due_date,
      r.due_date < ${today}::date as is_overdue
    ${openAndDue(sql, caller, today, when)} order by r.due_date, r.idno limit ${size} offset ${offsetOf(part, long)}`;
  return { due, long };
}
