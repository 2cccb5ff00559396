/**
 * The search index in the service's own database.
 *
 * What is stored: each record is one narrow row that has its words and facet values as numbers (`words.ts`,
 * `word-numbers.ts`, `facet-terms.ts`). Positions of words, and ranges, are in other tables. Each write also corrects the
 * counts that facets need (`write-rows.ts`, `replace-rows.ts`). There are two sets of these tables: one answers, a rebuild
 * fills the other (`generations.ts`).
 *
 * The steps of a search:
 * 1. `find` reads which set of tables answers, and the stamp of the last change (`table-sets.ts`). If the same question was
 *    answered since that change, `answer-cache.ts` has the answer.
 * 2. The words of the query become numbers: for each scope, only those that its audience may search (`query-words.ts`).
 * 3. Each process keeps in memory what searches needed: sets of records, one for each list of alternatives (a word with its marks
 *    and stems, the completions of a prefix, the values of one filter), and a column of values for each facet. It reads what is
 *    missing, and applies the changes since its last answer (`snapshots.ts`, `snapshot.ts`).
 * 4. The hits are the intersection of these sets. Facets are counted over them (`find-in-memory.ts`, `facet-column.ts`).
 * 5. The database checks the conditions for which there are no sets: links, ranges, phrases, fields that are not facets
 *    (`remaining-conditions.ts`).
 * 6. The page is ranked (`rank.ts`) or sorted (`sort.ts`).
 * 7. If nothing was found, similar words are tried (`spelling.ts`).
 *
 * SQL alone answers searches without any condition, sorted searches with more than `exactUpTo` hits, and all searches if memory
 * cannot be used (`find-in-database.ts`, `conditions.ts`, `count-facets.ts`). It is slower, except without conditions, where
 * totals and facets come from the stored counts; beyond `LIMITS` not all hits are counted.
 * If a rebuild has ended meanwhile, the search is repeated on the new tables.
 */
import type { SearchAnswer, SearchIndex, SearchQuery } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import { cacheAnswers } from "./answer-cache.ts";
import { differingRows } from "./compare-rows.ts";
import { facetsOf } from "./count-facets.ts";
import { createFacetTerms } from "./facet-terms.ts";
import { findInDatabase } from "./find-in-database.ts";
import { findInMemory } from "./find-in-memory.ts";
import { databaseGenerations } from "./generations.ts";
import { analyzeTables, tidyTables } from "./maintenance.ts";
import { removeRows } from "./replace-rows.ts";
import { kindOfCode, statusOfCode } from "./row-codes.ts";
import { scopesCondition } from "./scope.ts";
import { emptyAnswer, LIMITS, type Limits, type SearchContext } from "./search-context.ts";
import { createSnapshots, PATIENCE, PATIENCE_WITH_SERVER, type SnapshotPatience } from "./snapshots.ts";
import { withCorrections } from "./spelling.ts";
import { suggestInDatabase } from "./suggest.ts";
import { type IndexState, readState, tablesOf } from "./table-sets.ts";
import { createWordNumbers } from "./word-numbers.ts";
import { rowsOf, writeRows } from "./write-rows.ts";

export function inDatabaseSearch(
  sql: Sql,
  {
    limits = LIMITS,
    isServer = false,
    inMemory = true,
    patience = isServer ? PATIENCE_WITH_SERVER : PATIENCE,
  }: { limits?: Limits; isServer?: boolean; inMemory?: boolean; patience?: SnapshotPatience } = {},
): SearchIndex {
  const facetTerms = createFacetTerms(sql);
  const numbers = createWordNumbers(sql);
  const answers = cacheAnswers<SearchAnswer>();
  const snapshots = createSnapshots(sql, inMemory ? limits.mostInMemory : 0, patience);

  /** Repeats a search if a rebuild ended meanwhile, because the tables it read may have been emptied. */
  async function onSameTables<T>(state: IndexState, ask: (state: IndexState) => Promise<T>): Promise<T> {
    for (let read = state; ; ) {
      const answer = await ask(read);
      const after = await readState(sql);
      if (after.current === read.current) return answer;
      read = after;
    }
  }

  async function find(query: SearchQuery): Promise<SearchAnswer> {
    if (query.scopes.length === 0) return emptyAnswer(query);
    const state = await readState(sql);
    // visitors do not find records that wait to be indexed, and the stamp does not tell which ones wait
    if (state.waiting && query.scopes.some(({ audience }) => audience === "public"))
      return onSameTables(state, (now) => findIn(now, query));
    const stamp = `${state.current}${state.stamp}`;
    return answers.get(stamp, JSON.stringify(query), () => onSameTables(state, (now) => findIn(now, query)));
  }

  function findIn(state: IndexState, query: SearchQuery): Promise<SearchAnswer> {
    const search: SearchContext = {
      sql,
      facetTerms,
      numbers,
      tables: tablesOf(sql, state.current),
      state,
      query,
      scope: scopesCondition(sql, query.scopes),
      limits,
      snapshots,
    };
    return withCorrections(search, async (one) => {
      const facets = await facetsOf(one);
      return (await findInMemory(one, facets)) ?? findInDatabase(one, facets);
    });
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
      onSameTables(await readState(sql), (state) =>
        suggestInDatabase({ sql, tables: tablesOf(sql, state.current), numbers, query }),
      ),
    async ping() {
      const { current } = await readState(sql);
      await sql`select id from ${tablesOf(sql, current).rows} limit 1`;
    },
    tidy: () => tidyTables(sql),
    grown: () => analyzeTables(sql),
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
