/**
 * Writes the rejects file of a CSV import: the rows that were refused, or imported without a link, with two more columns for
 * line and reason. Once corrected, it can be imported with the same mapping, which ignores these two columns.
 */
import { said, type Told } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import { withApostrophe, writeCsvRow } from "../../text/csv-cells.ts";
import { CANDIDATES } from "./delimiter.ts";

export const LINE = "_line";
export const REASON = "_reason";

/** `fault`: why the row could not be read. */
export type Reject = { line: number; cells: readonly string[]; fault?: Told };

/** The text of a rejects file: `head`, a `row` for each reject, `tail`. */
export type RejectsWriter = {
  head: string;
  /** `tell` translates a message into the language of the file. */
  row(reject: Reject, reasons: readonly Told[], tell: (told: Told) => string): string;
  tail?(): string;
};

export function isRejects(header: readonly string[]): boolean {
  return header[0] === LINE && header[1] === REASON;
}

/**
 * How many cells at the start of a rejects row are its line and reason. None if the row is the rest of a broken row. Only the
 * line if the quotes of the reason are broken, because the reason then contains the other cells.
 */
export function earlierCells(header: readonly string[], cells: readonly string[]): 0 | 1 | 2 {
  if (!isRejects(header) || !/^\d*$/.test(cells[0] ?? "")) return 0;
  return cells.length < 2 || (cells.length === 2 && cells[1]!.startsWith('"')) ? 1 : 2;
}

/** Added as a cell to an unreadable row with as many cells as the header, so that it is not imported uncorrected. */
const UNMENDED = said("job.rejects.unmended");

/**
 * The columns are `_line` and `_reason`, then those of the file. If the file is itself a rejects file, its two columns are
 * replaced. An unreadable row keeps its number of cells, so that it is refused until it is corrected. The delimiter is that of
 * the file if it is a usual one, so that the same spreadsheet opens both; for a workbook, that of the reader's language.
 */
export function rejectsWriter(header: readonly string[], fileDelimiter = ","): RejectsWriter {
  const delimiter = CANDIDATES.includes(fileDelimiter) ? fileDelimiter : ",";
  const isOwn = (index: number) => header[index] !== LINE && header[index] !== REASON;
  const names = header.filter((_, index) => isOwn(index));
  return {
    // without a byte order mark, spreadsheets assume Windows-1252
    head: `\uFEFF${writeCsvRow([LINE, REASON, ...names].map(withApostrophe), delimiter)}`,
    row({ line, cells, fault }, reasons, tell) {
      const own =
        fault === undefined
          ? header.flatMap((_, index) => (isOwn(index) ? [cells[index] ?? ""] : []))
          : isRejects(header)
            ? cells.slice(earlierCells(header, cells))
            : cells.filter((_, index) => isOwn(index));
      if (fault !== undefined && own.length === names.length) own.push(tell(UNMENDED));
      return writeCsvRow(
        [String(line), reasons.map(tell).join(`${tell(said("form.semicolon"))} `), ...own].map(
          withApostrophe,
        ),
        delimiter,
      );
    },
  };
}

/** The fault as a message that names the field instead of a JSON pointer. */
export function reasonOf({ pointer, detail }: Fault): Told {
  const [first, ...more] = pointer.split("/").slice(1);
  const name = first === "metadata_" ? more[0] : first?.replace(/_id$/, "");
  if (!name || detail.values?.field === name) return detail;
  return said("fault.of_field", { field: name, fault: detail });
}
