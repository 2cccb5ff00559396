/**
 * The search index in the service's own database: narrow rows beside the records, with words and facet values as numbers,
 * and counts that every write keeps exact; each process caches the parts that queries need.
 */
import type { SearchAnswer, SearchIndex, SearchQuery } from "../../search-index.ts";
import type { Sql } from "../../services.ts";
import { removeRows } from "./change-place.ts";
import { corrected } from "./correct.ts";
import { createDictionary } from "./dictionary.ts";
import { differingRows } from "./differing.ts";
import { findRecords } from "./find.ts";
import { databaseGenerations } from "./generations.ts";
import { keepAnswers } from "./kept-answers.ts";
import { kindOfLetter, statusOfLetter } from "./letters.ts";
import { createMirror, type MirrorPatience, PATIENCE, PATIENCE_WITH_SERVER } from "./mirror.ts";
import { LIMITS, type Limits, nothing, type Search } from "./one-search.ts";
import { scopesCondition } from "./scope.ts";
import { type IndexState, readState, tablesOf } from "./state.ts";
import { suggestInDatabase } from "./suggest.ts";
import { analyzeTables, tidyTables } from "./upkeep.ts";
import { createWordNumbers } from "./word-numbers.ts";
import { rowsOf, writeRows } from "./write-rows.ts";

export function inDatabaseSearch(
  sql: Sql,
  {
    limits = LIMITS,
    isServer = false,
    patience = isServer ? PATIENCE_WITH_SERVER : PATIENCE,
  }: { limits?: Limits; isServer?: boolean; patience?: MirrorPatience } = {},
): SearchIndex {
  const dictionary = createDictionary(sql);
  const numbers = createWordNumbers(sql);
  const answers = keepAnswers<SearchAnswer>();
  const mirror = createMirror(sql, limits.mostHeld, patience);

  /** Answers of one place: while it was asked another one may have begun to answer, and its rows may be gone. */
  async function steady<T>(state: IndexState, ask: (state: IndexState) => Promise<T>): Promise<T> {
    for (let asked = state; ; ) {
      const answer = await ask(asked);
      const after = await readState(sql);
      if (after.current === asked.current) return answer;
      asked = after;
    }
  }

  async function find(query: SearchQuery): Promise<SearchAnswer> {
    if (query.scopes.length === 0) return nothing(query);
    const state = await readState(sql);
    // while records wait, what visitors may find depends on which
    if (state.waiting && query.scopes.some(({ audience }) => audience === "public"))
      return steady(state, (now) => findIn(now, query));
    const stamp = `${state.current}${state.stamp}`;
    return answers.get(stamp, JSON.stringify(query), () => steady(state, (now) => findIn(now, query)));
  }

  function findIn(state: IndexState, query: SearchQuery): Promise<SearchAnswer> {
    const search: Search = {
      sql,
      dictionary,
      numbers,
      tables: tablesOf(sql, state.current),
      state,
      query,
      scope: scopesCondition(sql, query.scopes),
      limits,
      mirror,
    };
    return corrected(search, findRecords);
  }

  return {
    async put(documents) {
      if (documents.length > 0) await writeRows(sql, await rowsOf(dictionary, numbers, documents));
    },
    async remove(ids) {
      await removeRows(sql, ids);
    },
    find,
    suggest: async (query) =>
      steady(await readState(sql), (state) =>
        suggestInDatabase({ sql, tables: tablesOf(sql, state.current), numbers, mirror, state, query }),
      ),
    async ping() {
      const { current } = await readState(sql);
      await sql`select id from ${tablesOf(sql, current).rows} limit 1`;
    },
    tidy: () => tidyTables(sql),
    grown: () => analyzeTables(sql),
    generations: databaseGenerations(sql, dictionary, numbers, { isServer }),
    differing: async (documents) =>
      steady(await readState(sql), ({ current }) =>
        differingRows({ sql, dictionary, numbers }, current, documents),
      ),
    async walk(after, limit) {
      const found = await steady(await readState(sql), async ({ current }) => {
        const { rows } = tablesOf(sql, current);
        return sql<{ id: string; record_type: string; status: string }[]>`
          select id, record_type, status from ${rows} s
          where ${after === null ? sql`true` : sql`s.id > ${after}`} order by id limit ${limit}`;
      });
      return found.map((row) => ({
        id: row.id,
        recordType: kindOfLetter(row.record_type),
        status: statusOfLetter(row.status),
      }));
    },
  };
}
