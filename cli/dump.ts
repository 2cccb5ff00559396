/** svc-manage dump: writes the files under /dumps/, in the running service or else here. */
import { defineCommand } from "citty";
import { enqueueJob } from "../src/jobs/enqueue.ts";
import { said } from "../src/messages/said.ts";
import { size } from "./backup-paths.ts";
import { finishJob } from "./follow-job.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { help } from "./words.ts";

export const dumpCommand = defineCommand({
  meta: {
    name: "dump",
    description: help("cli.help.dump.about"),
  },
  args: {
    json: { type: "boolean", default: false, description: help("cli.help.option.json_job") },
  },
  async run({ args }) {
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const wanted = { kind: "dump", createdBy: null, uniqueKey: "dump" } as const;
      const { job } = await enqueueJob(services.sql, wanted);
      await finishJob(services, "dump", job.id, {
        json: args.json,
        failure: () => said("cli.dump.failed"),
        summary: ({ result }) => {
          const { files = 0, bytes = 0 } = (result ?? {}) as Record<string, number>;
          return said("cli.dump.written", { count: files, size: size(bytes) });
        },
      });
    } finally {
      await close();
    }
    return 0;
  },
});
