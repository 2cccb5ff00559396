/** svc-manage reindex: rebuilds the search index. */
import { defineCommand } from "citty";
import type { Job } from "../../src/jobs/job.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { finishJob } from "../catalogue/follow-job.ts";
import { demandKind } from "../terminal/one-of.ts";
import { flag, meta, option } from "../terminal/options.ts";

export const reindexCommand = defineCommand({
  meta: meta("reindex", "cli.help.reindex.about"),
  args: {
    type: option("TYPE", "cli.help.reindex.type"),
    json: flag("cli.help.option.json_job"),
  },
  async run({ args }) {
    const kind = demandKind(args.type);
    return withDoor(knock(), async (door, progress) => {
      await finishJob(door, progress, await door.call("reindex", { type: kind }), {
        json: args.json,
        failure: () => said(kind === null ? "cli.reindex.unchanged" : "cli.reindex.partly"),
        summary,
      });
      return 0;
    });
  },
});

function summary({ done, result }: Job): Said {
  const failed = Number(result?.failed ?? 0);
  const indexed = said("cli.reindex.done", { count: done - failed });
  return failed === 0 ? indexed : said("cli.reindex.failed", { done: indexed, count: failed });
}
