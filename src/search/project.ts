/** Brings the search index into agreement with records as they are now. */
import { VISITOR } from "../accounts/caller.ts";
import type { RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { recordColumns } from "../records/store.ts";
import { maySee, maySeeRelationType } from "../records/visibility.ts";
import type { SearchDocument } from "../search-index.ts";
import type { Services, Sql } from "../services.ts";
import { type IndexedRow, type Linked, MOST_LINKED, searchDocument } from "./document.ts";
import { stemsOf } from "./stems.ts";

/** Order and repetition do not matter: the record is read as it stands. */
export async function projectToSearch(services: Services, ids: readonly string[]): Promise<void> {
  const { search } = services;
  const { documents, gone } = await documentsOf(services, ids);
  await search.put(documents);
  if (gone.length > 0) await search.remove(gone);
}

/** The records as the index keeps them, and those that there are no more. */
export async function documentsOf(
  { sql, config }: Pick<Services, "sql" | "config">,
  ids: readonly string[],
): Promise<{ documents: SearchDocument[]; gone: string[] }> {
  const schema = await currentSchema(sql);
  const stems = await stemsOf(config.searchLanguages);
  const rows = await sql<(RecordRow & IndexedRow)[]>`
    select ${recordColumns(sql)}, r.sort_title from records r
    where r.id = any(${ids as string[]}) and r.deleted_at is null`;
  const linked = await linkedTo(sql, schema, rows);
  const living = new Set(rows.map((row) => row.id));
  return {
    documents: rows.map((row) => searchDocument(schema, row, linked.get(row.id) ?? NOTHING, stems)),
    gone: ids.filter((id) => !living.has(id)),
  };
}

const NOTHING: Linked = { titles: [], ends: [] };

type LinkRow = Pick<RecordRow, "record_type" | "status" | "deleted_at" | "title"> & {
  own_id: string;
  other_id: string;
  outgoing: boolean;
  relation_type: string;
};

/**
 * A record takes the titles of those it points at; that it is linked to another holds both ways, but is only asked of
 * the kinds that `rel_` parameters name.
 */
async function linkedTo(
  sql: Sql,
  schema: Schema,
  rows: readonly RecordRow[],
): Promise<Map<string, { titles: Linked["titles"][number][]; ends: Linked["ends"][number][] }>> {
  const all = new Map<string, { titles: Linked["titles"][number][]; ends: Linked["ends"][number][] }>();
  if (rows.length === 0) return all;
  const ids = rows.map((row) => row.id);
  const links = await sql<LinkRow[]>`
    select l.own_id, l.other_id, l.outgoing, l.relation_type, r.record_type, r.status, r.deleted_at, r.title
    from (
      select id, from_id as own_id, to_id as other_id, true as outgoing, relation_type, created_at
      from relations where from_id = any(${ids})
      union all
      select id, to_id, from_id, false, relation_type, created_at
      from relations where to_id = any(${ids})) l
      join records r on r.id = l.other_id
    where r.deleted_at is null
      and (l.outgoing or r.record_type in ('entity', 'place', 'occurrence', 'collection'))
    order by l.own_id, l.created_at, l.id`;
  for (const link of links) {
    const own = all.get(link.own_id) ?? { titles: [], ends: [] };
    const type = schema.relationTypes.get(link.relation_type);
    const isPublic = maySee(VISITOR, link) && type !== undefined && maySeeRelationType(VISITOR, type);
    if (link.outgoing && own.titles.length < MOST_LINKED) own.titles.push({ title: link.title, isPublic });
    own.ends.push({ id: link.other_id, isPublic });
    all.set(link.own_id, own);
  }
  return all;
}
