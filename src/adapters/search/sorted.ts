/** A page in the order of what stands in the records. */
import type { SearchHit } from "../../search-index.ts";
import type { Condition, Search } from "./scope.ts";

const COLUMNS = { idno: "idno", title: "sort_title", created_at: "created_at", updated_at: "updated_at" };

export async function sortedPage({ sql, tables, query }: Search, where: Condition): Promise<SearchHit[]> {
  const { by, direction } = query.sort;
  const column = sql(COLUMNS[by as keyof typeof COLUMNS]);
  const order = direction === "asc" ? sql`r.${column} asc, r.id asc` : sql`r.${column} desc, r.id desc`;
  const hits = await sql<{ id: string }[]>`
    select s.id from ${tables.rows} s join records r on r.id = s.id where ${where}
    order by ${order} limit ${query.limit} offset ${query.offset}`;
  return hits.map(({ id }) => ({ id, score: 0 }));
}
