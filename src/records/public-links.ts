/** The links of a record that visitors see: the first few of each type. */
import { VISITOR } from "../caller.ts";
import type { Sql } from "../services.ts";
import type { Metadata, RecordRow } from "./record.ts";
import type { Labels, Schema } from "./schema.ts";
import { visibleTo } from "./visibility.ts";

type PublicLink = { other_id: string; metadata: Metadata };
export type LinkGroup = {
  /** The name from this end, for example `created`. */
  type: string;
  label: Labels;
  /** At most the requested number; `hasMore`: there are others. */
  links: PublicLink[];
  hasMore: boolean;
};

/** In the order of the relation types, those that start here first. */
export async function publicLinks(
  sql: Sql,
  schema: Schema,
  { id, record_type: kind }: Pick<RecordRow, "id" | "record_type">,
  most: number,
): Promise<LinkGroup[]> {
  const types = [...schema.relationTypes.values()].filter((type) => type.is_public);
  const ways = [
    ...types
      .filter((type) => type.from_types.includes(kind))
      .map((type) => ({ name: type.name, begins: "here", type: type.name, label: type.label })),
    ...types
      .filter((type) => type.to_types.includes(kind))
      .map((type) => ({ name: type.name, begins: "there", type: type.inverse, label: type.inverse_label })),
  ];
  // Each direction reads only as much of its index as needed. The limit of one keeps the planner from scanning all records.
  const rows = await sql<(PublicLink & { way: number })[]>`
    select w.way::int, l.other_id, l.metadata
    from unnest(${ways.map(({ name }) => name)}::text[], ${ways.map(({ begins }) => begins)}::text[])
      with ordinality w (name, begins, way)
    cross join lateral (
      (select r.id as other_id, l.metadata, l.created_at
      from relations l cross join lateral (
        select r.id from records r where r.id = l.to_id and ${visibleTo(sql, VISITOR)} limit 1) r
      where w.begins = 'here' and l.from_id = ${id} and l.relation_type = w.name
      order by l.to_id limit ${most + 1})
      union all
      (select r.id, l.metadata, l.created_at
      from relations l cross join lateral (
        select r.id from records r where r.id = l.from_id and ${visibleTo(sql, VISITOR)} limit 1) r
      where w.begins = 'there' and l.to_id = ${id} and l.relation_type = w.name
      order by l.from_id limit ${most + 1})) l
    order by w.way, l.created_at, l.other_id`;
  const groups = new Map<string, LinkGroup>();
  for (const { way, other_id, metadata } of rows) {
    const { type, label } = ways[way - 1]!;
    // a symmetric type is one group
    const group = groups.get(type) ?? { type, label, links: [], hasMore: false };
    if (group.links.length < most) group.links.push({ other_id, metadata });
    else group.hasMore = true;
    groups.set(type, group);
  }
  return [...groups.values()];
}

/** Where to look for others: records linked to `hub` by the same type. */
type Hub = { relationType: string; id: string };

/** For each hub, the neighbours of this record: those created after it, then those before. */
export async function publicNeighbours(
  sql: Sql,
  id: string,
  hubs: readonly Hub[],
  most: number,
): Promise<string[][]> {
  if (hubs.length === 0) return [];
  const rows = await sql<{ place: number; id: string }[]>`
    select h.place::int, n.id
    from unnest(${hubs.map((hub) => hub.relationType)}::text[], ${hubs.map((hub) => hub.id)}::uuid[])
      with ordinality h (name, id, place)
    cross join lateral (
      (select r.id, 0 as side
      from relations l cross join lateral (
        select r.id from records r where r.id = l.from_id and ${visibleTo(sql, VISITOR)} limit 1) r
      where l.to_id = h.id and l.relation_type = h.name and l.from_id > ${id}
      order by l.from_id limit ${most})
      union all
      (select r.id, 1
      from relations l cross join lateral (
        select r.id from records r where r.id = l.from_id and ${visibleTo(sql, VISITOR)} limit 1) r
      where l.to_id = h.id and l.relation_type = h.name and l.from_id < ${id}
      order by l.from_id desc limit ${most})) n
    order by h.place, n.side, case when n.side = 0 then n.id end, n.id desc`;
  return hubs.map((_, index) =>
    rows
      .filter(({ place }) => place === index + 1)
      .slice(0, most)
      .map((row) => row.id),
  );
}
