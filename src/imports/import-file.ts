/** What an import needs from a file of any format: CSV (`csv-file.ts`) or XML (`xml-file.ts`). */
import type { Fault } from "../problem.ts";
import type { Mapping } from "./mapping.ts";
import type { RejectsWriter } from "./rejects.ts";
import type { ImportRow } from "./row.ts";

/** `rows` may be walked once; `close` lets go of the source when they are not walked to the end. */
export type ImportRows = {
  rows: AsyncIterable<ImportRow[]>;
  close(): Promise<void>;
  /** Asked after the last row: why the rest of the file could not be read. */
  broken?(): string | undefined;
};

export type ImportFile = {
  form: "csv" | "xml";
  encoding: string;
  /** What makes up a row, for the files whose rows somebody has to choose. */
  recordXPath?: string;
  /** What the mapping asks for and the file cannot give, before any row is read. */
  mappingFaults(mapping: Mapping): Promise<Fault[]>;
  /** Columns that the mapping leaves out. */
  unusedColumns(mapping: Mapping): string[];
  /** Reads the file from its beginning. `counted` is told how many bytes were read. */
  open(mapping: Mapping, counted?: { bytes: number }): Promise<ImportRows>;
  rejects(): RejectsWriter;
};
