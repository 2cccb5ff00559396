/**
 * Merges a record into another one of its type: fields, links, media and all that refers to it. One transaction, which the preview
 * rolls back. The merged record keeps its number and its address, which leads to the other one.
 */
import { type Account, actorId, demandAction } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { invalid, invalidAt } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import { tryOut } from "../batch/transaction.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { lockHierarchies } from "../links/hierarchies.ts";
import { lockInOrder } from "../links/relations.ts";
import { markNeighbours } from "../outbox.ts";
import { missing } from "../read/read.ts";
import { type RecordRow, stateOf } from "../record.ts";
import { type Schema, schemaToWriteBy } from "../schema.ts";
import { maySee, visibleTo } from "../visibility.ts";
import { demandValid, lockTree } from "../write/rules.ts";
import { readBack, updateRecords, writerOf } from "../write/store.ts";
import { demandVersion, type Expected } from "../write/write.ts";
import { moveDismissed } from "./dismissed.ts";
import { demandInNoCircle, moveLinks, type Pair } from "./links.ts";
import { moveMedia } from "./media.ts";
import { moveReferring } from "./referring.ts";
import { moveRows } from "./rows.ts";
import { type Choices, choiceFaults, mergedState, saidBefore } from "./state.ts";
import { insertMerge, type Moved } from "./store.ts";

export type MergeWish = {
  into: string;
  fields: Choices;
  expected: Expected;
  intoVersion?: number | undefined;
};

/** `record`: the one that stays. */
export type Merged = { record: RecordRow; merged: RecordRow; moved: Moved };

/** @param dryRun tells what would be */
export async function mergeRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  wish: MergeWish,
  dryRun: boolean,
): Promise<Merged> {
  const [done] = await mergeRecords(services, caller, kind, [{ id, expected: wish.expected }], wish, dryRun);
  return done!;
}

/** Merges all of these into one, in their order, in one transaction. */
export async function mergeRecords(
  services: Services,
  caller: Account,
  kind: Kind,
  from: readonly { id: string; expected: Expected }[],
  { into, intoVersion, fields }: Omit<MergeWish, "expected">,
  dryRun: boolean,
): Promise<Merged[]> {
  demandMerging(caller, kind);
  const work = async (tx: Tx) => {
    const done: Merged[] = [];
    const schema = await schemaToWriteBy(services.sql, tx);
    // all, before the first merge, so that two simultaneous ones do not block each other
    await lockTree(tx, kind);
    await lockHierarchies(tx, [...schema.relationTypes.values()]);
    await lockInOrder(tx, [...from.map(({ id }) => ({ kind, id })), { kind, id: into }]);
    for (const [index, { id, expected }] of from.entries()) {
      // the first one changes the version
      const version = index === 0 ? intoVersion : undefined;
      const wish = { into, fields, expected, intoVersion: version };
      done.push(await mergeIn(tx, services, caller, schema, kind, { from: id, into }, wish));
    }
    return done;
  };
  const done = await tryOut(services, work, () => !dryRun);
  if (!dryRun) await services.changed([...new Set(done.flatMap(touched))]);
  return done;
}

export function demandMerging(caller: Account, kind: Kind): void {
  for (const action of ["read", "update", "delete"] as const) demandAction(caller, action, kind);
}

const touched = ({ record, merged, moved: { referring } }: Merged): string[] => [
  record.id,
  merged.id,
  ...referring.below,
  ...referring.naming.map(({ id }) => id),
];

async function mergeIn(
  tx: Tx,
  services: Services,
  caller: Account,
  schema: Schema,
  kind: Kind,
  pair: Pair,
  wish: MergeWish,
): Promise<Merged> {
  const { from, into } = await lockPair(tx, caller, kind, pair);
  demandVersion(from, wish.expected);
  if (wish.intoVersion !== undefined) demandVersion(into, [wish.intoVersion]);
  // as with a deletion: what was public goes
  if (from.status === "public") demandAction(caller, "publish", kind);
  const faults = choiceFaults(schema, from, wish.fields);
  if (faults.length > 0) throw invalid(faults);

  const writer = writerOf(services, caller);
  const state = mergedState(schema, into, from, wish.fields);
  state.parent_id = await parentOf(tx, into, from);
  demandValid(schema, kind, state, { before: saidBefore(state, into.metadata, from.metadata) });
  const links = await moveLinks(tx, schema, pair);
  await demandInNoCircle(tx, caller, schema, pair.into);
  const media = await moveMedia(tx, pair);
  const rows = await moveRows(tx, writer, pair);
  const dismissed = await moveDismissed(tx, "not_duplicates", pair);
  const named = ({ id, idno, title }: RecordRow) => ({ id, idno, title });
  const note = { merged: named(from), into: named(into) };
  await updateRecords(tx, kind, writer, [{ before: into, after: state, action: "merged", note }]);
  const referring = await moveReferring(tx, schema, kind, writer, pair, note);
  await updateRecords(tx, kind, writer, [
    { before: from, after: from, action: "merged", deleted: true, note },
  ]);
  // those that showed the merged one are now linked with the other one
  await markNeighbours(tx, [pair.into], { by: "worker", hides: from.status === "public" });
  const moved = { before: stateOf(into), after: state, links, media, referring, rows, dismissed };
  await insertMerge(tx, actorId(caller), pair, moved);
  return { record: await readBack(tx, pair.into), merged: from, moved };
}

/** Both records, locked. */
async function lockPair(
  tx: Tx,
  caller: Account,
  kind: Kind,
  { from: id, into: otherId }: Pair,
): Promise<{ from: RecordRow; into: RecordRow }> {
  if (id === otherId) throw invalidAt("/into", said("fault.merge.itself"));
  const rows = await lockInOrder(tx, [
    { kind, id },
    { kind, id: otherId },
  ]);
  const from = rows.get(id);
  if (!from || !maySee(caller, from)) throw await missing(tx, caller, kind, id);
  const into = rows.get(otherId);
  if (into && maySee(caller, into)) return { from, into };
  throw invalidAt("/into", await whyNotInto(tx, caller, from, otherId, into));
}

async function whyNotInto(tx: Tx, caller: Account, from: RecordRow, id: string, into: RecordRow | undefined) {
  const { record_type: kind } = from;
  if (into?.merged_into === from.id) return said("fault.merge.circle", { idno: into.idno });
  // the caller may read this kind
  if (into?.merged_into) return said("fault.merge.merged", { idno: into.idno });
  if (into) return said("fault.merge.deleted", { idno: into.idno });
  const [other] = await tx<{ record_type: Kind }[]>`
    select r.record_type from records r where r.id = ${id} and r.record_type <> ${kind} and ${visibleTo(tx, caller)}`;
  if (other) return said("fault.merge.other_type", { kind: oneOf(kind), other: oneOf(other.record_type) });
  return said("fault.record.unknown", { kind: oneOf(kind), id });
}

/** Its own parent; that of the merged record if it has none, or is below the merged record itself. */
async function parentOf(tx: Tx, into: RecordRow, from: RecordRow): Promise<string | null> {
  const above = async (id: string | null) => {
    const rows = await tx<{ id: string }[]>`
      with recursive up as (
        select id, parent_id from records where id = ${id}
        union
        select r.id, r.parent_id from up join records r on r.id = up.parent_id)
      select id from up`;
    return rows.map((row) => row.id);
  };
  if ((await above(into.parent_id)).includes(from.id)) return from.parent_id;
  if (into.parent_id !== null || (await above(from.parent_id)).includes(into.id)) return into.parent_id;
  return from.parent_id;
}
