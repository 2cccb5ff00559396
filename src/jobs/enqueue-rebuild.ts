/** Queues the rebuild of a projection. */
import type { Sql, Tx } from "../services.ts";
import { enqueueJob } from "./enqueue.ts";
import type { Job } from "./job.ts";

/**
 * The job that rebuilds it while it is in use; if one already waits or runs for the same target, that one. @param
 * createdBy null: the service itself
 */
export async function enqueueRebuild(sql: Sql | Tx, target: string, createdBy: string | null): Promise<Job> {
  const request = { kind: "rebuild", params: { target }, createdBy, uniqueKey: `rebuild:${target}` } as const;
  return (await enqueueJob(sql, request)).job;
}
