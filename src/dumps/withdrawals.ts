/**
 * What has stopped being public since the files under /dumps/ were begun: a record, value, medium, link, label, or text of
 * the museum, which may also have been replaced by another. Triggers note it (sql/0051_withdrawals.sql), with every
 * change and in its transaction. What was only added is not noted.
 */
import type { Sql } from "../services.ts";

export async function isAnythingWithdrawn(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`select exists (select 1 from withdrawals) as any`;
  return row!.any;
}

/** Asked before files are begun: whatever these tell of is not in them. */
export async function withdrawalsSoFar(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id::float8 as id from withdrawals`;
  return rows.map(({ id }) => id);
}

/** Exactly these: one with a smaller number may have been committed since. */
export async function forgetWithdrawals(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql`delete from withdrawals where id = any(${ids as number[]}::bigint[])`;
}
