/**
 * What has stopped being public since the files under /dumps/ were begun, because it was withdrawn, removed or replaced: a
 * record, value, medium, link, label, or text of the museum. Triggers note it in the transaction of the change
 * (sql/0051_withdrawals.sql). What was only added is not noted.
 */
import type { Sql } from "../services.ts";

export async function isAnythingWithdrawn(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`select exists (select 1 from withdrawals) as any`;
  return row!.any;
}

/** Call it before files are begun: what these rows are about is not in the files. */
export async function withdrawalsSoFar(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id::float8 as id from withdrawals`;
  return rows.map(({ id }) => id);
}

/** Forgets exactly these: a row with a smaller number may have been committed since. */
export async function forgetWithdrawals(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql`delete from withdrawals where id = any(${ids as number[]}::bigint[])`;
}
