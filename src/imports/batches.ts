/** The rows of a file in batches, each with its number. */
import type { ImportRow } from "./row.ts";
import type { NumberedRow } from "./ties.ts";

/** Rows in one transaction: long enough to be quick, short enough that others hardly wait. */
export const BATCH = 400;
/** Characters after which a batch ends before, as records in XML may be long. */
export const MOST_TEXT = 4_000_000;

/** `wanted`: of which rows; all when it is left out. `most`: rows in a batch. */
export async function* batchesOf(
  pieces: AsyncIterable<ImportRow[]>,
  wanted: (number: number) => boolean = () => true,
  most: number = BATCH,
): AsyncGenerator<NumberedRow[]> {
  let waiting: NumberedRow[] = [];
  let number = 0;
  let text = 0;
  for await (const rows of pieces) {
    for (const row of rows) {
      number += 1;
      if (!wanted(number)) continue;
      waiting.push({ number, row });
      text += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      // what XPaths give is a text of its own
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
