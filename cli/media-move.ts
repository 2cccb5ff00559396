/** svc-manage media-move: moves media files to where new ones are stored. */
import { defineCommand } from "citty";
import { openPlaces } from "../src/compose.ts";
import { type Moved, moveMedia } from "../src/media/move.ts";
import { said, sayAll } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import { Refusal } from "../src/refusal.ts";
import { size } from "./backup-paths.ts";
import { interruptible } from "./interruptible.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";
import { inWords, print } from "./words.ts";

const PLACES = ["s3", "local"];
const MOST_SHOWN = 50;

export const mediaMove = defineCommand({
  meta: {
    name: "media-move",
    description: `Move media files to the place where new ones go

From MEDIA_ROOT into the bucket (--to s3), or back (--to local). First set STORAGE_BACKEND to that place, keep the S3_*
variables, and restart the service: it finds each file in either place. Each file is copied and read back; the original
is deleted only if the SHA-256 of the copy matches it and the catalogue. After an interruption, run it again. Logos and
themes stay in MEDIA_ROOT.

Exit codes: 0 everything is there, 1 some files were left where they are, 2 the command was not understood.`,
  },
  args: {
    to: { type: "string", valueHint: "PLACE", required: true, description: PLACES.join(" or ") },
    keep: { type: "boolean", default: false, description: "Copy the files instead of moving them" },
    json: { type: "boolean", default: false, description: "Print the result as JSON, and nothing else" },
  },
  async run({ args: { to, keep, json } }) {
    if (!PLACES.includes(to)) throw new Refusal(said("cli.place", { one: "s3", other: "local" }), 2);
    const config = openCommandConfig();
    const places = await openPlaces(config);
    if (places.s3 === null) {
      throw new Refusal(said("cli.media_move.no_bucket"));
    }
    if (config.storageBackend !== to) {
      throw new Refusal(said("cli.media_move.other_place", { place: to }));
    }
    const [source, target] = to === "s3" ? [places.local, places.s3] : [places.s3, places.local];
    const { services, close } = await openCatalogue(config);
    const progress = openProgress();
    try {
      const moved = await interruptible(said("cli.media_move.interrupted"), (signal) =>
        moveMedia({
          sql: services.sql,
          from: source,
          to: target,
          keep,
          signal,
          report: ({ files, bytes, ofBytes }) =>
            progress.show(
              bytes / Math.max(1, ofBytes),
              said("cli.media_move.progress", { count: files, size: size(bytes) }),
            ),
        }),
      );
      progress.clear();
      if (json) console.log(JSON.stringify(sayAll(ENGLISH, moved)));
      else show(moved, keep);
      return moved.left.length > 0 ? 1 : 0;
    } finally {
      progress.clear();
      await close();
    }
  },
});

function show({ moved, bytes, there, left }: Moved, keep: boolean): void {
  for (const { key, reason } of left.slice(0, MOST_SHOWN)) console.log(`${key} ${inWords(reason)}`);
  if (left.length > MOST_SHOWN) print(said("cli.more", { count: left.length - MOST_SHOWN }));
  const values = { count: moved, size: size(bytes), there, left: left.length };
  print({ key: keep ? "cli.media_move.copied" : "cli.media_move.moved", values });
}
