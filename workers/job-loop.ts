/** Polls for jobs, runs them, renews their leases, and detects hanging ones. */
import { setTimeout } from "node:timers/promises";
import { newId } from "../src/ids.ts";
import { type ClaimedJob, claimJob, isAnyDue, lockClaims, renewLeases } from "../src/jobs/queue.ts";
import { errorFields } from "../src/log.ts";
import type { Services } from "../src/services.ts";
import type { JobKindWork } from "./job-kind.ts";
import { beginJob, type Run } from "./run-job.ts";
import type { Timing } from "./timing.ts";

export type JobLoop = {
  /** Asks the running jobs to stop at their next step. */
  cancel(): void;
  /** Stops the running jobs and returns them to the queue; waits only for a limited time. */
  stop(): Promise<void>;
};

/**
 * @param afterRound called after each successful round, with the ids of hanging jobs
 * @param only runs this job and no other
 */
export function startJobLoop(
  services: Services,
  kinds: Readonly<Record<string, JobKindWork>>,
  timing: Timing,
  afterRound: (hanging: readonly string[]) => Promise<void> = async () => undefined,
  only?: string,
): JobLoop {
  const { sql, log } = services;
  const runs = new Set<Run>();
  /** Leases whose end is not written. A job that comes back with one of these is no orphan: this process is alive. */
  const openLeases = new Set<string>();
  const concurrency = Object.entries(kinds).map(([kind, work]) => ({ kind, concurrency: work.concurrency }));
  let stopping = false;
  let renewedAt = performance.now();
  let broken = false;
  let wake: () => void = () => undefined;

  async function claim(): Promise<ClaimedJob | undefined> {
    if (only === undefined && !(await isAnyDue(sql))) return undefined;
    const own = [...runs].map(({ job }) => job.id);
    return sql.begin(async (tx) => {
      await lockClaims(tx);
      const seconds = timing.leaseSeconds;
      return claimJob(tx, { lease: newId(), seconds, kinds: concurrency, own, only });
    });
  }

  function begin(job: ClaimedJob): void {
    const orphaned = job.left !== null && !openLeases.delete(job.left);
    const run = beginJob(services, kinds[job.kind]!, job, timing, orphaned);
    runs.add(run);
    openLeases.add(job.lease);
    void run.ended.then((isWritten) => {
      runs.delete(run);
      if (isWritten) openLeases.delete(job.lease);
      wake();
    });
  }

  /** Hanging jobs lose their leases, so that another process can take them over. */
  async function renew(hanging: readonly Run[]): Promise<void> {
    const living = [...runs].filter((run) => !hanging.includes(run));
    const now = performance.now();
    if (living.length === 0) renewedAt = now;
    if (now - renewedAt < timing.renewMs) return;
    const kept = await renewLeases(
      sql,
      living.map(({ job }) => job.lease),
      timing.leaseSeconds,
    );
    renewedAt = now;
    for (const run of living) {
      const lease = kept.get(run.job.lease);
      // stopping a job that ended during this query has no effect
      if (!lease) run.stop("lost");
      else if (lease.cancel) run.stop("cancelled");
    }
  }

  async function round(): Promise<void> {
    const hanging = [...runs].filter((run) => run.hangs());
    await renew(hanging);
    while (!stopping && runs.size < timing.slots) {
      const job = await claim();
      if (!job) break;
      begin(job);
    }
    await afterRound(hanging.map(({ job }) => job.id));
  }

  async function go(): Promise<void> {
    while (!stopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        await round();
        if (broken) log.info("polling for jobs works again");
        broken = false;
      } catch (error) {
        // logged once, not every second
        if (!broken && !stopping) log.error("polling for jobs fails", errorFields(error));
        broken = true;
        // a job whose lease cannot be renewed may already run in another process
        if (services.database === "external" && performance.now() - renewedAt > timing.leaseSeconds * 1_000)
          for (const run of runs) run.stop("lost");
      }
      await Promise.race([woken, setTimeout(timing.roundMs)]);
    }
  }

  const looping = go();
  return {
    cancel() {
      for (const run of runs) run.stop("cancelled");
    },
    async stop() {
      stopping = true;
      wake();
      for (const run of runs) run.stop("stopping");
      const all = async () => {
        await looping;
        // a job claimed in the last round
        for (const run of runs) run.stop("stopping");
        await Promise.all([...runs].map(({ ended }) => ended));
        return true;
      };
      const done = await Promise.race([all(), setTimeout(timing.shutdownMs, false, { ref: false })]);
      if (done) return;
      for (const { job } of runs) {
        log.warn("job does not stop: another process takes it when its lease expires", {
          job: job.id,
          kind: job.kind,
        });
      }
    },
  };
}
