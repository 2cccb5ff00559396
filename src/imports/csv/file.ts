/** Opens a CSV file for an import: reads its header, then its rows. */

import { firstReading } from "../first-reading.ts";
import type { FirstUse, ImportFile } from "../import-file.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { ImportOptions } from "../options.ts";
import { type ImportSource, type SourceOptions, tableEncoding } from "../source.ts";
import { readCsv } from "./csv.ts";
import { checkHeader, unusedColumns } from "./header.ts";
import { rejectsWriter } from "./rejects.ts";
import { type CsvTable, csvTable } from "./table.ts";

type CsvOptions = SourceOptions & Pick<ImportOptions, "upsertStrategy">;

/** `isCheck`: see `firstReading`. */
export async function openCsvFile<T>(
  source: ImportSource,
  options: CsvOptions,
  use: FirstUse<T>,
  isCheck = false,
): Promise<ImportFile<T>> {
  const readBeginning = async (text: AsyncIterable<string>) => {
    let delimiter = ",";
    const table = await tableIn(text, options, (found) => {
      delimiter = found;
    });
    const { header } = table;
    const mappingFaults = async (mapping: Mapping) => checkHeader(mapping, header);
    return { header, delimiter, used: await use({ mappingFaults, rows: async () => table }) };
  };
  const rule = tableEncoding(source, options);
  const first = await firstReading(source, rule, readBeginning, isCheck);
  const { encoding, hash } = first;
  const { header, delimiter, used } = first.used;
  return {
    form: "csv",
    encoding,
    hash,
    used,
    unusedColumns: (mapping) => unusedColumns(mapping, header),
    rejects: () => rejectsWriter(header, delimiter),
  };
}

export async function csvSample(source: ImportSource, count: number) {
  const read = async (text: AsyncIterable<string>) => {
    const { header, rows } = await tableIn(text, { upsertStrategy: "skip" });
    const sample: (readonly string[])[] = [];
    for await (const batch of rows) {
      sample.push(...batch.slice(0, count - sample.length).map(({ cells }) => cells));
      if (sample.length >= count) break;
    }
    return { header, rows: sample };
  };
  const { encoding, used } = await firstReading(source, tableEncoding(source, {}), read, true);
  return { ...used, encoding };
}

function tableIn(
  text: AsyncIterable<string>,
  options: CsvOptions,
  onDelimiter?: (delimiter: string) => void,
): Promise<CsvTable> {
  const rows = readCsv(text, { delimiter: options.delimiter, onDelimiter });
  return csvTable(rows, { whole: options.upsertStrategy !== "skip" });
}
