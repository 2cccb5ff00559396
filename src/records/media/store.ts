/** SQL that reads media. One function, one statement; each for a caller goes through `visibleMedia`. */
import type { PendingQuery, Row } from "postgres";
import type { Caller } from "../../caller.ts";
import type { Sql, Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { isPicture, seesPrivateMedia, visibleMedia, visibleMediaTrash, visibleTo } from "../visibility.ts";
import type { Medium } from "./medium.ts";
import type { Picture } from "./pictures.ts";

/** The columns of a `Medium`, from a table named `m`. */
export function mediaColumns(sql: Sql | Tx, { is_primary, position } = stored(sql)) {
  return sql`m.id, m.object_id, m.storage_key, m.filename, m.mime_type, m.category, m.status, m.error_detail,
    m.bytes::float8 as bytes, m.sha256, m.width, m.height, m.pages, m.duration, m.pyramid_key, m.private_parts,
    m.visibility, ${is_primary} as is_primary, m.caption, m.alt_text, m.license_uri, m.rights_holder,
    ${position} as position, m.version, m.created_at, m.updated_at, m.deleted_at`;
}

const stored = (sql: Sql | Tx) => ({ is_primary: sql`m.is_primary`, position: sql`m.position` });

/**
 * SQL: the media of an object that this caller may see, as `m`; `seen` has their positions and which one is primary. A caller who
 * may see public media only gets positions among these, and the first of them is primary.
 */
function seenOf(sql: Sql, caller: Caller, objectId: PendingQuery<Row[]>) {
  const { is_primary, position } = seesPrivateMedia(caller)
    ? stored(sql)
    : {
        is_primary: sql`m.id = first_value(m.id) over (order by m.is_primary desc, m.position, m.id)`,
        position: sql`row_number() over (order by m.position, m.id)::int`,
      };
  return sql`(
    select m.id, ${is_primary} as is_primary, ${position} as position
    from object_media m join records r on r.id = m.object_id
    where m.object_id = ${objectId} and ${visibleMedia(sql, caller)}) seen join object_media m on m.id = seen.id`;
}

const seenColumns = (sql: Sql) =>
  mediaColumns(sql, { is_primary: sql`seen.is_primary`, position: sql`seen.position` });

/** The medium of any object, if this caller may see it. */
export async function mediumSeenBy(sql: Sql, caller: Caller, mediaId: string): Promise<Medium | null> {
  const objectId = sql`(select object_id from object_media where id = ${mediaId})`;
  const [row] = await sql<Medium[]>`
    select ${seenColumns(sql)} from ${seenOf(sql, caller, objectId)} where m.id = ${mediaId}`;
  return row ?? null;
}

/** The media of an object in their order, as far as this caller may see them. */
export async function listMedia(
  sql: Sql,
  caller: Caller,
  objectId: string,
  page: { limit: number; offset: number },
): Promise<Medium[]> {
  return sql<Medium[]>`
    select ${seenColumns(sql)} from ${seenOf(sql, caller, sql`${objectId}`)}
    order by m.position, m.id limit ${page.limit} offset ${page.offset}`;
}

/** The first `each` media of each of these objects, in their order, as far as this caller may see them; `total`: how many it has. */
export async function listFirstMedia(
  sql: Sql,
  caller: Caller,
  objectIds: readonly string[],
  each: number,
): Promise<(Medium & { total: number })[]> {
  return sql<(Medium & { total: number })[]>`
    select first.* from unnest(${objectIds as string[]}::uuid[]) o(id)
    cross join lateral (
      select ${seenColumns(sql)}, count(*) over ()::int as total
      from ${seenOf(sql, caller, sql`o.id`)}
      order by m.position, m.id limit ${each}) first
    order by first.object_id, first.position, first.id`;
}

/** The main picture of each of these objects that this caller may see: the primary one, else the first. */
export async function findCovers(
  sql: Sql,
  caller: Caller,
  objectIds: readonly string[],
): Promise<Map<string, Picture>> {
  if (objectIds.length === 0) return new Map();
  const rows = await sql<Picture[]>`
    select distinct on (m.object_id) ${mediaColumns(sql)}
    from object_media m join records r on r.id = m.object_id
    where m.object_id = any(${objectIds as string[]}) and ${isPicture(sql)}
      and ${visibleMedia(sql, caller)}
    order by m.object_id, m.is_primary desc, m.position, m.id`;
  return new Map(rows.map((row) => [row.object_id, row]));
}

/** How many of the newest pictures are checked for visible objects. */
const LATEST = 500;

/** The objects with the newest pictures, if this caller may see both; only with one of these collection statuses. */
export async function latestPictured(
  sql: Sql,
  caller: Caller,
  collectionStatuses: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ object_id: string }[]>`
    select object_id from (
      select m.object_id, max(m.id::text) as last
      from (select * from object_media order by id desc limit ${LATEST}) m join records r on r.id = m.object_id
      where ${isPicture(sql)} and ${visibleMedia(sql, caller)}
        and r.collection_status = any(${collectionStatuses as string[]})
      group by m.object_id) o
    order by last desc limit ${limit}`;
  return rows.map((row) => row.object_id);
}

