/** Everything about records that visitors and harvesters may be told, to know when it becomes another. */
import { VISITOR } from "../caller.ts";
import { plainArray } from "../ids.ts";
import type { Services, Sql } from "../services.ts";
import { KINDS, type Kind, kinds } from "./kinds.ts";
import type { Entry, RecordRow } from "./record.ts";
import { currentSchema, type Schema } from "./schema.ts";
import { recordColumns } from "./store.ts";
import { maySeeLinksOf, visibleMedia, visibleMetadata, visibleTo } from "./visibility.ts";

/**
 * A fingerprint of each of these records that is public: of its public values, its names, its public media, what lies
 * above it, and the public records that it points at with their names. Not of those that point at it: they have
 * fingerprints of their own, and a photographer would get another with each of 59,000 photographs.
 */
export async function publicFingerprints(
  { sql, arks }: Pick<Services, "sql" | "arks">,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const schema = await currentSchema(sql);
  const rows = await sql<RecordRow[]>`
    select ${recordColumns(sql)} from records r where r.id = any(${plainArray(ids)}) and ${visibleTo(sql, VISITOR)}`;
  const seen = rows.map(({ id }) => id);
  const links = await publicLinks(sql, schema, rows);
  const above = await publicAncestors(sql, [
    ...rows.flatMap(({ id, parent_id }) => (parent_id === null ? [] : [id])),
    ...new Set([...links.values()].flat().flatMap(({ to_id, is_below }) => (is_below ? [to_id] : []))),
  ]);
  const media = await publicMedia(sql, seen);
  const names = await arks.of(sql, seen);
  const prints = rows.map(async (row) => {
    const view = {
      ...ownView(schema, row),
      ark: names.get(row.id)?.ark,
      above: above.get(row.id),
      links: links.get(row.id)?.map((link) => [link, above.get(link.to_id)]),
      media: media.get(row.id),
    };
    return [row.id, await digest(JSON.stringify(view))] as const;
  });
  return new Map(await Promise.all(prints));
}

function ownView(schema: Schema, row: RecordRow) {
  const { record_type, idno, subtype } = row;
  // by name: the order of fields is of no consequence
  const metadata = Object.entries(visibleMetadata(schema, VISITOR, record_type, row.metadata));
  const columns = kinds[record_type].columns.filter((column) => column !== "parent_id");
  return {
    record_type,
    idno,
    subtype,
    columns: columns.map((column) => row[column]),
    metadata: metadata.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

const NAMED: readonly Kind[] = KINDS.filter((kind) => kinds[kind].titleField === "name");

type PublicLink = {
  relation_type: string;
  metadata: unknown;
  to_id: string;
  idno: string;
  subtype: string;
  names: Entry[] | null;
  is_below: boolean;
};

async function publicLinks(
  sql: Sql,
  schema: Schema,
  rows: readonly RecordRow[],
): Promise<Map<string, PublicLink[]>> {
  const shown = [...schema.relationTypes.values()]
    .filter((type) => KINDS.some((kind) => maySeeLinksOf(VISITOR, type, kind)))
    .map(({ name }) => name);
  // offset and limit keep the planner from reading all links, or all records, for some hundred records
  const links = await sql<(PublicLink & { from_id: string })[]>`
    select l.from_id, l.relation_type, l.metadata, r.id as to_id, r.idno, r.subtype,
      r.metadata -> case when r.record_type = any(${NAMED as string[]}) then 'name' else 'title' end as names,
      r.parent_id is not null as is_below
    from unnest(${plainArray(rows.map(({ id }) => id))}::uuid[]) o(id)
      cross join lateral (
        select from_id, relation_type, to_id, metadata from relations
        where from_id = o.id and relation_type = any(${shown}) offset 0) l
      cross join lateral (select * from records x where x.id = l.to_id limit 1) r
    where ${visibleTo(sql, VISITOR)}
    order by l.from_id, l.relation_type, r.id`;
  const byRecord = new Map<string, PublicLink[]>();
  for (const { from_id, ...link } of links) byRecord.set(from_id, [...(byRecord.get(from_id) ?? []), link]);
  return byRecord;
}

/** What lies above, the nearest first, as far as all between is public; with the name of the nearest. */
async function publicAncestors(sql: Sql, ids: readonly string[]): Promise<Map<string, unknown>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; above: unknown }[]>`
    with recursive up as (
      select c.id, r.id as parent, r.parent_id, r.metadata -> 'title' as names, 1 as height
      from records c join records r on r.id = c.parent_id
      where c.id = any(${plainArray(ids)}) and ${visibleTo(sql, VISITOR)}
      union all
      select u.id, r.id, r.parent_id, null, u.height + 1
      from up u join records r on r.id = u.parent_id
      where ${visibleTo(sql, VISITOR)})
    select id, json_agg(json_build_array(parent, names) order by height) as above from up group by id`;
  return new Map(rows.map(({ id, above }) => [id, above]));
}

async function publicMedia(sql: Sql, ids: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await sql<{ id: string; media: unknown }[]>`
    select m.object_id as id, json_agg(json_build_array(m.id, m.sha256, m.mime_type, m.filename, m.is_primary,
      m.caption, m.alt_text, m.license_uri, m.rights_holder) order by m.position, m.id) as media
    from object_media m join records r on r.id = m.object_id
    where m.object_id = any(${plainArray(ids)}) and ${visibleMedia(sql, VISITOR)}
    group by m.object_id`;
  return new Map(rows.map(({ id, media }) => [id, media]));
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hash).subarray(0, 15)));
}
