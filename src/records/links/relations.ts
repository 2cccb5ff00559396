/** Typed links between records (interface §2). A link belongs to the record at its first end and is read from both. */
import { type Account, actorId, type Caller, demandAction } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { listOf, type Said, said } from "../../messages/said.ts";
import { invalidAt, Problem } from "../../problem.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import { nearest, withNear } from "../../text/nearest.ts";
import { beginning } from "../../text.ts";
import { KINDS, type Kind, oneOf, type Status } from "../kinds.ts";
import { missing } from "../read/read.ts";
import { lockRecord } from "../read/store.ts";
import type { Metadata, RecordRow } from "../record.ts";
import {
  type Labels,
  type RelationType,
  relationTypeNamed,
  type Schema,
  schemaToWriteBy,
} from "../schema.ts";
import { maySee, maySeeLinksOf, visibleTo } from "../visibility.ts";
import { updateRecords, writerOf } from "../write/store.ts";
import { demandVersion, type Expected } from "../write/write.ts";
import { demandNoCircles, lockHierarchies } from "./hierarchies.ts";
import { demandOneLoanOfLinks } from "./loans.ts";
import { checkedNotes } from "./notes.ts";
import { endEarlierPlaces, noteMovements } from "./places.ts";

type RelationRequest = { relation_type: string; to_type: Kind; to_id: string; metadata_: Metadata };

type RelationRow = {
  id: string;
  relation_type: string;
  outgoing: boolean;
  metadata: Metadata;
  created_at: string;
  other_id: string;
  record_type: Kind;
  idno: string;
  title: string;
  status: Status;
};

export type RelationJson = {
  id: string;
  relation_type: string;
  label: Labels;
  to_type: Kind;
  to_id: string;
  to_idno: string;
  to_title: string;
  metadata_: Metadata;
  created_at: string;
};

/** A link as seen from one end: its name from there, and the record at the other end. */
function relationJson(schema: Schema, row: RelationRow): RelationJson {
  const type = schema.relationTypes.get(row.relation_type);
  return {
    id: row.id,
    relation_type: row.outgoing || !type ? row.relation_type : type.inverse,
    label: (row.outgoing ? type?.label : type?.inverse_label) ?? {},
    to_type: row.record_type,
    to_id: row.other_id,
    to_idno: row.idno,
    to_title: row.title,
    metadata_: row.metadata,
    created_at: row.created_at,
  };
}

/** A page of the links of a record whose other end the caller may see, oldest first. */
export async function listRelations(
  sql: Sql | Tx,
  caller: Caller,
  schema: Schema,
  { id, record_type: kind }: Pick<RecordRow, "id" | "record_type">,
  page: {
    limit: number;
    offset: number;
    only?: string;
    type?: string;
    except?: string; // this type
    outgoing?: boolean;
    toType?: Kind;
  },
): Promise<{ total: number; items: RelationJson[] }> {
  const types = [...schema.relationTypes.values()];
  const hidden = KINDS.flatMap((owner) =>
    types.filter((type) => !maySeeLinksOf(caller, type, owner)).map((type) => `${owner} ${type.name}`),
  );
  const owner = sql`case when l.outgoing then ${kind} else r.record_type end`;
  const visible = sql`(
      select id, relation_type, true as outgoing, metadata, created_at, to_id as other_id
      from relations where from_id = ${id}
      union all
      select id, relation_type, false, metadata, created_at, from_id
      from relations where to_id = ${id}) l
    join records r on r.id = l.other_id
    where ${visibleTo(sql, caller)} and not (${owner} || ' ' || l.relation_type = any(${hidden}))
      ${page.only ? sql`and l.id = ${page.only}` : sql``}
      ${page.type ? sql`and l.relation_type = ${page.type}` : sql``}
      ${page.except ? sql`and l.relation_type <> ${page.except}` : sql``}
      ${page.outgoing === undefined ? sql`` : sql`and l.outgoing = ${page.outgoing}`}
      ${page.toType ? sql`and r.record_type = ${page.toType}` : sql``}`;
  const rows = await sql<(RelationRow & { total: number })[]>`
    select l.id, l.relation_type, l.outgoing, l.metadata, l.created_at, l.other_id, r.record_type, r.idno, r.title,
      r.status, count(*) over ()::int as total
    from ${visible}
    order by l.outgoing desc, l.relation_type, l.created_at, l.id
    limit ${page.limit} offset ${page.offset}`;
  let total = rows[0]?.total ?? 0;
  if (rows.length === 0 && page.offset > 0) {
    [{ total }] = await sql<[{ total: number }]>`select count(*)::int as total from ${visible}`;
  }
  return { total, items: rows.map((row) => relationJson(schema, row)) };
}

