/** Queues a rebuild of the search index. */
import { enqueueJob } from "../jobs/enqueue.ts";
import type { Job } from "../jobs/job.ts";
import { findActiveJob } from "../jobs/store.ts";
import type { Sql } from "../services.ts";

const keyOf = (kind: string | null) => `reindex:${kind ?? "all"}`;

/**
 * Returns the new job, or the one that is already queued or running for the same records or for all.
 * @param kind null: all records
 * @param createdBy null: svc-manage
 */
export async function enqueueReindex(sql: Sql, kind: string | null, createdBy: string | null): Promise<Job> {
  const all = await findActiveJob(sql, keyOf(null));
  if (all) return all;
  const params = kind === null ? {} : { record_type: kind };
  const { job } = await enqueueJob(sql, { kind: "reindex", params, createdBy, uniqueKey: keyOf(kind) });
  return job;
}
