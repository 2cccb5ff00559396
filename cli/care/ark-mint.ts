/** svc-manage ark-mint: gives ARKs to public records that have none, in the running service or else here. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { knock } from "../catalogue/door.ts";
import { finishJob } from "../catalogue/follow-job.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { help } from "../terminal/words.ts";

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
    const door = await knock(config);
    try {
      const { id } = await door.call("ark-mint", {});
      await finishJob(door, "ark-mint", id, {
        json: args.json,
        failure: () => said("cli.ark.failed"),
        summary: ({ result }) => said("cli.ark.named", { count: Number(result?.named) }),
      });
    } finally {
      await door.close();
    }
    return 0;
  },
});
