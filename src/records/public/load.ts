/** Reads what visitors see of many records, with a few statements that are sent together. */
import { VISITOR } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Services, Sql } from "../../services.ts";
import { KINDS } from "../kinds.ts";
import { QUALIFIERS, ROLES } from "../links/attributions.ts";
import { publicFormers } from "../merge/store.ts";
import { visibleColumns } from "../read/store.ts";
import type { Entry, Metadata, RecordRow } from "../record.ts";
import { currentSchema, fieldsOf, type Schema } from "../schema.ts";
import {
  isShown,
  maySeeField,
  maySeeLinksOf,
  maySeeVocabulary,
  visibleMedia,
  visibleTo,
} from "../visibility.ts";
import type { Link, LoadedRecord, PublicMedium, PublicRow, Surroundings } from "./loaded.ts";
import { findNeighbours } from "./neighbours.ts";
import { readTerms, termKey } from "./terms.ts";

/**
 * The most links from other records in a graph, oldest first. A photographer may have 59,000 photographs; their graphs have the
 * link, too.
 */
export const MOST_INCOMING = 200;

export type ReaderServices = Pick<Services, "sql" | "arks" | "config">;
type Loaded = { around: Surroundings; records: LoadedRecord[] };

/** The public records among these, in the order of their ids. `incoming`: include links from other records. */
export async function loadPublic(
  { sql, arks, config: { baseUrl } }: ReaderServices,
  ids: readonly string[],
  { incoming } = { incoming: true },
): Promise<Loaded> {
  const schema = await currentSchema(sql);
  const [rows, links, media, names, formers] = await Promise.all([
    findRows(sql, schema, ids),
    findLinks(sql, schema, ids, incoming),
    findMedia(sql, ids),
    arks.of(sql, ids),
    publicFormers(sql, ids),
  ]);
  for (const row of rows) {
    const own = formers.get(row.id);
    // no empty list: it would change the fingerprints of all records
    if (own) row.formers = own;
  }
  const [others, term] = await Promise.all([
    findNeighbours(sql, schema, [
      ...links.map((link) => link.other_id),
      ...rows.flatMap((row) => [...(row.parent_id ? [row.parent_id] : []), ...namedBy(schema, row)]),
    ]),
    findTerms(sql, schema, rows, links),
  ]);
  const linksOf = new Map(rows.map(({ id }): [string, Link[]] => [id, []]));
  for (const { own_id, other_id, ...link } of links) {
    const other = others.get(other_id);
    if (other) linksOf.get(own_id)?.push({ ...link, other });
  }
  return {
    around: { baseUrl, schema, term },
    records: rows.map((row) => ({
      row,
      ark: names.get(row.id) ?? null,
      parent: (row.parent_id && others.get(row.parent_id)) || null,
      links: linksOf.get(row.id) ?? [],
      media: media.get(row.id) ?? [],
      named: others,
    })),
  };
}

async function findRows(sql: Sql, schema: Schema, ids: readonly string[]): Promise<PublicRow[]> {
  if (ids.length === 0) return [];
  // the columns of a collection, because these include the parent
  const rows = await sql<RecordRow[]>`
    select ${visibleColumns(sql, VISITOR, "collection")}
    from records r where r.id = any(${plainArray(ids)}::uuid[]) and ${visibleTo(sql, VISITOR)}
    order by r.id`;
  return rows.map(({ title: _, ...row }) => ({ ...row, metadata: publicMetadata(schema, row) }));
}

function publicMetadata(schema: Schema, { record_type, metadata }: PublicRow): Metadata {
  const visible: Metadata = {};
  for (const field of fieldsOf(schema, record_type).values()) {
    const entries = metadata[field.name];
    if (entries !== undefined && maySeeField(VISITOR, field)) visible[field.name] = entries;
  }
  return visible;
}

type LinkRow = Omit<Link, "other"> & { own_id: string; other_id: string };

