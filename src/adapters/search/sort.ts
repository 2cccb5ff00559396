/** A page of hits sorted by number, title or time. */
import type { SearchHit } from "../../search-index.ts";
import { inBatches } from "./batches.ts";
import { compareTexts } from "./count-facets.ts";
import { rankedByIds } from "./rank.ts";
import type { Condition } from "./scope.ts";
import type { SearchContext } from "./search-context.ts";

const COLUMNS = { idno: "idno", title: "sort_title", created_at: "created_at", updated_at: "updated_at" };

const KEYS_AT_ONCE = 4_000;

const columnOf = ({ sql, query }: SearchContext) => sql(COLUMNS[query.sort.by as keyof typeof COLUMNS]);

export async function sortedPage(search: SearchContext, where: Condition): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  const column = columnOf(search);
  const order =
    query.sort.direction === "asc" ? sql`r.${column} asc, r.id asc` : sql`r.${column} desc, r.id desc`;
  const hits = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s join records r on r.id = s.id where ${where}
    order by ${order} limit ${query.limit} offset ${query.offset}`;
  return withScores(
    search,
    hits.map(({ id }) => id),
  );
}

/** The same for any number of hits whose ids are known. */
export async function sortedByIds(search: SearchContext, ids: readonly string[]): Promise<SearchHit[]> {
  const { sql, query } = search;
  const rows = await inBatches(
    ids,
    (slice) => sql<{ id: string; key: string }[]>`
      select r.id, r.${columnOf(search)} as key from records r where r.id = any(${slice}::uuid[])`,
    { size: KEYS_AT_ONCE },
  );
  rows.sort((a, b) => compareTexts(a.key, b.key) || compareTexts(a.id, b.id));
  if (query.sort.direction === "desc") rows.reverse();
  return withScores(
    search,
    rows.slice(query.offset, query.offset + query.limit).map(({ id }) => id),
  );
}

/** The ids in this order, with scores if there are search words. */
async function withScores(search: SearchContext, ids: readonly string[]): Promise<SearchHit[]> {
  const { query } = search;
  const isRanked = query.terms.some((term) => !term.negated);
  const ranked = isRanked
    ? await rankedByIds({ ...search, query: { ...query, offset: 0, limit: ids.length } }, ids)
    : [];
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  return ids.map((id) => ({ id, score: scores.get(id) ?? 0 }));
}
