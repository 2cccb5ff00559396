/** Shortens the result of a job, because it is read often. The whole result is in a file of the job. */

/** The most characters of a part of a result, as JSON. */
const LONGEST = 8_000;

/** Keeps the first entries of long lists. `shortened` has their full lengths by path: `{ "joined.spellings": 431 }`. */
export function shortResult(json: Record<string, unknown>): Record<string, unknown> {
  const shortened: Record<string, number> = {};

  function fitting<T>(path: string, entries: readonly T[]): T[] {
    let length = 0;
    const first = entries.findIndex((entry) => {
      length += JSON.stringify(entry).length + 1;
      return length > LONGEST;
    });
    if (first < 0) return [...entries];
    shortened[path] = entries.length;
    return entries.slice(0, first);
  }

  function short(path: string, value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return fitting(path, value);
    const entries = Object.entries(value);
    const isTable = entries.every(([, each]) => typeof each !== "object");
    return Object.fromEntries(
      isTable
        ? fitting(path, entries)
        : entries.map(([name, each]) => [name, short(`${path}.${name}`, each)]),
    );
  }

  const parts = Object.entries(json).map(([name, value]) => [name, short(name, value)]);
  return { ...Object.fromEntries(parts), ...(Object.keys(shortened).length > 0 ? { shortened } : {}) };
}
