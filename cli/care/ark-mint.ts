/** svc-manage ark-mint: gives ARKs to public records that have none. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { finishJob } from "../catalogue/follow-job.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { flag, meta } from "../terminal/options.ts";

export const arkMint = defineCommand({
  meta: meta("ark-mint", "cli.help.ark_mint.about"),
  args: {
    json: flag("cli.help.option.json_job"),
  },
  async run({ args }) {
    const config = openCommandConfig();
    if (!config.ark.enabled) {
      throw new Refusal(said("cli.ark.disabled"));
    }
    return withDoor(knock(config), async (door, progress) => {
      await finishJob(door, progress, await door.call("ark-mint", {}), {
        json: args.json,
        failure: () => said("cli.ark.failed"),
        summary: ({ result }) => said("cli.ark.named", { count: Number(result?.named) }),
      });
      return 0;
    });
  },
});
