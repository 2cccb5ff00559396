/**
 * The order of hits by words. Not too many are weighed by where and how often the words stand in them (`ts_rank`).
 * Of more, those come first that have most of the words in what names them, the newest of them first: a word that
 * hundreds have tells little by standing somewhere twice.
 */
import type { SearchHit, SearchScope } from "../../search-index.ts";
import type { WordConditions } from "./conditions.ts";
import type { Search } from "./one-search.ts";
import { allOf, type Condition, scopeCondition } from "./scope.ts";
import { tsqueryText } from "./words.ts";

/** The least that `ts_rank` gives a word in what names the record, and one that stands elsewhere. */
const IN_TITLE = 0.607927;
const ELSEWHERE = 0.030396;

/** Of a hit that has so many of the words in what names it. */
export function gradeScore(titled: number, words: number): number {
  return Math.round((ELSEWHERE + ((IN_TITLE - ELSEWHERE) * titled) / words) * 1e6) / 1e6;
}

export async function weighedPage(
  search: Search,
  all: readonly Condition[],
  words: WordConditions,
  n: number,
): Promise<SearchHit[]> {
  const where = allOf(search.sql, all);
  return n > search.limits.mostWeighed ? graded(search, where, words) : weighed(search, where);
}

/** A page of not too many, the best first. */
export async function weighed(search: Search, where: Condition): Promise<SearchHit[]> {
  const { sql, tables } = search;
  const columns = sql`s.id, s.record_type, s.status, s.collection_status`;
  return best(search, sql`(select ${columns} from ${tables.rows} s where ${where}) s`);
}

/** The same of these. To weigh them the rows are needed only where it depends on the scope that a record is in. */
export async function weighedAmong(search: Search, ids: readonly string[]): Promise<SearchHit[]> {
  const { sql } = search;
  const among = sql`s.id = any(${ids as string[]}::uuid[])`;
  return search.query.scopes.length > 1
    ? weighed(search, among)
    : best(search, sql`unnest(${ids as string[]}::uuid[]) s(id)`);
}

/** @param hits named `s` */
async function best(search: Search, hits: Condition): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  const rows = await sql<SearchHit[]>`
    with s as materialized (select * from ${hits})
    select s.id, ${scoreOf(search)} as score
    from s join ${tables.texts} t on t.id = s.id
    order by score desc, s.id desc limit ${query.limit} offset ${query.offset}`;
  return rows.map(({ id, score }) => ({ id, score: Math.round(score * 1e6) / 1e6 }));
}

/** How well the words fit. Words that no visitor may find weigh nothing where the reader is no more than a visitor. */
function scoreOf({ sql, query: { scopes, terms } }: Search): Condition {
  // what must not be there has no weight, and would take that of all others
  const weighed = terms.filter((term) => !term.negated);
  const rank = ({ audience }: SearchScope) =>
    sql`ts_rank('{0.05, 0.1, 0.3, 1}', t.words, ${tsqueryText(weighed, audience)}::tsquery)`;
  const [first, ...others] = scopes;
  return others.reduce(
    (all, scope) => sql`case when ${scopeCondition(sql, scope)} then ${rank(scope)} else ${all} end`,
    rank(first!),
  );
}

/** A page of many: most words in what names the record first, then the newest. */
async function graded(search: Search, where: Condition, { inTitle }: WordConditions): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  const grade = inTitle.reduce((sum, titled) => sql`${sum} + (${titled})::int`, sql`0`);
  const hits = await sql<{ id: string; grade: number }[]>`
    with m as materialized (select s.id, ${grade} as grade from ${tables.rows} s where ${where})
    select id, grade from m order by grade desc, id desc limit ${query.limit} offset ${query.offset}`;
  return hits.map((hit) => ({ id: hit.id, score: gradeScore(hit.grade, inTitle.length) }));
}
