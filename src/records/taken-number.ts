/** What is said when the number that a record is to have is another record's already. */
import type { Account } from "../caller.ts";
import { type Fault, Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { type Kind, kinds } from "./kinds.ts";
import { visibleTo } from "./visibility.ts";

/** Whether a write failed because of its number. */
export function isTaken(error: unknown): boolean {
  const { code, constraint_name } = (error ?? {}) as { code?: unknown; constraint_name?: unknown };
  return code === "23505" && constraint_name === "records_idno";
}

/**
 * The refusal (409), which names the record that has the number to those who may read it. `idno`: undefined when
 * the catalogue was to choose the number.
 */
export async function takenNumber(
  { sql }: Pick<Services, "sql">,
  caller: Account,
  kind: Kind,
  idno: string | undefined,
  cause: unknown,
): Promise<Problem> {
  const { plural, singular } = kinds[kind];
  const [holder] =
    idno === undefined
      ? []
      : await sql<{ id: string }[]>`
          select r.id from records r
          where r.record_type = ${kind} and r.idno = ${idno} and ${visibleTo(sql, caller)}`;
  const detail = holder
    ? `${JSON.stringify(idno)} is the number of another ${singular} already: /v1/${plural}/${holder.id}`
    : takenFault(kind).detail;
  return new Problem("conflict", detail, { errors: [{ pointer: "/idno", detail }], cause });
}

/** The same to those who may not read the record that has the number. */
export function takenFault(kind: Kind): Fault {
  return {
    pointer: "/idno",
    detail: `The number that ${kinds[kind].one} is to have is another one's already`,
  };
}
