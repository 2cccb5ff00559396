/** Divides the rows of a file into batches and numbers them. */

import { toldText } from "../messages/said.ts";
import { yieldingRunner } from "../yielding.ts";
import type { ImportRow, MappedRow } from "./row.ts";
import type { NumberedRow } from "./row-references.ts";
import { VALUE_COST } from "./transforms.ts";

/**
 * How many rows are saved together: enough to be fast, and so few that other writers hardly wait. A batch is one transaction, or
 * several if rows have the same record, or if the database or a link refuses one.
 */
export const SAVED_ROWS = 400;
/** A batch with more characters than this ends early: XML records may be long. */
export const MOST_TEXT = 4_000_000;

/** Batches of rows with their mapped rows. `most`: rows per batch. */
export async function* mappedBatches(
  pieces: AsyncIterable<ImportRow[]>,
  map: (row: ImportRow) => MappedRow,
  most: number = SAVED_ROWS,
): AsyncGenerator<{ rows: NumberedRow[]; mapped: MappedRow[] }> {
  const yielding = yieldingRunner();
  const empty = () => ({ rows: [] as NumberedRow[], mapped: [] as MappedRow[] });
  let batch = empty();
  let number = 0;
  let text = 0;
  for await (const rows of pieces) {
    for (const row of rows) {
      number += 1;
      const mapped = await yielding(() => map(row));
      batch.rows.push({ number, row });
      batch.mapped.push(mapped);
      text += textIn(row) + lengthOf(mapped);
      if (batch.rows.length < most && text < MOST_TEXT) continue;
      yield batch;
      batch = empty();
      text = 0;
    }
  }
  if (batch.rows.length > 0) yield batch;
}

/** XPath results are texts of their own, not slices of the cells. */
function textIn({ cells, values }: ImportRow): number {
  const said = [...values.values()].flatMap((value) => (typeof value === "string" ? [] : value));
  return [...cells, ...said.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0);
}

/** The approximate length of a mapped row. */
function lengthOf({ fields, media, relations, faults, unread, doubted = [], unmatched }: MappedRow): number {
  const texts = [...Object.values(fields).flat(), ...relations, ...unread, ...doubted, ...unmatched].map(
    ({ value }) => value,
  );
  return [...texts, ...media, ...faults.map(toldText)].reduce(
    (sum, text) => sum + VALUE_COST + text.length,
    0,
  );
}
