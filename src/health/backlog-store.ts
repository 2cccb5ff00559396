/** SQL that counts what waits, for metrics and the operator's check. */
import type { Sql } from "../services.ts";

/** Of each projection that is enabled. `overdue`: seconds since the row that waits for longest was due. `failing`: rows whose last try failed. */
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

/** How many jobs are remembered, of those kinds and states that there are any of. */
export async function jobCounts(sql: Sql): Promise<JobCount[]> {
  return sql<JobCount[]>`
    select kind, state, count(*)::int as n from jobs group by kind, state order by kind, state`;
}

/** Seconds since the last backup was complete; null before the first. None is of the future, whatever the clock did. */
export async function backupAge(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select greatest(0, extract(epoch from clock_timestamp() - max(finished_at)))::float8 as seconds
    from backups having max(finished_at) is not null`;
  return row?.seconds ?? null;
}

/** Connections of this program, all processes of it, to an external database; by what they are doing. */
export async function connections(sql: Sql): Promise<{ state: string; n: number }[]> {
  return sql<{ state: string; n: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = 'svc' group by 1 order by 1`;
}
