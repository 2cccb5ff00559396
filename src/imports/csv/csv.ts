/** Reads CSV (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180) as a stream of rows. Continues after a broken row. */

import { type Said, said } from "../../messages/said.ts";
import { checkDelimiter, detectDelimiter, SAMPLE, statedDelimiter } from "./delimiter.ts";
import { afterLineEnd, lineEnd, MAX_ROW, RowScanner } from "./row-scanner.ts";

/**
 * `line`: the line on which the row begins, from 1. `fault`: why the row is broken; `cells` then has what could be read.
 * `faulty`: why single cells cannot be read, by their index from 0.
 */
export type CsvRow = { line: number; cells: string[]; fault?: Said; faulty?: Map<number, Said> };

export const MAX_COLUMNS = 2_000;
/** Most cells of a row: two more for a rejects file, and one more to notice a row with too many. */
const MAX_CELLS = MAX_COLUMNS + 3;

const PARSED_ROWS = 500;
const BOM = "\u{feff}";

/**
 * Reads the rows of a CSV text in batches, without empty lines. Holds one chunk and one unfinished row in memory, never the
 * whole file. Detects the delimiter from the first rows if none is given, and calls `onDelimiter` with it. Cells are slices of
 * the text: copy those that you keep for long, or V8 keeps the whole chunks.
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  options: { delimiter?: string; onDelimiter?(delimiter: string): void } = {},
): AsyncGenerator<CsvRow[], void, undefined> {
  if (options.delimiter !== undefined) checkDelimiter(options.delimiter);
  let reader: RowReader | undefined;
  let sample = "";
  for await (const chunk of text) {
    if (reader === undefined) {
      sample += chunk;
      if (sample.length < SAMPLE) continue;
      reader = startReader(sample, options, false);
    } else {
      reader.add(chunk);
    }
    yield* reader.batches(false);
  }
  reader ??= startReader(sample, options, true);
  yield* reader.batches(true);
}

function startReader(
  sample: string,
  options: { delimiter?: string; onDelimiter?(delimiter: string): void },
  whole: boolean,
): RowReader {
  let at = sample.startsWith(BOM) ? 1 : 0;
  let line = 1;
  const stated = statedDelimiter(sample.slice(at, at + 8));
  const delimiter = options.delimiter ?? stated?.delimiter ?? detectDelimiter(sample.slice(at), whole);
  at += stated?.next ?? 0;
  line += stated ? 1 : 0;
  options.onDelimiter?.(delimiter);
  const reader = new RowReader(delimiter, line);
  reader.add(at === 0 ? sample : sample.slice(at));
  return reader;
}

class RowReader {
  readonly #scanner: RowScanner;
  #text = "";
  #at = 0;
  #line: number;
  #skipping = false;
  /** The length of text at which an unfinished row is scanned again. It doubles each time, so that small chunks are not slow. */
  #enough = 0;

  constructor(delimiter: string, line: number) {
    this.#scanner = new RowScanner(delimiter);
    this.#line = line;
  }

  add(chunk: string): void {
    this.#text += chunk;
  }

  *batches(last: boolean): Generator<CsvRow[], void, undefined> {
    if (!last && this.#text.length < this.#enough) return;
    let batch: CsvRow[] = [];
    while (this.#at < this.#text.length) {
      if (this.#skipping && !this.#skipLine(last)) break;
      if (this.#at === this.#text.length) break;
      const row = this.#row(last);
      if (row === undefined) break;
      if (row !== null) batch.push(row);
      if (batch.length < PARSED_ROWS) continue;
      yield batch;
      batch = [];
    }
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
    this.#enough = this.#text.length * 2;
    if (batch.length > 0) yield batch;
  }

  /** The next row; null for an empty line, undefined if more text is needed. */
  #row(last: boolean): CsvRow | null | undefined {
    const scanner = this.#scanner;
    const from = this.#at;
    const scanned = scanner.scan(this.#text, from, last);
    if (scanned === "more") return undefined;
    const { cells } = scanner;
    const line = this.#line;
    this.#line += scanner.lines;
    this.#skipping = scanner.next < 0;
    this.#at = this.#skipping ? from + MAX_ROW : scanner.next;
    if (scanned === "fault") return { line, cells, fault: scanner.fault };
    if (cells.length > MAX_CELLS) {
      const fault = said("fault.row.many_cells", { count: cells.length, most: MAX_COLUMNS });
      return { line, cells: cells.slice(0, MAX_CELLS), fault };
    }
    if (cells.length === 1 && cells[0] === "" && this.#text.charCodeAt(from) !== 34) return null;
    return { line, cells };
  }

  /** Drops the rest of a line that is too long. Its line end is already counted. Returns false if more text is needed. */
  #skipLine(last: boolean): boolean {
    const stop = lineEnd(this.#text, this.#at);
    if (stop < 0 || (stop + 1 === this.#text.length && !last)) {
      this.#at = stop < 0 ? this.#text.length : stop;
      return false;
    }
    this.#at = afterLineEnd(this.#text, stop);
    this.#skipping = false;
    return true;
  }
}
