import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inProcessCounter } from "../src/adapters/counter/in-process.ts";
import { upstashCounter } from "../src/adapters/counter/upstash.ts";
import { createApp } from "../src/app.ts";
import { createLog } from "../src/log.ts";
import type { Counter, NamedLimit, Tally } from "../src/services.ts";
import { databases, type Museum, openMuseum } from "./support/museum.ts";
import { isRedisThere, openRedisRest, REDIS_MISSING, type RedisRest, redis } from "./support/redis-rest.ts";
import { notTried } from "./support/skipped.ts";

const there = await isRedisThere();
if (!there) notTried(REDIS_MISSING);

describe.skipIf(!there)("counting in Redis", () => {
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
  const hits = async (counter: Counter, who: string, times: number): Promise<Tally[]> => {
    const tallies = [];
    for (let n = 0; n < times; n++) tallies.push(await counter.hit(limit, who));
    return tallies;
  };

  it("is one count for all instances, in one command a hit, and ends by itself", async () => {
    const [one, other] = [instance(), instance()];
    expect(await hits(one, "visitor", 2)).toEqual([
      { allowed: true, remaining: 3, resetSeconds: 60 },
      { allowed: true, remaining: 2, resetSeconds: 60 },
    ]);
    const rest = await hits(other, "visitor", 3);
    expect(rest.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(rest[2]!.resetSeconds).toBeGreaterThanOrEqual(59);
    expect(front.commands).toBe(5);
    const ttl = Number(await redis(["PTTL", key("visitor")]));
    expect(ttl).toBeGreaterThan(100_000);
    expect(ttl).toBeLessThanOrEqual(120_000);
    expect((await hits(one, "another", 1))[0]!.remaining).toBe(3);
    await other.forget(limit, "visitor");
    expect((await hits(one, "visitor", 1))[0]!.remaining).toBe(3);
    expect(logged).toEqual([]);
  });

  it("loses no hit of many at once", async () => {
    // forty at once may take a slow machine longer than a request would wait
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
    // what is left of the four of the window before: two, of which one is reached only in part
    { ago: 30_500, count: 2, previous: 4, tally: { allowed: true, remaining: 0, resetSeconds: 30 } },
    { ago: 30_500, count: 3, previous: 4, tally: { allowed: false, remaining: 0, resetSeconds: 15 } },
    // the window has ended meanwhile, and is the one before
    { ago: 60_500, count: 4, previous: 4, tally: { allowed: true, remaining: 0, resetSeconds: 60 } },
    { ago: 80_500, count: 4, previous: 0, tally: { allowed: true, remaining: 1, resetSeconds: 40 } },
    { ago: 120_500, count: 4, previous: 4, tally: { allowed: true, remaining: 3, resetSeconds: 60 } },
  ])("a window that began $ago ms ago with $count after $previous: $tally", async (window) => {
    const { ago, count, previous, tally } = window;
    const [seconds, micros] = (await redis(["TIME"])) as [string, string];
    const start = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) - ago;
    await redis(["HSET", key("visitor"), "start", start, "count", count, "previous", previous]);
    expect(await instance().hit(limit, "visitor")).toEqual(tally);
    await redis(["DEL", key("visitor")]);
  });

  it("goes on in each instance for itself while Redis is away, says so once a minute, and comes back", async () => {
    const counter = instance();
    await hits(counter, "visitor", 4);
    front.silent = true;
    const started = performance.now();
    expect(await hits(counter, "visitor", 5)).toMatchObject([
      { allowed: true },
      { allowed: true },
      { allowed: true },
      { allowed: true },
      { allowed: false },
    ]);
    // one of them waited, the others knew
    expect(performance.now() - started).toBeLessThan(1_500);
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
  });

  it("nobody is kept out by a wrong token or an address where nothing is, and neither names nor keys are logged", async () => {
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

describe.skipIf(!there).each(databases)("a museum with the %s database and two instances", (database) => {
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
        RATE_LIMIT_DEFAULT: "5/hour",
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

  it("has one limit for both", async () => {
    const remote = `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;
    const statuses = [];
    for (let n = 0; n < 4; n++) {
      statuses.push((await museum.ask("/v1/objects", { remote })).status);
      statuses.push((await second.app.request("/v1/objects", {}, { remote })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });

  it("says in /health when Redis cannot be asked, and answers all the same", async () => {
    const redisOf = async () => {
      // a report of its own: the last one is shared for a second
      const answer = await createApp(museum.services).app.request("/health");
      return [answer.status, ((await answer.json()) as { checks: { redis: string } }).checks.redis];
    };
    await museum.services.sql`
      insert into heartbeats (name, at) values ('worker', now()) on conflict (name) do update set at = now()`;
    expect(await redisOf()).toEqual([200, "ok"]);
    await front.close();
    expect(await redisOf()).toEqual([
      503,
      expect.stringMatching(/^(refuses connections|the connection broke off)$/),
    ]);
    expect((await museum.ask("/v1/objects")).status).toBe(200);
  });
});
