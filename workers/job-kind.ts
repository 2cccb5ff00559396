/** The definition of a kind of job: what it does, and how workers run it. */

import type { Job } from "../src/jobs/job.ts";
import type { Progress } from "../src/jobs/queue.ts";
import type { Log } from "../src/log.ts";
import type { Said } from "../src/messages/said.ts";
import type { Services, Sql, Tx } from "../src/services.ts";

/**
 * Reports progress; call it at every step. It is written at most twice a second. A `message` is always written, and
 * the last twenty are kept. Throws when the work must stop, so a job that reports at every step needs no other check.
 */
export type Report = (progress: Progress) => Promise<void>;

/**
 * Writes the result so far, in the transaction of the work, so that the two always agree. Throws when the work must
 * stop.
 */
export type Remember = (tx: Sql | Tx, result: Record<string, unknown>) => Promise<void>;

export type JobInput = {
  services: Services;
  id: string;
  params: Record<string, unknown>;
  /** Aborted if the job was cancelled, the process stops, another process has the job, or it reported nothing for too long. */
  signal: AbortSignal;
  report: Report;
  remember: Remember;
  log: Log;
};

export type JobKindWork = {
  /**
   * Must be idempotent: after a kill at any point it runs again from the beginning. Returns the result to show. A 4xx
   * `Problem` or a `Refusal` is final; after any other error it is retried.
   */
  run(input: JobInput): Promise<Record<string, unknown>>;
  /**
   * Deletes what a cancelled or finally failed job has left; then the job ends. If it is retried later, it starts
   * from the beginning.
   */
  abandon?(services: Services, id: string): Promise<void>;
  /** Why it is not restarted automatically after its process died: the uploaded file may have caused that. */
  orphan?: (job: Pick<Job, "id" | "params">) => Said;
  /** How often it is retried after a failure. */
  retries: number;
  /** How many may run at once, in all processes together. */
  concurrency: number;
  /** Milliseconds without a report after which a run counts as hanging; default ten minutes. */
  longestSilenceMs?: number;
};
