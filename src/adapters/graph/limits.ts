/** The limits of queries, and their messages. */
import { Problem } from "../../problem.ts";

/** Characters or bytes of an answer. */
export const LARGEST_ANSWER: number = 64 * 1024 * 1024;

export type GraphLimits = { timeoutSeconds: number; largest?: number };

export const timedOut = (seconds: number): Problem =>
  new Problem("timed_out", `The query was stopped after ${seconds} seconds; narrow it down`);

export const othersWait = (ms: number): Problem =>
  new Problem(
    "timed_out",
    `The query was stopped after ${Math.round(ms / 1_000)} seconds, because others wait; narrow it down`,
  );

/** Nobody reads this: the client has left. */
export const clientGone = (): Problem =>
  new Problem("timed_out", "The query was stopped because the client has gone");

export const tooComplex = (): Problem =>
  new Problem(
    "too_large",
    "The query needs more memory than is available, or is nested too deeply; simplify it",
  );

export const tooLarge = (largest: number): Problem =>
  new Problem("too_large", `The answer is larger than ${largest >> 20} MiB; ask with LIMIT and OFFSET`);
