/**
 * Undoes an import or a bulk edit, which it finds by the id in its revisions. Records that it created go to the trash. Records
 * that it changed get their former state as a new version. Records that it deleted are restored. Links that it added are removed.
 * Records that somebody has edited since stay as they are, and so do records that they need. The history keeps everything.
 * Automatic numbers are not used again, but a file may use its own numbers again.
 *
 * There are three passes. The first restores the changed records, so that their links no longer need created records. The second
 * finds out which created records are still needed. The third moves the others to the trash. Each batch is a transaction, and the
 * history shows what is already undone, so an interrupted undo can simply be started again.
 */

import { type Account, demandAction, mayUse, refuse } from "../../caller.ts";
import { said, type Told } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { findImport, type ListedImport } from "../../records/batch/imports-list.ts";
import type { Kind } from "../../records/kinds.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Services } from "../../services.ts";
import { inUse, type LeftRecord, type PartDone, plansFor, type UndoContext } from "./choice.ts";
import { undoPart } from "./part.ts";
import {
  countRecords,
  type Dependent,
  findDependencies,
  findDependents,
  recordsOf,
  setState,
  writtenAfter,
} from "./store.ts";
import { restoreFromTrash, trashedByEdit } from "./trash.ts";

const UNDONE_RECORDS = 200;
/** How many of the records that stay are listed in the summary. All are counted. */
const MOST_NAMED = 1_000;
const FIRST = "00000000-0000-0000-0000-000000000000";

type UndoOptions = {
  dryRun: boolean;
  /** Records per transaction, instead of the default. */
  batch?: number;
  /** Called between batches; true stops the undo. */
  stopped?(): boolean;
  /** The account with its current permissions. Called before each batch; throws if the account is gone. */
  currentAccount?(): Promise<Account>;
  /** Called after each batch. `total`: three times the number of records, one for each pass. */
  progress?(done: number, total: number): void | Promise<void>;
};

export type UndoSummary = {
  importId: string;
  finished: boolean;
  /** Records that the import created, now in the trash. */
  trashed: number;
  /** Records that the import changed, now with their former state. */
  restored: number;
  /** Links of the restored records that were removed. */
  links: number;
  done: number;
  gone: number;
  left: number;
  /** The first of the records that stay. `needed_by`: the record that the reason names. */
  named: (NamedRecord & { reason: Told; needed_by?: Pick<Dependent, "id" | "record_type"> })[];
  /** The first of the others. */
  undone: Record<"trashed" | "restored", NamedRecord[]>;
};

export type NamedRecord = { id: string; record_type: Kind; idno: string; title: string };

/** Throws 403 if the caller lacks a permission for the undo. Checked at the beginning and before each batch. */
export function demandMayUndo(
  caller: Account,
  { source, record_type }: Pick<ListedImport, "source" | "record_type">,
): void {
  // a bulk edit creates no records, so nothing is deleted
  const isEdit = source === "edit";
  if (!isEdit && !mayUse(caller, "import:run")) throw refuse(caller, "import:run");
  for (const action of ["read", "update"] as const) demandAction(caller, action, record_type);
  if (!isEdit) demandAction(caller, "delete", record_type);
}

export async function undoImport(
  services: Services,
  caller: Account,
  importId: string,
  options: UndoOptions,
): Promise<UndoSummary> {
  const { sql } = services;
  const found = await findImport(sql, importId);
  if (!found) throw new Problem("not_found", said("problem.import.not_found", { id: importId }));
  const accountNow = async () => {
    const now = (await options.currentAccount?.()) ?? caller;
    demandMayUndo(now, found);
    return now;
  };
  const total = await countRecords(sql, importId);
  if (!options.dryRun) await setState(sql, importId, "undoing");
  const kept = new Map<string, Dependent>();
  const undo: UndoContext = { importId, dryRun: options.dryRun, kept: new Set() };
  const summary: UndoSummary = {
    ...{ importId, finished: false, trashed: 0, restored: 0, links: 0, done: 0, gone: 0, left: 0 },
    named: [],
    undone: { trashed: [], restored: [] },
  };
  const note = ({ links, done, gone, left, ...undone }: PartDone) => {
    for (const what of ["trashed", "restored"] as const) {
      summary[what] += undone[what].length;
      const room = MOST_NAMED - summary.undone[what].length;
      summary.undone[what].push(...undone[what].slice(0, room).map(nameRecord));
    }
    summary.links += links;
    summary.done += done;
    summary.gone += gone;
    for (const each of left) leave(summary, each);
  };
  /** Keeps the created records that these records need, and those that they need in turn. */
  const keepDependencies = async (ids: readonly string[]) => {
    for (let next = [...ids]; next.length > 0; ) {
      const used = (await findDependencies(sql, importId, next)).filter(({ id }) => !kept.has(id));
      for (const { id, dependent } of used) kept.set(id, dependent);
      next = used.map(({ id }) => id);
    }
    undo.kept = new Set(kept.keys());
  };
  let processed = 0;
  const walk = async (work: (ids: string[]) => Promise<void>): Promise<boolean> => {
    for (let after = FIRST; ; ) {
      if (options.stopped?.()) return false;
      const ids = await writtenAfter(sql, importId, after, options.batch ?? UNDONE_RECORDS);
      if (ids.length === 0) return true;
      await work(ids);
      after = ids.at(-1)!;
      processed += ids.length;
      await options.progress?.(processed, total * 3);
    }
  };
  const restore = async (ids: string[]) => {
    const now = await accountNow();
    const trashed = await trashedByEdit(sql, importId, ids);
    note(await restoreFromTrash(services, now, undo, trashed));
    const others = ids.filter((id) => !trashed.some((row) => row.id === id));
    const part = await undoPart(services, now, undo, "restore", others);
    note(part);
    await keepDependencies(part.left.filter(({ unchanged }) => unchanged).map(({ row }) => row.id));
  };
  const findNeeded = async (ids: string[]) => {
    const plans = await plansFor(sql, importId, ids, await recordsOf(sql, ids));
    const created = ids.filter((id) => plans.get(id)!.what === "trash" && !kept.has(id));
    const dependents = await findDependents(sql, importId, created, [...undo.kept]);
    for (const [id, dependent] of dependents) kept.set(id, dependent);
    await keepDependencies([...dependents.keys()]);
  };
  const trash = async (ids: string[]) => {
    const keptIds = ids.filter((id) => kept.has(id));
    for (const row of await recordsOf(sql, keptIds)) leave(summary, inUse(row, kept.get(row.id)!));
    const others = ids.filter((id) => !kept.has(id));
    const part = await undoPart(services, await accountNow(), undo, "trash", others);
    note(part);
    await keepDependencies(part.left.map(({ row }) => row.id));
  };
  summary.finished = (await walk(restore)) && (await walk(findNeeded)) && (await walk(trash));
  if (summary.finished && !options.dryRun) {
    // records that stay may be undone later, when they are drafts again or no longer needed
    if (summary.left === 0) await setState(sql, importId, "undone");
    else if (summary.trashed + summary.restored + summary.done === 0)
      await setState(sql, importId, found.state);
  }
  return summary;
}

const nameRecord = ({ id, record_type, idno, title }: RecordRow): NamedRecord => ({
  ...{ id, record_type, idno, title },
});

function leave(summary: UndoSummary, { row, reason, dependent }: LeftRecord): void {
  summary.left += 1;
  if (summary.named.length >= MOST_NAMED) return;
  const needed = dependent && { needed_by: { id: dependent.id, record_type: dependent.record_type } };
  summary.named.push({ ...nameRecord(row), reason, ...needed });
}
