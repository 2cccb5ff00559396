/**
 * Keeps the copy of the index in agreement with the database. Each answer is made from what was committed before it was
 * asked for: the copy remembers the snapshot that it agrees with, and takes over what was changed by transactions which
 * that snapshot did not see (`search_log`).
 *
 * One question at a time brings the copy up to date, so that what is read anew is never older than the copy. Nobody waits
 * long for that: the database answers whoever has waited enough.
 */
import { plainArray } from "../../ids.ts";
import { inTime } from "../../in-time.ts";
import type { Sql } from "../../services.ts";
import { bitsOf } from "./bits.ts";
import { type Asked, type ChangedRow, Copy, idsOf } from "./copy.ts";
import { readColumn, readRecordsOf, readSet } from "./read-copy.ts";
import { pause } from "./slices.ts";
import { type Place, tablesOf } from "./state.ts";

/** Changed records that are taken over at once. */
const AT_ONCE = 1_000;
/** Changed records that are taken over at all; with more, a new copy is made. */
const MOST_CHANGES = 50_000;
/** Times that a copy is begun anew because the other place answers meanwhile. */
const ATTEMPTS = 5;

/**
 * Milliseconds: that a question waits for the copy, and without a step of whoever brings it up to date, until the copy is
 * given up with all that waits for it. A connection to a server may have gone silent, and the pool takes as long to notice.
 */
export type MirrorPatience = { question: number; copy: number };
export const PATIENCE_WITH_SERVER: MirrorPatience = { question: 3_000, copy: 20_000 };
/** The embedded database answers always, and takes longest where the copy does not. */
export const PATIENCE: MirrorPatience = { question: 60_000, copy: 60_000 };

/** A set, and of its records those that are in another one as well: both are read at once. */
export type AskedSet = { all: Asked; some?: Asked };

/** What must be in the copy: columns of fields, by number, and sets of records. */
export type Parts = { fields: readonly number[]; sets: readonly AskedSet[] };

export type Mirror = {
  /**
   * `ask` is given a copy with these parts; null: the index is too large to be held, or it takes too long. `stamp` as
   * `readState` has it.
   */
  with<T>(stamp: string, parts: Parts, ask: (copy: Copy) => T): Promise<T | null>;
};

type Held = {
  copy: Copy;
  place: Place;
  generation: number;
  snapshot: string;
  stamp: string;
};

/** The copy, and who waits for it. `since`: the last step of whose turn it is; null when it is nobody's. */
type Line = { held: Held | null; turn: Promise<unknown>; since: number | null };

type Report = {
  current: Place;
  generation: number;
  snapshot: string;
  stamp: string;
  missed: boolean;
  rows: ChangedRow[] | null;
  ids: Uint8Array | null;
};

