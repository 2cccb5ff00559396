/** What the database knows of backups: when they were begun, and how they ended. */
import type { Sql, Tx } from "../services.ts";

/** One at a time asks whether a backup is due. */
const LOCK = 7_241_967_011;
/** Days for which it is remembered how backups ended. */
const REMEMBERED = 400;

/** Notes that a backup begins that somebody asked for. */
export async function beginBackup(sql: Sql, id: string): Promise<void> {
  await sql`insert into backups (id) values (${id})`;
}

/**
 * Notes that a backup begins that is due, unless another instance has begun one within the last `seconds` that did not
 * fail: then this answers false.
 */
export async function claimBackup(tx: Tx, id: string, seconds: number): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(${LOCK})`;
  const begun = await tx`
    insert into backups (id, started_at)
    select ${id}, clock_timestamp()
    where not exists (
      select 1 from backups
      where started_at > clock_timestamp() - make_interval(secs => ${seconds}) and last_error is null)`;
  return begun.count === 1;
}

export async function finishBackup(sql: Sql, id: string, file: string, bytes: number): Promise<void> {
  await sql`update backups set finished_at = clock_timestamp(), file = ${file}, bytes = ${bytes} where id = ${id}`;
  await sql`
    delete from backups where started_at < now() - make_interval(days => ${REMEMBERED})
      and id <> (select id from backups where finished_at is not null order by finished_at desc limit 1)`;
}

export async function failBackup(sql: Sql, id: string, reason: string): Promise<void> {
  await sql`update backups set last_error = ${reason.slice(0, 500)} where id = ${id}`;
}
