import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { openPostgres, poolOf } from "../../../src/adapters/database/server/postgres.ts";
import { renewedPool } from "../../../src/adapters/database/server/renewed-pool.ts";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { type Started, started } from "../../runtimes/started.ts";
import { copyExternal } from "../../support/museum/museum.ts";
import { type Cable, layCable } from "../../support/servers/cable.ts";
import { onServer } from "../../support/servers/server.ts";

const MAIN = fileURLToPath(new URL("../../../cli/svc-manage.mjs", import.meta.url));
const PASSWORD = "a list as long as the pier";

describe.runIf(inject("external"))("a service whose database server goes away", () => {
  let directory: string;
  let database: { url: string; drop(): Promise<void> };
  let cable: Cable;
  let service: Started;
  let token: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-outage-"));
    database = await copyExternal();
    cable = await layCable(database.url);
    const settings = {
      SVC_DATA_DIR: directory,
      DATABASE_URL: cable.url,
      DEFAULT_ADMIN_EMAIL: "admin@example.org",
      DEFAULT_ADMIN_PASSWORD: PASSWORD,
    };
    service = await started([process.execPath, MAIN, "serve"], settings, runtimeName());
    const json = { email: "admin@example.org", password: PASSWORD };
    token = (await service.ask("/v1/auth/login", { json })).json.access_token;
  });
  afterEach(async () => {
    await service.kill("SIGKILL");
    await cable.close();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Catalogers and visitors who work until they are stopped, with the answers that they get. */
  function traffic() {
    let open = true;
    const kept: string[] = [];
    const statuses = new Map<number, number>();
    let longest = 0;
    let sinceMend = 0;
    const one = async (n: number) => {
      while (open) {
        const begun = performance.now();
        const answer =
          n % 2 === 0
            ? await service.ask("/v1/objects", {
                token,
                json: { object_type: "print", metadata_: { title: [{ value: `Print ${n}` }] } },
              })
            : await service.ask(n % 4 === 1 ? "/v1/objects" : "/v1/search?q=print", { token });
        longest = Math.max(longest, performance.now() - begun);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 201) kept.push(answer.json.id);
        if (answer.status < 300) sinceMend += 1;
        if (answer.status === 503) await setTimeout(50);
      }
    };
    const all = Array.from({ length: 8 }, (_, n) => one(n));
    return {
      statuses,
      kept,
      longest: () => longest,
      forget() {
        sinceMend = 0;
      },
      succeeded: () => sinceMend,
      async stop() {
        open = false;
        await Promise.all(all);
      },
    };
  }

  const health = async () => (await service.ask("/health")).json;
  const isThere = async (ids: readonly string[]) => {
    const sql = await openPostgres(database.url, { max: 1 });
    try {
      const [row] = await sql`select count(*)::int as n from records where id = any(${ids as string[]})`;
      return row!.n as number;
    } finally {
      await sql.end();
    }
  };

  test("answers 503 and reports it in its health, then continues, with everything that it had confirmed", async () => {
    const work = traffic();
    await expect.poll(() => work.succeeded()).toBeGreaterThan(20);
    for (let outage = 0; outage < 2; outage++) {
      cable.cut();
      await expect.poll(async () => (await health()).checks.database, { timeout: 10_000 }).not.toBe("ok");
      const { status, headers, json } = await service.ask("/v1/objects", { token });
      expect({ status, retry: headers.get("Retry-After") }).toEqual({ status: 503, retry: "5" });
      expect(json.detail).toBe("The database cannot be reached at the moment");
      cable.mend();
      work.forget();
      await expect.poll(() => work.succeeded()).toBeGreaterThan(20);
    }
    await work.stop();
    await expect.poll(async () => (await health()).status, { timeout: 15_000 }).toBe("ok");
    expect([...work.statuses.keys()].sort()).toEqual([200, 201, 503]);
    expect(work.longest()).toBeLessThan(10_000);
    expect(await isThere(work.kept)).toBe(work.kept.length);
    expect((await service.stop()).code).toBe(0);
  });

  test("also answers 503 while the server refuses connections to the database, as during a restore", async () => {
    const name = new URL(database.url).pathname.slice(1);
    const letIn = (yes: boolean) =>
      onServer((sql) => sql.unsafe(`alter database "${name}" allow_connections ${yes}`));
    await letIn(false);
    await onServer(
      (sql) => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and application_name = 'svc'`,
    );
    await expect.poll(async () => (await health()).checks.database, { timeout: 10_000 }).not.toBe("ok");
    const { status, json } = await service.ask("/v1/objects", { token });
    expect({ status, detail: json.detail }).toEqual({
      status: 503,
      detail: "The database cannot be reached at the moment",
    });
    await letIn(true);
    await expect.poll(async () => (await health()).status, { timeout: 15_000 }).toBe("ok");
  });

  test("survives when the server ends all connections, as it does at a restart", async () => {
    const work = traffic();
    const { pathname } = new URL(database.url);
    for (let round = 0; round < 5; round++) {
      work.forget();
      await expect.poll(() => work.succeeded()).toBeGreaterThan(20);
      await onServer(
        (sql) => sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = ${pathname.slice(1)} and application_name = 'svc'`,
      );
    }
    work.forget();
    await expect.poll(() => work.succeeded()).toBeGreaterThan(20);
    await work.stop();
    expect(work.statuses.get(500)).toBeUndefined();
    expect(await isThere(work.kept)).toBe(work.kept.length);
    expect(service.child.exitCode).toBeNull();
  });

  test("is not stuck on connections that have gone silent", async () => {
    const work = traffic();
    await expect.poll(() => work.succeeded()).toBeGreaterThan(20);
    cable.silence();
    await setTimeout(1_000);
    work.forget();
    // the old connections stay silent, while new ones work
    cable.mend();
    await service.said(/some connections to the database were (silent|lost), and new ones answer/);
    for (const path of ["/v1/objects", "/v1/search?q=print", "/v1/search?q=prin*"]) {
      const answer = await service.ask(path, { token });
      expect({ path, status: answer.status, total: answer.json.total }).toEqual({
        path,
        status: 200,
        total: expect.any(Number),
      });
      expect(answer.headers.get("X-Search-Degraded")).toBeNull();
    }
    // what operating systems do after a while
    cable.hangUp();
    await expect.poll(() => work.succeeded()).toBeGreaterThan(20);
    await work.stop();
    expect(work.statuses.get(500)).toBeUndefined();
    expect(await isThere(work.kept)).toBe(work.kept.length);
  });
});

