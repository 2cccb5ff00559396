/** Loans (Spectrum 5.1, lending objects): an object can be on one loan at a time. */
import { said } from "../../messages/said.ts";
import { invalidAt } from "../../problem.ts";
import type { Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";

/** Names of the default schema. An installation without them has no rule. */
export const LOAN_OUT = "loan_out";
export const LOANS: readonly string[] = ["loan_in", LOAN_OUT];
export const CONCERNS = "subject_of_procedure";
export const TAKES_PART = "participated_in";

type LoanState = { subtype: string; end_date: string | null };
type Change = {
  before: LoanState & { id: string; deleted_at: string | null };
  after: LoanState;
  deleted?: boolean;
};

const isOpen = ({ subtype, end_date }: LoanState): boolean => subtype === LOAN_OUT && end_date === null;

/** 422 if one of these links puts an object on a second open loan. Called after they were written. */
export async function demandOneLoanOfLinks(
  tx: Tx,
  links: readonly { relation_type: string; from_id: string; to_id: string }[],
): Promise<void> {
  const own = links.filter(({ relation_type }) => relation_type === CONCERNS);
  if (own.length > 0) {
    await demandOneLoan(
      tx,
      own.map(({ to_id }) => to_id),
      own.map(({ from_id }) => from_id),
    );
  }
}

/** 422 if one of these procedures becomes an open loan with an object that is on another one. Called after they were written. */
export async function demandOneLoanOfChanges(tx: Tx, kind: Kind, changes: readonly Change[]): Promise<void> {
  if (kind !== "procedure") return;
  const opened = changes.filter(
    ({ before, after, deleted }) =>
      isOpen(after) &&
      !(deleted ?? before.deleted_at !== null) &&
      !(isOpen(before) && before.deleted_at === null),
  );
  const ids = opened.map(({ before }) => before.id);
  if (ids.length > 0) await demandOneLoan(tx, ids, null);
}

/** `objects` null: all objects of the loans. */
async function demandOneLoan(
  tx: Tx,
  loans: readonly string[],
  objects: readonly string[] | null,
): Promise<void> {
  const open = (name: "p" | "q") => {
    const row = tx(name);
    return tx`${row}.subtype = ${LOAN_OUT} and ${row}.end_date is null and ${row}.deleted_at is null`;
  };
  const [first] = await tx<{ id: string }[]>`
    select p.id from records p where p.id = any(${loans as string[]}) and ${open("p")} limit 1`;
  if (!first) return;
  // so that two simultaneous loans see each other
  await tx`select pg_advisory_xact_lock(hashtext('loans'))`;
  const [twice] = await tx<{ idno: string }[]>`
    select o.idno
    from relations l
    join records p on p.id = l.to_id and ${open("p")}
    join relations m on m.from_id = l.from_id and m.relation_type = l.relation_type and m.to_id <> l.to_id
    join records q on q.id = m.to_id and ${open("q")}
    join records o on o.id = l.from_id
    where l.relation_type = ${CONCERNS} and l.to_id = any(${loans as string[]})
      ${objects === null ? tx`` : tx`and l.from_id = any(${objects as string[]})`}
    order by o.idno limit 1`;
  if (!twice) return;
  const detail = said("fault.loan.twice", { idno: twice.idno });
  throw invalidAt(objects === null ? "/end_date" : "/to_id", detail);
}
