/** svc-manage media-move: moves media files to where new ones are stored. */
import { defineCommand } from "citty";
import type { Moved } from "../../src/media/care/move.ts";
import { said, sayAll } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import type { Moving } from "../../src/operator/media.ts";
import { Refusal } from "../../src/refusal.ts";
import { size } from "../backups/paths.ts";
import { knock } from "../catalogue/door.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { openProgress } from "../terminal/progress.ts";
import { help, inWords, print } from "../terminal/words.ts";

const PLACES = ["s3", "local"] as const;
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
    const place = PLACES.find((each) => each === to);
    if (!place) throw new Refusal(said("cli.place", { one: "s3", other: "local" }), 2);
    const door = await knock(openCommandConfig());
    const progress = openProgress();
    try {
      const told = ({ files, bytes, ofBytes }: Moving) =>
        progress.show(
          bytes / Math.max(1, ofBytes),
          said("cli.media_move.progress", { count: files, size: size(bytes) }),
        );
      const moved = await interruptible(said("cli.media_move.interrupted"), (signal) =>
        door.call("media-move", { to: place, keep }, { told, signal }),
      );
      progress.clear();
      if (json) console.log(JSON.stringify(sayAll(ENGLISH, moved)));
      else show(moved, keep);
      return moved.left.length > 0 ? 1 : 0;
    } finally {
      progress.clear();
      await door.close();
    }
  },
});

function show({ moved, bytes, there, left }: Moved, keep: boolean): void {
  for (const { key, reason } of left.slice(0, MOST_SHOWN)) console.log(`${key} ${inWords(reason)}`);
  if (left.length > MOST_SHOWN) print(said("cli.more", { count: left.length - MOST_SHOWN }));
  const values = { count: moved, size: size(bytes), there, left: left.length };
  print({ key: keep ? "cli.media_move.copied" : "cli.media_move.moved", values });
}
