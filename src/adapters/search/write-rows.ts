/** Puts records into a place of the index, and takes them out; the counts follow in the same transaction. */
import { plainArray } from "../../ids.ts";
import type { SearchDocument } from "../../search-index.ts";
import type { Sql, Tx } from "../../services.ts";
import type { Dictionary, TermOf } from "./dictionary.ts";
import type { KnownWord } from "./known-words.ts";
import { collectionStatusLetter, kindLetter, statusLetter } from "./letters.ts";
import { furtherTerm, SLOTS } from "./slots.ts";
import { noteChange, type Place, type Tables, tablesOf } from "./state.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { wordsOfDocuments } from "./words.ts";
import { Written } from "./written.ts";

type CountedRow = {
  id: string;
  record_type: string;
  status: string;
  collection_status: string;
  terms: number[];
};

type OldRow = CountedRow & { no: number };

export type IndexRow = CountedRow & {
  ranges: { field_no: number; low: string; high: string }[];
};

/**
 * With a line for each row: the numbers of its words, as an array is written; its words with their places, as a tsvector
 * is. As long texts they are out of the way of the garbage collector while they wait to be written.
 */
export type IndexRows = { rows: readonly IndexRow[]; words: string; texts: string };

/** Documents as rows: words and values that have no number yet are given one. */
export async function rowsOf(
  dictionary: Dictionary,
  numbers: WordNumbers,
  documents: readonly SearchDocument[],
): Promise<IndexRows> {
  const names = new Set<string>();
  for (const { facets, ranges } of documents) {
    for (const name of facets.keys()) names.add(name);
    for (const name of ranges.keys()) names.add(name);
  }
  const fields = await dictionary.numberFields(names);
  const termOf = await dictionary.makeTerms((visit) => {
    for (const { facets } of documents) {
      facets.forEach((values, name) => {
        const field = fields.get(name);
        if (field !== undefined) for (const value of values) visit(field, value);
      });
    }
  });
  numbers.known.forget();
  const { words, texts } = wordsOfDocuments(documents, numbers.known);
  await numbers.make(words);
  const rows = documents.map((document) => ({
    id: document.id,
    record_type: kindLetter(document.recordType),
    status: statusLetter(document.status),
    collection_status: collectionStatusLetter(document.collectionStatus),
    terms: placed(document, fields, termOf),
    ranges: spansOf(document, fields),
  }));
  return { rows, words: linesOf(words.map(numbersOf)), texts };
}

/** In their order: whoever makes an index of them finds them sorted, which saves a quarter of the time that it takes. */
function numbersOf(words: readonly KnownWord[]): Int32Array {
  const numbers = new Int32Array(words.length);
  for (let at = 0; at < words.length; at++) numbers[at] = words[at]!.no;
  return numbers.sort();
}

/** Arrays of numbers as PostgreSQL writes them, a line for each. */
function linesOf(arrays: readonly ArrayLike<number>[]): string {
  const written = new Written();
  for (const array of arrays) {
    written.array(array);
    written.endLine();
  }
  return written.lines();
}

function spansOf({ ranges }: SearchDocument, fields: ReadonlyMap<string, number>): IndexRow["ranges"] {
  const all: IndexRow["ranges"] = [];
  ranges.forEach((spans, name) => {
    const field = fields.get(name);
    if (field === undefined) return;
    for (const { from, to } of spans) all.push({ field_no: field, low: String(from), high: String(to) });
  });
  return all;
}

/** First values at the place of their field, all others behind; 0 where there is none. */
function placed(document: SearchDocument, fields: ReadonlyMap<string, number>, termOf: TermOf): number[] {
  const places = new Array<number>(SLOTS).fill(0);
  document.facets.forEach((values, name) => {
    const field = fields.get(name);
    if (field === undefined) return;
    for (const value of values) {
      const term = termOf(field, value);
      if (field <= SLOTS && places[field - 1] === 0) places[field - 1] = term;
      else if (!places.includes(term)) places.push(term);
    }
  });
  return places;
}

/** The lock of those who put something into the place that is built, and of whoever counts what is in it. */
export const COUNTING = "search-counts";

