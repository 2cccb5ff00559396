/** svc-manage rebuild: rebuilds derived data from all records. */
import { defineCommand } from "citty";
import type { Job } from "../../src/jobs/job.ts";
import { type Said, said, type Told } from "../../src/messages/said.ts";
import type { Projection } from "../../src/records/projections.ts";
import { Refusal } from "../../src/refusal.ts";
import { enabledProjections } from "../../workers/projections.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { finishJob } from "../catalogue/follow-job.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { failureLine } from "../doctor/work.ts";
import { argument, flag, meta } from "../terminal/options.ts";
import { inWords, printAside } from "../terminal/words.ts";

export const rebuildCommand = defineCommand({
  meta: meta("rebuild", "cli.help.rebuild.about"),
  args: {
    target: argument("cli.help.rebuild.target"),
    json: flag("cli.help.option.json_job"),
  },
  async run({ args }) {
    const config = openCommandConfig();
    return withDoor(knock(config), async (door, progress) => {
      const { target, title } = demandEnabled(enabledProjections(config), args.target);
      const job = await finishJob(door, progress, await door.call("rebuild", { target }), {
        json: args.json,
        failure: (job) => said("cli.rebuild.failed", { count: countsOf(job).records }),
        summary: (job) => summary(title, countsOf(job)),
      });
      if (countsOf(job).failed === 0) return 0;
      const failures = await door.call("rebuild-failed", { target });
      for (const failed of failures) printAside(failureLine(failed));
      return 3;
    });
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
