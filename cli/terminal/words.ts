/** Prints messages in the language of the terminal: `LC_ALL`, `LC_MESSAGES`, `LANG`, in this order (POSIX.1-2024, 8.2). */
import "../../src/adapters/catalogues.ts";
import process from "node:process";
import { languageFor } from "../../src/http/answer/negotiate.ts";
import { type SaidValues, said, say, type Told, toldText } from "../../src/messages/said.ts";
import { type Language, type MessageKey, translator } from "../../src/messages/translate.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `de_DE.UTF-8` is German; `C`, `POSIX` and languages without a catalogue are English. */
export function languageIn({ LC_ALL, LC_MESSAGES, LANG }: Environment): Language {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((each) => each) ?? "C";
  return languageFor(locale.split(/[.@]/)[0]!.replace("_", "-"));
}

export const words = () => translator(languageIn(process.env));

/** In the language of the terminal. */
export const inWords = (told: Told): string => say(words(), told);

export const print = (told: Told): void => console.log(inWords(told));

/** Prints on standard error, which keeps standard output for the result. */
export const printAside = (told: Told): void => console.error(inWords(told));

/** A help text as an encoded string, because citty accepts only strings. `help.ts` translates and wraps it. */
export const help = (key: MessageKey, values?: SaidValues): string => toldText(said(key, values));
