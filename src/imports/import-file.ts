/** What an import needs from a file of any format: CSV (`csv/file.ts`), a workbook (`xlsx/file.ts`) or XML (`xml/file.ts`). */
import type { Said, Told } from "../messages/said.ts";
import type { Language } from "../messages/translate.ts";
import type { Fault } from "../problem.ts";
import type { RejectsWriter } from "./csv/rejects.ts";
import type { ImportRow } from "./mapping/mapped-row.ts";
import type { Mapping } from "./mapping/mapping.ts";

export type ImportRows = {
  /** Can be read once. */
  rows: AsyncIterable<ImportRow[]>;
  /** After the last row: why the rest of the file could not be read. */
  broken?(): Told | undefined;
};

/** A file that is open, before its rows are read. */
type ImportFileBeginning = {
  /** What is wrong with the mapping for this file, such as columns that it does not have. */
  mappingFaults(mapping: Mapping): Promise<Fault[]>;
  rows(mapping: Mapping): Promise<ImportRows>;
};

/** Reads the file; its result is `used`. */
export type FirstUse<T> = (beginning: ImportFileBeginning) => Promise<T>;

/** A file that was read. `used`: what `FirstUse` has made. */
export type ImportFile<T = unknown> = {
  form: "csv" | "xlsx" | "xml";
  encoding: string;
  /** Of its content. */
  hash: string;
  used: T;
  /** Of XML: the XPath that selects the records. */
  recordXPath?: string;
  /** The columns that the mapping does not use. */
  unusedColumns(mapping: Mapping): string[];
  /** After the last row: what was read, and what was not. */
  notices?(): Said[];
  /** @param language of the reader, whose spreadsheet must open the file */
  rejects(language: Language): RejectsWriter;
};
