/** Operations that read or change jobs, and operations that only queue one. */
import { z } from "zod";
import { UUID } from "../ids.ts";
import { enqueueJob, enqueueRebuild } from "../jobs/enqueue.ts";
import { JOB_STATES, type Job } from "../jobs/job.ts";
import { JOB_KIND_NAMES } from "../jobs/kinds.ts";
import { cancelJob, findJob, listJobs, retryJob } from "../jobs/store.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { KINDS } from "../records/kinds.ts";
import { failedRecords } from "../records/outbox.ts";
import { enqueueReindex } from "../search/enqueue-reindex.ts";
import type { Sql } from "../services.ts";
import { Nothing, operation } from "./operation.ts";

export const MOST_LISTED = 50;
/** How many failed records a rebuild names. */
const NAMED = 20;

const Filter = z.strictObject({
  kind: z.enum(JOB_KIND_NAMES).optional(),
  state: z.enum(JOB_STATES).optional(),
});
export type Filter = z.infer<typeof Filter>;
const Id = z.strictObject({ id: z.string().max(100) });
const Target = z.strictObject({ target: z.string().max(100) });
const OfKind = z.strictObject({ type: z.enum(KINDS).nullable() });

export const jobOperations = {
  jobs: operation(Filter, ({ sql }, filter) => listJobs(sql, filter, { limit: MOST_LISTED, offset: 0 })),
  job: operation(Id, async ({ sql }, { id }) => (await jobOf(sql, id)) ?? null),
  "cancel-job": operation(Id, ({ sql }, { id }) => change(sql, id, "cancel")),
  "retry-job": operation(Id, ({ sql }, { id }) => change(sql, id, "retry")),
  reindex: operation(OfKind, ({ sql }, { type }) => enqueueReindex(sql, type, null)),
  rebuild: operation(Target, ({ sql }, { target }) => enqueueRebuild(sql, target, null)),
  "rebuild-failed": operation(Target, ({ sql }, { target }) => failedRecords(sql, target, NAMED)),
  dump: operation(Nothing, ({ sql }) => queued(sql, "dump")),
  "ark-mint": operation(Nothing, ({ sql }) => queued(sql, "ark-mint")),
};

async function queued(sql: Sql, kind: "dump" | "ark-mint"): Promise<Job> {
  return (await enqueueJob(sql, { kind, createdBy: null, uniqueKey: kind })).job;
}

async function jobOf(sql: Sql, id: string): Promise<Job | undefined> {
  return UUID.test(id) ? findJob(sql, id) : undefined;
}

async function change(sql: Sql, id: string, what: "cancel" | "retry"): Promise<Job> {
  const job = await jobOf(sql, id);
  if (!job) throw new Problem("not_found", said("cli.jobs.not_found", { id }));
  const after = await (what === "cancel" ? cancelJob : retryJob)(sql, id);
  if (after) return after;
  const { state } = job;
  throw new Problem(
    "conflict",
    said(what === "cancel" ? "problem.job.over" : "problem.job.not_retryable", { state }),
  );
}
