/**
 * The rejects file: refused rows as they were, after their line and the reason. When corrected, it can be imported with
 * the same mapping, which ignores the two additional columns.
 */
import type { Fault } from "../problem.ts";
import { writeCsvRow } from "./csv.ts";
import { CANDIDATES } from "./delimiter.ts";

export const LINE = "_line";
export const REASON = "_reason";

/** What a spreadsheet takes for a formula, which may send what it reads to strangers; not a number or a year (-5, -0044). */
const FORMULA = /^(?![+-]?(?:\d+(?:[.,]\d+)?)?$)[=@+\-\t\r]/;
const DISARMED = /^'+[=@+\-\t\r]/;

/** An apostrophe before a formula makes a text of it. One that was there already has another before it. */
export function disarmed(cell: string): string {
  return FORMULA.test(cell) || DISARMED.test(cell) ? `'${cell}` : cell;
}

/** The cell of a rejects file as it stood in the file that was imported. */
export function armed(cell: string): string {
  return DISARMED.test(cell) ? cell.slice(1) : cell;
}

/** Gives the text of the file: `head` first, then a `row` for each reject, and `tail`. */
export type RejectsWriter = {
  head: string;
  /** `tell`: puts what the row says in words of its own into another language. */
  row(
    reject: { line: number; cells: readonly string[]; fault?: string },
    reasons: readonly string[],
    tell?: (sentence: string) => string,
  ): string;
  tail?(): string;
};

/** Whether a file with this header is a rejects file. */
export function isRejects(header: readonly string[]): boolean {
  return header[0] === LINE && header[1] === REASON;
}

/**
 * How many of a row's first cells are the line and the reason of an earlier round. None, when the row is the rest of a
 * broken one; a reason whose quotes are broken has the row's own cells in it.
 */
export function cellsOfEarlier(header: readonly string[], cells: readonly string[]): 0 | 1 | 2 {
  if (!isRejects(header) || !/^\d*$/.test(cells[0] ?? "")) return 0;
  return cells.length < 2 || (cells.length === 2 && cells[1]!.startsWith('"')) ? 1 : 2;
}

/** The last cell of a row that could not be read and yet has as many cells as the header: without it, it would pass. */
const UNMENDED = "mend this row and delete this cell";

/**
 * The columns are `_line` and `_reason`, then those of the file; the two of an earlier round are replaced. A row that
 * could not be read keeps as many cells as it had, so that it is refused again until it is mended. Parted as the file
 * was, when by one of the usual delimiters: the same spreadsheet opens both, and none computes what looks like a formula.
 */
export function rejectsWriter(header: readonly string[], parted = ","): RejectsWriter {
  const delimiter = CANDIDATES.includes(parted) ? parted : ",";
  const isOwn = (index: number) => header[index] !== LINE && header[index] !== REASON;
  const names = header.filter((_, index) => isOwn(index));
  return {
    // spreadsheets take a file without a byte order mark for Windows-1252
    head: `\uFEFF${writeCsvRow([LINE, REASON, ...names].map(disarmed), delimiter)}`,
    row({ line, cells, fault }, reasons, tell = (sentence) => sentence) {
      const own =
        fault === undefined
          ? header.flatMap((_, index) => (isOwn(index) ? [cells[index] ?? ""] : []))
          : isRejects(header)
            ? cells.slice(cellsOfEarlier(header, cells))
            : cells.filter((_, index) => isOwn(index));
      if (fault !== undefined && own.length === names.length) own.push(tell(UNMENDED));
      return writeCsvRow([String(line), reasons.join("; "), ...own].map(disarmed), delimiter);
    },
  };
}

/** A fault as a registrar reads it: the field's name instead of a pointer into JSON. */
export function reasonOf({ pointer, detail }: Fault): string {
  const [first, ...more] = pointer.split("/").slice(1);
  const name = first === "metadata_" ? more[0] : first?.replace(/_id$/, "");
  return !name || detail.startsWith(name) ? detail : `${name}: ${detail}`;
}
