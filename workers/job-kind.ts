/** What a kind of job is for the workers: what it does, and how it is treated. */
import type { Progress } from "../src/jobs/queue.ts";
import type { Log } from "../src/log.ts";
import type { Services, Sql, Tx } from "../src/services.ts";

/**
 * Says how far it is: at every step, it is written twice a second at most; a `message` always is, and the last twenty are
 * kept. Throws when the work is to stop, so that a job which reports at every step needs to look at nothing else.
 */
export type Report = (progress: Progress) => Promise<void>;

/**
 * Writes what came of it so far in a transaction of the work's own: what that makes is never there without the job's
 * knowing. Throws when the work is to stop.
 */
export type Remember = (tx: Sql | Tx, result: Record<string, unknown>) => Promise<void>;

export type JobInput = {
  services: Services;
  id: string;
  params: Record<string, unknown>;
  /** Aborted when it was cancelled, the process stops, somebody else has the job, or it said nothing for too long. */
  signal: AbortSignal;
  report: Report;
  remember: Remember;
  log: Log;
};

export type JobKindWork = {
  /**
   * May run again from its beginning, after a kill at any point: what it does twice must be as if done once. Answers what
   * is shown as the result. A `Problem` of the 4xx kind or a `Refusal` is final; whatever else it throws is tried again.
   */
  run(input: JobInput): Promise<Record<string, unknown>>;
  /**
   * Throws away what a job of this kind has left that is cancelled, or will not be tried again. Once it is done, the job
   * ends; begun again later, it begins from the start.
   */
  abandon?(services: Services, id: string): Promise<void>;
  /** Why it is not begun again by itself once its process has died: what people sent may have killed it. */
  orphan?: (id: string) => string;
  /** How often it is tried again after a failure. */
  retries: number;
  /** How many may run at once, in all processes together. */
  concurrency: number;
  /** A run that reports nothing for so long hangs; ten minutes unless said otherwise. */
  longestSilenceMs?: number;
};
