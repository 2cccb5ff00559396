/**
 * Relations that lead up or down (part of, falls within) make no circles. Which types do is configuration
 * (`is_hierarchical`); a link is written first and its circle looked for after, under a lock of its type.
 */
import { type Account, mayDo } from "../accounts/caller.ts";
import type { Tx } from "../services.ts";
import { type Kind, kinds } from "./kinds.ts";
import type { RelationType } from "./schema.ts";

type Link = { from_id: string; to_id: string };

/** Records of a circle that are named; of a longer one its beginning and its end. */
const MOST_NAMED = 12;

/**
 * Lets one writer at a time into the hierarchies of these types: two links at once make no circle together. Before any
 * record is locked, so that nobody waits for each other.
 */
export async function lockHierarchies(tx: Tx, types: readonly RelationType[]): Promise<void> {
  const names = new Set(types.filter((type) => type.is_hierarchical).map((type) => type.name));
  for (const name of [...names].sort()) {
    await tx`select pg_advisory_xact_lock(hashtext(${`hierarchy:${name}`}))`;
  }
}

/** `ids` in turn, the first again at the end; `told` names them. */
export type Circle = { ids: readonly string[]; told: string };

/**
 * A circle that goes through one of these links, or null. Links of records in the trash count, since those can be
 * restored.
 */
export async function circleThrough(
  tx: Tx,
  caller: Account,
  relationType: string,
  links: readonly Link[] | "all",
): Promise<Circle | null> {
  if (links.length === 0) return null;
  const first =
    links === "all"
      ? tx`select l.from_id, l.to_id from relations l where l.relation_type = ${relationType}`
      : tx`select x.from_id, x.to_id from json_to_recordset(${tx.json(links as never)}::json)
          as x(from_id uuid, to_id uuid)`;
  const [found] = await tx<{ start: string }[]>`
    with recursive way as (
      select f.from_id as start, f.to_id as id from (${first}) f
      union
      select way.start, l.to_id from way join relations l on l.from_id = way.id
      where l.relation_type = ${relationType} and way.id <> way.start)
    select start from way where id = start limit 1`;
  if (!found) return null;
  const ids = shortestWay(await linksAfter(tx, relationType, found.start), found.start);
  return { ids, told: await namedInTurn(tx, caller, relationType, ids) };
}

/** Every link that can be reached from a record. */
async function linksAfter(tx: Tx, relationType: string, start: string): Promise<Link[]> {
  return tx<Link[]>`
    with recursive way as (
      select l.from_id, l.to_id from relations l where l.from_id = ${start} and l.relation_type = ${relationType}
      union
      select l.from_id, l.to_id from way join relations l on l.from_id = way.to_id
      where l.relation_type = ${relationType})
    select from_id, to_id from way`;
}

/** From a record back to itself; it stands at both ends. */
function shortestWay(links: readonly Link[], start: string): string[] {
  const next = new Map<string, string[]>();
  for (const { from_id, to_id } of links) next.set(from_id, [...(next.get(from_id) ?? []), to_id]);
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (let id = waiting.shift(); id !== undefined && !cameFrom.has(start); id = waiting.shift()) {
    for (const to of next.get(id) ?? []) {
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, id);
      waiting.push(to);
    }
  }
  const way = [start];
  for (let id = cameFrom.get(start)!; id !== start; id = cameFrom.get(id)!) way.unshift(id);
  return [start, ...way];
}

async function namedInTurn(
  tx: Tx,
  caller: Account,
  relationType: string,
  circle: readonly string[],
): Promise<string> {
  const rows = await tx<{ id: string; record_type: Kind; idno: string; deleted: boolean }[]>`
    select id, record_type, idno, deleted_at is not null as deleted from records
    where id = any(${circle as string[]})`;
  const names = new Map(
    rows.map(({ id, record_type, idno, deleted }) => {
      const name = mayDo(caller, "read", record_type) ? idno : kinds[record_type].one;
      return [id, deleted ? `${name} (in the trash)` : name];
    }),
  );
  const half = MOST_NAMED / 2;
  const shown = circle.map((id) => names.get(id)!);
  const told = shown.length > MOST_NAMED ? [...shown.slice(0, half), "…", ...shown.slice(-half)] : shown;
  return told.join(` ${relationType} `);
}
