/** svc-manage reindex: rebuilds the search index, in the running service or else here. */
import { defineCommand } from "citty";
import type { Job } from "../src/jobs/job.ts";
import { enqueueReindex } from "../src/search/enqueue-reindex.ts";
import { finishJob } from "./follow-job.ts";
import { demandKind } from "./kind-option.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";

export const reindexCommand = defineCommand({
  meta: {
    name: "reindex",
    description: `Rebuild the search index while the old one answers

Run it after an update or a change of configuration that asks for it, or when search-verify finds differences. The
running service does the work, otherwise this command. Changes made meanwhile are not lost. After an interruption it
continues when you run it again or start the service; svc-manage jobs cancel ID discards it.`,
  },
  args: {
    type: {
      type: "string",
      valueHint: "TYPE",
      description: "Only records of this type, in the current index",
    },
    json: { type: "boolean", default: false, description: "Print the job as JSON, and nothing else" },
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    const { services, close } = await openCatalogue(openCommandConfig());
    try {
      const { id } = await enqueueReindex(services.sql, kind, null);
      const failure = () =>
        kind === null ? "The search index did not change" : "Some records may not be indexed again";
      await finishJob(services, "reindex", id, { json: args.json, failure, summary });
    } finally {
      await close();
    }
    return 0;
  },
});

function summary({ done, result }: Job): string {
  const failed = Number(result?.failed ?? 0);
  const made = `${done - failed} records are in the search index`;
  return failed === 0 ? made : `${made}; ${failed} failed and will be retried: svc-manage doctor says why`;
}
