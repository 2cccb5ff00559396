/** Suggestions while somebody types: titles and facet values that begin with what was typed. */
import type { SearchScope, Suggestions } from "../../../ports/search-index.ts";
import { titleMarks } from "../tables/words.ts";
import { countBits, intersect, subtract } from "./bitset.ts";
import { mostFirst, withValues } from "./count-facets.ts";
import type { SuggestContext } from "./search-context.ts";
import { ofWords } from "./snapshot.ts";

/** Words of titles that may complete the last word. */
const MOST_COMPLETIONS = 250;
/** Facet values that are compared for one field. */
const MOST_TERMS = 1_000;
/** A shorter last word has too many completions. If it is the only word, only the beginnings of titles are compared. */
const SHORTEST_WORD = 3;

export async function suggestInDatabase(suggest: SuggestContext): Promise<Suggestions> {
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
  { sql, query: { start, titledTypes, limit } }: SuggestContext,
  scope: SearchScope,
): Promise<string[]> {
  // nothing but punctuation was typed, with which every title would match
  if (start === "") return [];
  const kinds = titledTypes.filter((kind) => scope.recordTypes.includes(kind));
  // in this form PostgreSQL can use the partial index of public records
  const seen =
    scope.audience === "public"
      ? sql`r.status = 'public'`
      : sql`r.status = any(${scope.statuses as string[]}::text[])`;
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
async function titlesWithWords(suggest: SuggestContext, scope: SearchScope): Promise<string[]> {
  const { numbers, query, state, inSnapshot } = suggest;
  const { words, titledTypes, limit } = query;
  const last = words.at(-1)!;
  const before = words.slice(0, -1);
  if (last.length < SHORTEST_WORD && before.length === 0) return [];
  const marks = titleMarks(scope.audience);
  const found = await numbers.find(before, marks);
  const lists = before.map((word) => found.of(word, marks));
  lists.push(await numbers.beginning(last, marks, MOST_COMPLETIONS));
  if (lists.some((list) => list.length === 0)) return [];
  const seen = { ...scope, recordTypes: titledTypes.filter((kind) => scope.recordTypes.includes(kind)) };
  const sets = lists.map(ofWords);
  return inSnapshot({ sets }, (snapshot) => {
    const titled = snapshot.scope(seen).slice();
    for (const name of sets) intersect(titled, snapshot.set(name));
    // a record that waits to be indexed may no longer have such a word
    if (state.waiting.length > 0) subtract(titled, snapshot.recordsById(state.waiting));
    return snapshot.newest(titled, limit);
  });
}

async function termsThatBegin(suggest: SuggestContext): Promise<Suggestions["terms"]> {
  const { sql, query, facetTerms, inSnapshot } = suggest;
  const { scopes, words, fields, limit } = query;
  const start = words.join(" ");
  const beginning = await sql<{ number: number; field: string; terms: number[] }[]>`
    select f.field_no as number, f.name as field, array_agg(t.term) as terms
    from search_fields f cross join lateral (
      select term from search_terms
      where term >> 24 = f.field_no and folded >= ${start} and folded < ${`${start}\u{10ffff}`}
      order by folded limit ${MOST_TERMS}) t
    where f.name = any(${fields as string[]}::text[]) group by 1, 2`;
  if (beginning.length === 0) return [];
  const numbers = beginning.map(({ number }) => number);
  const counts = await inSnapshot({ fields: numbers }, (snapshot) => {
    const visible = snapshot.inScopes(scopes);
    const all = countBits(visible);
    return numbers.map((number) => snapshot.column(number).count(visible, all));
  });
  const found: Suggestions["terms"] = [];
  for (const [at, { field, terms }] of beginning.entries()) {
    const wanted = new Set(terms);
    const own = counts[at]!.filter(({ term }) => wanted.has(term));
    const values = await withValues(facetTerms, own, own.length);
    found.push(...values.map(({ value, count }) => ({ field, value, count })));
  }
  return found.sort(mostFirst).slice(0, limit);
}