/** How many objects of a collection are checked for a picture. */
const LOOKED_AT = 200;

/** A picture for each collection among these records, of one of the objects in it or in those below it. */
export async function findCollectionCovers(
  sql: Sql,
  caller: Caller,
  collectionIds: readonly string[],
): Promise<Map<string, Picture>> {
  if (collectionIds.length === 0) return new Map();
  const rows = await sql<(Picture & { collection_id: string })[]>`
    with recursive below (collection_id, id) as (
      select r.id, r.id from records r where r.id = any(${collectionIds as string[]}) and r.record_type = 'collection' and ${visibleTo(sql, caller)}
      union
      select b.collection_id, r.id from records r join below b on r.parent_id = b.id
      where r.record_type = 'collection' and ${visibleTo(sql, caller)})
    select distinct on (b.collection_id) b.collection_id, cover.*
    from below b cross join lateral (
      select ${mediaColumns(sql)}
      from (select l.from_id from relations l where l.to_id = b.id and l.relation_type = 'in_collection'
        order by l.from_id limit ${LOOKED_AT}) l
      join object_media m on m.object_id = l.from_id
      join records r on r.id = m.object_id
      where ${isPicture(sql)} and ${visibleMedia(sql, caller)}
      order by m.is_primary desc, m.object_id, m.position limit 1) cover
    order by b.collection_id, b.id`;
  return new Map(rows.map(({ collection_id, ...cover }) => [collection_id, cover as Picture]));
}

/** By kind of record, the newest picture that shows one: of an object that depicts it, if this caller may see both. */
export async function latestDepictions(
  sql: Sql,
  caller: Caller,
  collectionStatuses: readonly string[],
): Promise<Map<Kind, Picture>> {
  const rows = await sql<(Picture & { kind: Kind })[]>`
    select distinct on (k.record_type) k.record_type as kind, ${mediaColumns(sql)}
    from (select * from object_media order by id desc limit ${LATEST}) m
    join records r on r.id = m.object_id
    join relations l on l.from_id = m.object_id and l.relation_type = 'depicts'
    cross join lateral (select r.record_type from records r where r.id = l.to_id and ${visibleTo(sql, caller)}) k
    where ${isPicture(sql)} and ${visibleMedia(sql, caller)}
      and r.collection_status = any(${collectionStatuses as string[]})
    order by k.record_type, m.is_primary desc, m.id desc`;
  return new Map(rows.map(({ kind, ...cover }) => [kind, cover as Picture]));
}

export async function countMedia(sql: Sql, caller: Caller, objectId: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from object_media m join records r on r.id = m.object_id
    where m.object_id = ${objectId} and ${visibleMedia(sql, caller)}`;
  return row!.n;
}

/** The media in the trash of an object that is not in the trash, newest first. */
export async function listTrash(sql: Sql, caller: Caller, objectId: string): Promise<Medium[]> {
  return sql<Medium[]>`
    select ${mediaColumns(sql)} from object_media m join records r on r.id = m.object_id
    where m.object_id = ${objectId} and ${visibleMediaTrash(sql, caller)}
    order by m.deleted_at desc, m.id`;
}

/** By checksum, the objects that have such a file, if this caller may see it. */
export async function ownersOfFiles(
  sql: Sql,
  caller: Caller,
  checksums: readonly string[],
): Promise<Map<string, { object_id: string; idno: string }[]>> {
  const owners = new Map<string, { object_id: string; idno: string }[]>();
  if (checksums.length === 0) return owners;
  const rows = await sql<{ sha256: string; object_id: string; idno: string }[]>`
    select m.sha256, m.object_id, r.idno from object_media m join records r on r.id = m.object_id
    where m.sha256 = any(${checksums as string[]}) and ${visibleMedia(sql, caller)}
    order by m.id`;
  for (const { sha256, ...owner } of rows) owners.set(sha256, [...(owners.get(sha256) ?? []), owner]);
  return owners;
}

/** Gives the object a primary medium, if it has media but none is. */
export async function ensurePrimary(tx: Tx, objectId: string): Promise<void> {
  await tx`
    update object_media set is_primary = true, version = version + 1
    where id = (
      select id from object_media where object_id = ${objectId} and deleted_at is null order by position, id limit 1)
      and not exists (select 1 from object_media where object_id = ${objectId} and deleted_at is null and is_primary)`;
}

/** Other media with the same file that this caller may see, at most ten. */
export async function findSameFile(
  sql: Sql,
  caller: Caller,
  { sha256, object_id }: Pick<Medium, "sha256" | "object_id">,
): Promise<{ media_id: string; object_id: string }[]> {
  return sql<{ media_id: string; object_id: string }[]>`
    select m.id as media_id, m.object_id from object_media m join records r on r.id = m.object_id
    where m.sha256 = ${sha256} and m.object_id <> ${object_id} and ${visibleMedia(sql, caller)}
    order by m.id limit 10`;
}
