/** An import as the catalogue remembers it: found again when it was interrupted, and counted as one. */
import { type Account, actorId } from "../accounts/caller.ts";
import type { BatchResult } from "../records/batch.ts";
import { newId } from "../records/ids.ts";
import { beginImport, findUnfinished, writtenBy } from "../records/imports-store.ts";
import type { Services } from "../services.ts";
import { fingerprint } from "./identity.ts";
import type { ImportOptions } from "./save-rows.ts";

export type Job = {
  importId: string;
  resumed: boolean;
  fileHash: string;
  /** What an interrupted run of this import had written already and is not yet counted again. */
  uncounted: { created: number; updated: number };
};

/** `hash` names the file by its content. */
export async function openJob(
  services: Services,
  caller: Account,
  filename: string,
  options: ImportOptions,
  hash: string,
): Promise<Job> {
  const { kind, mapping, subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector, delimiter } =
    options;
  const fileHash = `${kind}:${hash}`;
  const fresh = { importId: newId(), resumed: false, fileHash, uncounted: { created: 0, updated: 0 } };
  if (options.dryRun) return fresh;
  const settings = { subtype, idnoStrategy, upsertStrategy, autoPublish, mediaSelector, delimiter };
  const print = await fingerprint([hash, kind, mapping, settings]);
  const unfinished = await findUnfinished(services.sql, print);
  if (unfinished) {
    const { id, created, updated } = unfinished;
    return { importId: id, resumed: true, fileHash, uncounted: { created, updated } };
  }
  await beginImport(services.sql, {
    id: fresh.importId,
    source: "csv",
    record_type: kind,
    filename: filename,
    fingerprint: print,
    mapping,
    options: settings,
    actor_id: actorId(caller),
  });
  return fresh;
}

/** Rows that an interrupted run of this import had done are told as what they became then. */
export async function countedAgain(
  services: Services,
  { importId, uncounted }: Job,
  results: readonly BatchResult[],
): Promise<readonly BatchResult[]> {
  if (uncounted.created + uncounted.updated === 0) return results;
  const ids = results.flatMap((result) =>
    result.outcome === "skipped" || result.outcome === "unchanged" ? [result.id] : [],
  );
  const written = await writtenBy(services.sql, importId, ids);
  return results.map((result) => {
    if (result.outcome !== "skipped" && result.outcome !== "unchanged") return result;
    const outcome = written.get(result.id);
    if (outcome === undefined || uncounted[outcome] === 0) return result;
    uncounted[outcome] -= 1;
    return { ...result, outcome };
  });
}
