/**
 * Counts requests for rate limits in a Redis that several instances share, over Upstash's REST protocol. While Redis is
 * unavailable, each instance counts for itself: for a while, limits are too generous, but the service answers.
 *
 * One query for each request would cost more than most requests. So for a limit that need not be exact, an instance gets a
 * lease: it may allow some further requests without a query, and reports them with the next one.
 */

import { Redis } from "@upstash/redis/cloudflare";
import { errorFields, type Log } from "../../log.ts";
import { LruCache } from "../../lru-cache.ts";
import type { Counter, NamedLimit, Tally } from "../../services.ts";

/**
 * Milliseconds that a request waits for Redis. Exact limits, such as that of passwords, wait longer: a slow answer must not
 * give each instance guesses of its own.
 */
const PATIENCE_MS = { loose: 300, exact: 3_000 };
/** Milliseconds after a failure in which Redis is not asked. */
const PAUSE_MS = 2_000;
const LOG_EVERY_MS = 60_000;

/** A lease covers this share of the remaining requests: one in ten, and none if fewer than ten remain. */
const LEASED = 0.1;
/** Milliseconds until a lease ends, even if requests are left. */
const LEASE_MS = 1_000;
/** With more leases than this, those used longest ago are dropped: some 10 MB. */
const MOST_LEASES = 50_000;

/**
 * Times are milliseconds of the counter's clock. Of the `most` requests of the lease, `letIn` were allowed without asking.
 * `reported` earlier ones are being reported to Redis; the lease stays valid meanwhile, so that only one request asks.
 */
type Lease = {
  until: number;
  resetAt: number;
  remaining: number;
  most: number;
  letIn: number;
  reported: number;
  asking: boolean;
};

/** A client of Redis, which is not asked until `pausedUntil` (milliseconds of the counter's clock). */
type Line = { readonly redis: Redis; pausedUntil: number };

/**
 * A Lua script with the arithmetic of `in-process.ts`, which uses the clock of Redis. ARGV: the limit, its seconds, and how many
 * requests were allowed before this one. Returns allowed, remaining, milliseconds.
 */
const HIT = `
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, length = tonumber(ARGV[1]), ARGV[2] * 1000
local kept = redis.call('HMGET', KEYS[1], 'start', 'count', 'previous')
local start, count, previous = tonumber(kept[1]), tonumber(kept[2]), tonumber(kept[3])
if not start or at >= start + 2 * length then
  start, count, previous = at, 0, 0
elseif at >= start + length then
  start, count, previous = start + length, 0, count
end
count = count + tonumber(ARGV[3])
local left = start + length - at
local remaining = limit - count - math.max(0, math.ceil(previous * left / length) - 1)
local allowed = remaining > 0 and 1 or 0
if allowed == 1 or ARGV[3] ~= '0' then
  redis.call('HSET', KEYS[1], 'start', string.format('%.0f', start), 'count', count + allowed, 'previous', previous)
  redis.call('PEXPIRE', KEYS[1], left + length)
end
if allowed == 1 then return {1, remaining - 1, left} end
local free = limit - count
if free > 0 then left = math.ceil(left - length * free / previous) end
return {0, 0, left}`;

