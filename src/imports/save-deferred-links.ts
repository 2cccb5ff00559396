/** Saves the deferred links (`deferred-links.ts`) after the last row: reads the file again for the rows that have some. */
import type { Account } from "../caller.ts";
import type { Fault } from "../problem.ts";
import { saveBatch } from "../records/batch.ts";
import type { BatchItem, BatchResult } from "../records/batch-item.ts";
import { missingEndFault } from "../records/batch-links.ts";
import { missingParentFault } from "../records/batch-parents.ts";
import { continueImport, recordsOfRows } from "../records/imports-store.ts";
import type { Kind } from "../records/kinds.ts";
import { findIds } from "../records/store.ts";
import type { Services } from "../services.ts";
import { batchesOf } from "./batches.ts";
import { linksToDefer } from "./deferred-links.ts";
import type { ImportRows } from "./import-file.ts";
import { findByKeys } from "./keys.ts";
import type { ImportOptions } from "./options.ts";
import { type ImportRow, type MappedRow, mapRow } from "./row.ts";
import { findNames, type NumberedRow, namesOfValue } from "./row-references.ts";
import type { ImportContext } from "./save-rows.ts";
import { yieldingRunner } from "./yielding.ts";

/** A row that was imported without a link or parent, and why. `missing`: in a dry run, these links. */
export type Unlinked = { row: ImportRow; faults: readonly Fault[]; missing?: MappedRow["relations"] };

/** `changed`: rows that had been counted as unchanged until now. */
export type Linked = { changed: number; unlinked: Unlinked[]; isLast: boolean };

type Deferred = Pick<BatchItem, "parent" | "links">;
type WaitingRow = NumberedRow & { mapped: MappedRow; deferred: Deferred };

/** Yields after each batch of these rows. */
export async function* saveDeferredLinks(
  services: Services,
  context: ImportContext,
  open: () => Promise<ImportRows>,
): AsyncGenerator<Linked, void, undefined> {
  const { waiting, isReplaced } = context.deferred;
  if (waiting.size === 0) return;
  const { kind, dryRun, batch: most } = context.options;
  const file = await open();
  const yielding = yieldingRunner();
  let left = waiting.size;
  try {
    for await (const batch of batchesOf(file.rows, (number) => waiting.has(number), most)) {
      left -= batch.length;
      const rows: WaitingRow[] = [];
      for (const one of batch) {
        const mapped = await yielding(() => mapRow(context.mapping, kind, one.row));
        const deferred = linksToDefer(mapped, context.references.fileHas);
        if (deferred && !isReplaced(mapped.idno, one.number)) rows.push({ ...one, mapped, deferred });
      }
      const done = await (dryRun
        ? previewLinks(services, context, rows)
        : saveLinks(services, await context.caller(), context, rows));
      yield { ...done, isLast: left === 0 };
      if (left === 0) return;
    }
  } finally {
    await file.close();
  }
}

async function saveLinks(
  services: Services,
  caller: Account,
  context: ImportContext,
  rows: readonly WaitingRow[],
): Promise<Omit<Linked, "isLast">> {
  const { options, inProgress, deferred: noted } = context;
  const save = (items: readonly BatchItem[]) =>
    saveBatch(services, caller, options.kind, items, {
      upsert: "deferred_links",
      importId: inProgress.importId,
      given: noted.given,
      updateProjections: context.updateProjections,
      writeAlso: (tx) => continueImport(tx, inProgress),
    });
  const saved = await withRecords(services, context, rows);
  const results = await save(
    saved.map(({ id, number, deferred }) => ({
      draft: { id },
      ...(noted.onlyAdding.has(number) ? onlyAdding(deferred) : deferred),
    })),
  );
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const [index, { id, number, row, deferred }] of saved.entries()) {
    let done = [results[index]!];
    // a link that is refused does not prevent the other links of its row
    const parts = done[0]!.outcome === "rejected" ? oneByOne(onlyAdding(deferred)) : [];
    if (parts.length > 1) done = await save(parts.map((part) => ({ draft: { id }, ...part })));
    const faults = done.flatMap(faultsOf);
    if (faults.length > 0) unlinked.push({ row, faults: [...faults, advice(options)] });
    if (noted.unchanged.has(number) && done.some(({ outcome }) => outcome === "updated")) changed += 1;
  }
  return { changed, unlinked };
}

