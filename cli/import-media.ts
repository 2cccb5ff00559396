/** svc-manage import-media DIRECTORY (contract §4.6: what --media-selector names). */
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { OPERATOR } from "../src/caller.ts";
import { counted } from "../src/imports/counts.ts";
import { rejectsWriter } from "../src/imports/rejects.ts";
import { importMedia, type Outcome } from "../src/media/bulk.ts";
import { interruptible } from "./interruptible.ts";
import { filesBelow } from "./media-directory.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";
import { openRejects } from "./rejects-file.ts";
import { help } from "./words.ts";

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
      const { awaited } = await interruptible(
        "Interrupted: what was imported stays; run the same command again to continue",
        (signal) =>
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
                console.log(line(file.path, outcome));
              }
              progress.show(done / files.length, `${done} of ${files.length} files`);
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
        console.log(sentence(counts, awaited, dryRun));
        if (kept?.path) console.log(`Refused files: ${kept.path}`);
      }
      return counts.refused > 0 ? WITH_REJECTS : 0;
    } finally {
      progress.clear();
      await rejects?.drop();
      await close();
    }
  },
});

function line(file: string, outcome: Outcome): string {
  if (outcome.what === "refused") return `${file}: refused: ${outcome.reason}`;
  return `${file} → ${outcome.idno}${outcome.what === "there" ? ", already there" : ""}`;
}

function asJson(outcome: Outcome): Record<string, string> {
  if (outcome.what === "refused") return { outcome: outcome.what, reason: outcome.reason };
  return { outcome: outcome.what, idno: outcome.idno, object_id: outcome.objectId };
}

function sentence(counts: Record<Outcome["what"], number>, awaited: number, dryRun: boolean): string {
  const parts = [
    dryRun ? `${counts.would_add} would be added` : `${counts.added} added`,
    `${counts.there} already there`,
    `${counts.refused} refused`,
  ];
  const waits = awaited > 0 ? `; file names in imports that still have no file: ${awaited}` : "";
  const all = Object.values(counts).reduce((sum, n) => sum + n);
  return `${counted(all, "file")}: ${parts.join(", ")}${waits}`;
}
