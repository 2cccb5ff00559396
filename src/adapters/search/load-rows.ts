/**
 * Writes many records at once into the index that is being built. It uses binary COPY, which costs the database a third
 * less than text. postgres.js does not report the end of a COPY, so the statement after it has to succeed.
 */
import type { SearchDocument } from "../../search-index.ts";
import type { Sql, Tx } from "../../services.ts";
import { BinaryRows, BinaryTexts } from "./binary-rows.ts";
import { countChanges, LoadRefused, replacing, takeRows } from "./change-place.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Place } from "./state.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { type IndexRows, rowsOf } from "./write-rows.ts";

/** What goes into the tables of a place. */
export type RowsToLoad = {
  counted: IndexRows["rows"];
  rows: Uint8Array;
  texts: Uint8Array;
  ranges: Uint8Array;
};

export async function rowsToLoad(
  dictionary: Dictionary,
  numbers: WordNumbers,
  documents: readonly SearchDocument[],
): Promise<RowsToLoad> {
  const texts = new BinaryTexts();
  const { rows, words } = await rowsOf(dictionary, numbers, documents, texts);
  return { counted: rows, rows: rowsAsData(rows, words), texts: texts.all(), ranges: rangesAsData(rows) };
}

function rowsAsData(rows: IndexRows["rows"], words: IndexRows["words"]): Uint8Array {
  const data = new BinaryRows();
  rows.forEach((row, at) => {
    data.row(6);
    data.uuid(row.id);
    data.letter(row.record_type);
    data.letter(row.status);
    data.letter(row.collection_status);
    data.integers(row.terms);
    data.integers(words[at]!);
  });
  return data.all();
}

function rangesAsData(rows: IndexRows["rows"]): Uint8Array {
  const data = new BinaryRows();
  for (const { id, ranges } of rows) {
    for (const { field_no, low, high } of ranges) {
      data.row(4);
      data.uuid(id);
      data.smallint(field_no);
      data.double(low);
      data.double(high);
    }
  }
  return data.all();
}

/** Records that are there already get a new number, which nobody asks for before the place answers. */
export async function loadRows(
  sql: Sql,
  { counted, rows, texts, ranges }: RowsToLoad,
  place: Place,
): Promise<void> {
  const ids = counted.map(({ id }) => id);
  await replacing(sql, place, ids, async (tx, tables, isCounted) => {
    const old = await takeRows(tx, tables, ids);
    const columns = tx`(id, record_type, status, collection_status, terms, words)`;
    await load(tx, tx`copy ${tables.rows} ${columns} from stdin (format binary)`, rows);
    await load(tx, tx`copy ${tables.texts} (id, words) from stdin (format binary)`, texts);
    await load(tx, tx`copy ${tables.ranges} (id, field_no, low, high) from stdin (format binary)`, ranges);
    if (isCounted) await countChanges(tx, tables, old, counted);
  });
}

async function load(tx: Tx, statement: ReturnType<Tx>, data: Uint8Array): Promise<void> {
  const into = await statement.writable();
  // said by the statement behind it, as postgres.js does not tell what became of the copy itself
  into.on("error", () => undefined);
  await new Promise<void>((done) => into.write(data, () => done()));
  into.end();
  await tx`select`.catch((error) => {
    throw (error as { code?: unknown }).code === "25P02" ? new LoadRefused(error) : error;
  });
}