describe.runIf(inject("external"))("a renewed connection pool", () => {
  const QUICK = { every: 50, silence: 400, pause: 20 };
  let cable: Cable;
  const messages: string[] = [];
  let pool: { sql: Sql; close(timeout: number): Promise<void> };
  beforeEach(async () => {
    const { server } = inject("external")!;
    cable = await layCable(server);
    messages.length = 0;
    const pools = {
      open: (lost: () => void) => openPostgres(cable.url, { max: 2, patience: 1, lost }),
      fresh: (lost: () => void) => poolOf(cable.url, { max: 2, lost }),
    };
    pool = await renewedPool(pools, (sentence) => messages.push(sentence), QUICK);
    return async () => {
      await pool.close(0);
      await cable.close();
    };
  });

  test("is left alone while it answers, even slowly", async () => {
    const { sql } = pool;
    await Promise.all([sql`select pg_sleep(0.25)`, sql`select pg_sleep(0.25)`]);
    await setTimeout(500);
    expect(messages).toEqual([]);
    const rows = await sql.begin((tx) => tx`select id from ${tx`unnest(${[1, 2]}::int[])`} t(id)`);
    expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
    expect(sql.options.max).toBe(2);
  });

  test("lets slow queries finish", async () => {
    const { sql } = pool;
    const slow = Promise.all([sql`select pg_sleep(1), 1 as n`, sql`select pg_sleep(1), 2 as n`]);
    await expect.poll(() => messages.length, { timeout: 5_000, interval: 20 }).toBe(1);
    expect(await sql`select 3 as n`).toEqual([{ n: 3 }]);
    expect((await slow).map(([row]) => row!.n)).toEqual([1, 2]);
  });

  test("is not left with the one connection that still answers", async () => {
    const { sql } = pool;
    await sql`select 1`;
    cable.silence();
    const stuck = sql`select 4 as n`.catch((error: { code: string }) => error.code);
    cable.mend();
    await expect.poll(() => messages.length, { timeout: 5_000, interval: 20 }).toBe(1);
    expect(messages[0]).toMatch(/^some connections to the database were silent/);
    expect(await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int as n`))).toEqual([
      [{ n: 1 }],
      [{ n: 2 }],
      [{ n: 3 }],
    ]);
    cable.hangUp();
    expect(await stuck).toMatch(/^(CONNECTION_CLOSED|ECONNRESET)$/);
  });

  test("forgets no caller that waits for a connection when others are lost", async () => {
    const { sql } = pool;
    const works = Array.from({ length: 6 }, (_, n) =>
      sql
        .begin(async (tx) => {
          await tx`select pg_sleep(0.3)`;
          return n;
        })
        .catch((error: { code: string }) => error.code),
    );
    await setTimeout(150);
    cable.cut();
    cable.mend();
    const all = await Promise.race([Promise.all(works), setTimeout(30_000, [])]);
    expect(all).toHaveLength(6);
  });

  test("leaves no caller waiting that asks again just when a connection breaks", async () => {
    const sql = poolOf(cable.url, { max: 1, lost: () => undefined });
    await sql`select 1`;
    const work = sql`select pg_sleep(30)`.catch(() =>
      sql`select 1`.then(
        () => "answered",
        () => "refused",
      ),
    );
    await setTimeout(50);
    cable.cut();
    expect(await Promise.race([work, setTimeout(5_000, "left waiting")])).toBe("refused");
    await sql.end({ timeout: 0 });
  });

  test("does not keep a connection that was lost just before something was sent on it", async () => {
    const { hostname, port } = new URL(cable.url);
    const sockets: Socket[] = [];
    const socket = async () => {
      const made = connect(Number(port), hostname);
      await once(made, "connect");
      sockets.push(made);
      return made;
    };
    const open = async (lost: () => void) => {
      const sql = postgres(cable.url, { max: 1, onclose: lost, socket } as never);
      await sql`select 1`;
      return sql;
    };
    // apart from the messages of the other pool, which may also be renewed on a busy machine
    const ownMessages: string[] = [];
    const one = await renewedPool(
      { open, fresh: () => poolOf(cable.url) },
      (sentence) => ownMessages.push(sentence),
      {
        ...QUICK,
        every: 60_000,
      },
    );
    // from a timer, because the socket then closes at the end of this round of the event loop, after this code
    await setTimeout(1);
    sockets[0]!.destroy();
    await setImmediate();
    const unsent = one.sql`select 1`.catch(() => undefined);
    await expect.poll(() => ownMessages, { timeout: 5_000, interval: 20 }).toHaveLength(1);
    expect(ownMessages[0]).toMatch(/^some connections to the database were lost/);
    expect(await Promise.race([one.sql`select 2 as n`, setTimeout(5_000)])).toEqual([{ n: 2 }]);
    await one.close(0);
    await unsent;
  });

  test("gives up queries to a server that says nothing at all, and works again when it answers", async () => {
    const { sql } = pool;
    cable.silence();
    const waiting = sql`select 1`.then(
      () => "answered",
      (error: { code: string }) => error.code,
    );
    expect(await waiting).toMatch(/^CONNECT/);
    expect(messages[0]).toBe("the database does not answer: waiting queries are given up");
    cable.hangUp();
    cable.mend();
    await expect
      .poll(
        () =>
          Promise.race([
            sql`select 5 as n`.then(
              ([row]) => row!.n,
              () => 0,
            ),
            setTimeout(500, 0),
          ]),
        { timeout: 10_000 },
      )
      .toBe(5);
  });
});
