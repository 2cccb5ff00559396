/** What an import needs from a file of any format: CSV (`csv-file.ts`) or XML (`xml-file.ts`). */
import type { Told } from "../messages/said.ts";
import type { Fault } from "../problem.ts";
import type { Mapping } from "./mapping.ts";
import type { RejectsWriter } from "./rejects.ts";
import type { ImportRow } from "./row.ts";

/** `rows` can be read once. `close` must be called if they are not read to the end. */
export type ImportRows = {
  rows: AsyncIterable<ImportRow[]>;
  close(): Promise<void>;
  /** After the last row: why the rest of the file could not be read. */
  broken?(): Told | undefined;
};

/** What the first reading of a file knows before it reads the rows. */
type ImportFileBeginning = {
  /** What is wrong with the mapping for this file, such as columns that it does not have. */
  mappingFaults(mapping: Mapping): Promise<Fault[]>;
  /** The rows, in the first reading. */
  rows(mapping: Mapping): Promise<ImportRows>;
};

/** What is made of the file in its first reading. */
export type FirstUse<T> = (beginning: ImportFileBeginning) => Promise<T>;

/** A file after its first reading. `used`: what `FirstUse` has made. */
export type ImportFile<T = unknown> = {
  form: "csv" | "xml";
  encoding: string;
  /** Of its content. */
  hash: string;
  used: T;
  /** Of XML: the XPath that selects the records. */
  recordXPath?: string;
  /** The columns that the mapping does not use. */
  unusedColumns(mapping: Mapping): string[];
  /** The second reading. `counted.bytes` grows as the file is read. */
  open(mapping: Mapping, counted: { bytes: number }): Promise<ImportRows>;
  rejects(): RejectsWriter;
};
