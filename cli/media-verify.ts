/** svc-manage media-verify: compares media files with the catalogue. */
import { defineCommand } from "citty";
import { TRASH } from "../src/media/keys.ts";
import { recentRestore, throwAway } from "../src/media/trash.ts";
import { type MediaFault, type Verified, verifyMedia } from "../src/media/verify.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { size } from "./backup-paths.ts";
import { interruptible } from "./interruptible.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress, type Progress } from "./progress.ts";
import { ask, isSomebodyThere } from "./question.ts";

const MOST_SHOWN = 50;
/** The word to type for confirmation. */
const CONFIRMATION = "delete";

const FAULTS: Record<MediaFault, string> = {
  missing: "is missing",
  size: "differs in length from the upload",
  content: "differs from the upload: its SHA-256 does not match",
  tiles: "has lost its tiles, which are made from it",
};

export const mediaVerify = defineCommand({
  meta: {
    name: "media-verify",
    description: `Compare media files with the catalogue

Reads every file in MEDIA_ROOT or the bucket. Lists files that are missing, files whose length or SHA-256 is wrong, and
files that belong to no medium (not those younger than an hour, nor those that the service deletes itself). Works while
the service runs. Restore missing files from a backup.

--delete moves files that belong to no medium to trash/ in the same place, after a question. They are deleted after 30
days; until then, move one back to undo this. Files whose names the service does not make stay where they are. Within a
week after a restore, --delete needs --force: the files may belong to a newer backup. They may also belong to another
installation that uses the same bucket.

Exit codes: 0 every file is correct, 1 some are not, 2 the command was not understood, 3 all are correct, but some files
belong to no medium.`,
  },
  args: {
    quick: {
      type: "boolean",
      default: false,
      description: "Check only existence and length, without reading the files",
    },
    delete: {
      type: "boolean",
      default: false,
      description: "Move files that belong to no medium to the trash",
    },
    force: { type: "boolean", default: false, description: "With --delete: also soon after a restore" },
    yes: { type: "boolean", default: false, description: "With --delete: do not ask" },
    json: { type: "boolean", default: false, description: "Print the result as JSON, and nothing else" },
  },
  async run({ args }) {
    if (!args.delete && (args.force || args.yes)) {
      throw new Refusal("--force and --yes belong to --delete; nothing was changed", 2);
    }
    const { services, close } = await openCatalogue(openCommandConfig());
    const progress = openProgress();
    try {
      if (args.delete && !args.force) await demandNoRestore(services);
      const found = await compare(services, args.quick, progress);
      if (!args.json) printFaults(found);
      const thrown =
        args.delete && found.unreferenced.length > 0 ? await clear(services, found, args.yes, progress) : 0;
      if (args.json) console.log(JSON.stringify(args.delete ? { ...found, thrown_away: thrown } : found));
      else if (args.delete) console.log(`Files moved to ${TRASH}: ${thrown}`);
      if (found.faults.length > 0) return 1;
      return found.unreferenced.length > thrown ? 3 : 0;
    } finally {
      progress.clear();
      await close();
    }
  },
});

async function demandNoRestore({ sql }: Services): Promise<void> {
  const recent = await recentRestore(sql);
  if (recent === null) return;
  throw new Refusal(
    `The catalogue was restored on ${recent.restored}, and files without a medium may belong to a newer backup. Wait until ${recent.over}, or add --force if no other backup will be restored. Nothing was changed`,
  );
}

async function compare({ sql, files }: Services, quick: boolean, progress: Progress): Promise<Verified> {
  const found = await interruptible("Interrupted", (signal) =>
    verifyMedia({
      sql,
      files,
      quick,
      report({ media, ofMedia }) {
        signal.throwIfAborted();
        progress.show(Math.min(1, media / Math.max(1, ofMedia)), `${media} media`);
      },
    }),
  );
  progress.clear();
  return found;
}

/** Asks, then moves the files that belong to no medium to the trash; returns how many. */
async function clear(
  services: Services,
  { unreferenced }: Verified,
  yes: boolean,
  progress: Progress,
): Promise<number> {
  if (!yes) await confirm(unreferenced.length);
  const thrown = await interruptible(
    `Interrupted: files already moved stay in ${TRASH}; run this command again to continue`,
    (signal) =>
      throwAway(services, unreferenced, (done) => {
        signal.throwIfAborted();
        progress.show(done / unreferenced.length, `${done} files moved`);
      }),
  );
  progress.clear();
  return thrown;
}

async function confirm(files: number): Promise<void> {
  const what = `This moves files that belong to no medium to ${TRASH}, where they are deleted after 30 days: ${files}`;
  if (!isSomebodyThere()) {
    throw new Refusal(
      `${what}. There is no terminal to confirm this: add --yes if you are sure. Nothing was changed`,
    );
  }
  console.error(what);
  if ((await ask(`Type "${CONFIRMATION}" to continue: `)) !== CONFIRMATION) {
    throw new Refusal("Nothing was changed");
  }
}

function printFaults({ media, bytes, faults, unreferenced }: Verified): void {
  const lines = [
    ...faults.map(({ media_id, storage_key, fault }) => `${media_id} ${storage_key} ${FAULTS[fault]}`),
    ...unreferenced.map((key) => `${key} belongs to no medium`),
  ];
  for (const line of lines.slice(0, MOST_SHOWN)) console.log(line);
  if (lines.length > MOST_SHOWN) console.log(`… and ${lines.length - MOST_SHOWN} more; --json lists all`);
  console.log(
    `${media} media compared (${size(bytes)} read), ${faults.length || "no"} faults, ${unreferenced.length || "no"} files that belong to no medium`,
  );
}
