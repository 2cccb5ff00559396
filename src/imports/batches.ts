/** Divides the rows of a file into batches and numbers them. */
import { type ImportRow, lengthOf, type MappedRow } from "./row.ts";
import type { NumberedRow } from "./row-references.ts";
import { yieldingRunner } from "./yielding.ts";

/**
 * How many rows are saved together: enough to be fast, and so few that other writers hardly wait. A batch is one transaction, or
 * several if rows have the same record, or if the database or a link refuses one.
 */
export const SAVED_ROWS = 400;
/** A batch with more characters than this ends early: XML records may be long. */
export const MOST_TEXT = 4_000_000;

/** `most`: rows per batch. */
async function* batchesOf(
  pieces: AsyncIterable<ImportRow[]>,
  most: number = SAVED_ROWS,
): AsyncGenerator<NumberedRow[]> {
  let waiting: NumberedRow[] = [];
  let number = 0;
  let text = 0;
  for await (const rows of pieces) {
    for (const row of rows) {
      number += 1;
      waiting.push({ number, row });
      text += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      // XPath results are texts of their own, not slices of the cells
      for (const said of row.values.values())
        if (typeof said !== "string") text += said.reduce((sum, one) => sum + one.text.length, 0);
      if (waiting.length === most || text >= MOST_TEXT) {
        yield waiting;
        waiting = [];
        text = 0;
      }
    }
  }
  if (waiting.length > 0) yield waiting;
}

/** Batches of rows with their mapped rows. A batch with much text is split. */
export async function* mappedBatches(
  batches: AsyncIterable<ImportRow[]>,
  map: (row: ImportRow) => MappedRow,
  most: number | undefined,
): AsyncGenerator<{ rows: NumberedRow[]; mapped: MappedRow[] }> {
  const yielding = yieldingRunner();
  for await (const batch of batchesOf(batches, most)) {
    let part = { rows: [] as NumberedRow[], mapped: [] as MappedRow[] };
    let text = 0;
    for (const numbered of batch) {
      const mapped = await yielding(() => map(numbered.row));
      part.rows.push(numbered);
      part.mapped.push(mapped);
      text += lengthOf(mapped);
      if (text < MOST_TEXT) continue;
      yield part;
      part = { rows: [], mapped: [] };
      text = 0;
    }
    if (part.rows.length > 0) yield part;
  }
}
