/** Turns records into rows of the index, and writes these to one of its two sets of tables. */
import { plainArray } from "../../ids.ts";
import type { SearchDocument } from "../../search-index.ts";
import type { Sql, Tx } from "../../services.ts";
import type { FacetTerms, TermOf } from "./facet-terms.ts";
import { FIRST_VALUES } from "./first-values.ts";
import { type CountedRow, countChanges, deleteRows, replaceRows } from "./replace-rows.ts";
import { collectionStatusCode, kindCode, statusCode } from "./row-codes.ts";
import type { TableSet } from "./table-sets.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { wordsOfRecord } from "./words.ts";

export type IndexRow = CountedRow & {
  /** Numbers of the words. */
  words: Int32Array;
  /** The words with their positions, in the syntax of a tsvector. */
  text: string;
  ranges: { field_no: number; low: number; high: number }[];
};

/** Documents as rows. New words and facet values get numbers. */
export async function rowsOf(
  facetTerms: FacetTerms,
  numbers: WordNumbers,
  documents: readonly SearchDocument[],
): Promise<IndexRow[]> {
  const names = new Set<string>();
  for (const { facets, ranges } of documents) {
    for (const name of facets.keys()) names.add(name);
    for (const name of ranges.keys()) names.add(name);
  }
  const fields = await facetTerms.numberFields(names);
  const termOf = await facetTerms.makeTerms((visit) => {
    for (const { facets } of documents) {
      facets.forEach((values, name) => {
        const field = fields.get(name);
        if (field !== undefined) for (const value of values) visit(field, value);
      });
    }
  });
  const read = documents.map(wordsOfRecord);
  const numberOf = await numbers.make(read.flatMap(({ words }) => words));
  return documents.map((document, at) => ({
    id: document.id,
    record_type: kindCode(document.recordType),
    status: statusCode(document.status),
    collection_status: collectionStatusCode(document.collectionStatus),
    terms: arrangedTerms(document, fields, termOf),
    // a GIN index takes sorted numbers in three quarters of the time
    words: Int32Array.from(read[at]!.words, numberOf).sort(),
    text: read[at]!.text,
    ranges: spansOf(document, fields),
  }));
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

/** Facet values in the arrangement that `first-values.ts` describes. */
function arrangedTerms(
  document: SearchDocument,
  fields: ReadonlyMap<string, number>,
  termOf: TermOf,
): number[] {
  const terms = new Array<number>(FIRST_VALUES).fill(0);
  document.facets.forEach((values, name) => {
    const field = fields.get(name);
    if (field === undefined) return;
    for (const value of values) {
      const term = termOf(field, value);
      if (field <= FIRST_VALUES && terms[field - 1] === 0) terms[field - 1] = term;
      else if (!terms.includes(term)) terms.push(term);
    }
  });
  return terms;
}

/** Writes to this set of tables or, without one, to the set that answers. */
export async function writeRows(sql: Sql, rows: readonly IndexRow[], tableSet?: TableSet): Promise<void> {
  const ids = rows.map((row) => row.id);
  await replaceRows(sql, tableSet, ids, async (tx, tables, isCounted) => {
    const old = await deleteRows(tx, tables, ids);
    const numbers = new Map(old.map(({ id, no }) => [id, no]));
    const ranges = rows.flatMap((row) => row.ranges.map((range) => ({ id: row.id, ...range })));
    const column = (of: (row: IndexRow) => string | number) => plainArray(rows.map(of));
    // sent together, because each answer that is waited for takes long while the process is busy
    await Promise.all([
      tx`
        insert into ${tables.rows} (id, no, record_type, status, collection_status, terms, words)
        select x.id, case x.no when 0 then nextval(${tables.numbers}::regclass) else x.no end, x.record_type::"char",
          x.status::"char", x.collection_status::"char", x.terms::int[], x.words::int[]
        from unnest(${plainArray(ids)}::uuid[], ${column(({ id }) => numbers.get(id) ?? 0)}::int[],
          ${column((row) => row.record_type)}::text[], ${column((row) => row.status)}::text[],
          ${column((row) => row.collection_status)}::text[],
          ${lines(tx, rows, ({ terms }) => `{${terms.join()}}`)}, ${lines(tx, rows, ({ words }) => `{${words.join()}}`)})
          x(id, no, record_type, status, collection_status, terms, words)`,
      tx`
        insert into ${tables.texts} (id, words)
        select x.id, x.words::tsvector
        from unnest(${plainArray(ids)}::uuid[], ${textLines(tx, rows)}) x(id, words)`,
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

/** SQL: an array of texts without line breaks. Sent as one text, because the driver quotes arrays slowly. */
const lines = (sql: Sql | Tx, rows: readonly IndexRow[], of: (row: IndexRow) => string) =>
  sql`string_to_array(${rows.map(of).join("\n")}, e'\\n')`;

/** A blank stands for an empty text: PostgreSQL splits an empty text into no lines instead of one. */
export const textLines = (sql: Sql | Tx, rows: readonly IndexRow[]) =>
  lines(sql, rows, ({ text }) => text || " ");
