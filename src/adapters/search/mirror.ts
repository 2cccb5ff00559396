/**
 * Keeps the copy of the index in agreement with the database. Each answer is made from what was committed before it was
 * asked for: the copy remembers the snapshot that it agrees with, and takes over what was changed by transactions which
 * that snapshot did not see (`search_log`).
 *
 * One question at a time brings the copy up to date, so that what is read anew is never older than the copy.
 */
import type { Sql } from "../../services.ts";
import { bitsOf } from "./bits.ts";
import { type Asked, type ChangedRow, Copy } from "./copy.ts";
import { type Block, BlockMaker, bytesOfBlock, Postings, readRecords } from "./postings.ts";
import { overlaps } from "./scope.ts";
import { SLOTS } from "./slots.ts";
import { type Place, type Tables, tablesOf } from "./state.ts";

/** Changed records that are taken over one by one; with more, a new copy is made. */
const MOST_CHANGES = 3_000;
/** Records whose words are read at once. */
const SLICE = 2_000;
/** Of the words of all records; with more, those that are asked for are read one by one. */
const MOST_WORD_BYTES = 256_000_000;
/** Times that a copy is begun anew because the other place answers meanwhile. */
const ATTEMPTS = 5;

/** A set, and of its records those that are in another one as well: both are read at once. */
export type AskedSet = { all: Asked; some?: Asked };

/** What must be in the copy: columns of fields, by number, and sets of records. */
export type Parts = { fields: readonly number[]; sets: readonly AskedSet[] };

export type Mirror = {
  /** `ask` is given a copy with these parts; null: the index is too large to be held. `stamp` as `readState` has it. */
  with<T>(stamp: string, parts: Parts, ask: (copy: Copy) => T): Promise<T | null>;
  /** What questions by words need of the index is in memory when this ends, if there is room for it. */
  warm(): Promise<void>;
};

type Held = {
  copy: Copy;
  place: Place;
  generation: number;
  snapshot: string;
  stamp: string;
  /** Questions that it has answered. */
  asked: number;
  /** Ends when the words of all records are read; null before that is begun. */
  reading: Promise<void> | null;
  /** They take too much. */
  isLarge: boolean;
};

type Report = {
  current: Place;
  generation: number;
  snapshot: string;
  stamp: string;
  missed: boolean;
  rows: ChangedRow[] | null;
};

