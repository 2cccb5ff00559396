/** The links of a record that visitors see, in parts by type. */
import { offsetOf } from "../../http/answer/list-envelope.ts";
import type { Sql } from "../../services.ts";
import type { Metadata, RecordRow } from "../record.ts";
import type { Labels, Schema } from "../schema.ts";
import { foundByVisitors, pictureOf } from "../visibility.ts";

type PublicLink = { other_id: string; metadata: Metadata };
export type LinkGroup = {
  /** The name from this end, for example `created`. */
  type: string;
  label: Labels;
  links: PublicLink[];
  /** The number of links in all parts. */
  total: number;
};

type Condition = ReturnType<typeof foundByVisitors>;

/** `both`: links of a symmetric type, which may be stored in either direction. */
type Way = { name: string; begins: "here" | "there" | "both"; type: string; label: Labels };

/**
 * In the order of the relation types; those that start here come first. `size`: the most links in a part. A type with fewer parts
 * gives its last one.
 */
export async function publicLinks(
  sql: Sql,
  schema: Schema,
  { id, record_type: kind }: Pick<RecordRow, "id" | "record_type">,
  { part, size }: { part: number; size: number },
  collectionStatuses: readonly string[],
): Promise<LinkGroup[]> {
  const open = foundByVisitors(sql, collectionStatuses);
  const types = [...schema.relationTypes.values()].filter((type) => type.is_public);
  const starting = types.filter((type) => type.from_types.includes(kind));
  const isBoth = ({ name, inverse }: { name: string; inverse: string }) => name === inverse;
  const ways: Way[] = [
    ...starting.map((type): Way => {
      const begins = isBoth(type) ? "both" : "here";
      return { name: type.name, begins, type: type.name, label: type.label };
    }),
    ...types
      .filter((type) => type.to_types.includes(kind) && !(isBoth(type) && starting.includes(type)))
      .map(
        ({ name, inverse, inverse_label }): Way => ({
          ...{ name, begins: "there", type: inverse, label: inverse_label },
        }),
      ),
  ];
  const totals = new Map(part > 1 ? await countLinks(sql, id, ways, open) : []);
  const skipped = ways.map((way) => (part > 1 ? offsetOf(part, { total: totals.get(way)!, size }) : 0));
  // Each direction reads only as much of its index as needed. The limit of one keeps the planner from scanning all records.
  const rows = await sql<(PublicLink & { way: number; place: number })[]>`
    select w.way::int, l.other_id, l.metadata, l.place::int
    from unnest(${ways.map(({ name }) => name)}::text[], ${ways.map(({ begins }) => begins)}::text[], ${skipped}::int[])
      with ordinality w (name, begins, skipped, way)
    cross join lateral (
      select either.*, row_number() over (order by other_id, id) - w.skipped as place from (
        (select r.id as other_id, l.metadata, l.created_at, l.id
        from relations l cross join lateral (
          select r.id from records r where r.id = l.to_id and ${open} limit 1) r
        where w.begins <> 'there' and l.from_id = ${id} and l.relation_type = w.name
        order by l.to_id, l.id limit w.skipped + ${size + 1})
        union all
        (select r.id, l.metadata, l.created_at, l.id
        from relations l cross join lateral (
          select r.id from records r where r.id = l.from_id and ${open} limit 1) r
        where w.begins <> 'here' and l.to_id = ${id} and l.relation_type = w.name
        order by l.from_id, l.id limit w.skipped + ${size + 1})) either
      order by place offset w.skipped limit ${size + 1}) l
    order by w.way, l.created_at, l.other_id`;
  const found = ways.map((_, index) => rows.filter(({ way }) => way === index + 1));
  const cut = ways.filter((way, index) => !totals.has(way) && found[index]!.length > size);
  for (const [way, total] of await countLinks(sql, id, cut, open)) totals.set(way, total);
  return ways.flatMap((way, index) => {
    const links = found[index]!.filter(({ place }) => place <= size);
    const { type, label } = way;
    return links.length === 0 ? [] : { type, label, links, total: totals.get(way) ?? links.length };
  });
}

/** The number of links of each type that visitors see. */
async function countLinks(
  sql: Sql,
  id: string,
  ways: readonly Way[],
  open: Condition,
): Promise<[Way, number][]> {
  if (ways.length === 0) return [];
  const rows = await sql<{ count: number }[]>`
    select (
      (select count(*) from relations l join records r on r.id = l.to_id
        where w.begins <> 'there' and l.from_id = ${id} and l.relation_type = w.name and ${open})
      + (select count(*) from relations l join records r on r.id = l.from_id
        where w.begins <> 'here' and l.to_id = ${id} and l.relation_type = w.name and ${open}))::int as count
    from unnest(${ways.map(({ name }) => name)}::text[], ${ways.map(({ begins }) => begins)}::text[])
      with ordinality w (name, begins, way)
    order by w.way`;
  return ways.map((way, index) => [way, rows[index]!.count]);
}

/** A record whose other links are offered, for example a maker; works of the maker's workshop are not. */
type Hub = { relationType: string; id: string };

/** How many records on each side are checked for pictures. */
const NEAR = 100;

/** For each hub, the neighbours of this record: first those with a picture; of these, first those created after it. */
export async function publicNeighbours(
  sql: Sql,
  id: string,
  hubs: readonly Hub[],
  most: number,
  collectionStatuses: readonly string[],
): Promise<string[][]> {
  if (hubs.length === 0) return [];
  const open = foundByVisitors(sql, collectionStatuses);
  const order = sql`is_pictured desc, side, case when side = 0 then id end, id desc`;
  const rows = await sql<{ place: number; id: string }[]>`
    select h.place::int, n.id
    from unnest(${hubs.map((hub) => hub.relationType)}::text[], ${hubs.map((hub) => hub.id)}::uuid[])
      with ordinality h (name, hub, place)
    cross join lateral (
      select r.id, side, coalesce(${pictureOf(sql)} = 'public', false) as is_pictured from (
        (select r.id, 0 as side
        from relations l cross join lateral (
          select r.id from records r where r.id = l.from_id and ${open} limit 1) r
        where l.to_id = h.hub and l.relation_type = h.name and attribution_of(l.metadata) = '' and l.from_id > ${id}
        order by l.from_id limit ${NEAR})
        union all
        (select r.id, 1
        from relations l cross join lateral (
          select r.id from records r where r.id = l.from_id and ${open} limit 1) r
        where l.to_id = h.hub and l.relation_type = h.name and attribution_of(l.metadata) = '' and l.from_id < ${id}
        order by l.from_id desc limit ${NEAR})) r
      order by ${order} limit ${most}) n
    order by h.place, ${order}`;
  return hubs.map((_, index) => rows.filter(({ place }) => place === index + 1).map((row) => row.id));
}
