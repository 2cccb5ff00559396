/** Follows a job that a command queued, and prints its result. Runs the job here if no service is running. */

import { setTimeout } from "node:timers/promises";
import { isOver, type Job, jobJson } from "../../src/jobs/job.ts";
import type { JobKind } from "../../src/jobs/kinds.ts";
import { type Said, said, type Told, toldFrom } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { Refusal } from "../../src/refusal.ts";
import { isAlive } from "../../workers/heartbeat.ts";
import type { JobLoop } from "../../workers/job-loop.ts";
import { TIMING } from "../../workers/timing.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { openProgress } from "../terminal/progress.ts";
import { print } from "../terminal/words.ts";
import type { Door } from "./door.ts";

/** Milliseconds between two looks at a job that another process runs. */
export const LOOK_MS = 200;

type Sentences = {
  /** Print the job as the API does, and nothing else. */
  json: boolean;
  /** What a job that was not done has left, for an error message: "The search index did not change". */
  failure: (job: Job) => Told;
  /** What a job has done. */
  summary: (job: Job) => Told;
};

/** What all commands that queue a job share. Returns the job when it is done; throws a Refusal if it was not. */
export async function finishJob(
  door: Door,
  kind: JobKind,
  id: string,
  { json, failure, summary }: Sentences,
): Promise<Job> {
  const job = await interruptible(said("cli.job.interrupted", { id }), (signal) =>
    followJob(door, kind, id, signal),
  );
  if (json) console.log(JSON.stringify(jobJson(ENGLISH, job)));
  if (job.state !== "done")
    throw new Refusal(said("cli.job.failed", { what: failure(job), reason: endOf(job) }));
  if (!json) print(summary(job));
  return job;
}

/** Follows the job to its end. If no worker runs, this process does the work. */
async function followJob(door: Door, kind: JobKind, id: string, signal: AbortSignal): Promise<Job> {
  const progress = openProgress();
  let own: JobLoop | null = null;
  try {
    for (;;) {
      const job = await door.call("job", { id });
      if (!job) throw new Refusal(said("cli.job.gone"));
      if (isOver(job)) return job;
      // a service that has the data directory open works itself
      if (door.own && !own && !(await isAlive(door.own))) {
        const { KIND_WORK } = await import("../../workers/job-kinds.ts");
        const { startJobLoop } = await import("../../workers/job-loop.ts");
        own = startJobLoop(door.own, { [kind]: KIND_WORK[kind] }, TIMING);
      }
      const part = job.total === null ? undefined : job.done / Math.max(1, job.total);
      progress.show(part, progressOf(job));
      await setTimeout(LOOK_MS, undefined, { signal });
    }
  } finally {
    progress.clear();
    await own?.stop();
  }
}

/** Why an ended job was not done. */
const endOf = ({ state, reason }: Job): Told =>
  state === "cancelled" || reason === null
    ? said(state === "cancelled" ? "cli.job.was_cancelled" : "cli.job.has_failed")
    : toldFrom(reason);

/** @param far how far it is, if it runs */
export function progressOf(
  { state, reason, done }: Job,
  far = said("job.count.records", { count: done }),
): Said {
  if (state !== "queued") return far;
  return reason === null
    ? said("cli.job.waiting")
    : said("cli.job.waiting_because", { reason: toldFrom(reason) });
}
