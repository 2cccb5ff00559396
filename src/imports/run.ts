/**
 * Runs an import: source → rows → batches → records. The file is read twice (`first-reading.ts`): for all that must be known before
 * the first row, then for the rows. Links that must wait for later rows are kept meanwhile (`deferred-links.ts`).
 *
 * If an import is interrupted and started again, it reads the file from the first row, finds the records that it has already saved (by
 * number, by key or, with the idno strategy `auto`, by `import_rows`), and so ends with the same catalogue. The counts that it
 * saves after each batch are only for display.
 */

import { type Account, demandAction, mayUse, refuse } from "../caller.ts";
import type { Said, Told } from "../messages/said.ts";
import {
  countWritten,
  endImport,
  interruptImport,
  saveProgress,
  type Tally,
  type Written,
} from "../records/imports-store.ts";
import { findLinkedDrafts, type LinkedDrafts } from "../records/linked-drafts.ts";
import { refreshStatistics, vacuumOutbox } from "../records/table-maintenance.ts";
import type { Services } from "../services.ts";
import { mappedBatches } from "./batches.ts";
import { BloomFilter } from "./bloom-filter.ts";
import { openCsvFile } from "./csv-file.ts";
import { createDeferredLinks, type Unlinked } from "./deferred-links.ts";
import { placed, placesInForm } from "./fault-places.ts";
import type { FirstUse, ImportFile, ImportRows } from "./import-file.ts";
import { openImport } from "./import-in-progress.ts";
import { keyFields } from "./keys.ts";
import { type Mapping, parseMapping } from "./mapping.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";
import { readAhead } from "./read-ahead.ts";
import type { RejectsWriter } from "./rejects.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";
import { type NumberedRow, readRowReferences } from "./row-references.ts";
import { saveDeferredLinks } from "./save-deferred-links.ts";
import { type ImportContext, importBatch } from "./save-rows.ts";
import { demandFit } from "./schema-fit.ts";
import type { ImportSource } from "./source.ts";
import { warningsOf } from "./warnings.ts";
import { openXmlFile } from "./xml-file.ts";

type ImportEvents = {
  begun?(about: {
    importId: string;
    resumed: boolean;
    encoding: string;
    rejects: RejectsWriter;
    unusedColumns: readonly string[];
    warnings: readonly Said[];
  }): void | Promise<void>;
  /** After each batch, in the order of the file. While deferred links are saved at the end, there are no outcomes. */
  batch?(outcomes: readonly RowOutcome[], progress: { rows: number; bytes: number }): void | Promise<void>;
  /** Rows that were imported without a link or parent that they name. */
  unlinked?(rows: readonly Unlinked[]): void | Promise<void>;
};

export type ImportSummary = Tally & {
  importId: string;
  finished: boolean;
  /** Rows that were imported without a link or parent that they name. They are also counted as created, updated and so on. */
  unlinked: number;
  /** Why the file could not be read to its end; the rows before that are imported. */
  broken?: Told;
  /** If the import was stopped or continued: what all its runs have written so far. */
  written?: readonly Written[];
  warnings: readonly Said[];
  /** Drafts that the published records link to; none of a dry run. */
  drafts: readonly LinkedDrafts[];
};

/** Throws what would stop the import at its beginning: 422 for faults, 403 for linked types it may not read. */
export async function checkImport(
  services: Services,
  caller: Account,
  source: ImportSource,
  options: ImportOptions,
): Promise<void> {
  const places = placesInForm(options);
  const file = await placed(
    () => openImportFile(source, options, async ({ mappingFaults }) => mappingFaults, true),
    places.file,
  );
  const asked = await placed(async () => completeMapping(options), places.mapping);
  demandReadable(caller, asked);
  await demandFit(services, asked, await file.used(asked), options, places);
}

/** Throws 403 if the caller lacks a permission for the import. Checked at the beginning and before each batch. */
export function demandMayImport(
  caller: Account,
  { kind, upsertStrategy, autoPublish }: Pick<ImportOptions, "kind" | "upsertStrategy" | "autoPublish">,
): void {
  if (!mayUse(caller, "import:run")) throw refuse(caller, "import:run");
  // otherwise the import would reveal which records exist
  for (const action of ["read", "create"] as const) demandAction(caller, action, kind);
  if (upsertStrategy !== "skip") demandAction(caller, "update", kind);
  if (autoPublish) demandAction(caller, "publish", kind);
}

/** Throws 403 if the caller may not read the types that rows link to: the import would reveal which records exist. */
function demandReadable(caller: Account, mapping: Mapping): void {
  for (const { target } of mapping)
    if (target.kind === "relation") demandAction(caller, "read", target.to_type);
}

function openImportFile<T>(
  source: ImportSource,
  { recordXPath, ...options }: ImportOptions,
  use: FirstUse<T>,
  isCheck = false,
): Promise<ImportFile<T>> {
  return recordXPath === undefined
    ? openCsvFile(source, options, use, isCheck)
    : openXmlFile(source, { ...options, recordXPath }, use, isCheck);
}

