/** Finds the delimiter of a CSV file: Excel writes semicolons in most of Europe, databases write tabs. */
import { said } from "../../messages/said.ts";
import { invalid } from "../../problem.ts";
import { RowScanner } from "./row-scanner.ts";

/** Most characters and rows that are read to detect it. */
export const SAMPLE = 65_536;
const ROWS = 50;

export const CANDIDATES = [",", ";", "\t", "|"];

export function checkDelimiter(delimiter: string): void {
  if (delimiter.length === 1 && !'"\r\n'.includes(delimiter)) return;
  const detail = said("fault.file.delimiter");
  throw invalid([{ pointer: "/delimiter", detail }], detail);
}

/** The delimiter in Excel's first line `sep=;`, and the position after that line. The option `delimiter` takes precedence. */
export function statedDelimiter(sample: string): { delimiter: string; next: number } | null {
  const line = /^sep=([^"\r\n])(?:\r\n|\r|\n)/i.exec(sample);
  return line ? { delimiter: line[1]!, next: line[0].length } : null;
}

/**
 * The candidate with which the most rows have as many cells as the first row. Among equals, the one with the fewest quotes
 * inside unquoted cells, because the right delimiter leaves none; then the one with the most cells. A comma by default.
 */
export function detectDelimiter(sample: string, whole: boolean): string {
  let best = { delimiter: ",", even: 0, stray: 0, cells: 1 };
  for (const delimiter of CANDIDATES) {
    const { rows, stray } = firstRows(sample, delimiter, whole);
    const cells = rows[0]?.length ?? 1;
    if (cells < 2) continue;
    const even = rows.filter((row) => row.length === cells).length / rows.length;
    const better = even - best.even || best.stray - stray || cells - best.cells;
    if (better > 0) best = { delimiter, even, stray, cells };
  }
  return best.delimiter;
}

/** The first rows; a broken row has no cells. `stray`: quotes inside unquoted cells. */
function firstRows(sample: string, delimiter: string, whole: boolean): { rows: string[][]; stray: number } {
  const scanner = new RowScanner(delimiter);
  const rows: string[][] = [];
  let stray = 0;
  for (let at = 0; at < sample.length && rows.length < ROWS; at = scanner.next) {
    const scanned = scanner.scan(sample, at, whole);
    if (scanned === "more" || scanner.next < 0) break;
    const { cells, doubled } = scanner;
    stray += cells.filter((cell) => cell.includes('"')).length - doubled;
    if (cells.length > 1 || cells[0] !== "") rows.push(scanned === "row" ? cells : []);
  }
  return { rows, stray };
}
