/** SQL of jobs as people see them: put in, list, cancel, retry. What a worker does stands in `queue.ts`. */
import type { Sql, Tx } from "../services.ts";
import type { Job, JobState } from "./job.ts";
import { ENDED_BY_WORKER } from "./kinds.ts";

export function jobColumns(sql: Sql | Tx) {
  return sql`id, kind, state, params, total, done, result, reason, messages, attempts, cancel_requested, created_by,
    (select a.email from accounts a where a.id = created_by) as created_by_email,
    created_at, run_after, started_at, finished_at, revision`;
}

export type NewJob = {
  id: string;
  kind: string;
  params: Record<string, unknown>;
  createdBy: string | null;
  uniqueKey: string | null;
};

/** Nothing when one with the same key is queued or running. */
export async function insertJob(sql: Sql | Tx, job: NewJob): Promise<Job | undefined> {
  const [row] = await sql<Job[]>`
    insert into jobs (id, kind, params, created_by, unique_key)
    values (${job.id}, ${job.kind}, ${sql.json(job.params as never)}, ${job.createdBy}, ${job.uniqueKey})
    on conflict (unique_key) where state in ('queued', 'running') do nothing
    returning ${jobColumns(sql)}`;
  return row;
}

export async function findActiveJob(sql: Sql | Tx, uniqueKey: string): Promise<Job | undefined> {
  const [row] = await sql<Job[]>`
    select ${jobColumns(sql)} from jobs where unique_key = ${uniqueKey} and state in ('queued', 'running')`;
  return row;
}

/**
 * The timetable's job for this time: once, whoever comes first, and not while the one before it is not done. One that was
 * due longer ago, while nothing ran, waits a minute more: a start has enough to do.
 */
export async function insertDueJob(
  sql: Sql,
  job: { id: string; kind: string; dueAt: Date; apart: number },
): Promise<boolean> {
  const dueAt = job.dueAt.toISOString();
  const put = await sql`
    insert into jobs (id, kind, due_at, unique_key, run_after)
    select ${job.id}, ${job.kind}, ${dueAt}::timestamptz, ${job.kind},
      now() + case when ${dueAt}::timestamptz < now() - interval '2 minutes' then interval '1 minute'
        else interval '0' end
    where not exists (
      select 1 from jobs where kind = ${job.kind} and state <> 'failed'
        and due_at > ${dueAt}::timestamptz - make_interval(secs => ${job.apart}) and due_at < ${dueAt}::timestamptz)
    on conflict do nothing`;
  return put.count > 0;
}

export async function findJob(sql: Sql, id: string): Promise<Job | undefined> {
  const [row] = await sql<Job[]>`select ${jobColumns(sql)} from jobs where id = ${id}`;
  return row;
}

export type JobFilter = { kind?: string; state?: JobState };

function matching(sql: Sql, { kind, state }: JobFilter) {
  return sql`true ${kind ? sql`and kind = ${kind}` : sql``} ${state ? sql`and state = ${state}` : sql``}`;
}

export async function countJobs(sql: Sql, filter: JobFilter): Promise<number> {
  const [row] = await sql<
    { n: number }[]
  >`select count(*)::int as n from jobs where ${matching(sql, filter)}`;
  return row!.n;
}

/** Newest first. */
export async function listJobs(
  sql: Sql,
  filter: JobFilter,
  page: { limit: number; offset: number },
): Promise<Job[]> {
  return sql<Job[]>`
    select ${jobColumns(sql)} from jobs where ${matching(sql, filter)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`;
}

/** How many could be begun now, if somebody had time. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from jobs where state = 'queued' and run_after <= clock_timestamp()`;
  return row!.n;
}

/**
 * One that is queued is cancelled at once, one that runs is asked to stop; so is one that has begun and waits, when it
 * has left something. Nothing when it is over.
 */
export async function cancelJob(tx: Sql | Tx, id: string): Promise<Job | undefined> {
  const atOnce = tx`state = 'queued' and not (started_at is not null and kind = any(${ENDED_BY_WORKER as string[]}))`;
  const [row] = await tx<Job[]>`
    update jobs set cancel_requested = true, revision = revision + 1, run_after = least(run_after, clock_timestamp()),
      state = case when ${atOnce} then 'cancelled' else state end,
      finished_at = case when ${atOnce} then clock_timestamp() end
    where id = ${id} and state in ('queued', 'running')
    returning ${jobColumns(tx)}`;
  return row;
}

/** Puts one that failed or was cancelled in again, with all its attempts before it. Nothing when it did neither. */
export async function retryJob(tx: Sql | Tx, id: string): Promise<Job | undefined> {
  const [row] = await tx<Job[]>`
    update jobs set state = 'queued', attempts = 0, reason = null, cancel_requested = false, finished_at = null,
      run_after = clock_timestamp(), revision = revision + 1
    where id = ${id} and state in ('failed', 'cancelled')
    returning ${jobColumns(tx)}`;
  return row;
}

/** What is done is kept for two weeks, what failed for three months. Answers how many were thrown away. */
export async function forgetJobs(sql: Sql): Promise<number> {
  const gone = await sql`
    delete from jobs
    where (state in ('done', 'cancelled') and finished_at < now() - interval '14 days')
      or (state = 'failed' and finished_at < now() - interval '90 days')`;
  return gone.count;
}
