/** The transaction of a part of a batch, and what its failures mean. */
import { Problem } from "../problem.ts";
import type { Services, Tx } from "../services.ts";

/** In a transaction of its own, which begins again when it crosses another; or as a part of the caller's. */
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

/** Deadlocks pass; and when somebody took a number between our look and our write, the next look sees it. */
function attemptsAt(error: unknown): number {
  const { code, constraint_name } = error as { code?: unknown; constraint_name?: string };
  if (code === "40001" || code === "40P01") return 5;
  return code === "23505" && constraint_name === "records_idno" ? 2 : 1;
}

/** What the database refuses because of the data (SQLSTATE classes 22, 23, 54): the item's fault and nobody else's. */
export function dataProblem(error: unknown): Problem | null {
  const { code, constraint_name } = error as { code?: unknown; constraint_name?: string };
  if (typeof code !== "string" || !/^(22|23|54)[0-9A-Z]{3}$/.test(code)) return null;
  return new Problem("invalid", `the database does not take it (${constraint_name ?? code})`, {
    cause: error,
  });
}
