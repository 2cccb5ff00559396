/**
 * SQL that writes records: the row, its revision and its outbox marks, all or nothing. The same statements write one
 * record or many.
 */
import { type Account, actorId, VISITOR } from "../../caller.ts";
import type { Services, Sql, Tx } from "../../services.ts";
import { beginning, LONGEST_NAME } from "../../text.ts";
import type { Kind } from "../kinds.ts";
import { kinds } from "../kinds.ts";
import { demandOneLoanOfChanges } from "../links/loans.ts";
import { type Mark, markChanged, markNeighbours } from "../outbox.ts";
import { beginDates } from "../public/dates.ts";
import { recordColumns } from "../read/store.ts";
import { type RecordRow, type RecordState, sameEntries, stateOf } from "../record.ts";
import { currentSchema, fieldsOf, isNamedElsewhere } from "../schema.ts";
import { maySee } from "../visibility.ts";
import { sortKeysOf } from "./sort-keys.ts";

export type Action =
  | "created"
  | "updated"
  | "status_changed"
  | "deleted"
  | "restored"
  | "reverted"
  | "relation_added"
  | "relation_changed"
  | "relation_removed"
  | "media_added"
  | "media_changed"
  | "media_removed"
  | "media_restored"
  | "merged"
  | "unmerged";

/** The account, the import, the function that mints ARKs for newly public records, and the schema. */
export type Writer = { actorId: string | null; importId: string | null; arks: Services["arks"]; sql: Sql };

export function writerOf({ arks, sql }: Services, caller: Account, importId: string | null = null): Writer {
  return { actorId: actorId(caller), importId, arks, sql };
}

/** The title that lists show and sort by: the first entry of the title field, else the number. */
function titleOf(kind: Kind, state: Pick<RecordState, "idno" | "metadata">): string {
  return state.metadata[kinds[kind].titleField]?.[0]?.value ?? state.idno;
}

type Written = RecordState &
  ReturnType<typeof sortKeysOf> & {
    id: string;
    title: string;
    deleted?: boolean;
  };

function written(kind: Kind, id: string, state: RecordState): Written {
  const title = titleOf(kind, state);
  const keys = sortKeysOf(state.idno, title, state.metadata);
  return { ...stateOf(state), id, title: beginning(title, LONGEST_NAME), ...keys };
}

const recordset = (tx: Tx, rows: readonly Written[]) =>
  tx`json_to_recordset(${tx.json(rows as never)}::json) as x(id uuid, idno text, subtype text, status text,
    collection_status text, metadata jsonb, lat float8, lon float8, parent_id uuid, start_date date, end_date date,
    due_date date, reference_number text, title text, sort_title text,
    sort_idno text, sort_date text, deleted boolean)`;

export async function insertRecords(
  tx: Tx,
  kind: Kind,
  writer: Writer,
  records: readonly { id: string; state: RecordState }[],
): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ id, state }) => written(kind, id, state));
  await tx`
    insert into records (id, record_type, idno, subtype, status, collection_status, metadata, lat, lon, parent_id,
      start_date, end_date, due_date, reference_number, title, sort_title, sort_idno, sort_date, published_at,
      created_at, updated_at, created_by, updated_by)
    select x.id, ${kind}, x.idno, x.subtype, x.status, x.collection_status, x.metadata, x.lat, x.lon, x.parent_id,
      x.start_date, x.end_date, x.due_date, x.reference_number, x.title, x.sort_title, x.sort_idno, x.sort_date,
      case when x.status = 'public' then t.now end, t.now, t.now, ${writer.actorId}::uuid, ${writer.actorId}::uuid
    from ${recordset(tx, rows)}, (select clock_timestamp() as now) t`;
  const ids = records.map(({ id }) => id);
  await insertRevisions(
    tx,
    writer,
    ids.map((id) => ({ id, version: 1, action: "created", before: null, note: null })),
  );
  await publish(
    tx,
    writer,
    records.flatMap(({ id, state }) => (state.status === "public" ? id : [])),
  );
  // new records are not in any index yet
  await markChanged(tx, ids, { by: "writer", hides: false });
}

export type Change = {
  before: RecordRow;
  after: RecordState;
  action: Action;
  note?: Record<string, unknown>;
  deleted?: boolean;
};

/** Moves records in their tree. */
export const moveBelow = (
  tx: Tx,
  kind: Kind,
  writer: Writer,
  rows: readonly RecordRow[],
  parent_id: string | null,
  note: Record<string, unknown>,
): Promise<void> =>
  updateRecords(
    tx,
    kind,
    writer,
    rows.map((row) => ({ before: row, after: { ...row, parent_id }, action: "updated", note })),
  );

