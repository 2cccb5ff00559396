/** Clauses on values: what is found by them, and that one reading of the records serves them all. */
import { beforeAll, describe, expect, it } from "vitest";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import { LIMITS } from "../../src/adapters/search/snapshot/search-context.ts";
import { inBatches } from "../../src/adapters/search/tables/batches.ts";
import type { FieldCondition, SearchQuery } from "../../src/ports/search-index.ts";
import { createObject, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import {
  condition,
  idOf,
  queryFor,
  record,
  SOME_STAFF,
  STAFF,
  VISITORS,
} from "../support/search/search-documents.ts";

const TEXTS = ["Barge in the bay", "Bark of a barge", "A bay horse", "Basket, oak", "The old bakery", "Bay"];
const MANY = 120;

describe.each(databases)("clauses on values in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const sql = museum.services.sql;
  /** Reads a snapshot for each question. */
  const plain = inDatabaseSearch(sql, { inMemory: false });
  const held = inDatabaseSearch(sql, { limits: { ...LIMITS, mostRanked: 20 } });
  beforeAll(async () => {
    const documents = Array.from({ length: MANY }, (_, n) => {
      const text = TEXTS[n % TEXTS.length]!;
      const material = n % 4 === 0 ? ["oak"] : [];
      return {
        metadata: {
          ...(n % 7 === 0 ? {} : { description: [{ value: text }] }),
          ...(n % 3 === 0 ? { note: [{ value: `note ${n % 5}` }] } : {}),
        },
        document: record(n + 1, {
          title: `Record ${String(n).padStart(3, "0")}`,
          status: n % 5 === 0 ? "internal" : "public",
          publicText: n % 7 === 0 ? [] : [{ weight: "D", text }],
          facets: { material },
          ranges: n % 2 === 0 ? { height: [{ from: n, to: n + 5 }] } : {},
        }),
      };
    });
    for (const { metadata, document } of documents) {
      const { id, status, sort } = document;
      await sql`
        insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title,
          sort_idno)
        values (${id}, 'object', ${sort.idno}, 'other', ${status}, 'active', ${sql.json(metadata)}, ${sort.title},
          ${sort.title}, ${sort.idno})`;
    }
    await plain.put(documents.map(({ document }) => document));
  });

  const text = (op: "contains" | "starts", ...words: string[]): FieldCondition =>
    ({ field: "description", isFacet: false, op, words, searched: true }) as FieldCondition;
  const unindexed = (field: string, rest: Record<string, unknown>): FieldCondition =>
    ({ field, isFacet: false, ...rest }) as FieldCondition;
  const NOTED = unindexed("note", { op: "is", values: ["note 1", "note 3"] });
  const OAK = condition("material", { op: "is", values: ["oak"] });
  const TALL = condition("height", { op: "between", from: 40, to: 90 });

  it.each<[string, FieldCondition[]]>([
    ["a beginning of two letters", [text("starts", "ba")]],
    ["beginnings", [text("starts", "bar"), text("starts", "barg")]],
    ["words in their order", [text("contains", "the", "bay"), unindexed("note", { op: "exists" })]],
    ["a word that nothing has", [text("contains", "whale")]],
    [
      "words of a field that is not searched",
      [unindexed("note", { op: "contains", words: ["3"], searched: false })],
    ],
    ["a value and none", [NOTED, unindexed("description", { op: "missing" })]],
    ["all sorts", [OAK, TALL, text("starts", "ba"), unindexed("note", { op: "exists" })]],
    ["what the index has alone", [OAK, TALL]],
  ])("%s: find the same in memory, all of them and any", async (_, conditions) => {
    const both = [SOME_STAFF, { ...VISITORS, recordTypes: ["place"] }];
    for (const [words, scopes, by] of [
      ["", [VISITORS], "relevance"],
      ["", [STAFF], "title"],
      ["record", both, "title"],
      ['"old bakery"', [STAFF], "title"],
      ["re* bay -horse -h*", [VISITORS], "title"],
    ] as const) {
      for (const asked of [{ conditions }, { anyOf: conditions }, { conditions: [OAK], anyOf: conditions }]) {
        const sort = { by, direction: "asc" } as const;
        const query: SearchQuery = {
          ...queryFor(words, { scopes, ...asked, sort, offset: 2, limit: 50 }),
          facets: [
            { field: "material", isFacet: true },
            { field: "note", isFacet: false },
          ],
        };
        const [found, expected] = [await held.find(query), await plain.find(query)];
        expect(found, JSON.stringify(query)).toEqual(expected);
      }
    }
  });

  it("are told by one reading of the records, however many they are", async () => {
    let readings = 0;
    const counting = new Proxy(sql, {
      apply(target, self, parameters) {
        const [first] = parameters as [{ raw?: readonly string[] }];
        if (first.raw?.join("?").includes("from records r where r.id")) readings += 1;
        return Reflect.apply(target, self, parameters);
      },
    });
    const index = inDatabaseSearch(counting);
    const starts = ["ba", "bar", "barg", "bay", "bas", "bak", "the", "a"].map((word) => text("starts", word));
    const { total } = await index.find(queryFor("", { anyOf: [...starts, ...starts, ...starts] }));
    expect(total).toBe(82);
    expect(readings).toBe(1);
  });

  it("find no more than the reader may see", async () => {
    const hidden = await plain.find(queryFor("", { conditions: [text("starts", "ba")], limit: 100 }));
    expect(hidden.hits.every(({ id }) => Number(id.slice(9, 13)) % 5 !== 1)).toBe(true);
    expect(hidden.hits.map(({ id }) => id)).not.toContain(idOf(6));
  });

  it("find and count nothing of a record that may have been hidden since it was indexed", async () => {
    const noted: FieldCondition[] = [unindexed("note", { op: "is", values: ["a secret"] })];
    const queries = [
      queryFor("", { conditions: noted }),
      queryFor("", { anyOf: noted }),
      { ...queryFor(""), facets: [{ field: "note", isFacet: false }] },
    ];
    const { id } = (await held.find(queryFor("", { conditions: [NOTED] }))).hits[0]!;
    const shown = async () => {
      const index = inDatabaseSearch(sql);
      const answers = await Promise.all(queries.map((query) => index.find(query)));
      return answers.map(({ total, facets }) => `${total} ${JSON.stringify(facets).includes("a secret")}`);
    };
    const before = await shown();
    await sql`update records set status = 'internal', metadata = '{"note": [{"value": "a secret"}]}' where id = ${id}`;
    await sql`insert into outbox (target, record_id) values ('search', ${id})`;
    const all = Number(before[2]!.split(" ")[0]);
    expect(before).toEqual(["0 false", "0 false", `${all} false`]);
    expect(await shown()).toEqual(["0 false", "0 false", `${all - 1} false`]);
    const staff = await held.find(queryFor("", { conditions: noted, scopes: [STAFF] }));
    expect(staff.total).toBe(1);
    await sql`delete from outbox`;
  });
});

