/**
 * The rejects file: rows that could not be imported, as they stood, with their line and the reason. Mended in a
 * spreadsheet it is imported again with the same mapping, which does not know the two columns more and leaves them out.
 */
import type { Fault } from "../problem.ts";
import { writeCsvRow } from "./csv.ts";
import { CANDIDATES } from "./delimiter.ts";

export const LINE = "_line";
export const REASON = "_reason";

/** Gives the lines of the file for a header: `head` first, then a `row` for each reject. */
export type RejectsWriter = {
  head: string;
  row(reject: { line: number; cells: readonly string[] }, reasons: readonly string[]): string;
};

/**
 * The columns are those of the file, then `_line` and `_reason`; the two of an earlier round are replaced. Cells beyond
 * the header come last, under no name, so that nothing is lost, columns stay in place and the row is refused again
 * until it is mended. Parted as the file was, when by one of the usual delimiters: the same spreadsheet opens both.
 */
export function rejectsWriter(header: readonly string[], parted = ","): RejectsWriter {
  const delimiter = CANDIDATES.includes(parted) ? parted : ",";
  const kept = [...header.keys()].filter((index) => header[index] !== LINE && header[index] !== REASON);
  return {
    head: writeCsvRow([...kept.map((index) => header[index]!), LINE, REASON], delimiter),
    row({ line, cells }, reasons) {
      const own = kept.map((index) => cells[index] ?? "");
      return writeCsvRow(
        [...own, String(line), reasons.join("; "), ...cells.slice(header.length)],
        delimiter,
      );
    },
  };
}

/** A fault as a registrar reads it: the field's name instead of a pointer into JSON. */
export function reasonOf({ pointer, detail }: Fault): string {
  const [first, ...more] = pointer.split("/").slice(1);
  const name = first === "metadata_" ? more[0] : first?.replace(/_id$/, "");
  return !name || detail.startsWith(name) ? detail : `${name}: ${detail}`;
}