/** Writes new versions of records that the transaction has locked. */
export async function updateRecords(
  tx: Tx,
  kind: Kind,
  writer: Writer,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ before, after, deleted }) => ({
    ...written(kind, before.id, after),
    deleted: deleted ?? before.deleted_at !== null,
  }));
  await tx`
    update records r set idno = x.idno, subtype = x.subtype, status = x.status,
      collection_status = x.collection_status, metadata = x.metadata, lat = x.lat, lon = x.lon,
      parent_id = x.parent_id, start_date = x.start_date, end_date = x.end_date, due_date = x.due_date,
      reference_number = x.reference_number, title = x.title, sort_title = x.sort_title,
      sort_idno = x.sort_idno, sort_date = x.sort_date, version = r.version + 1,
      published_at = coalesce(r.published_at, case when x.status = 'public' then t.now end),
      updated_at = greatest(t.now, r.updated_at + interval '1 microsecond'), updated_by = ${writer.actorId}::uuid,
      deleted_at = case when x.deleted then coalesce(r.deleted_at, t.now) end
    from ${recordset(tx, rows)}, (select clock_timestamp() as now) t
    where r.id = x.id`;
  await demandOneLoanOfChanges(tx, kind, changes);
  await insertRevisions(
    tx,
    writer,
    changes.map(({ before, action, note }) => ({
      id: before.id,
      version: before.version + 1,
      action,
      before: stateOf(before),
      note: note ?? null,
    })),
  );
  await publish(
    tx,
    writer,
    changes.flatMap(({ before, after }) =>
      before.status !== "public" && after.status === "public" ? before.id : [],
    ),
  );
  await markChanged(
    tx,
    changes.map(({ before }) => before.id),
    { by: "writer", hides: true },
  );
  await markLinked(tx, kind, writer, changes);
}

async function publish(tx: Tx, { arks }: Writer, ids: readonly string[]): Promise<void> {
  await beginDates(tx, ids);
  await arks.mint(tx, ids);
}

/**
 * Records that show the titles of these records, or of their ancestors, must be projected again when those change.
 * Visitors still find them meanwhile, perhaps by an old name, unless they may no longer know of the link. Other data
 * shown with a link only affects public formats.
 */
async function markLinked(tx: Tx, kind: Kind, { sql }: Writer, changes: readonly Change[]): Promise<void> {
  const renamed: string[] = [];
  const takenBack: string[] = [];
  const retold: Change[] = [];
  for (const change of changes) {
    const { before, after, deleted } = change;
    const isThere = !(deleted ?? before.deleted_at !== null);
    const wasSeen = maySee(VISITOR, before);
    const isSeen = isThere && maySee(VISITOR, { record_type: kind, status: after.status, deleted_at: null });
    if (wasSeen && !isSeen) takenBack.push(before.id);
    else if (
      isNamedOtherwise(kind, before, after) ||
      before.status !== after.status ||
      before.parent_id !== after.parent_id ||
      isThere !== (before.deleted_at === null)
    )
      renamed.push(before.id);
    else if (isSeen) retold.push(change);
  }
  const marks: [readonly string[], Mark][] = [
    [renamed, { by: "worker", hides: false }],
    [takenBack, { by: "worker", hides: true }],
    [await toldOtherwise(sql, tx, kind, retold), { by: "worker", hides: false, about: "published" }],
  ];
  for (const [ids, mark] of marks) if (ids.length > 0) await markNeighbours(tx, ids, mark);
}

/** What lists and search show of a linked record: its names in all languages, number and subtype. */
function isNamedOtherwise(kind: Kind, before: RecordRow, after: RecordState): boolean {
  const { titleField } = kinds[kind];
  return (
    before.idno !== after.idno ||
    before.subtype !== after.subtype ||
    !sameEntries(before.metadata[titleField], after.metadata[titleField])
  );
}

/** Records whose data in links of public formats changed. */
async function toldOtherwise(sql: Sql, tx: Tx, kind: Kind, changes: readonly Change[]): Promise<string[]> {
  if (changes.length === 0) return [];
  const fields = [...fieldsOf(await currentSchema(sql, undefined, tx), kind).values()].filter(
    isNamedElsewhere,
  );
  return changes
    .filter(
      ({ before, after, action }) =>
        before.lat !== after.lat ||
        before.lon !== after.lon ||
        // an occurrence is shown with its places
        (kind === "occurrence" && action.startsWith("relation_")) ||
        fields.some(({ name }) => !sameEntries(before.metadata[name], after.metadata[name])),
    )
    .map(({ before }) => before.id);
}

type NewRevision = {
  id: string;
  version: number;
  action: Action;
  before: RecordState | null;
  note: Record<string, unknown> | null;
};

async function insertRevisions(tx: Tx, writer: Writer, revisions: readonly NewRevision[]): Promise<void> {
  await tx`
    insert into revisions (record_id, version, at, action, actor_id, import_id, before, note)
    select x.id, x.version, clock_timestamp(), x.action, ${writer.actorId}::uuid, ${writer.importId}::uuid,
      x.before, x.note
    from json_to_recordset(${tx.json(revisions as never)}::json)
      as x(id uuid, version int, action text, before jsonb, note jsonb)`;
}

/** The row after the write. */
export async function readBack(tx: Tx, id: string): Promise<RecordRow> {
  const [row] = await tx<RecordRow[]>`select ${recordColumns(tx)} from records r where r.id = ${id}`;
  return row!;
}
