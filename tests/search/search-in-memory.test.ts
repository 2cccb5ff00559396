/** The snapshot that a process keeps answers as one that was just read, and as the documents say, whatever changes meanwhile. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { resetCatalogue } from "../../src/adapters/database/dump/reset.ts";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import { bitsFor, hasBit } from "../../src/adapters/search/snapshot/bitset.ts";
import { LIMITS } from "../../src/adapters/search/snapshot/search-context.ts";
import { type ChangedRow, type SetName, Snapshot } from "../../src/adapters/search/snapshot/snapshot.ts";
import type { SearchAnswer, SearchDocument, SearchIndex, SearchQuery } from "../../src/ports/search-index.ts";
import { housekeep } from "../../workers/housekeeping.ts";
import { inLong } from "../support/lane/lane.ts";
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
import { asCorrected, Oracle } from "../support/search/search-oracle.ts";

const WORDS = ["boat", "harbour", "lamp", "net", "rope", "sail"];
const MATERIALS = ["iron", "oak", "wool", "brass"];
const SPECIAL = [
  "-net",
  "sa*",
  "-lamp",
  "h*",
  "nothing",
  "harbor",
  "saill",
  '"boat lamp"',
  '-"sail net"',
  '"rope sa*"',
];
const FACETS = ["material", "technique"];

const ANY = [
  condition("material", { op: "is", values: ["oak"] }),
  condition("height", { op: "between", from: 6, to: 7 }),
];

/** The same numbers each time. */
function chance(seed: number) {
  let state = seed;
  const below = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const some = <T>(list: readonly T[], most: number) =>
    Array.from({ length: below(most + 1) }, () => list[below(list.length)]!);
  return { below, one: <T>(list: readonly T[]) => list[below(list.length)]!, some };
}

type Chance = ReturnType<typeof chance>;

function anyRecord({ one, some }: Chance, n: number): SearchDocument {
  const recordType = one(["object", "object", "entity", "place"]);
  return record(n, {
    recordType,
    status: one(["public", "public", "internal", "draft"]),
    collectionStatus: recordType === "object" ? one(["active", "active", "deaccessioned"]) : null,
    title: some(WORDS, 3).join(" "),
    publicText: some(WORDS, 2).map((text) => ({ weight: "C", text })),
    staffText: some(WORDS, 1).map((text) => ({ weight: "D", text })),
    linkedText: some(WORDS, 1).map((text) => ({ weight: "B", text })),
    facets: { material: [...new Set(some(MATERIALS, 3))], technique: some(["cast", "woven"], 1) },
    ranges: { height: some([1, 5, 9], 1).map((from) => ({ from, to: from + 3 })) },
  });
}

function anyQuery({ below, one, some }: Chance): SearchQuery {
  const text = [...some(WORDS, 2), ...some(SPECIAL, 1)].join(" ");
  const conditions = [
    ...some(MATERIALS, 1).map((value) =>
      condition("material", { op: "is", values: [value, ...some(MATERIALS, 1)] }),
    ),
    ...some([2, 6], below(2)).map((from) => condition("height", { op: "between", from, to: from + 1 })),
  ];
  const scopes = one([
    [VISITORS],
    [STAFF],
    [{ ...STAFF, collectionStatuses: ["deaccessioned"] }],
    [SOME_STAFF, { ...VISITORS, recordTypes: ["entity", "place"] }],
  ]);
  return queryFor(text, {
    scopes,
    conditions,
    anyOf: below(4) === 0 ? ANY : [],
    facets: [...new Set(some(FACETS, 2))],
    offset: below(3) * 4,
    limit: 4,
  });
}

