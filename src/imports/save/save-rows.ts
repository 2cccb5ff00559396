/** Saves a batch of rows as records. A dry run rolls it back. */
import type { Account } from "../../caller.ts";
import { saveBatch } from "../../records/batch/batch.ts";
import type { SaidOfEnds } from "../../records/batch/directory.ts";
import {
  continueImport,
  recordsOfRows,
  rememberMedia,
  rememberRows,
} from "../../records/batch/imports-store.ts";
import type { BatchItem } from "../../records/batch/item.ts";
import { tryOut } from "../../records/batch/transaction.ts";
import { currentSchema } from "../../records/schema.ts";
import type { Services, Tx } from "../../services.ts";
import { findByKeys } from "../mapping/keys.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { RowReferences } from "../mapping/row-references.ts";
import type { ImportOptions, RowOutcome } from "../options.ts";
import type { DeferredLinks, Unlinked } from "./deferred-links.ts";
import { countAgain, type ImportInProgress } from "./import-in-progress.ts";
import { type FileHas, linkScopes, planRow } from "./items.ts";
import { withDecidedNames } from "./names-with-numbers.ts";
import { withQualifiers } from "./qualified-makers.ts";
import type { StagedRow, StagedRows } from "./staged-rows.ts";
import { mergedWithUnknown, withNobody } from "./unknown.ts";

/** What all batches of an import share. */
export type ImportContext = {
  mapping: Mapping;
  /** Fields by which rows without a number find their records. */
  keys: readonly string[];
  options: ImportOptions;
  inProgress: ImportInProgress;
  staged: StagedRows;
  references: RowReferences;
  deferred: DeferredLinks;
  told: SaidOfEnds;
  /** Returns the account with its current permissions. Throws 403 if they no longer suffice. */
  caller(): Promise<Account>;
  updateProjections(ids: readonly string[]): Promise<void>;
};

/** `unlinked`: rows that lack links and have none to defer. */
export async function importBatch(
  services: Services,
  context: ImportContext,
  given: readonly StagedRow[],
): Promise<{ outcomes: RowOutcome[]; unlinked: Unlinked[] }> {
  const caller = await context.caller();
  const { references, options } = context;
  const decided = async (each: readonly StagedRow[]) =>
    withDecidedNames(context.staged, await references.decideRepeated(each));
  const rows = await decided(given);
  const fileHas = await references.fileHas(rows);
  let outcomes: RowOutcome[];
  if (options.dryRun) {
    const before = await decided(await references.rowsToRepeat(rows));
    const hadBefore = await references.fileHas(before);
    outcomes = await tryOut(services, async (within) => {
      if (before.length > 0)
        await saveRows(services, caller, context, { rows: before, fileHas: hadBefore, within });
      return saveRows(services, caller, context, { rows, fileHas, within });
    });
  } else {
    await options.beforeBatch?.();
    outcomes = await saveRows(services, caller, context, { rows, fileHas });
  }
  if (context.inProgress.resumed) await countAgain(services.sql, context.inProgress, outcomes);
  const unlinked = await context.deferred.noteOutcomes(rows, outcomes, fileHas);
  const schema = await currentSchema(services.sql);
  const shown = outcomes.map((each) => ({ ...each, mapped: withQualifiers(schema, each.mapped) }));
  return { outcomes: shown, unlinked };
}

type Part = {
  rows: readonly StagedRow[];
  fileHas: FileHas;
  /** The transaction of a dry run. */
  within?: Tx;
};

async function saveRows(
  services: Services,
  caller: Account,
  context: ImportContext,
  { rows, fileHas, within }: Part,
): Promise<RowOutcome[]> {
  const { options, inProgress } = context;
  const db = within ?? services.sql;
  const read = await withNobody(
    db,
    rows.map((row) => row.mapped),
  );
  const known =
    options.idnoStrategy === "auto"
      ? await recordsOfRows(
          db,
          inProgress.fileHash,
          rows.map(({ number }) => number),
        )
      : new Map<number, string>();
  const keyed = await findByKeys(services, db, context.keys, read, options);
  const ids = rows.map(({ number }, index) => known.get(number) ?? keyed[index]!.id);
  const mapped =
    options.upsertStrategy === "merge" ? await mergedWithUnknown(db, options.kind, read, ids) : read;
  const results = new Array<RowOutcome["result"]>(rows.length);
  const items: BatchItem[] = [];
  const places: { index: number; media: readonly string[] }[] = [];
  const scopes = options.upsertStrategy === "replace" ? linkScopes(context.mapping) : undefined;
  for (const [index, { number, row, isRepeated }] of rows.entries()) {
    if (row.fault !== undefined) {
      results[index] = { outcome: "rejected", faults: [{ pointer: "", detail: row.fault }] };
      continue;
    }
    if (isRepeated) {
      results[index] = { outcome: "skipped", reason: "repeated" };
      continue;
    }
    const knownId = ids[index];
    const ambiguous = known.has(number) ? undefined : keyed[index]!.fault;
    const planned = planRow(mapped[index]!, options, { knownId, ambiguous, fileHas, scopes });
    if ("faults" in planned) results[index] = { outcome: "rejected", faults: planned.faults };
    else if ("skip" in planned) results[index] = { outcome: "skipped", reason: planned.skip };
    else {
      places.push({ index, media: planned.media });
      items.push(planned.item);
    }
  }
  const place = new Map(items.map((item, at) => [item, places[at]!]));
  const answers = await saveBatch(services, caller, options.kind, items, {
    upsert: options.upsertStrategy,
    importId: options.dryRun ? null : inProgress.importId,
    sourceLinks: context.deferred.sourceLinks,
    told: context.told,
    within,
    updateProjections: context.updateProjections,
    async writeAlso(tx, outcomes, saved) {
      if (options.dryRun) return;
      const written = saved.flatMap((item, at) => {
        const result = outcomes[at]!;
        return result.outcome === "rejected" || result.outcome === "skipped" ? [] : [{ item, id: result.id }];
      });
      if (options.idnoStrategy === "auto") {
        await rememberRows(
          tx,
          inProgress.fileHash,
          written.map(({ item, id }) => ({ row: rows[place.get(item)!.index]!.number, id })),
        );
      }
      await rememberMedia(
        tx,
        inProgress.importId,
        written.map(({ item, id }) => ({ id, names: place.get(item)!.media })),
      );
      await continueImport(tx, inProgress);
    },
  });
  answers.forEach((result, at) => {
    results[places[at]!.index] = result;
  });
  return rows.map(({ row }, index) => ({ row, mapped: mapped[index]!, result: results[index]! }));
}