export async function runImport(
  services: Services,
  caller: Account,
  source: ImportSource,
  options: ImportOptions,
  events: ImportEvents = {},
): Promise<ImportSummary> {
  demandMayImport(caller, options);
  const asked = completeMapping(options);
  demandReadable(caller, asked);
  const file = await openImportFile(source, options, async ({ mappingFaults, rows }) => {
    const mapping = await demandFit(services, asked, await mappingFaults(asked), options);
    return { mapping, references: await readRowReferences(rows, mapping, options) };
  });
  const { mapping, references } = file.used;
  const counted = { bytes: 0 };
  const opened = await file.open(mapping, counted);
  try {
    const inProgress = await openImport(services, caller, source.name, options, file);
    await events.begun?.({
      importId: inProgress.importId,
      resumed: inProgress.resumed,
      encoding: file.encoding,
      rejects: file.rejects(),
      unusedColumns: file.unusedColumns(mapping),
      warnings: warningsOf(mapping, options),
    });
    const projection = projectOneBehind(services);
    const { updateProjections } = projection;
    const keys = keyFields(mapping, options);
    const deferred = createDeferredLinks(services.sql, options, inProgress, references, keys);
    const currentAccount = async () => {
      const now = (await options.currentAccount?.()) ?? caller;
      demandMayImport(now, options);
      demandReadable(now, mapping);
      return now;
    };
    const numbers = new BloomFilter();
    const context: ImportContext = {
      mapping,
      keys,
      options,
      inProgress,
      references,
      numbers,
      deferred,
      updateProjections,
      caller: currentAccount,
    };
    try {
      return await importRows(services, context, opened, counted, events);
    } finally {
      // nightly housekeeping deletes what is left
      await deferred.drop().catch(() => undefined);
      await projection.done();
    }
  } finally {
    await opened.close();
  }
}

/** The mapping, with the column that `--media-selector` names. */
function completeMapping(options: ImportOptions): Mapping {
  const json = options.mapping;
  if (
    options.mediaSelector === undefined ||
    typeof json !== "object" ||
    json === null ||
    Array.isArray(json)
  ) {
    return onlyLinks(parseMapping(json, options.kind), options);
  }
  const column = options.mediaSelector;
  const own = (json as Record<string, unknown>)[column];
  const all = own === undefined ? ["__media__"] : [...(Array.isArray(own) ? own : [own]), "__media__"];
  return onlyLinks(parseMapping({ ...json, [column]: all }, options.kind), options);
}

/** The strategy `link` creates no records. */
function onlyLinks(mapping: Mapping, { upsertStrategy }: ImportOptions): Mapping {
  if (upsertStrategy !== "link") return mapping;
  return mapping.map((entry) =>
    entry.target.kind === "relation" ? { ...entry, target: { ...entry.target, create: false } } : entry,
  );
}

/** Updates the projections of a batch while the next batch is saved, but never of two batches at once. */
function projectOneBehind(services: Services) {
  let last: Promise<void> = Promise.resolve();
  return {
    async updateProjections(ids: readonly string[]): Promise<void> {
      await last;
      last = services.changed(ids);
    },
    done: (): Promise<void> => last,
  };
}

async function importRows(
  services: Services,
  context: ImportContext,
  file: ImportRows,
  counted: { bytes: number },
  events: ImportEvents,
): Promise<ImportSummary> {
  const { options, inProgress } = context;
  const tally: Tally = { rows_done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
  let unlinked = 0;
  const map = (row: ImportRow) => mapRow(context.mapping, options.kind, row);
  let finished = false;
  let broken: Told | undefined;
  const take = async (rows: readonly NumberedRow[], mapped: readonly MappedRow[]) => {
    const outcomes = await importBatch(services, context, rows, mapped);
    const without = await context.deferred.noteOutcomes(rows, outcomes);
    for (const { result } of outcomes) {
      tally.rows_done += 1;
      tally[result.outcome] += 1;
    }
    if (!options.dryRun) {
      await saveProgress(services.sql, inProgress, tally);
      await refreshStatistics(services);
    }
    unlinked += without.length;
    if (without.length > 0) await events.unlinked?.(without);
    await events.batch?.(outcomes, { rows: tally.rows_done, bytes: counted.bytes });
  };
  try {
    let stopped = false;
    for await (const { rows, mapped } of readAhead(mappedBatches(file.rows, map, options.batch))) {
      stopped = options.stopped?.() ?? false;
      if (stopped) break;
      await take(rows, mapped);
    }
    for await (const linked of stopped ? [] : saveDeferredLinks(services, context)) {
      tally.updated += linked.changed;
      tally.unchanged -= linked.changed;
      unlinked += linked.unlinked.length;
      if (!options.dryRun) await saveProgress(services.sql, inProgress, tally);
      await events.unlinked?.(linked.unlinked);
      await events.batch?.([], { rows: tally.rows_done, bytes: counted.bytes });
      stopped = linked.isLast ? false : (options.stopped?.() ?? false);
      if (stopped) break;
    }
    finished = !stopped;
    broken = finished ? file.broken?.() : undefined;
  } finally {
    if (!options.dryRun)
      await (finished
        ? endImport(services.sql, inProgress, broken === undefined ? "finished" : "failed", tally)
        : interruptImport(services.sql, inProgress).catch(() => undefined));
  }
  await vacuumOutbox(services, tally.created + tally.updated);
  const warnings = warningsOf(context.mapping, options);
  const { importId } = inProgress;
  const drafts =
    options.dryRun || !finished ? [] : await findLinkedDrafts(services.sql, await context.caller(), importId);
  const summary = {
    ...tally,
    drafts,
    unlinked,
    warnings,
    importId,
    finished,
    ...(broken ? { broken } : {}),
  };
  if (options.dryRun || (finished && !inProgress.resumed)) return summary;
  return { ...summary, written: await countWritten(services.sql, importId) };
}
