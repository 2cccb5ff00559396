/**
 * Runs an import: source → staged rows → batches → records. The file is read once (`staged-rows.ts`). Links to later rows wait
 * until the last row is saved (`deferred-links.ts`).
 *
 * An import that was interrupted can be started again. It reads the file again and finds the records that it has already saved
 * by their numbers, by keys or, with the idno strategy `auto`, in `import_rows`. So it ends with the same catalogue. The counts
 * that it saves after each batch are only for display.
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
} from "../records/batch/imports-store.ts";
import { findLinkedDrafts, type LinkedDrafts } from "../records/links/linked-drafts.ts";
import { refreshStatistics, vacuumAfter } from "../records/write/table-maintenance.ts";
import type { Services } from "../services.ts";
import type { ImportFile } from "./import-file.ts";
import { placed, placesInForm } from "./mapping/fault-places.ts";
import { keyFields } from "./mapping/keys.ts";
import { type Mapping, parseMapping } from "./mapping/mapping.ts";
import { demandFit } from "./mapping/schema-fit.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";
import { warningsOf } from "./report/warnings.ts";
import { deferredLinks, type Unlinked } from "./save/deferred-links.ts";
import { openImport } from "./save/import-in-progress.ts";
import { findPassedOver, type PassedOver } from "./save/names-with-numbers.ts";
import { readAhead } from "./save/read-ahead.ts";
import { saveDeferredLinks } from "./save/save-deferred-links.ts";
import { type ImportContext, importBatch } from "./save/save-rows.ts";
import { openImportFile, stageFile } from "./save/stage-file.ts";
import { stagedRows } from "./save/staged-rows.ts";
import type { ImportSource } from "./source.ts";

type ImportEvents = {
  begun?(about: {
    importId: string;
    resumed: boolean;
    encoding: string;
    rejects: ImportFile["rejects"];
    unusedColumns: readonly string[];
    warnings: readonly Said[];
  }): void | Promise<void>;
  /** Called while the file is read and while its rows are saved. `share`: the share of the work that is done, from 0 to 1. */
  progress?(at: { rows: number; share: number }): void | Promise<void>;
  /** Called after each batch, in the order of the file. */
  batch?(outcomes: readonly RowOutcome[]): void | Promise<void>;
  /** Rows that were imported without a link or parent that they name. */
  unlinked?(rows: readonly Unlinked[]): void | Promise<void>;
};

export type ImportSummary = Tally & {
  importId: string;
  finished: boolean;
  /** Rows that were imported without a link or parent that they name. Also counted as created, updated and so on. */
  unlinked: number;
  /** Why the file could not be read to its end. The rows before that are imported. */
  broken?: Told;
  /** What all runs have written so far, if the import was stopped or continued. */
  written?: readonly Written[];
  warnings: readonly Said[];
  passedOver: readonly PassedOver[];
  /** Drafts that the published records link to; empty in a dry run. */
  drafts: readonly LinkedDrafts[];
};

/**
 * Throws what would stop the import at its beginning: 422 for faults, 403 for linked types that the caller may not read.
 * @param places translates the places of faults into fields of the caller's request
 */
export async function checkImport(
  services: Services,
  caller: Account,
  source: ImportSource,
  options: ImportOptions,
  places = placesInForm(options),
): Promise<void> {
  const file = await placed(
    () => openImportFile(source, options, async ({ mappingFaults }) => mappingFaults, true),
    places.file,
  );
  const mapping = await placed(async () => completeMapping(options), places.mapping);
  demandReadable(caller, mapping);
  await demandFit(services, mapping, await file.used(mapping), options, places);
}

/** Throws 403 if the caller lacks a permission for the import. Checked at the beginning and before each batch. */
export function demandMayImport(
  caller: Account,
  { kind, upsertStrategy, autoPublish }: Pick<ImportOptions, "kind" | "upsertStrategy" | "autoPublish">,
): void {
  if (!mayUse(caller, "import:run")) throw refuse(caller, "import:run");
  // without `read`, the import would reveal which records exist
  for (const action of ["read", "create"] as const) demandAction(caller, action, kind);
  if (upsertStrategy !== "skip") demandAction(caller, "update", kind);
  if (autoPublish) demandAction(caller, "publish", kind);
}

/** Throws 403 if the caller may not read a type that rows link to, because the import would reveal which records exist. */
function demandReadable(caller: Account, mapping: Mapping): void {
  for (const { target } of mapping)
    if (target.kind === "relation") demandAction(caller, "read", target.to_type);
}

