/** Changes rows of the index, and corrects the counts in the same transaction. */
import { plainArray } from "../../ids.ts";
import type { Sql, Tx } from "../../services.ts";
import { FIRST_VALUES, furtherTerm } from "./first-values.ts";
import { noteChange, type Place, type Tables, tablesOf } from "./place-state.ts";

/** What the counts depend on. */
export type CountedRow = {
  id: string;
  record_type: string;
  status: string;
  collection_status: string;
  terms: number[];
};

export type OldRow = CountedRow & { no: number };

/** A lock shared by those who write into the place that is being built, and taken alone to count what is in it. */
export const COUNTING = "search-counts";

export async function removeRows(sql: Sql, ids: readonly string[], place?: Place): Promise<void> {
  await replaceRows(sql, place, ids, async (tx, tables, isCounted) => {
    const old = await deleteRows(tx, tables, ids);
    if (isCounted) await countChanges(tx, tables, old, []);
  });
}

/**
 * Rows are deleted and inserted again. When two projections of one record cross, one of them meets the new row of the
 * other (23505) and begins again, now with this row in sight, so the counts stay exact.
 */
export async function replaceRows(
  sql: Sql,
  place: Place | undefined,
  ids: readonly string[],
  work: (tx: Tx, tables: Tables, isCounted: boolean) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin(async (tx) => {
        const [, , [state]] = await Promise.all([
          // the outbox repeats what a crash loses, so this transaction need not wait for the disk
          tx`set local synchronous_commit to off`,
          place === undefined ? undefined : tx`select pg_advisory_xact_lock_shared(hashtext(${COUNTING}))`,
          // shared by all writers: the swap of the two places waits for them
          tx<{ current: Place; isUncounted: boolean }[]>`
            select current, is_uncounted as "isUncounted" from search_state for share`,
        ]);
        await work(tx, tablesOf(tx, place ?? state!.current), place === undefined || !state!.isUncounted);
        if (place === undefined) await noteChange(tx, ids);
      });
      return;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      const isCrossed = code === "23505" || code === "40P01";
      if (attempt >= 5 || !isCrossed) throw error;
    }
  }
}

export async function deleteRows(tx: Tx, tables: Tables, ids: readonly string[]): Promise<OldRow[]> {
  const old = await tx<OldRow[]>`
    delete from ${tables.rows} where id = any(${plainArray(ids)})
    returning id, no, record_type, status, collection_status, terms`;
  if (old.length > 0) {
    await tx`delete from ${tables.texts} where id = any(${ids as string[]})`;
    await tx`delete from ${tables.ranges} where id = any(${ids as string[]})`;
  }
  return old;
}

type Change = { term: number; record_type: string; status: string; collection_status: string; n: number };

export async function countChanges(
  tx: Tx,
  tables: Tables,
  before: readonly CountedRow[],
  after: readonly CountedRow[],
): Promise<void> {
  const changes = new Map<string, Change>();
  const count = (row: CountedRow, n: number) => {
    // term 0 counts the record itself, `furtherTerm` the records with more than one value of a field
    const further = row.terms.slice(FIRST_VALUES).map((term) => furtherTerm(term >> 24));
    for (const term of new Set([0, ...row.terms, ...further])) {
      const { record_type, status, collection_status } = row;
      const key = `${term} ${record_type}${status}${collection_status}`;
      const change = changes.get(key);
      if (change) change.n += n;
      else changes.set(key, { term, record_type, status, collection_status, n });
    }
  };
  for (const row of before) count(row, -1);
  for (const row of after) count(row, 1);
  const real = [...changes.values()].filter((change) => change.n !== 0);
  if (real.length === 0) return;
  // one order for all writers, so that two never wait for each other
  await tx`
    insert into ${tables.counts} as c (term, record_type, status, collection_status, n)
    select x.term, x.record_type::"char", x.status::"char", x.collection_status::"char", x.n
    from json_to_recordset(${tx.json(real)}::json)
      as x(term int, record_type text, status text, collection_status text, n int)
    order by 1, 2, 3, 4
    on conflict (term, record_type, status, collection_status) do update set n = c.n + excluded.n`;
}
