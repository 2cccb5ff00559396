/** The shared part of import-csv, import-xml and import-lido: options, run, stop, progress and summary. */

import { resolve } from "node:path";
import type { ArgsDef, ParsedArgs } from "citty";
import { isUnreachable } from "../../src/http/requests.ts";
import { checkDelimiter } from "../../src/imports/csv/delimiter.ts";
import { countedUnits, type Unit } from "../../src/imports/report/counts.ts";
import type { ImportOutcome } from "../../src/imports/report/outcome.ts";
import { previewText } from "../../src/imports/report/preview-text.ts";
import { IDNO_STRATEGIES, UPSERT_STRATEGIES } from "../../src/imports/save/items.ts";
import { namedEncoding } from "../../src/imports/source.ts";
import type { Job } from "../../src/jobs/job.ts";
import { type Said, said, sayAll, type Told } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import type { ImportInput } from "../../src/operator/imports.ts";
import { Problem } from "../../src/problem.ts";
import { KINDS } from "../../src/records/kinds.ts";
import { Refusal } from "../../src/refusal.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { followStoppable, showJob } from "../catalogue/follow-job.ts";
import { openCommandConfig, openServices } from "../catalogue/open.ts";
import { demandKind, optionOf } from "../terminal/one-of.ts";
import { flag, option } from "../terminal/options.ts";
import { INTERRUPTED, onStopSignal } from "../terminal/stop-signals.ts";
import { inWords, languageIn, printAside, words } from "../terminal/words.ts";
import { defaultRejectsPath, readMapping, sourceFile } from "./files.ts";
import { openRejects } from "./rejects-file.ts";

/** Exit code of an import with refused rows. */
const WITH_REJECTS = 3;

/** What differs between the three commands. */
export type Form = {
  ending: "csv" | "xml";
  unit: Unit;
};

/** The last lines of the help of these commands. */
export const ENDINGS = said("cli.help.endings");

export const mappedArgs = {
  type: { ...option("TYPE", "cli.help.import_file.type", { types: KINDS.join(", ") }), required: true },
  mapping: { ...option("MAPPING.json", "cli.help.import_file.mapping"), required: true },
} satisfies ArgsDef;

export const importArgs = {
  "dry-run": flag("cli.help.import_file.dry_run"),
  subtype: option("NAME", "cli.help.import_file.subtype"),
  "idno-strategy": option("auto|column|skip", "cli.help.import_file.idno_strategy"),
  "upsert-strategy": {
    ...option("skip|merge|replace|link", "cli.help.import_file.upsert_strategy"),
    default: "skip",
  },
  "auto-publish": flag("cli.help.import_file.auto_publish"),
  encoding: option("NAME", "cli.help.import_file.encoding"),
  rejects: option("FILE", "cli.help.import_file.rejects"),
  json: flag("cli.help.option.json_summary"),
} satisfies ArgsDef;

/** How to read the file: record type, mapping, and options of one format. */
export type Reading = Pick<
  ImportInput,
  "type" | "mapping" | "delimiter" | "sheet" | "header_row" | "record_xpath" | "format"
>;

export async function mappedReading({ type, mapping }: ParsedArgs<typeof mappedArgs>): Promise<Reading> {
  return { type: demandKind(type)!, mapping: await readMapping(mapping) };
}

