/** The transaction of a part of a batch, and the meaning of its errors. */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import { isTaken } from "../write/taken-number.ts";

/** Runs in its own transaction, which is retried after a conflict, or as a part of the caller's. */
export async function inTransaction<T>(
  services: Services,
  within: Tx | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (within) return (await within.savepoint(work)) as T;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await services.sql.begin(work)) as T;
    } catch (error) {
      if (attempt >= attemptsAt(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * attempt));
    }
  }
}

/** Deadlocks are temporary; and a number that was taken between our query and our write is found by the next query. */
function attemptsAt(error: unknown): number {
  const { code } = error as { code?: unknown };
  if (code === "40001" || code === "40P01") return 5;
  return isTaken(error) ? 2 : 1;
}

/** Errors caused by the data of the item (SQLSTATE classes 22, 23, 54). */
export function dataProblem(error: unknown): Problem | null {
  const { code, constraint_name } = error as { code?: unknown; constraint_name?: string };
  if (typeof code !== "string" || !/^(22|23|54)[0-9A-Z]{3}$/.test(code)) return null;
  return new Problem("invalid", said("problem.database.refuses", { reason: constraint_name ?? code }), {
    cause: error,
  });
}
