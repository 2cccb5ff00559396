/** The log of backups in the database: when they started, and how they ended. */
import type { Sql } from "../services.ts";

/** Days for which the log is kept. */
const REMEMBERED = 400;

/** Notes the start of a backup on request, or else its end. */
export type BackupNote = {
  id: string;
  made?: { file: string; bytes: number } | undefined;
  /** Why none was made. */
  failed?: string | undefined;
};

export async function noteBackup(sql: Sql, { id, made, failed }: BackupNote): Promise<void> {
  if (made) await finishBackup(sql, id, made.file, made.bytes);
  else if (failed !== undefined)
    await sql`update backups set last_error = ${failed.slice(0, 500)} where id = ${id}`;
  else await sql`insert into backups (id) values (${id})`;
}

async function finishBackup(sql: Sql, id: string, file: string, bytes: number): Promise<void> {
  await sql`update backups set finished_at = clock_timestamp(), file = ${file}, bytes = ${bytes} where id = ${id}`;
  await sql`
    delete from backups where started_at < now() - make_interval(days => ${REMEMBERED})
      and id <> (select id from backups where finished_at is not null order by finished_at desc limit 1)`;
}
