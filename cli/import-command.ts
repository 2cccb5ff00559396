/** The shared part of import-csv, import-xml and import-lido: options, running and stopping, progress and summary. */

import { resolve } from "node:path";
import type { ArgsDef, ParsedArgs } from "citty";
import { OPERATOR } from "../src/caller.ts";
import { isUnreachable } from "../src/http/requests.ts";
import { counted } from "../src/imports/counts.ts";
import { checkDelimiter } from "../src/imports/delimiter.ts";
import { guessNotice } from "../src/imports/encoding.ts";
import { UNUSED_COLUMNS } from "../src/imports/header.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "../src/imports/items.ts";
import { mapsIdno } from "../src/imports/mapping.ts";
import type { ImportOptions } from "../src/imports/options.ts";
import { createPreview } from "../src/imports/preview.ts";
import { createReport } from "../src/imports/report.ts";
import { type ImportSummary, runImport } from "../src/imports/run.ts";
import { namedEncoding } from "../src/imports/source.ts";
import { said } from "../src/messages/said.ts";
import { Problem } from "../src/problem.ts";
import { KINDS } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";
import type { Services } from "../src/services.ts";
import { defaultRejectsPath, fileSource, readMapping } from "./import-files.ts";
import { demandKind } from "./kind-option.ts";
import { openCommandConfig, openServices } from "./open.ts";
import { openProgress } from "./progress.ts";
import { openRejects } from "./rejects-file.ts";
import { INTERRUPTED, onStopSignal } from "./stop-signals.ts";
import { help } from "./words.ts";

/** Exit code of an import with refused rows. */
const WITH_REJECTS = 3;

/** What differs between the commands. */
export type Form = {
  ending: "csv" | "xml";
  /** The word for one record of the file. */
  unit: "row" | "record";
};

/** The last lines of the help of these commands. */
export const ENDINGS = said("cli.help.endings");

export const mappedArgs = {
  type: {
    type: "string",
    required: true,
    valueHint: "TYPE",
    description: help("cli.help.import_file.type", { types: KINDS.join(", ") }),
  },
  mapping: {
    type: "string",
    required: true,
    valueHint: "MAPPING.json",
    description: help("cli.help.import_file.mapping"),
  },
} satisfies ArgsDef;

export const importArgs = {
  "dry-run": {
    type: "boolean",
    default: false,
    description: help("cli.help.import_file.dry_run"),
  },
  subtype: {
    type: "string",
    valueHint: "NAME",
    description: help("cli.help.import_file.subtype"),
  },
  "idno-strategy": {
    type: "string",
    valueHint: "auto|column|skip",
    description: help("cli.help.import_file.idno_strategy"),
  },
  "upsert-strategy": {
    type: "string",
    default: "skip",
    valueHint: "skip|merge|replace|link",
    description: help("cli.help.import_file.upsert_strategy"),
  },
  "auto-publish": {
    type: "boolean",
    default: false,
    description: help("cli.help.import_file.auto_publish"),
  },
  encoding: { type: "string", valueHint: "NAME", description: help("cli.help.import_file.encoding") },
  rejects: {
    type: "string",
    valueHint: "FILE",
    description: help("cli.help.import_file.rejects"),
  },
  json: { type: "boolean", default: false, description: help("cli.help.option.json_summary") },
} satisfies ArgsDef;

/** How the file is read: record type, mapping, and the options of one format. */
export type Reading = Pick<ImportOptions, "kind" | "mapping"> & Partial<ImportOptions>;

/** From the options --type and --mapping. */
export async function mappedReading({ type, mapping }: ParsedArgs<typeof mappedArgs>): Promise<Reading> {
  return { kind: demandKind(type)!, mapping: await readMapping(mapping) };
}

