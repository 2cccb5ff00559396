/**
 * Files while they are moved from a disk to a bucket or back (contract §8.6, rule 2). A file that is not in the first place
 * is looked for in the second. New files go to the first place.
 */
import type { Files, StoredFile } from "../../services.ts";

export function inTwoPlaces(first: Files, other: Files): Files {
  /** The third look is for a file that was moved between the first two. */
  const inEither = async <T>(ask: (place: Files) => Promise<T | null>): Promise<T | null> =>
    (await ask(first)) ?? (await ask(other)) ?? ask(first);
  return {
    put: (key, content) => first.put(key, content),
    get: (key, range) => inEither((place) => place.get(key, range)),
    stat: (key) => inEither((place) => place.stat(key)),
    async remove(key) {
      await other.remove(key);
      await first.remove(key);
    },
    async *list(prefix) {
      const older = new Map<string, StoredFile>();
      for await (const file of other.list(prefix)) older.set(file.key, file);
      for await (const file of first.list(prefix)) {
        older.delete(file.key);
        yield file;
      }
      yield* older.values();
    },
  };
}