/** Into the place that answers, or into the one that is named. */
export async function changeRows(sql: Sql, { rows, words, texts }: IndexRows, place?: Place): Promise<void> {
  const ids = rows.map((row) => row.id);
  await replacing(sql, place, ids, async (tx, tables, isCounted) => {
    const old = await takeRows(tx, tables, ids);
    const numbers = new Map(old.map(({ id, no }) => [id, no]));
    await tx`
      insert into ${tables.rows} (id, no, record_type, status, collection_status, terms, words)
      select x.id, case x.no when 0 then nextval(${tables.numbers}::regclass) else x.no end, x.record_type::"char",
        x.status::"char", x.collection_status::"char", x.terms::int[], x.words::int[]
      from unnest(${plainArray(ids)}::uuid[], ${plainArray(rows.map(({ id }) => numbers.get(id) ?? 0))}::int[],
        ${plainArray(rows.map((row) => row.record_type))}::text[], ${plainArray(rows.map((row) => row.status))}::text[],
        ${plainArray(rows.map((row) => row.collection_status))}::text[],
        ${lines(tx, linesOf(rows.map(({ terms }) => terms)))}, ${lines(tx, words)})
        x(id, no, record_type, status, collection_status, terms, words)`;
    await tx`
      insert into ${tables.texts} (id, words)
      select x.id, x.words::tsvector from unnest(${plainArray(ids)}::uuid[], ${lines(tx, texts)}) x(id, words)`;
    const ranges = rows.flatMap((row) => row.ranges.map((range) => ({ id: row.id, ...range })));
    if (ranges.length > 0) {
      await tx`
        insert into ${tables.ranges} (id, field_no, low, high)
        select * from unnest(${plainArray(ranges.map((range) => range.id))}::uuid[],
          ${plainArray(ranges.map((range) => range.field_no))}::smallint[],
          ${plainArray(ranges.map((range) => range.low))}::double precision[],
          ${plainArray(ranges.map((range) => range.high))}::double precision[])`;
    }
    if (isCounted) await countChanges(tx, tables, old, rows);
  });
}

export async function removeRows(sql: Sql, ids: readonly string[], place?: Place): Promise<void> {
  await replacing(sql, place, ids, async (tx, tables, isCounted) => {
    const old = await takeRows(tx, tables, ids);
    if (isCounted) await countChanges(tx, tables, old, []);
  });
}

/** Texts without line ends, as an array: given as one text, which is neither quoted nor taken apart sign by sign. */
export const lines = (sql: Sql | Tx, texts: string) => sql`string_to_array(${texts}, e'\\n')`;

/**
 * Rows are taken out and put in again. When two projections of one record cross, one of them meets the other's fresh
 * row (23505) and begins again with it in sight, so that the counts stay exact.
 */
async function replacing(
  sql: Sql,
  place: Place | undefined,
  ids: readonly string[],
  work: (tx: Tx, tables: Tables, isCounted: boolean) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin(async (tx) => {
        // the outbox repeats what a crash loses, so this transaction need not wait for the disk
        await tx`set local synchronous_commit to off`;
        if (place !== undefined) await tx`select pg_advisory_xact_lock_shared(hashtext(${COUNTING}))`;
        // shared with all writers: whoever makes the other place answer waits for them
        const [state] = await tx<{ current: Place; later: boolean }[]>`
          select current, is_uncounted as later from search_state for share`;
        await work(tx, tablesOf(tx, place ?? state!.current), place === undefined || !state!.later);
        if (place === undefined) await noteChange(tx, ids);
      });
      return;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt >= 5 || (code !== "23505" && code !== "40P01")) throw error;
    }
  }
}

async function takeRows(tx: Tx, tables: Tables, ids: readonly string[]): Promise<OldRow[]> {
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

async function countChanges(
  tx: Tx,
  tables: Tables,
  before: readonly CountedRow[],
  after: readonly CountedRow[],
): Promise<void> {
  const changes = new Map<string, Change>();
  const count = (row: CountedRow, n: number) => {
    // term 0 stands for the record itself, a field's number without a value for its further values
    const further = row.terms.slice(SLOTS).map((term) => furtherTerm(term >> 24));
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