/** The link, as seen from this record, if the caller may see both. */
export async function findRelation(
  sql: Sql | Tx,
  caller: Caller,
  schema: Schema,
  end: Pick<RecordRow, "id" | "record_type">,
  relationId: string,
): Promise<RelationJson | undefined> {
  return (await listRelations(sql, caller, schema, end, { limit: 1, offset: 0, only: relationId })).items[0];
}

/** The two ends of a wish in the direction in which the link is stored, or why it is refused. */
export function orientRelation(
  schema: Schema,
  kind: Kind,
  wish: { relation_type: string; to_type: Kind },
): { type: RelationType; inverse: boolean } | { fault: Said } {
  const named = relationTypeNamed(schema, wish.relation_type);
  if (!named) {
    const names = [...schema.relationTypes.values()].flatMap(({ name, inverse }) => [name, inverse]);
    return { fault: unknownRelationType(wish.relation_type, names) };
  }
  const [start, end] = named.inverse ? [wish.to_type, kind] : [kind, wish.to_type];
  const { name: relation, from_types, to_types } = named.type;
  if (from_types.includes(start) && to_types.includes(end)) return named;
  const leads = { relation, from: listOf(from_types.map(oneOf)), to: listOf(to_types.map(oneOf)) };
  return { fault: said("fault.relation_type.ends", { ...leads, start: oneOf(start), end: oneOf(end) }) };
}

export const unknownRelationType = (name: string, names: readonly string[]): Said =>
  withNear(said("fault.relation_type.unknown", { name: beginning(name, 80) }), nearest(name, names));

/** Links a record with another one and returns the id of the link. 409 if the link already exists. */
export async function addRelation(
  services: Services,
  caller: Account,
  kind: Kind,
  id: string,
  wish: RelationRequest,
  expected: Expected,
): Promise<string> {
  const { owner, relationId } = await services.sql.begin((tx) =>
    addRelationIn(tx, services, caller, { kind, id }, wish, expected),
  );
  await services.changed([owner]);
  return relationId;
}

/**
 * The same within a transaction. `owner`: the changed record. `movedAway`: the link ended an earlier place. `again`: a link that is
 * put back keeps its id and time.
 */
