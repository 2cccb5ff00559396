/**
 * Queues each job of the timetable for the last time at which it was due, unless it was already queued for that time. Runs
 * every minute. So a missed job (nothing ran, a laptop slept, the database was away) is queued later, and only once, and a
 * clock that is set back queues none twice.
 */
import { Cron } from "croner";
import type { Config } from "../src/config/read.ts";
import { newId } from "../src/ids.ts";
import type { JobKind } from "../src/jobs/kinds.ts";
import { insertDueJob } from "../src/jobs/store.ts";
import type { Services } from "../src/services.ts";

export type DueJob = {
  kind: JobKind;
  /** The last time up to `now` at which the job was due; null: never. */
  lastDue(config: Config, now: Date): Date | null;
  /** Whether there is anything to do. Default: always. */
  isNeeded?(services: Services): Promise<boolean>;
  /** A due job is skipped if another one was due within this many seconds before it and has not failed. Default 0. */
  apart?(config: Config, dueAt: Date): number;
};

/** Due at the times of a cron pattern, in TZ. */
export function at(pattern: string): DueJob["lastDue"] {
  return ({ timeZone }, now) => {
    const cron = new Cron(pattern, { timezone: timeZone, paused: true });
    // croner searches before the given second
    return cron.previousRuns(1, new Date(now.getTime() + 1_000))[0] ?? null;
  };
}

export async function enqueueDueJobs(
  services: Services,
  jobs: readonly DueJob[],
  now: Date = new Date(),
): Promise<void> {
  const { sql, config, log } = services;
  for (const { kind, lastDue, isNeeded, apart } of jobs) {
    const dueAt = lastDue(config, now);
    if (!dueAt || (isNeeded && !(await isNeeded(services)))) continue;
    const job = { id: newId(), kind, dueAt, apart: apart?.(config, dueAt) ?? 0 };
    if (await insertDueJob(sql, job)) log.debug("job is due", { kind });
  }
}
