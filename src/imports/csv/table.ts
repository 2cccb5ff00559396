/** Reads a CSV file as a table whose first row names the columns. */
import { type Said, said } from "../../messages/said.ts";
import { unnamedColumn } from "../../messages/unnamed-columns.ts";
import { type Fault, invalid } from "../../problem.ts";
import { withoutApostrophe, withoutExportApostrophe } from "../../text/csv-cells.ts";
import { normalised } from "../../text.ts";
import { brief } from "../mapping/targets.ts";
import { type CsvRow, MAX_COLUMNS } from "./csv.ts";
import { earlierCells, isRejects } from "./rejects.ts";

/**
 * `values`: by column name; empty if there is a `fault`. `cells`: as in the file, for the rejects file. `short`: the row has
 * fewer cells than the header.
 */
export type TableRow = {
  line: number;
  values: ReadonlyMap<string, string>;
  cells: string[];
  fault?: Said;
  /** Why single cells cannot be read, by column name. */
  faulty?: Map<string, Said>;
  short?: true;
  /** The row comes from a rejects file. */
  isReject?: true;
};

/** `rows` can be read once. */
export type CsvTable = { header: string[]; rows: AsyncGenerator<TableRow[], void, undefined> };

/**
 * Reads the header, then the rows in batches.
 * - Column names are trimmed and in NFC (macOS writes NFD). A column without a name is named by its number.
 * - Rows without text are left out. Rows with too many cells are faults.
 * - Rows with too few cells get empty cells, because Excel leaves out empty cells at the end. With `whole` they are faults,
 *   because a row that was cut off would empty fields of an existing record.
 * - After a broken row, rows with too few cells are faults until a complete row follows, because they may be the rest of it.
 * - In a rejects file, rows with too few cells are always faults, because they have not been corrected. Unnamed empty columns at
 *   the end are ignored, because spreadsheets add them if one row is longer.
 */
export async function csvTable(
  source: AsyncIterable<CsvRow[]>,
  options: { whole?: boolean } = {},
): Promise<CsvTable> {
  const batches = source[Symbol.asyncIterator]();
  try {
    const first = await batches.next();
    const batch = first.done ? [] : first.value;
    const header = readHeader(batch[0]);
    const { cells } = batch[0]!;
    const needed = 1 + cells.findLastIndex((cell) => cell.trim() !== "");
    const whole = options.whole === true || isRejects(header);
    const head = { header, written: cells.length, needed, whole };
    return { header, rows: tableRows(head, batch.slice(1), batches) };
  } catch (error) {
    await batches.return?.();
    throw error;
  }
}

function readHeader(row: CsvRow | undefined): string[] {
  if (row?.fault !== undefined || row === undefined) {
    const detail =
      row?.fault === undefined
        ? said("fault.header.missing")
        : said("fault.header.broken", { line: String(row.line), fault: row.fault });
    throw invalid([{ pointer: "/header", detail }], detail);
  }
  const header = row.cells.map((cell) => normalised(cell.replace(/^\u{feff}/u, "").trim(), "NFC"));
  if (isRejects(header)) header.splice(0, header.length, ...header.map(withoutApostrophe));
  if (isRejects(header)) while (header.at(-1) === "") header.pop();
  const most = MAX_COLUMNS + (isRejects(header) ? 2 : 0);
  if (header.length > most) {
    const detail = said("fault.header.many_cells", { count: header.length, most: MAX_COLUMNS });
    throw invalid([{ pointer: "/header", detail }], detail);
  }
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  for (const [index, written] of header.entries()) {
    const name = written || unnamedColumn(index + 1);
    header[index] = name;
    const earlier = seen.get(name);
    if (earlier === undefined) seen.set(name, index + 1);
    else
      faults.push({
        pointer: `/header/${index}`,
        detail: said("fault.header.same_name", {
          column: String(index + 1),
          name: brief(name),
          earlier: String(earlier),
        }),
      });
  }
  const [fault, ...more] = faults;
  if (fault) {
    throw invalid(
      faults,
      more.length === 0 ? fault.detail : said("problem.header.faults", { count: faults.length }),
    );
  }
  return header;
}

/** `written`: the number of cells in the header row. `needed`: the same without empty cells at the end. */
type Head = { header: string[]; written: number; needed: number; whole: boolean };

async function* tableRows(
  head: Head,
  first: CsvRow[],
  batches: AsyncIterator<CsvRow[]>,
): AsyncGenerator<TableRow[], void, undefined> {
  const { header } = head;
  let broken = 0;
  const read = (rows: CsvRow[]) => {
    const table: TableRow[] = [];
    for (const each of rows) {
      const row = isRejects(header) ? { ...each, cells: each.cells.map(withoutApostrophe) } : each;
      if (row.fault !== undefined) broken = row.line;
      else if (row.cells.length === header.length || row.cells.length === head.written) broken = 0;
      const fault = row.fault ?? countFault(row, head, broken);
      if (fault !== undefined) table.push({ line: row.line, values: new Map(), cells: row.cells, fault });
      else if (row.cells.some((cell) => cell.trim() !== "")) table.push(named(head, row));
    }
    return table;
  };
  try {
    if (first.length > 0) yield read(first);
    for (let batch = await batches.next(); !batch.done; batch = await batches.next()) yield read(batch.value);
  } finally {
    await batches.return?.();
  }
}

function countFault({ cells }: CsvRow, head: Head, broken: number): Said | undefined {
  const { header, written, needed, whole } = head;
  const columns = header.length;
  // line and reason of a rejects file do not count
  const own = cells.length - earlierCells(header, cells);
  const fault = said("fault.row.cells", { count: own, header: isRejects(header) ? columns - 2 : columns });
  const surplus = cells.slice(columns);
  if (cells.length > written || surplus.some((cell) => cell.trim() !== "")) return fault;
  if (cells.length >= needed) return undefined;
  if (broken > 0) return said("fault.row.rest_of_broken", { fault, line: String(broken) });
  return whole ? fault : undefined;
}

function named({ header, needed }: Head, { line, cells, faulty }: CsvRow): TableRow {
  const values = new Map<string, string>();
  for (let i = 0; i < header.length; i++) values.set(header[i]!, withoutExportApostrophe(cells[i] ?? ""));
  const short = cells.length < needed ? { short: true as const } : {};
  const isReject = isRejects(header) ? { isReject: true as const } : {};
  const row = { line, values, cells, ...short, ...isReject };
  return faulty ? { ...row, faulty: new Map([...faulty].map(([at, fault]) => [header[at]!, fault])) } : row;
}
