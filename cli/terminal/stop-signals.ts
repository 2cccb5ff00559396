/** Signals to stop: Ctrl-C, a supervisor, a closed terminal. */

/** The exit code of an interrupted command. */
export const INTERRUPTED = 130;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Milliseconds. npm repeats the Ctrl-C that its program already got: within this time it is the same signal. */
const SAME_SIGNAL = 1_000;

/** Calls `onStop` at the first signal; a later one ends the process at once. Returns a function that stops listening. */
export function onStopSignal(onStop: () => void): () => void {
  let first: number | undefined;
  const listen = () => {
    if (first === undefined) {
      first = performance.now();
      onStop();
    } else if (performance.now() - first > SAME_SIGNAL) process.exit(INTERRUPTED);
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listen);
  };
}
