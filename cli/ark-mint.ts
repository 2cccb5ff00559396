/** svc-manage ark-mint: what is public already gets its ARKs, by the service that runs, or here when none does. */
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

What becomes public while ARK_ENABLED is true is named by itself; this names what was public before, and all of it
anew when ARK_NAAN is another number (former names go on resolving). The service that runs does it, else this
command. Interrupted, it goes on where it was when this command is given again, or the service starts.`,
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
        `Interrupted: the service goes on with job ${asked.id}, or the same command`,
        (signal) => followJob(services, "ark-mint", asked.id, signal),
      );
      if (args.json) console.log(JSON.stringify(jobJson(job)));
      if (job.state !== "done") throw new Refusal(`Not all public records have an ARK: ${endOf(job)}`);
      if (!args.json) console.log(`${Number(job.result?.named)} records were given an ARK`);
    } finally {
      await close();
    }
    return 0;
  },
});
