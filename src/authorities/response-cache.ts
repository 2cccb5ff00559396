/**
 * Caches recent answers of the sources, in memory: losing them does no harm, and the only session of the embedded database
 * should not be used for this.
 */
import { contentTag } from "../http/answer/caching.ts";
import { LruCache } from "../lru-cache.ts";

export type Cached<T> = { answer: T; etag: string };

type Entry<T> = Cached<T> & { until: number; size: number };

/** Characters of JSON in the whole cache: some sixteen megabytes at most, thousands of entries. */
const ROOM = 4 * 1024 * 1024;

/**
 * @param options.now Milliseconds, as of `Date.now`.
 * @returns A function that returns the cached value of a key, or fetches and caches it for some seconds. Simultaneous
 * requests for a key share one fetch. Errors are not cached.
 */
export function responseCache<T>(
  options: { now?: () => number; room?: number } = {},
): (key: string, seconds: number, fetched: () => Promise<T>) => Promise<Cached<T>> {
  const { now = Date.now, room = ROOM } = options;
  const entries = new LruCache<string, Entry<T>>(room, ({ size }) => size);
  const coming = new Map<string, Promise<Cached<T>>>();

  async function load(key: string, seconds: number, fetched: () => Promise<T>): Promise<Cached<T>> {
    const answer = await fetched();
    const size = key.length + JSON.stringify(answer).length;
    const entry = { answer, etag: await contentTag(answer), until: now() + seconds * 1_000, size };
    entries.set(key, entry);
    return entry;
  }

  return (key, seconds, fetched) => {
    const entry = entries.get(key);
    if (entry && entry.until > now()) return Promise.resolve(entry);
    let one = coming.get(key);
    if (!one) {
      one = load(key, seconds, fetched).finally(() => coming.delete(key));
      coming.set(key, one);
    }
    return one;
  };
}
