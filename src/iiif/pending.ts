/** SQL of pictures that wait to be checked and to get their pyramids. One function, one statement. */
import { type Said, toldText } from "../messages/said.ts";
import type { Sql, Tx } from "../services.ts";

export type PendingPicture = { id: string; key: string; width: number; height: number; attempt: number };

const isPending = (sql: Sql) =>
  sql`status = 'pending' and category = 'image' and deleted_at is null and prepare_after < now()`;

export async function countPending(sql: Sql): Promise<number> {
  const [row] = await sql<
    { n: number }[]
  >`select count(*)::int as n from object_media where ${isPending(sql)}`;
  return row!.n;
}

/** The next one; those already attempted come last. */
export async function beginPicture(sql: Sql): Promise<PendingPicture | undefined> {
  const [row] = await sql<PendingPicture[]>`
    update object_media set prepare_attempts = prepare_attempts + 1
    where id = (
      select id from object_media where ${isPending(sql)} order by prepare_attempts, created_at limit 1 for update)
    returning id, storage_key as key, width, height, prepare_attempts as attempt`;
  return row;
}

/** Takes an attempt back; it is due again after so many seconds. */
export async function leavePicture(sql: Sql, id: string, seconds: number): Promise<void> {
  await sql`
    update object_media set prepare_attempts = prepare_attempts - 1,
      prepare_after = now() + make_interval(secs => ${seconds})
    where id = ${id}`;
}

/** Returns whether the medium still exists. If so, it now names the pyramid; if not, the pyramid is not needed. */
export async function setReady(sql: Sql, id: string, pyramidKey: string | null): Promise<boolean> {
  const found = await sql`
    with ready as (
      update object_media set status = 'ready', error_detail = null, pyramid_key = ${pyramidKey}, prepare_attempts = 0
      where id = ${id}
      returning pyramid_key),
    named as (delete from stray_files where key in (select pyramid_key from ready))
    select from ready`;
  return found.count > 0;
}

/** An image of this picture could not be made: lets the job check the picture again, at most once an hour. */
export async function checkAgain(sql: Sql, id: string): Promise<void> {
  await sql`
    update object_media set status = 'pending', prepare_after = now()
    where id = ${id} and status = 'ready' and prepare_after < now() - interval '1 hour'`;
}

/** Returns the id of its object; none if the medium no longer exists. */
export async function setBroken(tx: Tx, id: string, reason: Said): Promise<string[]> {
  const rows = await tx<{ object_id: string }[]>`
    update object_media set status = 'error', error_detail = ${toldText(reason)}, prepare_attempts = 0 where id = ${id}
    returning object_id`;
  return rows.map(({ object_id }) => object_id);
}
