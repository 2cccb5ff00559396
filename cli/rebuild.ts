/** svc-manage rebuild: what is made from the records, made to agree with all of them; by the service that runs, or here. */
import { defineCommand } from "citty";
import { enqueueRebuild } from "../src/jobs/enqueue-rebuild.ts";
import { jobJson } from "../src/jobs/job.ts";
import type { Projection } from "../src/records/projections.ts";
import { Refusal } from "../src/refusal.ts";
import { enabledProjections } from "../workers/projections.ts";
import { endOf, followJob } from "./follow-job.ts";
import { interruptible } from "./interruptible.ts";
import { openCommandConfig, openServices } from "./open.ts";

export const rebuildCommand = defineCommand({
  meta: {
    name: "rebuild",
    description: `Bring what is made from the records into agreement with all of them, while it is used

After it was enabled in a catalogue that has records already, or when what it is kept in was lost. The service that
runs does it, else this command. Interrupted, it goes on where it was when this command is given again, or the
service starts. reindex makes the search index anew from nothing; this command goes through the one that answers.`,
  },
  args: {
    target: { type: "positional", required: true, description: "Which one; svc-manage doctor names them" },
    json: { type: "boolean", default: false, description: "Print the job as the API does, and nothing else" },
  },
  async run({ args }) {
    const { services, close } = await openServices(openCommandConfig());
    try {
      const { target, title } = demandEnabled(enabledProjections(services.config), args.target);
      const { id } = await enqueueRebuild(services.sql, target, null);
      const job = await interruptible(
        `Interrupted: the service goes on with job ${id}, or the same command`,
        (signal) => followJob(services, "rebuild", id, signal),
      );
      if (args.json) console.log(JSON.stringify(jobJson(job)));
      const { records = 0, removed = 0, failed = 0 } = (job.result ?? {}) as Record<string, number>;
      if (job.state !== "done") throw new Refusal(`${records} records were looked through: ${endOf(job)}`);
      if (!args.json) console.log(summary(title, { records, removed, failed }));
    } finally {
      await close();
    }
    return 0;
  },
});

function demandEnabled(enabled: readonly Projection[], target: string): Projection {
  const found = enabled.find((each) => each.target === target);
  if (found) return found;
  const all = enabled.map((each) => `${each.target} (${each.title})`).join(", ");
  throw new Refusal(`There is no ${JSON.stringify(target)} to rebuild; there are ${all}`, 2);
}

function summary(title: string, done: { records: number; removed: number; failed: number }): string {
  const says = `${done.records} records were brought into ${title}, ${done.removed} that are none any more were taken away`;
  return done.failed === 0
    ? says
    : `${says}; ${done.failed} could not be and are tried again: svc-manage doctor says why`;
}
