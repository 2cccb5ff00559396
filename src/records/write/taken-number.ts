/** The message for an identification number that is already taken. */
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { type Fault, Problem } from "../../problem.ts";
import type { Services } from "../../services.ts";
import { type Kind, kinds, oneOf } from "../kinds.ts";
import { visibleTo } from "../visibility.ts";

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
    throw isTaken(error) ? await takenNumber(services, caller, kind, idno(), error) : error;
  };
}

/**
 * The refusal (409). It names the record with the number to callers who may read that record. `idno`: undefined if
 * the catalogue chose the number.
 */
async function takenNumber(
  { sql }: Pick<Services, "sql">,
  caller: Account,
  kind: Kind,
  idno: string | undefined,
  cause: unknown,
): Promise<Problem> {
  const [holder] =
    idno === undefined
      ? []
      : await sql<{ id: string }[]>`
          select r.id from records r
          where r.record_type = ${kind} and r.idno = ${idno} and ${visibleTo(sql, caller)}`;
  const fault = takenFault(kind);
  const detail = holder
    ? said("fault.idno.taken_by", {
        idno: idno!,
        kind: oneOf(kind),
        address: `/v1/${kinds[kind].plural}/${holder.id}`,
      })
    : fault.detail;
  return new Problem("conflict", detail, { errors: [fault], cause });
}

/** The same for callers who may not read the record with the number. */
export function takenFault(kind: Kind): Fault {
  return {
    pointer: "/idno",
    detail: said("fault.idno.taken", { kind: oneOf(kind) }),
  };
}
