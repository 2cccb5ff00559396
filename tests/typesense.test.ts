import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { typesenseSearch } from "../src/adapters/search/typesense.ts";
import type { Catalogue } from "../src/adapters/search/typesense-catalogue.ts";
import {
  codeOf,
  idNumbers,
  isCode,
  orderOf,
  pairCode,
  sortCode,
  wordOf,
} from "../src/adapters/search/typesense-codes.ts";
import { apart, storedRecord } from "../src/adapters/search/typesense-record.ts";
import type { SearchIndex } from "../src/search-index.ts";
import { inLong } from "./support/lane.ts";
import { asking, condition, found, idOf, record, STAFF, typing } from "./support/search-documents.ts";
import { EMPTY_CATALOGUE, openTypesenseDouble, type TypesenseDouble } from "./support/typesense-double.ts";

let double: TypesenseDouble;
let expected: RegExp[];
beforeEach(async () => {
  double = await openTypesenseDouble();
  expected = [];
});
afterEach(async () => {
  await double.close();
  expect(double.faults.filter((fault) => !expected.some((each) => each.test(fault)))).toEqual([]);
});

function instance(
  told: { apiKey?: string; patienceSeconds?: number; writingSeconds?: number } = {},
  catalogue: Catalogue = EMPTY_CATALOGUE,
): SearchIndex {
  const { url, apiKey } = double;
  return typesenseSearch({ url, apiKey, ...told }, catalogue);
}

const why = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "it went well",
    (error: unknown) =>
      JSON.stringify([String(error), error, (error as Error).stack, (error as Error).cause]),
  );

