/** SQL that counts waiting work, for metrics and svc-manage doctor. */
import type { Sql } from "../services.ts";

/** For each enabled projection. `overdue`: seconds since the oldest row was due. `failing`: rows whose last attempt failed. */
export type OutboxBacklog = {
  target: string;
  is_filled: boolean;
  rows: number;
  failing: number;
  overdue: number;
};

export async function outboxBacklog(sql: Sql): Promise<OutboxBacklog[]> {
  return sql<OutboxBacklog[]>`
    select p.target, p.is_filled, count(o.target)::int as rows, count(o.last_error)::int as failing,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - min(o.due_at)), 0))::float8 as overdue
    from projections p left join outbox o on o.target = p.target group by p.target order by p.target`;
}

export type MailBacklog = { waiting: number; given_up: number; overdue: number };

export async function mailBacklog(sql: Sql): Promise<MailBacklog> {
  const [row] = await sql<MailBacklog[]>`
    select count(*) filter (where given_up_at is null)::int as waiting, count(given_up_at)::int as given_up,
      greatest(0, coalesce(extract(epoch from clock_timestamp() -
        min(due_at) filter (where given_up_at is null)), 0))::float8 as overdue
    from mail_queue`;
  return row!;
}

export type JobCount = { kind: string; state: string; n: number };

/** The number of stored jobs by kind and state, without zeros. */
export async function jobCounts(sql: Sql): Promise<JobCount[]> {
  return sql<JobCount[]>`
    select kind, state, count(*)::int as n from jobs group by kind, state order by kind, state`;
}

/** Seconds since the last complete backup; null before the first. Never negative, even if the clock was set back. */
export async function backupAge(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select greatest(0, extract(epoch from clock_timestamp() - max(finished_at)))::float8 as seconds
    from backups having max(finished_at) is not null`;
  return row?.seconds ?? null;
}

/** Connections of all processes of this service to an external database, by state. */
export async function connections(sql: Sql): Promise<{ state: string; n: number }[]> {
  return sql<{ state: string; n: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = 'svc' group by 1 order by 1`;
}
