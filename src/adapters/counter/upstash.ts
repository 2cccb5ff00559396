/**
 * Counts in a Redis that several instances share, over Upstash's REST protocol. Where it cannot be asked, each instance
 * counts for itself: a limit that is too generous for a while is better than no answer.
 */
import { Redis } from "@upstash/redis/cloudflare";
import { errorFields, type Log } from "../../log.ts";
import type { Counter, NamedLimit } from "../../services.ts";

/** A request waits no longer than this for its count. */
const PATIENCE_MS = 300;
/** So long after a failure nobody waits for the next one. */
const PAUSE_MS = 2_000;
const LOG_EVERY_MS = 60_000;

/** The arithmetic of `in-process.ts` in one step of Redis, by Redis's clock. Answers allowed, remaining, milliseconds. */
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
if remaining <= 0 then
  local free = limit - count
  if free > 0 then left = math.ceil(left - length * free / previous) end
  return {0, 0, left}
end
redis.call('HSET', KEYS[1], 'start', string.format('%.0f', start), 'count', count + 1, 'previous', previous)
redis.call('PEXPIRE', KEYS[1], left + length)
return {1, remaining - 1, left}`;

export function upstashCounter(options: {
  url: string;
  token: string;
  /** Counts while Redis cannot be asked. */
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
    log.warn("Redis cannot be asked: this instance counts rate limits for itself", {
      ...errorFields(withoutCommand(error)),
    });
  }

  return {
    hit(limit, who) {
      if (now() < pausedUntil) return otherwise.hit(limit, who);
      return redis
        .eval<[number, number], [number, number, number]>(
          HIT,
          [keyOf(limit, who)],
          [limit.limit, limit.windowSeconds],
        )
        .then(
          ([allowed, remaining, left]) => ({
            allowed: Number(allowed) === 1,
            remaining: Number(remaining),
            resetSeconds: Math.max(1, Math.ceil(Number(left) / 1000)),
          }),
          (error: unknown) => {
            failed(error);
            return otherwise.hit(limit, who);
          },
        );
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

/** The client's own errors repeat the whole command, which names who was counted. */
function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes(", command was:")) return error;
  return new Error(error.message.slice(0, error.message.indexOf(", command was:")));
}

const keyOf = (limit: NamedLimit, who: string): string => `svc:limit:${limit.name}:${who}`;
