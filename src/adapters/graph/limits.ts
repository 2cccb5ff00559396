/** The limits of queries, and their messages. */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";

/** Characters or bytes of an answer. */
export const LARGEST_ANSWER: number = 64 * 1024 * 1024;

export type GraphLimits = { timeoutSeconds: number; largest?: number };

export const timedOut = (seconds: number): Problem =>
  new Problem("timed_out", said("problem.sparql.stopped", { seconds }));

export const othersWait = (ms: number): Problem =>
  new Problem("timed_out", said("problem.sparql.stopped_for_others", { seconds: Math.round(ms / 1_000) }));

/** Nobody reads this: the client has left. */
export const clientGone = (): Problem => new Problem("timed_out", said("problem.sparql.client_gone"));

export const tooComplex = (): Problem => new Problem("too_large", said("problem.sparql.too_complex"));

export const tooLarge = (largest: number): Problem =>
  new Problem(
    "too_large",
    said("problem.sparql.too_large", { size: said("size.mib", { count: largest >> 20 }) }),
  );
