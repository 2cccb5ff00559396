/** Identifiers: UUIDs of version 7, in the order in which one process creates them. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/ids.ts";

/** The milliseconds that an id begins with. */
const timeOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

describe("new ids", () => {
  afterEach(() => vi.restoreAllMocks());

  it("are UUIDs of version 7 with the current time", () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(timeOf(id) - before)).toBeLessThan(2_000);
  });

  it("are greater than all earlier ones, even many in one millisecond, or after the clock went back a little", () => {
    const begun = Date.now() + 10_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(begun);
    const ids = Array.from({ length: 20_000 }, newId);
    clock.mockReturnValue(begun - 500);
    ids.push(...Array.from({ length: 5_000 }, newId));
    expect(new Set(ids).size).toBe(25_000);
    expect(ids.toSorted()).toEqual(ids);
    expect(timeOf(ids.at(-1)!) - begun).toBeLessThan(20);
    // the last part stays random
    expect(new Set(ids.map((id) => id.slice(19))).size).toBe(25_000);
  });

  it("follow a clock that was set back far", () => {
    const begun = Date.now() + 100_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(begun);
    newId();
    clock.mockReturnValue(begun - 60_000);
    expect(timeOf(newId())).toBe(begun - 60_000);
  });
});
