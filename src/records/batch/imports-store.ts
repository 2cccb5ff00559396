/** SQL of imports and bulk edits. Each has a row; its revisions have the id of that row, so they can be found together. */
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";

export type Tally = {
  rows_done: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  rejected: number;
};

/** `bulk`: written over the API; `edit`: an edit of many records at once. */
export type ImportOrigin = "csv" | "xlsx" | "xml" | "bulk" | "edit";

export type ImportState = "running" | "finished" | "failed" | "undoing" | "undone";

/** A run of an import, by number. Only the latest run may write. A bulk edit has one run. */
export type ImportRun = { importId: string; run: number };

export async function beginImport(
  sql: Sql | Tx,
  row: {
    id: string;
    source: ImportOrigin;
    record_type: Kind;
    filename?: string;
    fingerprint?: string;
    mapping?: unknown;
    options: Record<string, unknown>;
    actor_id: string | null;
  },
): Promise<void> {
  await sql`
    insert into imports (id, source, filename, fingerprint, record_type, mapping, options, state, actor_id)
    values (${row.id}, ${row.source}, ${row.filename ?? null}, ${row.fingerprint ?? null}, ${row.record_type},
      ${sql.json((row.mapping ?? null) as never)}, ${sql.json(row.options as never)}, 'running', ${row.actor_id})`;
}

/**
 * Takes over the newest unfinished import of the same file, mapping and options, whoever began it. A killed import looks
 * like a running one, so the previous run may no longer write. `begun`: the import that this job began; it is taken over
 * even if it is finished, because the process ended before the job did.
 */
export async function takeOverUnfinished(
  sql: Sql,
  fingerprint: string,
  begun?: string,
): Promise<ImportRun | undefined> {
  const isOpen = sql`(state in ('running', 'failed') or (id = ${begun ?? null} and state = 'finished'))`;
  const [row] = await sql<{ id: string; runs: number }[]>`
    update imports set runs = runs + 1, state = 'running', touched_at = clock_timestamp()
    where ${isOpen} and id = (
      select id from imports where fingerprint = ${fingerprint} and ${isOpen}
      order by started_at desc limit 1)
    returning id, runs`;
  return row && { importId: row.id, run: row.runs };
}

const takenOver = () => new Problem("gone", said("problem.import.taken_over"));
const undone = () => new Problem("gone", said("problem.import.undone"));

/** Refuses (410, final for a job) to continue an import that is being undone or was undone. */
export async function demandNotUndone(sql: Sql | Tx, id: string): Promise<void> {
  const [row] = await sql`select 1 from imports where id = ${id} and state in ('undoing', 'undone')`;
  if (row) throw undone();
}

/**
 * Called in each transaction of an import: marks the import as running. Throws 410 if it was undone, or if a later run has taken it
 * over. An undo or a later run waits until this transaction has ended, and then sees what it wrote.
 */
export async function continueImport(tx: Tx, { importId, run }: ImportRun): Promise<void> {
  const touched = await tx`
    update imports set state = 'running', touched_at = clock_timestamp()
    where id = ${importId} and runs = ${run} and state not in ('undoing', 'undone')`;
  if (touched.count > 0) return;
  await demandNotUndone(tx, importId);
  throw takenOver();
}

/**
 * Saves the counts after each batch. A continued run counts the rows of earlier runs again, so its counts replace
 * theirs once it is further than they were.
 */
export async function saveProgress(sql: Sql, { importId, run }: ImportRun, tally: Tally): Promise<void> {
  await sql`
    update imports set rows_done = ${tally.rows_done}, created = ${tally.created}, updated = ${tally.updated},
      unchanged = ${tally.unchanged}, skipped = ${tally.skipped}, rejected = ${tally.rejected},
      touched_at = clock_timestamp()
    where id = ${importId} and runs = ${run} and rows_done <= ${tally.rows_done}`;
}

