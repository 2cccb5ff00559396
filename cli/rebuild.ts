/** svc-manage rebuild: rebuilds derived data from all records, in the running service or else here. */
import { defineCommand } from "citty";
import { enqueueRebuild } from "../src/jobs/enqueue.ts";
import type { Job } from "../src/jobs/job.ts";
import { failedRecords } from "../src/records/outbox.ts";
import type { Projection } from "../src/records/projections.ts";
import { Refusal } from "../src/refusal.ts";
import { enabledProjections } from "../workers/projections.ts";
import { failureLine } from "./doctor/work.ts";
import { finishJob } from "./follow-job.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { inWords } from "./words.ts";

/** How many records that failed are named. */
const NAMED = 20;

export const rebuildCommand = defineCommand({
  meta: {
    name: "rebuild",
    description: `Rebuild data that is derived from records, while it is in use

Run it after enabling such data in an existing catalogue, or when the data was lost. The running service does the work,
otherwise this command. After an interruption it continues when you run it again or start the service. For the search
index, reindex builds a new one; this command repairs the current one.

Exit codes: 0 done, 1 failed (the message says why), 2 the command was not understood, 3 done except for records that
failed; each is named with its type and the reason.`,
  },
  args: {
    target: {
      type: "positional",
      required: true,
      description: "What to rebuild; svc-manage doctor lists the choices",
    },
    json: { type: "boolean", default: false, description: "Print the job as JSON, and nothing else" },
  },
  async run({ args }) {
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const { target, title } = demandEnabled(enabledProjections(services.config), args.target);
      const { id } = await enqueueRebuild(services.sql, target, null);
      const job = await finishJob(services, "rebuild", id, {
        json: args.json,
        failure: (job) => `${countsOf(job).records} records were processed`,
        summary: (job) => summary(inWords(title), countsOf(job)),
      });
      if (countsOf(job).failed === 0) return 0;
      for (const failed of await failedRecords(services.sql, target, NAMED))
        console.error(failureLine(failed));
      return 3;
    } finally {
      await close();
    }
  },
});

function countsOf({ result }: Job): { records: number; removed: number; failed: number } {
  return { records: 0, removed: 0, failed: 0, ...result };
}

function demandEnabled(enabled: readonly Projection[], target: string): Projection {
  const found = enabled.find((each) => each.target === target);
  if (found) return found;
  const all = enabled.map((each) => `${each.target} (${inWords(each.title)})`).join(", ");
  throw new Refusal(`There is no ${JSON.stringify(target)} to rebuild; the choices are ${all}`, 2);
}

function summary(title: string, done: { records: number; removed: number; failed: number }): string {
  const says = `${done.records} records were written to ${title}, ${done.removed} old ones were removed`;
  return done.failed === 0 ? says : `${says}; ${done.failed} failed: they were left out and will be retried`;
}
