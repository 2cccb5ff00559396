/** Who else uses a database on a server. */
import type { Sql } from "postgres";

/** How many connections of this program other processes have; `sql` has only one. */
export async function otherUsers(sql: Sql): Promise<number> {
  const [row] = await sql<{ others: number }[]>`
    select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name = 'svc' and pid <> pg_backend_pid()`;
  return row!.others;
}
