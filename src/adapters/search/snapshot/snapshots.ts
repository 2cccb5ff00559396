/**
 * Keeps a snapshot of the index up to date. The snapshot knows which transactions it contains. If the stamp has moved, the records
 * that other transactions have changed since are read again (`search_log`), so an answer contains everything that was committed
 * before the question. A question is one call of `with`; a search asks several.
 *
 * Questions update and use the snapshot one after the other, so that newly read parts are never older than the rest. A question
 * first reads the columns that are missing, while others are answered. If the database does not answer a statement for too long, the
 * question begins a new snapshot.
 */
import type { Sql } from "../../../services.ts";
import { withTimeout } from "../../../with-timeout.ts";
import { pause } from "../tables/batches.ts";
import { type TableSet, tablesOf } from "../tables/table-sets.ts";
import { bitsOf } from "./bitset.ts";
import { readColumn, readRecords, readSet } from "./read-snapshot.ts";
import { type ChangedRow, type SetName, Snapshot } from "./snapshot.ts";

/** With more changed records than this, a new snapshot is made. */
const MOST_CHANGES = 5_000;
/** Attempts to make a snapshot that is still current when it is complete. */
const ATTEMPTS = 5;
/** Snapshots that one question begins before it fails. */
const MOST_BEGUN = 3;

/** Milliseconds that a statement may take; a connection to a server may have gone silent. Visitors get 503 earlier (`http/concurrency-limit.ts`). */
export const PATIENCE_WITH_SERVER = 10_000;
/** Longer: the embedded database cannot go silent, but it can be busy. */
export const PATIENCE = 60_000;

/** What a question needs: columns of facet fields, by number, and sets of records. */
export type Parts = { fields?: readonly number[]; sets?: readonly SetName[] };

export type Snapshots = {
  /** Calls `ask` with a snapshot that has these parts and is at least as new as `stamp` (`readState`). */
  with<T>(stamp: string, parts: Parts, ask: (snapshot: Snapshot) => T): Promise<T>;
};

/** A snapshot and the state of the index that it shows. `seen`: the transactions it contains, in the format of `pg_current_snapshot()`. */
type Dated = { snapshot: Snapshot; tableSet: TableSet; generation: number; seen: string; stamp: string };

type Changes = Pick<Dated, "generation" | "seen" | "stamp"> & {
  current: TableSet;
  /** Null if there are too many. */
  rows: ChangedRow[] | null;
  isIncomplete: boolean;
};

class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
}

