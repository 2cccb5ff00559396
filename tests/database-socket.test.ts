import { execFile, spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../src/adapters/database/open.ts";
import { type EmbeddedDatabase, openEmbedded } from "../src/adapters/database/pglite.ts";
import { SYNC, simpleQuery, startupMessage } from "../src/adapters/database/wire.ts";
import { scratchDirectory } from "./support/databases.ts";
import { inLong } from "./support/lane.ts";
import { run } from "./support/processes.ts";
import { enter, errorOf, knockAt, rawMessage } from "./support/wire-client.ts";

let database: EmbeddedDatabase;
let sql: Sql;
let dataDir: string;
const warnings: string[] = [];

beforeAll(async () => {
  dataDir = await scratchDirectory();
  database = await openEmbedded({ dataDir, idleLimit: 1000, warn: (sentence) => warnings.push(sentence) });
  sql = database.sql;
  await sql`create table connections (who text)`;
});
beforeEach(async () => {
  await sql`truncate connections`;
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

const connections = async () => (await sql`select who from connections order by who`).map((row) => row.who);
const stillServes = async () => expect((await sql`select 1 as fine`)[0]).toEqual({ fine: 1 });

describe("the socket of a running service", () => {
  test("lets a command write and read beside the service", async () => {
    const client = await openDatabase({ dataDir, role: "client" });
    await Promise.all([
      ...Array.from({ length: 50 }, (_, i) => client.sql`insert into connections values (${`client ${i}`})`),
      ...Array.from({ length: 50 }, (_, i) => sql`insert into connections values (${`service ${i}`})`),
      ...Array.from({ length: 20 }, (_, i) =>
        client.sql.begin((tx) => tx`insert into connections values (${`client tx ${i}`})`),
      ),
    ]);
    expect((await client.sql`select count(*)::int as n from connections`)[0]).toEqual({ n: 120 });
    await client.close();
  });

  inLong(test)("drops the transaction of a command that is killed, and blocks nobody", async () => {
    const program = run("owner-program.ts", dataDir, "transaction");
    expect(await program.said(/^inside/)).toBe("inside socket");
    const waiting = connections();
    await program.kill("SIGKILL");
    expect(await waiting).toEqual([]);
  });

  test("skips a client that dies while it waits for its turn", async () => {
    const transaction = await enter(dataDir);
    transaction.send(simpleQuery("begin; insert into connections values ('first')"));
    await transaction.answers();
    const dying = await Promise.all([enter(dataDir), enter(dataDir)]);
    for (const client of dying) client.send(simpleQuery("insert into connections values ('dead')"));
    const waiting = connections();
    await setTimeout(100);
    for (const client of dying) client.socket.destroy();
    await setTimeout(100);
    transaction.send(simpleQuery("commit"));
    expect(await waiting).toEqual(["first"]);
    await stillServes();
    transaction.socket.destroy();
  });

  test("drops the transaction of a client that dies while its query runs", async () => {
    const dying = await enter(dataDir);
    dying.send(simpleQuery("begin"));
    await dying.answers();
    for (let i = 0; i < 50; i++) dying.send(simpleQuery("insert into connections values ('dead')"));
    dying.socket.destroySoon();
    await setTimeout(20);
    expect(await connections()).toEqual([]);
  });

  inLong(test)("sends a client away that leaves a transaction open and idle while others wait", async () => {
    const client = await enter(dataDir);
    client.send(simpleQuery("begin; insert into connections values ('idle')"));
    await client.answers();
    const begun = Date.now();
    expect(await connections()).toEqual([]);
    expect(Date.now() - begun).toBeGreaterThan(500);
    expect(errorOf(await client.answers())).toContain("left open and idle");
    expect(client.socket.destroyed).toBe(true);
  });

  inLong(test)("sends a client away that sends half a batch while others wait", async () => {
    const client = await enter(dataDir);
    client.send(rawMessage("P", "\0select 1\0\0\0"));
    await setTimeout(50);
    await stillServes();
    expect(errorOf(await client.answers())).toContain("left unfinished");
  });

  test("keeps a client's settings to that client, and drops them when it ends", async () => {
    const client = await enter(dataDir);
    client.send(simpleQuery("set search_path = ''; set timezone = 'Asia/Tokyo'; set work_mem = '1MB'"));
    await client.answers();
    await connections();
    expect((await sql`show timezone`)[0]).toEqual({ TimeZone: "UTC" });
    client.send(simpleQuery("show timezone"));
    expect(String((await client.answers())[1]?.body)).toContain("Asia/Tokyo");
    client.send(rawMessage("X"));
    await client.answers();
    await expect.poll(async () => (await sql`show work_mem`)[0]).toEqual({ work_mem: "64MB" });
  });

  test("serves many clients in turn, and refuses too many with a sentence", async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => enter(dataDir)));
    const refused = await knockAt(dataDir);
    expect(errorOf(await refused.answers())).toContain(
      "20 connections of other programs to the embedded database are open; end one and try again",
    );
    for (const client of clients) client.send(simpleQuery("insert into connections values ('x')"));
    await Promise.all(clients.map((client) => client.answers()));
    expect((await connections()).length).toBe(20);
    for (const client of clients) client.socket.destroy();
    await setTimeout(100);
    (await enter(dataDir)).socket.destroy();
  });
});

inLong(test)("a client that comes while the service stops gets a sentence about it", async () => {
  const directory = await scratchDirectory();
  const stopping = await openEmbedded({ dataDir: directory });
  const inside = await enter(directory);
  const closed = stopping.close();
  const late = await knockAt(directory);
  late.send(startupMessage({ user: "postgres", database: "postgres" }));
  for (const client of [inside, late]) {
    expect(errorOf(await client.answers())).toContain(
      "the service that has this database open is stopping; try again when it has ended or runs again",
    );
  }
  await closed;
  await rm(directory, { recursive: true });
});

