/** Counting the values of a field in memory gives the same numbers as counting record by record. */
import { describe, expect, it } from "vitest";
import { bitsFor, countBits, setBit } from "../../src/adapters/search/snapshot/bitset.ts";
import { Column } from "../../src/adapters/search/snapshot/facet-column.ts";

const ROOM = 6_000;
/** The last record; there is room behind it. */
const LAST = 2_500;
const ONE_FIELD = 7 << 24;

/** None, one or several, some rare. */
const termsOf = (position: number): number[] =>
  [3, 40, 700].filter((every) => position % every !== 1).map((every) => ONE_FIELD + (position % every));

const packed = (records: ReadonlyMap<number, readonly number[]>): Uint8Array => {
  const pairs = [...records].flatMap(([position, terms]) => terms.map((term) => [position, term] as const));
  const view = new DataView(new ArrayBuffer(pairs.length * 8));
  pairs.forEach(([position, term], at) => {
    view.setInt32(at * 8, position);
    view.setInt32(at * 8 + 4, term);
  });
  return new Uint8Array(view.buffer);
};

describe("the values of a field", () => {
  const records = new Map(
    Array.from({ length: LAST }, (_, at) => [at + 1, termsOf(at + 1)] as const).filter(
      ([at]) => at % 9 !== 0,
    ),
  );
  const column = new Column(ROOM, packed(records));

  it.each<[string, (position: number) => boolean]>([
    ["none", () => false],
    ["one", (position) => position === 17],
    ["the last", (position) => position === LAST],
    ["few", (position) => position % 50 === 0],
    ["nearly half", (position) => position % 2 === 0],
    ["most", (position) => position % 5 !== 0],
    ["all but one", (position) => position !== 64],
    ["all", () => true],
  ])("are counted in %s", (_, isAsked) => {
    for (const state of ["as read", "changed", "packed anew"]) {
      // so many that they are packed anew, most of them as they were
      if (state === "packed anew")
        for (let at = 1; at <= 5_100; at++) column.change(at, records.get(at) ?? []);
      if (state === "changed") {
        // others, none any more, some where there were none, and one behind the last
        for (const [position, terms] of [
          [17, [ONE_FIELD + 5, ONE_FIELD + 999]],
          [64, []],
          [18, [ONE_FIELD + 1]],
          [LAST + 10, [ONE_FIELD + 2]],
        ] as const) {
          column.change(position, terms);
          records.set(position, [...terms]);
        }
      }
      const counted = bitsFor(ROOM);
      const expected = new Map<number, number>();
      for (const [position, terms] of records) {
        if (!isAsked(position)) continue;
        setBit(counted, position, true);
        for (const term of terms) expected.set(term, (expected.get(term) ?? 0) + 1);
      }
      const found = column.count(counted, countBits(counted));
      expect(new Map(found.map(({ term, n }) => [term, n]))).toEqual(expected);
    }
  });
});
