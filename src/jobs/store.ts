/** SQL of jobs for callers: enqueue, list, cancel, retry. The workers' SQL is in `queue.ts`. */
import type { FileIdentity } from "../ports/named-files.ts";
import type { Sql, Tx } from "../services.ts";
import type { Job, JobState } from "./job.ts";
import { ENDED_BY_WORKER } from "./kinds.ts";

function jobColumns(sql: Sql | Tx) {
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
  namedFile: WhereFile | null;
  /** Seconds. */
  reserved: number;
};

/** The file that a job reads where it lies. `place`: see `NamedFiles`. It is shown to nobody. */
export type WhereFile = { path: string; place: string; identity: FileIdentity };

/** Undefined if one with the same key is queued or running. */
export async function insertJob(sql: Sql | Tx, job: NewJob): Promise<Job | undefined> {
  const [row] = await sql<Job[]>`
    insert into jobs (id, kind, params, created_by, unique_key, named_file, run_after)
    values (${job.id}, ${job.kind}, ${sql.json(job.params as never)}, ${job.createdBy}, ${job.uniqueKey},
      ${job.namedFile === null ? null : sql.json(job.namedFile as never)},
      clock_timestamp() + make_interval(secs => ${job.reserved}))
    on conflict (unique_key) where state in ('queued', 'running') do nothing
    returning ${jobColumns(sql)}`;
  return row;
}

export async function findActiveJob(sql: Sql | Tx, uniqueKey: string): Promise<Job | undefined> {
  const [row] = await sql<Job[]>`
    select ${jobColumns(sql)} from jobs where unique_key = ${uniqueKey} and state in ('queued', 'running')`;
  return row;
}

export async function findNamedFile(sql: Sql, id: string): Promise<WhereFile | null> {
  const [row] = await sql<{ named_file: WhereFile | null }[]>`select named_file from jobs where id = ${id}`;
  return row?.named_file ?? null;
}

/**
 * Queues the timetable's job for this time: once, by the first process, and not while the previous one is unfinished.
 * A job that was due while nothing ran waits a minute more, because a start is busy enough.
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

export async function findJobs(sql: Sql, ids: readonly string[]): Promise<Job[]> {
  return sql<Job[]>`select ${jobColumns(sql)} from jobs where id = any(${ids as string[]})`;
}

/** The jobs that run these imports; of those that were started again, the last. */
export async function jobsOfImports(sql: Sql, imports: readonly string[]): Promise<Job[]> {
  return sql<Job[]>`
    select distinct on (result->>'import_id') ${jobColumns(sql)} from jobs
    where kind = 'import' and result->>'import_id' = any(${imports as string[]})
    order by result->>'import_id', created_at desc, id desc`;
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

/** How many are waiting and could start now. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from jobs where state = 'queued' and run_after <= clock_timestamp()`;
  return row!.n;
}

/**
 * Cancels a queued job at once; asks a running one to stop, and also a waiting one that has already started and left
 * something behind. Undefined if it has ended.
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

/** Queues a failed or cancelled job again, with all its attempts. Undefined for other states. */
export async function retryJob(tx: Sql | Tx, id: string): Promise<Job | undefined> {
  const [row] = await tx<Job[]>`
    update jobs set state = 'queued', attempts = 0, reason = null, cancel_requested = false, finished_at = null,
      run_after = clock_timestamp(), revision = revision + 1
    where id = ${id} and state in ('failed', 'cancelled')
    returning ${jobColumns(tx)}`;
  return row;
}

/** Deletes done and cancelled jobs after two weeks, failed ones after three months. Returns how many. */
export async function forgetJobs(sql: Sql): Promise<number> {
  const gone = await sql`
    delete from jobs
    where (state in ('done', 'cancelled') and finished_at < now() - interval '14 days')
      or (state = 'failed' and finished_at < now() - interval '90 days')`;
  return gone.count;
}
