/** Nightly cleaning of the tables of the index, and their statistics. */
import type { Sql } from "../../services.ts";

/** Deletes old rows of the log of changes. A snapshot that may lack some of these is read anew. */
export async function tidyTables(sql: Sql): Promise<void> {
  await sql`
    with gone as (delete from search_log where at < now() - interval '1 hour' returning 1)
    update search_state set forgotten = pg_current_xact_id()
    where exists (select 1 from gone)`;
}

/** Tells the planner how large the tables have become. */
export async function analyzeTables(sql: Sql): Promise<void> {
  await sql`analyze search_rows_a, search_texts_a, search_ranges_a, search_rows_b, search_texts_b, search_ranges_b,
    search_terms, search_words`;
}