describe.each(databases)("the index that a process holds, in the %s database", async (database) => {
  /** Reads a snapshot for each question. */
  let plain: SearchIndex;
  /** Two processes. */
  let inMemory: SearchIndex;
  let other: SearchIndex;
  const limits = { ...LIMITS, mostRanked: 3 };
  const oracle = new Oracle();

  const museum = await museumHere({ database });
  beforeAll(async () => {
    const { sql } = museum.services;
    plain = oracle.noting(inDatabaseSearch(sql, { limits, inMemory: false }));
    inMemory = oracle.noting(inDatabaseSearch(sql, { limits }));
    other = oracle.noting(inDatabaseSearch(sql, { limits, isServer: true }));
  });

  /** These wait for their projection. */
  const wait = async (ids: readonly string[]) => {
    const { sql } = museum.services;
    oracle.waiting = new Set(ids);
    await sql`delete from outbox`;
    await sql`
      insert into outbox (target, record_id) select distinct 'search', x from unnest(${ids as string[]}::uuid[]) x`;
  };

  const agree = async (query: SearchQuery) => {
    const expected = await plain.find(query);
    expect(await inMemory.find(query), JSON.stringify(query)).toEqual(expected);
    expect(await other.find(query), JSON.stringify(query)).toEqual(expected);
    if (!expected.isLeast) isRight(query, expected);
    return expected;
  };

  /** As the documents say. The database alone ranks a few hits by their words. */
  const isRight = (query: SearchQuery, answer: SearchAnswer) => {
    const why = JSON.stringify(query);
    if (answer.total === 0 || answer.corrections.length > 0) expect(oracle.find(query), why).toEqual([]);
    const answered = asCorrected(query, answer);
    const hits = oracle.find(answered);
    expect(answer.total, why).toBe(hits.length);
    expect(answer.facets, why).toEqual(oracle.facets(answered, hits));
    const page = hits.slice(query.offset, query.offset + query.limit).map(({ id }) => id);
    const isByGrade = hits.length > limits.mostRanked || query.terms.every(({ negated }) => negated);
    if (query.sort.by !== "relevance") expect(answer.hits.length, why).toBe(page.length);
    else if (isByGrade)
      expect(
        answer.hits.map(({ id }) => id),
        why,
      ).toEqual(page);
    else if (query.offset === 0) expect(answer.hits.map(({ id }) => id).sort(), why).toEqual(page.sort());
  };

  const agreeOnSuggestions = async (words: readonly string[], scopes: SearchQuery["scopes"]) => {
    const query = { scopes, words, start: words.join(" "), fields: FACETS, limit: 60 };
    const suggest = async (index: SearchIndex) => {
      const { records, terms } = await index.suggest({ ...query, titledTypes: ["object", "entity"] });
      return { records: [...records].sort(), terms };
    };
    const expected = await suggest(plain);
    expect(await suggest(inMemory), `${words} ${JSON.stringify(scopes)}`).toEqual(expected);
    expect(await suggest(other), `${words} ${JSON.stringify(scopes)}`).toEqual(expected);
    expect(expected.terms, `${words} ${JSON.stringify(scopes)}`).toEqual(
      oracle.suggest({ ...query, titledTypes: [] }),
    );
    return expected.records.length;
  };

  /** Somebody waits for what is locked. */
  const somebodyWaits = () =>
    vi.waitFor(async () => {
      const { sql } = museum.services;
      expect(
        (
          await sql`
        select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`
        ).length,
      ).toBeGreaterThan(0);
    });

  inLong(it.each([1, 2]))(
    "answers as the documents say while records come, change and go (%i)",
    async (seed) => {
      const dice = chance(seed);
      let found = 0;
      let suggested = 0;
      let corrected = 0;
      for (let round = 0; round < 30; round++) {
        const writer = dice.one([inMemory, other, plain]);
        // numbers of all sizes: a record that comes later may be older
        const some = Array.from({ length: dice.below(8) }, () => dice.below(60));
        await writer.put([...new Set(some)].map((n) => anyRecord(dice, n)));
        await writer.remove(dice.some(some.length > 0 ? some : [0], 2).map(idOf));
        await wait(
          dice.some(
            Array.from({ length: 60 }, (_, n) => idOf(n)),
            3,
          ),
        );
        for (let question = 0; question < 6; question++) {
          const { total, corrections } = await agree(anyQuery(dice));
          found += total;
          corrected += corrections.length;
        }
        const typed = [...dice.some(WORDS, 1), dice.one(["boa", "har", "sai", "lamp"])];
        suggested += await agreeOnSuggestions(typed, dice.one([[VISITORS], [STAFF], [SOME_STAFF]]));
        await agreeOnSuggestions(
          [dice.one(["o", "wo", "iron", "cast", "b"])],
          dice.one([[VISITORS], [STAFF]]),
        );
      }
      await wait([]);
      expect(found).toBeGreaterThan(100);
      expect(suggested).toBeGreaterThan(20);
      expect(corrected).toBeGreaterThan(5);
    },
  );

  it("remembers which records have a word, follows what changes, and does not ask the database again", async () => {
    const { sql } = museum.services;
    const titled = (n: number, title: string) => record(n, { title });
    await plain.put([titled(70, "Anchor"), titled(71, "Anchor and oar"), titled(72, "Oar")]);
    const find = async (text: string) => (await inMemory.find(queryFor(text))).total;
    expect([await find("anchor"), await find("oar")]).toEqual([2, 2]);
    await plain.put([titled(72, "Anchor"), titled(70, "Tiller")]);
    expect(await find("tiller")).toBe(1);
    const kept = await sql`select id, words from search_rows_a`;
    await sql`update search_rows_a set words = '{}'`;
    expect([await find("anchor"), await find("anchor -oar"), await find("oar")]).toEqual([2, 1, 1]);
    for (const { id, words } of kept) await sql`update search_rows_a set words = ${words} where id = ${id}`;
    await plain.remove([70, 71, 72].map(idOf));
    for (const word of ["anchor", "oar", "tiller"]) expect((await agree(queryFor(word))).total).toBe(0);
  });

  inLong(it)("answers so while several ask and write at once", async () => {
    const dice = chance(4);
    const writing = async () => {
      for (let n = 0; n < 40; n++) await other.put([anyRecord(dice, n)]);
    };
    const asking = async () => {
      for (let n = 0; n < 40; n++) await inMemory.find(anyQuery(dice));
    };
    await Promise.all([writing(), asking(), asking(), asking()]);
    for (let question = 0; question < 20; question++) await agree(anyQuery(dice));
  });

  inLong(it)("answers so with another generation of the index, twice, counted as exactly", async () => {
    const dice = chance(5);
    const some = (from: number) => Array.from({ length: 30 }, (_, n) => anyRecord(dice, n + from));
    for (let time = 0; time < 2; time++) {
      const { generations: built } = other;
      const next = new Oracle();
      const generations = { ...built, ...next.noting({ ...other, put: built.put, remove: built.remove }) };
      await built.begin();
      await generations.put(some(100));
      await generations.remove([idOf(103), idOf(104)]);
      await agree(anyQuery(dice));
      if (time === 0) {
        await built.settle();
        await generations.put(some(120));
        await generations.remove([idOf(105), idOf(125)]);
      }
      await built.swap();
      oracle.documents = next.documents;
      for (let question = 0; question < 20; question++) await agree(anyQuery(dice));
      await inMemory.put([anyRecord(dice, 7)]);
      for (let question = 0; question < 5; question++) await agree(anyQuery(dice));
    }
  });

  it("answers so after what it had not followed yet was thrown away", async () => {
    const dice = chance(6);
    const { sql } = museum.services;
    const query = queryFor("boat", { scopes: [STAFF], facets: FACETS });
    await agree(query);
    await plain.put(Array.from({ length: 10 }, (_, n) => record(n + 200, { title: "Boat" })));
    await sql`update search_log set at = now() - interval '2 hours'`;
    await housekeep(museum.services);
    expect(await sql`select 1 from search_log`).toEqual([]);
    expect((await agree(query)).total).toBeGreaterThanOrEqual(10);
    await plain.put([anyRecord(dice, 3)]);
    await agree(query);
  });

  // what is waited for needs a session of its own
  const withSessions = database === "external" ? it : () => undefined;

  withSessions("finds nothing by a word that is taken back meanwhile", async () => {
    const { sql } = museum.services;
    await inMemory.put([record(1, { title: "Anchor" })]);
    expect((await agree(queryFor("anchor"))).total).toBe(1);
    await wait([idOf(1)]);
    const asked = await sql.begin(async (tx) => {
      await tx`lock table search_fields in access exclusive mode`;
      // a field that nobody knows is looked up, and waited for
      const answer = inMemory.find(queryFor("anchor", { facets: ["unknown"] }));
      await somebodyWaits();
      await other.put([record(1, { staffText: [{ weight: "D", text: "Anchor" }] })]);
      await wait([]);
      return () => answer;
    });
    expect((await asked()).total).toBe(0);
  });

  withSessions("answers so after what began early and ended late was thrown away", async () => {
    const { sql } = museum.services;
    await plain.put([record(2, { recordType: "place", facets: { material: ["oak"] } })]);
    const late = await sql.begin(async (tx) => {
      await tx`select from search_rows_a where id = ${idOf(2)} for update`;
      await tx`select from search_rows_b where id = ${idOf(2)} for update`;
      const put = plain.put([record(2, { recordType: "place", title: "Mole" })]);
      await somebodyWaits();
      await plain.put([record(3, { title: "Mole" })]);
      expect((await agree(queryFor("mole"))).total).toBe(1);
      return () => put;
    });
    await late();
    await sql`update search_log set at = now() - interval '2 hours'`;
    await housekeep(museum.services);
    expect((await agree(queryFor("mole"))).total).toBe(2);
  });

  it("orders by words of titles alike, whoever asked before", async () => {
    const word = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26));
    const titled = (n: number) => record(n + 300, { title: `Xy${word(n)}long` });
    const noted = (n: number) => record(n + 400, { staffText: [{ weight: "D", text: `xy${word(n)}` }] });
    const all = Array.from({ length: 90 }, (_, n) => [
      titled(n),
      ...(n < 60 ? [noted(n)] : []),
      record(n + 500, { publicText: [{ weight: "D", text: `xy${word(n)}long` }] }),
    ]);
    await plain.put(all.flat());
    for (const offset of [0, 4])
      for (const scope of [VISITORS, STAFF])
        await agree(queryFor("xy*", { scopes: [scope], offset, limit: 90 }));
  });

  it("leaves out whatever begins so, however many words do", async () => {
    const word = (n: number) => `qu${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}`;
    const some = Array.from({ length: 150 }, (_, n) => record(n + 700, { title: `Kelp ${word(n)}`.trim() }));
    await plain.put([...some, record(699, { title: "Kelp alone" })]);
    for (const scopes of [[VISITORS], [STAFF], [SOME_STAFF, { ...VISITORS, recordTypes: ["place"] }]]) {
      const { total, isLeast, hits } = await agree(queryFor("kelp -q*", { scopes }));
      expect([total, isLeast, hits.map(({ id }) => id)]).toEqual([1, false, [idOf(699)]]);
      expect((await agree(queryFor("kelp q*", { scopes }))).isLeast).toBe(true);
    }
  });

  it("finds nothing after the catalogue was emptied", async () => {
    const query = queryFor("boat", { scopes: [STAFF], facets: FACETS });
    expect((await agree(query)).total).toBeGreaterThan(0);
    await resetCatalogue(museum.services.sql, { all: false });
    oracle.documents.clear();
    expect((await agree(query)).total).toBe(0);
    await inMemory.put([record(1, { title: "Boat" })]);
    expect((await agree(query)).total).toBe(1);
  });

  inLong(it)("follows thousands of changes, and more records than it had room for", async () => {
    const query = queryFor("buoy", { scopes: [STAFF], facets: ["material"] });
    expect((await agree(query)).total).toBe(0);
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) =>
        record(from + n, { title: "Buoy", facets: { material: ["cork"] } }),
      );
    await plain.put(many(1_000, 2_500));
    expect((await agree(query)).total).toBe(1_500);
    await plain.put(many(2_500, 9_000));
    expect((await agree(query)).total).toBe(8_000);
    // values are counted in few, in most and in all records, also after more changes than a column keeps apart
    const made = (from: number, materials: (n: number) => string[]) =>
      Array.from({ length: 3_000 }, (_, n) =>
        record(from + n, { title: "Buoy", facets: { material: materials(n) } }),
      );
    for (const changed of [
      made(1_000, () => ["oak", "cork"]),
      made(4_000, (n) => (n % 50 === 0 ? [] : ["oak", "iron"])),
    ]) {
      await plain.put(changed);
      for (const value of ["oak", "cork", "iron"])
        await agree({ ...query, conditions: [condition("material", { op: "is", values: [value] })] });
      expect((await agree(query)).total).toBe(8_000);
    }
  });
});

