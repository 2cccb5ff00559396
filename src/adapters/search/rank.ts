/**
 * Sorts hits by relevance. Up to a few hundred hits are ranked by where and how often the words occur in them (`ts_rank`).
 * More hits are sorted by grade, which is the number of search words in the title, and by age within a grade.
 */
import type { SearchHit, SearchScope } from "../../search-index.ts";
import type { WordConditions } from "./conditions.ts";
import { allOf, type Condition, scopeCondition } from "./scope.ts";
import type { SearchContext } from "./search-context.ts";
import { tsqueryText } from "./words.ts";

/** The lowest `ts_rank` of a word in the title, and of a word elsewhere. */
const IN_TITLE = 0.607927;
const ELSEWHERE = 0.030396;

/** The score of a hit with `titled` of the `words` search words in its title. */
export function gradeScore(titled: number, words: number): number {
  return Math.round((ELSEWHERE + ((IN_TITLE - ELSEWHERE) * titled) / words) * 1e6) / 1e6;
}

export async function rankedPage(
  search: SearchContext,
  all: readonly Condition[],
  words: WordConditions,
  n: number,
): Promise<SearchHit[]> {
  const where = allOf(search.sql, all);
  return n > search.limits.mostRanked ? gradedPage(search, where, words) : rankedHits(search, where);
}

/** A page of few hits, best first. */
export async function rankedHits(search: SearchContext, where: Condition): Promise<SearchHit[]> {
  const { sql, tables } = search;
  const columns = sql`s.id, s.record_type, s.status, s.collection_status`;
  return bestHits(search, sql`(select ${columns} from ${tables.rows} s where ${where}) s`);
}

/** The same for hits whose ids are known. With several scopes, the rows tell which scope a record is in. */
export async function rankedByIds(search: SearchContext, ids: readonly string[]): Promise<SearchHit[]> {
  const { sql } = search;
  const among = sql`s.id = any(${ids as string[]}::uuid[])`;
  return search.query.scopes.length > 1
    ? rankedHits(search, among)
    : bestHits(search, sql`unnest(${ids as string[]}::uuid[]) s(id)`);
}

/** @param hits a table expression in SQL, named `s` */
async function bestHits(search: SearchContext, hits: Condition): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  const rows = await sql<SearchHit[]>`
    with s as materialized (select * from ${hits})
    select s.id, ${scoreOf(search)} as score
    from s join ${tables.texts} t on t.id = s.id
    order by score desc, s.id desc limit ${query.limit} offset ${query.offset}`;
  return rows.map(({ id, score }) => ({ id, score: Math.round(score * 1e6) / 1e6 }));
}

/** SQL for the rank. In each scope, only words that its audience may search count. */
function scoreOf({ sql, query: { scopes, terms } }: SearchContext): Condition {
  // `ts_rank` would be zero with a negated term
  const ranked = terms.filter((term) => !term.negated);
  const rank = ({ audience }: SearchScope) =>
    sql`ts_rank('{0.05, 0.1, 0.3, 1}', t.words, ${tsqueryText(ranked, audience)}::tsquery)`;
  const [first, ...others] = scopes;
  return others.reduce(
    (all, scope) => sql`case when ${scopeCondition(sql, scope)} then ${rank(scope)} else ${all} end`,
    rank(first!),
  );
}

/** A page of many hits: highest grade first, then newest. */
async function gradedPage(
  search: SearchContext,
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
