/** Records of a kind by name, like the index of a book: by letter, in pages, with counts. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import { sortKey } from "../../text.ts";
import type { Kind } from "../kinds.ts";
import type { RecordRow } from "../record.ts";
import { foundByVisitors, visibleTo } from "../visibility.ts";
import { recordColumns } from "./store.ts";

/** What may follow the family name, folded. */
const AFTER_FAMILY =
  "the elder|the younger|der altere|der jungere|d a|d j|l ancien|le jeune|pere|fils|jr|sr|junior|senior|i{2,3}|iv|[0-9]+|" +
  "il vecchio|il giovane|el viejo|el joven|de oude|de jonge";

/** An import that was not told what its names are of knows people by their lives. */
const isPerson = (sql: Sql) =>
  sql`(r.subtype = 'person' or r.subtype = 'other' and r.metadata ?| '{birth_date, death_date}')`;

/** SQL: by what a name is sorted. People are found by the family name, which is the last one unless a comma stands after it. */
const sortedBy = (sql: Sql, kind: Kind) =>
  kind === "entity"
    ? sql`(case when ${isPerson(sql)} and r.title !~ ',' and r.sort_title !~ '^(master|meister|maitre|maestro|meester) '
        then regexp_replace(r.sort_title, ${`^(.+?) (\\S+)((?: (?:${AFTER_FAMILY}))*)$`}, '\\2 \\1\\3')
        else r.sort_title end)`
    : sql`r.sort_title`;

/** How many names begin with each letter, in sort order. */
export async function countLetters(
  sql: Sql,
  caller: Caller,
  kind: Kind,
): Promise<{ letter: string; count: number }[]> {
  return sql<{ letter: string; count: number }[]>`
    select left(${sortedBy(sql, kind)}, 1) as letter, count(*)::int as count from records r
    where r.record_type = ${kind} and ${visibleTo(sql, caller)} and r.sort_title <> ''
    group by 1 order by 1`;
}

/** @param letter null: all of them */
export async function idsByName(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  letter: string | null,
  page: { limit: number; offset: number },
): Promise<{ id: string; letter: string }[]> {
  return sql<{ id: string; letter: string }[]>`
    select n.id, left(n.key, 1) as letter
    from (select r.id, ${sortedBy(sql, kind)} as key from records r
      where r.record_type = ${kind} and ${visibleTo(sql, caller)}) n
    where ${letter === null ? sql`true` : sql`left(n.key, 1) = ${letter}`}
    order by n.key, n.id limit ${page.limit} offset ${page.offset}`;
}

/**
 * How many objects are linked to each of these by a public relation type.
 * @param collectionStatuses others are not counted
 */
export async function countObjectsOf(
  sql: Sql,
  ids: readonly string[],
  collectionStatuses: readonly string[],
): Promise<Map<string, number>> {
  const counted = await sql<{ id: string; count: number }[]>`
    select o.id, count(*)::int as count
    from unnest(${ids as string[]}::uuid[]) o(id) cross join lateral (
      select l.from_id as object_id from relations l join relation_types t on t.name = l.relation_type and t.is_public
      where l.to_id = o.id
      union
      select l.to_id from relations l join relation_types t on t.name = l.relation_type and t.is_public
      where l.from_id = o.id) l
    join records r on r.id = l.object_id
    where r.record_type = 'object' and ${foundByVisitors(sql, collectionStatuses)}
    group by o.id`;
  return new Map(counted.map(({ id, count }) => [id, count]));
}

/** Records of a kind with exactly this name, but for case, accents and blanks; at most ten. */
export async function findTitled(sql: Sql, caller: Caller, kind: Kind, name: string): Promise<RecordRow[]> {
  return sql<RecordRow[]>`
    select ${recordColumns(sql)} from records r
    where r.record_type = ${kind} and r.sort_title = ${sortKey(name)} and r.sort_title <> '' and ${visibleTo(sql, caller, kind)}
    order by r.sort_idno, r.id limit 10`;
}
