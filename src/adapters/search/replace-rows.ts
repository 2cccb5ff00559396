/** Replaces and removes rows of the index, and corrects the counts in the same transaction. */
import { plainArray } from "../../ids.ts";
import type { Sql, Tx } from "../../services.ts";
import { FIRST_VALUES, furtherTerm } from "./first-values.ts";
import { noteChange, type TableSet, type Tables, tablesOf } from "./table-sets.ts";

/** The columns that the counts depend on. */
export type CountedRow = {
  id: string;
  record_type: string;
  status: string;
  collection_status: string;
  terms: number[];
};

export type OldRow = CountedRow & { no: number };

/** Name of an advisory lock: shared by writers to tables that a rebuild fills, exclusive for counting these tables. */
export const COUNTING = "search-counts";

export async function removeRows(sql: Sql, ids: readonly string[], tableSet?: TableSet): Promise<void> {
  await replaceRows(sql, tableSet, ids, async (tx, tables, isCounted) => {
    const old = await deleteRows(tx, tables, ids);
    if (isCounted) await countChanges(tx, tables, old, []);
  });
}

/**
 * Runs `work` in a transaction, which deletes rows and inserts the new ones. If two processes index one record at the same
 * time, the second insert fails (23505) or they block each other (40P01). Then `work` runs again and sees the other's row, so
 * the counts stay exact. Without `tableSet`, the tables that answer are changed.
 */
export async function replaceRows(
  sql: Sql,
  tableSet: TableSet | undefined,
  ids: readonly string[],
  work: (tx: Tx, tables: Tables, isCounted: boolean) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin(async (tx) => {
        const [, , [state]] = await Promise.all([
          // after a crash the outbox repeats this, so the transaction need not wait for the disk
          tx`set local synchronous_commit to off`,
          tableSet === undefined ? undefined : tx`select pg_advisory_xact_lock_shared(hashtext(${COUNTING}))`,
          // the swap of the two sets of tables waits for this lock, which all writers share
          tx<{ current: TableSet; isUncounted: boolean }[]>`
            select current, is_uncounted as "isUncounted" from search_state for share`,
        ]);
        await work(
          tx,
          tablesOf(tx, tableSet ?? state!.current),
          tableSet === undefined || !state!.isUncounted,
        );
        if (tableSet === undefined) await noteChange(tx, ids);
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
  // all writers use the same order, so that no two block each other
  await tx`
    insert into ${tables.counts} as c (term, record_type, status, collection_status, n)
    select x.term, x.record_type::"char", x.status::"char", x.collection_status::"char", x.n
    from json_to_recordset(${tx.json(real)}::json)
      as x(term int, record_type text, status text, collection_status text, n int)
    order by 1, 2, 3, 4
    on conflict (term, record_type, status, collection_status) do update set n = c.n + excluded.n`;
}
