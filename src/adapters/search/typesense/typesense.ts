/** The search index in Typesense. docs/typesense.md says how it differs from the index in the database. */
import type { SearchIndex } from "../../../ports/search-index.ts";
import type { Catalogue } from "./catalogue.ts";
import { openCollection } from "./collection.ts";
import { findInTypesense } from "./find.ts";
import { typesenseGenerations } from "./generations.ts";
import { storedRecord } from "./record.ts";
import { ALIAS, type TypesenseOptions, typesenseServer } from "./server.ts";
import { suggestFromTypesense } from "./suggest.ts";

/** @param languages whose word stems are searched, too */
export function typesenseSearch(
  options: TypesenseOptions,
  catalogue: Catalogue,
  languages: readonly string[] = [],
): SearchIndex {
  const { alias = ALIAS } = options;
  const server = typesenseServer(options);
  const collection = openCollection(server, alias, languages);
  return {
    put: (documents) => collection.put(documents.map(storedRecord)),
    remove: (ids) => collection.remove(ids),
    find: (query) => findInTypesense(collection, catalogue, query),
    suggest: (query) => suggestFromTypesense(collection, catalogue, query),
    storesPublicDates: true,
    ping: () => server.check(),
    generations: typesenseGenerations(server, alias, collection, languages),
    async walk(after, limit) {
      const records = await collection.recordsAfter(after, limit);
      return records.map(({ id, record_type, status }) => ({ id, recordType: record_type, status }));
    },
  };
}
