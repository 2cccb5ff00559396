/** Looks for jobs again and again, runs them, prolongs their leases, and notices those that hang. */
import { setTimeout } from "node:timers/promises";
import { newId } from "../src/ids.ts";
import { type ClaimedJob, claimJob, isAnyDue, lockClaims, renewLeases } from "../src/jobs/queue.ts";
import { errorFields } from "../src/log.ts";
import type { Services } from "../src/services.ts";
import type { JobKindWork } from "./job-kind.ts";
import type { Pace } from "./pace.ts";
import { beginJob, type Run } from "./run-job.ts";

export type JobLoop = {
  /** Tells the jobs under way to stop and gives them back; does not wait for ever. */
  stop(): Promise<void>;
};

/** @param rounded is called after each round that did its work, with the ids of the jobs that hang. */
export function startJobLoop(
  services: Services,
  kinds: Readonly<Record<string, JobKindWork>>,
  pace: Pace,
  rounded: (hanging: readonly string[]) => Promise<void>,
): JobLoop {
  const { sql, log } = services;
  const runs = new Set<Run>();
  /** Leases that ended while this process lives: it was away from the database, not dead. */
  const lost = new Set<string>();
  const concurrency = Object.entries(kinds).map(([kind, work]) => ({ kind, concurrency: work.concurrency }));
  let stopping = false;
  let renewed = performance.now();
  let broken = false;
  let wake: () => void = () => undefined;

  async function claim(): Promise<ClaimedJob | undefined> {
    if (!(await isAnyDue(sql))) return undefined;
    const own = [...runs].map(({ job }) => job.id);
    return sql.begin(async (tx) => {
      await lockClaims(tx);
      const seconds = pace.leaseSeconds;
      return claimJob(tx, { lease: newId(), seconds, kinds: concurrency, own });
    });
  }

  function begin(job: ClaimedJob): void {
    const orphaned = job.left !== null && !lost.delete(job.left);
    const run = beginJob(services, kinds[job.kind]!, job, pace, orphaned);
    runs.add(run);
    lost.add(job.lease);
    void run.over.then((isWritten) => {
      runs.delete(run);
      if (isWritten) lost.delete(job.lease);
      wake();
    });
  }

  /** Those that hang keep no lease: somebody else may take them over. */
  async function renew(hanging: readonly Run[]): Promise<void> {
    const living = [...runs].filter((run) => !hanging.includes(run));
    const asked = performance.now();
    if (living.length === 0) renewed = asked;
    if (asked - renewed < pace.renewMs) return;
    const kept = await renewLeases(
      sql,
      living.map(({ job }) => job.lease),
      pace.leaseSeconds,
    );
    renewed = asked;
    for (const run of living) {
      const lease = kept.get(run.job.lease);
      // one that ended while this was asked has no lease any more, and hears nothing of it
      if (!lease) run.tell("lost");
      else if (lease.cancel) run.tell("cancelled");
    }
  }

  async function round(): Promise<void> {
    const hanging = [...runs].filter((run) => run.hangs());
    await renew(hanging);
    while (!stopping && runs.size < pace.slots) {
      const job = await claim();
      if (!job) break;
      begin(job);
    }
    await rounded(hanging.map(({ job }) => job.id));
  }

  async function go(): Promise<void> {
    while (!stopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        await round();
        if (broken) log.info("jobs are looked for again");
        broken = false;
      } catch (error) {
        // one line when it begins, not one a second
        if (!broken && !stopping) log.error("jobs cannot be looked for", errorFields(error));
        broken = true;
        // whoever cannot prolong its lease may have lost it to a process that can
        if (services.database === "external" && performance.now() - renewed > pace.leaseSeconds * 1_000)
          for (const run of runs) run.tell("lost");
      }
      await Promise.race([woken, setTimeout(pace.roundMs)]);
    }
  }

  const looping = go();
  return {
    async stop() {
      stopping = true;
      wake();
      for (const run of runs) run.tell("stopping");
      const all = async () => {
        await looping;
        // one that was claimed in the last round
        for (const run of runs) run.tell("stopping");
        await Promise.all([...runs].map(({ over }) => over));
        return true;
      };
      const done = await Promise.race([all(), setTimeout(pace.farewellMs, false, { ref: false })]);
      if (done) return;
      for (const { job } of runs) {
        log.warn("job does not stop: it is taken again when its lease ends", { job: job.id, kind: job.kind });
      }
    },
  };
}
