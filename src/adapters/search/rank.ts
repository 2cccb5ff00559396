/**
 * The order of hits by relevance. A few hundred are ranked by where and how often the words occur in them (`ts_rank`). More
 * are graded by how many of the words are in their title, and the newest come first within a grade: that a common word
 * occurs twice in a record tells little.
 */
import type { SearchHit, SearchScope } from "../../search-index.ts";
import type { WordConditions } from "./conditions.ts";
import { allOf, type Condition, scopeCondition } from "./scope.ts";
import type { Search } from "./search-context.ts";
import { tsqueryText } from "./words.ts";

/** The least that `ts_rank` gives a word in the title, and a word elsewhere. */
const IN_TITLE = 0.607927;
const ELSEWHERE = 0.030396;

/** The score of a hit that has so many of the words in its title. */
export function gradeScore(titled: number, words: number): number {
  return Math.round((ELSEWHERE + ((IN_TITLE - ELSEWHERE) * titled) / words) * 1e6) / 1e6;
}

export async function rankedPage(
  search: Search,
  all: readonly Condition[],
  words: WordConditions,
  n: number,
): Promise<SearchHit[]> {
  const where = allOf(search.sql, all);
  return n > search.limits.mostRanked ? gradedPage(search, where, words) : rankedHits(search, where);
}

/** A page of few hits, the best first. */
export async function rankedHits(search: Search, where: Condition): Promise<SearchHit[]> {
  const { sql, tables } = search;
  const columns = sql`s.id, s.record_type, s.status, s.collection_status`;
  return bestHits(search, sql`(select ${columns} from ${tables.rows} s where ${where}) s`);
}

/** The same for hits whose ids are known. Rows are needed only to tell which scope a record is in. */
export async function rankedByIds(search: Search, ids: readonly string[]): Promise<SearchHit[]> {
  const { sql } = search;
  const among = sql`s.id = any(${ids as string[]}::uuid[])`;
  return search.query.scopes.length > 1
    ? rankedHits(search, among)
    : bestHits(search, sql`unnest(${ids as string[]}::uuid[]) s(id)`);
}

/** @param hits named `s` */
async function bestHits(search: Search, hits: Condition): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  const rows = await sql<SearchHit[]>`
    with s as materialized (select * from ${hits})
    select s.id, ${scoreOf(search)} as score
    from s join ${tables.texts} t on t.id = s.id
    order by score desc, s.id desc limit ${query.limit} offset ${query.offset}`;
  return rows.map(({ id, score }) => ({ id, score: Math.round(score * 1e6) / 1e6 }));
}

/** Within each scope only words that its audience may find count for the rank. */
function scoreOf({ sql, query: { scopes, terms } }: Search): Condition {
  // a negated term would make the rank of all others zero
  const ranked = terms.filter((term) => !term.negated);
  const rank = ({ audience }: SearchScope) =>
    sql`ts_rank('{0.05, 0.1, 0.3, 1}', t.words, ${tsqueryText(ranked, audience)}::tsquery)`;
  const [first, ...others] = scopes;
  return others.reduce(
    (all, scope) => sql`case when ${scopeCondition(sql, scope)} then ${rank(scope)} else ${all} end`,
    rank(first!),
  );
}

/** A page of many hits: the highest grade first, then the newest. */
async function gradedPage(
  search: Search,
  where: Condition,
  { inTitle }: WordConditions,
): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  const grade = inTitle.reduce((sum, titled) => sql`${sum} + (${titled})::int`, sql`0`);
  const hits = await sql<{ id: string; grade: number }[]>`
    with m as materialized (select s.id, ${grade} as grade from ${tables.rows} s where ${where})
    select id, grade from m order by grade desc, id desc limit ${query.limit} offset ${query.offset}`;
  return hits.map((hit) => ({ id: hit.id, score: gradeScore(hit.grade, inTitle.length) }));
}
