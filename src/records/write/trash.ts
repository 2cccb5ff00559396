/** Moves records into the trash and restores them. A restoration also reverses what a forced deletion moved. */
import { type Account, type Caller, demandAction } from "../../caller.ts";
import { type Said, said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { lockByIds, lockRecord } from "../read/store.ts";
import { type RecordRow, stateOf } from "../record.ts";
import { schemaToWriteBy } from "../schema.ts";
import { maySeeInTrash, unseenOf, wholeKinds } from "../visibility.ts";
import { demandPublish, demandValid, lockTree } from "./rules.ts";
import { moveBelow, readBack, updateRecords, writerOf } from "./store.ts";
import { refuseTaken } from "./taken-number.ts";
import { demandRecord, demandVersion, type Expected } from "./write.ts";

/**
 * Puts a record into the trash, from which it can be restored for 30 days. `importId`: the bulk edit, if any. Its
 * links stay but are hidden. Records below it move up to its own parent; its revision lists them. `anyway`: how the caller can
 * delete a linked record.
 */
export async function deleteRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  options: { force: boolean; expected: Expected; importId?: string; anyway?: Said },
): Promise<void> {
  const moved = await services.sql.begin(async (tx) => {
    await lockTree(tx, kind);
    const row = await demandRecord(tx, caller, kind, id, options.expected);
    // deleting a public record also needs the permission to publish
    if (row.status === "public") demandAction(caller, "publish", kind);
    const children = await childrenOf(tx, kind, id);
    if (!options.force) await demandUnlinked(tx, caller, row, options.anyway);
    // moved records are moved back by the restoration, not by their own undo
    const writer = writerOf(services, caller);
    await moveBelow(tx, kind, writer, children, row.parent_id, { parent_deleted: row.idno });
    const ids = children.map((child) => child.id);
    const note = ids.length > 0 ? { note: { moved_up: ids } } : {};
    await updateRecords(tx, kind, writerOf(services, caller, options.importId), [
      { before: row, after: row, action: "deleted", deleted: true, ...note },
    ]);
    return ids;
  });
  await services.changed([id, ...moved]);
}

