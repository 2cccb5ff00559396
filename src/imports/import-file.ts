/** What an import needs from a file of any format: CSV (`csv-file.ts`) or XML (`xml-file.ts`). */
import type { Fault } from "../problem.ts";
import type { Mapping } from "./mapping.ts";
import type { RejectsWriter } from "./rejects.ts";
import type { ImportRow } from "./row.ts";

/** `rows` can be read once. `close` must be called if they are not read to the end. */
export type ImportRows = {
  rows: AsyncIterable<ImportRow[]>;
  close(): Promise<void>;
  /** After the last row: why the rest of the file could not be read. */
  broken?(): string | undefined;
};

export type ImportFile = {
  form: "csv" | "xml";
  encoding: string;
  /** Of XML: the XPath that selects the records. */
  recordXPath?: string;
  /** What is wrong with the mapping for this file, such as columns that it does not have. */
  mappingFaults(mapping: Mapping): Promise<Fault[]>;
  /** The columns that the mapping does not use. */
  unusedColumns(mapping: Mapping): string[];
  /** Reads the file from its beginning. `counted.bytes` grows as it is read. */
  open(mapping: Mapping, counted?: { bytes: number }): Promise<ImportRows>;
  rejects(): RejectsWriter;
};
