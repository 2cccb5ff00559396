/**
 * Sorts hits by relevance. Up to `mostRanked` hits are ranked by where and how often the words occur in them (`ts_rank`).
 * More hits are sorted by grade and, within a grade, by id, newest first. The grade is the number of search terms whose words are all in the title;
 * a phrase is one term. A title is text of weight A; its numbers do not count. Before all of them come the records whose
 * identification number is the query, and then those whose number begins so: each such start adds 1 to the score. Among records
 * of equal score, the entity whose name is the query comes first.
 */
import { plainArray } from "../../../ids.ts";
import type { SearchHit, SearchQuery, SearchTerm } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import { numberRank } from "../../../text/number-first.ts";
import { kindCode } from "../tables/packed-rows.ts";
import { tsqueryText } from "../tables/words.ts";
import type { SearchContext } from "./search-context.ts";

/** The lowest `ts_rank` of a word in the title, and of a word elsewhere. */
const IN_TITLE = 0.607927;
const ELSEWHERE = 0.030396;

/** The score of a hit with `titled` of the `terms` search terms in its title. */
export function gradeScore(titled: number, terms: number): number {
  return rounded(ELSEWHERE + ((IN_TITLE - ELSEWHERE) * titled) / terms);
}

const rounded = (score: number): number => Math.round(score * 1e6) / 1e6;

/** Records with numbers that begin as the query that are looked up. */
const MOST_NUMBERED = 10_000;

/** The ids, packed, of the records of the scopes whose numbers begin like this; for each start of `numbers`. */
export async function numberedRecords({ sql, query }: SearchContext): Promise<Uint8Array[]> {
  const kinds = query.scopes.flatMap(({ recordTypes }) => recordTypes);
  const found: Uint8Array[] = [];
  for (const start of query.numbers) {
    const [row] = await sql<{ packed: Uint8Array | null }[]>`
      select string_agg(uuid_send(n.id), '') as packed from unnest(${kinds}::text[]) k(kind) cross join lateral (
        select r.id from records r
        where r.record_type = k.kind and r.deleted_at is null
          and r.sort_idno >= ${start} and r.sort_idno < ${`${start}\u{10ffff}`}
        order by r.sort_idno limit ${MOST_NUMBERED}) n`;
    found.push(row!.packed ?? new Uint8Array());
  }
  return found;
}

/** SQL: whether the record `r` is an entity whose name is the query. */
const isNamed = (sql: Sql, { names }: SearchQuery) =>
  sql`(r.record_type = 'entity' and r.sort_title = any(${names as string[]}::text[]))`;

/** The ids, packed, of the entities whose name is the query. */
export async function namedRecords({ sql, query }: SearchContext): Promise<Uint8Array> {
  if (query.names.length === 0) return new Uint8Array();
  const [row] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(uuid_send(r.id), '') as packed from records r
    where r.deleted_at is null and ${isNamed(sql, query)}`;
  return row!.packed ?? new Uint8Array();
}

/** Ranks all these hits (at most `mostRanked`) and returns the page of the query. Only words count that the audience of the scope with this record type may search. */
export async function rankedPage(search: SearchContext, ids: readonly string[]): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  // `ts_rank` would be zero with a negated term
  const terms = query.terms.filter((term) => !term.negated);
  const rankOf = (ranked: readonly SearchTerm[]) => {
    let words = sql`null::tsquery`;
    for (const { audience, recordTypes } of query.scopes)
      words = sql`case when s.record_type::text = any(${recordTypes.map(kindCode)}::text[])
        then ${tsqueryText(ranked, audience)}::tsquery else ${words} end`;
    return sql`ts_rank('{0.05, 0.1, 0.3, 1}', t.words, ${words})`;
  };
  // a word as it was typed counts twice, its other forms once
  const typed = terms.map((term) => ({ ...term, stems: [] }));
  const rows = await sql<SearchHit[]>`
    select s.id, (${rankOf(terms)} + ${rankOf(typed)}) / 2 + ${numberRank(sql, query.numbers)} as score
    from ${tables.rows} s join ${tables.texts} t on t.id = s.id left join records r on r.id = s.id
    where s.id = any(${plainArray(ids)}::uuid[])
    order by score desc, coalesce(${isNamed(sql, query)}, false) desc, s.id desc limit ${query.limit} offset ${query.offset}`;
  return rows.map(({ id, score }) => ({ id, score: rounded(score) }));
}