/** Those of these records that have links or children outside the trash. */
export async function linkedAmong(sql: Sql | Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select i.id from unnest(${ids as string[]}::uuid[]) i(id)
    where exists (
        select 1 from relations l join records r on r.id = l.to_id
        where l.from_id = i.id and r.deleted_at is null)
      or exists (
        select 1 from relations l join records r on r.id = l.from_id
        where l.to_id = i.id and r.deleted_at is null)
      or exists (select 1 from records c where c.parent_id = i.id and c.deleted_at is null)`;
  return new Set(rows.map(({ id }) => id));
}

async function childrenOf(tx: Tx, kind: Kind, id: string): Promise<RecordRow[]> {
  const children = await tx<{ id: string }[]>`
    select id from records where parent_id = ${id} and deleted_at is null`;
  return lockByIds(
    tx,
    kind,
    children.map((child) => child.id),
  );
}

/** What a deletion would hide or move: linked records, and those below; null without any. */
type Ties = { linked: Said | null; below: Said | null };

export async function tiesOf(sql: Sql | Tx, caller: Caller, row: RecordRow): Promise<Ties> {
  const readable = wholeKinds(caller);
  const linked = await linkedWith(sql, row.id, readable);
  const children = await sql<{ idno: string }[]>`
    select idno from records where parent_id = ${row.id} and deleted_at is null`;
  const below = readable.includes(row.record_type) ? children.map(({ idno }) => idno).sort() : [];
  return {
    linked: linked.n > 0 ? named(linked.n, linked.shown) : null,
    below: children.length > 0 ? named(children.length, below) : null,
  };
}

/** 409 that names the linked records and the records below it. */
async function demandUnlinked(
  tx: Tx,
  caller: Account,
  row: RecordRow,
  anyway: Said = said("problem.record.forced"),
): Promise<void> {
  const { linked, below } = await tiesOf(tx, caller, row);
  const { idno } = row;
  if (linked && below)
    throw new Problem("conflict", said("problem.record.linked_parent", { idno, linked, below, anyway }));
  if (linked) throw new Problem("conflict", said("problem.record.linked", { idno, linked, anyway }));
  if (below) throw new Problem("conflict", said("problem.record.parent", { idno, below, anyway }));
}

/** How many are named by number; the others, and those that the caller may not read, are counted. */
const MOST_NAMED = 5;

function named(count: number, idnos: readonly string[]): Said {
  const shown = idnos.slice(0, MOST_NAMED);
  if (shown.length === 0) return said("records.others", { count });
  return said("records.named", { shown: shown.join(", "), more: count - shown.length });
}

/** The number of linked records outside the trash, and the first idnos among those that the caller may read. */
async function linkedWith(
  sql: Sql | Tx,
  id: string,
  readable: readonly Kind[],
): Promise<{ n: number; shown: string[] }> {
  const [links] = await sql<{ n: number; shown: string[] }[]>`
    select count(*)::int as n,
      coalesce(to_json((array_agg(o.idno order by o.idno) filter (where o.readable))[1:${MOST_NAMED}::int]), '[]') as shown
    from (
      select distinct r.id, r.idno, r.record_type = any(${readable as string[]}) as readable
      from relations l join records r on r.id = case when l.from_id = ${id} then l.to_id else l.from_id end
      where (l.from_id = ${id} or l.to_id = ${id}) and r.deleted_at is null) o`;
  return links!;
}

/**
 * Restores a record from the trash, with the records that were below it, unless they were moved since. `note`: added
 * to its history.
 */
export async function restoreRecord(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  expected: Expected,
  note?: Record<string, unknown>,
): Promise<RecordRow> {
  let idno: string | undefined;
  const work = async (tx: Tx) => {
    const schema = await schemaToWriteBy(services.sql, tx);
    await lockTree(tx, kind);
    const row = await lockRecord(tx, kind, id);
    idno = row?.idno;
    if (!row || !maySeeInTrash(caller, row)) {
      throw new Problem("not_found", said("problem.trash.not_found", { kind: oneOf(kind), id }));
    }
    demandVersion(row, expected);
    demandPublish(caller, kind, null, row.status);
    const state = { ...stateOf(row), parent_id: await livingParent(tx, row.parent_id) };
    demandValid(schema, kind, state, {
      unseen: unseenOf(schema, caller, row, new Set()).metadata,
      before: row.metadata,
    });
    const hand = writerOf(services, caller);
    await updateRecords(tx, kind, hand, [
      { before: row, after: state, action: "restored", deleted: false, ...(note ? { note } : {}) },
    ]);
    const children = await movedUp(tx, kind, row, state.parent_id);
    await moveBelow(tx, kind, hand, children, id, { parent_restored: row.idno });
    return { restored: await readBack(tx, id), returned: children.map((child) => child.id) };
  };
  const { restored, returned } = await services.sql
    .begin(work)
    .catch(refuseTaken(services, caller, kind, () => idno));
  await services.changed([id, ...returned]);
  return restored;
}

/** The nearest ancestor outside the trash, where a forced deletion would have moved the record; of a merged one, the other record. */
export async function livingParent(tx: Tx, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const [parent] = await tx<{ id: string }[]>`
    with recursive up as (
      select r.id, r.parent_id, r.merged_into, r.deleted_at from records r where r.id = ${id}
      union
      select r.id, r.parent_id, r.merged_into, r.deleted_at
      from records r join up on r.id = coalesce(up.merged_into, up.parent_id)
      where up.deleted_at is not null)
    select id from up where deleted_at is null`;
  return parent?.id ?? null;
}

/** The records that its deletion moved up and that have not moved since. */
async function movedUp(tx: Tx, kind: Kind, row: RecordRow, parentId: string | null): Promise<RecordRow[]> {
  const [deletion] = await tx<{ note: { moved_up?: string[] } | null }[]>`
    select note from revisions where record_id = ${row.id} and action = 'deleted'
    order by version desc limit 1`;
  const children = await lockByIds(tx, kind, deletion?.note?.moved_up ?? []);
  return children.filter((child) => child.parent_id === row.parent_id || child.parent_id === parentId);
}
