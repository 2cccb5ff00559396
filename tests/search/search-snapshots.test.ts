/** Snapshots of the index follow the database, and nobody waits long for them. */
import { describe, expect, it } from "vitest";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import { createSnapshots } from "../../src/adapters/search/snapshot/snapshots.ts";
import { readState } from "../../src/adapters/search/tables/table-sets.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { idOf, queryFor, record, VISITORS } from "../support/search/search-documents.ts";
import { withResolvers } from "../support/with-resolvers.ts";

describe.each(databases)("a copy of the index that follows, in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const sql = museum.services.sql;
  /** Reads a snapshot for each question. */
  const fromDatabase = inDatabaseSearch(sql, { inMemory: false });

  const titled = (from: number, to: number, title: string) =>
    Array.from({ length: to - from }, (_, n) => record(from + n, { title }));

  /** Who asks the database for this word, and not the memory, finds nothing. */
  const loseWords = async (n: number) => {
    const { current } = await readState(sql);
    await sql`update ${sql(`search_rows_${current}`)} set words = '{}' where id = ${idOf(n)}`;
  };

  it("counts all values of all fields, also of more fields than have a place of their own", async () => {
    const fields = Array.from({ length: 40 }, (_, n) => `field ${n}`);
    const facetsOf = (values: readonly string[]) =>
      Object.fromEntries(fields.map((field) => [field, values]));
    const held = inDatabaseSearch(sql);
    const query = queryFor("plover", { facets: fields });
    const agree = async (counts: readonly { value: string; count: number }[]) => {
      const expected = facetsOf([]) as Record<string, unknown>;
      for (const field of fields) expected[field] = counts;
      expect((await held.find(query)).facets).toEqual(expected);
      expect((await fromDatabase.find(query)).facets).toEqual(expected);
    };
    const plover = (n: number, values: readonly string[]) =>
      record(n, { title: "Plover", facets: facetsOf(values) });
    await fromDatabase.put([plover(8_001, ["grey"]), plover(8_002, ["grey", "ringed"])]);
    await agree([
      { value: "grey", count: 2 },
      { value: "ringed", count: 1 },
    ]);
    await fromDatabase.put([plover(8_001, ["golden", "ringed"])]);
    await agree([
      { value: "ringed", count: 2 },
      { value: "golden", count: 1 },
      { value: "grey", count: 1 },
    ]);
    await fromDatabase.remove([8_001, 8_002].map(idOf));
  });

  it("reads many columns for one question while it answers others", async () => {
    const snapshots = createSnapshots(sql, 60_000);
    const { stamp } = await readState(sql);
    const answered: string[] = [];
    const ask = (name: string, fields: number[]) =>
      snapshots.with(stamp, { fields }, () => answered.push(name));
    const twenty = Array.from({ length: 20 }, (_, n) => n + 1);
    await Promise.all([ask("twenty", twenty), ask("none", []), ask("two", [1, 2])]);
    expect(answered).toEqual(["none", "two", "twenty"]);
  });

  it("answers others while a column is read, which then has what changed meanwhile", async () => {
    const godwit = (n: number, shore: string) => record(n, { title: "Godwit", facets: { shore: [shore] } });
    await fromDatabase.put([godwit(9_001, "north"), godwit(9_002, "south")]);
    const [begin, release] = [withResolvers(), withResolvers()];
    const slow = new Proxy(sql, {
      apply(target, self, parameters) {
        const [{ raw }] = parameters as [{ raw?: readonly string[] }];
        const statement = Reflect.apply(target, self, parameters);
        if (!raw?.some((text) => text.includes("pg_relation_size"))) return statement;
        return statement.then(async (rows: unknown) => {
          begin.resolve();
          await release.promise;
          return rows;
        });
      },
    });
    const held = inDatabaseSearch(slow);
    const asked = held.find(queryFor("godwit", { facets: ["shore"] }));
    await begin.promise;
    expect((await held.find(queryFor("godwit"))).total).toBe(2);
    await fromDatabase.put([godwit(9_001, "east"), godwit(9_003, "north")]);
    await fromDatabase.remove([idOf(9_002)]);
    expect((await held.find(queryFor("godwit"))).total).toBe(2);
    await fromDatabase.put([godwit(9_004, "east")]);
    release.resolve();
    const counted = [
      { value: "east", count: 2 },
      { value: "north", count: 1 },
    ];
    expect((await asked).facets.shore).toEqual(counted);
    expect((await held.find(queryFor("godwit", { facets: ["shore"] }))).facets.shore).toEqual(counted);
    await fromDatabase.remove([9_001, 9_003, 9_004].map(idOf));
  });

  inLong(it)("reads a column of thousands of records in parts, each record once", async () => {
    const many = Array.from({ length: 8_000 }, (_, n) =>
      record(1_000 + n, {
        title: "Sanderling",
        facets: { shore: [n % 3 === 0 ? "north" : "south", "sand"] },
      }),
    );
    // their rows are rewritten, and so take twice the place
    await fromDatabase.put(titled(1_000, 9_000, "Sanderling"));
    await fromDatabase.put(many);
    const { current } = await readState(sql);
    const [{ pages }] = await sql<[{ pages: number }]>`
      select (pg_relation_size(${`search_rows_${current}`}::regclass) / 8192)::int as pages`;
    // else it is one part
    expect(pages).toBeGreaterThan(250);
    const { facets } = await inDatabaseSearch(sql).find(queryFor("sanderling", { facets: ["shore"] }));
    expect(facets.shore).toEqual([
      { value: "sand", count: 8_000 },
      { value: "south", count: 5_333 },
      { value: "north", count: 2_667 },
    ]);
    await fromDatabase.remove(many.map(({ id }) => id));
  });

  it("leaves out whatever waits for its projection, however much that is", async () => {
    const held = inDatabaseSearch(sql);
    await fromDatabase.put([...titled(6_001, 6_004, "Heron"), ...titled(6_004, 6_006, "Heron and egret")]);
    expect((await held.find(queryFor("heron"))).total).toBe(5);
    const waiting = [...Array.from({ length: 6_000 }, (_, n) => idOf(n)), idOf(6_004)];
    await sql`
      insert into outbox (target, record_id) select 'search', x from unnest(${waiting}::uuid[]) x`;
    const typed = { scopes: [VISITORS], words: ["her"], start: "her", titledTypes: ["object"], fields: [] };
    const { records } = await held.suggest({ ...typed, limit: 20 });
    expect(records.sort()).toEqual([6_001, 6_002, 6_003, 6_005].map(idOf));
    await loseWords(6_001);
    expect((await held.find(queryFor("heron"))).total).toBe(4);
    await sql`delete from outbox`;
    expect((await held.find(queryFor("heron"))).total).toBe(5);
  });

  /** The same database, except that statements that read the changes get no answer, as on a connection gone silent. */
  const silencing = (most: number) => {
    let silent = 0;
    const silenced = new Proxy(sql, {
      apply(target, self, parameters) {
        const [first] = parameters as [{ raw?: readonly string[] }];
        if (!first.raw?.join("?").includes("from search_log") || silent === most)
          return Reflect.apply(target, self, parameters);
        silent += 1;
        return new Promise(() => undefined);
      },
    });
    return { silenced, many: () => silent };
  };

  it("is begun again if the database does not answer it any more, and nobody waits long", async () => {
    await fromDatabase.put(titled(7_001, 7_003, "Osprey"));
    const { silenced, many } = silencing(2);
    const held = inDatabaseSearch(silenced, { patience: 300 });
    const answers = await Promise.all(
      ["osprey", "ospr*", "osprey kestrel"].map((q) => held.find(queryFor(q))),
    );
    expect(answers.map(({ total }) => total)).toEqual([2, 2, 0]);
    expect(many()).toBe(2);
    await fromDatabase.put(titled(7_003, 7_004, "Osprey"));
    expect((await held.find(queryFor("osprey"))).total).toBe(3);
  });

  it("says so if the database never answers", async () => {
    const held = inDatabaseSearch(silencing(Number.POSITIVE_INFINITY).silenced, { patience: 100 });
    await expect(held.find(queryFor("osprey"))).rejects.toThrow("The database does not answer the search");
  });
});
