/** What formats say about linked records beyond their own values: places and participants of events, and the collections above. */
import { VISITOR } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { PARTICIPATED_IN, TOOK_PLACE_AT } from "../outbox.ts";
import type { Metadata } from "../record.ts";
import type { Schema } from "../schema.ts";
import { maySeeLinksOf, visibleTo } from "../visibility.ts";
import { MOST_INCOMING } from "./load.ts";
import type { Neighbour } from "./loaded.ts";
import { findNeighbours } from "./neighbours.ts";

/** A public linked record, with the fields that are shown where it is mentioned (`isNamedElsewhere`). */
export type Named = Omit<Neighbour, "names" | "updated_at"> & {
  /** The ids of public places where an occurrence took place. */
  sites: readonly string[];
  /** Public people who took part in an occurrence. `metadata`: of the link. */
  participants: readonly Participant[];
};
type Participant = { id: string; metadata: Metadata };

export async function namedRecords(
  sql: Sql,
  schema: Schema,
  neighbours: readonly Neighbour[],
): Promise<Map<string, Named>> {
  const known = new Map(neighbours.map((other) => [other.id, other]));
  const occurrences = [...known.values()].filter(({ record_type }) => record_type === "occurrence");
  const ids = occurrences.map(({ id }) => id);
  const [sites, participants] = await Promise.all([
    endsOf(sql, schema, TOOK_PLACE_AT, ids),
    endsOf(sql, schema, PARTICIPATED_IN, ids),
  ]);
  const further = [...sites.values(), ...participants.values()].flat().map(({ id }) => id);
  for (const [id, other] of await findNeighbours(
    sql,
    schema,
    [...new Set(further)].filter((id) => !known.has(id)),
  ))
    known.set(id, other);
  return new Map(
    [...known].map(([id, { names: _, updated_at: __, ...other }]) => [
      id,
      {
        ...other,
        sites: (sites.get(id) ?? []).map((site) => site.id),
        participants: participants.get(id) ?? [],
      },
    ]),
  );
}

/** The collections above each collection, nearest first, up to the first that is not public. */
export async function ancestors(sql: Sql, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; above: string[] }[]>`
    with recursive up as (
      select c.id, r.id as parent, r.parent_id, 1 as height
      from records c join records r on r.id = c.parent_id
      where c.id = any(${plainArray([...new Set(ids)])}::uuid[]) and ${visibleTo(sql, VISITOR)}
      union all
      select u.id, r.id, r.parent_id, u.height + 1
      from up u join records r on r.id = u.parent_id
      where ${visibleTo(sql, VISITOR)})
    select id, json_agg(parent order by height) as above from up group by id`;
  return new Map(rows.map(({ id, above }) => [id, above]));
}

/** By occurrence, the public records at the other ends of links of this type. */
async function endsOf(
  sql: Sql,
  schema: Schema,
  relationType: typeof TOOK_PLACE_AT | typeof PARTICIPATED_IN,
  ids: readonly string[],
): Promise<Map<string, Participant[]>> {
  const ends = new Map<string, Participant[]>();
  const type = schema.relationTypes.get(relationType);
  const [own, other] =
    relationType === TOOK_PLACE_AT ? [sql`from_id`, sql`to_id`] : [sql`to_id`, sql`from_id`];
  const owner = relationType === TOOK_PLACE_AT ? "occurrence" : "entity";
  if (ids.length === 0 || !type || !maySeeLinksOf(VISITOR, type, owner)) return ends;
  // without `offset 0`, the planner reads all links
  const rows = await sql<(Participant & { own: string })[]>`
    select o.id as own, r.id, l.metadata
    from unnest(${plainArray(ids)}::uuid[]) o(id)
      cross join lateral (
        select other, metadata from (
          select id, ${other} as other, metadata from relations
          where ${own} = o.id and relation_type = ${relationType} offset 0) found
        order by id limit ${MOST_INCOMING}) l
      join records r on r.id = l.other
    where ${visibleTo(sql, VISITOR)}`;
  for (const { own: id, ...end } of rows) ends.set(id, [...(ends.get(id) ?? []), end]);
  return ends;
}
