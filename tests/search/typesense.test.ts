import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/adapters/search/typesense/catalogue.ts";
import { queryFilter } from "../../src/adapters/search/typesense/filter.ts";
import {
  collectionFields,
  idNumbers,
  sortCode,
  storedRecord,
  textFields,
  thousandths,
} from "../../src/adapters/search/typesense/record.ts";
import { typesenseServer } from "../../src/adapters/search/typesense/server.ts";
import { typesenseSearch } from "../../src/adapters/search/typesense/typesense.ts";
import type { SearchIndex, SearchScope } from "../../src/ports/search-index.ts";
import { inLong } from "../support/lane/lane.ts";
import {
  condition,
  found,
  idOf,
  queryFor,
  record,
  SOME_STAFF,
  STAFF,
  suggestQueryFor,
  VISITORS,
} from "../support/search/search-documents.ts";
import {
  EMPTY_CATALOGUE,
  openTypesenseDouble,
  type TypesenseDouble,
} from "../support/search/typesense-double.ts";

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
  options: { apiKey?: string; searchSeconds?: number; writeSeconds?: number } = {},
  catalogue: Catalogue = EMPTY_CATALOGUE,
): SearchIndex {
  const { url, apiKey } = double;
  return typesenseSearch({ url, apiKey, ...options }, catalogue);
}

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no failure",
    (error: unknown) =>
      JSON.stringify([String(error), error, (error as Error).stack, (error as Error).cause]),
  );

