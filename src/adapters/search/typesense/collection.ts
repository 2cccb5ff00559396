/** The collection that answers searches, which is the one behind the alias. It is created if there is none. */
import { afterFilter } from "./filter.ts";
import { collectionFields, type StoredRecord } from "./record.ts";
import { type Found, type SearchParameters, TypesenseFailure, type TypesenseServer } from "./server.ts";

export type Collection = ReturnType<typeof openCollection>;

/** Typesense accepts this many searches in one request. */
const MOST_SEARCHES = 50;
/** Typesense returns at most this many hits for one search. */
export const MOST_HITS = 250;
/** Milliseconds after which field names may be read again because one is missing. */
const READ_AGAIN_MS = 2_000;

export function openCollection(server: TypesenseServer, alias: string, languages: readonly string[]) {
  let opened: Promise<void> | null = null;
  let names: ReadonlySet<string> = new Set();
  let namesReadAt = Number.NEGATIVE_INFINITY;

  /** Several instances may do this at once: the first collection has a fixed name, and the second instance finds it. */
  async function make(): Promise<void> {
    if ((await server.aliasTarget(alias)) !== null) return;
    const first = `${alias}_first`;
    await createCollection(server, first, languages);
    await server.call((client) => client.aliases().upsert(alias, { collection_name: first }));
  }

  /** Creates the collection if the server has none. */
  function open(): Promise<void> {
    opened ??= make().catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  /** Drops what is cached about the collection, because another one may have taken its place. */
  function forget(): void {
    opened = null;
    names = new Set();
    namesReadAt = Number.NEGATIVE_INFINITY;
  }

  /** Runs the work. If the server has lost the collection, the next call creates it again. */
  async function inCollection<T>(work: () => Promise<T>): Promise<T> {
    await open();
    try {
      return await work();
    } catch (error) {
      if (error instanceof TypesenseFailure && error.status === 404) forget();
      throw error;
    }
  }

  /** Runs any number of searches and returns the answers in the same order. */
  async function search(searches: readonly SearchParameters[]): Promise<Found[]> {
    const found: Found[] = [];
    for (let at = 0; at < searches.length; at += MOST_SEARCHES) {
      const part = searches.slice(at, at + MOST_SEARCHES).map((one) => ({ ...one, collection: alias }));
      found.push(...(await inCollection(() => server.search(part))));
    }
    return found;
  }

  /** Names of the fields. Read again if one of `needed` is missing: after a `put`, or after two seconds. */
  async function fieldNames(needed: readonly string[]): Promise<ReadonlySet<string>> {
    const isMissing = needed.some((name) => !names.has(name));
    if (isMissing && performance.now() - namesReadAt > READ_AGAIN_MS) {
      names = new Set(await inCollection(() => fieldNamesOf(server, alias)));
      namesReadAt = performance.now();
    }
    return names;
  }

  /**
   * Changes name the collection, not its alias: a server that was killed repeats the changes of an hour in order for each
   * name, so those of an alias could come before those of a rebuild, or before the collection exists.
   */
  const inItself = (work: (collection: string) => Promise<void>) =>
    inCollection(async () => work((await server.aliasTarget(alias)) ?? alias));

  async function put(records: readonly StoredRecord[]): Promise<void> {
    await inItself((collection) => server.write(collection, records));
    // the records may have brought new fields
    namesReadAt = Number.NEGATIVE_INFINITY;
  }

  const remove = (ids: readonly string[]) => inItself((collection) => server.remove(collection, ids));

  /** The next records after an identifier, in order; at most `MOST_HITS`. */
  async function recordsAfter(id: string | null, limit: number): Promise<StoredRecord[]> {
    const [found] = await search([
      {
        q: "*",
        ...(id === null ? {} : { filter_by: afterFilter(id) }),
        sort_by: "id_1:asc,id_2:asc",
        include_fields: "id,record_type,status",
        per_page: Math.min(limit, MOST_HITS),
      },
    ]);
    return found!.hits.map(({ document }) => document);
  }

  return { open, forget, search, fieldNames, put, remove, recordsAfter };
}

export async function fieldNamesOf(server: TypesenseServer, collection: string): Promise<string[]> {
  const { fields } = await server.call((client) => client.collections(collection).retrieve());
  return fields.map(({ name }) => name);
}

/**
 * Does nothing if there is a collection with this name.
 * @param known names of fields that running processes expect, even if no record has them any more
 */
export async function createCollection(
  server: TypesenseServer,
  name: string,
  languages: readonly string[],
  known: readonly string[] = [],
): Promise<void> {
  const own = collectionFields(languages);
  const kept = known.flatMap((field) => {
    const pattern = own.find((each) => each.name.endsWith(".*") && field.startsWith(each.name.slice(0, -2)));
    return pattern && !field.endsWith(".*") ? [{ ...pattern, name: field }] : [];
  });
  const schema = { name, fields: [...kept, ...own], enable_nested_fields: true };
  await server.callUnless(409, (client) => client.collections().create(schema));
}
