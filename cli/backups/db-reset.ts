/** svc-manage db-reset (contract §4.6). */
import { defineCommand } from "citty";
import { recordSecurityEvent } from "../../src/accounts/security-events.ts";
import { countForReset, type ResetCounts, resetCatalogue } from "../../src/adapters/database/dump/reset.ts";
import { withdrawDumps } from "../../src/dumps/published.ts";
import { enqueueRebuild } from "../../src/jobs/enqueue.ts";
import { jobsUnderWay, lockClaims } from "../../src/jobs/queue.ts";
import { type Said, said } from "../../src/messages/said.ts";
import { knownProjections } from "../../src/records/projections.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Sql, Tx } from "../../src/services.ts";
import { makeBackup } from "../../workers/back-up.ts";
import { openCatalogue, openCommandConfig } from "../catalogue/open.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { flag, meta, option } from "../terminal/options.ts";
import { openProgress } from "../terminal/progress.ts";
import { demandDelete } from "../terminal/question.ts";
import { print } from "../terminal/words.ts";
import { size } from "./paths.ts";

export const dbReset = defineCommand({
  meta: meta("db-reset", "cli.help.db_reset.about"),
  args: {
    all: flag("cli.help.db_reset.all"),
    "backup-dir": option("PATH", "cli.help.db_reset.backup_dir"),
    backup: { ...flag("cli.help.db_reset.backup"), default: true },
    yes: flag("cli.help.option.yes"),
  },
  async run({ args }) {
    if (!args.backup && args["backup-dir"] !== undefined) {
      throw new Refusal(said("cli.reset.contradict"), 2);
    }
    const { services, close } = await openCatalogue(openCommandConfig());
    const progress = openProgress();
    try {
      await demandNoJobs(services.sql);
      const counts = await countForReset(services.sql);
      if (!args.yes) await confirm(counts, args.all, args.backup);
      if (args.backup) {
        const { database } = await interruptible(said("cli.reset.interrupted"), (signal) =>
          makeBackup(services, {
            directory: args["backup-dir"],
            media: false,
            signal,
            report: (_, part) => progress.show(part, said("cli.progress.backup")),
          }),
        );
        progress.clear();
        print(said("cli.reset.backup", { path: database.path, size: size(database.bytes) }));
      }
      await resetCatalogue(services.sql, {
        all: args.all,
        async before(tx) {
          // no job may start before the reset is done
          await lockClaims(tx);
          await demandNoJobs(tx);
        },
        async also(tx) {
          // stores outside the database must be emptied too
          for (const { target } of await knownProjections(tx)) await enqueueRebuild(tx, target, null);
          await recordSecurityEvent(tx, {
            event: "catalogue_reset",
            actorId: null,
            accountId: null,
            client: "",
            detail: { all: args.all, records: counts.records },
          });
          // last, so that a refused reset keeps the dumps
          await withdrawDumps(services.dumps);
        },
      });
      print(said("cli.reset.deleted", { what: deleted(counts, args.all) }));
      if (args.all) print(said("cli.reset.next_start"));
    } finally {
      progress.clear();
      await close();
    }
    return 0;
  },
});

/** A running import would continue into the empty catalogue. */
async function demandNoJobs(sql: Sql | Tx): Promise<void> {
  const [first, ...more] = await jobsUnderWay(sql);
  if (!first) return;
  const { kind, id } = first;
  throw new Refusal(said("cli.reset.job_running", { kind, id, more: more.length }));
}

async function confirm(counts: ResetCounts, all: boolean, backup: boolean): Promise<void> {
  const what = said("cli.reset.deletes", { what: deleted(counts, all) });
  await demandDelete(what, said(backup ? "cli.reset.backup_first" : "cli.reset.no_backup"));
}

const deleted = (counts: ResetCounts, all: boolean): Said =>
  all ? said("cli.reset.counts_all", { ...counts }) : said("cli.reset.counts", { ...counts });
