/**
 * Collections behind an alias. A new generation is a collection of its own, known by a second alias while it is built, so
 * that whoever goes on after a restart finds it; the first alias is moved when it is whole.
 */
import type { SearchGenerations } from "../../search-index.ts";
import { idsFilter, kindsFilter } from "./typesense-filter.ts";
import { collectionFields, isRecordField, storedRecord } from "./typesense-record.ts";
import { TypesenseFailure, type TypesenseServer } from "./typesense-server.ts";
import { walkFrom } from "./typesense-walk.ts";

/** Records that are copied at once. */
const COPIED = 500;
/** Identifiers in one address. */
const MOST_REMOVED = 40;

export type Collections = {
  /** The alias that answers. Made, with an empty collection, where there is none. */
  answering(): Promise<string>;
  /** The server was found without it: it is looked for, and made, once more. */
  forget(): void;
};

/** Several instances may do this at once: the first collection has one name, and whoever comes second finds it there. */
export function answeringCollection(server: TypesenseServer, name: string): Collections {
  let made: Promise<string> | null = null;

  async function make(): Promise<string> {
    if ((await server.aliased(name)) === null) {
      const first = `${name}_first`;
      await server.create(first, collectionFields());
      await server.point(name, first);
    }
    return name;
  }

  return {
    answering() {
      made ??= make().catch((error) => {
        made = null;
        throw error;
      });
      return made;
    },
    forget() {
      made = null;
    },
  };
}

/** Deletes records by their ids, as many at once as an address may name. */
export async function removeRecords(
  server: TypesenseServer,
  collection: string,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST_REMOVED) {
    const filter = idsFilter(ids.slice(at, at + MOST_REMOVED));
    if (filter !== null) await server.remove(collection, filter);
  }
}

export function typesenseGenerations(
  server: TypesenseServer,
  name: string,
  collections: Collections,
): SearchGenerations {
  const building = `${name}_building`;

  async function beingBuilt(): Promise<string> {
    const collection = await server.aliased(building);
    if (collection === null) throw new TypesenseFailure("no new generation of the index is being built");
    return collection;
  }

  /** Everything of this name but what answers and, unless it is to go too, what is being built. */
  async function sweep(keep: readonly (string | null)[]): Promise<void> {
    for (const collection of await server.collections()) {
      if (collection.startsWith(`${name}_`) && !keep.includes(collection)) await server.drop(collection);
    }
  }

  return {
    async begin(kept) {
      await collections.answering();
      const answering = await server.aliased(name);
      await server.unpoint(building);
      await sweep([answering]);
      const collection = `${name}_${crypto.randomUUID().replaceAll("-", "")}`;
      const former = (await server.fields(name)).filter(isRecordField);
      await server.create(collection, collectionFields(former));
      const walk = walkFrom((searches) => server.search(name, searches), kindsFilter(kept));
      let last: string | null = null;
      while (kept.length > 0) {
        const records = await walk(last, COPIED, "*");
        if (records.length === 0) break;
        await server.write(collection, records);
        last = records.at(-1)!.id;
      }
      // named only when what is kept is in it: a begin that was interrupted has begun nothing
      await server.point(building, collection);
    },

    batch: { records: 500, atOnce: 1 },
    async isBuilding() {
      return (await server.aliased(building)) !== null;
    },

    async put(documents) {
      if (documents.length > 0) await server.write(await beingBuilt(), documents.map(storedRecord));
    },

    async remove(ids) {
      await removeRecords(server, await beingBuilt(), ids);
    },

    // Typesense indexes as it imports
    settle: async () => undefined,

    async swap() {
      const collection = await beingBuilt();
      await server.point(name, collection);
      await server.unpoint(building);
      await sweep([collection]);
    },

    async drop() {
      await server.unpoint(building);
      await sweep([await server.aliased(name)]);
    },
  };
}
