/** Undoes a batch of an import in one transaction: restores former states, or moves records to the trash. */

import { type Account, actorId } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { inParts, inTransaction } from "../../records/batch/transaction.ts";
import { demandNoCircles, lockHierarchies } from "../../records/links/hierarchies.ts";
import { demandOneLoanOfLinks } from "../../records/links/loans.ts";
import { forgetMovements } from "../../records/links/places.ts";
import { markChanged } from "../../records/outbox.ts";
import { lockAnywhere } from "../../records/read/store.ts";
import { stateOf } from "../../records/record.ts";
import { currentSchema, type Schema, schemaToWriteBy } from "../../records/schema.ts";
import { demandTree, lockTree } from "../../records/write/rules.ts";
import { type Change, updateRecords, type Writer, writerOf } from "../../records/write/store.ts";
import { sameState } from "../../records/write/write.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import {
  emptyPart,
  groupedBy,
  impossible,
  type PartDone,
  plansFor,
  restorable,
  trashable,
  type UndoContext,
} from "./choice.ts";
import type { Restore } from "./plan.ts";
import { forgetMedia, kindsWritten, recordsOf, removeLinks, restoreLinks } from "./store.ts";

/**
 * Restores or trashes the records for which this is planned. If a change is refused, the batch is halved until the record that
 * cannot be changed is alone.
 */
export async function undoPart(
  services: Services,
  caller: Account,
  undo: UndoContext,
  work: "restore" | "trash",
  ids: readonly string[],
): Promise<PartDone> {
  const parts = await inParts(ids, {
    async work(part) {
      if (undo.dryRun) return dryPart(services.sql, caller, undo, work, part);
      const touched = new Set<string>();
      const done = await inTransaction(services, undefined, async (tx) => {
        touched.clear();
        const schema = await schemaToWriteBy(services.sql, tx);
        return writePart(tx, schema, caller, writerOf(services, caller), undo, work, part, touched);
      });
      await services.changed([...touched]);
      return done;
    },
    async refused(id, problem) {
      const [row] = await recordsOf(services.sql, [id]);
      const fault = problem.errors[0]?.detail ?? problem.told;
      return { ...emptyPart(), left: row ? [impossible(row, fault)] : [] };
    },
    ends: ["unavailable"],
  });
  return parts.reduce(combined, emptyPart());
}

function combined(a: PartDone, b: PartDone): PartDone {
  return {
    restored: [...a.restored, ...b.restored],
    trashed: [...a.trashed, ...b.trashed],
    links: a.links + b.links,
    left: [...a.left, ...b.left],
    done: a.done + b.done,
    gone: a.gone + b.gone,
  };
}

/** The same for a dry run. Writes nothing. */
async function dryPart(
  sql: Sql,
  caller: Account,
  undo: UndoContext,
  work: "restore" | "trash",
  ids: readonly string[],
): Promise<PartDone> {
  const part = emptyPart();
  const plans = await plansFor(sql, undo.importId, ids, await recordsOf(sql, ids));
  if (work === "trash") part.trashed = await trashable(sql, caller, undo, plans, part);
  else {
    const wanted = await restorable(sql, await currentSchema(sql), caller, plans, part);
    part.restored = wanted.map(({ row }) => row);
    part.links = wanted.reduce((sum, { added }) => sum + added.length, 0);
  }
  return part;
}

async function writePart(
  tx: Tx,
  schema: Schema,
  caller: Account,
  writer: Writer,
  undo: UndoContext,
  work: "restore" | "trash",
  ids: readonly string[],
  touched: Set<string>,
): Promise<PartDone> {
  const part = emptyPart();
  for (const kind of await kindsWritten(tx, ids)) await lockTree(tx, kind);
  if (work === "restore") await lockHierarchies(tx, [...schema.relationTypes.values()]);
  const plans = await plansFor(tx, undo.importId, ids, await lockAnywhere(tx, ids));
  const note = { import_undone: undo.importId };
  if (work === "trash") {
    const rows = await trashable(tx, caller, undo, plans, part);
    const changes = rows.map(
      (row): Change => ({ before: row, after: stateOf(row), action: "deleted", deleted: true, note }),
    );
    await updateAll(tx, writer, changes, touched);
    part.trashed = rows;
    return part;
  }
  const wanted = await restorable(tx, schema, caller, plans, part);
  for (const { row, state } of wanted)
    if (state.parent_id !== row.parent_id)
      await demandTree(tx, caller, row.record_type, [{ id: row.id, parent_id: state.parent_id }]);
  part.links = await relink(tx, schema, caller, undo.importId, wanted, touched);
  const changes = wanted.map(({ row, state, added, removed }): Change => {
    const same = sameState(stateOf(row), state);
    const links = {
      ...(added.length > 0 ? { removed: added } : {}),
      ...(removed.length > 0 ? { added: removed } : {}),
    };
    const action = !same ? "reverted" : added.length > 0 ? "relation_removed" : "relation_added";
    return { before: row, after: state, action, note: { ...note, ...links } };
  });
  await updateAll(tx, writer, changes, touched);
  part.restored = wanted.map(({ row }) => row);
  await forgetMedia(
    tx,
    undo.importId,
    part.restored.map(({ id }) => id),
  );
  return part;
}

async function updateAll(
  tx: Tx,
  writer: Writer,
  changes: readonly Change[],
  touched: Set<string>,
): Promise<void> {
  for (const [kind, own] of groupedBy(changes, ({ before }) => before.record_type))
    await updateRecords(tx, kind, writer, own);
  for (const { before } of changes) touched.add(before.id);
}

/** Removes the links that the import created, and restores those that it removed. Returns how many were removed. */
async function relink(
  tx: Tx,
  schema: Schema,
  caller: Account,
  importId: string,
  wanted: readonly Restore[],
  touched: Set<string>,
): Promise<number> {
  const away = wanted.flatMap(({ added }) => added);
  const removed = await removeLinks(tx, importId, away);
  const back = await restoreLinks(
    tx,
    actorId(caller),
    wanted.flatMap((plan) => plan.removed.map((link) => ({ id: newId(), ...link }))),
  );
  await forgetMovements(tx, actorId(caller), importId, [...away, ...back]);
  await demandOneLoanOfLinks(tx, back);
  await demandNoCircles(
    tx,
    schema,
    caller,
    back,
    ({ names }) => new Problem("conflict", said("fault.circle", { names })),
  );
  const ends = [...away, ...back].flatMap(({ from_id, to_id }) => [from_id, to_id]);
  await markChanged(tx, [...new Set(ends)], { by: "writer", hides: true });
  for (const id of ends) touched.add(id);
  return removed;
}
