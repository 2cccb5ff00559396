/** Cells of CSV (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180): quotes, formulas, and the values in cells of our own lists. */

/** Cells with a possible delimiter, with blanks that a program might trim, or with Excel's `sep=`. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$|^sep=/i;

/** One line of CSV with its line end. `readCsv` gives the same cells again. */
export function writeCsvRow(cells: readonly string[], delimiter = ","): string {
  if (cells.length === 1 && cells[0] === "") return '""\r\n';
  let line = "";
  for (const [index, cell] of cells.entries()) {
    if (index > 0) line += delimiter;
    line += NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
  return `${line}\r\n`;
}

/** What parts the columns in spreadsheets of this language. */
export const delimiterFor = (language: string): string => (language === "en" ? "," : ";");

/** Cells that a spreadsheet would run as formulas, which may send data to strangers. Numbers and years (-5, -0044) are safe. */
const FORMULA = /^(?![+-]?(?:\d+(?:[.,]\d+)?)?$)[=@+\-\t\r]/;
const WITH_APOSTROPHE = /^'+[=@+\-\t\r]/;

/** Puts an apostrophe before a formula, which makes it a text; also before a text that looks like one with an apostrophe. */
export function withApostrophe(cell: string): string {
  return FORMULA.test(cell) || WITH_APOSTROPHE.test(cell) ? `'${cell}` : cell;
}

/** For a file whose texts are never formulas: only what `withoutApostrophe` would change gets an apostrophe. */
export const guarded = (cell: string): string => (WITH_APOSTROPHE.test(cell) ? `'${cell}` : cell);

/** Removes the apostrophe that `withApostrophe` has put before a cell. */
export function withoutApostrophe(cell: string): string {
  return WITH_APOSTROPHE.test(cell) ? cell.slice(1) : cell;
}

/** A quotation that begins with a sign, such as `'+ ANNO 1756'`, ends with another apostrophe. */
const FROM_EXPORT = /^'(?:'+[=@+\-\t\r]|[=@+\-\t\r](?!.*'(?![\p{L}\p{N}])))/su;

/**
 * Removes the apostrophe that exports, ours and those of other systems, put before a formula. It would make a year before
 * Christ unreadable, and each export and import would add another one.
 */
export function withoutExportApostrophe(cell: string): string {
  return FROM_EXPORT.test(cell) ? cell.slice(1) : cell;
}

/** What separates the values of a cell in our own lists, without the blanks around it. */
export const SEPARATOR = "|";

/** Beside the delimiter: the backslash, and what begins formulas. */
const ESCAPED = "\\|=@+-'";

const protectedBlanks = (value: string): string => (value === value.trim() ? value : `\\.${value}\\.`);

/**
 * Values as a cell of our own lists, before quotes, so that they return exactly: separated by ` | `, with a backslash before
 * each `|` and `\` of a value. `\.` stands for nothing; it protects blanks at the ends of a value.
 */
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
