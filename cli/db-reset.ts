/** svc-manage db-reset (contract §4.6). */
import { defineCommand } from "citty";
import { recordSecurityEvent } from "../src/accounts/security-events.ts";
import { countForReset, type ResetCounts, resetCatalogue } from "../src/adapters/database/reset.ts";
import { withdrawDumps } from "../src/dumps/published.ts";
import { enqueueRebuild } from "../src/jobs/enqueue.ts";
import { jobsUnderWay, lockClaims } from "../src/jobs/queue.ts";
import { knownProjections } from "../src/records/projections.ts";
import { Refusal } from "../src/refusal.ts";
import type { Sql, Tx } from "../src/services.ts";
import { makeBackup } from "../workers/back-up.ts";
import { size } from "./backup-paths.ts";
import { interruptible } from "./interruptible.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";
import { ask, isSomebodyThere } from "./question.ts";

/** The word to type for confirmation. */
const CONFIRMATION = "delete";

export const dbReset = defineCommand({
  meta: {
    name: "db-reset",
    description: `Delete all records and start again, after a backup of the database

Deletes records, relations, their history and imports, and restarts numbering. Accounts, roles, fields, vocabularies,
relation types and settings stay; --all deletes them too and restores the configuration of a fresh installation. Files
in MEDIA_ROOT, security events and backups always stay, and ARKs stay taken: they answer 410.

The public dumps are withdrawn; the next night writes new ones. Works while the service runs, but not while a job
runs. Waiting and finished jobs are deleted with the records.`,
  },
  args: {
    all: {
      type: "boolean",
      default: false,
      description: "Also delete accounts, roles, fields, vocabularies and relation types",
    },
    "backup-dir": {
      type: "string",
      valueHint: "PATH",
      description: "Where the backup goes (default: BACKUP_ROOT)",
    },
    backup: { type: "boolean", default: true, description: "Make no backup" },
    yes: { type: "boolean", default: false, description: "Do not ask" },
  },
  async run({ args }) {
    if (!args.backup && args["backup-dir"] !== undefined) {
      throw new Refusal("--no-backup and --backup-dir contradict each other; nothing was changed", 2);
    }
    const { services, close } = await openCatalogue(openCommandConfig());
    const progress = openProgress();
    try {
      await demandNoJobs(services.sql);
      const counts = await countForReset(services.sql);
      if (!args.yes) await confirm(counts, args.all, args.backup);
      if (args.backup) {
        const { database } = await interruptible("Interrupted: nothing was deleted", (signal) =>
          makeBackup(services, {
            directory: args["backup-dir"],
            media: false,
            signal,
            report: (_, part) => progress.show(part, "backup"),
          }),
        );
        progress.clear();
        console.log(`Backup: ${database.path} (${size(database.bytes)})`);
      }
      await resetCatalogue(services.sql, {
        all: args.all,
        async before(tx) {
          // no job starts before this is done
          await lockClaims(tx);
          await demandNoJobs(tx);
        },
        async also(tx) {
          // stores outside the database still have records
          for (const { target } of await knownProjections(tx)) await enqueueRebuild(tx, target, null);
          await recordSecurityEvent(tx, {
            event: "catalogue_reset",
            actorId: null,
            accountId: null,
            client: "",
            detail: { all: args.all, records: counts.records },
          });
          // last: a reset that is refused keeps them
          await withdrawDumps(services.dumps);
        },
      });
      console.log(`Deleted: ${sentence(counts, args.all)}`);
      if (args.all) console.log("The next start of the service creates the first administrator");
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
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  throw new Refusal(
    `A job is running: ${first.kind} ${first.id}${others}. Wait until it ends, or stop it with svc-manage jobs cancel ${first.id}. Nothing was deleted`,
  );
}

async function confirm(counts: ResetCounts, all: boolean, backup: boolean): Promise<void> {
  const what = `This deletes ${sentence(counts, all)}`;
  if (!isSomebodyThere()) {
    throw new Refusal(
      `${what}. There is no terminal to confirm this: add --yes if you are sure. Nothing was changed`,
    );
  }
  console.error(`${what}.\n${backup ? "A backup is made first." : "NO backup is made."}`);
  const answer = await ask(`Type "${CONFIRMATION}" to continue: `);
  if (answer !== CONFIRMATION) throw new Refusal("Nothing was changed");
}

function sentence(counts: ResetCounts, all: boolean): string {
  const { records, versions, relations, imports, accounts, roles, vocabularies, fields } = counts;
  const parts = [
    `${records} ${records === 1 ? "record" : "records"}`,
    `${versions} ${versions === 1 ? "entry" : "entries"} of their history`,
    `${relations} ${relations === 1 ? "relation" : "relations"}`,
    `${imports} ${imports === 1 ? "import" : "imports"}`,
  ];
  if (all)
    parts.push(`${accounts} accounts`, `${roles} roles`, `${vocabularies} vocabularies`, `${fields} fields`);
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
