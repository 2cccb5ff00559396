/** Being asked to stop: by Ctrl-C, by a supervisor, by a terminal that is closed. */

/** The exit code of a command that was. */
export const INTERRUPTED = 130;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Milliseconds. npm passes on the Ctrl-C that its program has had from the terminal already: so soon it is the same. */
const SAME_SIGNAL = 1_000;

/** Calls `asked` at the first signal; a later one does not wait and ends the process. Answers how to listen no more. */
export function onStopSignal(asked: () => void): () => void {
  let first: number | undefined;
  const listen = () => {
    if (first === undefined) {
      first = performance.now();
      asked();
    } else if (performance.now() - first > SAME_SIGNAL) process.exit(INTERRUPTED);
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listen);
  };
}
