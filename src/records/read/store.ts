/** SQL that reads records. One function, one statement, each through `visibleTo`. */
import { type Caller, mayDo } from "../../caller.ts";
import type { Sql, Tx } from "../../services.ts";
import { KINDS, type Kind, kinds } from "../kinds.ts";
import type { Entry, Metadata, RecordRow } from "../record.ts";
import { isBelow, mayWrite, publicDate, visibleParent, visibleTo } from "../visibility.ts";

/** The columns of a `RecordRow`, from a table named `r`. */
export function recordColumns(sql: Sql | Tx) {
  return sql`r.id, r.record_type, r.idno, r.subtype, r.status, r.collection_status, r.metadata, r.lat, r.lon,
    r.parent_id, r.start_date, r.end_date, r.due_date, r.reference_number, r.title, r.version, r.published_at,
    r.created_at, r.updated_at, r.deleted_at, r.merged_into`;
}

/** The same, as this caller may see them. The public version is the date of the last public change, in seconds. */
export function visibleColumns(sql: Sql | Tx, caller: Caller, kind: Kind) {
  if (mayDo(caller, "read", kind)) return recordColumns(sql);
  // the last column of a name counts
  return sql`${recordColumns(sql)}, ${publicDate(sql)} as updated_at
    ${kinds[kind].columns.includes("parent_id") ? sql`, ${visibleParent(sql, caller)} as parent_id` : sql``}
    ${mayWrite(caller, kind) ? sql`` : sql`, extract(epoch from ${publicDate(sql)})::float8 as version`}`;
}

export type FoundRecord = RecordRow & { configuration_version: number };

/** The record, when this caller may see it. */
export async function findRecord(
  sql: Sql | Tx,
  caller: Caller,
  kind: Kind,
  id: string,
): Promise<FoundRecord | undefined> {
  // offset 0 forces the look-up by id; with small tables the planner prefers other indexes
  const [row] = await sql<FoundRecord[]>`
    select ${visibleColumns(sql, caller, kind)}, (select version::int from configuration) as configuration_version
    from (select ${recordColumns(sql)} from records r where r.id = ${id} offset 0) r
    where r.record_type = ${kind} and ${visibleTo(sql, caller)}`;
  return row;
}

/** Those of these records that the caller may see, unordered. */
export async function findRecords(
  sql: Sql | Tx,
  caller: Caller,
  kind: Kind,
  ids: readonly string[],
): Promise<RecordRow[]> {
  return sql<RecordRow[]>`
    select ${visibleColumns(sql, caller, kind)} from records r
    where r.id = any(${ids as string[]}) and r.record_type = ${kind} and ${visibleTo(sql, caller)}`;
}

/** The parents of these records that the caller may not see. */
export async function hiddenParents(
  sql: Sql | Tx,
  caller: Caller,
  rows: readonly RecordRow[],
): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap((row) =>
    row.parent_id === null || mayDo(caller, "read", row.record_type) ? [] : row.parent_id,
  );
  if (ids.length === 0) return new Set();
  const hidden = await sql<{ id: string }[]>`
    select r.id from records r where r.id = any(${ids}) and not ${visibleTo(sql, caller)}`;
  return new Set(hidden.map(({ id }) => id));
}

/** A row as locked or read back, with the parent and the date of change that the caller may see. */
export async function asSeen(sql: Sql, caller: Caller, row: RecordRow): Promise<RecordRow> {
  if (mayDo(caller, "read", row.record_type)) return row;
  const [seen] = await sql<Pick<RecordRow, "parent_id" | "updated_at">[]>`
    select ${visibleParent(sql, caller)} as parent_id, ${publicDate(sql)} as updated_at
    from records r where r.id = ${row.id}`;
  return { ...row, ...seen };
}

/** The row, locked for a change, even if it is in the trash. */
export async function lockRecord(tx: Tx, kind: Kind, id: string): Promise<RecordRow | undefined> {
  const [row] = await tx<RecordRow[]>`
    select ${recordColumns(tx)} from records r
    where r.id = ${id} and r.record_type = ${kind} and r.purged_at is null
    for update`;
  return row;
}

/** Records that already have one of these identification numbers, locked for a change. */
export async function lockByIdno(tx: Tx, kind: Kind, idnos: readonly string[]): Promise<RecordRow[]> {
  return tx<RecordRow[]>`
    select ${recordColumns(tx)} from records r
    where r.record_type = ${kind} and r.idno = any(${idnos as string[]}) and r.deleted_at is null
    order by r.id
    for update`;
}

/** A condition on records named `f`: a number, a name or an authority identifier finds them. */
export const isFindable = (sql: Sql | Tx) => sql`(f.deleted_at is null or f.merged_into is not null)`;

/** To records named `f` the record `r` that each is now: itself, or the one that it was merged into. */
export const joinNow = (sql: Sql | Tx) => sql`
  join records r on r.deleted_at is null
    and r.id = case when f.merged_into is null then f.id else record_now(f.id) end`;

