/** Which of the two sets of tables answers searches, and whether the index has changed. */
import { SEARCH_TARGET } from "../../../ports/search-index.ts";
import type { Sql, Tx } from "../../../services.ts";

/** The index has two sets of tables, such as search_rows_a and search_rows_b. One answers; a rebuild fills the other. */
export type TableSet = "a" | "b";

export type IndexState = {
  current: TableSet;
  isBuilding: boolean;
  /** Changes with every write to the tables that answer. It is read before the answer is made, so an answer is never older than its stamp. */
  stamp: string;
  /**
   * Packed ids of records that wait to be indexed and may have lost a word (`hides`); empty unless asked for. Until they are
   * indexed, visitors do not find these by words, and suggestions do not find them by words of their titles.
   */
  waiting: Uint8Array;
};

/**
 * @param withWaiting whether to read which records wait. One statement reads these and the stamp, so a snapshot that is at least
 *   as new as the stamp has every record that no longer waits.
 */
export async function readState(sql: Sql | Tx, withWaiting = false): Promise<IndexState> {
  const [row] = await sql<(Omit<IndexState, "waiting"> & { waiting: Uint8Array | null })[]>`
    select s.current, s.is_building as "isBuilding", (select sum(n)::text from search_changes) as stamp,
      (select string_agg(uuid_send(record_id), '') from outbox
        where target = ${SEARCH_TARGET} and hides and ${withWaiting}::boolean) as waiting
    from search_state s`;
  return { ...row!, waiting: row!.waiting ?? new Uint8Array() };
}

/**
 * Tells all processes that these records have changed in the tables that answer. Call it at the end of the transaction.
 * @param ids as a `plainArray`
 */
export async function noteChange(tx: Tx, ids: string): Promise<void> {
  await Promise.all([tx`insert into search_log (id) select * from unnest(${ids}::uuid[])`, countChange(tx)]);
}

/**
 * Changes the stamp. Call it at the end of the transaction, because the row stays locked until then. It is one of sixteen
 * rows (`place` is the number of the row), so that writers seldom wait for each other.
 */
export async function countChange(tx: Tx): Promise<void> {
  await tx`update search_changes set n = n + 1 where place = ${Math.floor(Math.random() * 16)}`;
}

export const otherTables = (set: TableSet): TableSet => (set === "a" ? "b" : "a");

/** The names of the tables of a set, for use in statements. */
export function tablesOf(sql: Sql | Tx, set: TableSet) {
  return {
    rows: sql(`search_rows_${set}`),
    texts: sql(`search_texts_${set}`),
    ranges: sql(`search_ranges_${set}`),
    numbers: `search_rows_${set}_no_seq`,
  };
}

export type Tables = ReturnType<typeof tablesOf>;

/** Deletes old rows of the log of changes. A snapshot that may lack some of these is read anew. */
export async function tidyTables(sql: Sql): Promise<void> {
  await sql`
    with gone as (delete from search_log where at < now() - interval '1 hour' returning 1)
    update search_state set forgotten = pg_current_xact_id()
    where exists (select 1 from gone)`;
}