/** @param mostRecords that are held; 0: none */
export function createMirror(sql: Sql, mostRecords: number, patience: MirrorPatience): Mirror {
  let line: Line = { held: null, turn: Promise.resolve(), since: null };

  /** Takes over what has changed; null when the copy is to be made anew. */
  async function follow(mine: Held, stepped: () => void): Promise<Held | null> {
    const { rows } = tablesOf(sql, mine.place);
    for (;;) {
      const [report] = await sql<Report[]>`
        with changed as materialized (
          select distinct id from search_log
          where xid >= pg_snapshot_xmin(${mine.snapshot}::text::pg_snapshot)
            and not pg_visible_in_snapshot(xid, ${mine.snapshot}::text::pg_snapshot)
          limit ${MOST_CHANGES + 1})
        select s.current, s.generation, pg_current_snapshot()::text as snapshot,
          (select sum(n)::text from search_changes) as stamp,
          not pg_visible_in_snapshot(s.forgotten, ${mine.snapshot}::text::pg_snapshot) as missed,
          case when c.n <= ${AT_ONCE} then (
            select json_agg(${rowAsJson(sql)}) from changed c left join ${rows} r on r.id = c.id) end as rows,
          case when c.n > ${AT_ONCE} then (select string_agg(uuid_send(id), '') from changed) end as ids
        from search_state s, (select count(*) as n from changed) c`;
      stepped();
      const { current, generation, snapshot, stamp, missed, rows: changed, ids } = report!;
      if (missed || current !== mine.place || generation !== mine.generation) return null;
      // a server that took over from another one without its last changes
      if (BigInt(stamp) < BigInt(mine.stamp)) return null;
      if (ids === null) {
        mine.copy.change(changed ?? []);
        return Object.assign(mine, { snapshot, stamp });
      }
      const all = idsOf(ids);
      if (all.length > MOST_CHANGES) return null;
      // read step by step they are not of one moment: what has changed since this snapshot is taken over again
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const [step] = await sql<Pick<Report, "rows">[]>`
          select json_agg(${rowAsJson(sql)}) as rows
          from unnest(${plainArray(all.slice(at, at + AT_ONCE))}::uuid[]) c(id) left join ${rows} r on r.id = c.id`;
        mine.copy.change(step!.rows ?? []);
        stepped();
        await pause();
      }
      mine.snapshot = snapshot;
    }
  }

  async function begin(): Promise<Held | null> {
    const [state] = await sql<Omit<Report, "missed" | "rows" | "ids">[]>`
      select current, generation, pg_current_snapshot()::text as snapshot,
        (select sum(n)::text from search_changes) as stamp
      from search_state`;
    const { current: place, generation, snapshot, stamp } = state!;
    const packed = await readRecordsOf(sql, tablesOf(sql, place), mostRecords);
    if (packed === null) return null;
    return { copy: new Copy(packed), place, generation, snapshot, stamp };
  }

  async function bring({ copy, place }: Held, { fields, sets }: Parts): Promise<boolean> {
    const tables = tablesOf(sql, place);
    const missing = [
      ...fields
        .filter((field) => !copy.hasColumn(field))
        .map(async (field) => copy.addColumn(field, await readColumn(sql, tables, field))),
      ...sets
        .filter(({ all, some }) => !copy.hasSet(all) || (some && !copy.hasSet(some)))
        .map(async ({ all, some }) => {
          const read = bitsOf(copy.room, await readSet(sql, tables, all, some));
          copy.addSet(all, read.all);
          if (some) copy.addSet(some, read.below);
        }),
    ];
    await Promise.all(missing);
    return missing.length > 0;
  }

  /** A copy that agrees with the database as it is now, or was after `stamp`. */
  async function current(mine: Line, stamp: string, parts: Parts): Promise<Held | null> {
    const stepped = () => {
      mine.since = performance.now();
    };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (mine.held && mine.held.stamp !== stamp) mine.held = await follow(mine.held, stepped);
      const isNew = mine.held === null;
      mine.held ??= await begin();
      if (!mine.held) return null;
      stepped();
      if (!(await bring(mine.held, parts)) && !isNew) return mine.held;
      stepped();
      // what was read just now may know of changes that the rest of the copy does not
      mine.held = await follow(mine.held, stepped);
      if (mine.held && !(await bring(mine.held, parts))) return mine.held;
    }
    return null;
  }

  function inTurn<T>(mine: Line, work: () => Promise<T>): Promise<T> {
    const asked = mine.turn.then(async () => {
      mine.since = performance.now();
      try {
        return await work();
      } finally {
        mine.since = null;
      }
    });
    mine.turn = asked.catch(() => {
      mine.held = null;
    });
    return asked;
  }

  /** Milliseconds that a question may wait; whoever finds that nothing has moved for too long begins a new line. */
  function wait(): number {
    const still = line.since === null ? 0 : performance.now() - line.since;
    if (still > patience.copy) line = { held: null, turn: Promise.resolve(), since: null };
    else if (still > patience.question) return 0;
    return patience.question;
  }

  return {
    async with(stamp, parts, ask) {
      const most = mostRecords > 0 ? wait() : 0;
      if (most === 0) return null;
      const mine = line;
      let isLate = false;
      const asked = inTurn(mine, async () => {
        const held = isLate ? null : await current(mine, stamp, parts);
        if (held === null || isLate) return null;
        const answer = ask(held.copy);
        held.copy.forgetOld();
        return { answer };
      });
      const found = await inTime(asked, most);
      isLate = true;
      return found?.answer ?? null;
    },
  };
}

/** A changed record `c` with its row `r`, if it still has one. */
const rowAsJson = (sql: Sql) => sql`json_build_object('id', c.id, 'no', r.no, 'record_type', r.record_type,
  'status', r.status, 'collection_status', r.collection_status, 'terms', r.terms, 'words', r.words)`;
