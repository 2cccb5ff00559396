/** Opens a CSV file for an import: reads its header, then its rows by column name. */
import { readCsv } from "./csv.ts";
import { type CsvTable, csvTable } from "./csv-table.ts";
import { decode } from "./decode.ts";
import { checkHeader, unusedColumns } from "./header.ts";
import type { ImportFile } from "./import-file.ts";
import type { ImportOptions } from "./options.ts";
import { rejectsWriter } from "./rejects.ts";
import { counting, encodingOf, type ImportSource, type SourceOptions } from "./source.ts";

type CsvOptions = SourceOptions & Pick<ImportOptions, "upsertStrategy">;

export async function openCsvFile(source: ImportSource, options: CsvOptions): Promise<ImportFile> {
  const encoding = await encodingOf(source, options);
  let delimiter = ",";
  const first = await openTable(source, encoding, options, {
    onDelimiter(found) {
      delimiter = found;
    },
  });
  await first.close();
  const { header } = first;
  return {
    form: "csv",
    encoding,
    mappingFaults: async (mapping) => checkHeader(mapping, header),
    unusedColumns: (mapping) => unusedColumns(mapping, header),
    open: (_mapping, counted) => openTable(source, encoding, options, { counted }),
    rejects: () => rejectsWriter(header, delimiter),
  };
}

export type CsvSample = { header: readonly string[]; rows: readonly (readonly string[])[]; encoding: string };

/** The header and the first rows, for the form in which a curator maps the columns. */
export async function sampleOf(source: ImportSource, count: number): Promise<CsvSample> {
  const encoding = await encodingOf(source, {});
  const { header, rows, close } = await openTable(source, encoding, { upsertStrategy: "skip" }, {});
  try {
    const sample: (readonly string[])[] = [];
    for await (const batch of rows) {
      sample.push(...batch.slice(0, count - sample.length).map(({ cells }) => cells));
      if (sample.length >= count) break;
    }
    return { header, rows: sample, encoding };
  } finally {
    await close();
  }
}

/** The table in the file. `counted.bytes` grows as bytes are read. */
function openTable(
  source: ImportSource,
  encoding: string,
  options: CsvOptions,
  { counted, onDelimiter }: { counted?: { bytes: number }; onDelimiter?(delimiter: string): void },
): Promise<CsvTable> {
  const text = decode(counting(source.open(), counted), encoding, { fatal: true });
  const rows = readCsv(text, { delimiter: options.delimiter, onDelimiter });
  return csvTable(rows, { whole: options.upsertStrategy !== "skip" });
}
