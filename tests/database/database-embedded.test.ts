import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { copyFromStdin } from "../../src/adapters/database/pglite/copy-statement.ts";
import { startEngine } from "../../src/adapters/database/pglite/engine.ts";
import { type EmbeddedDatabase, openEmbedded } from "../../src/adapters/database/pglite/pglite.ts";
import { pgliteSocket } from "../../src/adapters/database/pglite/pglite-socket.ts";
import { shareSession } from "../../src/adapters/database/pglite/shared-session.ts";
import type { SocketOptions } from "../../src/adapters/database/server/driver-settings.ts";
import { EMBEDDED_CLIENT } from "../../src/adapters/database/types.ts";
import { inLong } from "../support/lane/lane.ts";
import { scratchDirectory } from "../support/servers/databases.ts";

let database: EmbeddedDatabase;
let sql: Sql;
let dataDir: string;
const warnings: string[] = [];

beforeAll(async () => {
  dataDir = await scratchDirectory();
  database = await openEmbedded({ dataDir, idleLimit: 300, warn: (sentence) => warnings.push(sentence) });
  sql = database.sql;
  await sql`create table things (id int primary key)`;
});
afterAll(async () => {
  await database.close();
  fs.rmSync(dataDir, { recursive: true });
});

test("a transaction goes on after the machine slept, though others wait", async () => {
  const now = Date.now;
  const result = await sql.begin(async (tx) => {
    await tx`select 1`;
    const waiting = sql`select 1`.execute();
    await setTimeout(200);
    await tx`select 1`;
    vi.spyOn(Date, "now").mockImplementation(() => now() + 86_400_000);
    await setTimeout(200);
    return { rows: await tx`select 42 as n`, waiting };
  });
  vi.restoreAllMocks();
  expect(result.rows).toEqual([{ n: 42 }]);
  await result.waiting;
});

describe("the embedded database and the disk", () => {
  const real = { fdatasyncSync: fs.fdatasyncSync, fsyncSync: fs.fsyncSync };
  const replace = (functions: Partial<typeof real>) => {
    Object.assign(fs, functions);
    syncBuiltinESMExports();
  };
  afterEach(() => replace(real));

  test("puts each commit on the disk before acknowledging it, and writes nothing when only reading", async () => {
    for (let id = 100; id < 110; id++) {
      const before = database.syncs();
      await sql`insert into things values (${id})`;
      expect(database.syncs() - before).toBeGreaterThanOrEqual(1);
    }
    const before = database.syncs();
    await sql`select count(*) from things`;
    expect(database.syncs()).toBe(before);
  });

  test("puts new files on the disk together with their directories", async () => {
    const synced: string[] = [];
    replace({
      fsyncSync(fd) {
        synced.push(fs.readlinkSync(`/proc/self/fd/${fd}`).split("/").slice(-1).join("/"));
        real.fsyncSync(fd);
      },
    });
    for (let i = 0; i < 3; i++) await sql`select pg_switch_wal(), txid_current()`;
    await sql`checkpoint`;
    expect(synced).toContain("pg_wal");
  });

  inLong(test)("restarts when the disk fails, tells the affected callers, and goes on", async () => {
    let failures = 1;
    replace({
      fdatasyncSync(fd) {
        if (failures-- > 0) throw Object.assign(new Error("input/output error"), { code: "EIO" });
        real.fdatasyncSync(fd);
      },
    });
    const inserts = [1, 2, 3].map((id) => sql`insert into things values (${id})`);
    const answers = await Promise.allSettled(inserts);
    const refused = answers.filter((answer) => answer.status === "rejected");
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(String(refused[0]?.reason)).toMatch(/stopped and is being restarted: .*(fsync|fdatasync|sync)/);
    expect(warnings.some((sentence) => sentence.includes("being restarted"))).toBe(true);
    await sql`insert into things values (4)`;
    for (let i = 0; i < 20; i++)
      expect((await sql`select 1 as fine where ${i} = ${i}`)[0]).toEqual({ fine: 1 });
  });

  test("gives each caller its own rows after a restart, in which all prepared statements are lost", async () => {
    const ask = (n: number) =>
      sql.unsafe(`select $1::int as n, 'of ${n % 7}' as which`, [n], { prepare: true });
    const askAll = () => Promise.allSettled(Array.from({ length: 40 }, (_, n) => ask(n)));
    await askAll();
    let failures = 1;
    replace({
      fdatasyncSync(fd) {
        if (failures-- > 0) throw Object.assign(new Error("input/output error"), { code: "EIO" });
        real.fdatasyncSync(fd);
      },
    });
    await expect(sql`insert into things values (5)`).rejects.toThrow(/being restarted/);
    for (const answers of [await askAll(), await askAll()])
      expect(
        answers.map((answer) => (answer.status === "fulfilled" ? [...answer.value] : answer.reason)),
      ).toEqual(answers.map((_, n) => [{ n, which: `of ${n % 7}` }]));
  });

  inLong(test)(
    "does not let the rest of a transaction through when the disk fails in its middle",
    async () => {
      let failures = 0;
      replace({
        fdatasyncSync(fd) {
          if (failures-- > 0) throw Object.assign(new Error("input/output error"), { code: "EIO" });
          real.fdatasyncSync(fd);
        },
      });
      await expect(
        sql.begin(async (tx) => {
          await tx`insert into things values (20)`;
          failures = 1;
          await tx`select pg_switch_wal()`.catch(() => {}); // careless code ignores errors
          await tx`checkpoint`.catch(() => {});
          await tx`insert into things values (21)`;
        }),
      ).rejects.toThrow();
      await expect(
        sql.begin(async (tx) => {
          await tx`insert into things values (22)`;
          failures = 1;
        }),
      ).rejects.toThrow(/being restarted/);
      const [row] = await sql`select count(*)::int as n from things where id in (20, 21)`;
      expect(row?.n).toBe(0);
      // the pool has lost no connection
      await Promise.all(Array.from({ length: 8 }, () => sql.begin((tx) => tx`select 1`)));
    },
  );
});

