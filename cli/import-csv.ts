/** svc-manage import-csv FILE --type TYPE --mapping MAPPING.json (contract §4.6, interface §8). */

import { resolve } from "node:path";
import { defineCommand } from "citty";
import { OPERATOR } from "../src/accounts/caller.ts";
import { isUnreachable } from "../src/http/requests.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "../src/imports/items.ts";
import { runCsvImport } from "../src/imports/run.ts";
import type { ImportOptions } from "../src/imports/save-rows.ts";
import { isKind, KINDS } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";
import { besides, fileSource, mentionsIdno, readMapping } from "./import-files.ts";
import { createPreview } from "./import-preview.ts";
import { createReport, rows } from "./import-report.ts";
import { openCommandConfig, openServices } from "./open.ts";
import { openProgress } from "./progress.ts";
import { openRejects } from "./rejects-file.ts";
import { INTERRUPTED, onStopSignal } from "./stop-signals.ts";

/** Exit code of an import that wrote everything but some rows. */
const WITH_REJECTS = 3;

export const importCsv = defineCommand({
  meta: {
    name: "import-csv",
    description: `Import records from a CSV file through a JSON mapping

Encoding, delimiter and line ends are found out. Rows that are refused go to the rejects file with
their line and the reason: mend them there and import that file. Interrupted, run the same command
again: it goes on, nothing is doubled.

Exit codes: 0 everything was imported, 1 nothing more could be (the message says why), 2 the command
was not understood, 3 imported except for refused rows, 130 interrupted.`,
  },
  args: {
    file: { type: "positional", required: true, description: "The CSV file" },
    type: {
      type: "string",
      required: true,
      valueHint: "TYPE",
      description: `What the rows are: ${KINDS.join(", ")}`,
    },
    mapping: {
      type: "string",
      required: true,
      valueHint: "MAPPING.json",
      description: "JSON file that maps columns to fields",
    },
    "dry-run": {
      type: "boolean",
      default: false,
      description: "Show field by field what would be created, changed and refused; write nothing",
    },
    subtype: { type: "string", valueHint: "NAME", description: "Subtype of records whose row gives none" },
    "idno-strategy": {
      type: "string",
      valueHint: "auto|column|skip",
      description:
        "auto: number every row; column: from the column mapped to __idno__, rows without are refused; skip: the same, rows without are left out (default: column when one is mapped to __idno__, else auto)",
    },
    "upsert-strategy": {
      type: "string",
      default: "skip",
      valueHint: "skip|merge|replace",
      description:
        "Records that exist: skip leaves them alone, merge replaces the fields that the row gives, replace leaves nothing but what the row gives",
    },
    "auto-publish": {
      type: "boolean",
      default: false,
      description: "Publish imported records, and those that are made because a row names them",
    },
    "media-selector": {
      type: "string",
      valueHint: "COLUMN",
      description: "Column that names media files (objects)",
    },
    encoding: { type: "string", valueHint: "NAME", description: "Encoding of the file (default: found out)" },
    delimiter: {
      type: "string",
      valueHint: "CHAR",
      description: "Delimiter of the file (default: found out)",
    },
    rejects: {
      type: "string",
      valueHint: "FILE",
      description: "File for refused rows (default: FILE.rejects.csv in this directory; with --dry-run none)",
    },
    json: { type: "boolean", default: false, description: "Print the summary as JSON, and nothing else" },
  },
  async run({ args }) {
    if (!isKind(args.type)) {
      throw new Refusal(
        `There is no record type ${JSON.stringify(args.type)}; there are ${KINDS.join(", ")}`,
        2,
      );
    }
    const upsertStrategy = oneOf("--upsert-strategy", args["upsert-strategy"], UPSERT_STRATEGIES);
    const chosen = args["idno-strategy"];
    const named = chosen === undefined ? undefined : oneOf("--idno-strategy", chosen, IDNO_STRATEGIES);
    const mapping = await readMapping(args.mapping);
    const numbered = mentionsIdno(mapping);
    const source = await fileSource(args.file);
    const rejectsPath = args["dry-run"] ? args.rejects : (args.rejects ?? besides(args.file));
    const rejects = rejectsPath === undefined ? null : await openRejects(resolve(rejectsPath), args.file);
    const progress = openProgress();
    const stop = { begun: false, asked: false };
    const unlisten = onStopSignal(() => {
      progress.clear();
      if (!stop.begun) {
        console.error("Interrupted before the first row: this run has written nothing");
        process.exit(INTERRUPTED);
      }
      stop.asked = true;
      console.error("Stopping after this batch; once more stops at once");
    });
    const { services, close } = await openServices(openCommandConfig());
    const report = createReport({ kind: args.type, dryRun: args["dry-run"], upsertStrategy });
    const preview = args["dry-run"] ? createPreview(args.type) : null;
    const options: ImportOptions = {
      kind: args.type,
      mapping,
      subtype: args.subtype,
      idnoStrategy: named ?? (numbered ? "column" : "auto"),
      upsertStrategy,
      autoPublish: args["auto-publish"],
      mediaSelector: args["media-selector"],
      encoding: args.encoding,
      delimiter: args.delimiter,
      dryRun: args["dry-run"],
      stopped: () => stop.asked,
    };
    try {
      const summary = await runCsvImport(services, OPERATOR, source, options, {
        begun(about) {
          stop.begun = true;
          rejects?.begin(about.header, about.delimiter);
          if (about.resumed) console.error(`Going on with import ${about.importId}, which was interrupted`);
          if (about.unused.length > 0)
            console.error(`Columns that the mapping leaves out: ${about.unused.join(", ")}`);
          if (named === "auto" && numbered)
            console.error(
              "The numbers of the file are left out: --idno-strategy auto gives each row a new one",
            );
        },
        async batch(outcomes, at) {
          await rejects?.take(outcomes);
          report.take(outcomes);
          preview?.take(outcomes);
          progress.show(source.bytes ? Math.min(1, at.bytes / source.bytes) : undefined, rows(at.rows));
        },
      });
      progress.clear();
      if (!summary.finished) {
        console.error(report.text(summary));
        console.error(
          args["dry-run"]
            ? "Interrupted: nothing was written"
            : "Interrupted: run the same command again to go on",
        );
        return INTERRUPTED;
      }
      const kept = await rejects?.keep();
      if (args.json) {
        const more = preview ? { preview: preview.json() } : {};
        console.log(JSON.stringify({ ...report.json(summary), rejects: kept?.path ?? null, ...more }));
      } else {
        const shown = preview?.text();
        if (shown) console.log(`${shown}\n`);
        console.log(report.text(summary));
      }
      if (kept) {
        if (kept.moved) console.error(`The earlier rejects file is ${kept.moved} now`);
        console.error(
          args["dry-run"]
            ? `The rows that would be refused are in ${kept.path}, each with its line and the reason`
            : `Mend the refused rows in ${kept.path} and import that file with the same mapping`,
        );
      }
      return summary.rejected > 0 ? WITH_REJECTS : 0;
    } catch (error) {
      progress.clear();
      if (!isUnreachable(error)) throw error;
      throw new Refusal(
        `${services.database === "door" ? "The service that has the data directory open is gone" : "The database cannot be reached any more"} ` +
          `(${(error as Error).message}): ` +
          `${args["dry-run"] ? "nothing was written" : "what was imported is kept"}; run the same command again`,
      );
    } finally {
      unlisten();
      await rejects?.drop();
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
