/** svc-manage media-move: moves media files to the store that is configured for new ones. */
import { defineCommand } from "citty";
import type { Moved } from "../../src/media/care/move.ts";
import { said, sayAll } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import type { Moving } from "../../src/operator/media.ts";
import { Refusal } from "../../src/refusal.ts";
import { size } from "../backups/paths.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { flag, meta, option } from "../terminal/options.ts";
import { inWords, print } from "../terminal/words.ts";

const PLACES = ["s3", "local"] as const;
const MOST_SHOWN = 50;

export const mediaMove = defineCommand({
  meta: meta("media-move", "cli.help.media_move.about"),
  args: {
    to: { ...option("PLACE", "list.or", { one: "s3", other: "local" }), required: true },
    keep: flag("cli.help.media_move.keep"),
    json: flag("cli.help.option.json"),
  },
  async run({ args: { to, keep, json } }) {
    const place = PLACES.find((each) => each === to);
    if (!place) throw new Refusal(said("cli.place", { one: "s3", other: "local" }), 2);
    return withDoor(knock(), async (door, progress) => {
      const onEvent = ({ files, bytes, ofBytes }: Moving) =>
        progress.show(
          bytes / Math.max(1, ofBytes),
          said("cli.media_move.progress", { count: files, size: size(bytes) }),
        );
      const moved = await interruptible(said("cli.media_move.interrupted"), (signal) =>
        door.call("media-move", { to: place, keep }, { onEvent, signal }),
      );
      progress.clear();
      if (json) console.log(JSON.stringify(sayAll(ENGLISH, moved)));
      else show(moved, keep);
      return moved.left.length > 0 ? 1 : 0;
    });
  },
});

function show({ moved, bytes, there, left }: Moved, keep: boolean): void {
  for (const { key, reason } of left.slice(0, MOST_SHOWN)) console.log(`${key} ${inWords(reason)}`);
  if (left.length > MOST_SHOWN) print(said("cli.more", { count: left.length - MOST_SHOWN }));
  const values = { count: moved, size: size(bytes), there, left: left.length };
  print({ key: keep ? "cli.media_move.copied" : "cli.media_move.moved", values });
}
