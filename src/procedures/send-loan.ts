/** Sends the objects of an outgoing loan out, and takes them back: their places, their collection status and the dates of the loan. */
import type { Account } from "../caller.ts";
import { said } from "../messages/said.ts";
import { invalid, Problem } from "../problem.ts";
import { inTransaction } from "../records/batch/transaction.ts";
import { CONCERNS, LOAN_OUT } from "../records/links/loans.ts";
import { writeMoves } from "../records/links/moves.ts";
import { currentPlaces, movedAfter } from "../records/links/places.ts";
import { lockByIds } from "../records/read/store.ts";
import { type RecordRow, stateOf } from "../records/record.ts";
import { maySee } from "../records/visibility.ts";
import { demandValid } from "../records/write/rules.ts";
import { updateRecords, writerOf } from "../records/write/store.ts";
import { demandRecord, sameState } from "../records/write/write.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { proposedStatus } from "./follow-up.ts";
import { demandMove, demandPast, lockPlace } from "./move.ts";

export type Way = "out" | "back";

/** Of these objects, those that the loan has sent out and not taken back, each with the place that it left; null: it had none. */
export async function sentOut(
  sql: Sql | Tx,
  loan: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await sql<{ object_id: string; left_id: string | null }[]>`
    select m.object_id, (
      select b.to_id from movements b where b.object_id = m.object_id and b.at < max(m.at) order by b.at desc limit 1) as left_id
    from movements m where m.procedure_id = ${loan} and m.object_id = any(${ids as string[]})
    group by m.object_id having count(*) % 2 = 1`;
  return new Map(rows.map(({ object_id, left_id }) => [object_id, left_id]));
}

/** Out, although the loan did not move it: it had no place, or was lent before the catalogue knew. */
export const isMarkedOut = ({ collection_status }: Pick<RecordRow, "collection_status">): boolean =>
  collection_status === "on_loan_out";

/**
 * One transaction. Objects that are out already, or were taken back, stay as they are. 422 if an object was moved after this day, or
 * cannot go back because its place is in the trash. Returns whether anything changed.
 * @param to a storage location; null: nowhere in the museum (out), or each to the place that it left (back)
 */
export async function sendLoan(
  services: Services,
  caller: Account,
  id: string,
  way: Way,
  { to, day }: { to: string | null; day: string },
): Promise<boolean> {
  demandPast(day, "/day");
  const touched = await inTransaction(services, undefined, async (tx) => {
    const schema = await demandMove(tx, services, caller);
    const loan = await demandRecord(tx, caller, "procedure", id, null);
    if (loan.subtype !== LOAN_OUT) throw new Problem("conflict", said("problem.loan.not_outgoing"));
    const objects = await lockObjects(tx, caller, id);
    const ids = objects.map((row) => row.id);
    const out = await sentOut(tx, id, ids);
    const now = await currentPlaces(tx, ids);
    const goals = new Map<string | null, RecordRow[]>();
    const there: RecordRow[] = [];
    for (const row of objects) {
      const place = now.get(row.id) ?? null;
      const goal = way === "out" ? to : (to ?? (out.has(row.id) ? out.get(row.id)! : place));
      const isMeant = way === "out" ? !out.has(row.id) : out.has(row.id) || isMarkedOut(row);
      if (isMeant && goal !== place) goals.set(goal, [...(goals.get(goal) ?? []), row]);
      else there.push(row);
    }
    const moving = [...goals.values()].flat();
    await demandNotLater(tx, moving, day);
    const after = { ...stateOf(loan), ...(way === "out" ? begun(loan, day) : { end_date: day }) };
    demandValid(schema, "procedure", after, { before: loan.metadata });
    const proposed = await proposedStatus(tx, { id, ...after }, objects, day);
    const changed = (row: RecordRow) => ({
      row,
      after: proposed?.objects.includes(row)
        ? { ...stateOf(row), collection_status: proposed.to }
        : stateOf(row),
    });
    const writer = writerOf(services, caller);
    for (const [goal, rows] of goals) {
      if (goal !== null) await lockPlace(tx, caller, goal);
      await writeMoves(tx, writer, goal, rows.map(changed), { day, procedure: id });
    }
    const stay = there.map(changed).filter((one) => !sameState(stateOf(one.row), one.after));
    await updateRecords(
      tx,
      "object",
      writer,
      stay.map(({ row, after }) => ({ before: row, after, action: "updated" })),
    );
    const isChanged = !sameState(stateOf(loan), after);
    if (isChanged) await updateRecords(tx, "procedure", writer, [{ before: loan, after, action: "updated" }]);
    return { isChanged: isChanged || moving.length + stay.length > 0, ids: [id, ...ids] };
  });
  await services.changed(touched.ids);
  return touched.isChanged;
}

/** A loan that is sent out before it should begin begins then. */
const begun = ({ start_date }: RecordRow, day: string) =>
  start_date === null || start_date > day ? { start_date: day } : {};

async function lockObjects(tx: Tx, caller: Account, loan: string): Promise<RecordRow[]> {
  const linked = await tx<{ from_id: string }[]>`
    select from_id from relations where to_id = ${loan} and relation_type = ${CONCERNS}`;
  const rows = await lockByIds(
    tx,
    "object",
    linked.map(({ from_id }) => from_id),
  );
  return rows.filter((row) => maySee(caller, row));
}

async function demandNotLater(tx: Tx, rows: readonly RecordRow[], day: string): Promise<void> {
  const later = await movedAfter(
    tx,
    rows.map(({ id }) => id),
    day,
  );
  const faults = rows.flatMap(({ id, idno }) => {
    const last = later.get(id);
    return last ? [{ pointer: "/day", detail: said("fault.move.later_of", { idno, day: last }) }] : [];
  });
  if (faults.length > 0) throw invalid(faults.slice(0, 20));
}
