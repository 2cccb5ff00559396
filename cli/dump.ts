/** svc-manage dump: writes the files under /dumps/, in the running service or else here. */
import { defineCommand } from "citty";
import { enqueueJob } from "../src/jobs/enqueue.ts";
import { jobJson } from "../src/jobs/job.ts";
import { Refusal } from "../src/refusal.ts";
import { size } from "./backup-paths.ts";
import { endOf, followJob } from "./follow-job.ts";
import { interruptible } from "./interruptible.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";

export const dumpCommand = defineCommand({
  meta: {
    name: "dump",
    description: `Write the files under /dumps/ now, without waiting for the night

They contain everything that visitors see, as NDJSON, N-Quads and LIDO, compressed with gzip, with checksums. The
running service does the work, otherwise this command. The old files are served until all new ones are complete.`,
  },
  args: {
    json: { type: "boolean", default: false, description: "Print the job as the API does, and nothing else" },
  },
  async run({ args }) {
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const { job: put } = await enqueueJob(services.sql, {
        kind: "dump",
        createdBy: null,
        uniqueKey: "dump",
      });
      const job = await interruptible(
        `Interrupted: the service continues job ${put.id}, or run this command again`,
        (signal) => followJob(services, "dump", put.id, signal),
      );
      if (args.json) console.log(JSON.stringify(jobJson(job)));
      if (job.state !== "done") throw new Refusal(`The files did not change: ${endOf(job)}`);
      const { files = 0, bytes = 0 } = (job.result ?? {}) as Record<string, number>;
      if (!args.json) console.log(`${files} files written under /dumps/ (${size(bytes)})`);
    } finally {
      await close();
    }
    return 0;
  },
});
