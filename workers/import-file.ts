/** The job that imports a file. Rejects, preview and report are stored as files of the job. */

import { callerOf, type OnBehalf } from "../src/accounts/on-behalf.ts";
import { guessNotice } from "../src/imports/csv/encoding.ts";
import { type RejectsWriter, reasonOf } from "../src/imports/csv/rejects.ts";
import { countedUnits } from "../src/imports/report/counts.ts";
import { type AlikeName, createNewNames, findAlike } from "../src/imports/report/new-names.ts";
import type { ImportNotices, ImportOutcome } from "../src/imports/report/outcome.ts";
import { createPreview } from "../src/imports/report/preview.ts";
import { createRefusals } from "../src/imports/report/refusals.ts";
import { createReport } from "../src/imports/report/report.ts";
import { type ImportRequest, readOptions } from "../src/imports/request.ts";
import { type ImportSummary, runImport } from "../src/imports/run.ts";
import {
  type JobFileName,
  type JobFileWriter,
  readJobFile,
  readJobText,
  writeJobFile,
  writeJobText,
} from "../src/jobs/files.ts";
import { openAgain } from "../src/jobs/named-file.ts";
import { findJob, findNamedFile } from "../src/jobs/store.ts";
import { said, say, type Told } from "../src/messages/said.ts";
import { type Language, translator } from "../src/messages/translate.ts";
import { labelIn } from "../src/pages/texts.ts";
import { type Fault, Problem } from "../src/problem.ts";
import { type Kind, kinds } from "../src/records/kinds.ts";
import { currentSchema, fieldsOf, relationLabels } from "../src/records/schema.ts";
import { makeSortKeys } from "../src/records/write/sort-keys.ts";
import type { Sql, Tx } from "../src/services.ts";
import type { JobInput } from "./job-kind.ts";
import { toNextStep, wasCancelled } from "./run-job.ts";
import { shortResult } from "./short-result.ts";

type Params = Omit<ImportRequest, "mapping"> & {
  filename: string;
  bytes: number;
  on_behalf: OnBehalf;
  /** The language of the rejects file: that of the page or request that started the import. */
  language?: Language;
};

/** The largest number that the columns of a job can store. */
const MOST_COUNTED = 2 ** 31 - 1;

export async function importFile(job: JobInput): Promise<Record<string, unknown>> {
  const { services, id } = job;
  const where = await findNamedFile(services.sql, id);
  const named = where && (await openAgain(services, where));
  try {
    return await importFrom(() => named?.stream() ?? readJobFile(services.sql, id, "input"), job);
  } finally {
    await named?.close();
  }
}

