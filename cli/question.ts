/** Asks questions at the terminal. */
import { createInterface } from "node:readline/promises";
import { Refusal } from "../src/refusal.ts";
import { INTERRUPTED } from "./stop-signals.ts";

export type Ask = (question: string) => Promise<string>;

/** Whether standard input is a terminal. */
export function isSomebodyThere(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

/** Asks on standard error, so that standard output contains only the result. Ctrl-C and Ctrl-D end the command. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const away = new AbortController();
  let code = 1;
  lines.on("SIGINT", () => {
    code = INTERRUPTED;
    away.abort();
  });
  lines.on("close", () => away.abort());
  try {
    return (await lines.question(question, { signal: away.signal })).trim();
  } catch (error) {
    if (!away.signal.aborted) throw error;
    throw new Refusal("\nNothing was changed", code);
  } finally {
    lines.close();
  }
}
