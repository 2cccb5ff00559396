/**
 * The search index in the service's own database.
 *
 * A record is one narrow row: words and facet values as numbers (`words.ts`, `facet-terms.ts`), with positions and ranges in
 * tables beside it; every write also corrects the counts (`write-rows.ts`, `replace-rows.ts`). There are two such places:
 * one answers, in the other one a rebuild makes a new index (`generations.ts`).
 *
 * The way of a search: `find` reads which place answers and the stamp of its last change. If the same was asked since that
 * change, the answer is in `answer-cache.ts` (except for visitors while changed records wait to be indexed). Else the words of the query become numbers, for each scope only those that its
 * audience may find (`query-words.ts`). Each process keeps sets of records for words and facet values in its memory, reads
 * those that are missing, and follows the log of changes before it answers (`snapshots.ts`, `snapshot.ts`). Hits are the
 * intersection of these sets, and facets are counted over them there (`find-in-memory.ts`, `facet-column.ts`). The database
 * is asked for what the sets do not tell: links, ranges, phrases, other fields (`remaining-conditions.ts`). SQL
 * answers where nothing is asked (quickly, from the counts) and where the memory cannot be used (more slowly, and beyond
 * `LIMITS` without counting all hits) (`find-in-database.ts`, `conditions.ts`, `count-facets.ts`). A page
 * is ranked by `rank.ts` or sorted by `sort.ts`. When nothing was found, similar words are tried (`spelling.ts`). If the
 * other place has begun to answer meanwhile, the search is repeated.
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
import { type IndexState, readState, tablesOf } from "./place-state.ts";
import { removeRows } from "./replace-rows.ts";
import { kindOfCode, statusOfCode } from "./row-codes.ts";
import { scopesCondition } from "./scope.ts";
import { emptyAnswer, LIMITS, type Limits, type Search } from "./search-context.ts";
import { createSnapshots, PATIENCE, PATIENCE_WITH_SERVER, type SnapshotPatience } from "./snapshots.ts";
import { withCorrections } from "./spelling.ts";
import { suggestInDatabase } from "./suggest.ts";
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

  /** Asks again when the other place has begun to answer meanwhile: the rows of the first may have gone. */
  async function onSamePlace<T>(state: IndexState, ask: (state: IndexState) => Promise<T>): Promise<T> {
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
    // while records wait, what visitors may find depends on which records these are
    if (state.waiting && query.scopes.some(({ audience }) => audience === "public"))
      return onSamePlace(state, (now) => findIn(now, query));
    const stamp = `${state.current}${state.stamp}`;
    return answers.get(stamp, JSON.stringify(query), () => onSamePlace(state, (now) => findIn(now, query)));
  }

  function findIn(state: IndexState, query: SearchQuery): Promise<SearchAnswer> {
    const search: Search = {
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
      onSamePlace(await readState(sql), (state) =>
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
      onSamePlace(await readState(sql), ({ current }) =>
        differingRows({ sql, facetTerms, numbers }, current, documents),
      ),
    async walk(after, limit) {
      const found = await onSamePlace(await readState(sql), async ({ current }) => {
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
