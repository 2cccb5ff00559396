/**
 * The search index in the service's own database.
 *
 * What is stored: each record is one narrow row that has its words and facet values as numbers (`words.ts`,
 * `word-numbers.ts`, `facet-terms.ts`). Positions of words, and ranges, are in other tables (`write-rows.ts`). There are two
 * sets of these tables: one answers, a rebuild fills the other (`generations.ts`). Both use the same numbers.
 *
 * The steps of a search:
 * 1. `find` reads which set of tables answers, the stamp of the last change and, for words and live values, which records
 *    visitors must not find yet (`table-sets.ts`).
 * 2. The words of the query become numbers: for each scope, only those that its audience may search (`word-numbers.ts`).
 * 3. The question is answered from a snapshot of the index, which has what searches needed so far: sets of records, one for
 *    each list of alternatives (a word with its marks and stems, the completions of a prefix, the values of one filter), and
 *    a column of values for each facet. The search reads what is missing, and applies the changes since the last answer
 *    (`snapshots.ts`, `snapshot.ts`). A process keeps its snapshot; with SEARCH_IN_MEMORY=false each search reads its own.
 * 4. Some conditions have no sets: links, ranges, phrases, and fields that are not facets. The database finds the records that
 *    meet them (`matches.ts`, `value-conditions.ts`).
 * 5. The hits are the intersection of all these. Facets are counted over them (`find-in-snapshot.ts`, `facet-column.ts`).
 * 6. The page is ranked (`rank.ts`) or sorted (`sort.ts`).
 * 7. If nothing was found, similar words are tried (`spelling.ts`).
 *
 * If a rebuild has ended meanwhile, the search is repeated on the new tables.
 */
import type { SearchAnswer, SearchIndex, SearchQuery } from "../../ports/search-index.ts";
import type { Sql } from "../../services.ts";
import { createFacetTerms } from "./snapshot/facet-terms.ts";
import { findInSnapshot } from "./snapshot/find-in-snapshot.ts";
import { emptyAnswer, LIMITS, type Limits, type SearchContext } from "./snapshot/search-context.ts";
import { createSnapshots, PATIENCE, PATIENCE_WITH_SERVER } from "./snapshot/snapshots.ts";
import { withCorrections } from "./snapshot/spelling.ts";
import { suggestInDatabase } from "./snapshot/suggest.ts";
import { isOfValues } from "./snapshot/value-conditions.ts";
import { differingRows } from "./tables/compare-rows.ts";
import { databaseGenerations } from "./tables/generations.ts";
import { kindOfCode, statusOfCode } from "./tables/packed-rows.ts";
import { type IndexState, readState, tablesOf, tidyTables } from "./tables/table-sets.ts";
import { createWordNumbers } from "./tables/word-numbers.ts";
import { removeRows, rowsOf, writeRows } from "./tables/write-rows.ts";

/** Whether the query has words, or conditions or facets on values that are read from the records. */
const asksLiveValues = ({ terms, conditions, anyOf, facets }: SearchQuery): boolean =>
  terms.length > 0 || [...conditions, ...anyOf].some(isOfValues) || facets.some(({ isFacet }) => !isFacet);

/** @param patience milliseconds after which a statement that reads a snapshot is given up */
export function inDatabaseSearch(
  sql: Sql,
  {
    limits = LIMITS,
    isServer = false,
    inMemory = true,
    patience = isServer ? PATIENCE_WITH_SERVER : PATIENCE,
  }: { limits?: Limits; isServer?: boolean; inMemory?: boolean; patience?: number } = {},
): SearchIndex {
  const facetTerms = createFacetTerms(sql);
  const numbers = createWordNumbers(sql);
  const kept = inMemory ? createSnapshots(sql, patience) : null;

  /** Repeats the work if a rebuild ended meanwhile, because the tables it read may have been emptied. */
  async function onSameTables<T>(state: IndexState, ask: (state: IndexState) => Promise<T>): Promise<T> {
    for (let read = state; ; ) {
      const answer = await ask(read);
      const { current } = await readState(sql);
      if (current === read.current) return answer;
      read = await readState(sql, true);
    }
  }

  function contextOf<Query>(state: IndexState, query: Query): SearchContext<Query> {
    const tables = tablesOf(sql, state.current);
    const snapshots = kept ?? createSnapshots(sql, patience, false);
    const inSnapshot: SearchContext["inSnapshot"] = (parts, ask) => snapshots.with(state.stamp, parts, ask);
    return { sql, facetTerms, numbers, tables, state, query, limits, inSnapshot };
  }

  async function find(query: SearchQuery): Promise<SearchAnswer> {
    if (query.scopes.length === 0) return emptyAnswer(query);
    const mayShowHidden = asksLiveValues(query) && query.scopes.some(({ audience }) => audience === "public");
    const state = await readState(sql, mayShowHidden);
    return onSameTables(state, (now) => withCorrections(contextOf(now, query), findInSnapshot));
  }

  return {
    async put(documents) {
      if (documents.length > 0) await writeRows(sql, await rowsOf(facetTerms, numbers, documents));
    },
    async remove(ids) {
      await removeRows(sql, ids);
    },
    find,
    suggest: async (query) =>
      onSameTables(await readState(sql, true), (state) => suggestInDatabase(contextOf(state, query))),
    async ping() {
      const { current } = await readState(sql);
      await sql`select id from ${tablesOf(sql, current).rows} limit 1`;
    },
    tidy: () => tidyTables(sql),
    generations: databaseGenerations(sql, facetTerms, numbers, { isServer }),
    differing: async (documents) =>
      onSameTables(await readState(sql), ({ current }) =>
        differingRows({ sql, facetTerms, numbers }, current, documents),
      ),
    async walk(after, limit) {
      const found = await onSameTables(await readState(sql), async ({ current }) => {
        const { rows } = tablesOf(sql, current);
        return sql<{ id: string; record_type: string; status: string }[]>`
          select id, record_type, status from ${rows} s
          where ${after === null ? sql`true` : sql`s.id > ${after}`} order by id limit ${limit}`;
      });
      return found.map((row) => ({
        id: row.id,
        recordType: kindOfCode(row.record_type),
        status: statusOfCode(row.status),
      }));
    },
  };
}
