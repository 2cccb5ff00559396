/** svc-manage ark-mint: gives ARKs to public records that have none, in the running service or else here. */
import { defineCommand } from "citty";
import { enqueueJob } from "../src/jobs/enqueue.ts";
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import { finishJob } from "./follow-job.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { help } from "./words.ts";

export const arkMint = defineCommand({
  meta: {
    name: "ark-mint",
    description: help("cli.help.ark_mint.about"),
  },
  args: {
    json: { type: "boolean", default: false, description: help("cli.help.option.json_job") },
  },
  async run({ args }) {
    const config = openCommandConfig();
    if (!config.ark.enabled) {
      throw new Refusal(said("cli.ark.disabled"));
    }
    const { services, close } = await openCatalogue(config);
    try {
      const wanted = { kind: "ark-mint", createdBy: null, uniqueKey: "ark-mint" } as const;
      const { job } = await enqueueJob(services.sql, wanted);
      await finishJob(services, "ark-mint", job.id, {
        json: args.json,
        failure: () => said("cli.ark.failed"),
        summary: ({ result }) => said("cli.ark.named", { count: Number(result?.named) }),
      });
    } finally {
      await close();
    }
    return 0;
  },
});
