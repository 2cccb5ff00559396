/** svc-manage dump: the files under /dumps/ made anew, by the service that runs, or here when none does. */
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

They have everything that visitors see: NDJSON, N-Quads and LIDO, packed with gzip, with checksums. The service
that runs makes them, else this command. The files before them are served until all new ones are complete.`,
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
        `Interrupted: the service goes on with job ${put.id}, or the same command`,
        (signal) => followJob(services, "dump", put.id, signal),
      );
      if (args.json) console.log(JSON.stringify(jobJson(job)));
      if (job.state !== "done") throw new Refusal(`The files are as they were: ${endOf(job)}`);
      const { files = 0, bytes = 0 } = (job.result ?? {}) as Record<string, number>;
      if (!args.json) console.log(`${files} files are under /dumps/ (${size(bytes)})`);
    } finally {
      await close();
    }
    return 0;
  },
});
