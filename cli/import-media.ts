/** svc-manage import-media DIRECTORY (contract §4.6: what --media-selector names). */

import { resolve } from "node:path";
import { defineCommand } from "citty";
import { OPERATOR } from "../src/caller.ts";
import { rejectsWriter } from "../src/imports/rejects.ts";
import { importMedia, type Outcome } from "../src/media/bulk.ts";
import { type Said, said, say } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import { interruptible } from "./interruptible.ts";
import { filesBelow } from "./media-directory.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";
import { openRejects } from "./rejects-file.ts";
import { help, print } from "./words.ts";

const WITH_REJECTS = 3;
const HEADER = ["file"];

export const importMediaCommand = defineCommand({
  meta: {
    name: "import-media",
    description: help("cli.help.import_media.about"),
  },
  args: {
    directory: { type: "positional", required: true, description: help("cli.help.import_media.directory") },
    "dry-run": { type: "boolean", default: false, description: help("cli.help.option.dry_run") },
    private: {
      type: "boolean",
      default: false,
      description: help("cli.help.import_media.private"),
    },
    rejects: {
      type: "string",
      valueHint: "FILE",
      description: help("cli.help.import_media.rejects"),
    },
    json: { type: "boolean", default: false, description: help("cli.help.option.json") },
  },
  async run({ args }) {
    const directory = resolve(args.directory);
    const files = await filesBelow(directory);
    const dryRun = args["dry-run"];
    const path = args.rejects ?? (dryRun ? undefined : `${directory}.rejects.csv`);
    const rejects = path === undefined ? null : await openRejects(resolve(path), directory);
    rejects?.begin(rejectsWriter(HEADER));
    const { services, close } = await openCatalogue(openCommandConfig());
    const progress = openProgress();
    const counts = { added: 0, would_add: 0, there: 0, refused: 0 };
    const outcomes: Record<string, string>[] = [];
    let done = 0;
    try {
      const { awaited } = await interruptible(said("cli.import_media.interrupted"), (signal) =>
        importMedia(services, OPERATOR, files, {
          dryRun,
          visibility: args.private ? "private" : "public",
          signal,
          async tell(file, outcome: Outcome) {
            counts[outcome.what] += 1;
            done += 1;
            if (args.json) outcomes.push({ file: file.path, ...asJson(outcome) });
            else {
              progress.clear();
              print(line(file.path, outcome));
            }
            progress.show(
              done / files.length,
              said("cli.import_media.progress", { done, count: files.length }),
            );
            if (outcome.what !== "refused") return;
            await rejects?.add([
              {
                row: { line: done, cells: [file.path] } as never,
                faults: [{ pointer: "", detail: outcome.reason }],
              },
            ]);
          },
        }),
      );
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
      progress.clear();
      await rejects?.drop();
      await close();
    }
  },
});

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
