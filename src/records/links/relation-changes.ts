/** Changes links, removes them and puts them back. A link can be addressed from either end; the change is in the history of the record at its first end. */
import { type Account, type Caller, demandAction } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { type LinkChange, linkChangesOf } from "../read/link-changes.ts";
import { missing } from "../read/read.ts";
import { findRecord, recordsNow } from "../read/store.ts";
import type { Metadata, RecordRow } from "../record.ts";
import { currentSchema, type Schema } from "../schema.ts";
import { maySee } from "../visibility.ts";
import { updateRecords, writerOf } from "../write/store.ts";
import { demandVersion, type Expected } from "../write/write.ts";
import { checkedNotes } from "./notes.ts";
import { noteMovements } from "./places.ts";
import { addRelationIn, demandNotMirrored, findRelation, lockInOrder } from "./relations.ts";

/** A link as it is named from a record at either end, and the version of that record. */
type LinkPlace = { kind: Kind; id: string; relationId: string; expected: Expected };

/** Changes the metadata_ of a link; 409 if a link that says the same exists. */
export async function changeRelation(
  services: Services,
  caller: Account,
  place: LinkPlace,
  change: (metadata: Metadata) => Metadata,
): Promise<void> {
  const owner = await services.sql.begin(async (tx) => {
    const { link, before } = await lockLink(tx, services, caller, place);
    const schema = await currentSchema(services.sql, undefined, tx);
    const type = schema.relationTypes.get(link.relation_type)!;
    const metadata = checkedNotes(schema, type, change(link.metadata));
    if (JSON.stringify(metadata) === JSON.stringify(link.metadata)) return null;
    if (type.inverse === type.name)
      await demandNotMirrored(tx, link.relation_type, link.to_id, link.from_id, metadata);
    await tx`update relations set metadata = ${tx.json(metadata as never)} where id = ${place.relationId}`;
    const note = { relation_id: place.relationId, ...link, now: metadata };
    await updateRecords(tx, link.from_type, writerOf(services, caller), [
      { before, after: before, action: "relation_changed", note },
    ]);
    return link.from_id;
  });
  if (owner !== null) await services.changed([owner]);
}

export async function removeRelation(services: Services, caller: Account, place: LinkPlace): Promise<void> {
  const owner = await services.sql.begin((tx) => removeRelationIn(tx, services, caller, place));
  await services.changed([owner]);
}

/** The same within a transaction; returns the changed record. */
async function removeRelationIn(
  tx: Tx,
  services: Services,
  caller: Account,
  place: LinkPlace,
): Promise<string> {
  const { link, before } = await lockLink(tx, services, caller, place);
  const writer = writerOf(services, caller);
  await tx`delete from relations where id = ${place.relationId}`;
  await noteMovements(tx, writer, [link]);
  const note = { relation_id: place.relationId, ...link };
  const change = { before, after: before, action: "relation_removed", note } as const;
  await updateRecords(tx, link.from_type, writer, [change]);
  return link.from_id;
}

/**
 * Puts a removed link back as it was, at its place among the others. Nothing happens if it is there; 409 if it would move an
 * object away from where it is now.
 */
export async function putBackRelation(
  services: Services,
  caller: Account,
  { kind, id, relationId, expected }: LinkPlace,
): Promise<void> {
  const owner = await services.sql.begin(async (tx) => {
    if ((await presentRelations(tx, [relationId])).size > 0) return null;
    const schema = await currentSchema(services.sql, undefined, tx);
    const row = await findRecord(tx, caller, kind, id);
    if (!row) throw await missing(tx, caller, kind, id);
    const removed = await removedRelation(tx, caller, schema, row, relationId);
    if (!removed?.end) throw new Problem("not_found", said("problem.relation.not_found", { id: relationId }));
    const { relation_type, end, from, link } = removed;
    const to_id = (await recordsNow(tx, [end.id])).get(end.id)!;
    const wish = { relation_type, to_type: end.record_type, to_id, metadata_: from ?? {} };
    const again = { id: relationId, created_at: link.created_at };
    const added = await addRelationIn(tx, services, caller, { kind, id }, wish, expected, again);
    if (added.movedAway) throw new Problem("conflict", said("problem.relation.elsewhere"));
    return added.owner;
  });
  if (owner !== null) await services.changed([owner]);
}

/** How a link of this record was last removed, if the caller may see what it led to. */
export async function removedRelation(
  sql: Sql | Tx,
  caller: Caller,
  schema: Schema,
  row: RecordRow,
  relationId: string,
): Promise<LinkChange | undefined> {
  const revisions = await sql<Parameters<typeof linkChangesOf>[4][number][]>`
    select record_id, action, note from revisions
    where note is not null and links_noted(note) ? ${row.id} and position(${relationId} in note::text) > 0
    order by at desc limit 20`;
  const told = await linkChangesOf(sql, caller, schema, row, revisions);
  return told
    .flatMap(({ changes }) => changes)
    .find(({ link, from, to }) => from !== null && to === null && link.id === relationId);
}

/** Those of these links that are there. */
export async function presentRelations(sql: Sql | Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from relations where id = any(${ids as string[]})`;
  return new Set(rows.map(({ id }) => id));
}

type KeptLink = {
  relation_type: string;
  from_id: string;
  to_id: string;
  from_type: Kind;
  metadata: Metadata;
  created_at: string;
};

/** A link that the caller may change, and the record it belongs to, both locked. */
async function lockLink(
  tx: Tx,
  services: Services,
  caller: Account,
  { kind, id, relationId, expected }: LinkPlace,
): Promise<{ link: KeptLink; before: RecordRow }> {
  const [found] = await tx<{ from_id: string; from_type: Kind }[]>`
    select l.from_id, f.record_type as from_type
    from relations l join records f on f.id = l.from_id
    where l.id = ${relationId} and (l.from_id = ${id} or l.to_id = ${id})`;
  const rows = await lockInOrder(tx, [
    { kind, id },
    ...(found ? [{ kind: found.from_type, id: found.from_id }] : []),
  ]);
  const row = rows.get(id);
  if (!row || !maySee(caller, row)) throw await missing(tx, caller, kind, id);
  demandVersion(row, expected);
  const schema = await currentSchema(services.sql, undefined, tx);
  const seen = await findRelation(tx, caller, schema, row, relationId);
  // as it is now that its record is locked
  const [link] = await tx<Omit<KeptLink, "from_type">[]>`
    select relation_type, from_id, to_id, metadata, created_at::text as created_at
    from relations where id = ${relationId} for update`;
  // a merge may have moved it before the locks
  const before = link && rows.get(link.from_id);
  if (!found || !before || !seen) {
    throw new Problem("not_found", said("problem.relation.not_found", { id: relationId }));
  }
  demandAction(caller, "update", found.from_type);
  return { link: { ...link, from_type: found.from_type }, before };
}
