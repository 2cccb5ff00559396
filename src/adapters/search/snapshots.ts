/**
 * Keeps a snapshot of the index up to date. The snapshot knows which transactions it contains. If the stamp has moved, the records
 * that other transactions have changed since are read again (`search_log`), so an answer contains everything that was committed
 * before the question. A question is one call of `with`; a search asks several.
 *
 * Questions update and use the snapshot one after the other, so that newly read parts are never older than the rest. If an
 * update makes no progress for too long, the questions that wait for it begin a new snapshot.
 */
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { withTimeout } from "../../with-timeout.ts";
import { pause } from "./batches.ts";
import { bitsOf } from "./bitset.ts";
import { idsOf } from "./packed-ids.ts";
import { readColumn, readRecords, readSet } from "./read-snapshot.ts";
import { type ChangedRow, type SetName, Snapshot } from "./snapshot.ts";
import { type TableSet, tablesOf } from "./table-sets.ts";

/** Changed records that are read in one statement. */
const AT_ONCE = 1_000;
/** With more changed records than this, a new snapshot is made. */
const MOST_CHANGES = 50_000;
/** Attempts to make a snapshot that is still current when it is complete. */
const ATTEMPTS = 5;
/** Snapshots that one question begins before it fails. */
const MOST_BEGUN = 3;

/** Milliseconds without progress, after which an update is abandoned. A connection to a server may have gone silent. */
export const PATIENCE_WITH_SERVER = 10_000;
/** Longer: the embedded database cannot go silent, but it can be busy. */
export const PATIENCE = 60_000;

/** Two sets that one statement reads: `all`, and those records of it that are also in `some`. */
export type SetPair = { all: SetName; some?: SetName };

/** What a question needs: columns of facet fields, by number, and sets of records. */
export type Parts = { fields?: readonly number[]; sets?: readonly SetPair[] };

export type Snapshots = {
  /** Calls `ask` with a snapshot that has these parts and is at least as new as `stamp` (`readState`). */
  with<T>(stamp: string, parts: Parts, ask: (snapshot: Snapshot) => T): Promise<T>;
};

/** A snapshot and the state of the index that it shows. `seen`: the transactions it contains, in the format of `pg_current_snapshot()`. */
type Dated = { snapshot: Snapshot; tableSet: TableSet; generation: number; seen: string; stamp: string };

/** The snapshot and the questions that wait for it. `since`: when the running update last made progress; null if none runs. */
type Queue = { dated: Dated | null; last: Promise<unknown>; since: number | null };

type Changes = {
  current: TableSet;
  generation: number;
  seen: string;
  stamp: string;
  isIncomplete: boolean;
  rows: ChangedRow[] | null;
  ids: Uint8Array | null;
};

