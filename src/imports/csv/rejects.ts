/**
 * Writes the rejects file of a CSV import: the rows that were refused, or imported without a link, with two additional columns for line and reason. When corrected, it can
 * be imported with the same mapping, which ignores these two columns.
 */
import { said, type Told } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import { withApostrophe, writeCsvRow } from "../../text/csv-cells.ts";
import { CANDIDATES } from "./delimiter.ts";

export const LINE = "_line";
export const REASON = "_reason";

/** A row to be written. `fault`: why it could not be read. */
export type Reject = { line: number; cells: readonly string[]; fault?: Told };

/** The text of a rejects file: `head`, a `row` for each reject, `tail`. */
export type RejectsWriter = {
  head: string;
  /** `tell`: says it to the reader of the file. */
  row(reject: Reject, reasons: readonly Told[], tell: (told: Told) => string): string;
  tail?(): string;
};

/** Whether a file with this header is a rejects file. */
export function isRejects(header: readonly string[]): boolean {
  return header[0] === LINE && header[1] === REASON;
}

/**
 * How many of the first cells of a row in a rejects file are its line and reason. None if the row is the rest of a broken row; only
 * the line if the quotes of the reason are broken, since the other cells are then inside the reason.
 */
export function earlierCells(header: readonly string[], cells: readonly string[]): 0 | 1 | 2 {
  if (!isRejects(header) || !/^\d*$/.test(cells[0] ?? "")) return 0;
  return cells.length < 2 || (cells.length === 2 && cells[1]!.startsWith('"')) ? 1 : 2;
}

/** Added to a row that could not be read but has as many cells as the header; without it, the row would be imported uncorrected. */
const UNMENDED = said("job.rejects.unmended");

/**
 * The columns are `_line` and `_reason`, then those of the file; if the file is a rejects file itself, its two are replaced. A row
 * that could not be read keeps its number of cells, so that it is refused again until it is corrected. The delimiter is that of
 * the file if it is a usual one, so that the same spreadsheet opens both; for a workbook, that of the reader's language.
 */
export function rejectsWriter(header: readonly string[], fileDelimiter = ","): RejectsWriter {
  const delimiter = CANDIDATES.includes(fileDelimiter) ? fileDelimiter : ",";
  const isOwn = (index: number) => header[index] !== LINE && header[index] !== REASON;
  const names = header.filter((_, index) => isOwn(index));
  return {
    // spreadsheets take a file without a byte order mark for Windows-1252
    head: `\uFEFF${writeCsvRow([LINE, REASON, ...names].map(withApostrophe), delimiter)}`,
    row({ line, cells, fault }, reasons, tell) {
      const own =
        fault === undefined
          ? header.flatMap((_, index) => (isOwn(index) ? [cells[index] ?? ""] : []))
          : isRejects(header)
            ? cells.slice(earlierCells(header, cells))
            : cells.filter((_, index) => isOwn(index));
      if (fault !== undefined && own.length === names.length) own.push(tell(UNMENDED));
      return writeCsvRow([String(line), reasons.map(tell).join("; "), ...own].map(withApostrophe), delimiter);
    },
  };
}

/** A fault as a sentence, with the name of the field instead of a JSON pointer. */
export function reasonOf({ pointer, detail }: Fault): Told {
  const [first, ...more] = pointer.split("/").slice(1);
  const name = first === "metadata_" ? more[0] : first?.replace(/_id$/, "");
  if (!name || detail.values?.field === name) return detail;
  return said("fault.of_field", { field: name, fault: detail });
}
