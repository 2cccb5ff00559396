/** svc-manage import-csv FILE --type TYPE --mapping MAPPING.json (contract §4.6, interface §8). */

import { once } from "node:events";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { access, constants, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { Readable } from "node:stream";
import { defineCommand } from "citty";
import { OPERATOR } from "../src/accounts/caller.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "../src/imports/items.ts";
import { type RejectsWriter, rejectsWriter } from "../src/imports/rejects.ts";
import { type ImportSource, type ImportSummary, type RowOutcome, runCsvImport } from "../src/imports/run.ts";
import { isKind, KINDS } from "../src/records/kinds.ts";
import { createPreview } from "./import-preview.ts";
import { openConfig, openServices, Refusal } from "./open.ts";
import { openProgress } from "./progress.ts";

/** Exit code of an import that wrote everything but some rows. */
const WITH_REJECTS = 3;

export const importCsv = defineCommand({
  meta: { name: "import-csv", description: "Import records from a CSV file through a JSON mapping" },
  args: {
    file: { type: "positional", required: true, description: "The CSV file" },
    type: { type: "string", required: true, description: `Record type: ${KINDS.join(", ")}` },
    mapping: { type: "string", required: true, description: "JSON file that maps columns to fields" },
    "dry-run": {
      type: "boolean",
      default: false,
      description: "Validate and print a preview, change no data",
    },
    subtype: { type: "string", description: "Subtype of records whose row gives none" },
    "idno-strategy": {
      type: "string",
      description:
        "auto: number every row; column: from the column mapped to __idno__; skip: leave out rows without a number (default: column when mapped, else auto)",
    },
    "upsert-strategy": {
      type: "string",
      default: "skip",
      description:
        "What happens to records that exist: skip, merge (given fields replace, others stay) or replace",
    },
    "auto-publish": { type: "boolean", default: false, description: "Publish imported records" },
    "media-selector": { type: "string", description: "Column that names media files (objects)" },
    encoding: { type: "string", description: "Encoding of the file (default: detected)" },
    delimiter: { type: "string", description: "Delimiter of the file (default: detected)" },
    rejects: { type: "string", description: "File for refused rows (default: FILE.rejects.csv here)" },
    json: { type: "boolean", default: false, description: "Print the summary as JSON" },
  },
  async run({ args }) {
    if (!isKind(args.type))
      throw new Refusal(
        `There is no record type ${JSON.stringify(args.type)}; there are ${KINDS.join(", ")}`,
        2,
      );
    const upsertStrategy = oneOf("--upsert-strategy", args["upsert-strategy"], UPSERT_STRATEGIES);
    const mapping = await readMapping(args.mapping);
    const idnoStrategy = args["idno-strategy"]
      ? oneOf("--idno-strategy", args["idno-strategy"], IDNO_STRATEGIES)
      : mentionsIdno(mapping)
        ? "column"
        : "auto";
    const source = await fileSource(args.file);
    const config = openConfig();
    const { services, close } = await openServices(config);
    const rejectsPath = resolve(args.rejects ?? `${basename(args.file).replace(/\.csv$/i, "")}.rejects.csv`);
    const rejects = openRejects(args["dry-run"] && !args.rejects ? null : rejectsPath);
    const preview = args["dry-run"] ? createPreview(args.type) : null;
    const progress = openProgress();
    let stopping = false;
    const stop = () => {
      if (stopping) process.exit(130);
      stopping = true;
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    try {
      const begun = performance.now();
      const summary = await runCsvImport(
        services,
        OPERATOR,
        source,
        {
          kind: args.type,
          mapping,
          subtype: args.subtype,
          idnoStrategy,
          upsertStrategy,
          autoPublish: args["auto-publish"],
          mediaSelector: args["media-selector"],
          encoding: args.encoding,
          delimiter: args.delimiter,
          dryRun: args["dry-run"],
          stopped: () => stopping,
        },
        {
          begun(about) {
            rejects.begin(about.header);
            if (about.resumed) console.error(`Going on with import ${about.importId}, which was interrupted`);
            if (about.unused.length > 0)
              console.error(`Columns that the mapping leaves out: ${about.unused.join(", ")}`);
          },
          async batch(outcomes, at) {
            await rejects.take(outcomes);
            preview?.take(outcomes);
            progress.show(source.bytes ? Math.min(1, at.bytes / source.bytes) : undefined, `${at.rows} rows`);
          },
        },
      );
      const seconds = (performance.now() - begun) / 1000;
      await rejects.end();
      progress.end(sentence(summary, seconds, args["dry-run"]));
      if (preview) console.log(preview.text());
      if (summary.rejected > 0 && rejects.path) {
        console.error(
          `${summary.rejected} rows were refused; mend them in ${rejects.path} and import that file with the same mapping`,
        );
      }
      if (args.json)
        console.log(
          JSON.stringify({
            ...summary,
            seconds: Math.round(seconds * 1000) / 1000,
            rejects: summary.rejected > 0 ? rejects.path : null,
          }),
        );
      if (!summary.finished) {
        console.error("Interrupted: run the same command again to go on");
        return 130;
      }
      return summary.rejected > 0 ? WITH_REJECTS : 0;
    } finally {
      await rejects.end();
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      await close();
    }
  },
});

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new Refusal(`${option} is one of ${allowed.join(", ")}, not ${JSON.stringify(value)}`, 2);
  return found;
}

async function readMapping(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error) => {
    throw new Refusal(`Cannot read the mapping ${path}: ${reason(error)}`);
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Refusal(`The mapping ${path} is not JSON: ${(error as Error).message}`);
  }
}

