/** Queues a job; all other rooms use this. */
import { newId } from "../ids.ts";
import type { Sql, Tx } from "../services.ts";
import type { Job } from "./job.ts";
import type { JobKind } from "./kinds.ts";
import { findActiveJob, insertJob, type WhereFile } from "./store.ts";

export type JobRequest = {
  kind: JobKind;
  /** Given if files were already stored under it. */
  id?: string;
  /** Parameters of the kind, without secrets; `shown.ts` decides who may see them. */
  params?: Record<string, unknown>;
  /** The account that started it; null: the service itself. */
  createdBy: string | null;
  /** While a job with this key is queued or running, that one is returned and no second one is queued. */
  uniqueKey?: string;
  namedFile?: WhereFile;
  /** Seconds for which only a process that asks for this job by its id takes it. */
  reserved?: number;
};

/** In a transaction (`tx`), the job is committed together with the rest. `fresh`: it was queued by this call. */
export async function enqueueJob(
  sql: Sql | Tx,
  { kind, id, params = {}, createdBy, uniqueKey, namedFile, reserved = 0 }: JobRequest,
): Promise<{ job: Job; fresh: boolean }> {
  for (;;) {
    const job = await insertJob(sql, {
      id: id ?? newId(),
      kind,
      params,
      createdBy,
      uniqueKey: uniqueKey ?? null,
      namedFile: namedFile ?? null,
      reserved,
    });
    if (job) return { job, fresh: true };
    // it may have ended between the two statements
    const active = await findActiveJob(sql, uniqueKey!);
    if (active) return { job: active, fresh: false };
  }
}

/**
 * The job that rebuilds a projection while it is in use; if one already waits or runs for the same target, that one.
 * @param createdBy null: the service itself
 */
export async function enqueueRebuild(sql: Sql | Tx, target: string, createdBy: string | null): Promise<Job> {
  const request = { kind: "rebuild", params: { target }, createdBy, uniqueKey: `rebuild:${target}` } as const;
  return (await enqueueJob(sql, request)).job;
}
