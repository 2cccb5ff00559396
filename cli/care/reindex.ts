/** svc-manage reindex: rebuilds the search index, in the running service or else here. */
import { defineCommand } from "citty";
import type { Job } from "../../src/jobs/job.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { knock } from "../catalogue/door.ts";
import { finishJob } from "../catalogue/follow-job.ts";
import { demandKind } from "../catalogue/kind-option.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { help } from "../terminal/words.ts";

export const reindexCommand = defineCommand({
  meta: {
    name: "reindex",
    description: help("cli.help.reindex.about"),
  },
  args: {
    type: {
      type: "string",
      valueHint: "TYPE",
      description: help("cli.help.reindex.type"),
    },
    json: { type: "boolean", default: false, description: help("cli.help.option.json_job") },
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    const door = await knock(openCommandConfig());
    try {
      const { id } = await door.call("reindex", { type: kind });
      await finishJob(door, "reindex", id, {
        json: args.json,
        failure: () => said(kind === null ? "cli.reindex.unchanged" : "cli.reindex.partly"),
        summary: (job) => summary(job),
      });
    } finally {
      await door.close();
    }
    return 0;
  },
});

function summary({ done, result }: Job): Said {
  const failed = Number(result?.failed ?? 0);
  const indexed = said("cli.reindex.done", { count: done - failed });
  return failed === 0 ? indexed : said("cli.reindex.failed", { done: indexed, count: failed });
}
