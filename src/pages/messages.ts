/** The words of the pages in three languages, and which of them a reader gets. */
import { preferredLanguages } from "../http/negotiate.ts";
import { DE } from "./messages-de.ts";
import { EN, type MessageKey, type Messages } from "./messages-en.ts";
import { FR } from "./messages-fr.ts";

export const LANGUAGES = ["en", "de", "fr"] as const;
export type Language = (typeof LANGUAGES)[number];

export const MESSAGES: Readonly<Record<Language, Messages>> = { en: EN, de: DE, fr: FR };

type Values = Readonly<Record<string, string | number>>;
/** Messages that come in two forms, for one and for several. */
type CountedKey = { [K in MessageKey]: K extends `${infer Stem}.one` ? Stem : never }[MessageKey];

export type Translate = {
  /** `{name}` in a message is replaced by the value of that name; numbers are written as the language writes them. */
  (key: MessageKey, values?: Values): string;
  /** The form that the language has for this number, which is `{count}` in it. */
  counted(key: CountedKey, count: number): string;
  language: Language;
};

export function translator(language: Language): Translate {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  const translate = (key: MessageKey, values: Values = {}) =>
    MESSAGES[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return typeof value === "number" ? numbers.format(value) : (value ?? whole);
    });
  const counted = (key: CountedKey, count: number) =>
    translate(`${key}.${plurals.select(count) === "one" ? "one" : "other"}`, { count });
  return Object.assign(translate, { counted, language });
}

/** The best of ours for an Accept-Language header; English when none of them is wanted. */
export function languageFor(header: string | undefined, chosen?: string): Language {
  const wanted = [...(chosen === undefined ? [] : [chosen]), ...preferredLanguages(header)];
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (found) return found;
  }
  return "en";
}
