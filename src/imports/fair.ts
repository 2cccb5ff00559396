/** Work that others need not wait for: the thread is theirs after some milliseconds, and as long as it was kept from them. */

const KEPT_MS = 20;
/** A single piece of work of this length is paid back. */
const LONG_MS = 40;

/** Does one piece of work after the other, and rests between them. */
export function fairly(): <T>(work: () => T) => Promise<T> {
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
