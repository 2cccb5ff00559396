/** SQL for undoing an import. The history shows what the import did to each record, and what happened since. */
import type { ImportState } from "../../records/batch/imports-store.ts";
import type { Kind, Status } from "../../records/kinds.ts";
import type { NotedLink } from "../../records/read/link-changes.ts";
import { recordColumns } from "../../records/read/store.ts";
import type { RecordRow, RecordState } from "../../records/record.ts";
import type { Sql, Tx } from "../../services.ts";

export type HistoryEntry = {
  record_id: string;
  version: number;
  action: string;
  at: string;
  import_id: string | null;
  /** The import that this change undid. */
  undone: string | null;
  actor: string | null;
  note: { added?: NotedLink[]; removed?: NotedLink[] } | null;
  status_before: Status | null;
  /** The state before the first change of the import; null in all later entries. */
  before: RecordState | null;
};

/** Ids of records that the import wrote, in order, after `after`. */
export async function writtenAfter(
  sql: Sql,
  importId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ record_id: string }[]>`
    select distinct record_id from revisions where import_id = ${importId} and record_id > ${after}
    order by record_id limit ${limit}`;
  return rows.map(({ record_id }) => record_id);
}

export async function countRecords(sql: Sql, importId: string): Promise<number> {
  const [row] = await sql<[{ n: number }]>`
    select count(distinct record_id)::int as n from revisions where import_id = ${importId}`;
  return row.n;
}

/** The history of these records since the import first wrote them, in order. */
export async function historySince(
  sql: Sql | Tx,
  importId: string,
  ids: readonly string[],
): Promise<HistoryEntry[]> {
  return sql<HistoryEntry[]>`
    select v.record_id, v.version, v.action, v.at, v.import_id, v.note ->> 'import_undone' as undone,
      a.email as actor, v.note,
      v.before ->> 'status' as status_before, case when v.version = f.first then v.before end as before
    from (select record_id, min(version) as first from revisions
          where import_id = ${importId} and record_id = any(${ids as string[]}) group by record_id) f
      join revisions v on v.record_id = f.record_id and v.version >= f.first
      left join accounts a on a.id = v.actor_id
    order by v.record_id, v.version`;
}

/** The current records, also those in the trash. */
export async function recordsOf(sql: Sql | Tx, ids: readonly string[]): Promise<RecordRow[]> {
  return sql<RecordRow[]>`
    select ${recordColumns(sql)} from records r where r.id = any(${ids as string[]}) and r.purged_at is null`;
}

export async function kindsWritten(sql: Sql | Tx, ids: readonly string[]): Promise<Kind[]> {
  const rows = await sql<{ record_type: Kind }[]>`
    select distinct record_type from records where id = any(${ids as string[]}) order by 1`;
  return rows.map(({ record_type }) => record_type);
}

export type Dependent = { id: string; idno: string; record_type: Kind };

/**
 * For each of these ids, a record that needs it (is linked to it or lies below it) and stays. A record stays if the import did
 * not write it, if it was edited since (except by an import that was undone), or if it is one of `stay`. A link that the import
 * added to a record that it did not write does not count.
 */
export async function findDependents(
  sql: Sql | Tx,
  importId: string,
  ids: readonly string[],
  stay: readonly string[],
): Promise<Map<string, Dependent>> {
  const rows = await sql<(Dependent & { used: string })[]>`
    select i.id as used, u.id, u.idno, u.record_type
    from unnest(${ids as string[]}::uuid[]) i(id), lateral (
      select r.id, r.idno, r.record_type
      from (
        select l.from_id as id from relations l
        where l.to_id = i.id and (l.import_id is distinct from ${importId}
          or exists (select 1 from revisions v where v.import_id = ${importId} and v.record_id = l.from_id))
        union all
        select c.id from records c where c.parent_id = i.id) other
      join records r on r.id = other.id and r.deleted_at is null
      where r.id = any(${stay as string[]}::uuid[])
        or not exists (select 1 from revisions v where v.import_id = ${importId} and v.record_id = r.id)
        or exists (
          select 1 from revisions x
          where x.record_id = r.id and x.import_id is distinct from ${importId}
            and x.note ->> 'import_undone' is null
            and not exists (
              select 1 from revisions y
              where y.record_id = x.record_id and y.version > x.version
                and y.note ->> 'import_undone' = x.import_id::text)
            and x.version > (select min(v.version) from revisions v where v.import_id = ${importId} and v.record_id = r.id))
      limit 1) u`;
  return new Map(rows.map(({ used, ...dependent }) => [used, dependent]));
}

