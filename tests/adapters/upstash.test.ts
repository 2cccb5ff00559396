import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { upstashCounter } from "../../src/adapters/counter/upstash.ts";
import { createApp } from "../../src/app.ts";
import { createLog } from "../../src/log.ts";
import type { Counter, NamedLimit, Tally } from "../../src/services.ts";
import { inLong } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { databases, type Museum, openMuseum } from "../support/museum/museum.ts";
import { type Cable, layCable } from "../support/servers/cable.ts";
import {
  isRedisThere,
  openRedisRest,
  REDIS_MISSING,
  type RedisRest,
  redis,
  redisUrl,
} from "../support/servers/redis-rest.ts";

const hasRedis = await isRedisThere();
if (!hasRedis) notTried(REDIS_MISSING);

describe.skipIf(!hasRedis)("counting in Redis", () => {
  let front: RedisRest;
  let logged: string[];
  let clock: number;
  let limit: NamedLimit;
  beforeEach(async () => {
    front = await openRedisRest();
    logged = [];
    clock = 0;
    limit = { name: `test-${crypto.randomUUID()}`, limit: 4, windowSeconds: 60 };
  });
  afterEach(() => front.close());

  function instance(more: { url?: string; token?: string; patienceMs?: number } = {}): Counter {
    const { url, token } = front;
    const log = createLog({ level: "info", format: "json", write: (line) => logged.push(line) });
    return upstashCounter({ url, token, ...more, otherwise: inProcessCounter(), log, now: () => clock });
  }

  const key = (who: string) => `svc:limit:${limit.name}:${who}`;
  const hits = async (counter: Counter, who: string, times: number, of = limit): Promise<Tally[]> => {
    const tallies = [];
    for (let n = 0; n < times; n++) tallies.push(await counter.hit(of, who));
    return tallies;
  };

  /** Redis has its own clock: a little less time is left than at the beginning. */
  function expectSince(began: number, said: number, seconds: number): void {
    expect(said).toBeLessThanOrEqual(seconds);
    expect(said).toBeGreaterThanOrEqual(seconds - Math.ceil((performance.now() - began) / 1000));
  }

  it("is one count for all instances, takes one command per hit, and expires", async () => {
    const [one, other] = [instance(), instance()];
    const began = performance.now();
    const tallies = [...(await hits(one, "visitor", 2)), ...(await hits(other, "visitor", 3))];
    expect(tallies.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expectSince(began, tallies[4]!.resetSeconds, 60);
    expect(front.commands).toBe(5);
    const ttl = Number(await redis(["PTTL", key("visitor")]));
    expect(ttl).toBeGreaterThan(100_000);
    expect(ttl).toBeLessThanOrEqual(120_000);
    expect((await hits(one, "another", 1))[0]!.remaining).toBe(3);
    await other.forget(limit, "visitor");
    expect((await hits(one, "visitor", 1))[0]!.remaining).toBe(3);
    expect(logged).toEqual([]);
  });

  it("loses none of many simultaneous hits", async () => {
    // forty simultaneous hits may take longer on a slow machine than a request would wait
    const [one, other] = [instance({ patienceMs: 20_000 }), instance({ patienceMs: 20_000 })];
    const tallies = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => (n % 2 ? one : other).hit(limit, "visitor")),
    );
    expect(tallies.filter(({ allowed }) => allowed)).toHaveLength(4);
    expect(logged).toEqual([]);
  });

  it.each([
    { ago: 30_500, count: 1, previous: 0, tally: { allowed: true, remaining: 2, resetSeconds: 30 } },
    { ago: 30_500, count: 4, previous: 0, tally: { allowed: false, remaining: 0, resetSeconds: 30 } },
    // of the four hits in the previous window, two still count; one of them only in part
    { ago: 30_500, count: 2, previous: 4, tally: { allowed: true, remaining: 0, resetSeconds: 30 } },
    { ago: 30_500, count: 3, previous: 4, tally: { allowed: false, remaining: 0, resetSeconds: 15 } },
    // the window has ended in the meantime and is now the previous one
    { ago: 60_500, count: 4, previous: 4, tally: { allowed: true, remaining: 0, resetSeconds: 60 } },
    { ago: 80_500, count: 4, previous: 0, tally: { allowed: true, remaining: 1, resetSeconds: 40 } },
    { ago: 120_500, count: 4, previous: 4, tally: { allowed: true, remaining: 3, resetSeconds: 60 } },
  ])("gives, for a window that began $ago ms ago with $count after $previous: $tally", async (window) => {
    const { ago, count, previous, tally } = window;
    const [seconds, micros] = (await redis(["TIME"])) as [string, string];
    const began = performance.now();
    const start = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) - ago;
    await redis(["HSET", key("visitor"), "start", start, "count", count, "previous", previous]);
    const { resetSeconds, ...found } = await instance().hit(limit, "visitor");
    expect(found).toEqual({ allowed: tally.allowed, remaining: tally.remaining });
    expectSince(began, resetSeconds, tally.resetSeconds);
    await redis(["DEL", key("visitor")]);
  });

  it("leaves loose limits to each instance", async () => {
    const loose = { ...limit, loose: true };
    const [one, other] = [instance(), instance()];
    const before = front.commands;
    for (const counter of [one, other])
      expect((await hits(counter, "visitor", 1, loose))[0]).toMatchObject({ remaining: limit.limit - 1 });
    expect(front.commands).toBe(before);
  });

  inLong(it)(
    "continues in each instance while Redis is unavailable, logs this once a minute, and recovers",
    async () => {
      const counter = instance({ patienceMs: 300 });
      await hits(counter, "visitor", 4);
      front.silent = true;
      const before = front.asked;
      expect(await hits(counter, "visitor", 5)).toMatchObject([
        { allowed: true },
        { allowed: true },
        { allowed: true },
        { allowed: true },
        { allowed: false },
      ]);
      // one of them waited, the others knew
      expect(front.asked - before).toBe(1);
      await expect(counter.ping()).rejects.toMatchObject({ name: "TimeoutError" });
      for (let n = 0; n < 3; n++) {
        clock += 10_000;
        await hits(counter, "visitor", 1);
      }
      expect(logged).toHaveLength(1);
      expect(logged[0]).toContain("counts rate limits for itself");
      clock += 60_000;
      await hits(counter, "visitor", 1);
      expect(logged).toHaveLength(2);
      front.silent = false;
      clock += 10_000;
      expect(await hits(counter, "visitor", 1)).toMatchObject([{ allowed: false }]);
      expect(await hits(counter, "another", 1)).toMatchObject([{ remaining: 3 }]);
      await counter.ping();
    },
  );

  it("waits for a slow answer: its own count would let four more in", async () => {
    const [one, other] = [instance(), instance()];
    await hits(one, "visitor", 4);
    front.delayMs = 600;
    expect(await hits(other, "visitor", 1)).toMatchObject([{ allowed: false }]);
    expect(logged).toEqual([]);
  });

  it("a wrong token or address keeps nobody out, and neither names nor keys are logged", async () => {
    const away = await openRedisRest();
    await away.close();
    for (const wrong of [{ token: "s3cret-but-wrong" }, { url: away.url }]) {
      const counter = instance(wrong);
      expect(await hits(counter, "who-is-counted", 1)).toMatchObject([{ allowed: true }]);
      await counter.forget(limit, "who-is-counted");
      await expect(counter.ping()).rejects.toThrow();
    }
    expect(logged).toHaveLength(2);
    expect(logged.join()).not.toMatch(/s3cret|who-is-counted/);
  });
});

