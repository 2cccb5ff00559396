/**
 * The search index in Typesense. What it is given and asked is in `typesense-record.ts` and `typesense-filter.ts`; what was
 * proven of it, and what not, in docs/typesense.md.
 */
import type { SearchIndex } from "../../search-index.ts";
import type { Catalogue } from "./typesense-catalogue.ts";
import { findInTypesense } from "./typesense-find.ts";
import { answeringCollection, removeRecords, typesenseGenerations } from "./typesense-generations.ts";
import { isRecordField, storedRecord } from "./typesense-record.ts";
import {
  type Asked,
  greetTypesense,
  MOST_SEARCHES,
  RECORDS,
  type Search,
  TypesenseFailure,
  type TypesenseOptions,
  typesenseServer,
} from "./typesense-server.ts";
import { suggestFromTypesense } from "./typesense-suggest.ts";
import { walkFrom } from "./typesense-walk.ts";

export function typesenseSearch(options: TypesenseOptions, catalogue: Catalogue): SearchIndex {
  const { name = RECORDS } = options;
  const server = typesenseServer(options);
  const collections = answeringCollection(server, name);
  let fields: ReadonlySet<string> = new Set();

  /** A server that lost its data is given its collection again; records come with the next rebuild. */
  async function inCollection<T>(work: (collection: string) => Promise<T>): Promise<T> {
    const collection = await collections.answering();
    try {
      return await work(collection);
    } catch (error) {
      if (error instanceof TypesenseFailure && error.status === 404) {
        collections.forget();
        fields = new Set();
      }
      throw error;
    }
  }

  const asked: Asked = {
    search: (searches: readonly Search[]) =>
      inCollection(async (collection) => {
        const found = [];
        for (let at = 0; at < searches.length; at += MOST_SEARCHES) {
          found.push(...(await server.search(collection, searches.slice(at, at + MOST_SEARCHES))));
        }
        return found;
      }),
    async known(needed, now) {
      if (now || needed.some((field) => !fields.has(field))) {
        fields = new Set(
          (await inCollection((collection) => server.fields(collection))).filter(isRecordField),
        );
      }
      return fields;
    },
  };
  const walk = walkFrom(asked.search);

  return {
    async put(documents) {
      if (documents.length === 0) return;
      const records = documents.map(storedRecord);
      await inCollection((collection) => server.write(collection, records));
    },
    remove: (ids) => inCollection((collection) => removeRecords(server, collection, ids)),
    find: (query) => findInTypesense(asked, catalogue, query),
    suggest: (query) => suggestFromTypesense(asked, catalogue, query),
    ping: () => greetTypesense(options, server),
    generations: typesenseGenerations(server, name, collections),
    async walk(after, limit) {
      const records = await walk(after, limit, "id,record_type,status");
      return records.map(({ id, record_type, status }) => ({ id, recordType: record_type, status }));
    },
  };
}
