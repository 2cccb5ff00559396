/** The history of a record: who changed what and when, and its state at any version. */
import type { Caller } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { jsonPointer, Problem } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import { kinds } from "../kinds.ts";
import { type RecordRow, type RecordState, recordJson, stateOf, tidyEntry } from "../record.ts";
import { visibleInTrash, visibleTo, wholeKinds } from "../visibility.ts";
import type { Action } from "../write/store.ts";

type RevisionRow = {
  record_id: string;
  version: number;
  at: string;
  action: Action;
  actor_id: string | null;
  actor: string | null;
  import_id: string | null;
  before: RecordState | null;
  note: Record<string, unknown> | null;
  /** The state that this revision created, which is what the next one replaced. */
  made: RecordState | null;
};

/** `record_id`: another record, if that noted a link with this one. */
export type HistoryItem = {
  record_id: string;
  version: number;
  at: string;
  action: Action;
  actor: { id: string; email: string | null } | null;
  import_id: string | null;
  changes: { pointer: string; from: unknown; to: unknown }[];
  note: Record<string, unknown> | null;
};

/**
 * A page of revisions, newest first. `row` is the record as it is now. `others`: also those of other records, as far as this caller
 * may read them in full, that noted a link with this one, or put the other end of one into the trash, where it is.
 */
export async function listHistory(
  sql: Sql,
  row: RecordRow,
  page: { limit: number; offset: number; others?: Caller },
): Promise<{ total: number; items: HistoryItem[] }> {
  const found = sql`(
    select r.record_id, r.version, r.at, r.action, r.actor_id, r.import_id, r.before, r.note,
      lead(r.before) over (order by r.version) as made
    from revisions r where r.record_id = ${row.id}
    ${page.others ? fromOtherEnds(sql, page.others, row.id) : sql``})`;
  const revisions = await sql<(RevisionRow & { total: number })[]>`
    select v.*, a.email as actor
    from (select *, count(*) over ()::int as total from ${found} u) v left join accounts a on a.id = v.actor_id
    order by ${page.others ? sql`v.at desc,` : sql``} v.version desc
    limit ${page.limit} offset ${page.offset}`;
  let total = revisions[0]?.total ?? 0;
  if (revisions.length === 0 && page.offset > 0) {
    [{ total }] = await sql<[{ total: number }]>`select count(*)::int as total from ${found} u`;
  }
  return {
    total,
    items: revisions.map((revision) => ({
      record_id: revision.record_id,
      version: revision.version,
      at: revision.at,
      action: revision.action,
      actor: revision.actor_id === null ? null : { id: revision.actor_id, email: revision.actor },
      import_id: revision.import_id,
      changes:
        revision.record_id === row.id
          ? stateChanges(row, revision.before, revision.made ?? stateOf(row))
          : [],
      note: revision.note,
    })),
  };
}

function fromOtherEnds(sql: Sql, caller: Caller, id: string) {
  const isRead = sql`exists (
    select from records r
    where r.id = v.record_id and r.record_type = any(${wholeKinds(caller) as string[]})
      and (${visibleTo(sql, caller)} or ${visibleInTrash(sql, caller)}))`;
  return sql`
    union all
    select v.record_id, v.version, v.at, v.action, v.actor_id, v.import_id, null, v.note, null
    from revisions v
    where v.note is not null and links_noted(v.note) ? ${id} and v.record_id <> ${id} and ${isRead}
    union all
    select v.record_id, v.version, v.at, v.action, v.actor_id, v.import_id, null, jsonb_build_object('removed', t.links), null
    from (
      select o.id, o.version, jsonb_agg(jsonb_build_object('relation_type', l.relation_type, 'from_id', l.from_id, 'to_id', l.to_id,
        'metadata', l.metadata)) as links
      from relations l join records o on o.id = case when l.from_id = ${id} then l.to_id else l.from_id end
      where (l.from_id = ${id} or l.to_id = ${id}) and o.deleted_at is not null
      group by o.id, o.version) t
    join lateral (
      select * from revisions d where d.record_id = t.id and d.action = 'deleted' order by d.version desc limit 1) v on true
    where ${isRead}`;
}

/** The state of a version: what the next version replaced, or the current record. */
export async function stateAt(tx: Sql | Tx, row: RecordRow, version: number): Promise<RecordState> {
  if (version === row.version) return stateOf(row);
  const [next] = await tx<{ before: RecordState }[]>`
    select before from revisions where record_id = ${row.id} and version = ${version + 1} and before is not null`;
  if (!next || version < 1)
    throw new Problem(
      "not_found",
      said("problem.version.not_found", { idno: row.idno, version: String(version) }),
    );
  return next.before;
}

/** The record at a version, with the fields of that time. For callers who may read its kind in full. */
export async function recordAt(sql: Sql, row: RecordRow, version: number): Promise<Record<string, unknown>> {
  const state = await stateAt(sql, row, version);
  const [made] = await sql<{ at: string }[]>`
    select at from revisions where record_id = ${row.id} and version = ${version}`;
  const metadata = Object.entries(state.metadata).map(([name, entries]) => [name, entries.map(tidyEntry)]);
  return recordJson({ ...row, ...state, updated_at: made!.at }, Object.fromEntries(metadata));
}

/** Top-level keys and metadata fields that differ, in the names of the API. */
export function stateChanges(
  row: RecordRow,
  before: RecordState | null,
  after: RecordState,
): { pointer: string; from: unknown; to: unknown }[] {
  const from = flat(row, before);
  const to = flat(row, after);
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((key) => JSON.stringify(from.get(key) ?? null) !== JSON.stringify(to.get(key) ?? null))
    .map((key) => ({ pointer: key, from: from.get(key) ?? null, to: to.get(key) ?? null }));
}

function flat(row: RecordRow, state: RecordState | null): Map<string, unknown> {
  const all = new Map<string, unknown>();
  if (state === null) return all;
  const { subtypeKey, columns } = kinds[row.record_type];
  all.set("/idno", state.idno);
  all.set(`/${subtypeKey}`, state.subtype);
  all.set("/status", state.status);
  for (const column of columns) all.set(`/${column}`, state[column]);
  for (const [name, entries] of Object.entries(state.metadata)) {
    all.set(jsonPointer("metadata_", name), entries.map(tidyEntry));
  }
  return all;
}
