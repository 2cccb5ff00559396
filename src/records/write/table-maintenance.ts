/** Maintenance of tables while many rows are written. */
import type { Services, Sql } from "../../services.ts";

/**
 * Tells the planner about tables that are twice as large as it knows, or new to it. The embedded database has no
 * autovacuum, and that of a server may be late: with old statistics, reading the links of a record can take half a second.
 */
export async function refreshStatistics({
  sql,
  database,
}: Pick<Services, "sql" | "database">): Promise<void> {
  const grown = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and pg_relation_size(oid) > 2 * relpages::bigint * current_setting('block_size')::int`;
  for (const { name } of grown) await sql`analyze ${sql(name)}`;
  if (grown.length > 0 && database !== "external") await sql`checkpoint`;
}

/** Vacuums a table after many rows of it were `written` or deleted, so that its readers do not pass dead rows. */
export async function vacuumAfter(sql: Sql, table: string, written: number): Promise<void> {
  if (written > 1_000) await sql`vacuum ${sql(table)}`;
}
