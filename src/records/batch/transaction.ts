/** The transaction of a part of a batch, and the meaning of its errors. */
import { storageProblem } from "../../http/requests.ts";
import { said } from "../../messages/said.ts";
import { Problem, type ProblemCode } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import { isTaken } from "../write/taken-number.ts";

type Parts<Item, Done> = {
  /** Writes all of them, or nothing. */
  work(part: readonly Item[]): Promise<Done>;
  /** Called for an item that is refused on its own. */
  refused(item: Item, problem: Problem): Done | Promise<Done>;
  /** Problems with these codes refuse no item but end everything. */
  ends: readonly ProblemCode[];
};

/**
 * Works on the items in their order. A part that is refused is halved until the bad item is alone. Returns the result of
 * each part. (`inHalves` is for targets outside the transaction, which may be unavailable.)
 */
export async function inParts<Item, Done>(items: readonly Item[], parts: Parts<Item, Done>): Promise<Done[]> {
  if (items.length === 0) return [];
  try {
    return [await parts.work(items)];
  } catch (error) {
    const problem = problemIn(error, parts.ends);
    if (items.length === 1) return [await parts.refused(items[0]!, problem)];
    const middle = Math.ceil(items.length / 2);
    const first = await inParts(items.slice(0, middle), parts);
    return [...first, ...(await inParts(items.slice(middle), parts))];
  }
}

/** The problem for which an item is refused. Throws the error if it is not the fault of an item, or ends everything. */
export function problemIn(error: unknown, ends: readonly ProblemCode[]): Problem {
  const problem = error instanceof Problem ? error : (storageProblem(error) ?? dataProblem(error));
  if (!problem || ends.includes(problem.code)) throw error;
  return problem;
}

/** Runs in its own transaction, which is retried after a conflict, or as a part of the caller's. */
export async function inTransaction<T>(
  services: Services,
  within: Tx | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (within) return (await within.savepoint(work)) as T;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await services.sql.begin("isolation level read committed", work)) as T;
    } catch (error) {
      if (attempt >= attemptsAt(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * attempt));
    }
  }
}

/** Thrown to roll back. */
class TriedOut extends Error {}

/** Does the work in a transaction, which is rolled back unless the work is to stay. Returns what it did, or would do. */
export async function tryOut<T>(
  services: Services,
  work: (tx: Tx) => Promise<T>,
  staysIf: (done: T) => boolean = () => false,
): Promise<T> {
  let done: T | undefined;
  await inTransaction(services, undefined, async (tx) => {
    done = await work(tx);
    if (!staysIf(done)) throw new TriedOut();
  }).catch((error) => {
    if (!(error instanceof TriedOut)) throw error;
  });
  return done as T;
}

/** Deadlocks are temporary; and a number that was taken between our query and our write is found by the next query. */
function attemptsAt(error: unknown): number {
  const { code } = error as { code?: unknown };
  if (code === "40001" || code === "40P01") return 5;
  return isTaken(error) ? 2 : 1;
}

/** Errors caused by the data of the item (SQLSTATE classes 22, 23, 54). */
function dataProblem(error: unknown): Problem | null {
  const { code, constraint_name } = error as { code?: unknown; constraint_name?: string };
  if (typeof code !== "string" || !/^(22|23|54)[0-9A-Z]{3}$/.test(code)) return null;
  return new Problem("invalid", said("problem.database.refuses", { reason: constraint_name ?? code }), {
    cause: error,
  });
}
