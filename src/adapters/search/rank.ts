/**
 * Sorts hits by relevance. Up to `mostRanked` hits are ranked by where and how often the words occur in them (`ts_rank`).
 * More hits are sorted by grade and, within a grade, by id, newest first. The grade is the number of search terms whose words are all in the title;
 * a phrase is one term. A title is text of weight A; its numbers do not count.
 */
import { plainArray } from "../../ids.ts";
import type { SearchHit } from "../../search-index.ts";
import { kindCode } from "./row-codes.ts";
import type { SearchContext } from "./search-context.ts";
import { tsqueryText } from "./words.ts";

/** The lowest `ts_rank` of a word in the title, and of a word elsewhere. */
const IN_TITLE = 0.607927;
const ELSEWHERE = 0.030396;

/** The score of a hit with `titled` of the `terms` search terms in its title. */
export function gradeScore(titled: number, terms: number): number {
  return rounded(ELSEWHERE + ((IN_TITLE - ELSEWHERE) * titled) / terms);
}

const rounded = (score: number): number => Math.round(score * 1e6) / 1e6;

/** Ranks all these hits (at most `mostRanked`) and returns the page of the query. Only words count that the audience of the scope with this record type may search. */
export async function rankedPage(search: SearchContext, ids: readonly string[]): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  // `ts_rank` would be zero with a negated term
  const terms = query.terms.filter((term) => !term.negated);
  let words = sql`null::tsquery`;
  for (const { audience, recordTypes } of query.scopes)
    words = sql`case when s.record_type::text = any(${recordTypes.map(kindCode)}::text[])
      then ${tsqueryText(terms, audience)}::tsquery else ${words} end`;
  const rows = await sql<SearchHit[]>`
    select s.id, ts_rank('{0.05, 0.1, 0.3, 1}', t.words, ${words}) as score
    from ${tables.rows} s join ${tables.texts} t on t.id = s.id
    where s.id = any(${plainArray(ids)}::uuid[])
    order by score desc, s.id desc limit ${query.limit} offset ${query.offset}`;
  return rows.map(({ id, score }) => ({ id, score: rounded(score) }));
}
