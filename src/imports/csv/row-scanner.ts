/**
 * Reads one row of CSV at a time. The libraries tried in November 2026 do not suit: papaparse has no back-pressure and no line
 * numbers, csv-parse needs Buffer and loses rows after an unclosed quote, web-csv-toolbox reads 3 MB/s and stops at a fault.
 */
import { type Said, said } from "../../messages/said.ts";

/** Most characters of a row, so that an unclosed quote does not swallow the rest of the file. */
export const MAX_ROW = 1_048_576;

const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;

/** `row`: `cells` has a complete row. `fault`: the row is broken, as `fault` says. `more`: the text ends within the row. */
type Scanned = "row" | "fault" | "more";

type Broken = "quote_open" | "quote_early" | "too_long";

export class RowScanner {
  cells: string[] = [];
  fault: Said | undefined;
  /** Where the next row begins; -1 if the rest of a too long line must be skipped first. */
  next = 0;
  /** How many lines the row takes up in the file. */
  lines = 1;
  /** How many cells contain a correctly doubled quote. */
  doubled = 0;
  readonly #delimiter: number;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Reads the row that begins at `from`. `last`: no text follows. The result does not depend on how the text was cut into chunks. */
  scan(text: string, from: number, last: boolean): Scanned {
    const delimiter = this.#delimiter;
    const bound = from + MAX_ROW + 1;
    const size = Math.min(text.length, bound);
    this.cells = [];
    this.lines = 1;
    this.doubled = 0;
    for (let i = from; ; i++) {
      const cell = i;
      let value: string;
      let code = -1;
      if (text.charCodeAt(i) === QUOTE) {
        let begin = i + 1;
        let quote = text.indexOf('"', begin);
        value = "";
        while (quote >= 0 && quote + 1 < size && text.charCodeAt(quote + 1) === QUOTE) {
          value += text.slice(begin, quote + 1);
          begin = quote + 2;
          quote = text.indexOf('"', begin);
        }
        if (quote < 0 || quote >= size) return this.#unfinished(text, cell, bound, last, "quote_open");
        if (begin > cell + 1) this.doubled++;
        value += text.slice(begin, quote);
        i = quote + 1;
        while (i < size && text.charCodeAt(i) === SPACE && SPACE !== delimiter) i++;
        if (i < size) {
          code = text.charCodeAt(i);
          if (code !== delimiter && code !== LF && code !== CR)
            return this.#broken(text, cell, bound, last, "quote_early");
        } else if (!last || i === bound) {
          return this.#unfinished(text, cell, bound, last, "quote_open");
        }
        this.lines += countLineEnds(text, cell, quote);
      } else {
        while (i < size) {
          code = text.charCodeAt(i);
          if (code === delimiter || code === LF || code === CR) break;
          i++;
        }
        if (i === size && (!last || i === bound))
          return this.#unfinished(text, cell, bound, last, "too_long");
        value = text.slice(cell, i);
      }
      this.cells.push(value);
      if (i < size && code === delimiter) continue;
      this.next = i + 1;
      if (code === CR && i < size) {
        if (i + 1 === text.length && !last) return "more";
        if (text.charCodeAt(i + 1) === LF) this.next = i + 2;
      } else if (i >= size) {
        this.next = text.length;
      }
      return "row";
    }
  }

  #unfinished(text: string, cell: number, bound: number, last: boolean, why: Broken): Scanned {
    if (text.length < bound && !last) return "more";
    return this.#broken(text, cell, bound, last, text.length < bound ? why : "too_long");
  }

  /**
   * Ends a broken row with the line on which the broken cell begins, so that reading continues on the next line. The cells
   * before it stay, and the rest of the line becomes the last cell. If the line is too long, no cells are kept.
   */
  #broken(text: string, cell: number, bound: number, last: boolean, why: Broken): Scanned {
    const number = this.cells.length + 1;
    this.fault =
      why === "too_long" ? said("fault.row.too_long") : said(`fault.row.${why}`, { cell: String(number) });
    const stop = lineEnd(text, cell, Math.min(text.length, bound));
    if (stop < 0) {
      if (text.length < bound && !last) return "more";
      const whole = text.length < bound;
      if (whole) this.cells.push(text.slice(cell));
      else this.cells = [];
      this.next = whole ? text.length : -1;
      return "fault";
    }
    if (stop + 1 === text.length && !last) return "more";
    this.cells.push(text.slice(cell, stop));
    this.next = afterLineEnd(text, stop);
    return "fault";
  }
}

/** The position of the first LF or CR between `from` and `to`, or -1. */
export function lineEnd(text: string, from: number, to = text.length): number {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || code === CR) return i;
  }
  return -1;
}

/** The position after the line end at `at`; CR LF is one line end. */
export function afterLineEnd(text: string, at: number): number {
  return text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) count++;
  }
  return count;
}
