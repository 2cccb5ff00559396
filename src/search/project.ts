/** Brings the search index into agreement with records as they are now. */
import { VISITOR } from "../accounts/caller.ts";
import type { RecordRow } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { recordColumns } from "../records/store.ts";
import { maySee, maySeeRelationType } from "../records/visibility.ts";
import type { Services, Sql } from "../services.ts";
import { type LinkedTitle, MOST_LINKED, searchDocument } from "./document.ts";

/** Order and repetition do not matter: the record is read as it stands. */
export async function projectToSearch(services: Services, ids: readonly string[]): Promise<void> {
  const { sql, search } = services;
  const schema = await currentSchema(sql);
  const rows = await sql<RecordRow[]>`
    select ${recordColumns(sql)} from records r where r.id = any(${ids as string[]}) and r.deleted_at is null`;
  const linked = await linkedTitles(sql, schema, rows);
  await search.put(rows.map((row) => searchDocument(schema, row, linked.get(row.id) ?? [])));
  const living = new Set(rows.map((row) => row.id));
  const gone = ids.filter((id) => !living.has(id));
  if (gone.length > 0) await search.remove(gone);
}

type LinkRow = Pick<RecordRow, "record_type" | "status" | "deleted_at" | "title"> & {
  from_id: string;
  relation_type: string;
};

async function linkedTitles(
  sql: Sql,
  schema: Schema,
  rows: readonly RecordRow[],
): Promise<Map<string, LinkedTitle[]>> {
  const titles = new Map<string, LinkedTitle[]>();
  if (rows.length === 0) return titles;
  const links = await sql<LinkRow[]>`
    select l.from_id, l.relation_type, r.record_type, r.status, r.deleted_at, r.title
    from relations l join records r on r.id = l.to_id
    where l.from_id = any(${rows.map((row) => row.id)}) and r.deleted_at is null
    order by l.from_id, l.created_at, l.id`;
  for (const link of links) {
    const own = titles.get(link.from_id) ?? [];
    const type = schema.relationTypes.get(link.relation_type);
    const isPublic = maySee(VISITOR, link) && type !== undefined && maySeeRelationType(VISITOR, type);
    if (own.length < MOST_LINKED) own.push({ title: link.title, isPublic });
    titles.set(link.from_id, own);
  }
  return titles;
}