export async function endImport(
  sql: Sql | Tx,
  { importId, run }: ImportRun,
  state: "finished" | "failed",
  tally: Tally,
): Promise<void> {
  await sql`
    update imports set rows_done = ${tally.rows_done}, created = ${tally.created}, updated = ${tally.updated},
      unchanged = ${tally.unchanged}, skipped = ${tally.skipped}, rejected = ${tally.rejected}, state = ${state},
      touched_at = clock_timestamp(), finished_at = clock_timestamp()
    where id = ${importId} and runs = ${run} and state not in ('undoing', 'undone')`;
}

/** Marks the import as interrupted and keeps its counts; the same import can be continued. */
export async function interruptImport(sql: Sql, { importId, run }: ImportRun): Promise<void> {
  await sql`
    update imports set state = 'failed', touched_at = clock_timestamp(), finished_at = clock_timestamp()
    where id = ${importId} and runs = ${run} and state not in ('undoing', 'undone')`;
}

export type Written = { record_type: Kind; created: number; changed: number };

/**
 * What an import has written so far, by kind, over all its runs: counted from the history, which is written in the
 * same transactions. Records that it created count as created, even if it changed them later.
 */
export async function countWritten(sql: Sql, importId: string): Promise<Written[]> {
  const rows = await sql<Written[]>`
    select r.record_type, count(*) filter (where w.created)::int as created,
      count(*) filter (where not w.created)::int as changed
    from (
      select record_id, bool_or(action = 'created') as created from revisions where import_id = ${importId} group by 1
    ) w join records r on r.id = w.record_id
    group by 1 order by 1`;
  return rows.map((row) => ({ ...row }));
}

/** Which of the records this import has written. */
export async function writtenBy(
  sql: Sql,
  importId: string,
  ids: readonly string[],
): Promise<Map<string, "created" | "updated">> {
  const rows = await sql<{ record_id: string; created: boolean }[]>`
    select record_id, bool_or(action = 'created') as created from revisions
    where import_id = ${importId} and record_id = any(${ids as string[]})
    group by record_id`;
  return new Map(rows.map((row) => [row.record_id, row.created ? "created" : "updated"]));
}

/** The records that these rows of the file became in earlier imports of it, without those in the trash. */
export async function recordsOfRows(
  sql: Sql | Tx,
  fileHash: string,
  rows: readonly number[],
): Promise<Map<number, string>> {
  const known = await sql<{ row_number: number; record_id: string }[]>`
    select i.row_number, i.record_id
    from import_rows i join records r on r.id = i.record_id
    where i.file_hash = ${fileHash} and i.row_number = any(${rows as number[]}) and r.deleted_at is null`;
  return new Map(known.map((row) => [row.row_number, row.record_id]));
}

/** Fails if another run is creating records from the same rows: one of the two must be rolled back. */
export async function rememberRows(
  tx: Tx,
  fileHash: string,
  rows: readonly { row: number; id: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  const kept = await tx`
    insert into import_rows (file_hash, row_number, record_id)
    select ${fileHash}, x.row_number, x.record_id
    from unnest(${rows.map((item) => item.row)}::int[], ${rows.map((item) => item.id)}::uuid[]) x(row_number, record_id)
    on conflict (file_hash, row_number) do update set record_id = excluded.record_id
      where import_rows.record_id = excluded.record_id
        or exists (select 1 from records r where r.id = import_rows.record_id and r.deleted_at is not null)`;
  if (kept.count === rows.length) return;
  throw new Problem("unavailable", said("problem.import.elsewhere"));
}

/** Saves the names of the media files that rows mention, until the files are imported. */
export async function rememberMedia(
  tx: Tx,
  importId: string,
  media: readonly { id: string; names: readonly string[] }[],
): Promise<void> {
  const rows = media.flatMap(({ id, names }) =>
    names.map((filename, position) => ({ id, filename, position })),
  );
  if (rows.length === 0) return;
  await tx`
    insert into media_names (record_id, filename, position, import_id)
    select x.id, x.filename, x.position, ${importId}
    from json_to_recordset(${tx.json(rows)}::json) as x(id uuid, filename text, position int)
    on conflict (record_id, filename) do nothing`;
}