describe.skipIf(!hasRedis).each(databases)("a museum with the %s database and two instances", (database) => {
  let front: RedisRest;
  let museum: Museum;
  let second: ReturnType<typeof createApp>;
  beforeAll(async () => {
    front = await openRedisRest();
    museum = await openMuseum({
      database,
      env: {
        UPSTASH_REDIS_REST_URL: front.url,
        UPSTASH_REDIS_REST_TOKEN: front.token,
      },
    });
    const { config, log } = museum.services;
    const counter = upstashCounter({ ...config.upstash!, otherwise: inProcessCounter(), log });
    second = createApp({ ...museum.services, counter });
  });
  afterAll(async () => {
    await museum.close();
    await front.close();
  });

  const refresh = async (app: ReturnType<typeof createApp>["app"], remote: string) =>
    (await app.request("/v1/auth/refresh", { method: "POST" }, { remote })).status;

  it("has one limit for both", async () => {
    const remote = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
    const first = createApp(museum.services).app;
    const statuses = await inTurn(12, async () => [
      await refresh(first, remote),
      await refresh(second.app, remote),
    ]);
    expect(statuses.flat()).toEqual([...Array(20).fill(401), ...Array(4).fill(429)]);
  });

  it.each([
    ["the connection to Redis is cut", (_behind: Cable, before: Cable) => before],
    ["Redis itself stops", (behind: Cable) => behind],
  ])("answers and limits everybody when %s, reports it in /health, and recovers", async (_what, choose) => {
    const behind = await layCable(redisUrl());
    const rest = await openRedisRest(behind.url);
    const before = await layCable(rest.url);
    const cable = choose(behind, before);
    let clock = 0;
    const { log } = museum.services;
    const counter = upstashCounter({
      url: before.url,
      token: rest.token,
      otherwise: inProcessCounter(),
      log,
      patienceMs: 20_000,
      now: () => clock,
    });
    const services = { ...museum.services, counter };
    const { app } = createApp(services);
    // a new app each time, because a report is shared for a second
    const health = async () => {
      const answer = await createApp(services).app.request("/health");
      const { status, checks } = (await answer.json()) as { status: string; checks: { redis: string } };
      return [answer.status, status, checks.redis];
    };
    const statuses = (times: number, remote: string) => inTurn(times, () => refresh(app, remote));
    onTestFinished(() => behind.close());
    onTestFinished(() => rest.close());
    onTestFinished(() => before.close());
    await museum.services.sql`
      insert into heartbeats (name, at) values ('worker', now()) on conflict (name) do update set at = now()`;
    const remote = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
    expect(await statuses(19, remote)).toEqual(Array(19).fill(401));
    expect(await health()).toEqual([200, "ok", "ok"]);

    const many = Array.from({ length: 60 }, (_, n) =>
      refresh(app, remote.replace("::", `:${n}::`).replace("2001", `${2002 + n}`)),
    );
    await Promise.race(many);
    cable.cut();
    expect(await Promise.all(many)).toEqual(Array(60).fill(401));
    // this instance counts from the start
    expect(await statuses(22, remote)).toEqual([...Array(20).fill(401), 429, 429]);
    clock += 10_000;
    expect(await health()).toEqual([503, "degraded", expect.not.stringMatching(/^ok$/)]);
    expect((await statuses(1, remote))[0]).toBe(429);

    cable.mend();
    clock += 10_000;
    expect(await statuses(2, remote)).toEqual([401, 429]);
    expect(await health()).toEqual([200, "ok", "ok"]);
  });
});

/** The results of doing this several times, one after the other. */
async function inTurn<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let n = 0; n < times; n++) all.push(await work());
  return all;
}
