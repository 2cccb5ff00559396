/** svc-manage dump: writes the files under /dumps/, in the running service or else here. */
import { defineCommand } from "citty";
import { enqueueJob } from "../src/jobs/enqueue.ts";
import { said } from "../src/messages/said.ts";
import { size } from "./backup-paths.ts";
import { finishJob } from "./follow-job.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { inWords } from "./words.ts";

export const dumpCommand = defineCommand({
  meta: {
    name: "dump",
    description: `Write the files under /dumps/ now, without waiting for the night

They contain everything that visitors see, as NDJSON, N-Quads and LIDO, compressed with gzip, with checksums. The
running service does the work, otherwise this command. The old files are served until all new ones are complete,
unless something in them is no longer public.`,
  },
  args: {
    json: { type: "boolean", default: false, description: "Print the job as JSON, and nothing else" },
  },
  async run({ args }) {
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const wanted = { kind: "dump", createdBy: null, uniqueKey: "dump" } as const;
      const { job } = await enqueueJob(services.sql, wanted);
      await finishJob(services, "dump", job.id, {
        json: args.json,
        failure: () => inWords(said("cli.dump.failed")),
        summary: ({ result }) => {
          const { files = 0, bytes = 0 } = (result ?? {}) as Record<string, number>;
          return inWords(said("cli.dump.written", { count: files, size: size(bytes) }));
        },
      });
    } finally {
      await close();
    }
    return 0;
  },
});
