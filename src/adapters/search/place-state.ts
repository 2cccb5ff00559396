/** Which of the two places of the index answers, and whether anything has changed. */
import { SEARCH_TARGET } from "../../search-index.ts";
import type { Sql, Tx } from "../../services.ts";

export type Place = "a" | "b";

export type IndexState = {
  current: Place;
  isBuilding: boolean;
  /** Different after each change. It is read before the answer is made, so an answer is never older than its stamp. */
  stamp: string;
  /** Some records wait for their projection, and visitors do not find them by words meanwhile. */
  waiting: boolean;
};

export async function readState(sql: Sql | Tx): Promise<IndexState> {
  const [row] = await sql<IndexState[]>`
    select s.current, s.is_building as "isBuilding", (select sum(n)::text from search_changes) as stamp,
      exists (select 1 from outbox where target = ${SEARCH_TARGET} and hides) as waiting
    from search_state s`;
  return row!;
}

/** Records that memory leaves out because they wait; if there are more, the database answers. */
const MOST_WAITING = 100_000;
const ID_BYTES = 16;

/**
 * Packed ids of the records that wait and are hidden meanwhile; null when there are too many. `stamp` is of the same moment:
 * a snapshot that is as new has the projections of all records that no longer wait.
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

/** The last statements of a change to the place that answers: processes that have these records in memory follow it. */
export async function noteChange(tx: Tx, ids: readonly string[]): Promise<void> {
  await Promise.all([
    tx`insert into search_log (id) select * from unnest(${ids as string[]}::uuid[])`,
    countChange(tx),
  ]);
}

/**
 * To be called at the end, so that nothing is waited for while the row is locked. One of sixteen rows, so that writers
 * seldom meet; here `place` is only the number of the row.
 */
export async function countChange(tx: Tx): Promise<void> {
  await tx`update search_changes set n = n + 1 where place = ${Math.floor(Math.random() * 16)}`;
}

export const otherPlace = (place: Place): Place => (place === "a" ? "b" : "a");

/** The names of a place's tables, for statements. */
export function tablesOf(sql: Sql | Tx, place: Place) {
  return {
    rows: sql(`search_rows_${place}`),
    texts: sql(`search_texts_${place}`),
    ranges: sql(`search_ranges_${place}`),
    counts: sql(`search_counts_${place}`),
    numbers: `search_rows_${place}_no_seq`,
  };
}

export type Tables = ReturnType<typeof tablesOf>;
