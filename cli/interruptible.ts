/** Long work that Ctrl-C stops cleanly. */
import { Refusal } from "../src/refusal.ts";
import { INTERRUPTED, onStopSignal } from "./stop-signals.ts";

/** Does the work. A stop request aborts its signal, and the command ends with `sentence`. */
export async function interruptible<T>(
  sentence: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const unlisten = onStopSignal(() => stopping.abort());
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    throw new Refusal(sentence, INTERRUPTED, { cause: error });
  } finally {
    unlisten();
  }
}