/** Returns the exit code. @param reading a function if it depends on the open catalogue */
export async function runImportCommand(
  form: Form,
  args: ParsedArgs<typeof importArgs> & { file: string; "media-selector"?: string; delimiter?: string },
  reading: Reading | ((services: Services) => Promise<Reading>),
): Promise<number> {
  const dryRun = args["dry-run"];
  const upsertStrategy = oneOf("--upsert-strategy", args["upsert-strategy"], UPSERT_STRATEGIES);
  const chosen = args["idno-strategy"];
  const named = chosen === undefined ? undefined : oneOf("--idno-strategy", chosen, IDNO_STRATEGIES);
  demandReadable(args);
  const source = await fileSource(args.file);
  const rejectsPath = dryRun ? args.rejects : (args.rejects ?? defaultRejectsPath(args.file, form.ending));
  const rejects = rejectsPath === undefined ? null : await openRejects(resolve(rejectsPath), args.file);
  const progress = openProgress();
  const stop = { begun: false, asked: false };
  /** Imported rows in the rejects file that would not find their records. */
  let lost = 0;
  const unlisten = onStopSignal(() => {
    progress.clear();
    if (!stop.begun) {
      console.error(`Interrupted before the first ${form.unit}: this run has written nothing`);
      process.exit(INTERRUPTED);
    }
    stop.asked = true;
    console.error("Stopping after this batch; press Ctrl-C again to stop at once");
  });
  const { services, close } = await openServices(openCommandConfig());
  const read = typeof reading === "function" ? await reading(services) : reading;
  const { kind, mapping } = read;
  const facts = { kind, unit: form.unit, dryRun, upsertStrategy, mapping };
  const report = createReport(facts);
  const preview = dryRun ? createPreview(facts) : null;
  const options: ImportOptions = {
    ...read,
    subtype: args.subtype,
    idnoStrategy: named ?? (mapsIdno(mapping) ? "column" : "auto"),
    upsertStrategy,
    autoPublish: args["auto-publish"],
    mediaSelector: args["media-selector"],
    encoding: args.encoding,
    dryRun,
    stopped: () => stop.asked,
  };
  try {
    const summary = await runImport(services, OPERATOR, source, options, {
      begun(about) {
        stop.begun = true;
        rejects?.begin(about.rejects);
        if (about.resumed) console.error(`Continuing import ${about.importId}, which was interrupted`);
        const guessed = form.ending === "csv" ? guessNotice(about.encoding, args.encoding) : null;
        if (guessed) console.error(guessed);
        if (about.unusedColumns.length > 0)
          console.error(`${UNUSED_COLUMNS}${about.unusedColumns.join(", ")}`);
        for (const warning of about.warnings) console.error(warning);
      },
      async unlinked(rows) {
        await rejects?.add(rows);
        lost += rows.filter(({ findsRecord }) => !findsRecord).length;
        report.unlinked(rows);
        preview?.unlinked(rows);
      },
      async batch(outcomes, at) {
        await rejects?.add(
          outcomes.flatMap(({ row, result }) =>
            result.outcome === "rejected" ? [{ row, faults: result.faults }] : [],
          ),
        );
        report.take(outcomes);
        preview?.take(outcomes);
        progress.show(
          source.bytes > 0 ? Math.min(1, at.bytes / source.bytes) : undefined,
          counted(at.rows, form.unit),
        );
      },
    });
    progress.clear();
    if (!summary.finished) {
      console.error(report.text(summary));
      console.error(
        dryRun ? "Interrupted: nothing was written" : "Interrupted: run the same command again to continue",
      );
      return INTERRUPTED;
    }
    const kept = await rejects?.keep();
    if (args.json) {
      const shown = preview ? { preview: preview.json() } : {};
      console.log(JSON.stringify({ ...report.json(summary), rejects: kept?.path ?? null, ...shown }));
    } else {
      const shown = preview ? [...report.lead(summary), preview.text()].filter((part) => part !== "") : [];
      for (const part of shown) console.log(`${part}\n`);
      console.log(report.text(summary));
    }
    if (kept?.moved) console.error(`The earlier rejects file was renamed to ${kept.moved}`);
    if (kept?.path) {
      const isSkipped = summary.unlinked > lost && upsertStrategy === "skip";
      const again = isSkipped ? " and --upsert-strategy merge" : "";
      const which = rejectedSentence(form.unit, summary, dryRun);
      const takeOut = lost > 0 ? ", take out those that must not be imported again," : "";
      console.error(
        dryRun || lost === summary.rejected + summary.unlinked
          ? `The ${which} are in ${kept.path}, each with its line and the reason`
          : `Correct the ${which} in ${kept.path}${takeOut} and import that file with the same mapping${again}`,
      );
    }
    if (summary.broken !== undefined) throw new Refusal(brokenSentence(args.file, summary, options));
    return summary.rejected + summary.unlinked > 0 ? WITH_REJECTS : 0;
  } catch (error) {
    progress.clear();
    if (!isUnreachable(error)) throw error;
    throw new Refusal(
      `${services.database === "socket" ? "The service that had the data directory open has stopped" : "The database can no longer be reached"} ` +
        `(${(error as Error).message}): ` +
        `${dryRun ? "nothing was written" : "what was imported stays"}; run the same command again`,
    );
  } finally {
    unlisten();
    await rejects?.drop();
    await close();
  }
}

/** Says what the rejects file contains. */
function rejectedSentence(unit: string, { rejected, unlinked }: ImportSummary, dryRun: boolean): string {
  const without = "imported without the missing links";
  if (unlinked === 0) return dryRun ? `${unit}s that would be refused` : `refused ${unit}s`;
  const fate = rejected === 0 ? without : `refused or ${without}`;
  return dryRun ? `${unit}s that would be ${fate}` : `${unit}s that were ${fate}`;
}

function brokenSentence(file: string, summary: ImportSummary, options: ImportOptions): string {
  const why = `${file} cannot be read to its end: ${summary.broken}`;
  if (options.dryRun) return why;
  // without row numbers, a corrected file counts as another file
  const next =
    options.idnoStrategy === "auto"
      ? `undo this import (svc-manage import-undo ${summary.importId}) before you import the corrected file`
      : "correct the file and import it again";
  return `${why}. Everything before it is imported; ${next}`;
}

/** Checks what the import would refuse only when it reads the file. */
function demandReadable({ encoding, delimiter }: { encoding?: string; delimiter?: string }): void {
  try {
    namedEncoding({ encoding });
    if (delimiter !== undefined) checkDelimiter(delimiter);
  } catch (error) {
    throw error instanceof Problem ? new Refusal(error.message, 2) : error;
  }
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new Refusal(`${option} must be one of ${allowed.join(", ")}, not ${JSON.stringify(value)}`, 2);
  return found;
}
