/** Long lists, grouped by first letter. */
import { html } from "hono/html";
import type { Language } from "../messages/translate.ts";
import type { Html, View } from "../pages/view.ts";
import { sortKey } from "../text.ts";

export type Letter<T> = { letter: string; items: T[] };

/** All digits and signs count as one letter. */
const OTHERS = "#";

export const letterOf = (text: string): string => {
  const [first = ""] = sortKey(text);
  return /\p{L}/u.test(first) ? first.toUpperCase() : OTHERS;
};

/** In the alphabetical order of the language; digits come first. */
export function byLetter<T extends { label: string }>(language: Language, items: readonly T[]): Letter<T>[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const letters = new Map<string, T[]>();
  for (const item of items) {
    const letter = letterOf(item.label);
    letters.set(letter, [...(letters.get(letter) ?? []), item]);
  }
  return [...letters]
    .map(([letter, own]) => ({ letter, items: own.sort((a, b) => compare(a.label, b.label)) }))
    .sort((a, b) => Number(b.letter === OTHERS) - Number(a.letter === OTHERS) || compare(a.letter, b.letter));
}

export function letterMenu(
  { t }: View,
  letters: readonly string[],
  chosen: string | undefined,
  address: (letter: string) => string,
): Html {
  return html`<nav class="letters" aria-label="${t("browse.letters")}"><ul>${letters.map(
    (letter) =>
      html`<li><a href="${address(letter)}" ${letter === chosen ? html`aria-current="true"` : ""}>${letter === "" ? t("browse.everyLetter") : letter}</a></li>`,
  )}</ul></nav>`;
}