/** The records that have one of these identification numbers, also since a merge, by this number. */
export async function findNumbered(
  sql: Sql | Tx,
  kind: Kind,
  idnos: readonly string[],
): Promise<Map<string, { id: string; idno: string }>> {
  if (idnos.length === 0) return new Map();
  const rows = await sql<{ number: string; id: string; idno: string }[]>`
    select f.idno as number, r.id, r.idno from records f ${joinNow(sql)}
    where f.record_type = ${kind} and f.idno = any(${idnos as string[]}) and ${isFindable(sql)}`;
  return new Map(rows.map(({ number, ...row }) => [number, row]));
}

/** What each of these records is now, in their order: itself, or the one that it was merged into. */
export async function recordsNow(
  sql: Sql | Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; now: string }[]>`
    select x.id, coalesce(record_now(x.id), x.id) as now
    from unnest(${ids as string[]}::uuid[]) with ordinality x(id, place) order by x.place`;
  return new Map(rows.map(({ id, now }) => [id, now]));
}

/** The objects with these numbers that the caller may see, in the order of their numbers. */
export async function objectsByNumbers(
  sql: Sql,
  caller: Caller,
  idnos: readonly string[],
): Promise<{ id: string; idno: string; version: number }[]> {
  return sql<{ id: string; idno: string; version: number }[]>`
    select r.id, r.idno, r.version from records r
    where r.record_type = 'object' and r.idno = any(${idnos as string[]}) and ${visibleTo(sql, caller, "object")}
    order by r.sort_idno, r.id`;
}

/** Records with one of these ids, locked for a change, none from the trash. */
export async function lockByIds(tx: Tx, kind: Kind, ids: readonly string[]): Promise<RecordRow[]> {
  return tx<RecordRow[]>`
    select ${recordColumns(tx)} from records r
    where r.record_type = ${kind} and r.id = any(${ids as string[]}) and r.deleted_at is null
    order by r.id
    for update`;
}

/** Records with one of these ids, locked for a change, also from the trash. */
export async function lockAnywhere(tx: Tx, ids: readonly string[]): Promise<RecordRow[]> {
  return tx<RecordRow[]>`
    select ${recordColumns(tx)} from records r where r.id = any(${ids as string[]}) and r.purged_at is null
    order by r.id for update`;
}

const NAMED = KINDS.filter((kind) => kinds[kind].titleField === "name");

/** A record with only the metadata that names it. */
export type NamedRow = Pick<RecordRow, "id" | "record_type" | "idno" | "status"> & { names: Entry[] | null };

/** For a record named `r`: the entries that name it. */
export const namesColumn = (sql: Sql) =>
  sql`r.metadata -> case when r.record_type = any(${NAMED}) then 'name' else 'title' end`;

/** The record at the other end of a link, and what the link says of itself. */
export type LinkedRow = NamedRow & { from_id: string; relation_type: string; metadata: Metadata };

/** The targets of these records' relations that the caller may see, in the order of linking; with a relation type, only of that. */
export async function linksOfRecords(
  sql: Sql,
  caller: Caller,
  ids: readonly string[],
  relationType?: string,
): Promise<LinkedRow[]> {
  return sql<LinkedRow[]>`
    select l.from_id, l.relation_type, l.metadata, r.id, r.record_type, r.idno, r.status, ${namesColumn(sql)} as names
    from relations l join records r on r.id = l.to_id
    where l.from_id = any(${ids as string[]}) and ${visibleTo(sql, caller)}
      ${relationType === undefined ? sql`` : sql`and l.relation_type = ${relationType}`}
    order by l.created_at, l.id`;
}

/** The records below this one in a tree, or at the top level (null), by number. */
export async function idsBelow(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  parentId: string | null,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from records r
    where r.record_type = ${kind} and ${visibleTo(sql, caller)} and ${isBelow(sql, caller, parentId)}
    order by r.idno limit ${limit} offset ${offset}`;
  return rows.map((row) => row.id);
}

export async function countBelow(sql: Sql, caller: Caller, kind: Kind, parentId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from records r
    where r.record_type = ${kind} and ${visibleTo(sql, caller)} and ${isBelow(sql, caller, parentId)}`;
  return row.count;
}

/** The record in the trash, for callers who may delete. */
export async function findTrashed(sql: Sql, kind: Kind, id: string): Promise<RecordRow | undefined> {
  const [row] = await sql<RecordRow[]>`
    select ${recordColumns(sql)} from records r
    where r.id = ${id} and r.record_type = ${kind} and r.deleted_at is not null and r.purged_at is null`;
  return row;
}

/** Who deleted these records, by record; null if it was not an account, or if that is no longer known. */
export async function findDeleters(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, { id: string; email: string | null } | null>> {
  const rows = await sql<{ record_id: string; actor_id: string | null; email: string | null }[]>`
    select distinct on (v.record_id) v.record_id, v.actor_id, a.email
    from revisions v left join accounts a on a.id = v.actor_id
    where v.record_id = any(${ids as string[]}) and v.action = 'deleted'
    order by v.record_id, v.version desc`;
  return new Map(
    rows.map((row) => [row.record_id, row.actor_id === null ? null : { id: row.actor_id, email: row.email }]),
  );
}
