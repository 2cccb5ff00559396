/**
 * Counts requests for rate limits in a Redis that several instances share, over Upstash's REST protocol. While Redis is
 * unavailable, each instance counts for itself: for a while, limits are too generous, but the service answers. Loose limits are
 * counted by each instance, because a query for each request would cost more than most requests.
 */

import { Redis } from "@upstash/redis/cloudflare";
import { errorFields, type Log } from "../../log.ts";
import type { Counter, NamedLimit } from "../../services.ts";

/** Milliseconds that a request waits for Redis: a slow answer must not give each instance guesses of a password of its own. */
const PATIENCE_MS = 3_000;
/** Milliseconds after a failure in which Redis is not asked. */
const PAUSE_MS = 2_000;
const LOG_EVERY_MS = 60_000;

/**
 * A Lua script with the arithmetic of `in-process.ts`, which uses the clock of Redis. ARGV: the limit and its seconds. Returns
 * allowed, remaining, milliseconds.
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
local left = start + length - at
local remaining = limit - count - math.max(0, math.ceil(previous * left / length) - 1)
local allowed = remaining > 0 and 1 or 0
if allowed == 1 then
  redis.call('HSET', KEYS[1], 'start', string.format('%.0f', start), 'count', count + 1, 'previous', previous)
  redis.call('PEXPIRE', KEYS[1], left + length)
end
if allowed == 1 then return {1, remaining - 1, left} end
local free = limit - count
if free > 0 then left = math.ceil(left - length * free / previous) end
return {0, 0, left}`;

export function upstashCounter(options: {
  url: string;
  token: string;
  /** Counts loose limits, and all while Redis is unavailable. */
  otherwise: Counter;
  log: Log;
  patienceMs?: number;
  /** The clock of pauses and log lines, in milliseconds. */
  now?: () => number;
}): Counter {
  const { url, token, otherwise, log, patienceMs = PATIENCE_MS, now = () => performance.now() } = options;
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
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function failed(error: unknown): void {
    const at = now();
    pausedUntil = at + PAUSE_MS;
    if (at - loggedAt < LOG_EVERY_MS) return;
    loggedAt = at;
    log.warn("Redis is unavailable: this instance counts rate limits for itself", {
      ...errorFields(withoutCommand(error)),
    });
  }

  return {
    async hit(limit, who) {
      if (limit.loose || now() < pausedUntil) return otherwise.hit(limit, who);
      const args: [number, number] = [limit.limit, limit.windowSeconds];
      try {
        const answer = await redis.eval<[number, number], [number, number, number]>(
          HIT,
          [keyOf(limit, who)],
          args,
        );
        const [allowed, remaining, left] = answer.map(Number) as [number, number, number];
        return { allowed: allowed === 1, remaining, resetSeconds: Math.max(1, Math.ceil(left / 1000)) };
      } catch (error) {
        failed(error);
        return otherwise.hit(limit, who);
      }
    },
    async forget(limit, who) {
      await otherwise.forget(limit, who);
      if (now() < pausedUntil) return;
      await redis.del(keyOf(limit, who)).catch(failed);
    },
    async ping() {
      await redis.ping().catch((error: unknown) => {
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
