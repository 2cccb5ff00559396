/** Which of the two sets of tables answers searches, and whether the index has changed. */
import { SEARCH_TARGET } from "../../search-index.ts";
import type { Sql, Tx } from "../../services.ts";

/** The index has two sets of tables, such as search_rows_a and search_rows_b. One answers; a rebuild fills the other. */
export type TableSet = "a" | "b";

export type IndexState = {
  current: TableSet;
  isBuilding: boolean;
  /** Changes with every write to the tables that answer. It is read before the answer is made, so an answer is never older than its stamp. */
  stamp: string;
  /** Whether changed records wait to be indexed. Until then, visitors do not find these by words. */
  waiting: boolean;
};

export async function readState(sql: Sql | Tx): Promise<IndexState> {
  const [row] = await sql<IndexState[]>`
    select s.current, s.is_building as "isBuilding", (select sum(n)::text from search_changes) as stamp,
      exists (select 1 from outbox where target = ${SEARCH_TARGET} and hides) as waiting
    from search_state s`;
  return row!;
}

/** If more records wait to be indexed, the database answers instead of memory. */
const MOST_WAITING = 100_000;
const ID_BYTES = 16;

/**
 * Packed ids of the records that are hidden because they wait to be indexed; null if there are too many. `stamp` is read in
 * the same statement: a snapshot that is at least as new contains every record that no longer waits.
 */
export async function readWaiting(sql: Sql): Promise<{ waiting: Uint8Array | null; stamp: string }> {
  const [row] = await sql<{ waiting: Uint8Array | null; stamp: string }[]>`
    select (select string_agg(uuid_send(record_id), '') from (
        select record_id from outbox where target = ${SEARCH_TARGET} and hides limit ${MOST_WAITING + 1}) o) as waiting,
      (select sum(n)::text from search_changes) as stamp`;
  const { waiting, stamp } = row!;
  const isTooMuch = waiting !== null && waiting.length > MOST_WAITING * ID_BYTES;
  return { waiting: isTooMuch ? null : (waiting ?? new Uint8Array()), stamp };
}

/** Tells all processes that these records have changed in the tables that answer. Call it at the end of the transaction. */
export async function noteChange(tx: Tx, ids: readonly string[]): Promise<void> {
  await Promise.all([
    tx`insert into search_log (id) select * from unnest(${ids as string[]}::uuid[])`,
    countChange(tx),
  ]);
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
    counts: sql(`search_counts_${set}`),
    numbers: `search_rows_${set}_no_seq`,
  };
}

export type Tables = ReturnType<typeof tablesOf>;
