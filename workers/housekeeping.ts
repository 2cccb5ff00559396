/** What a database server does by itself and the embedded one does not: vacuum, statistics, checkpoint. */
import type { Services } from "../src/services.ts";

export async function housekeep({ sql, database }: Services): Promise<void> {
  await sql`delete from search_counts where n = 0`;
  if (database === "external") return;
  await sql`vacuum (analyze)`;
  await sql`checkpoint`;
}
