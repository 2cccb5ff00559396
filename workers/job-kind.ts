/** The definition of a kind of job: what it does, and how workers run it. */

import type { Job } from "../src/jobs/job.ts";
import type { Progress } from "../src/jobs/queue.ts";
import type { Log } from "../src/log.ts";
import type { Said } from "../src/messages/said.ts";
import type { Services, Sql, Tx } from "../src/services.ts";

/**
 * Reports progress; call it at every step. Progress is written at most twice a second. A `message` is always written, and
 * the last twenty are kept. Throws when the work must stop, so a job that reports at every step needs no other check.
 */
export type Report = (progress: Progress) => Promise<void>;

/**
 * Writes the result so far in the transaction of the work, so that the two always agree. Throws when the work must stop.
 */
export type Remember = (tx: Sql | Tx, result: Record<string, unknown>) => Promise<void>;

export type JobInput = {
  services: Services;
  id: string;
  params: Record<string, unknown>;
  /** Aborts if the job is cancelled, the process stops, another process has the job, or the job reports nothing for too long. */
  signal: AbortSignal;
  report: Report;
  remember: Remember;
  log: Log;
};

export type JobKindWork = {
  /**
   * Must be idempotent: after a kill at any point, it runs again from the beginning. Returns the result to show. A 4xx
   * `Problem` or a `Refusal` is final; the job is retried after any other error.
   */
  run(input: JobInput): Promise<Record<string, unknown>>;
  /**
   * Deletes what a job that was cancelled or has finally failed leaves behind; then the job ends. If somebody retries it, it
   * starts from the beginning.
   */
  abandon?(services: Services, id: string): Promise<void>;
  /** Why the job is not restarted when its process has died, for example because its file may be the cause. */
  orphan?: (job: Pick<Job, "id" | "params">) => Said;
  /** How often the job is retried after a failure. */
  retries: number;
  /** How many jobs of this kind may run at once, in all processes together. */
  concurrency: number;
  /** Milliseconds without a report after which a run counts as hanging; default ten minutes. */
  longestSilenceMs?: number;
};
