/** The message for an identification number that is already taken. */
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { type Fault, Problem } from "../../problem.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import { type Kind, kinds, oneOf } from "../kinds.ts";
import { isFindable } from "../read/store.ts";
import type { RecordRow } from "../record.ts";
import { maySee, maySeeDeleted } from "../visibility.ts";

/** Whether a write failed because of its number. */
export function isTaken(error: unknown): boolean {
  const { code, constraint_name } = (error ?? {}) as { code?: unknown; constraint_name?: unknown };
  return code === "23505" && constraint_name === "records_idno";
}

/** Handles the error of a write: the refusal if it failed because of its number, else the error itself. */
export function refuseTaken(
  services: Pick<Services, "sql">,
  caller: Account,
  kind: Kind,
  idno: () => string | undefined,
): (error: unknown) => Promise<never> {
  return async (error) => {
    throw isTaken(error) ? await takenNumber(services.sql, caller, kind, idno(), error) : error;
  };
}

/**
 * The refusal (409). It names the record with the number, or that had it before a merge, to callers who may read that record. `idno`:
 * undefined if the catalogue chose the number.
 */
export async function takenNumber(
  sql: Sql | Tx,
  caller: Account,
  kind: Kind,
  idno: string | undefined,
  cause: unknown,
): Promise<Problem> {
  const [holder] =
    idno === undefined
      ? []
      : await sql<Pick<RecordRow, "id" | "idno" | "record_type" | "status" | "deleted_at">[]>`
          select r.id, r.idno, r.record_type, r.status, r.deleted_at
          from records f join records r on r.id = record_now(f.id)
          where f.record_type = ${kind} and f.idno = ${idno} and ${isFindable(sql)}`;
  const fault = takenFault(kind);
  let { detail } = fault;
  if (holder && maySee(caller, holder)) {
    const address = `/v1/${kinds[kind].plural}/${holder.id}`;
    detail = said("fault.idno.taken_by", { idno: idno!, kind: oneOf(kind), address });
  } else if (holder && maySeeDeleted(caller, holder)) {
    detail = said("fault.idno.merged_into_trash", { idno: idno!, into: holder.idno });
  }
  return new Problem("conflict", detail, { errors: [fault], cause });
}

/** The same for callers who may not read the record with the number. */
export function takenFault(kind: Kind): Fault {
  return {
    pointer: "/idno",
    detail: said("fault.idno.taken", { kind: oneOf(kind) }),
  };
}
