/** What a procedure changes about its objects, and what it still lacks (Spectrum 5.1: loans, acquisition, deaccession). */
import type { Caller } from "../caller.ts";
import { type Long, offsetOf } from "../http/answer/list-envelope.ts";
import type { CollectionStatus } from "../records/kinds.ts";
import { CONCERNS, LOANS, TAKES_PART } from "../records/links/loans.ts";
import { recordColumns } from "../records/read/store.ts";
import type { RecordRow } from "../records/record.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql, Tx } from "../services.ts";

/** A name of the default schema. */
const CONDITION_CHECK = "condition_check";

/** An object that leaves the museum needs a newer condition report than this. */
const CHECK_IS_GOOD_FOR = "1 year";

type Step = Pick<RecordRow, "id" | "subtype" | "start_date" | "end_date">;
type Proposal = { to: CollectionStatus; from: readonly CollectionStatus[] };

/** The collection status that a procedure proposes when it begins or ends, and for which objects. */
const PROPOSALS: Readonly<Record<string, { begun?: Proposal; ended?: Proposal }>> = {
  loan_out: {
    begun: { to: "on_loan_out", from: ["active"] },
    ended: { to: "active", from: ["on_loan_out"] },
  },
  loan_in: {
    begun: { to: "on_loan_in", from: ["active", "pending"] },
    ended: { to: "returned", from: ["on_loan_in"] },
  },
  acquisition: { ended: { to: "active", from: ["pending", "on_loan_in"] } },
  deaccession_and_disposal: {
    ended: { to: "deaccessioned", from: ["active", "pending", "on_loan_in", "on_loan_out", "returned"] },
  },
};

/** Whether its end has come; an end in the future is planned. @param today such as `2026-01-31` */
const hasEnded = ({ end_date }: Pick<Step, "end_date">, today: string): boolean =>
  end_date !== null && end_date <= today;

function proposalOf({ subtype, start_date, end_date }: Omit<Step, "id">, today: string): Proposal | null {
  const { begun, ended } = PROPOSALS[subtype] ?? {};
  if (hasEnded({ end_date }, today)) return ended ?? null;
  return start_date !== null && start_date <= today ? (begun ?? null) : null;
}

/** A part of the objects of a procedure that the caller may see, ordered by number. `long.total`: how many there are. */
export async function objectsOf(
  sql: Sql,
  caller: Caller,
  procedure: string,
  { part, size }: { part: number; size: number },
): Promise<{ objects: RecordRow[]; long: Long }> {
  const those = sql`
    from relations l join records r on r.id = l.from_id
    where l.to_id = ${procedure} and l.relation_type = ${CONCERNS} and r.record_type = 'object'
      and ${visibleTo(sql, caller)}`;
  const [counted] = await sql<[{ total: number }]>`select count(*)::int as total ${those}`;
  const long = { total: counted.total, size };
  const objects = await sql<RecordRow[]>`
    select ${recordColumns(sql)} ${those} order by r.idno limit ${size} offset ${offsetOf(part, long)}`;
  return { objects, long };
}

/**
 * The collection status that the procedure proposes for some of its objects; null if there is nothing to change. What has ended says
 * nothing about objects that are in another one of its type.
 */
export async function proposedStatus(
  sql: Sql | Tx,
  procedure: Step,
  objects: readonly RecordRow[],
  today: string,
): Promise<{ to: CollectionStatus; objects: RecordRow[] } | null> {
  const proposal = proposalOf(procedure, today);
  if (!proposal) return null;
  const those = objects.filter(
    ({ collection_status }) => collection_status !== null && proposal.from.includes(collection_status),
  );
  const elsewhere = await sql<{ id: string }[]>`
    select l.from_id as id from relations l join records p on p.id = l.to_id
    where l.from_id = any(${those.map(({ id }) => id)}) and l.relation_type = ${CONCERNS}
      and ${hasEnded(procedure, today)} and p.id <> ${procedure.id} and p.subtype = ${procedure.subtype}
      and p.start_date <= ${today}::date and (p.end_date is null or p.end_date > ${today}::date)
      and p.deleted_at is null`;
  const away = new Set(elsewhere.map(({ id }) => id));
  const own = those.filter(({ id }) => !away.has(id));
  return own.length > 0 ? { to: proposal.to, objects: own } : null;
}

/** `objects`, `partner`, `due`: the loan has none. `checks`: numbers of objects without a recent condition check. */
export type LoanGaps = { objects: boolean; partner: boolean; due: boolean; checks: string[] };

/** What an open loan still lacks; null for other procedures. */
export async function loanGaps(
  sql: Sql,
  procedure: RecordRow,
  objects: readonly RecordRow[],
  today: string,
): Promise<LoanGaps | null> {
  if (!LOANS.includes(procedure.subtype) || hasEnded(procedure, today)) return null;
  const [partner] = await sql`
    select 1 from relations l join records r on r.id = l.from_id
    where l.to_id = ${procedure.id} and l.relation_type = ${TAKES_PART} and r.record_type = 'entity'
      and r.deleted_at is null limit 1`;
  const ids = objects.map(({ id }) => id);
  const checked = await sql<{ id: string }[]>`
    select distinct l.from_id as id from relations l join records p on p.id = l.to_id
    where l.from_id = any(${ids}) and l.relation_type = ${CONCERNS} and p.subtype = ${CONDITION_CHECK}
      and p.deleted_at is null
      and coalesce(p.end_date, p.start_date) > ${procedure.start_date ?? today}::date - ${CHECK_IS_GOOD_FOR}::interval`;
  const done = new Set(checked.map(({ id }) => id));
  return {
    objects: objects.length === 0,
    partner: !partner,
    due: procedure.due_date === null,
    checks: objects.filter(({ id }) => !done.has(id)).map(({ idno }) => idno),
  };
}
