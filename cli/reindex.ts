/** svc-manage reindex: the search index made anew, by the service that runs, or here when none does. */
import { setTimeout } from "node:timers/promises";
import { defineCommand } from "citty";
import { isOver, type Job, jobJson } from "../src/jobs/job.ts";
import { findJob } from "../src/jobs/store.ts";
import { Refusal } from "../src/refusal.ts";
import { enqueueReindex } from "../src/search/enqueue-reindex.ts";
import type { Services } from "../src/services.ts";
import { isAlive } from "../workers/heartbeat.ts";
import { KIND_WORK } from "../workers/job-kinds.ts";
import { type JobLoop, startJobLoop } from "../workers/job-loop.ts";
import { PACE } from "../workers/pace.ts";
import { interruptible } from "./interruptible.ts";
import { demandKind } from "./kind-option.ts";
import { openCommandConfig, openServices } from "./open.ts";
import { openProgress } from "./progress.ts";

/** Between two looks at a job that another process does. */
const LOOK_MS = 200;

export const reindexCommand = defineCommand({
  meta: {
    name: "reindex",
    description: `Make the search index anew, while the old one answers

After an update or a change of configuration that says so, or when search-verify finds differences. The service
that runs does it, else this command. Changes meanwhile are not lost. Interrupted, it goes on where it was when
this command is given again, or the service starts; svc-manage jobs cancel ID throws away what is there.`,
  },
  args: {
    type: {
      type: "string",
      valueHint: "TYPE",
      description: "Only records of this type; the others stay as they are in the index",
    },
    json: { type: "boolean", default: false, description: "Print the job as the API does, and nothing else" },
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    const { services, close } = await openServices(openCommandConfig());
    try {
      const { id } = await enqueueReindex(services.sql, kind, null);
      const job = await interruptible(
        `Interrupted: the service goes on with job ${id}, or the same command`,
        (signal) => follow(services, id, signal),
      );
      if (args.json) console.log(JSON.stringify(jobJson(job)));
      if (job.state !== "done") throw new Refusal(`The search index is as it was: ${endOf(job)}`);
      if (!args.json) console.log(summary(job));
    } finally {
      await close();
    }
    return 0;
  },
});

function summary({ done, result }: Job): string {
  const failed = Number(result?.failed ?? 0);
  const made = `${done - failed} records are in the new search index`;
  return failed === 0
    ? made
    : `${made}; ${failed} could not be brought into it and are tried again: svc-manage doctor says why`;
}

const endOf = ({ state, reason }: Job): string =>
  state === "cancelled" ? "the job was cancelled" : (reason ?? "the job failed");

/** To the end of the job. Where nobody works, this process does. */
async function follow(services: Services, id: string, signal: AbortSignal): Promise<Job> {
  const { sql } = services;
  const progress = openProgress();
  let own: JobLoop | null = null;
  try {
    for (;;) {
      const job = await findJob(sql, id);
      if (!job) throw new Refusal("The job is gone: somebody has emptied the catalogue");
      if (isOver(job)) return job;
      if (!own && !(await isAlive(services)))
        own = startJobLoop(services, { reindex: KIND_WORK.reindex }, PACE, async () => undefined);
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
