/** What a database needs while many rows arrive. */
import type { Services } from "../services.ts";

/** The planner must know the new sizes; the embedded database has nobody else who would tell it. */
export async function refreshStatistics({ sql, search, database }: Services): Promise<void> {
  await sql`analyze records, relations, revisions, outbox, import_rows`;
  await search.grown?.();
  if (database !== "external") await sql`checkpoint`;
}

/** What every search by a visitor looks into must not be full of what is done. */
export async function sweepOutbox({ sql }: Services): Promise<void> {
  await sql`vacuum outbox`;
}
