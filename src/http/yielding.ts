/** Runs long work in small steps, with pauses in which other requests are answered. */

/** After this much work, there is a pause. */
const WORK_MS = 20;
/** If it took this long because of a long step, the pause is as long. */
const LONG_MS = 40;

/** Returns a function that does one step of the work, and then pauses if it is time. */
export function yieldingRunner(): <T>(work: () => T) => Promise<T> {
  let worked = 0;
  return async (work) => {
    const begun = performance.now();
    const done = work();
    worked += performance.now() - begun;
    if (worked < WORK_MS) return done;
    const rest = worked < LONG_MS ? 0 : worked;
    worked = 0;
    await new Promise((resolve) => setTimeout(resolve, rest));
    return done;
  };
}