export async function addRelationIn(
  tx: Tx,
  services: Services,
  caller: Account,
  { kind, id }: { kind: Kind; id: string },
  wish: RelationRequest,
  expected: Expected,
  again: { id: string; created_at?: string | undefined } = { id: newId() },
): Promise<{ owner: string; relationId: string; movedAway: boolean }> {
  const relationId = again.id;
  const schema = await schemaToWriteBy(services.sql, tx);
  const direction = orientRelation(schema, kind, wish);
  if ("fault" in direction) throw invalidAt("/relation_type", direction.fault);
  if (wish.to_id === id) {
    throw invalidAt("/to_id", said("fault.relation.itself"));
  }
  const metadata = checkedNotes(schema, direction.type, wish.metadata_);
  const [fromId, toId] = direction.inverse ? [wish.to_id, id] : [id, wish.to_id];
  const owner = direction.inverse ? wish.to_type : kind;
  demandAction(caller, "update", owner);
  // a caller must be able to see the link they create
  if (!maySeeLinksOf(caller, direction.type, owner)) demandAction(caller, "read", owner);
  await lockHierarchies(tx, [direction.type]);
  const ends = await lockEnds(tx, caller, [
    { kind, id },
    { kind: wish.to_type, id: wish.to_id, pointer: "/to_id" },
  ]);
  demandVersion(ends[0]!, expected);
  if (direction.type.inverse === direction.type.name)
    await demandNotMirrored(tx, direction.type.name, toId, fromId, metadata);
  const ended = await insertRelations(tx, actorId(caller), [
    { ...again, relation_type: direction.type.name, from_id: fromId, to_id: toId, metadata },
  ]);
  const link = { relation_type: direction.type.name, from_id: fromId, to_id: toId };
  await demandNoCircles(tx, schema, caller, [link], ({ names }) =>
    invalidAt("/to_id", said("fault.relation.circle", { records: names })),
  );
  const before = ends.find((row) => row.id === fromId)!;
  const note = {
    relation_id: relationId,
    ...link,
    metadata,
    ...(ended.length > 0 ? { removed: ended } : {}),
  };
  await updateRecords(tx, before.record_type, writerOf(services, caller), [
    { before, after: before, action: "relation_added", note },
  ]);
  return { owner: before.id, relationId, movedAway: ended.length > 0 };
}

export type NewRelation = {
  id: string;
  relation_type: string;
  from_id: string;
  to_id: string;
  metadata: Metadata;
  /** When it was made, if it is written again. */
  created_at?: string | undefined;
};

/**
 * A link as the history notes it: all that is needed to identify the link and to restore it. One that was removed has its id and
 * time, which give links their order.
 */
export type Link = Omit<NewRelation, "id"> & { id?: string };

/** An existing link is a conflict (unique constraint). Returns the links to earlier places, which it ends. */
export async function insertRelations(
  tx: Tx,
  actor: string | null,
  relations: readonly NewRelation[],
): Promise<Link[]> {
  const ended = await endEarlierPlaces(tx, relations);
  await tx`
    insert into relations (id, relation_type, from_id, to_id, metadata, created_at, created_by)
    select x.id, x.relation_type, x.from_id, x.to_id, x.metadata, coalesce(x.created_at, now()), ${actor}::uuid
    from json_to_recordset(${tx.json(relations as never)}::json)
      as x(id uuid, relation_type text, from_id uuid, to_id uuid, metadata jsonb, created_at timestamptz)`;
  await noteMovements(tx, { actorId: actor, importId: null }, relations);
  await demandOneLoanOfLinks(tx, relations);
  return ended;
}

/** A symmetric type has one link that says the same between two records, in either direction. */
export async function demandNotMirrored(
  tx: Tx,
  relationType: string,
  fromId: string,
  toId: string,
  metadata: Metadata,
): Promise<void> {
  const mirrored = await tx`
    select 1 from relations
    where relation_type = ${relationType} and from_id = ${fromId} and to_id = ${toId}
      and link_says(metadata) = link_says(${tx.json(metadata as never)}::jsonb)`;
  if (mirrored.length > 0) throw new Problem("conflict", said("problem.relation.mirrored"));
}

type End = { kind: Kind; id: string; pointer?: string };

/** Locks records in the order of their ids, to avoid deadlocks between writers of links. */
export async function lockInOrder(tx: Tx, ends: readonly End[]) {
  const rows = new Map<string, Awaited<ReturnType<typeof lockRecord>>>();
  for (const end of [...ends].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    rows.set(end.id, await lockRecord(tx, end.kind, end.id));
  }
  return rows;
}

/** Both ends of a new link, locked, if the caller may see them. */
async function lockEnds(tx: Tx, caller: Caller, ends: readonly [End, End]) {
  const rows = await lockInOrder(tx, ends);
  const found = [];
  for (const end of ends) {
    const row = rows.get(end.id);
    if (row && maySee(caller, row)) found.push(row);
    else if (end.pointer) {
      throw invalidAt(end.pointer, said("fault.record.unknown", { kind: oneOf(end.kind), id: end.id }));
    } else throw await missing(tx, caller, end.kind, end.id);
  }
  return found;
}
