/** Reads the header and the first rows of a table, for the form in which a curator maps the columns. */
import { csvSample } from "./csv/file.ts";
import { type ImportSource, type SourceOptions, withBeginning } from "./source.ts";
import { type SheetChoice, xlsxSample } from "./xlsx/file.ts";

export type Sample = {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  encoding: string;
  /** For a workbook. */
  choice?: SheetChoice;
};

export function sampleOf(
  source: ImportSource,
  count: number,
  options: Pick<SourceOptions, "sheet" | "headerRow"> = {},
): Promise<Sample> {
  return withBeginning(source, async (isArchive, begun) =>
    isArchive ? xlsxSample(begun, options, count) : csvSample(begun, count),
  );
}
