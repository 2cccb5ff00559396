/** The entry of the running import in the database. An interrupted run of the same import is continued. */
import { type Account, actorId } from "../../caller.ts";
import { newId } from "../../ids.ts";
import {
  beginImport,
  demandNotUndone,
  type ImportRun,
  takeOverUnfinished,
  writtenBy,
} from "../../records/batch/imports-store.ts";
import type { BatchResult } from "../../records/batch/item.ts";
import type { Services, Sql } from "../../services.ts";
import type { ImportFile } from "../import-file.ts";
import type { ImportOptions, RowOutcome } from "../options.ts";
import { fingerprint } from "./content-hash.ts";

export type ImportInProgress = ImportRun & {
  resumed: boolean;
  fileHash: string;
};

/** Begins the import, or continues an unfinished one of the same file, mapping and options. */
export async function openImport(
  services: Services,
  caller: Account,
  filename: string,
  options: ImportOptions,
  file: Pick<ImportFile, "form" | "recordXPath" | "hash">,
): Promise<ImportInProgress> {
  const { kind, mapping, subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector, delimiter } =
    options;
  const { sheet, headerRow } = options;
  const { form, recordXPath, hash } = file;
  const fileHash = recordXPath === undefined ? `${kind}:${hash}` : `${kind}:${recordXPath}:${hash}`;
  const begun = { importId: newId(), run: 1, resumed: false, fileHash };
  if (options.dryRun) return begun;
  const chosen = { subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector };
  const read = { csv: { delimiter }, xlsx: { sheet, headerRow }, xml: { recordXPath } };
  const settings = { ...chosen, ...read[form] };
  const print = await fingerprint([hash, kind, mapping, settings]);
  const unfinished = await takeOverUnfinished(services.sql, print, options.earlierImportId);
  // only after the search: this notices an earlier undo, and the first batch notices a later one
  if (options.earlierImportId !== undefined) await demandNotUndone(services.sql, options.earlierImportId);
  if (unfinished) {
    await options.saveImportId?.(services.sql, unfinished.importId);
    return { ...unfinished, resumed: true, fileHash };
  }
  await services.sql.begin(async (tx) => {
    await beginImport(tx, {
      id: begun.importId,
      source: form,
      record_type: kind,
      filename,
      fingerprint: print,
      mapping,
      options: settings,
      actor_id: actorId(caller),
    });
    await options.saveImportId?.(tx, begun.importId);
  });
  return begun;
}

type Saved = Exclude<BatchResult, { outcome: "rejected" }>;

/** Counts rows that an interrupted run saved with their outcome of that time: created or updated. */
export async function countAgain(
  sql: Sql,
  inProgress: ImportInProgress,
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const done = new Map<string, { outcome: RowOutcome; result: Saved }>();
  for (const outcome of outcomes) {
    const { result } = outcome;
    if ("id" in result && result.outcome !== "created") done.set(result.id, { outcome, result });
  }
  const written = await writtenBy(sql, inProgress.importId, [...done.keys()]);
  for (const [id, { outcome, result }] of done) {
    const became = written.get(id);
    if (became) outcome.result = { ...result, outcome: became };
  }
}
