/** Turns records into rows of the index, and writes and removes these in one of its two sets of tables. */
import { plainArray } from "../../../ids.ts";
import type { SearchDocument } from "../../../ports/search-index.ts";
import type { Sql, Tx } from "../../../services.ts";
import type { FacetTerms, TermOf } from "../snapshot/facet-terms.ts";
import { FIRST_VALUES } from "../snapshot/read-snapshot.ts";
import { collectionStatusCode, kindCode, statusCode } from "./packed-rows.ts";
import { noteChange, type TableSet, type Tables, tablesOf } from "./table-sets.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { wordsOfRecord } from "./words.ts";

type IndexRow = {
  id: string;
  record_type: string;
  status: string;
  collection_status: string;
  terms: number[];
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
  const values: [number, string][] = [];
  for (const { facets } of documents)
    for (const [field, all] of numbered(facets, fields)) for (const value of all) values.push([field, value]);
  const termOf = await facetTerms.makeTerms(values);
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
    ranges: numbered(document.ranges, fields).flatMap(([field_no, spans]) =>
      spans.map(({ from, to }) => ({ field_no, low: from, high: to })),
    ),
  }));
}

/** What each field has, with the number of the field. Leaves out fields without a number: the index has at most 127. */
function numbered<T>(all: ReadonlyMap<string, T>, fields: ReadonlyMap<string, number>): [number, T][] {
  return Array.from(all, ([name, own]): [number, T] => [fields.get(name) ?? 0, own]).filter(([no]) => no > 0);
}

/** Facet values in the arrangement that `FIRST_VALUES` describes. */
function arrangedTerms(
  document: SearchDocument,
  fields: ReadonlyMap<string, number>,
  termOf: TermOf,
): number[] {
  const terms = new Array<number>(FIRST_VALUES).fill(0);
  for (const [field, values] of numbered(document.facets, fields)) {
    for (const value of values) {
      const term = termOf(field, value);
      if (field <= FIRST_VALUES && terms[field - 1] === 0) terms[field - 1] = term;
      else if (!terms.includes(term)) terms.push(term);
    }
  }
  return terms;
}

/**
 * Writes to this set of tables or, without one, to the set that answers. A record keeps its number. If several processes write
 * one record, each waits at the first statement for those before it; all use the same order, so that no two block each other.
 */
export async function writeRows(sql: Sql, rows: readonly IndexRow[], tableSet?: TableSet): Promise<void> {
  const ids = plainArray(rows.map((row) => row.id));
  await inTables(sql, tableSet, ids, async (tx, tables) => {
    const ranges = rows.flatMap((row) => row.ranges.map((range) => ({ id: row.id, ...range })));
    const column = (of: (row: IndexRow) => string) => plainArray(rows.map(of));
    const ofRanges = (of: (range: (typeof ranges)[number]) => string | number) => plainArray(ranges.map(of));
    // sent together, because each answer that is waited for takes long while the process is busy
    await Promise.all([
      tx`
        insert into ${tables.rows} (id, no, record_type, status, collection_status, terms, words)
        select x.id, coalesce((select k.no from ${tables.rows} k where k.id = x.id), nextval(${tables.numbers}::regclass)),
          x.record_type::"char", x.status::"char", x.collection_status::"char", x.terms::int[], x.words::int[]
        from unnest(${ids}::uuid[], ${column((row) => row.record_type)}::text[],
          ${column((row) => row.status)}::text[], ${column((row) => row.collection_status)}::text[],
          ${lines(tx, rows, ({ terms }) => `{${terms.join()}}`)}, ${lines(tx, rows, ({ words }) => `{${words.join()}}`)})
          x(id, record_type, status, collection_status, terms, words)
        order by x.id
        on conflict (id) do update set record_type = excluded.record_type, status = excluded.status,
          collection_status = excluded.collection_status, terms = excluded.terms, words = excluded.words`,
      tx`
        insert into ${tables.texts} (id, words)
        select x.id, x.words::tsvector from unnest(${ids}::uuid[], ${textLines(tx, rows)}) x(id, words)
        on conflict (id) do update set words = excluded.words`,
      tx`delete from ${tables.ranges} where id = any(${ids}::uuid[])`,
      ranges.length > 0 &&
        tx`
          insert into ${tables.ranges} (id, field_no, low, high)
          select * from unnest(${ofRanges(({ id }) => id)}::uuid[], ${ofRanges((range) => range.field_no)}::smallint[],
            ${ofRanges(({ low }) => low)}::double precision[], ${ofRanges(({ high }) => high)}::double precision[])`,
    ]);
  });
}

/** Removes records from this set of tables or, without one, from the set that answers. */
export async function removeRows(sql: Sql, removed: readonly string[], tableSet?: TableSet): Promise<void> {
  const ids = plainArray(removed);
  await inTables(sql, tableSet, ids, (tx, tables) =>
    Promise.all([
      tx`
        with locked as (select id from ${tables.rows} where id = any(${ids}::uuid[]) order by id for update)
        delete from ${tables.rows} r using locked where r.id = locked.id`,
      tx`delete from ${tables.texts} where id = any(${ids}::uuid[])`,
      tx`delete from ${tables.ranges} where id = any(${ids}::uuid[])`,
    ]),
  );
}

async function inTables(
  sql: Sql,
  tableSet: TableSet | undefined,
  ids: string,
  work: (tx: Tx, tables: Tables) => Promise<unknown>,
): Promise<void> {
  await sql.begin(async (tx) => {
    const [, [state]] = await Promise.all([
      // after a crash the outbox repeats this, so the transaction need not wait for the disk
      tx`set local synchronous_commit to off`,
      // the swap of the two sets of tables waits for this lock, which all writers share
      tx<{ current: TableSet }[]>`select current from search_state for share`,
    ]);
    await work(tx, tablesOf(tx, tableSet ?? state!.current));
    if (tableSet === undefined) await noteChange(tx, ids);
  });
}

/** SQL: an array of texts without line breaks. Sent as one text, because the driver quotes arrays slowly. */
const lines = (sql: Sql | Tx, rows: readonly IndexRow[], of: (row: IndexRow) => string) =>
  sql`string_to_array(${rows.map(of).join("\n")}, e'\\n')`;

/** A blank stands for an empty text: PostgreSQL splits an empty text into no lines instead of one. */
export const textLines = (sql: Sql | Tx, rows: readonly IndexRow[]) =>
  lines(sql, rows, ({ text }) => text || " ");
