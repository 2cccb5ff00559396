/** Lets Ctrl-C stop long work cleanly. */
import type { Said } from "../../src/messages/said.ts";
import { Refusal } from "../../src/refusal.ts";
import { INTERRUPTED, onStopSignal } from "./stop-signals.ts";

/** Does the work. Ctrl-C aborts its signal, and the command ends with the message `told`. */
export async function interruptible<T>(told: Said, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const unlisten = onStopSignal(() => stopping.abort());
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    throw new Refusal(told, INTERRUPTED, { cause: error });
  } finally {
    unlisten();
  }
}