/** The created records that these records need (are linked to or lie below), which must stay if these do. */
export async function findDependencies(
  sql: Sql | Tx,
  importId: string,
  ids: readonly string[],
): Promise<{ id: string; dependent: Dependent }[]> {
  const rows = await sql<{ used: string; id: string; idno: string; record_type: Kind }[]>`
    select distinct on (u.used) u.used, r.id, r.idno, r.record_type
    from (
      select l.to_id as used, l.from_id as id from relations l where l.from_id = any(${ids as string[]})
      union all
      select c.parent_id, c.id from records c where c.id = any(${ids as string[]}) and c.parent_id is not null) u
    join records r on r.id = u.id and r.deleted_at is null
    where exists (
      select 1 from revisions v where v.record_id = u.used and v.import_id = ${importId} and v.action = 'created')
    order by u.used, r.id`;
  return rows.map(({ used, ...dependent }) => ({ id: used, dependent }));
}

/** Which of these numbers are taken by records that are not among `ids`. */
export async function numbersTaken(
  tx: Sql | Tx,
  kind: Kind,
  idnos: readonly string[],
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ idno: string }[]>`
    select idno from records
    where record_type = ${kind} and idno = any(${idnos as string[]}) and deleted_at is null
      and not (id = any(${ids as string[]}))`;
  return new Set(rows.map(({ idno }) => idno));
}

/**
 * Removes links and returns how many there were. Among several links between two records, it removes the one that says the same,
 * even if a merge of records has moved it; not one that somebody has made since.
 */
export async function removeLinks(tx: Tx, importId: string, links: readonly NotedLink[]): Promise<number> {
  if (links.length === 0) return 0;
  const removed = await tx`
    delete from relations d using json_to_recordset(${tx.json(links as never)}::json)
      as x(relation_type text, from_id uuid, to_id uuid, metadata jsonb)
    where d.from_id = record_now(x.from_id) and d.to_id = record_now(x.to_id) and d.relation_type = x.relation_type
      and (d.import_id = ${importId} or (d.from_id = x.from_id and d.to_id = x.to_id and d.created_at <= (
        select max(v.at) from revisions v where v.import_id = ${importId} and v.record_id in (x.from_id, x.to_id))))
      and (x.metadata is null or link_says(d.metadata) = link_says(x.metadata))`;
  return removed.count;
}

/** Restores links that the import removed, if both records still exist and the object is not elsewhere by now. Returns the links. */
export async function restoreLinks(
  tx: Tx,
  actor: string | null,
  links: readonly (NotedLink & { id: string })[],
): Promise<NotedLink[]> {
  if (links.length === 0) return [];
  return tx<NotedLink[]>`
    insert into relations (id, relation_type, from_id, to_id, metadata, created_at, created_by)
    select x.id, x.relation_type, f.id, t.id, coalesce(x.metadata, '{}'), coalesce(x.created_at, now()), ${actor}::uuid
    from json_to_recordset(${tx.json(links as never)}::json)
        as x(id uuid, relation_type text, from_id uuid, to_id uuid, metadata jsonb, created_at timestamptz)
      join records f on f.id = record_now(x.from_id) and f.purged_at is null
      join records t on t.id = record_now(x.to_id) and t.purged_at is null and t.id <> f.id
    on conflict do nothing
    returning from_id, to_id, relation_type, metadata`;
}

/** Forgets the file names that the import gave these records. */
export async function forgetMedia(tx: Tx, importId: string, ids: readonly string[]): Promise<void> {
  await tx`delete from media_names where import_id = ${importId} and record_id = any(${ids as string[]})`;
}

/** While an import is `undoing` or `undone`, no run can continue it. */
export async function setState(sql: Sql, importId: string, state: ImportState): Promise<void> {
  await sql`update imports set state = ${state}, touched_at = clock_timestamp() where id = ${importId}`;
}
