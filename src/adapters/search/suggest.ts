/** Suggestions while somebody types: titles and facet values that begin with what was typed. */
import { SEARCH_TARGET, type SearchScope, type Suggestions, type SuggestQuery } from "../../search-index.ts";
import { allOf, overlaps, scopeCondition, scopesCondition } from "./scope.ts";
import type { SearchContext } from "./search-context.ts";
import { titleMarks } from "./words.ts";

/** Words of titles that may complete the last word. */
const MOST_COMPLETIONS = 100;
/** The same for a last word shorter than `SHORTEST_WORD`. The words before it leave few titles. */
const MOST_OF_SHORT = 500;
/** Facet values that are compared for one field. */
const MOST_TERMS = 1_000;
/** Too many words complete a shorter one. If it is the only word, it is compared only with the beginning of titles. */
const SHORTEST_WORD = 3;

type Suggest = Pick<SearchContext, "sql" | "tables" | "numbers"> & { query: SuggestQuery };

export async function suggestInDatabase(suggest: Suggest): Promise<Suggestions> {
  const { query } = suggest;
  if (query.words.length === 0 || query.scopes.length === 0) return { records: [], terms: [] };
  const records = new Set<string>();
  for (const find of [titlesThatBegin, titlesWithWords]) {
    for (const scope of query.scopes) {
      if (records.size >= query.limit) break;
      for (const id of await find(suggest, scope)) records.add(id);
    }
  }
  return { records: [...records].slice(0, query.limit), terms: await termsThatBegin(suggest) };
}

/** Records whose title begins with what was typed, in order of titles. */
async function titlesThatBegin(
  { sql, query: { start, titledTypes, limit } }: Suggest,
  scope: SearchScope,
): Promise<string[]> {
  // nothing but punctuation was typed, with which every title would match
  if (start === "") return [];
  const kinds = titledTypes.filter((kind) => scope.recordTypes.includes(kind));
  const statuses = scope.audience === "public" ? ["public"] : scope.statuses;
  // in this form PostgreSQL can use the partial index of public records
  const seen =
    scope.audience === "public"
      ? sql`r.status = 'public'`
      : sql`r.status = any(${statuses as string[]}::text[])`;
  const rows = await sql<{ id: string }[]>`
    select r.id
    from unnest(${kinds}::text[]) k(kind) cross join lateral (
      select r.id, r.sort_title from records r
      where r.record_type = k.kind and r.deleted_at is null and ${seen}
        and r.sort_title >= ${start} and r.sort_title < ${`${start}\u{10ffff}`}
        ${
          scope.collectionStatuses
            ? sql`and (r.collection_status is null or r.collection_status = any(${scope.collectionStatuses as string[]}::text[]))`
            : sql``
        }
      order by r.sort_title limit ${limit}) r
    order by r.sort_title, r.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Records whose title has these words. The last word may be unfinished. */
async function titlesWithWords(suggest: Suggest, scope: SearchScope): Promise<string[]> {
  const { sql, tables, numbers, query } = suggest;
  const { words, titledTypes, limit } = query;
  const last = words.at(-1)!;
  const before = words.slice(0, -1);
  const isShort = last.length < SHORTEST_WORD;
  if (isShort && before.length === 0) return [];
  const marks = titleMarks(scope.audience);
  const found = await numbers.find(before, marks);
  const lists = before.map((word) => found.of(word, marks));
  lists.push(await numbers.beginning(last, marks, isShort ? MOST_OF_SHORT : MOST_COMPLETIONS));
  if (lists.some((list) => list.length === 0)) return [];
  const seen = { ...scope, recordTypes: titledTypes.filter((kind) => scope.recordTypes.includes(kind)) };
  const where = allOf(sql, [
    scopeCondition(sql, seen),
    ...lists.map((list) => overlaps(sql, list)),
    // a record that waits to be indexed may have been changed so that nobody finds it by such a word
    sql`not exists (select 1 from outbox o where o.target = ${SEARCH_TARGET} and o.hides and o.record_id = s.id)`,
  ]);
  const rows = await sql<{ id: string }[]>`
    with m as materialized (select s.id from ${tables.rows} s where ${where})
    select id from m order by id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

async function termsThatBegin({ sql, tables, query }: Suggest): Promise<Suggestions["terms"]> {
  const { scopes, words, fields, limit } = query;
  const start = words.join(" ");
  const rows = await sql<Suggestions["terms"]>`
    select f.name as field, t.value, c.n as count
    from search_fields f cross join lateral (
      select term, value from search_terms
      where term >> 24 = f.field_no and folded >= ${start} and folded < ${`${start}\u{10ffff}`}
      order by folded limit ${MOST_TERMS}) t
    cross join lateral (
      select coalesce(sum(s.n), 0)::int as n from ${tables.counts} s
      where s.term = t.term and ${scopesCondition(sql, scopes)}) c
    where f.name = any(${fields as string[]}::text[]) and c.n > 0
    order by c.n desc, t.value collate "C" limit ${limit}`;
  return [...rows];
}
