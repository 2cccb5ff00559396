/** The two counters of rate limits, for tests that must pass with both: in the process, and in a real Redis. */
import { inProcessCounter } from "../../../src/adapters/counter/in-process.ts";
import { upstashCounter } from "../../../src/adapters/counter/upstash.ts";
import { createLog } from "../../../src/log.ts";
import type { Counter, NamedLimit } from "../../../src/services.ts";
import { oneOrAll } from "../lane/lane.ts";
import { notTried } from "../lane/skipped.ts";
import { databases } from "../museum/museum.ts";
import { isRedisThere, openRedisRest, REDIS_MISSING, redis } from "./redis-rest.ts";

export type CounterKind = "in the process" | "in Redis";

const isThere = await isRedisThere();
if (!isThere) notTried(REDIS_MISSING);

/** The counters that this machine has; a missing one is listed at the end of the run. */
export const counters: CounterKind[] = isThere ? ["in the process", "in Redis"] : ["in the process"];

/** Every database and every counter, in pairs, because they are independent; one pair in the short lane. */
export const databasesAndCounters = oneOrAll(
  Array.from({ length: Math.max(databases.length, counters.length) }, (_, n) => ({
    database: databases[n % databases.length]!,
    counting: counters[n % counters.length]!,
  })),
);

/** A counter that no other test shares. */
export type OwnCounter = Counter & {
  /** Makes everything counted so far appear so many milliseconds older. */
  pass(milliseconds: number): Promise<void>;
  /** Milliseconds of real time since it was opened; none where the clock is fixed. */
  elapsed(): number;
  close(): Promise<void>;
};

export async function openCounter(kind: CounterKind): Promise<OwnCounter> {
  return kind === "in Redis" ? counterInRedis() : counterInProcess();
}

/** With a fixed clock. */
function counterInProcess(): OwnCounter {
  let clock = 0;
  return {
    ...inProcessCounter({ now: () => clock }),
    async pass(milliseconds) {
      clock += milliseconds;
    },
    elapsed: () => 0,
    close: async () => undefined,
  };
}

/** The service's own adapter, over Upstash's protocol. Redis has the clock, so time passes by changing its counts. */
async function counterInRedis(): Promise<OwnCounter> {
  const front = await openRedisRest();
  const opened = performance.now();
  const door = crypto.randomUUID();
  const behindDoor = (limit: NamedLimit): NamedLimit => ({ ...limit, name: `${door}-${limit.name}` });
  const logged: string[] = [];
  /** Counts loose limits. */
  const own = counterInProcess();
  const counter = upstashCounter({
    url: front.url,
    token: front.token,
    otherwise: {
      ...own,
      hit: (limit, who) => (limit.loose ? own.hit(limit, who) : unasked()),
    },
    log: createLog({ level: "info", format: "json", write: (line) => logged.push(line) }),
    // a thousand simultaneous requests may take longer on a slow machine than a request would wait
    patienceMs: 100_000,
  });
  const keys = async () => (await redis(["KEYS", `svc:limit:${door}-*`])) as string[];
  return {
    hit: (limit, who) => counter.hit(behindDoor(limit), who),
    forget: (limit, who) => counter.forget(behindDoor(limit), who),
    ping: counter.ping,
    async pass(milliseconds) {
      await own.pass(milliseconds);
      for (const key of await keys()) {
        await redis(["HINCRBY", key, "start", -milliseconds]);
        await redis(["PEXPIRE", key, Number(await redis(["PTTL", key])) - milliseconds]);
      }
    },
    elapsed: () => performance.now() - opened,
    async close() {
      for (const key of await keys()) await redis(["DEL", key]);
      await front.close();
      if (logged.length > 0) throw new Error(logged.join("\n"));
    },
  };
}

function unasked(): never {
  throw new Error("Redis was there, and yet it was not asked");
}

/** The seconds that a limit may report for a window of `seconds` that began after the counter was opened. */
export function isLeftOf(seconds: number, said: number, { elapsed }: OwnCounter): boolean {
  return said <= seconds && said >= seconds - Math.ceil(elapsed() / 1000);
}
