/** The interface of an import file of any format: CSV (`csv/file.ts`), a workbook (`xlsx/file.ts`) or XML (`xml/file.ts`). */
import type { Said, Told } from "../messages/said.ts";
import type { Language } from "../messages/translate.ts";
import type { Fault } from "../problem.ts";
import type { RejectsWriter } from "./csv/rejects.ts";
import type { ImportRow } from "./mapping/mapped-row.ts";
import type { Mapping } from "./mapping/mapping.ts";

export type ImportRows = {
  /** Can be read once. */
  rows: AsyncIterable<ImportRow[]>;
  /** Called after the last row. Returns why the rest of the file could not be read. */
  broken?(): Told | undefined;
};

/** An open file, before its rows are read. */
type ImportFileBeginning = {
  /** What is wrong with the mapping for this file, such as columns that the file does not have. */
  mappingFaults(mapping: Mapping): Promise<Fault[]>;
  rows(mapping: Mapping): Promise<ImportRows>;
};

/** Reads the file; its result is `used`. */
export type FirstUse<T> = (beginning: ImportFileBeginning) => Promise<T>;

/** A file that was read. `used`: the result of `FirstUse`. */
export type ImportFile<T = unknown> = {
  form: "csv" | "xlsx" | "xml";
  encoding: string;
  hash: string;
  used: T;
  /** For XML: the XPath that selects the records. */
  recordXPath?: string;
  unusedColumns(mapping: Mapping): string[];
  /** Called after the last row. Says what was read and what was not. */
  notices?(): Said[];
  /** @param language of the reader, whose spreadsheet must open the file */
  rejects(language: Language): RejectsWriter;
};
