/** Where objects were: the movements of an object, and those to a storage location. */
import { type Caller, mayDo } from "../caller.ts";
import { STORED_AT } from "../records/links/places.ts";
import { visibleTo } from "../records/visibility.ts";
import type { Sql, Tx } from "../services.ts";

/** Of a place that does not exist any more, the name only. */
export type Named = { id: string | null; idno: string | null; title: string };

/** How an object came to a place, and until when it stayed. `from` null: it had no place; `to` null: it has none any more. */
export type Movement = {
  object: Named;
  from: Named | null;
  to: Named | null;
  /** Days such as `2026-01-31`; null if nobody said when. `until`: of the next movement. */
  date: string | null;
  until: string | null;
  reason: string | null;
  /** Such as the loan that it was moved for; null if the caller may not see it. */
  procedure: Named | null;
  /** When it was recorded; `left_at`: when the next movement was, null for the last one. */
  at: string;
  left_at: string | null;
  actor_id: string | null;
  actor: string | null;
  import_id: string | null;
};

/** `formers`: also those of objects that were merged into it. `stays`: of objects that are there, or of those that have left. */
export type WhichMovements = { object: string; formers?: true } | { place: string; stays: boolean };

/** A page of movements, newest first. The caller may read objects and storage locations. */
export async function listMovements(
  sql: Sql | Tx,
  caller: Caller,
  which: WhichMovements,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; items: Movement[] }> {
  const named = (id: ReturnType<Sql>) => sql`(
    select json_build_object('id', r.id, 'idno', r.idno, 'title', r.title) from records r
    where r.id = ${id} and ${visibleTo(sql, caller)})`;
  const place = (id: ReturnType<Sql>, name: ReturnType<Sql>) => sql`
    case when ${name} is not null then
      coalesce(${named(id)}, json_build_object('id', null, 'idno', null, 'title', ${name})) end`;
  const formers = sql`
    with recursive way as (
      select id from records where merged_into = ${"object" in which ? which.object : null}
      union
      select r.id from way join records r on r.merged_into = way.id)
    select id from way`;
  const those =
    "object" in which
      ? sql`(m.object_id = ${which.object} ${which.formers ? sql`or m.object_id in (${formers})` : sql``})`
      : sql`m.to_id = ${which.place} and next.at is ${which.stays ? sql`null` : sql`not null`}
          and ${named(sql`m.object_id`)} is not null`;
  const found = sql`
    from movements m
      left join lateral (
        select s.to_id, s.to_name from movements s where s.object_id = m.object_id and s.at < m.at
        order by s.at desc limit 1) previous on true
      left join lateral (
        select s.at, s.day from movements s where s.object_id = m.object_id and s.at > m.at
        order by s.at limit 1) next on true
      left join records f on f.id = m.object_id and f.merged_into is not null
      left join accounts a on a.id = m.actor_id
    where ${those}`;
  const items = await sql<Movement[]>`
    select ${named("object" in which ? sql`${which.object}` : sql`m.object_id`)} as object, ${place(sql`previous.to_id`, sql`previous.to_name`)} as "from",
      ${place(sql`m.to_id`, sql`m.to_name`)} as "to", m.day as date, coalesce(next.day, f.deleted_at::date) as until, m.reason,
      ${named(sql`m.procedure_id`)} as procedure, m.at, coalesce(next.at, f.deleted_at) as left_at, m.actor_id, a.email as actor, m.import_id
    ${found} order by m.at desc, m.object_id limit ${limit} offset ${offset}`;
  const [counted] = await sql<[{ total: number }]>`select count(*)::int as total ${found}`;
  return { total: counted.total, items: [...items] };
}

/** The last movement of an object, which says where it is. */
export async function lastMovement(sql: Sql | Tx, caller: Caller, id: string): Promise<Movement | undefined> {
  return (await listMovements(sql, caller, { object: id }, { limit: 1, offset: 0 })).items[0];
}

/** The names of the places where these objects are, by their ids. */
export async function placeNames(
  sql: Sql,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; title: string }[]>`
    select l.from_id as id, r.title from relations l join records r on r.id = l.to_id
    where l.relation_type = ${STORED_AT} and l.from_id = any(${ids as string[]}) and ${visibleTo(sql, caller)}`;
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** Whether the caller may read where objects are and were. */
export const mayReadMovements = (caller: Caller): boolean =>
  mayDo(caller, "read", "object") && mayDo(caller, "read", "storage_location");