describe("many records", () => {
  it("are read in slices, with others heard in between", async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => idOf(n));
    const heard: string[] = [];
    setTimeout(() => heard.push("somebody else"));
    const sizes = await inBatches(ids, async (slice) => {
      heard.push("slice");
      return [slice.split(",").length];
    });
    heard.push("end");
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1_000);
    expect(heard.indexOf("somebody else")).toBeLessThan(heard.lastIndexOf("slice"));
  });
});

describe("hits in another order than by relevance", async () => {
  const museum = await museumHere();
  beforeAll(async () => {
    const editor = await museum.as("editor");
    for (const title of ["Zinc tub", "A tub", "Mug for a tub"])
      await createObject(editor, title, { status: "public" });
  });

  it("have the score that they have by relevance", async () => {
    type Found = { items: { title: string; score: number }[] };
    const scores = async (query: string) => {
      const { items } = await read<Found>(museum.ask(`/v1/search?${query}`));
      return items.map(({ title, score }) => [title, score] as const);
    };
    const best = new Map(await scores("q=tub"));
    expect([...best.values()].every((score) => score > 0)).toBe(true);
    for (const by of ["title", "idno", "created_at", "updated_at"]) {
      const sorted = await scores(`q=tub&sort_by=${by}`);
      expect(new Map(sorted)).toEqual(best);
    }
    expect((await scores("q=tub&sort_by=title")).map(([title]) => title)).toEqual([
      "A tub",
      "Mug for a tub",
      "Zinc tub",
    ]);
    expect((await scores("sort_by=title")).map(([, score]) => score)).toEqual([0, 0, 0]);
  });
});
