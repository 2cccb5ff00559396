/** Maintenance of tables during large imports. */
import type { Services } from "../services.ts";

/** Tells the planner the new sizes of the tables; the embedded database has no autovacuum. */
export async function refreshStatistics({ sql, search, database }: Services): Promise<void> {
  await sql`analyze records, relations, revisions, outbox, import_rows`;
  await search.grown?.();
  if (database !== "external") await sql`checkpoint`;
}

/** Every search reads the outbox, so it must not be full of dead rows. */
export async function vacuumOutbox({ sql }: Services): Promise<void> {
  await sql`vacuum outbox`;
}
