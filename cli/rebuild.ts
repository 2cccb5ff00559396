/** svc-manage rebuild: rebuilds derived data from all records, in the running service or else here. */
import { defineCommand } from "citty";
import { enqueueRebuild } from "../src/jobs/enqueue.ts";
import type { Job } from "../src/jobs/job.ts";
import { type Said, said, type Told } from "../src/messages/said.ts";
import { failedRecords } from "../src/records/outbox.ts";
import type { Projection } from "../src/records/projections.ts";
import { Refusal } from "../src/refusal.ts";
import { enabledProjections } from "../workers/projections.ts";
import { failureLine } from "./doctor/work.ts";
import { finishJob } from "./follow-job.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { help, inWords, printAside } from "./words.ts";

/** How many records that failed are named. */
const NAMED = 20;

export const rebuildCommand = defineCommand({
  meta: {
    name: "rebuild",
    description: help("cli.help.rebuild.about"),
  },
  args: {
    target: {
      type: "positional",
      required: true,
      description: help("cli.help.rebuild.target"),
    },
    json: { type: "boolean", default: false, description: help("cli.help.option.json_job") },
  },
  async run({ args }) {
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const { target, title } = demandEnabled(enabledProjections(services.config), args.target);
      const { id } = await enqueueRebuild(services.sql, target, null);
      const job = await finishJob(services, "rebuild", id, {
        json: args.json,
        failure: (job) => said("cli.rebuild.failed", { count: countsOf(job).records }),
        summary: (job) => summary(title, countsOf(job)),
      });
      if (countsOf(job).failed === 0) return 0;
      for (const failed of await failedRecords(services.sql, target, NAMED)) printAside(failureLine(failed));
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
  const known = enabled.map((each) => `${each.target} (${inWords(each.title)})`).join(", ");
  throw new Refusal(said("cli.rebuild.unknown", { target, known }), 2);
}

function summary(title: Told, counts: ReturnType<typeof countsOf>): Said {
  const { records, removed, failed } = counts;
  const done = said("cli.rebuild.done", { title, records, removed });
  return failed === 0 ? done : said("cli.rebuild.left_out", { done, count: failed });
}
