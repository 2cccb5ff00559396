/**
 * What the sources have answered lately. In memory and not in the database: it may be lost without harm, each instance
 * asks for itself soon enough, and the embedded database has one session, which has better things to do.
 */
import { contentTag } from "../http/caching.ts";
import { LruCache } from "../lru-cache.ts";

export type Cached<T> = { answer: T; etag: string };

type Entry<T> = Cached<T> & { until: number; size: number };

/** Characters of JSON in the whole cache: some sixteen megabytes at most, thousands of entries. */
const ROOM = 4 * 1024 * 1024;

/**
 * @param options.now Milliseconds, as of `Date.now`.
 * @returns A function that gives what is kept under a key, or fetches and keeps it for some seconds. Who asks for the
 * same at the same time waits for one fetch; what failed is not kept.
 */
export function responseCache<T>(
  options: { now?: () => number; room?: number } = {},
): (key: string, seconds: number, fetched: () => Promise<T>) => Promise<Cached<T>> {
  const { now = Date.now, room = ROOM } = options;
  const entries = new LruCache<string, Entry<T>>(room, ({ size }) => size);
  const coming = new Map<string, Promise<Cached<T>>>();

  async function bring(key: string, seconds: number, fetched: () => Promise<T>): Promise<Cached<T>> {
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
      one = bring(key, seconds, fetched).finally(() => coming.delete(key));
      coming.set(key, one);
    }
    return one;
  };
}
