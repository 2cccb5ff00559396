/** A CSV file as a table: the first row names the columns of all others. */
import { type Fault, invalid } from "../problem.ts";
import { type CsvRow, MAX_COLUMNS } from "./csv.ts";
import { earlierCells, isRejects, withoutApostrophe } from "./rejects.ts";

/**
 * A row by column name (empty with a `fault`); `cells` are as they stood in the file, for the rejects file. `short`: it has
 * fewer cells than the header has names.
 */
export type TableRow = {
  line: number;
  values: ReadonlyMap<string, string>;
  cells: string[];
  fault?: string;
  short?: true;
};

/** `rows` may be walked once; `close` lets go of the source when they are not walked to the end. */
export type CsvTable = { header: string[]; rows: AsyncIterable<TableRow[]>; close(): Promise<void> };

/**
 * Reads the header and gives the rows in batches. Names are trimmed and composed (NFC, as a Mac writes them apart); a column
 * without one is called by its number. A row with fewer cells than the header has names is padded with empty ones at the
 * end, as Excel leaves them out, unless rows must be `whole`: a row that was cut off would empty what it lacks in a record
 * that is there. One with more is a fault; one without any text is left out. After a broken row, short rows are faults too,
 * until one is whole again: they may be the rest of the broken one, and would make records of half sentences. In a rejects
 * file every short row is one, as nobody has mended it; but empty columns without a name after the others, which a
 * spreadsheet adds when one row is longer, are none there.
 */
export async function csvTable(
  source: AsyncIterable<CsvRow[]>,
  options: { whole?: boolean } = {},
): Promise<CsvTable> {
  const batches = source[Symbol.asyncIterator]();
  const close = async () => {
    await batches.return?.();
  };
  try {
    const first = await batches.next();
    const batch = first.done ? [] : first.value;
    const header = readHeader(batch[0]);
    const { cells } = batch[0]!;
    const needed = 1 + cells.findLastIndex((cell) => cell.trim() !== "");
    const whole = options.whole === true || isRejects(header);
    const head = { header, written: cells.length, needed, whole };
    return { header, rows: tableRows(head, batch.slice(1), batches), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function readHeader(row: CsvRow | undefined): string[] {
  if (row === undefined || row.fault !== undefined) {
    const detail =
      row === undefined
        ? "The file is empty: it has no header row."
        : `The header row (line ${row.line}) is broken: ${row.fault}.`;
    throw invalid([{ pointer: "/header", detail }], detail);
  }
  const header = row.cells.map((cell) =>
    cell
      .replace(/^\u{feff}/u, "")
      .trim()
      .normalize("NFC"),
  );
  if (isRejects(header)) header.splice(0, header.length, ...header.map(withoutApostrophe));
  if (isRejects(header)) while (header.at(-1) === "") header.pop();
  const most = MAX_COLUMNS + (isRejects(header) ? 2 : 0);
  if (header.length > most) {
    const detail = `The header has ${header.length} cells, more than ${MAX_COLUMNS}: is the delimiter right?`;
    throw invalid([{ pointer: "/header", detail }], detail);
  }
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  for (const [index, written] of header.entries()) {
    const name = written || `column ${index + 1} (no name)`;
    header[index] = name;
    const earlier = seen.get(name);
    if (earlier === undefined) seen.set(name, index + 1);
    else
      faults.push({
        pointer: `/header/${index}`,
        detail: `Column ${index + 1} of the header is named "${name}", as column ${earlier} is: rename one.`,
      });
  }
  const [fault, ...more] = faults;
  if (fault) {
    throw invalid(
      faults,
      more.length === 0 ? fault.detail : `The header has ${faults.length} faults, listed in errors`,
    );
  }
  return header;
}

/** `written`: the cells of the header row, with those that name nothing; `needed`: up to the last that names something. */
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

function countFault({ cells }: CsvRow, head: Head, broken: number): string | undefined {
  const { header, written, needed, whole } = head;
  const columns = header.length;
  // line and reason of a rejects file are not cells of the row
  const own = cells.length - earlierCells(header, cells);
  const count = `has ${own} ${own === 1 ? "cell" : "cells"}, the header has ${isRejects(header) ? columns - 2 : columns}`;
  const surplus = cells.slice(columns);
  if (cells.length > written || surplus.some((cell) => cell.trim() !== "")) return count;
  if (cells.length >= needed) return undefined;
  if (broken > 0) return `${count}; it may be the rest of the broken row in line ${broken}`;
  return whole ? count : undefined;
}

function named({ header, needed }: Head, { line, cells }: CsvRow): TableRow {
  const values = new Map<string, string>();
  for (let i = 0; i < header.length; i++) values.set(header[i]!, cells[i] ?? "");
  return { line, values, cells, ...(cells.length < needed ? { short: true } : {}) };
}
