/**
 * Undoes an import or a bulk edit by the id in its revisions. Records that it created go to the trash. Records that it changed
 * get their former state as a new version. Records that it deleted are restored. Links that it made are removed. Records that
 * somebody has edited since stay as they are, and so does what they need. The history keeps everything, and numbers are not
 * given again.
 *
 * First what was changed is set back, so that its links no longer hold what was made; then it is found out which of the
 * records that were made are needed; then the others go. Each batch is a transaction, and what is done is recognised by
 * its history: interrupted at any moment, it is called again.
 */
import { type Account, demandAction, mayUse, refuse } from "../caller.ts";
import { Problem } from "../problem.ts";
import { findImport, type ListedImport } from "../records/imports-list.ts";
import type { Kind } from "../records/kinds.ts";
import type { Services } from "../services.ts";
import { inUse, type LeftRecord, type PartDone, plansFor, type UndoContext } from "./undo-choice.ts";
import { undoPart } from "./undo-part.ts";
import {
  countRecords,
  type Dependent,
  findDependencies,
  findDependents,
  markUndoing,
  markUndone,
  recordsOf,
  writtenAfter,
} from "./undo-store.ts";
import { restoreFromTrash, trashedByEdit } from "./undo-trash.ts";

const BATCH = 200;
/** Records that are named because they were left; the others are only counted. */
const MOST_NAMED = 1_000;
const FIRST = "00000000-0000-0000-0000-000000000000";

export type UndoOptions = {
  dryRun: boolean;
  /** Records in a transaction, when not the usual number. */
  batch?: number;
  /** Asked between batches; true ends it there. */
  stopped?(): boolean;
  /** Who takes it back, as they are now: asked before each batch. Throws when there is nobody any more. */
  currentAccount?(): Promise<Account>;
  /** After each batch: records that were gone through, of all. Each is gone through three times. */
  progress?(done: number, total: number): void | Promise<void>;
};

export type UndoSummary = {
  importId: string;
  finished: boolean;
  /** Records that the import made, in the trash now. */
  trashed: number;
  /** Records that it changed, as before now. */
  restored: number;
  /** Links of these that were taken away. */
  links: number;
  /** Records that were taken back by an earlier run. */
  done: number;
  /** Records that somebody else has deleted. */
  gone: number;
  left: number;
  /** The first of those that were left; `needed_by` is the record that the reason names. */
  named: {
    id: string;
    record_type: Kind;
    idno: string;
    title: string;
    reason: string;
    needed_by?: Pick<Dependent, "id" | "record_type">;
  }[];
};

/** What an undo does must be permitted to whoever asks for it: at its beginning, and before each batch. */
export function demandMayUndo(
  caller: Account,
  { source, record_type }: Pick<ListedImport, "source" | "record_type">,
): void {
  // an edit has made nothing that would have to go
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
  if (!found) throw new Problem("not_found", `There is no import ${importId}`);
  const present = async () => {
    const now = (await options.currentAccount?.()) ?? caller;
    demandMayUndo(now, found);
    return now;
  };
  const total = await countRecords(sql, importId);
  if (!options.dryRun) await markUndoing(sql, importId);
  const stay = new Map<string, Dependent>();
  const job: UndoContext = { importId, dryRun: options.dryRun, kept: new Set() };
  const summary: UndoSummary = {
    ...{ importId, finished: false, trashed: 0, restored: 0, links: 0, done: 0, gone: 0, left: 0 },
    named: [],
  };
  const note = ({ restored, trashed, links, done, gone, left }: PartDone) => {
    summary.restored += restored.length;
    summary.trashed += trashed.length;
    summary.links += links;
    summary.done += done;
    summary.gone += gone;
    for (const each of left) leave(summary, each);
  };
  /** Keeps what the import created and these records link to or lie below, and so on. */
  const hold = async (ids: readonly string[]) => {
    for (let next = [...ids]; next.length > 0; ) {
      const used = (await findDependencies(sql, importId, next)).filter(({ id }) => !stay.has(id));
      for (const { id, user } of used) stay.set(id, user);
      next = used.map(({ id }) => id);
    }
    job.kept = new Set(stay.keys());
  };
  let gone = 0;
  const walk = async (work: (ids: string[]) => Promise<void>): Promise<boolean> => {
    for (let after = FIRST; ; ) {
      if (options.stopped?.()) return false;
      const ids = await writtenAfter(sql, importId, after, options.batch ?? BATCH);
      if (ids.length === 0) return true;
      await work(ids);
      after = ids.at(-1)!;
      gone += ids.length;
      await options.progress?.(gone, total * 3);
    }
  };
  const settingBack = async (ids: string[]) => {
    const now = await present();
    const thrown = await trashedByEdit(sql, importId, ids);
    note(await restoreFromTrash(services, now, job, thrown));
    const others = ids.filter((id) => !thrown.some((row) => row.id === id));
    const part = await undoPart(services, now, job, "restore", others);
    note(part);
    await hold(part.left.filter(({ unchanged }) => unchanged).map(({ row }) => row.id));
  };
  const findingUsers = async (ids: string[]) => {
    const plans = await plansFor(sql, importId, ids, await recordsOf(sql, ids));
    const made = ids.filter((id) => plans.get(id)!.what === "trash" && !stay.has(id));
    const users = await findDependents(sql, importId, made, [...job.kept]);
    for (const [id, user] of users) stay.set(id, user);
    await hold([...users.keys()]);
  };
  const trashing = async (ids: string[]) => {
    const kept = ids.filter((id) => stay.has(id));
    for (const row of await recordsOf(sql, kept)) leave(summary, inUse(row, stay.get(row.id)!));
    const others = ids.filter((id) => !stay.has(id));
    const part = await undoPart(services, await present(), job, "trash", others);
    note(part);
    await hold(part.left.map(({ row }) => row.id));
  };
  summary.finished = (await walk(settingBack)) && (await walk(findingUsers)) && (await walk(trashing));
  if (summary.finished && !options.dryRun) await markUndone(sql, importId);
  return summary;
}

function leave(summary: UndoSummary, { row, reason, dependent }: LeftRecord): void {
  summary.left += 1;
  if (summary.named.length >= MOST_NAMED) return;
  const { id, record_type, idno, title } = row;
  const needed = dependent && { needed_by: { id: dependent.id, record_type: dependent.record_type } };
  summary.named.push({ id, record_type, idno, title, reason, ...needed });
}
