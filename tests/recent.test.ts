/** What was asked for lately is kept in memory, and the rest is forgotten. */
import { describe, expect, it } from "vitest";
import { Recent } from "../src/recent.ts";

describe("what was asked for lately", () => {
  it("is kept, and what nobody asked for since is forgotten first", () => {
    const recent = new Recent<string, number>(2);
    for (const [n, key] of ["a", "b", "c"].entries()) recent.set(key, n);
    expect(recent.get("a")).toBe(0);
    recent.set("d", 3);
    expect([recent.get("a"), recent.get("b"), recent.get("d")]).toEqual([0, undefined, 3]);
    expect([recent.getOr("a", () => 9), recent.getOr("e", () => 9), recent.get("e")]).toEqual([0, 9, 9]);
  });
});
