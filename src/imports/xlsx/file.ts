/** Opens one sheet of a workbook (.xlsx) as a table for an import. */
import { type Said, said } from "../../messages/said.ts";
import { delimiterFor } from "../../text/csv-cells.ts";
import { checkHeader, unusedColumns } from "../csv/header.ts";
import { rejectsWriter } from "../csv/rejects.ts";
import { csvTable } from "../csv/table.ts";
import type { FirstUse, ImportFile } from "../import-file.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { brief } from "../mapping/targets.ts";
import type { ImportOptions } from "../options.ts";
import { type ImportSource, refused, type SourceOptions } from "../source.ts";
import { fromHeader } from "./header-row.ts";
import { type Noticed, readRows } from "./sheet.ts";
import { openWorkbook, relationsOf, type Sheet, type Workbook } from "./workbook.ts";

type XlsxOptions = SourceOptions & Pick<ImportOptions, "upsertStrategy">;

export async function openXlsxFile<T>(
  source: ImportSource,
  options: XlsxOptions,
  use: FirstUse<T>,
): Promise<ImportFile<T>> {
  const { workbook, sheet, table, headerRow, notices } = await openTable(source, options);
  const { header } = table;
  const mappingFaults = async (mapping: Mapping) => checkHeader(mapping, header);
  const used = await use({ mappingFaults, rows: async () => ({ rows: table.rows }) });
  await table.rows.return();
  return {
    form: "xlsx",
    encoding: "utf-8",
    // with another sheet or header row, the records are different
    hash: `${workbook.archive.hash}:${headerRow}:${sheet.name}`,
    used,
    notices,
    unusedColumns: (mapping) => unusedColumns(mapping, header),
    rejects: (language) => rejectsWriter(header, delimiterFor(language)),
  };
}

/** The sheet and header row that were read, for the form in which a curator chooses others. */
export type SheetChoice = {
  sheets: readonly Sheet[];
  sheet: string;
  headerRow: number;
  /** The text of the rows above the header. */
  above: readonly string[];
};

export async function xlsxSample(source: ImportSource, options: SourceOptions, count: number) {
  const { workbook, sheet, table, headerRow, above } = await openTable(source, {
    ...options,
    upsertStrategy: "skip",
  });
  const rows: (readonly string[])[] = [];
  for await (const batch of table.rows) {
    rows.push(...batch.slice(0, count - rows.length).map(({ cells }) => cells));
    if (rows.length >= count) break;
  }
  const choice: SheetChoice = { sheets: workbook.sheets, sheet: sheet.name, headerRow, above };
  return { header: table.header, rows, encoding: "utf-8", choice };
}

async function openTable(source: ImportSource, options: XlsxOptions) {
  const { name } = source;
  for (const option of ["encoding", "delimiter"] as const)
    if (options[option] !== undefined) throw refused(said("fault.workbook.not_with", { name }), `/${option}`);
  const workbook = await openWorkbook(source);
  const begin = async (sheet: Sheet) => {
    const noticed: Noticed = { hiddenRows: 0, merged: [], moreMerged: 0 };
    const found = await fromHeader(readRows(workbook, sheet, name, noticed), options.headerRow);
    return { sheet, found, noticed };
  };
  const [first, ...more] = sheetsIn(workbook, options.sheet, name);
  let chosen = await begin(first!);
  for (const next of more) {
    if (chosen.found.isTable) break;
    const begun = await begin(next);
    const isBetter = begun.found.isTable || !chosen.found.hasRows;
    await (isBetter ? chosen : begun).found.rows.return();
    if (isBetter) chosen = begun;
  }
  const { sheet, found, noticed } = chosen;
  const above = found.above.map(({ cells }) => cells.filter((cell) => cell.trim() !== "").join(" "));
  const others = workbook.sheets.filter((one) => one !== sheet).map((one) => one.name);
  if (!found.hasRows) {
    const shown = { sheet: brief(sheet.name), others: brief(others.join(", ")), count: others.length };
    throw refused(said("fault.workbook.empty_sheet", shown), "/sheet");
  }
  const table = await csvTable(found.rows, { whole: options.upsertStrategy !== "skip" });
  const relations = await relationsOf(workbook.archive, sheet.part, name);
  const notices = (): Said[] => [
    said("job.import.sheet", { sheet: brief(sheet.name), row: String(found.line) }),
    ...(above.length > 0 ? [said("job.import.rows_above", { text: brief(above.join(" / ")) })] : []),
    ...(others.length > 0 ? [said("job.import.other_sheets", { sheets: brief(others.join(", ")) })] : []),
    ...(noticed.hiddenRows > 0 ? [said("job.import.hidden_rows", { count: noticed.hiddenRows })] : []),
    ...mergedIn(noticed, found.line),
    ...(relations.some(({ type }) => /comment|drawing/i.test(type)) ? [said("job.import.not_cells")] : []),
  ];
  return { workbook, sheet, table, headerRow: found.line, above, notices };
}

/** Most sheets that are searched for a table, because each is read from the beginning of the file. */
const LOOKED_AT = 20;

/** The sheet with this name. Without a name, visible sheets, the fullest first: the first table is read, or else the first with text. */
function sheetsIn({ archive, sheets }: Workbook, wanted: string | undefined, name: string): readonly Sheet[] {
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  if (wanted === undefined)
    return (shown.length > 0 ? shown : [...sheets])
      .sort((a, b) => archive.sizeOf(b.part) - archive.sizeOf(a.part))
      .slice(0, LOOKED_AT);
  const sheet = sheets.find((one) => one.name === wanted);
  if (sheet) return [sheet];
  const about = { sheet: brief(wanted), sheets: brief(sheets.map((one) => one.name).join(", ")), name };
  throw refused(said("fault.workbook.no_sheet", about), "/sheet");
}

/** Says that only the first of merged cells has the text. */
function mergedIn({ merged, moreMerged }: Noticed, headerRow: number): Said[] {
  const below = merged.filter((cells) => Number(/\d+/.exec(cells)?.[0]) > headerRow);
  if (below.length === 0) return [];
  return [said("job.import.merged", { count: below.length + moreMerged, cells: brief(below.join(", ")) })];
}
