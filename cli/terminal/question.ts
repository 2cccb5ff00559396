/** Asks questions at the terminal. */
import { createInterface } from "node:readline/promises";
import { type Said, said } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { Refusal } from "../../src/refusal.ts";
import { INTERRUPTED } from "./stop-signals.ts";
import { inWords, words } from "./words.ts";

export type Ask = (question: Said) => Promise<string>;

/** Accepts the word or its first letter, in the language of the terminal or in English. */
export const isYes = (answer: string): boolean =>
  [words(), ENGLISH].some((t) => t("cli.yes").split(" ").includes(answer.toLowerCase()));

export function isSomebodyThere(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

/** Says what will be deleted and asks the operator to type "delete". Refuses without a terminal. */
export async function demandDelete(what: Said, more?: Said): Promise<void> {
  if (!isSomebodyThere()) throw new Refusal(said("cli.no_terminal", { what }));
  console.error(more === undefined ? inWords(what) : `${inWords(what)}.\n${inWords(more)}`);
  const word = "delete";
  if ((await ask(said("cli.type_word", { word }))) !== word) throw new Refusal(said("cli.nothing_changed"));
}

/** Refuses without a terminal. */
export async function demandYes(question: Said): Promise<void> {
  if (!isSomebodyThere()) throw new Refusal(said("cli.schema.no_terminal"));
  if (!isYes(await ask(question))) throw new Refusal(said("cli.nothing_changed"));
}

/** Asks on standard error, which keeps standard output for the result. Ctrl-C and Ctrl-D end the command. */
export async function ask(question: Said): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const away = new AbortController();
  let code = 1;
  lines.on("SIGINT", () => {
    code = INTERRUPTED;
    away.abort();
  });
  lines.on("close", () => away.abort());
  try {
    return (await lines.question(`${inWords(question)} `, { signal: away.signal })).trim();
  } catch (error) {
    if (!away.signal.aborted) throw error;
    console.error();
    throw new Refusal(said("cli.nothing_changed"), code);
  } finally {
    lines.close();
  }
}
