/** A job that a command has put in: watched, and done here when no service runs. */
import { setTimeout } from "node:timers/promises";
import { isOver, type Job } from "../src/jobs/job.ts";
import type { JobKind } from "../src/jobs/kinds.ts";
import { findJob } from "../src/jobs/store.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { isAlive } from "../workers/heartbeat.ts";
import { KIND_WORK } from "../workers/job-kinds.ts";
import { type JobLoop, startJobLoop } from "../workers/job-loop.ts";
import { PACE } from "../workers/pace.ts";
import { openProgress } from "./progress.ts";

/** Between two looks at a job that another process does. */
const LOOK_MS = 200;

/** To the end of the job. Where nobody works, this process does. */
export async function followJob(
  services: Services,
  kind: JobKind,
  id: string,
  signal: AbortSignal,
): Promise<Job> {
  const { sql } = services;
  const progress = openProgress();
  let own: JobLoop | null = null;
  try {
    for (;;) {
      const job = await findJob(sql, id);
      if (!job) throw new Refusal("The job is gone: somebody has emptied the catalogue");
      if (isOver(job)) return job;
      if (!own && !(await isAlive(services)))
        own = startJobLoop(services, { [kind]: KIND_WORK[kind] }, PACE, async () => undefined);
      const waits = job.state === "queued" ? `waits for its turn${job.reason ? `: ${job.reason}` : ""}` : "";
      const part = job.total === null ? undefined : job.done / Math.max(1, job.total);
      progress.show(part, waits || `${job.done} records`);
      await setTimeout(LOOK_MS, undefined, { signal });
    }
  } finally {
    progress.clear();
    await own?.stop();
  }
}

/** Why a job that is over was not done. */
export const endOf = ({ state, reason }: Job): string =>
  state === "cancelled" ? "the job was cancelled" : (reason ?? "the job failed");
