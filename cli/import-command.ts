/** The shared part of import-csv, import-xml and import-lido: options, running and stopping, progress and summary. */

import { resolve } from "node:path";
import type { ArgsDef, ParsedArgs } from "citty";
import { OPERATOR } from "../src/caller.ts";
import { isUnreachable } from "../src/http/requests.ts";
import { countedUnits, type Unit } from "../src/imports/counts.ts";
import { checkDelimiter } from "../src/imports/delimiter.ts";
import { guessNotice } from "../src/imports/encoding.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "../src/imports/items.ts";
import { mapsIdno } from "../src/imports/mapping.ts";
import type { ImportOptions } from "../src/imports/options.ts";
import { createPreview } from "../src/imports/preview.ts";
import { createReport } from "../src/imports/report.ts";
import { type ImportSummary, runImport } from "../src/imports/run.ts";
import { namedEncoding } from "../src/imports/source.ts";
import { type Said, said, sayAll, type Told } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
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
import { help, inWords, printAside, words } from "./words.ts";

/** Exit code of an import with refused rows. */
const WITH_REJECTS = 3;

/** What differs between the commands. */
export type Form = {
  ending: "csv" | "xml";
  unit: Unit;
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
      printAside(said("cli.import.interrupted_before", { unit: form.unit }));
      process.exit(INTERRUPTED);
    }
    stop.asked = true;
    printAside(said("cli.import.stopping"));
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
        if (about.resumed) printAside(said("cli.import.resumed", { id: about.importId }));
        const guessed = form.ending === "csv" ? guessNotice(about.encoding, args.encoding) : null;
        if (guessed) printAside(guessed);
        if (about.unusedColumns.length > 0)
          printAside(said("job.import.unused_columns", { columns: about.unusedColumns.join(", ") }));
        for (const warning of about.warnings) printAside(warning);
      },
      async unlinked(rows) {
        await rejects?.add(rows);
        lost += rows.filter(({ findsRecord }) => !findsRecord).length;
        report.unlinked(rows);
        preview?.unlinked(rows);
      },
      async batch(outcomes) {
        await rejects?.add(
          outcomes.flatMap(({ row, result }) =>
            result.outcome === "rejected" ? [{ row, faults: result.faults }] : [],
          ),
        );
        report.take(outcomes);
        preview?.take(outcomes);
      },
      progress({ rows, share }) {
        progress.show(share, countedUnits(rows, form.unit));
      },
    });
    progress.clear();
    if (!summary.finished) {
      console.error(report.text(words(), summary));
      printAside(said(dryRun ? "cli.import.interrupted_dry" : "cli.import.interrupted"));
      return INTERRUPTED;
    }
    const kept = await rejects?.keep();
    if (args.json) {
      const shown = preview ? { preview: preview.json() } : {};
      const json = { ...report.json(summary), rejects: kept?.path ?? null, ...shown };
      console.log(JSON.stringify(sayAll(ENGLISH, json)));
    } else {
      const shown = preview ? [...report.lead(summary).map(inWords), preview.text(words())] : [];
      for (const part of shown) if (part !== "") console.log(`${part}\n`);
      console.log(report.text(words(), summary));
    }
    if (kept?.moved) printAside(said("cli.import.rejects_moved", { path: kept.moved }));
    if (kept?.path) {
      const what = { which: rejectedRows(form.unit, summary, dryRun), path: kept.path };
      const lose = lost > 0 ? "some" : "none";
      const merge = summary.unlinked > lost && upsertStrategy === "skip" ? "yes" : "no";
      printAside(
        dryRun || lost === summary.rejected + summary.unlinked
          ? said("cli.import.see_rejects", what)
          : said("cli.import.correct_rejects", { ...what, lose, merge }),
      );
    }
    if (summary.broken !== undefined)
      throw new Refusal(brokenFile(args.file, summary.broken, summary.importId, options));
    return summary.rejected + summary.unlinked > 0 ? WITH_REJECTS : 0;
  } catch (error) {
    progress.clear();
    if (!isUnreachable(error)) throw error;
    throw new Refusal(
      said("cli.import.database_gone", { reason: (error as Error).message, dry: dryRun ? "yes" : "no" }),
    );
  } finally {
    unlisten();
    await rejects?.drop();
    await close();
  }
}

/** What the rejects file contains. */
function rejectedRows(unit: Unit, { rejected, unlinked }: ImportSummary, dryRun: boolean): Said {
  const what = unlinked === 0 ? "refused" : rejected === 0 ? "unlinked" : "both";
  return said(`cli.import.${dryRun ? "would_be_" : ""}${what}`, { unit });
}

function brokenFile(file: string, broken: Told, id: string, { dryRun, idnoStrategy }: ImportOptions): Said {
  const fault = said("fault.file.cut_short", { name: file, fault: broken });
  if (dryRun) return fault;
  // without row numbers, a corrected file counts as another file
  return idnoStrategy === "auto"
    ? said("cli.import.broken_undo", { fault, id })
    : said("cli.import.broken", { fault });
}

/** Checks what the import would refuse only when it reads the file. */
function demandReadable({ encoding, delimiter }: { encoding?: string; delimiter?: string }): void {
  try {
    namedEncoding({ encoding });
    if (delimiter !== undefined) checkDelimiter(delimiter);
  } catch (error) {
    throw error instanceof Problem ? new Refusal(error.told, 2) : error;
  }
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new Refusal(said("cli.usage.one_of", { option, known: allowed.join(", "), value }), 2);
  return found;
}
