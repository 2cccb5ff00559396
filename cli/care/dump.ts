/** svc-manage dump: writes the files under /dumps/. */
import { defineCommand } from "citty";
import { said } from "../../src/messages/said.ts";
import { size } from "../backups/paths.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { finishJob } from "../catalogue/follow-job.ts";
import { flag, meta } from "../terminal/options.ts";

export const dumpCommand = defineCommand({
  meta: meta("dump", "cli.help.dump.about"),
  args: {
    json: flag("cli.help.option.json_job"),
  },
  async run({ args }) {
    return withDoor(knock(), async (door, progress) => {
      await finishJob(door, progress, await door.call("dump", {}), {
        json: args.json,
        failure: () => said("cli.dump.failed"),
        summary: ({ result }) => {
          const { files = 0, bytes = 0 } = (result ?? {}) as Record<string, number>;
          return said("cli.dump.written", { count: files, size: size(bytes) });
        },
      });
      return 0;
    });
  },
});