describe("a Typesense that is not there", () => {
  inLong(it)("is told at once, and answers again when it is back", async () => {
    const index = instance();
    await index.put([record(1, { title: "Harbour" })]);
    await double.goAway();
    for (const work of [
      () => index.find(asking("harbour")),
      () => index.suggest(typing("har")),
      () => index.put([record(2)]),
      () => index.remove([idOf(1)]),
      () => index.ping(),
      () => index.walk(null, 10),
      () => index.generations.begin([]),
    ]) {
      expect(await why(work())).toMatch(/Typesense cannot be reached \(ECONN/);
    }
    await double.comeBack();
    await index.ping();
    expect(await found(index, asking("harbour"))).toEqual([1]);
    await index.put([record(2)]);
    expect(await found(index, asking(""))).toEqual([1, 2]);
  });

  it("was not there at the start either, and is used when it comes", async () => {
    await double.goAway();
    const index = instance();
    expect(await why(index.put([record(1)]))).toMatch(/cannot be reached/);
    await double.comeBack();
    await index.put([record(1)]);
    expect(await found(index, asking(""))).toEqual([1]);
  });

  inLong(it)("is given up when it says nothing, whether it is asked or written to", async () => {
    const index = instance({ patienceSeconds: 0.2, writingSeconds: 0.2 });
    await index.put([record(1)]);
    double.mood = "silent";
    expect(await why(index.find(asking("")))).toMatch(/cannot be reached \(ECONNABORTED\)/);
    expect(await why(index.put([record(2)]))).toMatch(/said nothing for 0.2 seconds/);
    double.mood = "well";
    expect(await found(index, asking(""))).toEqual([1]);
  });

  it("says that it is not ready", async () => {
    const index = instance();
    await index.put([record(1)]);
    double.mood = "unavailable";
    expect(await why(index.find(asking("")))).toMatch(/answered 503: Not Ready or Lagging/);
    expect(await why(index.ping())).toMatch(/503/);
  });

  it("that lost its data is given its collection again", async () => {
    const index = instance();
    await index.put([record(1)]);
    double.collections.clear();
    double.aliases.clear();
    expect(await why(index.find(asking("")))).toMatch(/404/);
    expect(await found(index, asking(""))).toEqual([]);
    await index.put([record(1)]);
    expect(await found(index, asking(""))).toEqual([1]);
  });
});

describe("a key", () => {
  it("that is wrong is told, by the ping too, and stands in no error", async () => {
    const apiKey = "wrong-key-0123456789";
    const index = instance({ apiKey });
    for (const work of [() => index.ping(), () => index.find(asking("x")), () => index.put([record(1)])]) {
      const said = await why(work());
      expect(said).toMatch(/answered 401/);
      expect(said).not.toContain(apiKey);
    }
    await double.goAway();
    expect(await why(index.put([record(1)]))).not.toContain(apiKey);
  });
});

describe("writing", () => {
  it("in batches; what is refused is named, everything else is there", async () => {
    const index = instance();
    double.refused.add(idOf(3)).add(idOf(700));
    const records = Array.from({ length: 1_100 }, (_, n) => record(n + 1));
    const said = await why(index.put(records.slice(0, 500)));
    expect(said).toContain(`refused 1 of 500 records (${idOf(3)}: The double was told to refuse it.)`);
    double.refused.delete(idOf(3));
    expect(await why(index.put(records))).toContain(idOf(700));
    double.refused.clear();
    await index.put(records);
    expect((await index.find(asking("", { limit: 0 }))).total).toBe(1_100);
    const imports = double.asked.filter((operation) => operation.endsWith("/import"));
    expect(imports).toHaveLength(1 + 2 + 3);
    await index.remove(records.map(({ id }) => id));
    expect((await index.find(asking("", { limit: 0 }))).total).toBe(0);
  });

  it("what has no words, no fields and no links is kept, too", async () => {
    const index = instance();
    const empty = { ...record(1), publicText: [], present: [] };
    await index.put([empty]);
    expect(await found(index, asking(""))).toEqual([1]);
  });

  it("text that was called public of a record that is not is for staff only", () => {
    const wrong = { ...record(1), status: "draft" as const };
    const { public_a, staff_a, words } = storedRecord(wrong);
    expect(public_a).toBeUndefined();
    expect(staff_a).toEqual(["obj 1", "record 1"]);
    expect((words as string[]).every((word) => /^[sb]/.test(word))).toBe(true);
  });
});

describe("generations", () => {
  it("are one collection for several instances that start at once", async () => {
    const instances = Array.from({ length: 4 }, () => instance());
    await Promise.all(instances.map((index, n) => index.put([record(n + 1)])));
    expect(double.collections.size).toBe(1);
    expect(await found(instances[0]!, asking(""))).toEqual([1, 2, 3, 4]);
  });

  it("go on after a restart half-way, in another instance", async () => {
    const one = instance();
    await one.put([record(1)]);
    await one.generations.begin([]);
    await one.generations.put([record(2)]);
    const other = instance();
    expect(await other.generations.isBuilding()).toBe(true);
    await other.generations.put([record(3)]);
    await other.generations.swap();
    expect(await found(one, asking(""))).toEqual([2, 3]);
    expect(double.collections.size).toBe(1);
  });

  it("that were interrupted while they began have not begun, and leave nothing behind", async () => {
    const one = instance();
    await one.put([record(1, { recordType: "entity" })]);
    double.refused.add(idOf(1));
    expect(await why(one.generations.begin(["entity"]))).toMatch(/refused/);
    expect(await one.generations.isBuilding()).toBe(false);
    expect(double.collections.size).toBe(2);
    double.refused.clear();
    await one.generations.begin(["entity"]);
    expect(double.collections.size).toBe(2);
    await one.generations.swap();
    expect(double.collections.size).toBe(1);
    expect(await found(one, asking(""))).toEqual([1]);
  });

  it("copy whole kinds, however many records they have, and nothing else", async () => {
    const one = instance();
    const entities = Array.from({ length: 620 }, (_, n) =>
      record(n + 1, { recordType: "entity", facets: { hue: ["red"] } }),
    );
    await one.put([...entities, record(900)]);
    await one.generations.begin(["entity"]);
    await one.generations.swap();
    const query = asking("", { facets: ["hue"], limit: 0 });
    expect(await one.find(query)).toMatchObject({
      total: 620,
      facets: { hue: [{ value: "red", count: 620 }] },
    });
  });

  it("know the fields of those before them: a query for one that no record has any more is no fault", async () => {
    const one = instance();
    await one.put([record(1, { facets: { hue: ["red"] }, ranges: { date: [{ from: 1, to: 2 }] } })]);
    const query = asking("", {
      facets: ["hue"],
      conditions: [condition("date", { op: "between", from: 1, to: 1 })],
    });
    expect((await one.find(query)).facets).toEqual({ hue: [{ value: "red", count: 1 }] });
    await one.generations.begin([]);
    await one.generations.swap();
    expect(await one.find(query)).toMatchObject({ total: 0, facets: { hue: [] } });
  });

  it("do not exist where none was begun", async () => {
    const one = instance();
    await one.put([record(1)]);
    expect(await why(one.generations.put([record(2)]))).toMatch(/no new generation/);
    expect(await why(one.generations.swap())).toMatch(/no new generation/);
    expect(await found(one, asking(""))).toEqual([1]);
  });
});

describe("fields that are no facets", () => {
  const values: Catalogue = {
    ...EMPTY_CATALOGUE,
    find: async (asked, most) => (asked.field === "many" ? many.slice(0, most) : [idOf(2)]),
    count: async (field, ids) => [{ value: field, count: ids.length }],
  };
  const many = Array.from({ length: 10_001 }, (_, n) => idOf(n));

  it("are looked up in the records", async () => {
    const index = instance({}, values);
    await index.put([record(1), record(2), record(3)]);
    const notes = { ...condition("notes", { op: "is", values: ["x"] }), indexed: false };
    expect(await found(index, asking("", { conditions: [notes] }))).toEqual([2]);
    const query = { ...asking(""), facets: [{ field: "notes", indexed: false }] };
    expect(await index.find(query)).toMatchObject({
      isLeast: false,
      facets: { notes: [{ value: "notes", count: 3 }] },
    });
  });
  it("say so when there were too many to look up", async () => {
    const index = instance({}, values);
    await index.put([record(1)]);
    const notes = { ...condition("many", { op: "contains", words: ["x"], searched: false }), indexed: false };
    expect(await index.find(asking("", { conditions: [notes] }))).toMatchObject({ total: 1, isLeast: true });
  });
});

describe("records that wait for their projection", () => {
  const waitingFor = (ids: readonly string[]): Catalogue => ({
    ...EMPTY_CATALOGUE,
    waiting: async (most) => ids.slice(0, most),
    waitingAmong: async (among) => among.filter((id) => ids.includes(id)),
  });

  it("are not found by visitors: the word may be the one that was taken back", async () => {
    const index = instance({}, waitingFor([idOf(1), idOf(9)]));
    await index.put([record(1, { title: "Harbour" }), record(2, { title: "Harbour" })]);
    expect(await index.find(asking("harbour"))).toMatchObject({ total: 1, isLeast: false });
    expect(await found(index, asking("harbour"))).toEqual([2]);
    expect(await found(index, asking("", { conditions: [condition("x", { op: "missing" })] }))).toEqual([2]);
    expect(await found(index, asking(""))).toEqual([1, 2]);
    expect(await found(index, asking("harbour", { scopes: [STAFF] }))).toEqual([1, 2]);
  });
  it("are on no page even when there are too many to ask for all others", async () => {
    const many = Array.from({ length: 10_500 }, () => crypto.randomUUID());
    const index = instance({}, waitingFor([...many, idOf(1)]));
    await index.put([record(1, { title: "Harbour" }), record(2, { title: "Harbour" })]);
    expect(await found(index, asking("harbour"))).toEqual([2]);
    expect((await index.find(asking("harbour"))).isLeast).toBe(true);
  });
});

describe("what Typesense is asked", () => {
  it("has nothing in it that somebody typed, but for letters and digits", async () => {
    const index = instance();
    const hostile = [
      "` || status:=draft || `",
      "a`,b",
      "*",
      "x) || (id:*",
      "[a..b]",
      '-a "b" -"c',
      "\\`",
      "&& ||",
    ];
    await index.put(hostile.map((value, n) => record(n + 1, { title: value, facets: { hue: [value] } })));
    for (const [n, value] of hostile.entries()) {
      const is = condition("hue", { op: "is", values: [value] });
      expect(await found(index, asking("", { conditions: [is], facets: ["hue"] }))).toEqual([n + 1]);
      for (const op of ["contains", "starts"]) {
        await index.find(
          asking("", { conditions: [condition("hue", { op, words: [value], searched: true })] }),
        );
      }
      const words = [value];
      for (const [prefix, negated] of [
        [false, false],
        [true, false],
        [false, true],
        [true, true],
      ] as const) {
        await index.find({
          ...asking(""),
          terms: [{ words, prefix, negated, exact: false, stems: [value] }],
        });
      }
      await index.suggest({ ...typing("x"), words, start: value, fields: ["hue", value] });
      const links = [{ ids: [value], relationTypes: [value] }];
      expect(await found(index, asking("", { links }))).toEqual([]);
      const scope = { ...STAFF, recordTypes: ["object", value], collectionStatuses: [value] };
      expect(await found(index, asking("", { scopes: [scope] }))).toEqual([]);
      await index.remove([value]);
    }
    expect((await index.find(asking("", { limit: 0 }))).total).toBe(hostile.length);
  });

  it("stays within what it takes: many spans become one, many pairs of words fewer", async () => {
    const index = instance();
    const spans = [0, 10, 20, 30].map((day) => ({ from: day, to: day + 1 }));
    await index.put([
      record(1, { ranges: { date: spans }, publicText: [{ weight: "D", text: "a b c d e f g h i j k" }] }),
    ]);
    const between = (from: number, to: number) => condition("date", { op: "between", from, to });
    expect(await found(index, asking("", { anyOf: [between(5, 6)] }))).toEqual([]);
    const twenty = Array.from({ length: 20 }, () => between(5, 6));
    expect(await found(index, asking("", { anyOf: twenty }))).toEqual([1]);
    const phrases = '"a b c d e f g" "b c d e f g h" "c d e f g h i" "d e f g h i j" "e f g h i j k"';
    expect(await found(index, asking(phrases))).toEqual([1]);
  });

  it("is nothing for a reader without any scope", async () => {
    const index = instance();
    await index.put([record(1, { facets: { hue: ["red"] } })]);
    const query = asking("", { scopes: [], facets: ["hue"] });
    expect(await index.find(query)).toMatchObject({ total: 0, hits: [], facets: { hue: [] } });
    expect(await index.suggest(typing("rec", { scopes: [], fields: ["hue"] }))).toEqual({
      records: [],
      terms: [],
    });
  });

  it("gives more hits than it gives at once", async () => {
    const index = instance();
    await index.put(Array.from({ length: 600 }, (_, n) => record(n + 1)));
    const { hits, total } = await index.find(asking("", { limit: 600 }));
    expect([total, hits.length, new Set(hits.map(({ id }) => id)).size]).toEqual([600, 600, 600]);
    const seen: string[] = [];
    for (let last: string | null = null; ; last = seen.at(-1)!) {
      const page = await index.walk(last, 270);
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toEqual(Array.from({ length: 600 }, (_, n) => idOf(n + 1)));
  });
});

describe("codes", () => {
  it("of words are words again, and those of their beginnings begin them", () => {
    for (const word of ["harbour", "quilt", "qs", "qqx", "дом", "北", "🗻", "a-b`*"]) {
      expect(codeOf(word)).toMatch(/^[a-z0-9]+$/);
      expect(wordOf(codeOf(word))).toBe(word);
      const begin = [...word].slice(0, -1).join("");
      expect(codeOf(word).startsWith(codeOf(begin))).toBe(true);
    }
    expect(wordOf(pairCode("a", "b"))).toBeNull();
    expect(pairCode("ab", "c")).not.toBe(pairCode("a", "bc"));
    expect(codeOf("x".repeat(300)).length).toBeLessThan(100);
    expect(isCode("hue", "red")).not.toBe(isCode("hu", "ered"));
  });
  it("of numbers sort as they do", () => {
    const numbers = [
      ...[Number.NEGATIVE_INFINITY, -1e300, -719_528, -12.3, -12.2999999999, -1e-300, 0, 5e-324, 0.1, 0.2, 1],
      ...[
        9.99999999999,
        10,
        12.3,
        12.3000000001,
        20_000,
        20_001,
        1e15,
        Number.MAX_VALUE,
        Number.POSITIVE_INFINITY,
      ],
    ];
    for (const rounded of ["down", "up"] as const) {
      const codes = numbers.map((number) => orderOf(number, rounded));
      expect(codes.every((code) => Number.isSafeInteger(code) && code >= 0)).toBe(true);
      expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
    }
    expect(orderOf(12.299999999999999, "down")).toBeLessThan(orderOf(12.3, "down"));
    expect(orderOf(12.300000000000002, "up")).toBeGreaterThan(orderOf(12.3, "up"));
    expect(orderOf(-12.300000000000002, "down")).toBeLessThan(orderOf(-12.3, "down"));
  });
  it("of identifiers and titles sort as they do", () => {
    const ids = [
      idOf(1),
      idOf(2),
      "0190a5c0-0002-7000-8000-000000000003",
      "ffffffff-ffff-7fff-bfff-ffffffffffff",
    ];
    const numbers = ids.map(idNumbers);
    expect(numbers.flat().every(Number.isSafeInteger)).toBe(true);
    expect(numbers.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])).toEqual(numbers);
    const titles = ["", "00000002 a", "00000010", "a b", "ab", "é"];
    expect(titles.map(sortCode).toSorted()).toEqual(titles.map(sortCode));
  });
  it("of spans cover what they cover, and gaps only where there are too many", () => {
    const spans = (...pairs: [number, number][]) => pairs.map(([from, to]) => ({ from, to }));
    expect(apart(spans([5, 6], [1, 3], [2, 4]))).toEqual(spans([1, 4], [5, 6]));
    expect(apart(spans([1, 2], [10, 11], [13, 14], [30, 31], [50, 51]))).toEqual(
      spans([1, 2], [10, 14], [30, 31], [50, 51]),
    );
    const open = spans(
      [Number.NEGATIVE_INFINITY, 3],
      [Number.NEGATIVE_INFINITY, 1],
      [2, Number.POSITIVE_INFINITY],
    );
    expect(apart(open)).toEqual(spans([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]));
  });
});