async function findLinks(
  sql: Sql,
  schema: Schema,
  of: readonly string[],
  incoming: boolean,
): Promise<LinkRow[]> {
  if (of.length === 0) return [];
  const ids = plainArray([...new Set(of)]);
  const shown = plainArray(
    [...schema.relationTypes.values()]
      .filter((type) => KINDS.some((owner) => maySeeLinksOf(VISITOR, type, owner)))
      .map(({ name }) => name),
  );
  // without `offset` and `limit`, the planner reads all links for a few hundred records
  return sql<LinkRow[]>`
    select l.own_id, l.id, l.relation_type, l.outgoing, l.metadata, l.other_id
    from (
      select o.id as own_id, l.id, l.relation_type, true as outgoing, l.metadata, l.to_id as other_id
      from unnest(${ids}::uuid[]) o(id) cross join lateral (
        select * from relations where from_id = o.id and relation_type = any(${shown}::text[]) offset 0) l
      ${incoming ? sql`union all ${linksTo(sql, ids, shown)}` : sql``}
    ) l
    order by l.own_id, l.outgoing desc, l.relation_type, l.id`;
}

/** Without `offset 0`, the planner would search the index of all links by id for each record. */
const linksTo = (sql: Sql, ids: string, shown: string) => sql`
  select o.id, l.id, l.relation_type, false, l.metadata, l.from_id
  from unnest(${ids}::uuid[]) o(id) cross join lateral (
    select * from (
      select * from relations where to_id = o.id and relation_type = any(${shown}::text[]) offset 0) found
    order by id limit ${MOST_INCOMING}) l`;

/** The records named by fields of the type relation. */
function namedBy(schema: Schema, { record_type, metadata }: PublicRow): string[] {
  return [...fieldsOf(schema, record_type).values()]
    .filter((field) => field.field_type === "relation")
    .flatMap(({ name }) => (metadata[name] ?? []).map(({ value }) => value.toLowerCase()));
}

/** The files of objects, the primary one first. */
async function findMedia(
  sql: Sql,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, PublicMedium[]>> {
  const of = new Map(objectIds.map((id): [string, PublicMedium[]] => [id, []]));
  if (of.size === 0) return of;
  const media = await sql<PublicMedium[]>`
    select m.id, m.object_id, m.mime_type, m.category, m.storage_key, m.caption, m.alt_text, m.license_uri,
      m.rights_holder, m.updated_at
    from object_media m join records r on r.id = m.object_id
    where m.object_id = any(${plainArray([...of.keys()])}::uuid[]) and ${visibleMedia(sql, VISITOR)} and ${isShown(sql)}
    order by m.object_id, m.is_primary desc, m.position, m.id`;
  for (const medium of media) of.get(medium.object_id)?.push(medium);
  return of;
}

async function findTerms(
  sql: Sql,
  schema: Schema,
  rows: readonly PublicRow[],
  links: readonly LinkRow[],
): Promise<Surroundings["term"]> {
  const wanted = new Map<string, Set<string>>();
  const want = (vocabulary: string, entries: readonly Entry[]) => {
    const values = wanted.get(vocabulary) ?? new Set();
    for (const { value } of entries) values.add(value);
    wanted.set(vocabulary, values);
  };
  for (const { record_type, metadata } of rows) {
    for (const { name, vocabulary } of fieldsOf(schema, record_type).values()) {
      if (vocabulary !== null && metadata[name]) want(vocabulary, metadata[name]);
    }
  }
  for (const { metadata } of links) {
    if (metadata.role) want(ROLES, metadata.role);
    if (metadata.qualifier) want(QUALIFIERS, metadata.qualifier);
  }
  const words = [...wanted]
    .filter(([vocabulary]) => maySeeVocabulary(schema, VISITOR, vocabulary))
    .flatMap(([vocabulary, values]) => [...values].map((value) => ({ vocabulary, value })));
  const found = await readTerms(sql, words);
  const terms = new Map(found.map((row) => [termKey(row.vocabulary, row.value), row]));
  return (vocabulary, value) => terms.get(termKey(vocabulary, value));
}