test("the embedded database has the extensions that search needs", async () => {
  await sql`create extension pg_trgm`;
  await sql`create extension unaccent`;
  const [row] = await sql`
    select 'rembrant' % 'rembrandt' as near, unaccent('Dürer') as plain,
      current_setting('jit') as jit, current_setting('work_mem') as memory`;
  expect(row).toEqual({ near: true, plain: "Durer", jit: "off", memory: "64MB" });
});

describe("the one session behind all connections", () => {
  test("rolls back a transaction that is idle while others wait", async () => {
    const before = warnings.length;
    const forgotten = sql.begin(async (tx) => {
      await tx`insert into things values (30)`;
      await sql`select 1`; // outside its transaction: without the limit, it would wait for ever
      await tx`insert into things values (31)`;
    });
    await expect(forgotten).rejects.toMatchObject({ code: "25P02" });
    expect(warnings.slice(before)).toEqual([
      "A transaction was left open and idle while others waited for the database; it was rolled back",
    ]);
    expect((await sql`select count(*)::int as n from things where id in (30, 31)`)[0]).toEqual({ n: 0 });
    await Promise.all(Array.from({ length: 8 }, () => sql.begin((tx) => tx`select 1`)));
  });

  inLong(test)("leaves an idle transaction alone while nobody waits", async () => {
    await sql.begin(async (tx) => {
      await tx`insert into things values (40)`;
      await setTimeout(700);
      await tx`insert into things values (41)`;
    });
    expect((await sql`select count(*)::int as n from things where id in (40, 41)`)[0]).toEqual({ n: 2 });
  });

  inLong(test)("ends a cursor that is not read further while others wait", async () => {
    const walk = (async () => {
      for await (const _ of sql`select generate_series(1, 10)`.cursor()) await setTimeout(1000);
    })();
    const ended = expect(walk).rejects.toThrow(/portal .* does not exist/);
    await setTimeout(50);
    expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });
    await ended;
  });

  test("forgets the prepared statements of a connection that has ended", async () => {
    const engine = await startEngine(join(await scratchDirectory(), "database"));
    const session = shareSession(engine.exec, engine.greeting);
    const open = (): Sql => {
      const options: SocketOptions = { ...EMBEDDED_CLIENT, socket: pgliteSocket(session) };
      return postgres(options);
    };
    const [staying, ending] = [open(), open()];
    const count = async () => Number((await staying`select count(*) as n from pg_prepared_statements`)[0]?.n);
    await count();
    const before = await count();
    for (let i = 0; i < 10; i++) await ending.unsafe(`select ${i} + $1::int as sum`, [1], { prepare: true });
    expect(await count()).toBeGreaterThanOrEqual(before + 10);
    await ending.end();
    await expect.poll(count).toBeLessThanOrEqual(before);
    await staying.end();
    await engine.close();
  });
});

describe("COPY FROM STDIN, which would block PGlite,", () => {
  test("is refused with a sentence unless it is sent as a stream, and harms no other query", async () => {
    await expect(sql`copy things from stdin`).rejects.toThrow("needs the simple protocol");
    await expect(sql.unsafe("select 1; copy things from stdin")).rejects.toThrow("must stand alone");
    expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });
    await expect(
      sql.begin(async (tx) => {
        await tx`copy things from stdin`.catch(() => {});
        await tx`select 1`;
      }),
    ).rejects.toThrow();
  });

  test.each([
    ["copy t from stdin", "alone"],
    [" -- why\n/* not */ COPY t (a, b) FROM  STDIN with (format csv);", "alone"],
    ["select 1; copy t from stdin", "mixed"],
    ["copy t from stdin; select 1", "mixed"],
    ["copy \"from\" from stdin with (null ';')", "alone"],
    ["copy (select ' from stdin') to stdout", "no"],
    ["select 'copy t from stdin'", "no"],
    ["select E'it\\'s; copy t from stdin'", "no"],
    ["do $x$ begin perform 'copy t from stdin'; end $x$", "no"],
    ["create table copy (stdin int)", "no"],
    ["select copy from stdin", "no"],
  ])("is distinguished from what only looks like it: %s", (statement, kind) => {
    expect(copyFromStdin(statement)).toBe(kind);
  });
});
