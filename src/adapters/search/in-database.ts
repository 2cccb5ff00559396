/**
 * The search index in the service's own database: one narrow table beside the records, with a weighted word list,
 * the facet values as numbers, and counts that every write keeps exact. Measured in docs/architecture.md.
 */
import type { SearchDocument, SearchIndex, Sql, Tx } from "../../services.ts";
import { createDictionary, type Dictionary, termKey } from "./dictionary.ts";
import { findInDatabase } from "./find.ts";
import { collectionStatusLetter, kindLetter, statusLetter } from "./letters.ts";
import { furtherTerm, SLOTS } from "./slots.ts";
import { tsvectorText } from "./words.ts";

type Row = {
  id: string;
  record_type: string;
  status: string;
  collection_status: string;
  terms: number[];
};

export function inDatabaseSearch(sql: Sql): SearchIndex {
  const dictionary = createDictionary(sql);
  return {
    async put(documents) {
      if (documents.length === 0) return;
      const rows = await indexRows(dictionary, documents);
      await replacing(sql, (tx) => replaceRows(tx, rows));
    },
    async remove(ids) {
      await replacing(sql, async (tx) => countChanges(tx, await takeRows(tx, ids), []));
    },
    find: (query) => findInDatabase(sql, dictionary, query),
    async ping() {
      await sql`select id from record_search limit 1`;
    },
  };
}

type IndexRow = Row & { words: string };

async function indexRows(dictionary: Dictionary, documents: readonly SearchDocument[]): Promise<IndexRow[]> {
  const names = new Set(documents.flatMap((document) => [...document.facets.keys()]));
  const fields = await dictionary.numberFields(names);
  const values = documents.flatMap((document) =>
    [...document.facets].flatMap(([name, all]) => {
      const field = fields.get(name);
      return field === undefined ? [] : all.map((value) => ({ field, value }));
    }),
  );
  const terms = await dictionary.makeTerms(values);
  return documents.map((document) => ({
    id: document.id,
    record_type: kindLetter(document.recordType),
    status: statusLetter(document.status),
    collection_status: collectionStatusLetter(document.collectionStatus),
    terms: placed(document, fields, terms),
    words: tsvectorText(document),
  }));
}

/** First values at the place of their field, all others behind; 0 where there is none. */
function placed(
  document: SearchDocument,
  fields: ReadonlyMap<string, number>,
  terms: ReadonlyMap<string, number>,
): number[] {
  const places = new Array<number>(SLOTS).fill(0);
  for (const [name, values] of document.facets) {
    const field = fields.get(name);
    if (field === undefined) continue;
    for (const value of values) {
      const term = terms.get(termKey(field, value))!;
      if (field <= SLOTS && places[field - 1] === 0) places[field - 1] = term;
      else if (!places.includes(term)) places.push(term);
    }
  }
  return places;
}

/**
 * Rows are taken out and put in again. When two projections of one record cross, one of them meets the other's fresh
 * row (23505) and begins again with it in sight, so that the counts stay exact.
 */
async function replacing(sql: Sql, work: (tx: Tx) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.begin(async (tx) => {
        // the outbox repeats what a crash loses, so this transaction need not wait for the disk
        await tx`set local synchronous_commit to off`;
        await work(tx);
      });
      return;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt >= 5 || (code !== "23505" && code !== "40P01")) throw error;
    }
  }
}

async function replaceRows(tx: Tx, rows: readonly IndexRow[]): Promise<void> {
  const old = await takeRows(
    tx,
    rows.map((row) => row.id),
  );
  const sent = rows.map((row) => ({ ...row, terms: `{${row.terms.join(",")}}` }));
  await tx`
    insert into record_search (id, record_type, status, collection_status, terms, words)
    select x.id, x.record_type::"char", x.status::"char", x.collection_status::"char", x.terms::int[],
      x.words::tsvector
    from json_to_recordset(${tx.json(sent)}::json) as x(id uuid, record_type text, status text,
      collection_status text, terms text, words text)`;
  await countChanges(tx, old, rows);
}

async function takeRows(tx: Tx, ids: readonly string[]): Promise<Row[]> {
  return tx<Row[]>`
    delete from record_search where id = any(${ids as string[]})
    returning id, record_type, status, collection_status, terms`;
}

async function countChanges(tx: Tx, before: readonly Row[], after: readonly Row[]): Promise<void> {
  const changes = new Map<
    string,
    { term: number; record_type: string; status: string; collection_status: string; n: number }
  >();
  const count = (row: Row, n: number) => {
    // term 0 stands for the record itself, a field's number without a value for its further values
    const further = row.terms.slice(SLOTS).map((term) => furtherTerm(term >> 24));
    for (const term of new Set([0, ...row.terms, ...further])) {
      const key = `${term} ${row.record_type}${row.status}${row.collection_status}`;
      const change = changes.get(key);
      if (change) change.n += n;
      else
        changes.set(key, {
          term,
          record_type: row.record_type,
          status: row.status,
          collection_status: row.collection_status,
          n,
        });
    }
  };
  for (const row of before) count(row, -1);
  for (const row of after) count(row, 1);
  const real = [...changes.values()].filter((change) => change.n !== 0);
  if (real.length === 0) return;
  // one order for all writers, so that two never wait for each other
  await tx`
    insert into search_counts (term, record_type, status, collection_status, n)
    select x.term, x.record_type::"char", x.status::"char", x.collection_status::"char", x.n
    from json_to_recordset(${tx.json(real)}::json)
      as x(term int, record_type text, status text, collection_status text, n int)
    order by 1, 2, 3, 4
    on conflict (term, record_type, status, collection_status) do update set n = search_counts.n + excluded.n`;
}
