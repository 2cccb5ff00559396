/** The imports and bulk edits that there were. */
import type { Sql } from "../services.ts";
import type { ImportSource, ImportState, Tally } from "./imports-store.ts";
import type { Kind } from "./kinds.ts";

export type ListedImport = Tally & {
  id: string;
  source: ImportSource;
  filename: string | null;
  record_type: Kind;
  state: ImportState;
  started_at: string;
  touched_at: string;
  /** Who began it; null for somebody at the command line. */
  actor: string | null;
  actor_id: string | null;
};

/** Newest first. */
export async function listImports(sql: Sql, limit: number, offset = 0): Promise<ListedImport[]> {
  return sql<ListedImport[]>`
    select i.id, i.source, i.filename, i.record_type, i.state, i.started_at, i.touched_at, i.rows_done, i.created,
      i.updated, i.unchanged, i.skipped, i.rejected, i.actor_id, a.email as actor
    from imports i left join accounts a on a.id = i.actor_id
    order by i.started_at desc, i.id desc limit ${limit} offset ${offset}`;
}

export async function countImports(sql: Sql): Promise<number> {
  const [row] = await sql<[{ n: number }]>`select count(*)::int as n from imports`;
  return row.n;
}

export async function findImport(sql: Sql, id: string): Promise<ListedImport | undefined> {
  const [row] = await sql<ListedImport[]>`
    select i.id, i.source, i.filename, i.record_type, i.state, i.started_at, i.touched_at, i.rows_done, i.created,
      i.updated, i.unchanged, i.skipped, i.rejected, i.actor_id, a.email as actor
    from imports i left join accounts a on a.id = i.actor_id where i.id = ${id}`;
  return row;
}