/** The rows with the ids of their records; without rows whose records somebody has deleted meanwhile. */
async function withRecords(
  services: Services,
  { options, inProgress, keys }: ImportContext,
  rows: readonly WaitingRow[],
): Promise<(WaitingRow & { id: string })[]> {
  const { sql } = services;
  const { kind, idnoStrategy } = options;
  const isAuto = idnoStrategy === "auto";
  const mapped = rows.map((row) => row.mapped);
  const rowNumbers = rows.map(({ number }) => number);
  const byRow = isAuto ? await recordsOfRows(sql, inProgress.fileHash, rowNumbers) : null;
  const idnos = mapped.flatMap(({ idno }) => idno ?? []);
  const byIdno = isAuto ? null : await findIds(sql, kind, idnos);
  const byKey = await findByKeys(services, sql, keys, mapped, options);
  return rows.flatMap((row, index) => {
    const id = byRow?.get(row.number) ?? byIdno?.get(row.mapped.idno ?? "") ?? byKey[index]!.id;
    return id === undefined ? [] : { ...row, id };
  });
}

/** These links replace no others. */
function onlyAdding({ parent, links }: Deferred): Deferred {
  return { parent, links: links && { ...links, scopes: [] } };
}

function oneByOne({ parent, links }: Deferred): Deferred[] {
  const each = links?.requests.map((request) => ({ links: { ...links, requests: [request] } })) ?? [];
  return parent ? [{ parent }, ...each] : each;
}

function faultsOf(result: BatchResult): readonly Fault[] {
  return result.outcome === "rejected" ? result.faults : (result.missing ?? []);
}

/** For a row that was imported without a link or parent. */
export function advice({ upsertStrategy }: Pick<ImportOptions, "upsertStrategy">): Fault {
  const merge = upsertStrategy === "skip" ? ", with the upsert strategy merge" : "";
  return {
    pointer: "",
    detail: `the row is imported without it; correct this and import the row again${merge}`,
  };
}

/** In a dry run the records do not exist, so this looks for the names among those that earlier rows would have created. */
async function previewLinks(
  { sql }: Services,
  context: ImportContext,
  rows: readonly WaitingRow[],
): Promise<Omit<Linked, "isLast">> {
  const { kind } = context.options;
  const named = rows.flatMap(({ deferred: { parent, links } }) => [
    ...(parent ? [{ to_type: kind, value: parent.idno }] : []),
    ...(links?.requests ?? []),
  ]);
  const known = new Map<Kind, Set<string>>();
  for (const toType of new Set(named.map(({ to_type }) => to_type))) {
    const values = named.flatMap(({ to_type, value }) => (to_type === toType ? [value] : []));
    known.set(toType, await findNames(sql, toType, values));
  }
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const { number, row, deferred } of rows) {
    const faults: Fault[] = [];
    let isNew = false;
    const isFound = (toType: Kind, names: readonly string[], fault: Fault): boolean => {
      if (names.some((name) => known.get(toType)!.has(name))) return true;
      const isCreated = context.deferred.hasCreated(toType, names);
      if (isCreated) isNew = true;
      else faults.push(fault);
      return isCreated;
    };
    const { parent, links } = deferred;
    if (parent) isFound(kind, [`#${parent.idno}`], missingParentFault(kind, parent.idno));
    const missing = (links?.requests ?? []).filter(
      (request) => !isFound(request.to_type, namesOfValue(request.value), missingEndFault(request)),
    );
    if (faults.length > 0) unlinked.push({ row, faults: [...faults, advice(context.options)], missing });
    if (isNew && context.deferred.unchanged.has(number)) changed += 1;
  }
  return { changed, unlinked };
}
