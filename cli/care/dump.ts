/** svc-manage dump: writes the files under /dumps/, in the running service or else here. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import { size } from "../backups/paths.ts";
import { knock } from "../catalogue/door.ts";
import { finishJob } from "../catalogue/follow-job.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { help } from "../terminal/words.ts";

export const dumpCommand = defineCommand({
  meta: {
    name: "dump",
    description: help("cli.help.dump.about"),
  },
  args: {
    json: { type: "boolean", default: false, description: help("cli.help.option.json_job") },
  },
  async run({ args }) {
    const door = await knock(openCommandConfig());
    try {
      const { id } = await door.call("dump", {});
      await finishJob(door, "dump", id, {
        json: args.json,
        failure: () => said("cli.dump.failed"),
        summary: ({ result }) => {
          const { files = 0, bytes = 0 } = (result ?? {}) as Record<string, number>;
          return said("cli.dump.written", { count: files, size: size(bytes) });
        },
      });
    } finally {
      await door.close();
    }
    return 0;
  },
});
