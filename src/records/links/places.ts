/**
 * Where objects are and were. Each is in one place (`sql/0056_one_current_place.sql`), and every write of a link
 * to a place notes the movement (`sql/0067_movements.sql`).
 */
import type { Sql, Tx } from "../../services.ts";

/** A name of the default schema. An installation without it has no rule. */
export const STORED_AT = "stored_at";

type Link = { relation_type: string; from_id: string; to_id: string };
type EndedLink = Link & {
  id: string;
  created_at: string;
  metadata: Record<string, { value: string; lang?: string }[]>;
};

/** What is said of a move besides its places. `day`: such as `2026-01-31`; `procedure`: the id of, say, a loan. */
export type MoveNotes = { day?: string | undefined; reason?: string | undefined; procedure?: string };

type Mover = { actorId: string | null; importId: string | null };

/** Call it after links were written or removed: notes the movements of their objects, if they are elsewhere now. */
export async function noteMovements(
  tx: Tx,
  { actorId, importId }: Mover,
  links: readonly Pick<Link, "relation_type" | "from_id">[],
  { day, reason, procedure }: MoveNotes = {},
): Promise<void> {
  const objects = links.flatMap((link) => (link.relation_type === STORED_AT ? link.from_id : []));
  if (objects.length === 0) return;
  await tx`
    select note_movements(${objects}::uuid[], ${actorId}::uuid, ${importId}::uuid, ${day ?? null}::date,
      ${reason || null}::text, ${procedure ?? null}::uuid)`;
}

/**
 * Call it after the links of an import were taken back: the objects were never where it had put them. If somebody has moved one
 * since, its history stays: the later movement begins where the import had put it.
 */
export async function forgetMovements(
  tx: Tx,
  actorId: string | null,
  importId: string,
  links: readonly Pick<Link, "relation_type" | "from_id">[],
): Promise<void> {
  const objects = links.map(({ from_id }) => from_id);
  await tx`
    delete from movements m where object_id = any(${objects}) and import_id = ${importId} and not exists (
      select from movements later
      where later.object_id = m.object_id and later.at > m.at and later.import_id is distinct from m.import_id)`;
  await noteMovements(tx, { actorId, importId: null }, links);
}

/** Of these objects, those that were moved after this day, with the day of their last movement. */
export async function movedAfter(
  sql: Sql | Tx,
  ids: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ object_id: string; last: string }[]>`
    select object_id, max(day) as last from movements
    where object_id = any(${ids as string[]}) and day > ${day}::date group by object_id`;
  return new Map(rows.map(({ object_id, last }) => [object_id, last]));
}

/** The ids of the places of those of these objects that have one. */
export async function currentPlaces(
  sql: Sql | Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<Link[]>`
    select from_id, to_id from relations where relation_type = ${STORED_AT} and from_id = any(${ids as string[]})`;
  return new Map(rows.map(({ from_id, to_id }) => [from_id, to_id]));
}

/** Removes the links of objects to their places, and returns them for the history. */
export async function endPlaces(tx: Tx, ids: readonly string[]): Promise<EndedLink[]> {
  return tx<EndedLink[]>`
    delete from relations l where l.relation_type = ${STORED_AT} and l.from_id = any(${ids as string[]})
    returning l.id, l.from_id, l.to_id, l.relation_type, l.metadata, l.created_at::text as created_at`;
}

/**
 * Call it before these links are written: removes the links to the places where their objects were, and returns them for the
 * history.
 */
export async function endEarlierPlaces(tx: Tx, links: readonly Link[]): Promise<EndedLink[]> {
  const places = links.filter(({ relation_type }) => relation_type === STORED_AT);
  if (places.length === 0) return [];
  return tx<EndedLink[]>`
    delete from relations l using json_to_recordset(${tx.json(places as never)}::json) as x(from_id uuid, to_id uuid)
    where l.relation_type = ${STORED_AT} and l.from_id = x.from_id and l.to_id <> x.to_id
    returning l.id, l.from_id, l.to_id, l.relation_type, l.metadata, l.created_at::text as created_at`;
}

/** Call it before these records are purged: objects that were in one of them have no place from then on. */
export async function leavePurged(tx: Tx, actorId: string | null, ids: readonly string[]): Promise<void> {
  const left = await tx<Link[]>`
    delete from relations where relation_type = ${STORED_AT} and to_id = any(${ids as string[]})
    returning relation_type, from_id`;
  await noteMovements(tx, { actorId, importId: null }, left);
}

/** The indexes of links that say two things of the place of one object. */
export function contradictingPlaces(links: readonly (Link & { metadata: unknown })[]): number[] {
  const first = new Map<string, number>();
  return links.flatMap((link, index) => {
    if (link.relation_type !== STORED_AT) return [];
    const before = first.get(link.from_id);
    if (before === undefined) {
      first.set(link.from_id, index);
      return [];
    }
    const other = links[before]!;
    const isSame =
      other.to_id === link.to_id && JSON.stringify(other.metadata) === JSON.stringify(link.metadata);
    return isSame ? [] : [before, index];
  });
}
