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
import { help, inWords, print } from "./words.ts";

const PLACES = ["s3", "local"];
const MOST_SHOWN = 50;

export const mediaMove = defineCommand({
  meta: {
    name: "media-move",
    description: help("cli.help.media_move.about"),
  },
  args: {
    to: {
      type: "string",
      valueHint: "PLACE",
      required: true,
      description: help("list.or", { one: "s3", other: "local" }),
    },
    keep: { type: "boolean", default: false, description: help("cli.help.media_move.keep") },
    json: { type: "boolean", default: false, description: help("cli.help.option.json") },
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
