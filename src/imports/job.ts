/** An import as the catalogue remembers it: found again when it was interrupted, and counted as one. */
import { type Account, actorId } from "../caller.ts";
import { newId } from "../ids.ts";
import type { BatchResult } from "../records/batch-item.ts";
import {
  beginImport,
  demandNotTakenBack,
  type ImportRun,
  takeOverUnfinished,
  writtenBy,
} from "../records/imports-store.ts";
import type { Services, Sql } from "../services.ts";
import { fingerprint } from "./content-hash.ts";
import type { ImportFile } from "./import-file.ts";
import type { ImportOptions, RowOutcome } from "./options.ts";

export type Job = ImportRun & {
  resumed: boolean;
  fileHash: string;
};

/** `hash` names the file by its content. */
export async function openJob(
  services: Services,
  caller: Account,
  filename: string,
  options: ImportOptions,
  file: Pick<ImportFile, "form" | "recordXPath">,
  hash: string,
): Promise<Job> {
  const { kind, mapping, subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector, delimiter } =
    options;
  const { form, recordXPath } = file;
  const fileHash = recordXPath === undefined ? `${kind}:${hash}` : `${kind}:${recordXPath}:${hash}`;
  const fresh = { importId: newId(), run: 1, resumed: false, fileHash };
  if (options.dryRun) return fresh;
  const chosen = { subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector };
  const settings = form === "csv" ? { ...chosen, delimiter } : { ...chosen, recordXPath };
  const print = await fingerprint([hash, kind, mapping, settings]);
  const unfinished = await takeOverUnfinished(services.sql, print, options.begunBefore);
  // after the search: what is taken back between the two is seen here, what is taken back later by its first batch
  if (options.begunBefore !== undefined) await demandNotTakenBack(services.sql, options.begunBefore);
  if (unfinished) {
    await options.remember?.(services.sql, unfinished.importId);
    return { ...unfinished, resumed: true, fileHash };
  }
  await services.sql.begin(async (tx) => {
    await beginImport(tx, {
      id: fresh.importId,
      source: form,
      record_type: kind,
      filename,
      fingerprint: print,
      mapping,
      options: settings,
      actor_id: actorId(caller),
    });
    await options.remember?.(tx, fresh.importId);
  });
  return fresh;
}

type Saved = Exclude<BatchResult, { outcome: "rejected" }>;

/** Rows that an interrupted run of this import had done count as what they became then. */
export async function countAgain(sql: Sql, job: Job, outcomes: readonly RowOutcome[]): Promise<void> {
  const done = new Map<string, { outcome: RowOutcome; result: Saved }>();
  for (const outcome of outcomes) {
    const { result, again } = outcome;
    if ("id" in result && result.outcome !== "created" && !again) done.set(result.id, { outcome, result });
  }
  const written = await writtenBy(sql, job.importId, [...done.keys()]);
  for (const [id, { outcome, result }] of done) {
    const became = written.get(id);
    if (became) outcome.result = { ...result, outcome: became };
  }
}
