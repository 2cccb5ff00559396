/**
 * Background work and requests share one thread, and the session of the embedded database. Without pauses, each query of a request
 * would wait for a step of the work.
 */

const LOOK_MS = 5;
const LONGEST_MS = 1_000;

/**
 * Returns what to call between two steps: it waits while requests are under way, but no longer than the last step took, and at
 * most a second.
 */
export function givingWay(isBusy: () => boolean): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    const ended = performance.now();
    const until = ended + Math.min(ended - begun, LONGEST_MS);
    do await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    while (isBusy() && performance.now() < until);
    begun = performance.now();
  };
}
