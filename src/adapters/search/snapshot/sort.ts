/** A page of hits sorted by number, title or time. */
import { plainArray } from "../../../ids.ts";
import { publicOrder, type SearchHit } from "../../../ports/search-index.ts";
import type { Bits } from "./bitset.ts";
import { rankedPage } from "./rank.ts";
import type { SearchContext } from "./search-context.ts";

/** Up to this many hits are sent to the database by their ids; more as one bit for each row of the index. */
export const MOST_BY_ID = 4_000;

export async function sortedPage(
  search: SearchContext,
  hits: readonly string[] | Bits,
): Promise<SearchHit[]> {
  const { sql, tables, query } = search;
  const isPublic = publicOrder(query);
  const keys = {
    idno: sql`r.sort_idno`,
    title: sql`r.sort_title`,
    date: sql`nullif(r.sort_date, '~')`,
    created_at: sql`r.created_at`,
    updated_at: sql`r.updated_at`,
  };
  const key = isPublic
    ? sql`case when r.status = 'public' then coalesce(d.datestamp, r.created_at) else r.updated_at end`
    : keys[query.sort.by as keyof typeof keys];
  const direction = query.sort.direction === "asc" ? sql`asc` : sql`desc`;
  const dates = isPublic ? sql`left join public_dates d on d.record_id = r.id` : sql``;
  const among =
    hits instanceof Uint32Array
      ? sql`${tables.rows} s join records r on r.id = s.id ${dates} where ${isSet(search, hits)}`
      : sql`records r ${dates} where r.id = any(${plainArray(hits)}::uuid[])`;
  const page = await sql<{ id: string }[]>`
    select r.id from ${among} order by ${key} ${direction} nulls last, r.id ${direction}
    limit ${query.limit} offset ${query.offset}`;
  const ids = page.map(({ id }) => id);
  if (query.terms.every((term) => term.negated)) return ids.map((id) => ({ id, score: 0 }));
  const ranked = await rankedPage({ ...search, query: { ...query, offset: 0, limit: ids.length } }, ids);
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  return ids.map((id) => ({ id, score: scores.get(id) ?? 0 }));
}

/** SQL: the bit of the row `s` is set. PostgreSQL numbers the bits of each byte from the lowest, as a set in memory does. */
function isSet({ sql }: SearchContext, bits: Bits) {
  const bytes = new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength);
  return sql`case when s.no < ${bits.length * 32} then get_bit(${bytes}::bytea, s.no) = 1 else false end`;
}
