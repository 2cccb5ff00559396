/** Procedures with a due date whose end is open or still to come: loans to be returned, checks to be made. */
import type { Caller } from "../caller.ts";
import { type Long, offsetOf } from "../http/answer/list-envelope.ts";
import { TAKES_PART } from "../records/links/loans.ts";
import { type NamedRow, namesColumn } from "../records/read/store.ts";
import type { Metadata } from "../records/record.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql } from "../services.ts";

export type DueProcedure = NamedRow & { subtype: string; due_date: string; is_overdue: boolean };

/** `week`: today or on the six days after it. */
export const DUE_WHEN = ["overdue", "week"] as const;
export type DueWhen = (typeof DUE_WHEN)[number];

/** @param today such as `2026-01-31`: earlier due dates are overdue. @param when all without it */
function openAndDue(sql: Sql, caller: Caller, today: string, when?: DueWhen, subtype?: string) {
  const day = sql`${today}::date`;
  const due = {
    overdue: sql`and r.due_date < ${day}`,
    week: sql`and r.due_date between ${day} and ${day} + 6`,
  };
  return sql`
    from records r
    where r.record_type = 'procedure' and r.due_date is not null
      and (r.end_date is null or r.end_date > ${day}) and ${visibleTo(sql, caller)} ${when ? due[when] : sql``}
      ${subtype === undefined ? sql`` : sql`and r.subtype = ${subtype}`}`;
}

export async function countDue(...which: Parameters<typeof openAndDue>): Promise<number> {
  const [sql] = which;
  const [row] = await sql<[{ total: number }]>`select count(*)::int as total ${openAndDue(...which)}`;
  return row.total;
}

export type DuePart = {
  part: number;
  size: number;
  when?: DueWhen | undefined;
  subtype?: string | undefined;
};

/** A part of them, the earliest first. */
export async function dueProcedures(
  sql: Sql,
  caller: Caller,
  today: string,
  { part, size, when, subtype }: DuePart,
): Promise<{ due: DueProcedure[]; long: Long }> {
  const which = [sql, caller, today, when, subtype] as const;
  const long = { total: await countDue(...which), size };
  const due = await sql<DueProcedure[]>`
    select r.id, r.record_type, r.idno, r.status, r.subtype, ${namesColumn(sql)} as names, r.due_date,
      r.due_date < ${today}::date as is_overdue
    ${openAndDue(...which)} order by r.due_date, r.idno limit ${size} offset ${offsetOf(part, long)}`;
  return { due, long };
}

/** Somebody who takes part in a procedure, such as a borrower. */
export type Partner = NamedRow & { procedure_id: string; metadata: Metadata };

export async function partnersOf(sql: Sql, caller: Caller, ids: readonly string[]): Promise<Partner[]> {
  return sql<Partner[]>`
    select l.to_id as procedure_id, l.metadata, r.id, r.record_type, r.idno, r.status, ${namesColumn(sql)} as names
    from relations l join records r on r.id = l.from_id
    where l.to_id = any(${ids as string[]}) and l.relation_type = ${TAKES_PART} and r.record_type = 'entity'
      and ${visibleTo(sql, caller)}
    order by l.created_at, l.id`;
}
