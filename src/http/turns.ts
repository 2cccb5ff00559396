/**
 * Limits how much expensive work (visitors' searches) runs at the same time: few run, few wait, and none waits long.
 * A visitor with many requests waits behind their own. Reading a record never waits.
 */
import type { Caller } from "../caller.ts";
import { bucketOf } from "../config/networks.ts";
import { Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Ctx } from "./route.ts";

/**
 * How many run and wait, for all visitors and for one. `patienceMs`: from the request to its answer. `longestMs`:
 * after this a place is freed, since its connection may be dead.
 */
export type TurnLimits = {
  working: number;
  workingEach: number;
  waiting: number;
  waitingEach: number;
  patienceMs: number;
  longestMs: number;
};

const LIMITS: TurnLimits = {
  working: 4,
  workingEach: 2,
  waiting: 100,
  waitingEach: 20,
  patienceMs: 5_000,
  longestMs: 30_000,
};

/** The messages when no place to wait is left, and when waiting took too long. */
export type TurnWords = { full: string; late: string };

const WORDS: TurnWords = {
  full: "Too many searches are waiting at the moment",
  late: "This search takes too long at the moment; narrow it down, or try again later",
};

/** The embedded database shares one thread with all other requests, so only half as many searches run at once. */
export function turnLimits(database: Services["database"]): TurnLimits {
  return database === "external" ? LIMITS : { ...LIMITS, working: 2, workingEach: 1 };
}

const RETRY = { "Retry-After": "5" };

export type Turns = { take<T>(who: string, work: () => Promise<T>): Promise<T> };

/** `admit` only gives permission: the caller starts the work itself, in its own async context. */
type Waiting = { who: string; admit: () => void };

export function createTurns(limits: TurnLimits = LIMITS, words: TurnWords = WORDS): Turns {
  let waiting: Waiting[] = [];
  const working: string[] = [];
  const of = (who: string) => working.filter((one) => one === who).length;

  function next(): void {
    while (working.length < limits.working) {
      const one = waiting.find(({ who }) => of(who) < limits.workingEach);
      if (one === undefined) return;
      waiting = waiting.filter((other) => other !== one);
      working.push(one.who);
      one.admit();
    }
  }

  function inPlace<T>(who: string, work: () => Promise<T>): Promise<T> {
    const leave = () => {
      working.splice(working.indexOf(who), 1);
      next();
    };
    const done = work();
    withTimeout(done, limits.longestMs).then(leave, leave);
    return done;
  }

  return {
    async take<T>(who: string, work: () => Promise<T>): Promise<T> {
      const own = waiting.filter((one) => one.who === who).length;
      if (waiting.length >= limits.waiting || own >= limits.waitingEach)
        throw new Problem("unavailable", words.full, { headers: RETRY });
      let place: Waiting | undefined;
      const admitted = new Promise<void>((admit) => {
        place = { who, admit };
        waiting.push(place);
      });
      const asked = admitted.then(() => inPlace(who, work));
      next();
      const found = await withTimeout(
        asked.then((answer) => ({ answer })),
        limits.patienceMs,
      );
      if (found !== null) return found.answer;
      waiting = waiting.filter((other) => other !== place);
      throw new Problem("unavailable", words.late, { headers: RETRY });
    },
  };
}

/** Visitors take turns; signed-in callers start at once. */
export function inTurn<T>(
  { turns }: { turns: Turns },
  c: Ctx,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  return caller.kind === "visitor" ? turns.take(bucketOf(c.get("client")), work) : work();
}
