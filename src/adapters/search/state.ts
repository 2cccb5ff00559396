/** Which of the two places of the index answers, and whether anything changed since it was asked last. */
import { SEARCH_TARGET } from "../../search-index.ts";
import type { Sql, Tx } from "../../services.ts";

export type Place = "a" | "b";

export type IndexState = {
  current: Place;
  isBuilding: boolean;
  /** Another one after each change. Read before the answer is made, so that an answer is never older than its stamp. */
  stamp: string;
  /** Records wait for their projection that visitors do not find by words until then. */
  waiting: boolean;
};

export async function readState(sql: Sql | Tx): Promise<IndexState> {
  const [row] = await sql<IndexState[]>`
    select s.current, s.is_building as "isBuilding", (select sum(n)::text from search_changes) as stamp,
      exists (select 1 from outbox where target = ${SEARCH_TARGET} and hides) as waiting
    from search_state s`;
  return row!;
}

/** Records that wait for their projection; with more, the database leaves them out. */
const MOST_WAITING = 100_000;
const ID_BYTES = 16;

/**
 * Ids of records that wait hidden for their projection, one behind another; null when they are too many to be held.
 * `stamp` is of the same moment: who follows to it has what is projected of those that no longer wait.
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

/** The last statements of a change to the place that answers: who holds something of these records follows them. */
export async function noteChange(tx: Tx, ids: readonly string[]): Promise<void> {
  await Promise.all([
    tx`insert into search_log (id) select * from unnest(${ids as string[]}::uuid[])`,
    countChange(tx),
  ]);
}

/** At the end: nothing is waited for with the row of the count held. */
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
