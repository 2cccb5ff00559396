/** Updates the search index to the current state of records. */
import { VISITOR } from "../caller.ts";
import { plainArray } from "../ids.ts";
import type { SearchDocument } from "../ports/search-index.ts";
import { isQualified, mayBeQualified, qualifiedNames } from "../records/links/attributions.ts";
import type { Metadata, RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { maySee, maySeeRelationType, pictureOf, publicDate } from "../records/visibility.ts";
import type { Services, Sql } from "../services.ts";
import { namesOfTerms } from "../vocabularies/terms/store.ts";
import { type IndexedRow, type Linked, MOST_LINKED, searchDocument } from "./document.ts";
import { makerValue } from "./maker-facet.ts";
import { stemsOf } from "./stems.ts";

/** Reads the current records, so it may be called in any order and repeatedly. */
export async function projectToSearch(services: Services, ids: readonly string[]): Promise<void> {
  const { search } = services;
  const { documents, gone } = await documentsOf(services, ids);
  await search.put(documents);
  if (gone.length > 0) await search.remove(gone);
}

/** The search documents of these records. `gone`: ids of records that no longer exist. */
export async function documentsOf(
  { sql, config }: Pick<Services, "sql" | "config">,
  ids: readonly string[],
): Promise<{ documents: SearchDocument[]; gone: string[] }> {
  const schema = await currentSchema(sql);
  const stems = await stemsOf(config.searchLanguages);
  const linked = await linkedTo(sql, schema, ids);
  const names = await namesOfTerms(sql, ids);
  // last, because they are large: nothing is awaited while they are in memory
  const rows = await sql<IndexedRow[]>`
    select r.id, r.record_type, r.subtype, r.idno, r.status, r.collection_status, r.metadata, r.title, r.deleted_at,
      r.created_at, r.updated_at, ${publicDate(sql)} as public_at, ${pictureOf(sql)} as picture
    from records r where r.id = any(${plainArray(ids)}) and r.deleted_at is null`;
  const living = new Set(rows.map((row) => row.id));
  return {
    documents: rows.map((row) => searchDocument(schema, row, linked.get(row.id) ?? NOTHING, names, stems)),
    gone: ids.filter((id) => !living.has(id)),
  };
}

const NOTHING: Linked = { titles: [], ends: [], makers: [] };

type Link = {
  own_id: string;
  other_id: string;
  outgoing: boolean;
  relation_type: string;
  metadata: Metadata;
};

type Own = { titles: Linked["titles"][number][]; ends: Linked["ends"][number][]; makers: string[] };

type End = Pick<RecordRow, "id" | "record_type" | "status" | "deleted_at" | "title">;

/**
 * The text of a record contains the names of the records that it links to. A link is stored with both records, except that a
 * link from an object is stored only with the object, because thousands of objects may link to one maker.
 */
async function linkedTo(sql: Sql, schema: Schema, recordIds: readonly string[]): Promise<Map<string, Own>> {
  const all = new Map<string, Own>();
  if (recordIds.length === 0) return all;
  const ids = plainArray(recordIds);
  // without `offset` and `limit`, the planner would read all links, or all records of these kinds
  const links = await sql<Link[]>`
    select l.own_id, l.other_id, l.outgoing, l.relation_type, l.metadata
    from (
      select l.id, o.id as own_id, l.to_id as other_id, true as outgoing, l.relation_type, l.metadata, l.created_at
      from unnest(${ids}::uuid[]) o(id) cross join lateral (
        select id, to_id, relation_type, metadata, created_at from relations where from_id = o.id offset 0) l
      union all
      select l.id, l.to_id, l.from_id, false, l.relation_type, l.metadata, l.created_at
      from (select * from relations where to_id = any(${ids}::uuid[]) offset 0) l cross join lateral (
        select from records r
        where r.id = l.from_id and r.record_type <> 'object' limit 1) r
    ) l
    order by l.own_id, l.created_at, l.id`;
  if (links.length === 0) return all;
  // many records link to the same few
  const others = plainArray([...new Set(links.map((link) => link.other_id))]);
  const found = await sql<End[]>`
    select id, record_type, status, deleted_at, title from records where id = any(${others}) and deleted_at is null`;
  const ends = new Map(found.map((end) => [end.id, end]));
  for (const link of links) {
    const end = ends.get(link.other_id);
    if (!end) continue;
    const own = all.get(link.own_id) ?? { titles: [], ends: [], makers: [] };
    const type = schema.relationTypes.get(link.relation_type);
    const isOpen = type !== undefined && maySeeRelationType(VISITOR, type);
    const isPublic = isOpen && maySee(VISITOR, end);
    if (link.outgoing && own.titles.length < MOST_LINKED)
      own.titles.push({
        names: qualifiedNames(schema, link.metadata, end.title),
        isQualified: isQualified(link.metadata),
        isPublic,
      });
    const maker = makerValue(end.id, link.metadata);
    if (
      link.outgoing &&
      isPublic &&
      end.record_type === "entity" &&
      mayBeQualified(type) &&
      !own.makers.includes(maker)
    )
      own.makers.push(maker);
    own.ends.push({ id: end.id, isPublic: isOpen });
    all.set(link.own_id, own);
  }
  return all;
}
