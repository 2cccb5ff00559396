/** The problem that something ends with. */
import { Problem } from "../../src/problem.ts";

export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof Problem) return thrown;
  throw thrown ?? new Error("no problem was thrown");
}
