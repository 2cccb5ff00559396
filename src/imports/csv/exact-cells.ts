/**
 * Values in the cells of our own lists (`lists/table.ts`), so that they return exactly: separated by ` | `, with a backslash before
 * each `|` and `\` of a value. `\.` stands for nothing; it protects blanks at the ends of a value.
 */
import { withApostrophe, withoutExportApostrophe } from "./rejects.ts";

/** What separates the values, without the blanks around it. */
export const SEPARATOR = "|";

/** Beside the delimiter: the backslash, and what begins formulas. */
const ESCAPED = "\\|=@+-'";

const protectedBlanks = (value: string): string => (value === value.trim() ? value : `\\.${value}\\.`);

/** The cell, before quotes. */
export function cellOf(values: readonly string[]): string {
  const cell = values.map((value) => protectedBlanks(value.replace(/[\\|]/g, "\\$&"))).join(` ${SEPARATOR} `);
  // the apostrophe before a formula would stay if the rest looks like a quotation
  return withoutExportApostrophe(withApostrophe(cell)) === cell ? cell : `\\${cell}`;
}

/** The parts of a cell, each as it is written there. */
export function partsOf(cell: string, delimiter: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < cell.length; ) {
    if (cell[at] === "\\") at += 2;
    else if (cell.startsWith(delimiter, at)) {
      parts.push(cell.slice(from, at));
      at += delimiter.length;
      from = at;
    } else at += 1;
  }
  return [...parts, cell.slice(from)];
}

/** The value of a part. A backslash before any other character is a backslash: somebody may have typed a path. */
export const unescaped = (part: string, delimiter: string): string =>
  part.trim().replace(/\\(.)/gs, (typed, next: string) => {
    if (next === ".") return "";
    return next === delimiter[0] || ESCAPED.includes(next) ? next : typed;
  });
