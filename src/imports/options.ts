/** The options of an import, and the outcome of a row. */
import type { Account } from "../caller.ts";
import type { Fault } from "../problem.ts";
import type { BatchResult } from "../records/batch/item.ts";
import type { Sql, Tx } from "../services.ts";
import type { ImportRow, MappedRow } from "./mapping/mapped-row.ts";
import type { RowOptions, SkipReason, UPSERT_STRATEGIES } from "./save/items.ts";
import type { ReadRecord } from "./xml/file.ts";

export type ImportOptions = RowOptions & {
  mapping: unknown;
  /** Selects the elements that are records. Without it, the file is CSV. */
  recordXPath?: string;
  /** Reads a record of a format that needs no mapping. `mapping` then lists the targets that it may fill. */
  readRecord?: ReadRecord;
  /** Called before each batch is written, to save new terms that its records need. */
  beforeBatch?(): Promise<void>;
  upsertStrategy: (typeof UPSERT_STRATEGIES)[number];
  /** Column, or XPath, that names media files. */
  mediaSelector?: string;
  encoding?: string;
  delimiter?: string;
  /** For a workbook: see `SourceOptions`. */
  sheet?: string;
  headerRow?: number;
  dryRun: boolean;
  /** Rows per batch, instead of the default. */
  batch?: number;
  /** The import that an earlier run of this job began. If it was undone, this run does not start a new one. */
  earlierImportId?: string;
  /** Called with the id of the import, in the transaction that creates it. */
  saveImportId?(tx: Sql | Tx, importId: string): Promise<void>;
  /** Called between batches, but not while the file is read; true stops the import. */
  stopped?(): boolean;
  /** The account of the import with its current permissions. Called before each batch; throws if the account is gone. */
  currentAccount?(): Promise<Account>;
};

export type RowOutcome = {
  row: ImportRow;
  mapped: MappedRow;
  result:
    | BatchResult
    | { outcome: "rejected"; faults: readonly Fault[] }
    | { outcome: "skipped"; reason: SkipReason };
};