/** @param mostRecords that are held; 0: none */
export function createMirror(sql: Sql, mostRecords: number): Mirror {
  let held: Held | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Takes over what has changed; null when the copy is to be made anew. */
  async function follow(mine: Held): Promise<Held | null> {
    const { rows } = tablesOf(sql, mine.place);
    const [report] = await sql<Report[]>`
      with changed as materialized (
        select distinct id from search_log
        where xid >= pg_snapshot_xmin(${mine.snapshot}::text::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${mine.snapshot}::text::pg_snapshot)
        limit ${MOST_CHANGES + 1})
      select s.current, s.generation, pg_current_snapshot()::text as snapshot,
        (select sum(n)::text from search_changes) as stamp,
        not pg_visible_in_snapshot(s.forgotten, ${mine.snapshot}::text::pg_snapshot) as missed, (
          select json_agg(json_build_object('id', c.id, 'no', r.no, 'record_type', r.record_type, 'status', r.status,
            'collection_status', r.collection_status, 'terms', r.terms, 'words', r.words))
          from changed c left join ${rows} r on r.id = c.id) as rows
      from search_state s`;
    const { current, generation, snapshot, stamp, missed, rows: changed } = report!;
    if (missed || current !== mine.place || generation !== mine.generation) return null;
    // a server that took over from another one without its last changes
    if (BigInt(stamp) < BigInt(mine.stamp)) return null;
    if (changed && (changed.length > MOST_CHANGES || !mine.copy.change(changed))) return null;
    return Object.assign(mine, { snapshot, stamp });
  }

  async function begin(): Promise<Held | null> {
    const [state] = await sql<Omit<Report, "missed" | "rows">[]>`
      select current, generation, pg_current_snapshot()::text as snapshot,
        (select sum(n)::text from search_changes) as stamp
      from search_state`;
    const { current: place, generation, snapshot, stamp } = state!;
    const { rows, counts } = tablesOf(sql, place);
    const [size] = await sql<{ n: number }[]>`
      select coalesce(sum(n), 0)::int as n from ${counts} where term = 0`;
    if (size!.n > mostRecords) return null;
    const [all] = await sql<{ packed: Uint8Array | null }[]>`
      select string_agg(int4send(no) || uuid_send(id) || charsend(record_type) || charsend(status)
        || charsend(collection_status), '' order by id) as packed
      from ${rows}`;
    const copy = new Copy(all!.packed ?? new Uint8Array());
    return { copy, place, generation, snapshot, stamp, asked: 0, reading: null, isLarge: false };
  }

  async function bring({ copy, place }: Held, { fields, sets }: Parts): Promise<boolean> {
    const tables = tablesOf(sql, place);
    const isHere = (asked: Asked) => copy.hasSet(asked) || copy.makeSet(asked);
    const missing = [
      ...fields
        .filter((field) => !copy.hasColumn(field))
        .map(async (field) => copy.addColumn(field, await readColumn(sql, tables, field))),
      ...sets
        .filter(({ all, some }) => !isHere(all) || (some && !isHere(some)))
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
  async function current(stamp: string, parts: Parts): Promise<Copy | null> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (held && held.stamp !== stamp) held = await follow(held);
      const isNew = held === null;
      held ??= await begin();
      if (!held) return null;
      if (!(await bring(held, parts)) && !isNew) return held.copy;
      // what was read just now may know of changes that the rest of the copy does not
      held = await follow(held);
      if (held && !(await bring(held, parts))) return held.copy;
    }
    return null;
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => {
      held = null;
    });
    return mine;
  }

  /** Reads all words beside the questions. From the beginning the copy notes what changes meanwhile. */
  async function readWords(mine: Held): Promise<void> {
    const postings = new Postings(mine.copy.room);
    mine.copy.postings = postings;
    const isAlive = () => held === mine && mine.copy.postings === postings;
    const blocks = await readBlocks(sql, tablesOf(sql, mine.place), isAlive);
    await inTurn(async () => {
      if (!isAlive()) return;
      mine.isLarge = blocks === null;
      if (blocks === null) mine.copy.postings = null;
      else postings.fill(blocks);
      // what was read may know of changes that the rest of the copy does not
      held = await follow(mine);
    });
  }

  function words(mine: Held): Promise<void> {
    if (mine.copy.postings === null && !mine.isLarge) {
      mine.reading = readWords(mine).catch((error) => {
        mine.copy.postings = null;
        throw error;
      });
    }
    return mine.reading ?? Promise.resolve();
  }

  return {
    with(stamp, parts, ask) {
      return inTurn(async () => {
        const copy = mostRecords > 0 ? await current(stamp, parts) : null;
        if (copy === null) return null;
        const answer = ask(copy);
        copy.forgetOld();
        const mine = held!;
        mine.asked += 1;
        // while much is written there may be another copy soon; what fails here is tried again after the next question
        if (mine.asked > 1) words(mine).catch(() => undefined);
        return answer;
      });
    },
    async warm() {
      if (mostRecords === 0) return;
      const mine = await inTurn(async () => {
        held ??= await begin();
        return held;
      });
      if (mine) await words(mine);
    },
  };
}

/** The words of all records; null when they take too much, or nobody waits for them any more. */
async function readBlocks(sql: Sql, { rows }: Tables, isAlive: () => boolean): Promise<Block[] | null> {
  const maker = new BlockMaker();
  const blocks: Block[] = [];
  let bytes = 0;
  const keep = () => {
    const block = maker.block();
    bytes += bytesOfBlock(block);
    blocks.push(block);
  };
  for (let after: string | null = null; bytes <= MOST_WORD_BYTES && isAlive(); ) {
    const behind = after === null ? sql`true` : sql`id > ${after}`;
    const slices: { last: string | null; text: string }[] = await sql`
      with slice as materialized (
        select id, no, words from ${rows} where ${behind} order by id limit ${SLICE})
      select string_agg(no || words::text, '') as text,
        (select id from slice order by id desc limit 1) as last
      from slice`;
    const { last, text } = slices[0]!;
    if (last === null) {
      keep();
      return blocks;
    }
    readRecords(text, maker, keep);
    after = last;
  }
  return null;
}

async function readColumn(sql: Sql, { rows }: Tables, field: number): Promise<Uint8Array> {
  const first =
    field > SLOTS
      ? sql``
      : sql`select s.no, s.terms[${field}] as term from ${rows} s where s.terms[${field}] <> 0 union all`;
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(x.no) || int4send(x.term), '') as packed from (
      ${first}
      select s.no, t.term from ${rows} s, unnest(s.terms[${SLOTS + 1}:]) t(term)
      where cardinality(s.terms) > ${SLOTS} and t.term >> 24 = ${field}) x`;
  return all!.packed ?? new Uint8Array();
}

/** Numbers of the rows, which begin with 1; below zero where the row is among `some` as well. */
async function readSet(sql: Sql, { rows }: Tables, all: Asked, some?: Asked): Promise<Uint8Array> {
  const met = ({ of, numbers }: Asked) =>
    of === "words" ? overlaps(sql, numbers) : sql`s.terms && ${numbers as number[]}::int[]`;
  const number = some ? sql`case when ${met(some)} then -s.no else s.no end` : sql`s.no`;
  const [read] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(${number}), '') as packed from ${rows} s where ${met(all)}`;
  return read!.packed ?? new Uint8Array();
}
