/**
 * What costs much takes turns, as visitors' searches do: few are done at once, few wait, and none waits long. Whoever asks
 * for much waits behind their own questions, and reading a record waits behind none.
 */
import type { Caller } from "../caller.ts";
import { inTime } from "../in-time.ts";
import { Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { bucketOf } from "./limits.ts";
import type { Ctx } from "./route.ts";

/**
 * How many work at once and how many wait, of all visitors and of one. `patienceMs`: from the question to its answer;
 * `longestMs`: a place is not kept longer, since a connection may have gone silent under it.
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

/** What those are told who cannot wait, and those who have waited in vain. */
export type TurnWords = { full: string; late: string };

const WORDS: TurnWords = {
  full: "Too many searches wait for an answer at the moment",
  late: "This search takes too long at the moment; ask for less, or later",
};

/** The embedded database shares one thread with everybody who reads a record, so half as many search at once there. */
export function turnLimits(database: Services["database"]): TurnLimits {
  return database === "external" ? LIMITS : { ...LIMITS, working: 2, workingEach: 1 };
}

const RETRY = { "Retry-After": "5" };

export type Turns = { take<T>(who: string, work: () => Promise<T>): Promise<T> };

/** `admit` only tells: the work is begun by who asked for it, in whose name and with whose connection it is done. */
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
    inTime(done, limits.longestMs).then(leave, leave);
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
      const found = await inTime(
        asked.then((answer) => ({ answer })),
        limits.patienceMs,
      );
      if (found !== null) return found.answer;
      waiting = waiting.filter((other) => other !== place);
      throw new Problem("unavailable", words.late, { headers: RETRY });
    },
  };
}

/** What a visitor asks for in their turn, and somebody who is signed in at once. */
export function inTurn<T>(
  { turns }: { turns: Turns },
  c: Ctx,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  return caller.kind === "visitor" ? turns.take(bucketOf(c.get("client")), work) : work();
}
