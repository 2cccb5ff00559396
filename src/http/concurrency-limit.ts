/**
 * Limits how much expensive work (visitors' searches, long lists, harvests, images) runs at the same time: a few run, a few wait,
 * and none waits long. Visitors take turns: many requests of one delay no other. Reading a record never waits.
 */

import type { Caller } from "../caller.ts";
import { bucketOf } from "../config/networks.ts";
import { type Said, said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Ctx } from "./route.ts";

/**
 * How many run, and how much may wait, for all visitors and for each. `patienceMs`: from the request to its answer.
 * `longestMs`: then a place is freed, because its connection may be dead.
 */
export type ConcurrencyLimits = {
  working: number;
  workingEach: number;
  waiting: number;
  waitingEach: number;
  patienceMs: number;
  longestMs: number;
};

const LIMITS: ConcurrencyLimits = {
  working: 4,
  workingEach: 2,
  waiting: 100,
  waitingEach: 20,
  patienceMs: 5_000,
  longestMs: 30_000,
};

/** The messages if too many wait, and if the wait takes too long. */
export type LimitWords = { full: Said; late: Said };

const WORDS: LimitWords = {
  full: said("problem.turn.queue_full"),
  late: said("problem.turn.too_slow"),
};

/** The embedded database shares one thread with all other requests, so only half as many searches run at once. */
export function concurrencyLimits(database: Services["database"]): ConcurrencyLimits {
  return database === "external" ? LIMITS : { ...LIMITS, working: 2, workingEach: 1 };
}

const RETRY = { "Retry-After": "5" };

export type ConcurrencyLimit = {
  /**
   * @param cost how much of `waiting` and `waitingEach` the work takes up while it waits; 1 by default
   * @param signal if it aborts, the call throws its reason. Work that has begun keeps its place until it ends.
   */
  take<T>(who: string, work: () => Promise<T>, asking?: { cost?: number; signal?: AbortSignal }): Promise<T>;
};

/** `admit` only gives permission: the caller starts the work itself, in its own async context. */
type Waiting = { cost: number; admit: () => void };

export function createConcurrencyLimit(
  limits: ConcurrencyLimits = LIMITS,
  words: LimitWords = WORDS,
): ConcurrencyLimit {
  /** By visitor, the one admitted last at the end. */
  const waiting = new Map<string, Waiting[]>();
  const working: string[] = [];
  const of = (who: string) => working.filter((one) => one === who).length;

  /** The visitor with the least running work, so that many requests of one do not delay another. */
  function nextVisitor(): string | undefined {
    const [first] = [...waiting.keys()]
      .filter((who) => of(who) < limits.workingEach)
      .sort((one, other) => of(one) - of(other));
    return first;
  }

  function next(): void {
    while (working.length < limits.working) {
      const who = nextVisitor();
      if (who === undefined) return;
      const [one, ...others] = waiting.get(who)!;
      waiting.delete(who);
      if (others.length > 0) waiting.set(who, others);
      working.push(who);
      one!.admit();
    }
  }

  function leave(who: string, place: Waiting): void {
    const others = waiting.get(who)?.filter((other) => other !== place) ?? [];
    if (others.length > 0) waiting.set(who, others);
    else waiting.delete(who);
  }

  function inPlace<T>(who: string, work: () => Promise<T>): Promise<T> {
    const end = () => {
      working.splice(working.indexOf(who), 1);
      next();
    };
    const done = work();
    withTimeout(done, limits.longestMs).then(end, end);
    return done;
  }

  return {
    async take<T>(
      who: string,
      work: () => Promise<T>,
      { cost = 1, signal }: { cost?: number; signal?: AbortSignal } = {},
    ): Promise<T> {
      signal?.throwIfAborted();
      const own = waiting.get(who) ?? [];
      if (costOf([...waiting.values()].flat()) >= limits.waiting || costOf(own) >= limits.waitingEach)
        throw new Problem("unavailable", words.full, { headers: RETRY });
      let place!: Waiting;
      const admitted = new Promise<void>((admit) => {
        place = { cost, admit };
      });
      waiting.set(who, [...own, place]);
      const asked = admitted.then(() => inPlace(who, work)).then((answer) => ({ answer }));
      next();
      try {
        const found = await withTimeout(asked, limits.patienceMs, signal);
        if (found !== null) return found.answer;
      } finally {
        leave(who, place);
      }
      throw new Problem("unavailable", words.late, { headers: RETRY });
    },
  };
}

const costOf = (places: readonly Waiting[]): number => places.reduce((sum, { cost }) => sum + cost, 0);

/** Visitors take turns; signed-in callers start at once. */
export function withinLimit<T>(
  { visitorLimit }: { visitorLimit: ConcurrencyLimit },
  { c, caller }: { c: Ctx; caller: Caller },
  work: () => Promise<T>,
): Promise<T> {
  return caller.kind === "visitor" ? visitorLimit.take(bucketOf(c.get("client")), work) : work();
}

/** Runs the tasks of all callers one after the other, and refuses none. */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
