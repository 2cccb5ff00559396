/** svc-manage media-verify: compares media files with the catalogue. */
import { defineCommand } from "citty";
import type { MediaFault, Verified } from "../../src/media/care/verify.ts";
import { TRASH } from "../../src/media/keys.ts";
import { said } from "../../src/messages/said.ts";
import type { MessageKey } from "../../src/messages/translate.ts";
import { type Compared, MOST_NAMES } from "../../src/operator/media.ts";
import { Refusal } from "../../src/refusal.ts";
import { size } from "../backups/paths.ts";
import { type Door, knock, withDoor } from "../catalogue/door.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { flag, meta } from "../terminal/options.ts";
import type { Progress } from "../terminal/progress.ts";
import { demandDelete } from "../terminal/question.ts";
import { print } from "../terminal/words.ts";

const MOST_SHOWN = 50;

const FAULTS = {
  missing: "cli.media_verify.missing",
  size: "cli.media_verify.size",
  content: "cli.media_verify.content",
  tiles: "cli.media_verify.tiles",
} as const satisfies Record<MediaFault, MessageKey>;

export const mediaVerify = defineCommand({
  meta: meta("media-verify", "cli.help.media_verify.about"),
  args: {
    quick: flag("cli.help.media_verify.quick"),
    delete: flag("cli.help.media_verify.delete"),
    force: flag("cli.help.media_verify.force"),
    yes: flag("cli.help.media_verify.yes"),
    json: flag("cli.help.option.json"),
  },
  async run({ args }) {
    if (!args.delete && (args.force || args.yes)) {
      throw new Refusal(said("cli.media_verify.only_delete"), 2);
    }
    return withDoor(knock(), async (door, progress) => {
      const input = { quick: args.quick, unlessRestored: args.delete && !args.force };
      const onEvent = ({ media, ofMedia }: Compared) =>
        progress.show(
          Math.min(1, media / Math.max(1, ofMedia)),
          said("cli.media_verify.progress", { count: media }),
        );
      const found = await interruptible(said("cli.interrupted"), (signal) =>
        door.call("media-verify", input, { onEvent, signal }),
      );
      progress.clear();
      if (!args.json) printFaults(found);
      const thrown =
        args.delete && found.unreferenced.length > 0 ? await moveToTrash(door, found, args.yes, progress) : 0;
      if (args.json) console.log(JSON.stringify(args.delete ? { ...found, thrown_away: thrown } : found));
      else if (args.delete) print(said("cli.media_verify.moved", { place: TRASH, count: thrown }));
      if (found.faults.length > 0) return 1;
      return found.unreferenced.length > thrown ? 3 : 0;
    });
  },
});

/** Asks, then moves files that belong to no medium to the trash. Returns how many. */
async function moveToTrash(
  door: Door,
  { unreferenced }: Verified,
  yes: boolean,
  progress: Progress,
): Promise<number> {
  if (!yes)
    await demandDelete(said("cli.media_verify.confirm", { place: TRASH, count: unreferenced.length }));
  const count = unreferenced.length;
  let thrown = 0;
  await interruptible(said("cli.media_verify.interrupted", { place: TRASH }), async (signal) => {
    for (let at = 0; at < count; at += MOST_NAMES) {
      const keys = unreferenced.slice(at, at + MOST_NAMES);
      const onEvent = (done: number) =>
        progress.show((at + done) / count, said("cli.media_verify.files_moved", { count: at + done }));
      thrown += await door.call("media-throw-away", { keys }, { onEvent, signal });
    }
  });
  progress.clear();
  return thrown;
}

function printFaults({ media, bytes, faults, unreferenced }: Verified): void {
  const lines = [
    ...faults.map(({ media_id, storage_key, fault }) => ({
      key: FAULTS[fault],
      values: { media: media_id, key: storage_key },
    })),
    ...unreferenced.map((key) => said("cli.media_verify.unreferenced", { key })),
  ];
  for (const line of lines.slice(0, MOST_SHOWN)) print(line);
  if (lines.length > MOST_SHOWN) print(said("cli.more_json", { count: lines.length - MOST_SHOWN }));
  const counts = { media, faults: faults.length, unreferenced: unreferenced.length };
  print(said("cli.media_verify.compared", { ...counts, size: size(bytes) }));
}
