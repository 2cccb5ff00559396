/**
 * SQL of jobs for workers. Each run has its own lease, and every write names it, so a worker that lost its lease
 * changes nothing and finds out. All times are the database's, so all workers share a clock. A time that is
 * impossibly far ahead was written before that clock was set back, and is ignored.
 */
import { said, type Told, toldText } from "../messages/said.ts";
import type { Sql, Tx } from "../services.ts";

export type ClaimedJob = {
  id: string;
  kind: string;
  params: Record<string, unknown>;
  /** Including this run. */
  attempts: number;
  lease: string;
  /** The lease of a run that died. */
  left: string | null;
  cancel_requested: boolean;
};

/** An arbitrary constant. */
const LOCK = 7_241_967_011;

/** A job waits at most an hour, and a lease lasts at most half a minute. */
const isDue = (sql: Sql | Tx) => sql`
  (run_after <= clock_timestamp() or run_after > clock_timestamp() + interval '65 minutes')`;
const isLeased = (sql: Sql | Tx) => sql`
  (leased_until > clock_timestamp() and leased_until <= clock_timestamp() + interval '10 minutes')`;

/** Whether there may be something to claim; without a lock, so that polling every second is cheap. */
export async function isAnyDue(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ due: boolean }[]>`
    select exists (select 1 from jobs
      where (state = 'queued' and ${isDue(sql)}) or (state = 'running' and not ${isLeased(sql)})) as due`;
  return row!.due;
}

