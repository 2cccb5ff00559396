/** A part of a bulk edit, written in one transaction. If it fails, it is halved until the bad record is isolated. */
import { type Account, demandAction } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import { type Kind, kinds, oneOf } from "../kinds.ts";
import { demandNoCircles, lockHierarchies } from "../links/hierarchies.ts";
import { writeMoves } from "../links/moves.ts";
import { STORED_AT } from "../links/places.ts";
import { insertLinks } from "../links/writes.ts";
import { lockByIds } from "../read/store.ts";
import type { RecordRow } from "../record.ts";
import { type Schema, schemaToWriteBy } from "../schema.ts";
import { maySee } from "../visibility.ts";
import { lockTree } from "../write/rules.ts";
import { type Action, type Change, updateRecords, type Writer, writerOf } from "../write/store.ts";
import { deleteRecord } from "../write/trash.ts";
import { type Chosen, demandEdit, type Edit, type EditPlan, linkOf, planEdit } from "./edit-plan.ts";
import { continueImport } from "./imports-store.ts";
import { inParts, inTransaction, problemIn } from "./transaction.ts";

/** `missing`: records that no longer exist. */
type EditDone = { plans: EditPlan[]; missing: number };

type EditJob = { id: string; kind: Kind; edit: Edit };

/**
 * Applies the edit to these records where possible. `id` is the row in `imports` that identifies it in the history
 * and for undoing. Throws if the whole edit must end: the caller lacks the permission, or the edit was undone.
 */
export async function editPart(
  services: Services,
  caller: Account,
  job: EditJob,
  chosen: readonly Chosen[],
): Promise<EditDone> {
  for (const action of ["read", "update"] as const) demandAction(caller, action, job.kind);
  if (job.edit.what === "trash") return trashPart(services, caller, job, chosen);
  const { kind } = job;
  const parts = await inParts(chosen, {
    work: (part) => writePart(services, caller, job, part),
    async refused({ id }, problem): Promise<EditDone> {
      const [row] = await services.sql.begin((tx) => lockByIds(tx, kind, [id]));
      const reason = problem.errors[0]?.detail ?? problem.told;
      return row ? { plans: [{ what: "refused", row, reason }], missing: 0 } : { plans: [], missing: 1 };
    },
    ends: ["unavailable", "gone", "forbidden"],
  });
  return {
    plans: parts.flatMap(({ plans }) => plans),
    missing: parts.reduce((sum, { missing }) => sum + missing, 0),
  };
}

async function writePart(
  services: Services,
  caller: Account,
  job: EditJob,
  chosen: readonly Chosen[],
): Promise<EditDone> {
  const { kind, edit } = job;
  const ids = chosen.map(({ id }) => id);
  const plans = await inTransaction(services, undefined, async (tx) => {
    const schema = await schemaToWriteBy(services.sql, tx);
    demandEdit(schema, caller, kind, edit);
    await lockTree(tx, kind);
    const link = edit.what === "link" ? linkOf(schema, kind, edit) : null;
    if (link !== null && !("fault" in link)) await lockHierarchies(tx, [link]);
    await continueImport(tx, { importId: job.id, run: 1 });
    const rows = (await lockByIds(tx, kind, ids)).filter((row) => maySee(caller, row));
    const plans = await planEdit(tx, schema, caller, kind, edit, rows, chosen);
    await writePlans(tx, schema, caller, writerOf(services, caller, job.id), job, plans);
    return plans;
  });
  await services.changed(plans.flatMap(({ what, row }) => (what === "change" ? row.id : [])));
  return { plans, missing: ids.length - plans.length };
}

async function writePlans(
  tx: Tx,
  schema: Schema,
  caller: Account,
  writer: Writer,
  { kind, edit }: EditJob,
  plans: readonly EditPlan[],
): Promise<void> {
  const wanted = plans.filter((plan) => plan.what === "change");
  if (edit.what === "link") return addLinks(tx, schema, caller, writer, kind, edit, wanted);
  const action: Action = edit.what === "status" ? "status_changed" : "updated";
  await updateRecords(
    tx,
    kind,
    writer,
    wanted.map(({ row, after }): Change => ({ before: row, after, action })),
  );
}

async function addLinks(
  tx: Tx,
  schema: Schema,
  caller: Account,
  writer: Writer,
  kind: Kind,
  { relation_type, to_type, to_id, day, reason }: Extract<Edit, { what: "link" }>,
  wanted: readonly Extract<EditPlan, { what: "change" }>[],
): Promise<void> {
  const [end] = await lockByIds(tx, to_type, [to_id]);
  if (!end || !maySee(caller, end)) {
    throw new Problem("invalid", said("fault.record.unknown", { kind: oneOf(to_type), id: to_id }));
  }
  if (relation_type === STORED_AT) return writeMoves(tx, writer, to_id, wanted, { day, reason });
  const links = wanted.map(({ row }) => ({
    ...{ id: newId(), relation_type, from_id: row.id, to_id, metadata: {} },
  }));
  const written = await insertLinks(tx, writer, links);
  const added = new Map(written.added.map((link) => [link.from_id, link]));
  await demandNoCircles(tx, schema, caller, [...added.values()]);
  await updateRecords(
    tx,
    kind,
    writer,
    wanted.map(({ row, after }): Change => {
      const note = { added: [added.get(row.id)!], removed: [] };
      return { before: row, after, action: "relation_added", note };
    }),
  );
}

/** One by one, like single deletions: records below a deleted one move up. */
async function trashPart(
  services: Services,
  caller: Account,
  { id: importId, kind, edit }: EditJob,
  chosen: readonly Chosen[],
): Promise<EditDone> {
  demandAction(caller, "delete", kind);
  const force = edit.what === "trash" && edit.force;
  const hasTree = kinds[kind].columns.includes("parent_id");
  const plans: EditPlan[] = [];
  for (const { id, version } of chosen) {
    const row = await rowOf(services, caller, importId, kind, id);
    if (!row) continue;
    try {
      const expected = hasTree ? null : [version];
      await deleteRecord(services, caller, kind, id, { force, expected, importId });
      plans.push({ what: "change", row, after: row });
    } catch (error) {
      const problem = problemIn(error, ["unavailable", "gone"]);
      const reason = problem.code === "stale" ? said("fault.record.changed") : problem.told;
      plans.push({ what: "refused", row, reason });
    }
  }
  return { plans, missing: chosen.length - plans.length };
}

/** The current record, if the caller may see it; 410 if the edit was undone. */
async function rowOf(
  { sql }: Services,
  caller: Account,
  importId: string,
  kind: Kind,
  id: string,
): Promise<RecordRow | undefined> {
  return sql.begin(async (tx) => {
    await continueImport(tx, { importId, run: 1 });
    const [row] = await lockByIds(tx, kind, [id]);
    return row && maySee(caller, row) ? row : undefined;
  });
}
