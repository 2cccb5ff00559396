/** Long work in small steps: after some milliseconds it pauses, so that other requests are answered. */

const KEPT_MS = 20;
/** After a single step of this length, the pause is as long as the step. */
const LONG_MS = 40;

/** Returns a function that does a step of the work, and then pauses if it is time. */
export function yieldingRunner(): <T>(work: () => T) => Promise<T> {
  let kept = 0;
  return async (work) => {
    const begun = performance.now();
    const done = work();
    kept += performance.now() - begun;
    if (kept < KEPT_MS) return done;
    const rest = kept < LONG_MS ? 0 : kept;
    kept = 0;
    await new Promise((resolve) => setTimeout(resolve, rest));
    return done;
  };
}