/** One worker claims at a time; otherwise two could exceed the limit of a kind. */
export async function lockClaims(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK})`;
}

/** Jobs running at this moment, without those of killed processes. */
export async function jobsUnderWay(sql: Sql | Tx): Promise<{ id: string; kind: string }[]> {
  return sql<{ id: string; kind: string }[]>`
    select id, kind from jobs where state = 'running' and ${isLeased(sql)} order by created_at, id`;
}

/**
 * Takes the job that has been due for longest, or whose run died, of a kind below its limit.
 * @param kinds how many of each may run at once, in all processes together
 * @param own the jobs of this process, which it never takes twice, even if the clock jumps
 * @param only takes this job and no other, whatever the limits
 */
export async function claimJob(
  tx: Tx,
  {
    lease,
    seconds,
    kinds,
    own,
    only,
  }: {
    lease: string;
    seconds: number;
    kinds: readonly { kind: string; concurrency: number }[];
    own: readonly string[];
    only?: string;
  },
): Promise<ClaimedJob | undefined> {
  const names = kinds.map(({ kind }) => kind);
  const most = kinds.map(({ concurrency }) => concurrency);
  const isWanted =
    only === undefined
      ? tx`((d.state = 'queued' and ${isDue(tx)}) or (d.state = 'running' and not ${isLeased(tx)}))
        and d.kind in (
          select k.kind from unnest(${names}::text[], ${most}::int[]) k(kind, most)
          where k.most > (
            select count(*) from jobs r where r.kind = k.kind and r.state = 'running'
              and (${isLeased(tx)} or r.id = any(${own as string[]}::uuid[]))))`
      : tx`d.id = ${only} and d.state = 'queued'`;
  // a plain subquery can run again for each row of the update, and lock another job each time
  const [row] = await tx<ClaimedJob[]>`
    with due as materialized (
      select d.id as claimed, d.lease as left from jobs d
      where ${isWanted}
        and d.id <> all(${own as string[]}::uuid[])
      order by d.run_after, d.id limit 1
      for update of d skip locked)
    update jobs set state = 'running', attempts = attempts + 1, lease = ${lease},
      leased_until = clock_timestamp() + make_interval(secs => ${seconds}), started_at = clock_timestamp(),
      revision = revision + 1
    from due where id = due.claimed
    returning id, kind, params, attempts, lease, due.left, cancel_requested`;
  return row;
}

/** Renews these leases; returns those still held, and which of these jobs must be cancelled. */
export async function renewLeases(
  sql: Sql,
  leases: readonly string[],
  seconds: number,
): Promise<Map<string, { cancel: boolean }>> {
  const rows = await sql<{ lease: string; cancel: boolean }[]>`
    update jobs set leased_until = clock_timestamp() + make_interval(secs => ${seconds})
    where lease = any(${leases as string[]}::uuid[]) and state = 'running'
    returning lease, cancel_requested as cancel`;
  return new Map(rows.map(({ lease, cancel }) => [lease, { cancel }]));
}

/** Ends the leases of the process that had an embedded database before. Only its next owner may do so, before it runs jobs. */
export async function endLeases(sql: Sql): Promise<void> {
  await sql`update jobs set leased_until = clock_timestamp() where state = 'running'`;
}

/** `result`: the result so far, which remains if the job is cancelled or fails. */
export type Progress = { done?: number; total?: number; message?: Told; result?: Record<string, unknown> };

const progressed = (sql: Sql | Tx, { done, total, result }: Progress) => sql`
  done = coalesce(${done ?? null}::int, done), total = coalesce(${total ?? null}::int, total), revision = revision + 1,
  result = coalesce(${result === undefined ? null : sql.json(result as never)}::jsonb, result)`;

/** Characters of a text. */
const LONGEST = 500;

/** It may contain somebody's data. */
function shortened(told: Told): Told {
  if (typeof told === "string") return told.slice(0, LONGEST);
  const values = Object.entries(told.values ?? {}).map(([name, value]) => [
    name,
    typeof value === "number" ? value : shortened(value),
  ]);
  return said(told.key, Object.fromEntries(values));
}

/** Undefined if the lease was lost. */
export async function saveProgress(
  sql: Sql | Tx,
  lease: string,
  progress: Progress,
): Promise<{ cancel: boolean } | undefined> {
  const messages = progress.message === undefined ? [] : [{ text: shortened(progress.message) }];
  const [row] = await sql<{ cancel: boolean }[]>`
    update jobs set ${progressed(sql, progress)},
      messages = case when ${messages.length} = 0 then messages else jsonb_path_query_array(
        messages || jsonb_build_object('at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
          'text', ${sql.json(messages[0]?.text ?? "")}::jsonb), '$[last - 19 to last]') end
    where lease = ${lease} and state = 'running'
    returning cancel_requested as cancel`;
  return row;
}

const released = (sql: Sql) => sql`lease = null, leased_until = null`;

/** Each of these functions returns whether the lease was still held, that is, whether the end counts. */
export async function finishJob(
  sql: Sql,
  lease: string,
  result: Record<string, unknown>,
  progress: Progress,
): Promise<boolean> {
  const ended = await sql`
    update jobs set state = 'done', reason = null, finished_at = clock_timestamp(),
      ${progressed(sql, { ...progress, result })}, ${released(sql)}
    where lease = ${lease} and state = 'running'`;
  return ended.count > 0;
}

export async function endCancelled(sql: Sql, lease: string, progress: Progress): Promise<boolean> {
  const ended = await sql`
    update jobs set state = 'cancelled', finished_at = clock_timestamp(), ${progressed(sql, progress)}, ${released(sql)}
    where lease = ${lease} and state = 'running'`;
  return ended.count > 0;
}

/** It is not retried. */
export async function failJob(sql: Sql, lease: string, reason: Told, progress: Progress): Promise<boolean> {
  const ended = await sql`
    update jobs set state = 'failed', reason = ${toldText(shortened(reason))}, finished_at = clock_timestamp(),
      ${progressed(sql, progress)}, ${released(sql)}
    where lease = ${lease} and state = 'running'`;
  return ended.count > 0;
}

/** It is retried after `seconds`, doubled with each failure, up to an hour. */
export async function putOffJob(sql: Sql, lease: string, reason: Told, seconds: number): Promise<boolean> {
  const ended = await sql`
    update jobs set state = 'queued', reason = ${toldText(shortened(reason))}, revision = revision + 1, ${released(sql)},
      run_after = clock_timestamp()
        + least(interval '1 hour', make_interval(secs => ${seconds}) * 2 ^ least(attempts - 1, 12))
    where lease = ${lease} and state = 'running'`;
  return ended.count > 0;
}

/** The process stops: another may start the job at once, and this is not a failed attempt. */
export async function giveJobBack(sql: Sql, lease: string): Promise<boolean> {
  const ended = await sql`
    update jobs set state = 'queued', attempts = attempts - 1, run_after = clock_timestamp(), revision = revision + 1,
      ${released(sql)}
    where lease = ${lease} and state = 'running'`;
  return ended.count > 0;
}
