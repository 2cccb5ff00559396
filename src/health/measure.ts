/** Asks one dependency whether it is well, with bounded patience and never twice at once. */
import { errorFields, type Log } from "../log.ts";
import { reasonOf } from "./reason.ts";

/** How long a report waits for one dependency. */
export const PATIENCE_MS = 2_000;
/** After this long a question that got no answer is forgotten and asked again. */
const FORGOTTEN_MS = 30_000;

/** `ok`, or a short reason. */
export type Measure = () => Promise<string>;

/** @param ask rejects when the dependency is not well. */
export function measure(name: string, ask: () => Promise<unknown>, log: Log): Measure {
  let pending: { since: number; answer: Promise<unknown> } | null = null;
  let before = "ok";

  /** A question that still hangs is waited for, so that a dependency which does not answer is not buried in them. */
  function answer(): Promise<unknown> {
    if (pending && performance.now() - pending.since < FORGOTTEN_MS) return pending.answer;
    const asked = { since: performance.now(), answer: Promise.resolve().then(ask) };
    pending = asked;
    const done = () => {
      if (pending === asked) pending = null;
    };
    asked.answer.then(done, done);
    return asked.answer;
  }

  return async () => {
    let error: unknown;
    const now = await within(answer(), PATIENCE_MS).then(
      () => "ok",
      (thrown) => {
        error = thrown;
        return reasonOf(thrown);
      },
    );
    // one line when it changes, not one a measurement
    if (now !== before && now === "ok") log.info("dependency is well again", { dependency: name });
    if (now !== before && now !== "ok") {
      log.warn("dependency is not well", { dependency: name, reason: now, ...errorFields(error) });
    }
    before = now;
    return now;
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException(`no answer within ${ms} ms`, "TimeoutError")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
