/** Rebuilds of the index: one of the two sets of tables answers, and the new index is built in the other. */
import type { SearchGenerations } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import type { FacetTerms } from "../snapshot/facet-terms.ts";
import { countChange, otherTables, readState, tablesOf } from "./table-sets.ts";
import type { WordNumbers } from "./word-numbers.ts";
import { removeRows, rowsOf, writeRows } from "./write-rows.ts";

/** The columns with a GIN index. */
const COLUMNS = ["words", "terms"] as const;

/** Records written in one transaction. The embedded database has only one session, so everybody waits for it. */
const BATCH_SIZE = 200;

export function databaseGenerations(
  sql: Sql,
  facetTerms: FacetTerms,
  numbers: WordNumbers,
  { isServer }: { isServer: boolean },
): SearchGenerations {
  const building = async () => otherTables((await readState(sql)).current);

  /**
   * Creating a GIN index for a full table is several times faster than filling it row by row, so a server drops the indexes
   * first. In the embedded database, creating one would block everybody for seconds. There, the indexes only collect more
   * rows before they sort them in.
   */
  async function loosenIndexes(): Promise<void> {
    const set = await building();
    for (const column of COLUMNS) {
      const index = sql(`search_rows_${set}_${column}`);
      if (isServer) await sql`drop index if exists ${index}`;
      else await sql`alter index if exists ${index} set (gin_pending_list_limit = 1024)`;
    }
  }

  async function tightenIndex(column: (typeof COLUMNS)[number]): Promise<void> {
    const set = await building();
    const index = `search_rows_${set}_${column}`;
    await sql.begin(async (tx) => {
      // with less memory it writes the same pages several times
      await tx`set local maintenance_work_mem = '256MB'`;
      await tx`
        create index if not exists ${tx(index)} on ${tx(`search_rows_${set}`)} using gin (${tx(column)})
        with (fastupdate = on, gin_pending_list_limit = 256)`;
      if (isServer) return;
      await tx`alter index ${tx(index)} set (gin_pending_list_limit = 256)`;
      await tx`select gin_clean_pending_list(${index}::regclass)`;
    });
  }

  const tightenIndexes = () => Promise.all(COLUMNS.map(tightenIndex));

  async function truncateTables(): Promise<void> {
    const { rows, texts, ranges } = tablesOf(sql, await building());
    await sql`truncate ${rows}, ${texts}, ${ranges} restart identity`;
  }

  return {
    async begin() {
      await sql`update search_state set is_building = false`;
      await truncateTables();
      await loosenIndexes();
      await facetTerms.foldAgain();
      await sql`update search_state set is_building = true`;
    },
    batchSize: BATCH_SIZE,
    isBuilding: async () => (await readState(sql)).isBuilding,
    async put(documents) {
      if (documents.length > 0)
        await writeRows(sql, await rowsOf(facetTerms, numbers, documents), await building());
    },
    async remove(ids) {
      await removeRows(sql, ids, await building());
    },
    async settle() {
      const { rows, texts, ranges } = tablesOf(sql, await building());
      await tightenIndexes();
      // without statistics, the planner would not know how large the new tables are
      await sql`analyze ${rows}, ${texts}, ${ranges}`;
    },
    async swap() {
      await sql.begin(async (tx) => {
        await tx`
          update search_state set is_building = false, generation = generation + 1,
            current = case current when 'a' then 'b'::"char" else 'a'::"char" end
          where is_building`;
        await countChange(tx);
      });
      // a search that still reads the old tables notices this and starts again
      await truncateTables();
    },
    async drop() {
      await sql`update search_state set is_building = false`;
      await truncateTables();
      await tightenIndexes();
    },
  };
}
