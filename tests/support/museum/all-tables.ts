/** All rows of all tables, to compare them. */
import { dumpTables } from "../../../src/adapters/database/dump/catalogue.ts";
import type { Sql } from "../../../src/services.ts";

/** What every write moves: clocks, versions, the history, and dates of what visitors see. */
const CLOCKS = ["version", "updated_at", "updated_by"];
const APART = ["revisions", "public_dates", "security_events"];

export async function allTables(sql: Sql, apart: readonly string[] = []): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of await dumpTables(sql)) {
    if (APART.includes(name) || apart.includes(name)) continue;
    const rows = await sql<{ row: string }[]>`
      select (to_jsonb(t) - ${CLOCKS}::text[])::text as row from ${sql(name)} t order by 1`;
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
