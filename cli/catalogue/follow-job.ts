/** Follows a job that a command queued. If no service is running, this process does the work. */
import { setTimeout } from "node:timers/promises";
import { isOver, type Job, jobJson } from "../../src/jobs/job.ts";
import type { JobKind } from "../../src/jobs/kinds.ts";
import type { Log } from "../../src/log.ts";
import { type Said, said, type Told, toldFrom } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { Problem } from "../../src/problem.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Services } from "../../src/services.ts";
import { isAlive } from "../../workers/heartbeat.ts";
import type { JobKindWork } from "../../workers/job-kind.ts";
import type { JobLoop } from "../../workers/job-loop.ts";
import { TIMING } from "../../workers/timing.ts";
import { interruptible } from "../terminal/interruptible.ts";
import type { Progress } from "../terminal/progress.ts";
import { onStopSignal } from "../terminal/stop-signals.ts";
import { print } from "../terminal/words.ts";
import type { Door } from "./door.ts";

/** Milliseconds between two reads of a job's state. */
const LOOK_MS = 200;

type Sentences = {
  /** Print the job as the API does, and nothing else. */
  json: boolean;
  /** What an unfinished job has left behind, for the error message: "The search index did not change". */
  failure: (job: Job) => Told;
  /** What a finished job has done. */
  summary: (job: Job) => Told;
};

/** Follows a job that continues after Ctrl-C, and prints its result. Throws a Refusal if the job was not done. */
export async function finishJob(
  door: Door,
  progress: Progress,
  { id, kind }: Job,
  { json, failure, summary }: Sentences,
): Promise<Job> {
  let own: JobLoop | undefined;
  const look = async (job: Job) => {
    // a service that has the data directory open runs the job itself
    if (door.own && !own && !(await isAlive(door.own))) {
      const { startJobLoop, workOf } = await loadWork();
      own = startJobLoop(door.own, { [kind]: workOf(kind) }, TIMING);
    }
    showJob(progress, job);
  };
  const job = await interruptible(said("cli.job.interrupted", { id }), (signal) =>
    untilOver(door, id, look, signal),
  ).finally(() => own?.stop());
  progress.clear();
  if (json) console.log(JSON.stringify(jobJson(ENGLISH, job)));
  if (job.state !== "done")
    throw new Refusal(said("cli.job.failed", { what: failure(job), reason: endOf(job) }));
  if (!json) print(summary(job));
  return job;
}

type Following = {
  /** @param here whether this process runs the job */
  queue(here: boolean): Promise<Job>;
  /** Called with each state of the job, also the last. */
  onState(job: Job): void | Promise<void>;
  /** Called on Ctrl-C. */
  onStop(): void;
};

/** Follows a job that Ctrl-C stops at its next step. Returns the ended job, and a function that throws its error. */
export async function followStoppable(
  door: Door,
  { queue, onState, onStop }: Following,
): Promise<{ job: Job; throwFailure(): never }> {
  let stopRequested = false;
  let cancelSent = false;
  let own: Awaited<ReturnType<typeof workHere>> | null = null;
  const unlisten = onStopSignal(() => {
    onStop();
    stopRequested = true;
    own?.cancel();
  });
  try {
    const queued = await queue(door.own !== null);
    const { id } = queued;
    const here = door.own && (await workHere(door.own, queued));
    own = here;
    if (stopRequested) here?.cancel();
    const job = await untilOver(door, id, async (job) => {
      await onState(job);
      if (!stopRequested || cancelSent) return;
      cancelSent = true;
      await door.call("cancel-job", { id }).catch(unlessOver);
    });
    await onState(job);
    return { job, throwFailure: () => throwFailure(job, here?.failure()) };
  } finally {
    unlisten();
    await own?.stop();
  }
}

/** @param look called with each state but the last */
async function untilOver(
  door: Door,
  id: string,
  look: (job: Job) => Promise<void>,
  signal?: AbortSignal,
): Promise<Job> {
  for (;;) {
    const job = await door.call("job", { id });
    if (!job) throw new Refusal(said("cli.job.gone"));
    if (isOver(job)) return job;
    await look(job);
    await setTimeout(LOOK_MS, undefined, { signal });
  }
}

/** Loads the code of all jobs, which is most of the program, only in a process that runs jobs. */
async function loadWork() {
  const { KIND_WORK } = await import("../../workers/job-kinds.ts");
  const { startJobLoop } = await import("../../workers/job-loop.ts");
  return { startJobLoop, workOf: (kind: string): JobKindWork => KIND_WORK[kind as JobKind] };
}

/** The error of the job is thrown, not logged. */
const SILENT: Log = { request() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Runs this job and no other, once. */
async function workHere(services: Services, { kind, id }: Job) {
  const { startJobLoop, workOf } = await loadWork();
  let failure: unknown;
  const work: JobKindWork = {
    ...workOf(kind),
    retries: 0,
    run: (input) =>
      workOf(kind)
        .run({ ...input, services })
        .catch((error) => {
          failure = error;
          throw error;
        }),
  };
  const loop = startJobLoop({ ...services, log: SILENT }, { [kind]: work }, TIMING, undefined, id);
  return { ...loop, failure: () => failure };
}

/** Ignores the error of cancelling a job that has just ended. */
function unlessOver(error: unknown): void {
  if (!(error instanceof Problem && error.code === "conflict")) throw error;
}

function throwFailure({ reason }: Job, failure: unknown): never {
  throw failure ?? new Refusal(reason === null ? said("cli.job.has_failed") : toldFrom(reason));
}

/** Why an ended job was not done. */
const endOf = ({ state, reason }: Job): Told =>
  state === "cancelled" || reason === null
    ? said(state === "cancelled" ? "cli.job.was_cancelled" : "cli.job.has_failed")
    : toldFrom(reason);

/** @param far what a running job has done so far */
export function showJob(
  progress: Progress,
  { state, reason, done, total }: Job,
  far = said("job.count.records", { count: done }),
): void {
  const waits = (): Said =>
    reason === null ? said("cli.job.waiting") : said("cli.job.waiting_because", { reason: toldFrom(reason) });
  progress.show(total ? done / total : undefined, state === "queued" ? waits() : far);
}
