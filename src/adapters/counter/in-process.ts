/** Counts requests for rate limits in memory: for a single instance, and while Redis is unavailable. */
import type { Counter, NamedLimit, Tally } from "../../services.ts";

/** Callers that are counted at the same time for one limit: some 10 MB. */
const MOST = 50_000;

/** `previous`: the count of the window before. */
type Count = { start: number; count: number; previous: number };

export function inProcessCounter(options: { most?: number; now?: () => number } = {}): Counter {
  const { most = MOST, now = () => performance.now() } = options;
  // one map for each limit, so that many callers of one limit displace no count of another
  const counts = new Map<string, Map<string, Count>>();
  return {
    hit(limit, who) {
      let named = counts.get(limit.name);
      if (!named) {
        named = new Map();
        counts.set(limit.name, named);
      }
      const at = Math.floor(now());
      const length = limit.windowSeconds * 1000;
      let one = named.get(who);
      if (!one || at >= one.start + 2 * length) {
        if (!one && named.size >= most) prune(named, at - 2 * length, most);
        one = { start: at, count: 0, previous: 0 };
        named.set(who, one);
      } else if (at >= one.start + length) {
        one.start += length;
        one.previous = one.count;
        one.count = 0;
      }
      return take(one, limit, at);
    },
    forget: (limit, who) => void counts.get(limit.name)?.delete(who),
    ping: () => Promise.resolve(),
  };
}

function take(one: Count, limit: NamedLimit, at: number): Tally {
  const length = limit.windowSeconds * 1000;
  const left = one.start + length - at;
  // one less, so that a caller who waits until the window ends is let in
  const before = Math.max(0, Math.ceil((one.previous * left) / length) - 1);
  const remaining = limit.limit - one.count - before;
  if (remaining > 0) {
    one.count++;
    return { allowed: true, remaining: remaining - 1, resetSeconds: Math.max(1, Math.ceil(left / 1000)) };
  }
  const free = limit.limit - one.count;
  const wait = free > 0 ? left - (length * free) / one.previous : left;
  return { allowed: false, remaining: 0, resetSeconds: Math.max(1, Math.ceil(wait / 1000)) };
}

/** Removes callers whose windows are over and, if that is not enough, the oldest tenth. */
function prune(named: Map<string, Count>, over: number, most: number): void {
  for (const [who, { start }] of named) if (start <= over) named.delete(who);
  if (named.size < most) return;
  let surplus = Math.ceil(most / 10);
  for (const who of named.keys()) {
    if (surplus-- <= 0) break;
    named.delete(who);
  }
}
