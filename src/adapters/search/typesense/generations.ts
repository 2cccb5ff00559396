/**
 * Rebuilds in Typesense. An alias names the collection that answers. A rebuild fills a new collection, to which a second
 * alias points, so that the rebuild can continue after a restart. At the end, the first alias is moved to the new collection.
 */
import type { SearchGenerations } from "../../../ports/search-index.ts";
import { type Collection, createCollection, fieldNamesOf } from "./collection.ts";
import { storedRecord } from "./record.ts";
import { TypesenseFailure, type TypesenseServer } from "./server.ts";

export function typesenseGenerations(
  server: TypesenseServer,
  alias: string,
  answering: Collection,
  languages: readonly string[],
): SearchGenerations {
  const building = `${alias}_building`;

  async function collectionInBuilding(): Promise<string> {
    const collection = await server.aliasTarget(building);
    if (collection === null) throw new TypesenseFailure("no new generation of the index is being built");
    return collection;
  }

  const setAlias = (name: string, collection_name: string) =>
    server.call((client) => client.aliases().upsert(name, { collection_name }));
  const endBuilding = () => server.callUnless(404, (client) => client.aliases(building).delete());

  async function deleteAllBut(collection: string | null): Promise<void> {
    const all = await server.call((client) => client.collections().retrieve({ exclude_fields: "fields" }));
    for (const { name } of all)
      if (name.startsWith(`${alias}_`) && name !== collection)
        await server.callUnless(404, (client) => client.collections(name).delete());
  }

  return {
    async begin() {
      await answering.open();
      await endBuilding();
      const former = await server.aliasTarget(alias);
      await deleteAllBut(former);
      const collection = `${alias}_${crypto.randomUUID().replaceAll("-", "")}`;
      const known = former === null ? [] : await fieldNamesOf(server, former);
      await createCollection(server, collection, languages, known);
      // last, so that an interrupted `begin` has no effect
      await setAlias(building, collection);
    },

    batchSize: 500,
    isBuilding: async () => (await server.aliasTarget(building)) !== null,
    put: async (documents) => server.write(await collectionInBuilding(), documents.map(storedRecord)),
    remove: async (ids) => server.remove(await collectionInBuilding(), ids),

    // Typesense indexes as it imports
    settle: async () => undefined,

    async swap() {
      const collection = await collectionInBuilding();
      await setAlias(alias, collection);
      await endBuilding();
      await deleteAllBut(collection);
      answering.forget();
    },

    async drop() {
      await endBuilding();
      await deleteAllBut(await server.aliasTarget(alias));
    },
  };
}
