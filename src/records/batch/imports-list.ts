/** The list of imports and bulk edits. */
import type { Sql } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import type { ImportOrigin, ImportState, Tally } from "./imports-store.ts";

export type ListedImport = Tally & {
  id: string;
  source: ImportOrigin;
  filename: string | null;
  record_type: Kind;
  state: ImportState;
  started_at: string;
  touched_at: string;
  /** Who started it; null for the command line. */
  actor: string | null;
  actor_id: string | null;
};

/** An import that has changed nothing leaves nothing to undo; the counts of one that did not finish may be too low. */
export const isUndoable = ({ state, created, updated }: ListedImport): boolean =>
  state === "failed" || state === "undoing" || (state === "finished" && created + updated > 0);

/** `editsOf`: only bulk edits of this account. */
type Which = { editsOf: string } | null;

const chosen = (sql: Sql, which: Which) =>
  which ? sql`i.source = 'edit' and i.actor_id = ${which.editsOf}` : sql`true`;

/** The job that failed and would go on with the import: its process has died, or it has used up its attempts. */
const failedJob = (sql: Sql) => sql`
  lateral (
    select j.state from jobs j
    where i.state in ('running', 'failed') and j.kind in ('import', 'edit') and j.result ->> 'import_id' = i.id::text
    order by j.created_at desc, j.id desc limit 1) j on j.state = 'failed'`;

const listed = (sql: Sql) => sql`
  select i.id, i.source, i.filename, i.record_type, case when j.state is null then i.state else j.state end as state,
    i.started_at, i.touched_at, i.rows_done, i.created, i.updated, i.unchanged, i.skipped, i.rejected, i.actor_id,
    a.email as actor
  from imports i left join accounts a on a.id = i.actor_id left join ${failedJob(sql)}`;

/** Newest first. */
export async function listImports(
  sql: Sql,
  limit: number,
  offset = 0,
  which: Which = null,
): Promise<ListedImport[]> {
  return sql<ListedImport[]>`
    ${listed(sql)}
    where ${chosen(sql, which)}
    order by i.started_at desc, i.id desc limit ${limit} offset ${offset}`;
}

export async function countImports(sql: Sql, which: Which = null): Promise<number> {
  const [row] = await sql<
    [{ n: number }]
  >`select count(*)::int as n from imports i where ${chosen(sql, which)}`;
  return row.n;
}

/** Imports and bulk edits that stopped early and wait for somebody. */
export async function countStopped(sql: Sql): Promise<number> {
  const [row] = await sql<[{ n: number }]>`select count(*)::int as n from imports i join ${failedJob(sql)}`;
  return row.n;
}

export async function findImport(sql: Sql, id: string): Promise<ListedImport | undefined> {
  const [row] = await sql<ListedImport[]>`
    ${listed(sql)} where i.id = ${id}`;
  return row;
}
