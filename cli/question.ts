/** Questions to whoever sits at the terminal. */
import { createInterface } from "node:readline/promises";
import { Refusal } from "../src/refusal.ts";
import { INTERRUPTED } from "./stop-signals.ts";

export type Ask = (question: string) => Promise<string>;

/** Whether somebody is there who can answer. */
export function isSomebodyThere(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

/** Asks on standard error, so that standard output has the result only. Ctrl-C and Ctrl-D end the command. */
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
