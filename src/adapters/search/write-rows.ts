/** Records as rows of the index, and how they are put into the place that answers. */
import { plainArray } from "../../ids.ts";
import type { SearchDocument } from "../../search-index.ts";
import type { Sql, Tx } from "../../services.ts";
import { type CountedRow, countChanges, replacing, takeRows } from "./change-place.ts";
import type { Dictionary, TermOf } from "./dictionary.ts";
import type { KnownWord } from "./known-words.ts";
import { collectionStatusLetter, kindLetter, statusLetter } from "./letters.ts";
import { SLOTS } from "./slots.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { type TextWriter, wordsOfDocuments } from "./words.ts";
import { TextLines, Written } from "./written.ts";

export type IndexRow = CountedRow & {
  ranges: { field_no: number; low: number; high: number }[];
};

/** With the numbers of the words of each, in their order. */
export type IndexRows = { rows: readonly IndexRow[]; words: readonly Int32Array[] };

/**
 * With their texts, a line for each: a long text is out of the way of the garbage collector while it waits to be written.
 */
export type TextedRows = IndexRows & { texts: string };

export async function textedRows(
  dictionary: Dictionary,
  numbers: WordNumbers,
  documents: readonly SearchDocument[],
): Promise<TextedRows> {
  const texts = new TextLines();
  const made = await rowsOf(dictionary, numbers, documents, texts);
  return { ...made, texts: texts.lines() };
}

/** Documents as rows, and their texts: words and values that have no number yet are given one. */
export async function rowsOf(
  dictionary: Dictionary,
  numbers: WordNumbers,
  documents: readonly SearchDocument[],
  texts: TextWriter,
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
  const words = wordsOfDocuments(documents, numbers.known, texts);
  await numbers.make(words);
  const rows = documents.map((document) => ({
    id: document.id,
    record_type: kindLetter(document.recordType),
    status: statusLetter(document.status),
    collection_status: collectionStatusLetter(document.collectionStatus),
    terms: placed(document, fields, termOf),
    ranges: spansOf(document, fields),
  }));
  return { rows, words: numbersOf(words) };
}

/** In their order: whoever makes an index of them finds them sorted, which saves a quarter of the time that it takes. */
function numbersOf(words: readonly (readonly KnownWord[])[]): Int32Array[] {
  // one piece of memory for all
  const numbers = new Int32Array(words.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  return words.map((document) => {
    const begin = end;
    for (const { no } of document) numbers[end++] = no;
    return numbers.subarray(begin, end).sort();
  });
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
    for (const { from, to } of spans) all.push({ field_no: field, low: from, high: to });
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

/** Into the place that answers. */
export async function changeRows(sql: Sql, { rows, words, texts }: TextedRows): Promise<void> {
  const ids = rows.map((row) => row.id);
  await replacing(sql, undefined, ids, async (tx, tables, isCounted) => {
    const old = await takeRows(tx, tables, ids);
    const numbers = new Map(old.map(({ id, no }) => [id, no]));
    const ranges = rows.flatMap((row) => row.ranges.map((range) => ({ id: row.id, ...range })));
    // sent one behind the other: while others keep this process busy, each answer that is waited for takes long
    await Promise.all([
      tx`
        insert into ${tables.rows} (id, no, record_type, status, collection_status, terms, words)
        select x.id, case x.no when 0 then nextval(${tables.numbers}::regclass) else x.no end, x.record_type::"char",
          x.status::"char", x.collection_status::"char", x.terms::int[], x.words::int[]
        from unnest(${plainArray(ids)}::uuid[], ${plainArray(rows.map(({ id }) => numbers.get(id) ?? 0))}::int[],
          ${plainArray(rows.map((row) => row.record_type))}::text[], ${plainArray(rows.map((row) => row.status))}::text[],
          ${plainArray(rows.map((row) => row.collection_status))}::text[],
          ${lines(tx, linesOf(rows.map(({ terms }) => terms)))}, ${lines(tx, linesOf(words))})
          x(id, no, record_type, status, collection_status, terms, words)`,
      tx`
        insert into ${tables.texts} (id, words)
        select x.id, x.words::tsvector from unnest(${plainArray(ids)}::uuid[], ${lines(tx, texts)}) x(id, words)`,
      ranges.length === 0
        ? undefined
        : tx`
            insert into ${tables.ranges} (id, field_no, low, high)
            select * from unnest(${plainArray(ranges.map((range) => range.id))}::uuid[],
              ${plainArray(ranges.map((range) => range.field_no))}::smallint[],
              ${plainArray(ranges.map((range) => range.low))}::double precision[],
              ${plainArray(ranges.map((range) => range.high))}::double precision[])`,
    ]);
    if (isCounted) await countChanges(tx, tables, old, rows);
  });
}

/** Texts without line ends, as an array: given as one text, which is neither quoted nor taken apart sign by sign. */
export const lines = (sql: Sql | Tx, texts: string) => sql`string_to_array(${texts}, e'\\n')`;
