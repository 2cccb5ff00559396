/** Checks one dependency, with a timeout and never twice at the same time. */

import { errorFields, type Log } from "../log.ts";
import { type Said, say } from "../messages/said.ts";
import { ENGLISH } from "../messages/translate.ts";
import { withTimeout } from "../with-timeout.ts";
import { reasonOf } from "./reason.ts";

/** Milliseconds that a report waits for one dependency. */
const PATIENCE_MS = 2_000;
/** Milliseconds after which a check without an answer is given up and repeated. */
const FORGOTTEN_MS = 30_000;

/** `ok`, or a short reason. */
export type Measure = () => Promise<Said | "ok">;

/** @param ask rejects if the dependency is not healthy. */
export function measure(name: string, ask: () => Promise<unknown>, log: Log): Measure {
  let pending: { since: number; answer: Promise<unknown> } | null = null;
  let before = "ok";

  /** If a check still hangs, no second one starts, so that a dependency that does not answer is not flooded. */
  function answer(): Promise<unknown> {
    if (pending && performance.now() - pending.since < FORGOTTEN_MS) return pending.answer;
    const running = { since: performance.now(), answer: Promise.resolve().then(ask) };
    pending = running;
    const done = () => {
      if (pending === running) pending = null;
    };
    running.answer.then(done, done);
    return running.answer;
  }

  return async () => {
    let error: unknown = new DOMException(`no answer within ${PATIENCE_MS} ms`, "TimeoutError");
    const told = answer().then(
      (): Said | "ok" => "ok",
      (thrown) => {
        error = thrown;
        return reasonOf(thrown);
      },
    );
    const now = (await withTimeout(told, PATIENCE_MS)) ?? reasonOf(error);
    const reason = say(ENGLISH, now);
    // one line per change, not per check
    if (reason !== before && now === "ok") log.info("dependency is healthy again", { dependency: name });
    if (reason !== before && now !== "ok") {
      log.warn("dependency is not healthy", { dependency: name, reason, ...errorFields(error) });
    }
    before = reason;
    return now;
  };
}
