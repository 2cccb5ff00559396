/**
 * What the sources have answered lately. In memory and not in the database: it may be lost without harm, each instance
 * asks for itself soon enough, and the embedded database has one session, which has better things to do.
 */
import { contentTag } from "../http/caching.ts";

export type Kept<T> = { answer: T; etag: string };

type Entry<T> = Kept<T> & { until: number; size: number };

/** Characters of JSON on the whole shelf: some sixteen megabytes at most, thousands of entries. */
const ROOM = 4 * 1024 * 1024;

/**
 * @param options.now Milliseconds, as of `Date.now`.
 * @returns A function that gives what is kept under a key, or fetches and keeps it for some seconds. Who asks for the
 * same at the same time waits for one fetch; what failed is not kept.
 */
export function shelf<T>(
  options: { now?: () => number; room?: number } = {},
): (key: string, seconds: number, fetched: () => Promise<T>) => Promise<Kept<T>> {
  const { now = Date.now, room = ROOM } = options;
  const entries = new Map<string, Entry<T>>();
  const coming = new Map<string, Promise<Kept<T>>>();
  let full = 0;

  function drop(key: string): void {
    full -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  async function bring(key: string, seconds: number, fetched: () => Promise<T>): Promise<Kept<T>> {
    const answer = await fetched();
    const entry = {
      answer,
      etag: await contentTag(answer),
      until: now() + seconds * 1_000,
      size: key.length + JSON.stringify(answer).length,
    };
    drop(key);
    entries.set(key, entry);
    full += entry.size;
    for (const oldest of entries.keys()) {
      if (full <= room) break;
      drop(oldest);
    }
    return entry;
  }

  return (key, seconds, fetched) => {
    const entry = entries.get(key);
    if (entry && entry.until > now()) {
      // what was asked for last is thrown out last
      entries.delete(key);
      entries.set(key, entry);
      return Promise.resolve(entry);
    }
    let one = coming.get(key);
    if (!one) {
      one = bring(key, seconds, fetched).finally(() => coming.delete(key));
      coming.set(key, one);
    }
    return one;
  };
}