describe("the socket with clients that do not speak its protocol", () => {
  test("declines encryption, ignores a cancel request, and offers newer clients its own version", async () => {
    const client = await knockAt(dataDir);
    const request = (code: number) => Buffer.from(Uint32Array.of(8, code).map(swap).buffer);
    client.send(request(80877103));
    await expect.poll(() => client.received().toString()).toBe("N");
    client.send(request(80877104));
    await expect.poll(() => client.received().toString()).toBe("NN");
    client.socket.destroy();

    const cancel = await knockAt(dataDir);
    cancel.send(Buffer.from(Uint32Array.of(16, 80877102, 1, 2).map(swap).buffer));
    expect(await cancel.answers()).toEqual([]);

    const newer = await knockAt(dataDir);
    const startup = startupMessage({ user: "postgres" });
    startup.writeUInt32BE((3 << 16) | 2, 4);
    newer.send(startup);
    const answers = await newer.answers();
    expect(answers[0]?.type).toBe("v");
    expect(answers.at(-1)?.type).toBe("Z");
    newer.socket.destroy();
  });

  test("ends a client that sends garbage, absurd lengths or unknown messages, and only that client", async () => {
    const bad: [Buffer, boolean][] = [
      [Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), false],
      [Buffer.from([0, 0, 0, 0, 0, 0, 0, 0]), false],
      [Buffer.from([0, 0, 0, 9, 0, 1, 0, 0, 0]), false],
      [rawMessage("~", "hello"), true],
      [rawMessage("p", "password\0"), true],
      [Buffer.from([81, 0, 0, 0, 1]), true],
      [Buffer.from([81, 255, 255, 255, 255]), true],
      [Buffer.from([83, 0, 1, 0, 0]), true],
      [Buffer.concat([simpleQuery("select 1"), Buffer.from([0, 0, 0, 0, 0, 0])]), true],
    ];
    for (const [bytes, inside] of bad) {
      const client = inside ? await enter(dataDir) : await knockAt(dataDir);
      client.send(bytes);
      let answers = await client.answers();
      if (answers.at(-1)?.type === "Z") answers = await client.answers();
      expect(errorOf(answers)).toMatch(/invalid|unsupported/);
      await expect.poll(() => client.socket.destroyed).toBe(true);
      await stillServes();
    }
  });

  inLong(test)("keeps the service and its transactions intact, whatever the messages contain", async () => {
    const anyMessage = fc.tuple(fc.constantFrom(..."QPBDECSHFdcf"), fc.uint8Array({ maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyMessage, { minLength: 1, maxLength: 8 }), async (messages) => {
        const client = await enter(dataDir);
        for (const [type, body] of messages) client.send(rawMessage(type, Buffer.from(body)));
        client.send(SYNC);
        await Promise.race([client.answers(), setTimeout(20)]);
        client.socket.destroy();
        await stillServes();
      }),
      { numRuns: 300 },
    );
    expect(warnings.filter((sentence) => sentence.includes("being restarted"))).toEqual([]);
  });

  test("takes a message in many pieces as one message", async () => {
    const client = await enter(dataDir);
    const bytes = Buffer.concat([simpleQuery("insert into connections values ('slow')"), rawMessage("X")]);
    for (const byte of bytes) {
      client.send(Buffer.from([byte]));
      await setTimeout(1);
    }
    await client.answers();
    expect(await connections()).toEqual(["slow"]);
  });

  inLong(test)("sends no more to a client that does not read its answers, and blocks nobody", async () => {
    const client = await enter(dataDir);
    client.socket.pause();
    const question = simpleQuery("select repeat('x', 4000000)");
    for (let i = 0; i < 200; i++) client.send(question); // 800 MB of answers
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 50; i++) {
      await stillServes();
      await setTimeout(10);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
    client.socket.destroy();
    await stillServes();
  });
});

describe.skipIf(spawnSync("psql", ["--version"]).status !== 0)("psql on the socket", () => {
  const psql = (...args: string[]) =>
    promisify(execFile)("psql", ["-X", "-h", dataDir, "-U", "postgres", "-At", ...args, "postgres"]);

  inLong(test)("reads, writes, and copies in and out", async () => {
    expect((await psql("-c", "select 40 + 2")).stdout).toBe("42\n");
    await psql("-c", "begin", "-c", "insert into connections values ('psql')", "-c", "commit");
    expect(await connections()).toEqual(["psql"]);
    await psql("-c", "\\copy connections from program 'echo copied'");
    expect((await psql("-c", "copy (select who from connections order by who) to stdout")).stdout).toBe(
      "copied\npsql\n",
    );
    await expect(psql("-c", "select nonsense")).rejects.toThrow("nonsense");
    await psql("-c", "\\copy connections to '/dev/null' (format binary)");
  });

  test("loads a binary copy as it was written", async () => {
    await psql("-c", "insert into connections select 'row ' || i from generate_series(1, 1000) i");
    await psql("-c", `\\copy connections to '${dataDir}/connections.bin' (format binary)`);
    await psql(
      "-c",
      "truncate connections",
      "-c",
      `\\copy connections from '${dataDir}/connections.bin' (format binary)`,
    );
    expect((await connections()).length).toBe(1000);
  });
});

function swap(value: number): number {
  return Buffer.from(Uint32Array.of(value).buffer).readUInt32BE(0);
}