function mentionsIdno(mapping: unknown): boolean {
  return (
    typeof mapping === "object" &&
    mapping !== null &&
    JSON.stringify(Object.values(mapping)).includes('"__idno__"')
  );
}

async function fileSource(path: string): Promise<ImportSource> {
  const about = await stat(path).catch((error) => {
    throw new Refusal(`Cannot read ${path}: ${reason(error)}`);
  });
  if (!about.isFile()) throw new Refusal(`${path} is not a file`);
  await access(path, constants.R_OK).catch((error) => {
    throw new Refusal(`Cannot read ${path}: ${reason(error)}`);
  });
  return {
    name: basename(path),
    bytes: about.size,
    open: () =>
      Readable.toWeb(createReadStream(path, { highWaterMark: 256 * 1024 })) as ReadableStream<Uint8Array>,
  };
}

function reason(error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT"
    ? "there is no such file"
    : error.code === "EACCES"
      ? "permission denied"
      : error.message;
}

/** Written beside its place and moved there at the end; without a refused row there is no file. */
function openRejects(path: string | null) {
  let writer: RejectsWriter | null = null;
  let out: WriteStream | null = null;
  const part = `${path}.part`;
  return {
    path,
    begin(header: readonly string[]) {
      writer = rejectsWriter(header);
    },
    async take(outcomes: readonly RowOutcome[]) {
      for (const { row, result } of outcomes) {
        if (result.outcome !== "rejected" || path === null) continue;
        if (!out) {
          out = createWriteStream(part);
          out.write(writer!.head);
        }
        const reasons = result.faults.map((fault) =>
          [fault.pointer, fault.detail].filter(Boolean).join(": "),
        );
        if (!out.write(writer!.row(row, reasons))) await once(out, "drain");
      }
    },
    async end() {
      if (!out || path === null) return;
      const stream = out;
      out = null;
      stream.end();
      await once(stream, "finish");
      await rm(path, { force: true });
      await rename(part, path);
    },
  };
}

function sentence(summary: ImportSummary, seconds: number, dryRun: boolean): string {
  const { rows_done, created, updated, unchanged, skipped, rejected } = summary;
  const rate = seconds > 0 ? `, ${Math.round(rows_done / seconds)} rows/s` : "";
  const words = dryRun ? ["to create", "to change", "to refuse"] : ["created", "changed", "refused"];
  return (
    `${rows_done} rows: ${created} ${words[0]}, ${updated} ${words[1]}, ${unchanged} unchanged, ` +
    `${skipped} skipped, ${rejected} ${words[2]} (${seconds.toFixed(1)} s${rate})` +
    (dryRun ? "; nothing was written" : `; import ${summary.importId}`)
  );
}
