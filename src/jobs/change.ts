/** A job for somebody who asks about it: whether they may see it, stop it and repeat it. */
import { type Account, type Caller, mayUse, refuse } from "../caller.ts";
import { Problem } from "../problem.ts";
import type { Sql } from "../services.ts";
import { isOver, type Job } from "./job.ts";
import { JOBS_READ, maySee } from "./shown.ts";
import { cancelJob, findJob, retryJob } from "./store.ts";

/** Who may not see jobs of others is not told which there are. */
export async function demandJob(sql: Sql, caller: Caller, id: string): Promise<Job> {
  const job = await findJob(sql, id);
  if (!(job ? maySee(caller, job) : mayUse(caller, JOBS_READ))) {
    throw refuse(caller, `${JOBS_READ}, which jobs of others need`);
  }
  if (!job)
    throw new Problem(
      "not_found",
      `There is no job ${id}; jobs are forgotten some weeks after their end, and are not in backups`,
    );
  return job;
}

/** Whoever asked for a job may stop and repeat it; everybody else's only who keeps the service. */
export const mayChange = (caller: Account, job: Job): boolean =>
  job.created_by === caller.id || mayUse(caller, "settings:manage");

export function demandMayChange(caller: Account, job: Job): void {
  if (!mayChange(caller, job)) throw refuse(caller, "settings:manage, which jobs of others need");
}

/** One that waits is cancelled; one that runs is asked to stop. 409 when it is over. */
export async function cancelFor(sql: Sql, caller: Account, id: string): Promise<Job> {
  const job = await demandJob(sql, caller, id);
  demandMayChange(caller, job);
  const cancelled = (await cancelJob(sql, job.id)) ?? (await demandJob(sql, caller, job.id));
  if (cancelled.state === "cancelled" || !isOver(cancelled)) return cancelled;
  throw new Problem("conflict", `The job is ${cancelled.state} already: there is nothing to cancel`);
}

/** Puts it in again; 409 unless it failed or was cancelled. */
export async function retryFor(sql: Sql, caller: Account, id: string): Promise<Job> {
  const job = await demandJob(sql, caller, id);
  demandMayChange(caller, job);
  const again = await retryJob(sql, job.id);
  if (again) return again;
  const { state } = await demandJob(sql, caller, job.id);
  throw new Problem("conflict", `The job is ${state}: only what failed or was cancelled can be put in again`);
}
