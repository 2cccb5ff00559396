/** A cache that keeps what was used last, and drops the rest. */
import { describe, expect, it } from "vitest";
import { LruCache } from "../../src/lru-cache.ts";

describe("a cache that is full", () => {
  it("first drops what was unused for longest", () => {
    const cache = new LruCache<string, number>(3);
    for (const [n, key] of ["a", "b", "c"].entries()) cache.set(key, n);
    expect(cache.get("a")).toBe(0);
    cache.set("d", 3);
    expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
    expect([cache.getOr("a", () => 9), cache.getOr("e", () => 9), cache.get("e")]).toEqual([0, 9, 9]);
    cache.delete("e");
    expect([cache.get("a"), cache.get("e")]).toEqual([0, undefined]);
  });

  it("counts the sizes of entries, and keeps none that is larger than the whole cache", () => {
    const cache = new LruCache<string, string>(5, ({ length }) => length);
    for (const word of ["one", "two"]) cache.set(word, word);
    expect([cache.get("one"), cache.get("two")]).toEqual([undefined, "two"]);
    cache.set("two", "2");
    cache.set("four", "four");
    expect([cache.get("two"), cache.get("four")]).toEqual(["2", "four"]);
    cache.set("eleven", "eleven");
    expect([cache.get("two"), cache.get("four"), cache.get("eleven")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("may exceed its limit while entries are added, until it is trimmed", () => {
    const cache = new LruCache<string, string>(5, ({ length }) => length);
    for (const word of ["one", "two", "six"]) cache.add(word, word);
    expect(cache.get("one")).toBe("one");
    expect([...cache]).toEqual(["two", "six", "one"].map((word) => [word, word]));
    cache.trim();
    expect([cache.size, cache.get("one")]).toEqual([1, "one"]);
    cache.set("1", "1");
    expect(cache.size).toBe(2);
  });
});