export async function runImportCommand(
  form: Form,
  args: ParsedArgs<typeof importArgs> & { file: string; "media-selector"?: string; delimiter?: string },
  reading: Reading,
): Promise<number> {
  const dryRun = args["dry-run"];
  const upsertStrategy = optionOf("--upsert-strategy", args["upsert-strategy"], UPSERT_STRATEGIES)!;
  const strategy = optionOf("--idno-strategy", args["idno-strategy"], IDNO_STRATEGIES);
  demandReadable(args);
  const source = await sourceFile(args.file);
  const rejectsPath = dryRun ? args.rejects : (args.rejects ?? defaultRejectsPath(args.file, form.ending));
  const rejects = rejectsPath === undefined ? null : await openRejects(resolve(rejectsPath), args.file);
  const input: ImportInput = {
    ...reading,
    filename: source.name,
    bytes: source.bytes,
    dry_run: dryRun,
    subtype: args.subtype,
    idno_strategy: strategy,
    upsert_strategy: upsertStrategy,
    auto_publish: args["auto-publish"],
    media_selector: args["media-selector"],
    encoding: args.encoding,
    language: languageIn(process.env),
    here: false,
    file: source.named,
  };
  const interruptedBefore = said("cli.import.interrupted_before", { unit: form.unit });
  let [isQueued, hasBegun, isStopping] = [false, false, false];
  const leave = () => {
    printAside(interruptedBefore);
    process.exit(INTERRUPTED);
  };
  const unlisten = onStopSignal(leave);
  const knocked = knock(openCommandConfig(), openServices);
  return withDoor(knocked, async (door, progress) => {
    unlisten();
    try {
      const { job, throwFailure } = await followStoppable(door, {
        async queue(here) {
          const job =
            (input.file && (await door.call("import", { ...input, here }))) ??
            (await door.call("import", { ...input, here, file: null }, { content: source.open() }));
          isQueued = true;
          return job!;
        },
        async onState(job) {
          showJob(progress, job, countedUnits(rowsOf(job), form.unit));
          if (hasBegun || !isBegun(job)) return;
          const about = await door.call("import-notices", { id: job.id });
          if (!about) return;
          hasBegun = true;
          progress.clear();
          if (about.resumed) printAside(said("cli.import.resumed", { id: about.resumed }));
          for (const notice of about.notices) printAside(notice);
          if (isStopping) printAside(said("cli.import.stopping"));
        },
        onStop() {
          progress.clear();
          if (!isQueued) leave();
          isStopping = true;
          // before the first row, the line waits until the notices are printed
          if (hasBegun) printAside(said("cli.import.stopping"));
        },
      });
      progress.clear();
      const left = await door.call("import-outcome", { id: job.id });
      const interrupted = said(dryRun ? "cli.import.interrupted_dry" : "cli.import.interrupted");
      if (left === null && job.state === "cancelled") {
        printAside(isBegun(job) ? interrupted : interruptedBefore);
        return INTERRUPTED;
      }
      if (left === null) return throwFailure();
      const { outcome, json } = left;
      const { lead, lines, preview, rejected, unlinked, lost } = outcome;
      const report = lines.map(inWords).join("\n");
      if (!outcome.finished) {
        console.error(report);
        printAside(interrupted);
        return INTERRUPTED;
      }
      const onEvent = (text: string) => rejects!.write(text);
      if (rejects && rejected + unlinked > 0) await door.call("import-rejects", { id: job.id }, { onEvent });
      const kept = await rejects?.keep();
      if (args.json) {
        const { sections: _, preview, ...counts } = json!;
        const shown = { ...counts, rejects: kept?.path ?? null, ...(dryRun ? { preview } : {}) };
        console.log(JSON.stringify(sayAll(ENGLISH, shown)));
      } else {
        const shown = dryRun ? [...lead.map(inWords), previewText(words(), preview)] : [];
        for (const part of shown) if (part !== "") console.log(`${part}\n`);
        console.log(report);
      }
      if (kept?.moved) printAside(said("cli.import.rejects_moved", { path: kept.moved }));
      if (kept?.path) {
        const what = { which: rejectedRows(form.unit, outcome, dryRun), path: kept.path };
        const lose = lost > 0 ? "some" : "none";
        const merge = unlinked > lost && upsertStrategy === "skip" ? "yes" : "no";
        printAside(
          dryRun || lost === rejected + unlinked
            ? said("cli.import.see_rejects", what)
            : said("cli.import.correct_rejects", { ...what, lose, merge }),
        );
      }
      if (outcome.broken !== null) throw new Refusal(brokenFile(args.file, outcome.broken, outcome, dryRun));
      return rejected + unlinked > 0 ? WITH_REJECTS : 0;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const lost = door.own === null ? "cli.import.service_stopped" : "cli.import.database_gone";
      throw new Refusal(said(lost, { reason: (error as Error).message, dry: dryRun ? "yes" : "no" }));
    } finally {
      await rejects?.drop();
    }
  });
}

/** Whether the file was read, so that its rows are being written or checked. */
const isBegun = ({ result }: Job): boolean =>
  result?.import_id !== undefined || result?.dry_run !== undefined;

const rowsOf = ({ result }: Job): number => Number(result?.rows_read ?? result?.rows_done ?? 0);

function rejectedRows(unit: Unit, { rejected, unlinked }: ImportOutcome, dryRun: boolean): Said {
  const what = unlinked === 0 ? "refused" : rejected === 0 ? "unlinked" : "both";
  return said(`cli.import.${dryRun ? "would_be_" : ""}${what}`, { unit });
}

function brokenFile(file: string, broken: Told, outcome: ImportOutcome, dryRun: boolean): Said {
  const fault = said("fault.file.cut_short", { name: file, fault: broken });
  if (dryRun) return fault;
  // an import that assigned the numbers does not recognise the records of a corrected file
  return outcome.numbered
    ? said("cli.import.broken_undo", { fault, id: outcome.import_id })
    : said("cli.import.broken", { fault });
}

/** Checks options that the import would otherwise refuse only when it reads the file. */
function demandReadable({ encoding, delimiter }: { encoding?: string; delimiter?: string }): void {
  try {
    namedEncoding({ encoding });
    if (delimiter !== undefined) checkDelimiter(delimiter);
  } catch (error) {
    throw error instanceof Problem ? new Refusal(error.told, 2) : error;
  }
}
