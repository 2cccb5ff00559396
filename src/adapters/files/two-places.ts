/**
 * Files of which some are still in the place where they were kept before (contract §8.6, rule 2): what is not in the first
 * place is looked for in the other. Nothing new goes there.
 */
import type { Files, StoredFile } from "../../services.ts";

export function inTwoPlaces(first: Files, other: Files): Files {
  return {
    put: (key, content) => first.put(key, content),
    get: async (key, range) => (await first.get(key, range)) ?? other.get(key, range),
    stat: async (key) => (await first.stat(key)) ?? other.stat(key),
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
