/**
 * Hierarchical relations (part of, falls within; configured by `is_hierarchical`) must not form circles. A link is
 * written first, then checked for a circle, under a lock of its type.
 */
import { type Account, mayDo } from "../../caller.ts";
import { type SaidValue, said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Tx } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import type { RelationType, Schema } from "../schema.ts";

type Link = { from_id: string; to_id: string };

/** How many records of a circle are named; of a longer one, its beginning and end. */
const MOST_NAMED = 12;

/**
 * Lets one writer at a time into the hierarchies of these types, so that two simultaneous links cannot form a circle.
 * Called before any record is locked, to avoid deadlocks.
 */
export async function lockHierarchies(tx: Tx, types: readonly RelationType[]): Promise<void> {
  const names = new Set(types.filter((type) => type.is_hierarchical).map((type) => type.name));
  for (const name of [...names].sort()) {
    await tx`select pg_advisory_xact_lock(hashtext(${`hierarchy:${name}`}))`;
  }
}

/** `ids` in order, with the first repeated at the end; `names` names them. */
type Circle = { ids: readonly string[]; names: SaidValue };

/**
 * A circle through one of these links, or null. Links of records in the trash count, since those can be restored.
 */
export async function circleThrough(
  tx: Tx,
  caller: Account,
  relationType: string,
  links: readonly Link[] | "all",
): Promise<Circle | null> {
  if (links.length === 0) return null;
  const way = await linksAfter(tx, relationType, links);
  const start = startOfCircle(way, links === "all" ? way : links);
  if (start === undefined) return null;
  const ids = shortestWay(way, start);
  return { ids, names: await namedInTurn(tx, caller, relationType, ids) };
}

/** The same for links of any types. Throws the problem that `refusal` makes of a circle. */
export async function demandNoCircles(
  tx: Tx,
  schema: Schema,
  caller: Account,
  links: readonly (Link & { relation_type: string })[],
  refusal: (circle: Circle) => Problem = ({ names }) =>
    new Problem("invalid", said("fault.relation.circle", { records: names })),
): Promise<void> {
  for (const name of new Set(links.map(({ relation_type }) => relation_type))) {
    if (!schema.relationTypes.get(name)?.is_hierarchical) continue;
    const own = links.filter(({ relation_type }) => relation_type === name);
    const circle = await circleThrough(tx, caller, name, own);
    if (circle) throw refusal(circle);
  }
}

/** These links and all links reachable from them, each once. */
async function linksAfter(tx: Tx, relationType: string, links: readonly Link[] | "all"): Promise<Link[]> {
  if (links === "all")
    return tx<Link[]>`select l.from_id, l.to_id from relations l where l.relation_type = ${relationType}`;
  // `offset 0` forces an index look-up at every step
  return tx<Link[]>`
    with recursive way as (
      select x.from_id, x.to_id from json_to_recordset(${tx.json(links as never)}::json) as x(from_id uuid, to_id uuid)
      union
      select n.from_id, n.to_id from way, lateral (
        select l.from_id, l.to_id from relations l
        where l.from_id = way.to_id and l.relation_type = ${relationType} offset 0) n)
    select from_id, to_id from way`;
}

function followers(links: readonly Link[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { from_id, to_id } of links) {
    const others = next.get(from_id);
    if (others) others.push(to_id);
    else next.set(from_id, [to_id]);
  }
  return next;
}

/**
 * Depth-first search from one of the links, each record once; there is a circle if the path meets itself.
 */
function startOfCircle(way: readonly Link[], links: readonly Link[]): string | undefined {
  const next = followers(way);
  const done = new Set<string>();
  for (const { from_id } of links) {
    if (done.has(from_id)) continue;
    const path = [{ id: from_id, at: 0 }];
    const on = new Set([from_id]);
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const to = next.get(here.id)?.[here.at++];
      if (to === undefined) {
        path.pop();
        on.delete(here.id);
        done.add(here.id);
      } else if (on.has(to)) {
        const circle = path.slice(path.findIndex(({ id }) => id === to)).map(({ id }) => id);
        return links.find((link) => circle.includes(link.from_id))?.from_id;
      } else if (!done.has(to)) {
        path.push({ id: to, at: 0 });
        on.add(to);
      }
    }
  }
  return undefined;
}

/** The path from a record back to itself; the record is at both ends. */
function shortestWay(links: readonly Link[], start: string): string[] {
  const next = followers(links);
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (let n = 0; n < waiting.length && !cameFrom.has(start); n++) {
    const id = waiting[n]!;
    for (const to of next.get(id) ?? []) {
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, id);
      waiting.push(to);
    }
  }
  const way = [start];
  for (let id = cameFrom.get(start)!; id !== start; id = cameFrom.get(id)!) way.push(id);
  return [start, ...way.reverse()];
}

async function namedInTurn(
  tx: Tx,
  caller: Account,
  relationType: string,
  circle: readonly string[],
): Promise<SaidValue> {
  const rows = await tx<{ id: string; record_type: Kind; idno: string; deleted: boolean }[]>`
    select id, record_type, idno, deleted_at is not null as deleted from records
    where id = any(${circle as string[]})`;
  const names = new Map<string, SaidValue>(
    rows.map(({ id, record_type, idno, deleted }) => {
      const name = mayDo(caller, "read", record_type) ? idno : oneOf(record_type);
      return [id, deleted ? said("records.in_trash", { name }) : name];
    }),
  );
  const half = MOST_NAMED / 2;
  const shown = circle.map((id) => names.get(id)!);
  const listed: SaidValue[] =
    shown.length > MOST_NAMED ? [...shown.slice(0, half), "…", ...shown.slice(-half)] : shown;
  return listed.reduce((names, name) => said("records.in_turn", { names, relation: relationType, name }));
}