export function createSnapshots(sql: Sql, patience: number): Snapshots {
  const newQueue = (): Queue => ({ dated: null, last: Promise.resolve(), since: null });
  let queue = newQueue();

  /** Applies the changes since the last update; null if a new snapshot is needed. */
  async function update(mine: Dated, stepped: () => void): Promise<Dated | null> {
    const { rows } = tablesOf(sql, mine.tableSet);
    for (;;) {
      const [changes] = await sql<Changes[]>`
        with changed as materialized (
          select distinct id from search_log
          where xid >= pg_snapshot_xmin(${mine.seen}::text::pg_snapshot)
            and not pg_visible_in_snapshot(xid, ${mine.seen}::text::pg_snapshot)
          limit ${MOST_CHANGES + 1})
        select s.current, s.generation, pg_current_snapshot()::text as seen,
          (select sum(n)::text from search_changes) as stamp,
          not pg_visible_in_snapshot(s.forgotten, ${mine.seen}::text::pg_snapshot) as "isIncomplete",
          case when c.n <= ${AT_ONCE} then (
            select json_agg(${rowAsJson(sql)}) from changed c left join ${rows} r on r.id = c.id) end as rows,
          case when c.n > ${AT_ONCE} then (select string_agg(uuid_send(id), '') from changed) end as ids
        from search_state s, (select count(*) as n from changed) c`;
      stepped();
      const { current, generation, seen, stamp, isIncomplete, rows: changed, ids } = changes!;
      if (isIncomplete || current !== mine.tableSet || generation !== mine.generation) return null;
      // the server was replaced by another one that lacks the last changes
      if (BigInt(stamp) < BigInt(mine.stamp)) return null;
      if (ids === null) {
        return mine.snapshot.change(changed ?? []) ? Object.assign(mine, { seen, stamp }) : null;
      }
      const all = idsOf(ids);
      if (all.length > MOST_CHANGES) return null;
      // each batch is read at another moment, so the loop reads once more what has changed since `seen`
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const [batch] = await sql<Pick<Changes, "rows">[]>`
          select json_agg(${rowAsJson(sql)}) as rows
          from unnest(${plainArray(all.slice(at, at + AT_ONCE))}::uuid[]) c(id) left join ${rows} r on r.id = c.id`;
        if (!mine.snapshot.change(batch!.rows ?? [])) return null;
        stepped();
        await pause();
      }
      mine.seen = seen;
    }
  }

  async function readSnapshot(stepped: () => void): Promise<Dated> {
    const [state] = await sql<Omit<Dated, "snapshot">[]>`
      select current as "tableSet", generation, pg_current_snapshot()::text as seen,
        (select sum(n)::text from search_changes) as stamp
      from search_state`;
    const records = await readRecords(sql, tablesOf(sql, state!.tableSet), stepped);
    return { ...state!, snapshot: new Snapshot(records) };
  }

  /** Reads the missing parts; returns whether there were any. */
  async function addParts(
    { snapshot, tableSet }: Dated,
    { fields = [], sets = [] }: Parts,
    stepped: () => void,
  ): Promise<boolean> {
    const tables = tablesOf(sql, tableSet);
    const missing = [
      ...fields
        .filter((field) => !snapshot.hasColumn(field))
        .map(async (field) => snapshot.addColumn(field, await readColumn(sql, tables, field))),
      ...sets
        .filter(({ all, some }) => !snapshot.hasSet(all) || (some && !snapshot.hasSet(some)))
        .map(async ({ all, some }) => {
          const read = bitsOf(snapshot.room, await readSet(sql, tables, all, some));
          snapshot.addSet(all, read.all);
          if (some) snapshot.addSet(some, read.below);
        }),
    ];
    await Promise.all(missing.map((part) => part.then(stepped)));
    return missing.length > 0;
  }

  /** A snapshot with these parts, at least as new as `stamp`. */
  async function upToDate(mine: Queue, stamp: string, parts: Parts): Promise<Snapshot> {
    const stepped = () => {
      mine.since = performance.now();
    };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (mine.dated && mine.dated.stamp !== stamp) mine.dated = await update(mine.dated, stepped);
      const isNew = mine.dated === null;
      mine.dated ??= await readSnapshot(stepped);
      if (!(await addParts(mine.dated, parts, stepped)) && !isNew) return mine.dated.snapshot;
      // the parts just read may contain changes that the rest lacks
      mine.dated = await update(mine.dated, stepped);
      if (mine.dated && !(await addParts(mine.dated, parts, stepped))) return mine.dated.snapshot;
    }
    throw new Error("The search index was replaced again and again while it was read");
  }

  function oneAfterAnother<T>(mine: Queue, work: () => Promise<T>): Promise<T> {
    const result = mine.last.then(async () => {
      mine.since = performance.now();
      try {
        return await work();
      } finally {
        mine.since = null;
      }
    });
    mine.last = result.catch(() => {
      mine.dated = null;
    });
    return result;
  }

  /** The result, or null as soon as the queue has made no progress for too long. */
  async function whileMoving<T>(mine: Queue, result: Promise<T>): Promise<T | null> {
    for (;;) {
      const still = mine.since === null ? 0 : performance.now() - mine.since;
      if (still >= patience) return null;
      const found = await withTimeout(result, patience - still);
      if (found !== null) return found;
    }
  }

  return {
    async with(stamp, parts, ask) {
      for (let begun = 1; begun <= MOST_BEGUN; begun++) {
        const mine = queue;
        const result = oneAfterAnother(mine, async () => {
          // it revived too late: a new queue has answered
          if (queue !== mine) return null;
          const snapshot = await upToDate(mine, stamp, parts);
          const answer = ask(snapshot);
          snapshot.forgetOld();
          return { answer };
        });
        const found = await whileMoving(mine, result);
        if (found) return found.answer;
        if (queue === mine) queue = newQueue();
      }
      throw new Error("The database does not answer the search");
    },
  };
}

/** SQL: a changed record `c` with its row `r`, if it still has one. */
const rowAsJson = (sql: Sql) => sql`json_build_object('id', c.id, 'no', r.no, 'record_type', r.record_type,
  'status', r.status, 'collection_status', r.collection_status, 'terms', r.terms, 'words', r.words)`;
