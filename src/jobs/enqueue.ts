/** Puts a job in: the one way in which anything else of the service asks for work. */
import { newId } from "../ids.ts";
import type { Sql, Tx } from "../services.ts";
import type { Job } from "./job.ts";
import type { JobKind } from "./kinds.ts";
import { findActiveJob, insertJob } from "./store.ts";

export type JobRequest = {
  kind: JobKind;
  /** Chosen before when there are files already. */
  id?: string;
  /** What the kind needs to know; no secrets: `shown.ts` says who sees them. */
  params?: Record<string, unknown>;
  /** The account that asked; null: the program itself. */
  createdBy: string | null;
  /** While one with this key is queued or running, that one is answered and no second one is put in. */
  uniqueKey?: string;
};

/** Inside a transaction (`tx`) the job is there if and only if the rest is. `fresh`: it was put in by this call. */
export async function enqueueJob(
  sql: Sql | Tx,
  { kind, id, params = {}, createdBy, uniqueKey }: JobRequest,
): Promise<{ job: Job; fresh: boolean }> {
  for (;;) {
    const job = await insertJob(sql, {
      id: id ?? newId(),
      kind,
      params,
      createdBy,
      uniqueKey: uniqueKey ?? null,
    });
    if (job) return { job, fresh: true };
    // it may have come to its end between the two statements
    const active = await findActiveJob(sql, uniqueKey!);
    if (active) return { job: active, fresh: false };
  }
}