export async function runImport(
  services: Services,
  caller: Account,
  source: ImportSource,
  options: ImportOptions,
  events: ImportEvents = {},
): Promise<ImportSummary> {
  demandMayImport(caller, options);
  const givenMapping = completeMapping(options);
  demandReadable(caller, givenMapping);
  const staged = stagedRows(services, options.batch);
  try {
    const file = await stageFile(services, staged, source, givenMapping, options, async ({ bytes }) => {
      const share = (READING * bytes) / Math.max(1, source.bytes, bytes);
      await events.progress?.({ rows: staged.count, share });
    });
    const { mapping, references, broken } = file.used;
    const inProgress = await openImport(services, caller, source.name, options, file);
    const warnings = [...(file.notices?.() ?? []), ...warningsOf(mapping, options)];
    await events.begun?.({
      importId: inProgress.importId,
      resumed: inProgress.resumed,
      encoding: file.encoding,
      rejects: file.rejects,
      unusedColumns: file.unusedColumns(mapping),
      warnings,
    });
    const projection = projectOneBehind(services);
    const keys = keyFields(mapping, options);
    const currentAccount = async () => {
      const now = (await options.currentAccount?.()) ?? caller;
      demandMayImport(now, options);
      demandReadable(now, mapping);
      return now;
    };
    const context: ImportContext = {
      mapping,
      keys,
      options,
      inProgress,
      staged,
      references,
      deferred: deferredLinks(staged, options, inProgress, keys),
      told: new Map(),
      updateProjections: projection.updateProjections,
      caller: currentAccount,
    };
    try {
      return await importRows(services, context, { broken, warnings }, events);
    } finally {
      await projection.done();
    }
  } finally {
    // nightly housekeeping deletes rows that could not be dropped here
    await staged.drop().catch(() => undefined);
  }
}

/** Reading the file, as a share of the work. */
const READING = 1 / 7;

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

/** Updates the projections of a batch while the next batch is saved, but of one batch at a time. */
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
  { broken, warnings }: { broken: Told | undefined; warnings: readonly Said[] },
  events: ImportEvents,
): Promise<ImportSummary> {
  const { options, inProgress, staged, deferred } = context;
  const tally: Tally = { rows_done: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };
  const passedOver = await findPassedOver(services, await context.caller(), staged);
  let unlinked = 0;
  let finished = false;
  const note = async (lacking: readonly Unlinked[], outcomes: readonly RowOutcome[]) => {
    if (!options.dryRun) await saveProgress(services.sql, inProgress, tally);
    unlinked += lacking.length;
    if (lacking.length > 0) await events.unlinked?.(lacking);
    if (outcomes.length > 0) await events.batch?.(outcomes);
    const share = READING + ((1 - READING) * tally.rows_done) / staged.count;
    await events.progress?.({ rows: tally.rows_done, share });
  };
  try {
    let stopped = false;
    const isStopped = () => {
      stopped = options.stopped?.() ?? false;
      return stopped;
    };
    for await (const rows of readAhead(staged.inBatches())) {
      if (isStopped()) break;
      const saved = await importBatch(services, context, rows);
      for (const { result } of saved.outcomes) {
        tally.rows_done += 1;
        tally[result.outcome] += 1;
      }
      await note(saved.unlinked, saved.outcomes);
      if (!options.dryRun) await refreshStatistics(services);
    }
    if (!stopped) {
      for await (const rows of deferred.batches()) {
        if (isStopped()) break;
        const linked = await saveDeferredLinks(services, context, rows);
        tally.updated += linked.changed;
        tally.unchanged -= linked.changed;
        await note(linked.unlinked, []);
      }
    }
    finished = !stopped;
  } finally {
    if (!options.dryRun)
      await (finished
        ? endImport(services.sql, inProgress, broken === undefined ? "finished" : "failed", tally)
        : interruptImport(services.sql, inProgress).catch(() => undefined));
  }
  await vacuumAfter(services.sql, "outbox", tally.created + tally.updated);
  const { importId } = inProgress;
  const drafts =
    options.dryRun || !finished ? [] : await findLinkedDrafts(services.sql, await context.caller(), importId);
  const summary = {
    ...tally,
    drafts,
    passedOver,
    unlinked,
    warnings,
    importId,
    finished,
    ...(finished && broken !== undefined ? { broken } : {}),
  };
  if (options.dryRun || (finished && !inProgress.resumed)) return summary;
  return { ...summary, written: await countWritten(services.sql, importId) };
}
