/** Drafts that public records link to. Visitors see neither these nor the links until somebody publishes them, too. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import { type Kind, kinds, PUBLIC_KINDS } from "../kinds.ts";
import { type NamedRow, namesColumn } from "../read/store.ts";
import { bestTitle } from "../record.ts";
import { visibleTo, wholeKinds } from "../visibility.ts";

/** `names`: number and title of the first few. `list`: the page of staff that has all of them. */
export type LinkedDrafts = { record_type: Kind; count: number; names: string[]; list: string };

/** How many records are named. */
const MOST_NAMED = 5;
/** Number and title of the first few records of a group. */
export const firstNames = (sql: Sql) =>
  sql`(array_agg(trim(idno || ' ' || title) order by sort_title, id))[1:${MOST_NAMED}::int]`;

/** Objects are published by themselves; what they link to is forgotten. */
const COUNTED: readonly Kind[] = PUBLIC_KINDS.filter((kind) => kind !== "object");

/** What is or will be public: a record, what an import or batch edit wrote, or these records. */
type Seen = string | readonly string[];

/** Selects the public records that `id` means. */
export function seenBy(sql: Sql, caller: Caller, id: Seen) {
  if (typeof id !== "string") return sql`select unnest(${id as string[]}::uuid[]) as id`;
  return sql`select p.id from records p
    where p.status = 'public' and p.deleted_at is null and (p.id = ${id}
      or p.record_type = any(${wholeKinds(caller) as string[]})
        and p.id in (select v.record_id from revisions v where v.import_id = ${id}))`;
}

/**
 * A condition on records named `r`: those that a public record links to, or that link to one, in a way that visitors can see.
 */
export function isLinkedWith(sql: Sql, caller: Caller, id: Seen) {
  return sql`r.id in (
    with seen as (${seenBy(sql, caller, id)}),
    shown as (select name from relation_types where is_public)
    select l.to_id from relations l
    where l.from_id in (select id from seen) and l.relation_type in (select name from shown)
    union
    select l.from_id from relations l
    where l.to_id in (select id from seen) and l.relation_type in (select name from shown))`;
}

/** The address query of the list of drafts that are linked with this: see `isLinkedWith`. */
export const draftsQuery = (id: string): string => `status=draft&linked_with=${id}`;

/** Drafts that this caller may see and that are linked with what `id` means. */
function linkedDrafts(sql: Sql, caller: Caller, id: Seen) {
  return sql`r.status = 'draft' and r.record_type = any(${COUNTED as string[]}) and ${visibleTo(sql, caller)}
    and ${isLinkedWith(sql, caller, id)}`;
}

/** How many drafts are listed one by one. */
export const MOST_LISTED = 200;

/** The first of them, one by one. */
export async function listLinkedDrafts(
  sql: Sql,
  caller: Caller,
  id: string,
  languages: readonly string[],
): Promise<{ record_type: Kind; id: string; idno: string; title: string }[]> {
  const rows = await sql<NamedRow[]>`
    select r.record_type, r.id, r.idno, ${namesColumn(sql)} as names from records r
    where ${linkedDrafts(sql, caller, id)} order by r.record_type, r.sort_title, r.id limit ${MOST_LISTED}`;
  return rows.map(({ names, ...row }) => ({
    ...row,
    title: bestTitle(names ?? undefined, languages) ?? row.idno,
  }));
}

/** By kind, without objects: drafts that this caller may see. */
export async function countLinkedDrafts(
  sql: Sql,
  caller: Caller,
  id: Seen,
): Promise<Omit<LinkedDrafts, "list">[]> {
  const rows = await sql<Omit<LinkedDrafts, "list">[]>`
    select r.record_type, count(*)::int as count, ${firstNames(sql)} as names from records r
    where ${linkedDrafts(sql, caller, id)}
    group by r.record_type`;
  return rows.sort((a, b) => COUNTED.indexOf(a.record_type) - COUNTED.indexOf(b.record_type));
}

/** The same with the lists of staff. */
export async function findLinkedDrafts(sql: Sql, caller: Caller, id: string): Promise<LinkedDrafts[]> {
  const rows = await countLinkedDrafts(sql, caller, id);
  return rows.map((row) => ({ ...row, list: `/admin/${kinds[row.record_type].plural}?${draftsQuery(id)}` }));
}
