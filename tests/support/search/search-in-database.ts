/** The search index in the database, with the records that it also reads, for tests of the search port. */
import { inDatabaseSearch } from "../../../src/adapters/search/in-database.ts";
import type { SearchDocument, SearchIndex } from "../../../src/ports/search-index.ts";
import { dateKey } from "../../../src/records/write/sort-keys.ts";
import type { Sql } from "../../../src/services.ts";
import { isShort } from "../lane/lane.ts";
import { openMuseum, quickest } from "../museum/museum.ts";
import { HIDDEN_LINK, OPEN_LINK } from "./search-documents.ts";

export async function openInDatabase(): Promise<{ index: SearchIndex; close(): Promise<void> }> {
  const museum = await openMuseum({ database: isShort ? quickest : "embedded" });
  const { sql } = museum.services;
  const index = inDatabaseSearch(sql);
  const { generations } = index;
  return {
    index: {
      ...index,
      async put(documents) {
        await keep(sql, documents);
        await index.put(documents);
      },
      generations: {
        ...generations,
        async put(documents) {
          await keep(sql, documents);
          await generations.put(documents);
        },
      },
    },
    close: museum.close,
  };
}

/** Creates records as if the documents had been made from them. */
async function keep(sql: Sql, documents: readonly SearchDocument[]): Promise<void> {
  for (const { id, recordType, status, collectionStatus, facets, present, sort } of documents) {
    const metadata: Record<string, { value: string }[]> = {};
    for (const field of present) {
      metadata[field] = (facets.get(field) ?? ["a value"]).map((value) => ({ value }));
    }
    await sql`
      insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title,
        sort_idno, sort_date, created_at, updated_at)
      values (${id}, ${recordType}, ${sort.idno}, 'other', ${status}, ${collectionStatus}, ${sql.json(metadata)},
        ${sort.title}, ${sort.title}, ${sort.idno}, ${dateKey(sort.date)}, ${`${sort.created_at}Z`}, ${`${sort.updated_at}Z`})
      on conflict (id) do update set record_type = excluded.record_type, status = excluded.status,
        collection_status = excluded.collection_status, metadata = excluded.metadata, title = excluded.title,
        sort_title = excluded.sort_title`;
  }
  for (const { id, links } of documents) {
    for (const link of links) {
      await sql`
        insert into relations (id, relation_type, from_id, to_id)
        values (${crypto.randomUUID()}, ${link.isPublic ? OPEN_LINK : HIDDEN_LINK}, ${id}, ${link.id})
        on conflict do nothing`;
    }
  }
}
