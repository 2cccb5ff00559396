/** Asks for a projection to be rebuilt. */
import type { Sql, Tx } from "../services.ts";
import { enqueueJob } from "./enqueue.ts";
import type { Job } from "./job.ts";

/**
 * The job that brings it into agreement with all records, online; while one waits or runs for the same target, that one.
 * @param createdBy null: the program itself
 */
export async function enqueueRebuild(sql: Sql | Tx, target: string, createdBy: string | null): Promise<Job> {
  const request = { kind: "rebuild", params: { target }, createdBy, uniqueKey: `rebuild:${target}` } as const;
  return (await enqueueJob(sql, request)).job;
}
