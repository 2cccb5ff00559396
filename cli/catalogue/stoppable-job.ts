/** A job that a command queues and follows to its end, and that Ctrl-C stops at its next step. */
import { setTimeout } from "node:timers/promises";
import { isOver, type Job } from "../../src/jobs/job.ts";
import type { JobKind } from "../../src/jobs/kinds.ts";
import type { Log } from "../../src/log.ts";
import { said, toldFrom } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Services } from "../../src/services.ts";
import { TIMING } from "../../workers/timing.ts";
import { onStopSignal } from "../terminal/stop-signals.ts";
import type { Door } from "./door.ts";
import { LOOK_MS } from "./follow-job.ts";

/** What it failed with is thrown here, not logged. */
const SILENT: Log = { request() {}, debug() {}, info() {}, warn() {}, error() {} };

type Following = {
  /** @param here whether this process does the work */
  queue(here: boolean): Promise<Job>;
  /** Is called with each state of the job, also the last. */
  look(job: Job): void | Promise<void>;
  /** Ctrl-C was pressed. */
  stopping(): void;
};

/** Returns the ended job, and a function that throws why it failed. */
export async function followStoppable(
  door: Door,
  kind: JobKind,
  { queue, look, stopping }: Following,
): Promise<{ job: Job; throwFailure(): never }> {
  let isAsked = false;
  let own: Awaited<ReturnType<typeof workHere>> | null = null;
  const unlisten = onStopSignal(() => {
    stopping();
    isAsked = true;
    own?.cancel();
  });
  const { id } = await queue(door.own !== null).catch((error) => {
    unlisten();
    throw error;
  });
  own = door.own && (await workHere(door.own, kind, id));
  if (isAsked) own?.cancel();
  try {
    for (let isTold = false; ; ) {
      const job = await door.call("job", { id });
      if (!job) throw new Refusal(said("cli.job.gone"));
      await look(job);
      if (isOver(job)) return { job, throwFailure: () => throwFailure(job, own?.failure()) };
      if (isAsked && !isTold) {
        isTold = true;
        await door.call("cancel-job", { id }).catch(unlessOver);
      }
      await setTimeout(LOOK_MS);
    }
  } finally {
    unlisten();
    await own?.stop();
  }
}

/** Runs this job and no other, once. */
async function workHere(services: Services, kind: JobKind, id: string) {
  const { KIND_WORK } = await import("../../workers/job-kinds.ts");
  const { startJobLoop } = await import("../../workers/job-loop.ts");
  let failure: unknown;
  const work = {
    ...KIND_WORK[kind],
    retries: 0,
    run: (input: Parameters<(typeof KIND_WORK)[JobKind]["run"]>[0]) =>
      KIND_WORK[kind].run({ ...input, services }).catch((error) => {
        failure = error;
        throw error;
      }),
  };
  const { cancel, stop } = startJobLoop(
    { ...services, log: SILENT },
    { [kind]: work },
    TIMING,
    undefined,
    id,
  );
  return { cancel, stop, failure: () => failure };
}

/** It may have ended meanwhile. */
function unlessOver(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

function throwFailure({ reason }: Job, failure: unknown): never {
  throw failure ?? new Refusal(reason === null ? said("cli.job.has_failed") : toldFrom(reason));
}
