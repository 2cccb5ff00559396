/** svc-manage media-verify: compares media files with the catalogue. */
import { defineCommand } from "citty";
import { type MediaFault, type Verified, verifyMedia } from "../src/media/verify.ts";
import { size } from "./backup-paths.ts";
import { interruptible } from "./interruptible.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";

const MOST_SHOWN = 50;

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
files that belong to no medium (those younger than an hour may be uploads under way). Changes nothing; works while the
service runs. Restore missing files from a backup.

Exit codes: 0 every file is correct, 1 some are not, 2 the command was not understood, 3 all are correct, but some files
belong to no medium.`,
  },
  args: {
    quick: {
      type: "boolean",
      default: false,
      description: "Check only existence and length, without reading the files",
    },
    json: { type: "boolean", default: false, description: "Print the result as JSON, and nothing else" },
  },
  async run({ args: { quick, json } }) {
    const { services, close } = await openCatalogue(openCommandConfig());
    const progress = openProgress();
    try {
      const found = await interruptible("Interrupted", (signal) =>
        verifyMedia({
          sql: services.sql,
          files: services.files,
          quick,
          report({ media, ofMedia }) {
            signal.throwIfAborted();
            progress.show(Math.min(1, media / Math.max(1, ofMedia)), `${media} media`);
          },
        }),
      );
      progress.clear();
      if (json) console.log(JSON.stringify(found));
      else print(found);
      if (found.faults.length > 0) return 1;
      return found.unreferenced.length > 0 ? 3 : 0;
    } finally {
      progress.clear();
      await close();
    }
  },
});

function print({ media, bytes, faults, unreferenced }: Verified): void {
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