export function upstashCounter(options: {
  url: string;
  token: string;
  /** Counts while Redis is unavailable. */
  otherwise: Counter;
  log: Log;
  patienceMs?: number;
  /** The clock of pauses and log lines, in milliseconds. */
  now?: () => number;
}): Counter {
  const { url, token, otherwise, log, now = () => performance.now() } = options;
  const lines = {
    loose: line(options.patienceMs ?? PATIENCE_MS.loose),
    exact: line(options.patienceMs ?? PATIENCE_MS.exact),
  };
  const lineOf = (limit: NamedLimit): Line => (limit.loose ? lines.loose : lines.exact);
  let loggedAt = Number.NEGATIVE_INFINITY;

  function line(patienceMs: number): Line {
    const redis = new Redis({
      url,
      token,
      retry: { retries: 0 },
      signal: () => AbortSignal.timeout(patienceMs),
      enableTelemetry: false,
      enableAutoPipelining: false,
      readYourWrites: false,
      responseEncoding: false,
      automaticDeserialization: false,
    });
    return { redis, pausedUntil: Number.NEGATIVE_INFINITY };
  }

  function failed(on: Line, error: unknown): void {
    const at = now();
    on.pausedUntil = at + PAUSE_MS;
    if (at - loggedAt < LOG_EVERY_MS) return;
    loggedAt = at;
    log.warn("Redis is unavailable: this instance counts rate limits for itself", {
      ...errorFields(withoutCommand(error)),
    });
  }

  const leases = new LruCache<string, Lease>(MOST_LEASES);

  /** @param lease an ended lease whose requests are reported */
  async function ask(limit: NamedLimit, who: string, lease?: Lease): Promise<Tally> {
    const on = lineOf(limit);
    const key = keyOf(limit, who);
    const reported = lease?.letIn ?? 0;
    if (lease) Object.assign(lease, { letIn: 0, reported, asking: true });
    try {
      const answer = await on.redis.eval<[number, number, number], [number, number, number]>(
        HIT,
        [key],
        [limit.limit, limit.windowSeconds, reported],
      );
      if (lease) Object.assign(lease, { reported: 0, asking: false });
      const [allowed, remaining, left] = answer.map(Number) as [number, number, number];
      if (limit.loose) renew(key, remaining, left);
      return { allowed: allowed === 1, remaining, resetSeconds: Math.max(1, Math.ceil(left / 1000)) };
    } catch (error) {
      leases.delete(key);
      failed(on, error);
      return otherwise.hit(limit, who);
    }
  }

  function renew(key: string, remaining: number, left: number): void {
    const at = now();
    const resetAt = at + left;
    const most = Math.floor(remaining * LEASED);
    const terms = { until: Math.min(at + LEASE_MS, resetAt), resetAt, remaining, most };
    const lease = leases.get(key);
    if (lease) Object.assign(lease, terms);
    else if (most > 0) leases.set(key, { ...terms, letIn: 0, reported: 0, asking: false });
  }

  /** Uses one request of the lease; undefined if Redis must be asked. */
  function letInUnasked(lease: Lease, at: number): Tally | undefined {
    const holds = (at < lease.until || lease.asking) && lease.letIn + lease.reported < lease.most;
    if (!holds) return undefined;
    lease.letIn++;
    const resetSeconds = Math.max(1, Math.ceil((lease.resetAt - at) / 1000));
    return { allowed: true, remaining: lease.remaining - lease.reported - lease.letIn, resetSeconds };
  }

  return {
    hit(limit, who) {
      const at = now();
      if (at < lineOf(limit).pausedUntil) return otherwise.hit(limit, who);
      const lease = limit.loose ? leases.get(keyOf(limit, who)) : undefined;
      if (lease === undefined) return ask(limit, who);
      return letInUnasked(lease, at) ?? ask(limit, who, lease.asking ? undefined : lease);
    },
    async forget(limit, who) {
      leases.delete(keyOf(limit, who));
      await otherwise.forget(limit, who);
      const on = lineOf(limit);
      if (now() < on.pausedUntil) return;
      await on.redis.del(keyOf(limit, who)).catch((error: unknown) => failed(on, error));
    },
    async ping() {
      await lines.loose.redis.ping().catch((error: unknown) => {
        throw withoutCommand(error);
      });
    },
  };
}

/** The client's errors repeat the whole command, which contains the caller's address. */
function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes(", command was:")) return error;
  return new Error(error.message.slice(0, error.message.indexOf(", command was:")));
}

const keyOf = (limit: NamedLimit, who: string): string => `svc:limit:${limit.name}:${who}`;