async function importFrom(
  read: () => ReadableStream<Uint8Array>,
  { services, id, params, signal, report, remember }: JobInput,
): Promise<Record<string, unknown>> {
  const { filename, bytes, on_behalf, language = "en", ...form } = params as Params;
  const { sql } = services;
  const isFollowed = on_behalf === null;
  const total = Math.min(bytes, MOST_COUNTED);
  // the import finds records by name with these keys
  await makeSortKeys(sql, () => signal.aborted);
  const currentAccount = () => callerOf(sql, on_behalf);
  const caller = await currentAccount();
  const mapping = await readJobText(sql, id, "mapping");
  const earlierImportId = (await findJob(sql, id))?.result?.import_id as string | undefined;
  const options = {
    ...(await readOptions(services, caller, form, mapping)),
    earlierImportId,
    saveImportId: (tx: Sql | Tx, importId: string) => remember(tx, { import_id: importId }),
    stopped: () => signal.aborted,
    currentAccount,
  };
  const unit = options.recordXPath === undefined ? "row" : "record";
  const importReport = createReport({
    kind: options.kind,
    unit,
    dryRun: options.dryRun,
  });
  const preview = options.dryRun ? createPreview({ kind: options.kind, unit }) : null;
  const refusals = createRefusals();
  const newNames = createNewNames();
  let alike: readonly AlikeName[] = [];
  const tell = isFollowed
    ? (told: Told) => say(translator(language), told)
    : await tellerIn(sql, language, form.type);
  const rejects = rejectsFile(await writeJobFile(sql, id, "rejects"), tell);
  const writeJson = (name: JobFileName, json: object) =>
    writeJobText(sql, id, name, `${JSON.stringify(json)}\n`);
  const outcomeOf = (summary: ImportSummary): ImportOutcome => ({
    finished: summary.finished,
    import_id: summary.importId,
    lead: importReport.lead(summary),
    lines: importReport.lines(summary),
    preview: preview ? [...preview.parts(), ...refusals.parts(), ...newNames.parts(alike)] : [],
    rejected: summary.rejected,
    unlinked: summary.unlinked,
    lost,
    numbered: options.idnoStrategy === "auto",
    broken: summary.broken ?? null,
  });
  const soFar = { rows_done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
  const earlier = earlierImportId === undefined ? {} : { import_id: earlierImportId };
  const named: { import_id?: string; dry_run?: true } = options.dryRun ? { dry_run: true } : {};
  let rejectedRows = 0;
  /** Rows whose records lack links, and which would not find these records if they were imported again. */
  let lost = 0;
  const rejectsPath = () => (rejectedRows > 0 ? `/v1/jobs/${id}/files/rejects` : null);
  let hasBegun = false;
  // between batches, the import asks whether to stop; before the first one, it reads the whole file without asking
  const whileNotStopped = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        if (!hasBegun) signal.throwIfAborted();
        controller.enqueue(piece);
      },
    });
  const reportBegun = toNextStep(report, signal);
  const source = {
    name: filename,
    bytes,
    open: () => read().pipeThrough(whileNotStopped()),
  };
  await report({ done: 0, total });
  const summary = await runImport(services, caller, source, options, {
    async begun(about) {
      hasBegun = true;
      rejects.begin(about.rejects(language));
      if (!options.dryRun) named.import_id = about.importId;
      const message = options.dryRun
        ? said("job.import.dry_run")
        : said(about.resumed ? "job.import.continued" : "job.import.begun", { id: about.importId });
      await reportBegun({ message, result: { ...named, ...soFar } });
      const guessed = unit === "row" ? guessNotice(about.encoding, options.encoding) : null;
      const columns = about.unusedColumns.join(", ");
      const unused = columns === "" ? [] : [said("job.import.unused_columns", { columns })];
      const notices = [...(guessed ? [guessed] : []), ...unused, ...about.warnings];
      for (const message of notices) await reportBegun({ message });
      const json: ImportNotices = { resumed: about.resumed ? about.importId : null, notices };
      if (isFollowed) await writeJson("notices", json);
    },
    async unlinked(rows) {
      rejectedRows += rows.length;
      lost += rows.filter(({ findsRecord }) => !findsRecord).length;
      for (const { row, faults } of rows) await rejects.take(row, faults);
      importReport.unlinked(rows);
      preview?.unlinked(rows);
    },
    async batch(outcomes) {
      for (const { row, result } of outcomes) {
        soFar.rows_done += 1;
        soFar[result.outcome] += 1;
        if (result.outcome !== "rejected") continue;
        rejectedRows += 1;
        await rejects.take(row, result.faults);
      }
      importReport.take(outcomes);
      refusals.take(outcomes);
      preview?.take(outcomes);
      if (preview) newNames.take(outcomes);
    },
    async progress({ rows, share }) {
      const done = Math.floor(share * total);
      if (hasBegun) await reportBegun({ done, result: { ...named, ...soFar, rejects: rejectsPath() } });
      else await report({ done, ...(isFollowed ? { result: { ...earlier, rows_read: rows } } : {}) });
    },
  }).catch(async (error) => {
    // if another process has the job, that one writes the rejects file
    const isRefused = !signal.aborted && error instanceof Problem && error.status < 500;
    if (isRefused || wasCancelled(signal)) await rejects.end();
    throw isRefused && error.code === "forbidden" ? withAdvice(error, named.import_id) : error;
  });
  if (!signal.aborted || wasCancelled(signal)) {
    await rejects.end();
    if (summary.finished) {
      const whole = (part: object) => ({ ...importReport.json(summary), ...part });
      const names = newNames.names();
      if (preview) alike = await findAlike(services, await currentAccount(), names);
      const refused = refusals.json();
      if (preview)
        await writeJson("preview", whole({ preview: { ...preview.json(), refused, names, alike } }));
      await writeJson("report", whole({ sections: importReport.sections(summary), refused }));
    }
    if (isFollowed) await writeJson("outcome", outcomeOf(summary));
  }
  signal.throwIfAborted();
  await report({ done: total, message: countedUnits(summary.rows_done, unit) });
  if (summary.broken !== undefined) {
    const broken = { fault: summary.broken, id: summary.importId };
    throw new Problem(
      "invalid",
      said(options.dryRun ? "problem.import.broken" : "problem.import.partly_done", broken),
    );
  }
  return {
    ...shortResult(importReport.json(summary)),
    rejects: rejectsPath(),
    report: `/v1/jobs/${id}/files/report`,
    preview: preview ? `/v1/jobs/${id}/files/preview` : null,
  };
}

/** The problem that the account lost its permission, with what to do about the import. */
function withAdvice(error: Problem, importId: string | undefined): Problem {
  if (importId === undefined) return error;
  return new Problem("forbidden", said("problem.import.stopped", { fault: error.told, id: importId }));
}

/** Writes reasons with the labels of fields instead of their names. */
async function tellerIn(sql: Sql, language: Language, kind: Kind): Promise<(told: Told) => string> {
  const schema = await currentSchema(sql);
  const t = translator(language);
  const nameOf = (name: string) => {
    if (name === "idno") return t("admin.number");
    if (name === kinds[kind].subtypeKey) return t("search.subtype");
    return labelIn(fieldsOf(schema, kind).get(name)?.label ?? relationLabels(schema, name), language, name);
  };
  return (told) => say(t, told, nameOf);
}

/** Writes the rejects in the format of the uploaded file; writes no file if no row was rejected. */
function rejectsFile(file: JobFileWriter, tell: (told: Told) => string) {
  const encoder = new TextEncoder();
  let writer: RejectsWriter;
  let any = false;
  return {
    begin(format: RejectsWriter) {
      writer = format;
    },
    async take(row: Parameters<RejectsWriter["row"]>[0], faults: readonly Fault[]) {
      const text = writer.row(row, faults.map(reasonOf), tell);
      await file.write(encoder.encode(any ? text : writer.head + text));
      any = true;
    },
    async end() {
      if (any) await file.write(encoder.encode(writer.tail?.() ?? ""));
      await file.end();
    },
  };
}