describe("a Typesense server that is unavailable", () => {
  inLong(it)("is reported at once, and used again when it is back", async () => {
    const index = instance();
    await index.put([record(1, { title: "Harbour" })]);
    await double.stop();
    for (const work of [
      () => index.find(queryFor("harbour")),
      () => index.suggest(suggestQueryFor("har")),
      () => index.put([record(2)]),
      () => index.remove([idOf(1)]),
      () => index.ping(),
      () => index.walk(null, 10),
      () => index.generations.begin(),
    ]) {
      expect(await failure(work())).toMatch(/Typesense cannot be reached \(ECONN/);
    }
    await double.start();
    await index.ping();
    expect(await found(index, queryFor("harbour"))).toEqual([1]);
    await index.put([record(2)]);
    expect(await found(index, queryFor(""))).toEqual([1, 2]);
  });

  it("can be missing at the start", async () => {
    await double.stop();
    const index = instance();
    expect(await failure(index.put([record(1)]))).toMatch(/cannot be reached/);
    await double.start();
    await index.put([record(1)]);
    expect(await found(index, queryFor(""))).toEqual([1]);
  });

  inLong(it)("is given up when it does not answer a query or a write", async () => {
    const index = instance({ searchSeconds: 0.2, writeSeconds: 0.2 });
    await index.put([record(1)]);
    double.state = "silent";
    expect(await failure(index.find(queryFor("")))).toMatch(/cannot be reached \(ECONNABORTED\)/);
    expect(await failure(index.put([record(2)]))).toMatch(/cannot be reached \(ECONNABORTED\)/);
    const { url, apiKey } = double;
    const written = typesenseServer({ url, apiKey, writeSeconds: 0.2 }).write("any", [
      storedRecord(record(2)),
    ]);
    expect(await failure(written)).toMatch(/did not answer within 0.2 seconds/);
    double.state = "healthy";
    expect(await found(index, queryFor(""))).toEqual([1]);
  });

  it("is reported with its reason when it is not ready", async () => {
    const index = instance();
    await index.put([record(1)]);
    double.state = "unavailable";
    expect(await failure(index.find(queryFor("")))).toMatch(/answered 503: Not Ready or Lagging/);
    expect(await failure(index.ping())).toMatch(/503/);
  });

  it("gets its collection again when it has lost its data", async () => {
    const index = instance();
    await index.put([record(1)]);
    double.collections.clear();
    double.aliases.clear();
    expect(await failure(index.find(queryFor("")))).toMatch(/404/);
    expect(await found(index, queryFor(""))).toEqual([]);
    await index.put([record(1)]);
    expect(await found(index, queryFor(""))).toEqual([1]);
  });
});

describe("an API key", () => {
  it("that is wrong is reported, also by the ping, and never appears in an error", async () => {
    const apiKey = "wrong-key-0123456789";
    const index = instance({ apiKey });
    for (const work of [() => index.ping(), () => index.find(queryFor("x")), () => index.put([record(1)])]) {
      const message = await failure(work());
      expect(message).toMatch(/answered 401/);
      expect(message).not.toContain(apiKey);
    }
    await double.stop();
    expect(await failure(index.put([record(1)]))).not.toContain(apiKey);
  });
});

describe("writing to Typesense", () => {
  it("happens in batches; refused records are named, all others are written", async () => {
    const index = instance();
    double.refused.add(idOf(3)).add(idOf(700));
    const records = Array.from({ length: 1_100 }, (_, n) => record(n + 1));
    const message = await failure(index.put(records.slice(0, 500)));
    expect(message).toContain(`refused 1 of 100 records (${idOf(3)}: The double was told to refuse it.)`);
    double.refused.delete(idOf(3));
    expect(await failure(index.put(records))).toContain(idOf(700));
    double.refused.clear();
    await index.put(records);
    expect((await index.find(queryFor("", { limit: 0 }))).total).toBe(1_100);
    const imports = double.operations.filter((operation) => operation.endsWith("/import"));
    expect(imports).toHaveLength(1 + 7 + 11);
    await index.remove(records.map(({ id }) => id));
    expect((await index.find(queryFor("", { limit: 0 }))).total).toBe(0);
  });

  it("includes records without words, fields and relations", async () => {
    const index = instance();
    const empty = { ...record(1), publicText: [], present: [] };
    await index.put([empty]);
    expect(await found(index, queryFor(""))).toEqual([1]);
  });

  it("puts the text of a record that is not public into staff fields, whatever the document says", () => {
    const wrong = { ...record(1), status: "draft" as const };
    expect(storedRecord(wrong)).toMatchObject({ staff_object_a: ["obj 1", "record 1"] });
    expect(Object.keys(storedRecord(wrong)).filter((name) => name.startsWith("public"))).toEqual([]);
  });

  it("stores text as words, not as codes", () => {
    const stored = storedRecord(
      record(1, { title: "Дом у озера, Øresund", facets: { material: ["Öl"], "date.decade": ["193X"] } }),
    );
    expect(stored).toMatchObject({
      public_a: ["obj 1", "дом у озера oresund"],
      facet_material: ["Öl"],
      facet_dateXdecade: ["193X"],
    });
  });
});

describe("generations", () => {
  it("share one collection when several instances start at once", async () => {
    const instances = Array.from({ length: 4 }, () => instance());
    await Promise.all(instances.map((index, n) => index.put([record(n + 1)])));
    expect(double.collections.size).toBe(1);
    expect(await found(instances[0]!, queryFor(""))).toEqual([1, 2, 3, 4]);
  });

  it("are continued by another instance after a restart", async () => {
    const one = instance();
    await one.put([record(1)]);
    await one.generations.begin();
    await one.generations.put([record(2)]);
    const other = instance();
    expect(await other.generations.isBuilding()).toBe(true);
    await other.generations.put([record(3)]);
    await other.generations.swap();
    expect(await found(one, queryFor(""))).toEqual([2, 3]);
    expect(double.collections.size).toBe(1);
  });

  it("that were interrupted at the start do not exist, and leave nothing behind", async () => {
    const one = instance();
    await one.put([record(1)]);
    await one.generations.begin();
    // the second alias is set last
    for (const name of double.aliases.keys()) if (name.endsWith("_building")) double.aliases.delete(name);
    expect(await one.generations.isBuilding()).toBe(false);
    expect(double.collections.size).toBe(2);
    await one.generations.begin();
    expect(double.collections.size).toBe(2);
    await one.generations.put([record(2)]);
    await one.generations.swap();
    expect(double.collections.size).toBe(1);
    expect(await found(one, queryFor(""))).toEqual([2]);
  });

  it("accept a query for a field that no record has any more", async () => {
    const one = instance();
    await one.put([record(1, { facets: { hue: ["red"] }, ranges: { date: [{ from: 1, to: 2 }] } })]);
    const query = queryFor("", {
      facets: ["hue"],
      conditions: [condition("date", { op: "between", from: 1, to: 1 })],
    });
    expect((await one.find(query)).facets).toEqual({ hue: [{ value: "red", count: 1 }] });
    await one.generations.begin();
    await one.generations.swap();
    expect(await one.find(query)).toMatchObject({ total: 0, facets: { hue: [] } });
    const other = instance();
    await one.put([record(1, { facets: { hue: ["red"] } })]);
    expect(await other.find(query)).toMatchObject({ facets: { hue: [] } });
    await one.generations.begin();
    await one.generations.swap();
    expect(await other.find(query)).toMatchObject({ total: 0, facets: { hue: [] } });
  });

  it("cannot be written or swapped if none was begun", async () => {
    const one = instance();
    await one.put([record(1)]);
    expect(await failure(one.generations.put([record(2)]))).toMatch(/no new generation/);
    expect(await failure(one.generations.swap())).toMatch(/no new generation/);
    expect(await found(one, queryFor(""))).toEqual([1]);
  });
});

describe("fields that are not facets", () => {
  const values: Catalogue = {
    ...EMPTY_CATALOGUE,
    find: async (asked, most) => (asked.field === "many" ? many.slice(0, most) : [idOf(2)]),
    count: async (field, ids) => [{ value: field, count: ids.length }],
  };
  const many = Array.from({ length: 10_001 }, (_, n) => idOf(n));

  it("are looked up in the records", async () => {
    const index = instance({}, values);
    await index.put([record(1), record(2), record(3)]);
    const notes = { ...condition("notes", { op: "is", values: ["x"] }), isFacet: false };
    expect(await found(index, queryFor("", { conditions: [notes] }))).toEqual([2]);
    const query = { ...queryFor(""), facets: [{ field: "notes", isFacet: false }] };
    expect(await index.find(query)).toMatchObject({
      isLeast: false,
      facets: { notes: [{ value: "notes", count: 3 }] },
    });
  });
  it("are marked as incomplete when there are too many to look up", async () => {
    const index = instance({}, values);
    await index.put([record(1)]);
    const notes = { ...condition("many", { op: "contains", words: ["x"], searched: false }), isFacet: false };
    expect(await index.find(queryFor("", { conditions: [notes] }))).toMatchObject({
      total: 1,
      isLeast: true,
    });
  });
});

describe("records that wait for their projection", () => {
  const waitingFor = (ids: readonly string[]): Catalogue => ({
    ...EMPTY_CATALOGUE,
    waiting: async (most) => ids.slice(0, most),
  });

  it("are not found by visitors, because a word may have been withdrawn", async () => {
    const index = instance({}, waitingFor([idOf(1), idOf(9)]));
    await index.put([record(1, { title: "Harbour" }), record(2, { title: "Harbour" })]);
    expect(await index.find(queryFor("harbour"))).toMatchObject({ total: 1, isLeast: false });
    expect(await found(index, queryFor("harbour"))).toEqual([2]);
    expect(await found(index, queryFor("", { conditions: [condition("x", { op: "missing" })] }))).toEqual([
      2,
    ]);
    expect(await found(index, queryFor(""))).toEqual([1, 2]);
    expect(await found(index, queryFor("harbour", { scopes: [STAFF] }))).toEqual([1, 2]);
  });
  it("make searches of visitors fail when there are too many to exclude", async () => {
    const many = Array.from({ length: 10_001 }, () => crypto.randomUUID());
    const index = instance({}, waitingFor(many));
    await index.put([record(1, { title: "Harbour" })]);
    for (const work of [index.find(queryFor("harbour")), index.suggest(suggestQueryFor("har"))])
      expect(await failure(work)).toMatch(/More than 10000 records that visitors must not find wait/);
    expect(await found(index, queryFor("harbour", { scopes: [STAFF] }))).toEqual([1]);
  });
});

describe("queries to Typesense", () => {
  const hostile = [
    "` || status:=draft || `",
    "a`,b",
    "*",
    "x) || (id:*",
    "[a..b]",
    '-a "b" -"c',
    "\\`",
    "&& ||",
    "} || spans.{from:>0",
  ];

  it("contain nothing in filters that somebody typed, except letters and digits", () => {
    const fields = new Set(collectionFields([]).map(({ name }) => name));
    const context = { fields: new Set([...fields, "facet_hue"]), lookedUp: new Map(), hidden: hostile };
    for (const value of hostile) {
      const conditions = ["is", "contains", "starts", "exists", "missing"].map((op) =>
        condition("hue", { op, values: [value], words: [value], also: [value] }),
      );
      const filters = [
        ...conditions.map((one) => queryFilter(queryFor("", { conditions: [one] }), context)),
        queryFilter(
          queryFor("", { conditions: [condition(value, { op: "between", from: 1, to: 2 })] }),
          context,
        ),
        queryFilter(queryFor("", { links: [{ ids: [value], relationTypes: [value] }] }), context),
        queryFilter(queryFor("", { links: [{ among: [value, idOf(1)] }] }), context),
        queryFilter(
          queryFor("", {
            scopes: [{ ...STAFF, recordTypes: ["object", value], collectionStatuses: [value, "a"] }],
          }),
          context,
        ),
      ];
      for (const filter of filters) {
        expect(filter ?? "").not.toContain(value);
        expect(filter ?? "status:=[public]").toMatch(/status:=\[/);
      }
    }
  });

  it("find hostile values as values", async () => {
    const index = instance();
    await index.put(hostile.map((value, n) => record(n + 1, { title: value, facets: { hue: [value] } })));
    for (const [n, value] of hostile.entries()) {
      const is = condition("hue", { op: "is", values: [value] });
      expect(await found(index, queryFor("", { conditions: [is], facets: ["hue"] }))).toEqual([n + 1]);
      for (const op of ["contains", "starts"]) {
        const clause = condition("hue", { op, words: [value], searched: true });
        expect(await found(index, queryFor("", { conditions: [clause] }))).toEqual([]);
      }
      await index.suggest({ ...suggestQueryFor("x"), fields: ["hue", value] });
      await index.remove([value]);
    }
    expect((await index.find(queryFor("", { limit: 0 }))).total).toBe(hostile.length);
  });

  it("stay within a hundred operators when every clause has many words", async () => {
    const index = instance();
    const words = "a b c d e f g h".split(" ");
    await index.put([record(1, { facets: { hue: [words.join(" ")] } })]);
    const clauses = Array.from({ length: 20 }, () => condition("hue", { op: "contains", words }));
    expect(await found(index, queryFor("", { anyOf: clauses }))).toEqual([1]);
    expect(await found(index, queryFor("", { conditions: clauses }))).toEqual([1]);
  });

  it("search public fields for visitors, and staff fields for the kinds that somebody may read", () => {
    const names = (...scopes: SearchScope[]) => textFields(scopes, ["A"]).map(({ name }) => name);
    expect(names(VISITORS)).toEqual(["public_a"]);
    expect(names(SOME_STAFF, { ...VISITORS, recordTypes: ["entity"] })).toEqual([
      "public_a",
      "staff_object_a",
    ]);
    expect(names({ ...STAFF, recordTypes: ["place"] })).toEqual([
      "public_a",
      "staff_place_a",
      "linked_place_a",
    ]);
  });

  it("correct spelling by the words of records that the reader may find", async () => {
    const index = instance();
    await index.put([
      record(1, { title: "Harbour", staffText: [{ weight: "D", text: "harbor" }] }),
      record(2, { title: "Harbors", status: "draft" }),
    ]);
    expect(await index.find(queryFor("harbuor"))).toMatchObject({
      total: 1,
      corrections: [{ from: "harbuor", to: "harbour" }],
    });
    expect(await index.find(queryFor("harbrs"))).toMatchObject({ total: 0, corrections: [] });
    expect(await index.find(queryFor("harbrs", { scopes: [STAFF] }))).toMatchObject({
      total: 1,
      corrections: [{ from: "harbrs", to: "harbors" }],
    });
  });

  it("find nothing for a reader without any scope", async () => {
    const index = instance();
    await index.put([record(1, { facets: { hue: ["red"] } })]);
    const query = queryFor("", { scopes: [], facets: ["hue"] });
    expect(await index.find(query)).toMatchObject({ total: 0, hits: [], facets: { hue: [] } });
    expect(await index.suggest(suggestQueryFor("rec", { scopes: [], fields: ["hue"] }))).toEqual({
      records: [],
      terms: [],
    });
  });

  it("walk through all records in pages", async () => {
    const index = instance();
    await index.put(Array.from({ length: 600 }, (_, n) => record(n + 1)));
    const seen: string[] = [];
    for (let last: string | null = null; ; last = seen.at(-1)!) {
      const page = await index.walk(last, 270);
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toEqual(Array.from({ length: 600 }, (_, n) => idOf(n + 1)));
  });
});

describe("sortable numbers and texts", () => {
  it("numbers keep their order, and a number just below 12.3 stays below it", () => {
    const numbers = [
      ...[Number.NEGATIVE_INFINITY, -719_528, -12.3, -12.299, 0, 0.001, 0.1, 0.2, 1, 9.999],
      ...[10, 12.3, 12.301, 20_000, 20_001, 1e12, Number.POSITIVE_INFINITY],
    ];
    for (const rounded of ["down", "up"] as const) {
      const codes = numbers.map((number) => thousandths(number, rounded));
      expect(codes.every(Number.isSafeInteger)).toBe(true);
      expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
    }
    for (const [number, step] of [
      [12.3, 12.3e-12],
      [-12.3, 12.3e-12],
      [0, Number.MIN_VALUE],
    ] as const) {
      expect(thousandths(number - step, "down")).toBeLessThan(thousandths(number, "down"));
      expect(thousandths(number + step, "up")).toBeGreaterThan(thousandths(number, "up"));
    }
  });
  it("identifiers and titles keep their order", () => {
    const ids = [
      idOf(1),
      idOf(2),
      "0190a5c0-0002-7000-8000-000000000003",
      "ffffffff-ffff-7fff-bfff-ffffffffffff",
    ];
    const numbers = ids.map(idNumbers);
    expect(numbers.flat().every(Number.isSafeInteger)).toBe(true);
    expect(numbers.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])).toEqual(numbers);
    const titles = ["", "00000002 a", "00000010", "a b", "ab", "é"];
    expect(titles.map(sortCode).toSorted()).toEqual(titles.map(sortCode));
  });
});
