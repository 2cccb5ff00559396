/** svc-manage import-media DIRECTORY: adds media files to their objects (contract §4.6: the files that --media-selector names). */

import { resolve } from "node:path";
import { defineCommand } from "citty";
import { rejectsWriter } from "../../src/imports/csv/rejects.ts";
import { inOrder, type Place } from "../../src/media/care/bulk.ts";
import { type Said, said, say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { MOST_NAMES } from "../../src/operator/media.ts";
import type { Visibility } from "../../src/records/media/medium.ts";
import { TELLING_BYTES } from "../../src/records/media/type.ts";
import { type Door, knock, withDoor } from "../catalogue/door.ts";
import { bytesOf } from "../terminal/bytes-of.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { argument, flag, meta, option } from "../terminal/options.ts";
import { inWords, print } from "../terminal/words.ts";
import { checksumOf, type FileAtHand, filesBelow } from "./media-directory.ts";
import { openRejects } from "./rejects-file.ts";

const WITH_REJECTS = 3;

/** `idno`: the number of the object that the file belongs to. */
type Outcome =
  | { what: "added" | "would_add" | "there"; objectId: string; idno: string }
  | { what: "refused"; reason: Said };

export const importMediaCommand = defineCommand({
  meta: meta("import-media", "cli.help.import_media.about"),
  args: {
    directory: argument("cli.help.import_media.directory"),
    "dry-run": flag("cli.help.option.dry_run"),
    private: flag("cli.help.import_media.private"),
    rejects: option("FILE", "cli.help.import_media.rejects"),
    json: flag("cli.help.option.json"),
  },
  async run({ args }) {
    const directory = resolve(args.directory);
    const files = await filesBelow(directory);
    const dryRun = args["dry-run"];
    const path = args.rejects ?? (dryRun ? undefined : `${directory}.rejects.csv`);
    const rejects = path === undefined ? null : await openRejects(resolve(path), directory);
    const writer = rejectsWriter(["file"]);
    const counts = { added: 0, would_add: 0, there: 0, refused: 0 };
    const outcomes: Record<string, string>[] = [];
    let done = 0;
    const options = { dryRun, visibility: args.private ? ("private" as const) : ("public" as const) };
    return withDoor(knock(), async (door, progress) => {
      const tell = async ({ name }: FileAtHand, outcome: Outcome) => {
        counts[outcome.what] += 1;
        done += 1;
        if (args.json) outcomes.push({ file: name, ...asJson(outcome) });
        else {
          progress.clear();
          print(line(name, outcome));
        }
        progress.show(done / files.length, said("cli.import_media.progress", { done, count: files.length }));
        if (outcome.what !== "refused") return;
        const row = writer.row({ line: done, cells: [name] }, [outcome.reason], inWords);
        await rejects?.write(counts.refused === 1 ? writer.head + row : row);
      };
      try {
        const awaited = await interruptible(said("cli.import_media.interrupted"), async (signal) => {
          for (const { file, place } of await planOf(door, files)) {
            signal.throwIfAborted();
            await tell(file, await addToObject(door, file, place, { ...options, signal }));
          }
          return door.call("media-awaited", {}, { signal });
        });
        progress.clear();
        const kept = await rejects?.keep();
        if (args.json)
          console.log(JSON.stringify({ ...counts, awaited, rejects: kept?.path ?? null, files: outcomes }));
        else {
          print(summaryOf(counts, awaited, dryRun));
          if (kept?.path) print(said("cli.import_media.rejects", { path: kept.path }));
        }
        return counts.refused > 0 ? WITH_REJECTS : 0;
      } finally {
        await rejects?.drop();
      }
    });
  },
});

type Planned = { file: FileAtHand; place: Place };

async function planOf(door: Door, files: readonly FileAtHand[]): Promise<Planned[]> {
  const plan: Planned[] = [];
  for (let at = 0; at < files.length; at += MOST_NAMES) {
    const some = files.slice(at, at + MOST_NAMES);
    const places = await door.call("media-places", { paths: some.map(({ name }) => name) });
    plan.push(...places.map((place, index) => ({ file: some[index]!, place })));
  }
  const named = ({ file, place: { position } }: Planned) => ({ filename: file.name, position });
  return plan.sort((one, other) => inOrder(named(one), named(other)));
}

/** Computes the checksum only of a file that is as long as one that the object already has. */
async function addToObject(
  door: Door,
  file: FileAtHand,
  place: Place,
  { signal, ...options }: { dryRun: boolean; visibility: Visibility; signal: AbortSignal },
): Promise<Outcome> {
  if ("refused" in place) return { what: "refused", reason: place.refused };
  const { objectId, idno } = place;
  const { name, path, bytes } = file;
  const known = await door.call("media-checksums", { objectId, bytes }, { signal });
  if (known.length > 0 && known.includes(await checksumOf(file))) return { what: "there", objectId, idno };
  const content = bytesOf(path, options.dryRun ? TELLING_BYTES : undefined);
  const sent = { path: name, bytes, objectId, ...options };
  const reason = await door.call("media-add", sent, { content, signal });
  if (reason !== null) return { what: "refused", reason };
  return { what: options.dryRun ? "would_add" : "added", objectId, idno };
}

function line(file: string, outcome: Outcome): Said {
  if (outcome.what === "refused") return said("cli.import_media.refused", { file, reason: outcome.reason });
  const key = outcome.what === "there" ? "cli.import_media.already_there" : "cli.import_media.added";
  return said(key, { file, number: outcome.idno });
}

function asJson(outcome: Outcome): Record<string, string> {
  if (outcome.what === "refused") return { outcome: outcome.what, reason: say(ENGLISH, outcome.reason) };
  return { outcome: outcome.what, idno: outcome.idno, object_id: outcome.objectId };
}

function summaryOf(counts: Record<Outcome["what"], number>, awaited: number, dryRun: boolean): Said {
  const count = Object.values(counts).reduce((sum, n) => sum + n);
  return said(dryRun ? "cli.import_media.would_do" : "cli.import_media.done", { ...counts, count, awaited });
}
