/** svc-manage reindex: rebuilds the search index, in the running service or else here. */
import { defineCommand } from "citty";
import type { Job } from "../src/jobs/job.ts";
import { type Said, said } from "../src/messages/said.ts";
import { enqueueReindex } from "../src/search/enqueue-reindex.ts";
import { finishJob } from "./follow-job.ts";
import { demandKind } from "./kind-option.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { inWords } from "./words.ts";

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
      await finishJob(services, "reindex", id, {
        json: args.json,
        failure: () => inWords(said(kind === null ? "cli.reindex.unchanged" : "cli.reindex.partly")),
        summary: (job) => inWords(summary(job)),
      });
    } finally {
      await close();
    }
    return 0;
  },
});

function summary({ done, result }: Job): Said {
  const failed = Number(result?.failed ?? 0);
  const indexed = said("cli.reindex.done", { count: done - failed });
  return failed === 0 ? indexed : said("cli.reindex.failed", { done: indexed, count: failed });
}
