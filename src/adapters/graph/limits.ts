/** How much a query may ask for, and what is said to one that asks for more. */
import { Problem } from "../../problem.ts";

/** Characters or bytes of an answer. */
export const LARGEST_ANSWER: number = 64 * 1024 * 1024;

export type GraphLimits = { timeoutSeconds: number; largest?: number };

export const timedOut = (seconds: number): Problem =>
  new Problem("timed_out", `The query was stopped after ${seconds} seconds; ask for less`);

/** Told to nobody. */
export const left = (): Problem =>
  new Problem("timed_out", "The query was stopped, since nobody waits for its answer");

export const tooMuch = (): Problem =>
  new Problem("too_large", "The query needs more memory than there is, or is nested too deep; ask for less");

export const tooLarge = (largest: number): Problem =>
  new Problem("too_large", `The answer is larger than ${largest >> 20} MiB; ask with LIMIT and OFFSET`);
