/** Whether a caller may see, cancel and retry a job. */

import { type Account, type Caller, mayUse, refuse } from "../caller.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Sql } from "../services.ts";
import { isOver, type Job } from "./job.ts";
import { JOBS_READ, maySee } from "./shown.ts";
import { cancelJob, findJob, findNamedFile, retryJob } from "./store.ts";

/** Callers who may not see other accounts' jobs do not learn which exist. */
export async function demandJob(sql: Sql, caller: Caller, id: string): Promise<Job> {
  const job = await findJob(sql, id);
  if (!(job ? maySee(caller, job) : mayUse(caller, JOBS_READ))) {
    throw refuse(caller, `${JOBS_READ}, which the jobs of others need`);
  }
  if (!job) throw new Problem("not_found", said("problem.job.not_found", { id }));
  return job;
}

/** The account that started a job may cancel and retry it; the jobs of others need settings:manage. */
export const mayChange = (caller: Account, job: Job): boolean =>
  job.created_by === caller.id || mayUse(caller, "settings:manage");

export function demandMayChange(caller: Account, job: Job): void {
  if (!mayChange(caller, job)) throw refuse(caller, "settings:manage, which the jobs of others need");
}

/** Cancels a waiting job; asks a running one to stop. 409 if it has ended. */
export async function cancelFor(sql: Sql, caller: Account, id: string): Promise<Job> {
  const job = await demandJob(sql, caller, id);
  demandMayChange(caller, job);
  const cancelled = (await cancelJob(sql, job.id)) ?? (await demandJob(sql, caller, job.id));
  if (cancelled.state === "cancelled" || !isOver(cancelled)) return cancelled;
  throw new Problem("conflict", said("problem.job.over", { state: cancelled.state }));
}

/** Queues it again; 409 unless it failed or was cancelled, and if it reads a file on the server: only the operator may. */
export async function retryFor(sql: Sql, caller: Account, id: string): Promise<Job> {
  const job = await demandJob(sql, caller, id);
  demandMayChange(caller, job);
  if (await findNamedFile(sql, job.id)) throw new Problem("conflict", said("problem.job.named_file", { id }));
  const again = await retryJob(sql, job.id);
  if (again) return again;
  const { state } = await demandJob(sql, caller, job.id);
  throw new Problem("conflict", said("problem.job.not_retryable", { state }));
}
