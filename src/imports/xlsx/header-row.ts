/** Finds the row of a sheet that names the columns. Lists often have a title and a date above it. */
import { said } from "../../messages/said.ts";
import type { CsvRow } from "../csv/csv.ts";
import { refused } from "../source.ts";

/** Rows in which it is searched for. */
const LOOKED_AT = 50;

const texts = ({ cells }: CsvRow): string[] => cells.filter((cell) => cell.trim() !== "");
const filled = (row: CsvRow): number => texts(row).length;
const NUMBER = /^[-\d.,:/ T%]+$/;
const isOfNames = (row: CsvRow): boolean =>
  texts(row).filter((cell) => NUMBER.test(cell)).length * 2 < filled(row);

/**
 * The first row with few numbers that fills more than half as many cells as the fullest row. `wanted`: the number of the row, if
 * it was chosen.
 */
function findHeader(rows: readonly CsvRow[], wanted: number | undefined): number {
  if (wanted !== undefined) return rows.findIndex(({ line }) => line === wanted);
  const most = Math.max(...rows.map(filled));
  const isWide = (row: CsvRow) => filled(row) * 2 > most;
  const named = rows.findIndex((row) => isWide(row) && isOfNames(row));
  return named < 0 ? rows.findIndex(isWide) : named;
}

/** Splits the rows of a sheet into those from the header on, and those above it. */
export async function fromHeader(
  source: AsyncGenerator<CsvRow[], void, undefined>,
  wanted: number | undefined,
): Promise<{
  above: CsvRow[];
  line: number;
  hasRows: boolean;
  /** There are several columns, and rows below the header. */
  isTable: boolean;
  rows: AsyncGenerator<CsvRow[], void, undefined>;
}> {
  const first: CsvRow[] = [];
  try {
    while (first.length < LOOKED_AT || (wanted !== undefined && first.at(-1)!.line < wanted)) {
      const { done, value } = await source.next();
      if (done) break;
      first.push(...value.filter((row) => row.fault !== undefined || filled(row) > 0));
    }
    const at = first.length === 0 ? -1 : findHeader(first, wanted);
    if (at < 0 && wanted !== undefined)
      throw refused(said("fault.workbook.no_header_row", { row: String(wanted) }), "/header_row");
    const header = first[Math.max(0, at)];
    return {
      above: first.slice(0, Math.max(0, at)),
      line: header?.line ?? 1,
      hasRows: header !== undefined,
      isTable: header !== undefined && filled(header) > 1 && first.length > Math.max(0, at) + 1,
      rows: padded(header?.cells.length ?? 0, first.slice(Math.max(0, at)), source),
    };
  } catch (error) {
    await source.return();
    throw error;
  }
}

/** Adds the empty cells that sheets do not store. Drops blank cells beyond the header, which nobody sees. */
async function* padded(
  width: number,
  first: CsvRow[],
  rest: AsyncGenerator<CsvRow[], void, undefined>,
): AsyncGenerator<CsvRow[], void, undefined> {
  const fill = (rows: CsvRow[]) => {
    for (const { cells } of rows) {
      while (cells.length > width && cells.at(-1)!.trim() === "") cells.pop();
      while (cells.length < width) cells.push("");
    }
    return rows;
  };
  try {
    yield fill(first);
    for await (const rows of rest) yield fill(rows);
  } finally {
    await rest.return();
  }
}