/** @param isShared whether several questions use it */
export function createSnapshots(sql: Sql, patience: number, isShared = true): Snapshots {
  let dated: Dated | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function answerOf<T>(statement: Promise<T>): Promise<T> {
    const answer = await withTimeout(statement, patience);
    if (answer === null) throw new DatabaseSilent("The database does not answer the search");
    return answer;
  }

  /** Applies the changes since the last update; null if a new snapshot is needed. */
  async function update(mine: Dated): Promise<Dated | null> {
    const { rows } = tablesOf(sql, mine.tableSet);
    const [changes] = await answerOf(sql<Changes[]>`
      with changed as materialized (
        select distinct id from search_log
        where xid >= pg_snapshot_xmin(${mine.seen}::text::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${mine.seen}::text::pg_snapshot)
        limit ${MOST_CHANGES + 1})
      select s.current, s.generation, pg_current_snapshot()::text as seen,
        (select sum(n)::text from search_changes) as stamp,
        not pg_visible_in_snapshot(s.forgotten, ${mine.seen}::text::pg_snapshot) as "isIncomplete",
        case when (select count(*) from changed) <= ${MOST_CHANGES} then (
          select coalesce(json_agg(json_build_object('id', c.id, 'no', r.no, 'record_type', r.record_type, 'status', r.status,
            'collection_status', r.collection_status, 'terms', r.terms, 'words', r.words)), '[]')
          from changed c left join ${rows} r on r.id = c.id) end as rows
      from search_state s`);
    const { current, generation, seen, stamp, rows: changed, isIncomplete } = changes!;
    if (isIncomplete || changed === null) return null;
    if (current !== mine.tableSet || generation !== mine.generation) return null;
    // the server was replaced by another one that lacks the last changes
    if (BigInt(stamp) < BigInt(mine.stamp)) return null;
    return mine.snapshot.change(changed) ? Object.assign(mine, { seen, stamp }) : null;
  }

  async function readSnapshot(): Promise<Dated> {
    const [state] = await answerOf(sql<Omit<Dated, "snapshot">[]>`
      select current as "tableSet", generation, pg_current_snapshot()::text as seen,
        (select sum(n)::text from search_changes) as stamp
      from search_state`);
    const records = await readRecords(sql, tablesOf(sql, state!.tableSet), answerOf);
    return { ...state!, snapshot: new Snapshot(records) };
  }

  /** Reads the missing parts; returns whether there were any. */
  async function addParts(
    { snapshot, tableSet }: Dated,
    { fields = [], sets = [] }: Parts,
  ): Promise<boolean> {
    const tables = tablesOf(sql, tableSet);
    const missing = [
      ...fields
        .filter((field) => !snapshot.hasColumn(field))
        .map(async (field) => snapshot.addColumn(field, await readColumn(sql, tables, answerOf, field))),
      ...sets
        .filter((name) => !snapshot.hasSet(name))
        .map(async (name) =>
          snapshot.addSet(name, bitsOf(snapshot.room, await answerOf(readSet(sql, tables, name)))),
        ),
    ];
    await Promise.all(missing);
    return missing.length > 0;
  }

  /** A snapshot with these parts, at least as new as `stamp`. */
  async function upToDate(stamp: string, parts: Parts): Promise<Snapshot> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (dated && dated.stamp !== stamp) dated = await update(dated);
      const isNew = dated === null;
      dated ??= await readSnapshot();
      if (!(await addParts(dated, parts)) && !isNew) return dated.snapshot;
      // the parts just read may contain changes that the rest lacks
      dated = await update(dated);
      if (dated && !(await addParts(dated, parts))) return dated.snapshot;
    }
    throw new Error("The search index was replaced again and again while it was read");
  }

  async function answer<T>(stamp: string, parts: Parts, ask: (snapshot: Snapshot) => T): Promise<T> {
    for (let begun = 1; ; begun++) {
      try {
        const snapshot = await upToDate(stamp, parts);
        const found = ask(snapshot);
        snapshot.forgetOld();
        return found;
      } catch (error) {
        dated = null;
        if (!(error instanceof DatabaseSilent) || begun === MOST_BEGUN) throw error;
      }
    }
  }

  function withinLimit<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  /** Columns that are being read, by field. */
  const coming = new Map<number, Promise<void>>();

  async function addColumnMeanwhile(stamp: string, field: number): Promise<void> {
    const mine = await withinLimit(() =>
      answer(stamp, {}, (snapshot) => {
        snapshot.expectColumn(field);
        return dated!;
      }),
    );
    const column = await readColumn(sql, tablesOf(sql, mine.tableSet), answerOf, field);
    await withinLimit(async () => {
      if (dated !== mine) return;
      dated = null;
      mine.snapshot.addColumn(field, column);
      // it may contain changes that the rest lacks
      dated = await update(mine);
    });
  }

  function columnMeanwhile(stamp: string, field: number): Promise<void> {
    const reading =
      coming.get(field) ??
      addColumnMeanwhile(stamp, field)
        // the next search that needs it reads it again, and reports the error
        .catch(() => undefined)
        .finally(() => coming.delete(field));
    coming.set(field, reading);
    return reading;
  }

  return {
    async with(stamp, parts, ask) {
      for (const field of isShared ? (parts.fields ?? []) : []) {
        if (dated?.snapshot.hasColumn(field)) continue;
        await columnMeanwhile(stamp, field);
        await pause();
      }
      return withinLimit(() => answer(stamp, parts, ask));
    },
  };
}
