/** svc-manage ark-mint: gives ARKs to public records that have none, in the running service or else here. */
import { defineCommand } from "citty";
import { enqueueJob } from "../src/jobs/enqueue.ts";
import { jobJson } from "../src/jobs/job.ts";
import { Refusal } from "../src/refusal.ts";
import { endOf, followJob } from "./follow-job.ts";
import { interruptible } from "./interruptible.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";

export const arkMint = defineCommand({
  meta: {
    name: "ark-mint",
    description: `Give an ARK to every public record that has none

Records published while ARK_ENABLED is true get their name at once; this command names older ones, and gives new names
after ARK_NAAN has changed (former names still resolve). The running service does the work, otherwise this command.
After an interruption it continues when you run it again or start the service.`,
  },
  args: {
    json: { type: "boolean", default: false, description: "Print the job as the API does, and nothing else" },
  },
  async run({ args }) {
    const config = openCommandConfig();
    if (!config.ark.enabled) {
      throw new Refusal("ARK_ENABLED is false: no ARKs are minted here. Set it, and ARK_NAAN, first");
    }
    const { services, close } = await openCatalogue(config);
    try {
      const { job: asked } = await enqueueJob(services.sql, {
        kind: "ark-mint",
        createdBy: null,
        uniqueKey: "ark-mint",
      });
      const job = await interruptible(
        `Interrupted: the service continues job ${asked.id}, or run this command again`,
        (signal) => followJob(services, "ark-mint", asked.id, signal),
      );
      if (args.json) console.log(JSON.stringify(jobJson(job)));
      if (job.state !== "done") throw new Refusal(`Not all public records have an ARK: ${endOf(job)}`);
      if (!args.json) console.log(`${Number(job.result?.named)} records got an ARK`);
    } finally {
      await close();
    }
    return 0;
  },
});