describe("what is held of the words", () => {
  const words = (from: number, many: number): SetName => ({
    of: "words",
    numbers: Array.from({ length: many }, (_, n) => from + n),
  });
  const changed = (no: number): ChangedRow => ({
    id: idOf(no),
    no,
    record_type: "o",
    status: "p",
    collection_status: "a",
    terms: [],
    words: [no],
  });

  it("is forgotten, the oldest first, rather than followed for seconds", () => {
    const copy = new Snapshot(new Uint8Array());
    for (let n = 1; n <= 200; n++) copy.addSet(words(n, 1), bitsFor(copy.room));
    copy.change(Array.from({ length: 1_000 }, (_, at) => changed(at + 1)));
    expect(Array.from({ length: 200 }, (_, at) => copy.hasSet(words(at + 1, 1)))).toEqual(
      Array.from({ length: 200 }, (_, at) => at >= 150),
    );
    expect(hasBit(copy.set(words(200, 1)), 200)).toBe(true);
    expect(hasBit(copy.set(words(200, 1)), 199)).toBe(false);
  });

  it("is measured with the numbers of its words", () => {
    const copy = new Snapshot(new Uint8Array());
    for (let n = 0; n < 2_000; n++) copy.addSet(words(n, 1_000), bitsFor(copy.room));
    copy.forgetOld();
    expect(copy.hasSet(words(0, 1_000))).toBe(false);
    expect(copy.hasSet(words(1_999, 1_000))).toBe(true);
  });
});
