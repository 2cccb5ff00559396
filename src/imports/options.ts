/** The options of an import, and the outcome of each row. */
import type { Account } from "../caller.ts";
import type { Fault } from "../problem.ts";
import type { BatchResult } from "../records/batch-item.ts";
import type { Sql, Tx } from "../services.ts";
import type { RowOptions, UPSERT_STRATEGIES } from "./items.ts";
import type { ImportRow, MappedRow } from "./row.ts";
import type { ReadRecord } from "./xml-file.ts";

export type ImportOptions = RowOptions & {
  mapping: unknown;
  /** Of XML: selects the elements that are records. Without it the file is CSV. */
  recordXPath?: string;
  /** Of a format that needs no mapping: makes a row of a record. `mapping` says what it can give. */
  read?: ReadRecord;
  /** Before each batch that writes: what the rows need and is not a record. */
  prepare?(): Promise<void>;
  upsertStrategy: (typeof UPSERT_STRATEGIES)[number];
  /** Column, or XPath, that names media files. */
  mediaSelector?: string;
  encoding?: string;
  delimiter?: string;
  dryRun: boolean;
  /** Rows in a transaction, when not the usual number. */
  batch?: number;
  /** The import that an earlier run of the same job has begun: once that is taken back, no other is begun instead. */
  begunBefore?: string;
  /** Told of the import in the transaction that makes it. */
  remember?(tx: Sql | Tx, importId: string): Promise<void>;
  /** Asked between batches; true ends the import there. */
  stopped?(): boolean;
  /** Who imports, as they are now: asked before each batch. Throws when there is nobody any more. */
  present?(): Promise<Account>;
};

export type RowOutcome = {
  row: ImportRow;
  mapped: MappedRow;
  result:
    | BatchResult
    | { outcome: "rejected"; faults: readonly Fault[] }
    | { outcome: "skipped"; reason: string };
  /** An earlier row of the file has the same number. */
  again?: boolean;
};
