/** Undoes a merge within 30 days: both records are as they were, except for what somebody has changed since. */
import { type Account, mayDo } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Tx } from "../../services.ts";
import { inTransaction } from "../batch/transaction.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { lockHierarchies } from "../links/hierarchies.ts";
import { STORED_AT } from "../links/places.ts";
import { lockInOrder } from "../links/relations.ts";
import { markNeighbours } from "../outbox.ts";
import { type RecordRow, stateOf } from "../record.ts";
import { type Schema, schemaToWriteBy } from "../schema.ts";
import { maySeeLinksOf, visibleTo } from "../visibility.ts";
import { demandPublish, demandTree, demandValid, lockTree } from "../write/rules.ts";
import { readBack, updateRecords, writerOf } from "../write/store.ts";
import { livingParent } from "../write/trash.ts";
import { demandVersion, type Expected } from "../write/write.ts";
import { returnDismissed } from "./dismissed.ts";
import { demandInNoCircle, type LinkLeft, type Pair, returnLinks } from "./links.ts";
import { returnMedia } from "./media.ts";
import { demandMerging } from "./merge.ts";
import { returnReferring } from "./referring.ts";
import { returnRows } from "./rows.ts";
import { saidBefore, undoneState } from "./state.ts";
import { deleteMerge, laterMerge, lockMerge } from "./store.ts";

/** What stays as it is because somebody has changed it since. `id`: of the link, the medium or the record, if the caller may know it. */
export type Left = {
  what: "field" | "link" | "medium" | "record" | "term";
  id: string | null;
  name: string | null;
};

/** `record`: the one that was merged; `other`: the one that it was merged into. */
export type Unmerged = { record: RecordRow; other: RecordRow; left: Left[] };

/** `expected`: versions of the record that it was merged into. */
export async function unmergeRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  expected: Expected,
): Promise<Unmerged> {
  demandMerging(caller, kind);
  const { back, ...done } = await inTransaction(services, undefined, (tx) =>
    unmergeIn(tx, services, caller, kind, id, expected),
  );
  await services.changed([done.record.id, done.other.id, ...back]);
  return done;
}

async function unmergeIn(
  tx: Tx,
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  expected: Expected,
): Promise<Unmerged & { back: string[] }> {
  const schema = await schemaToWriteBy(services.sql, tx);
  await lockTree(tx, kind);
  await lockHierarchies(tx, [...schema.relationTypes.values()]);
  const { from, into, pair, moved } = await lockMerged(tx, kind, id);
  demandVersion(into, expected);
  demandPublish(caller, kind, null, from.status);

  await deleteMerge(tx, id);
  const writer = writerOf(services, caller);
  const named = ({ id, idno, title }: RecordRow) => ({ id, idno, title });
  const note = { unmerged: named(from), from: named(into) };
  const restored = { ...stateOf(from), parent_id: await livingParent(tx, from.parent_id) };
  const undone = undoneState(stateOf(into), moved.before, moved.after);
  demandValid(schema, kind, restored, { before: from.metadata });
  demandValid(schema, kind, undone.state, {
    before: saidBefore(undone.state, into.metadata, moved.before.metadata),
  });
  const links = await returnLinks(tx, schema, pair, moved.links);
  const media = await returnMedia(tx, pair, moved.media);
  const places = links.flatMap(({ relation_type, from_id }) =>
    relation_type === STORED_AT && from_id ? from_id : [],
  );
  await returnRows(tx, writer, pair, moved.rows, places);
  if (moved.dismissed) await returnDismissed(tx, "not_duplicates", moved.dismissed);
  await updateRecords(tx, kind, writer, [
    { before: from, after: restored, action: "unmerged", deleted: false, note },
  ]);
  undone.state.parent_id = await livingParent(tx, undone.state.parent_id);
  await updateRecords(tx, kind, writer, [{ before: into, after: undone.state, action: "unmerged", note }]);
  const { left, back } = await returnReferring(tx, kind, writer, pair, moved.referring, note);
  await demandTree(tx, caller, kind, [
    { id, parent_id: restored.parent_id },
    { id: pair.into, parent_id: undone.state.parent_id },
  ]);
  for (const each of [id, pair.into]) await demandInNoCircle(tx, caller, schema, each);
  await markNeighbours(tx, [id, pair.into], { by: "worker", hides: into.status === "public" });
  return {
    record: await readBack(tx, id),
    other: await readBack(tx, pair.into),
    back,
    left: [
      ...undone.left.map((name): Left => ({ what: "field", id: null, name })),
      ...(await linksLeft(tx, caller, schema, links)),
      ...media.map((medium): Left => ({ what: "medium", id: medium.id, name: medium.filename })),
      ...(await recordsLeft(tx, caller, left)),
    ],
  };
}

/** The merged record and the one that it was merged into, locked, if the merge can be undone. */
async function lockMerged(tx: Tx, kind: Kind, id: string) {
  const none = new Problem("not_found", said("problem.merge.not_found", { kind: oneOf(kind), id }));
  const merge = await lockMerge(tx, id);
  if (!merge) throw none;
  const pair: Pair = { from: id, into: merge.into_id };
  const rows = await lockInOrder(tx, [
    { kind, id },
    { kind, id: pair.into },
  ]);
  const from = rows.get(id);
  const into = rows.get(pair.into);
  if (!from || !into) throw none;
  if (merge.expired) throw new Problem("conflict", said("problem.merge.expired", { idno: from.idno }));
  if (into.merged_into)
    throw new Problem("conflict", said("problem.merge.merged_again", { idno: into.idno }));
  if (into.deleted_at) throw new Problem("conflict", said("problem.merge.into_deleted", { idno: into.idno }));
  const later = await laterMerge(tx, pair);
  if (later) throw new Problem("conflict", said("problem.merge.later", { idno: into.idno, later }));
  return { from, into, pair, moved: merge.moved };
}

/** Of links that the caller does not see, only that there are some. */
export async function linksLeft(
  tx: Tx,
  caller: Account,
  schema: Schema,
  links: readonly LinkLeft[],
): Promise<Left[]> {
  const ids = links.flatMap(({ from_id, to_id }) => [from_id, to_id]).filter((id) => id !== null);
  const rows = await tx<{ id: string; record_type: Kind }[]>`
    select r.id, r.record_type from records r where r.id = any(${ids}) and ${visibleTo(tx, caller)}`;
  const ends = new Map(rows.map((row) => [row.id, row.record_type]));
  return links.map(({ id, relation_type, from_id, to_id }) => {
    const owner = ends.get(from_id ?? "");
    const type = schema.relationTypes.get(relation_type ?? "");
    const isSeen =
      owner &&
      ends.has(to_id ?? "") &&
      (type ? maySeeLinksOf(caller, type, owner) : mayDo(caller, "read", owner));
    const isGone = relation_type === null;
    return { what: "link", id: isSeen || isGone ? id : null, name: isSeen ? relation_type : null };
  });
}

/** Of records that the caller does not see, only that there are some. */
export async function recordsLeft(tx: Tx, caller: Account, ids: readonly string[]): Promise<Left[]> {
  const seen = await tx<{ id: string; title: string }[]>`
    select r.id, r.title from records r where r.id = any(${ids as string[]}) and ${visibleTo(tx, caller)}`;
  return ids.map((id) => {
    const row = seen.find((one) => one.id === id);
    return { what: "record", id: row?.id ?? null, name: row?.title ?? null };
  });
}
