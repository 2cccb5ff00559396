/** Names that the installation gives to its fields, subtypes and terms, in the reader's language. */
import type { Language } from "./messages.ts";
import type { Text } from "./texts.ts";

/** English, then any language, stands in for a missing one; `name` for none at all. */
export function labelText(labels: Readonly<Record<string, string>>, language: Language, name: string): Text {
  const lang = [language, "en", ...Object.keys(labels)].find((tag) => labels[tag] !== undefined);
  return lang === undefined ? { value: name } : { value: labels[lang]!, lang };
}

/** The same where a language cannot be told. */
export const labelIn = (...given: Parameters<typeof labelText>): string => labelText(...given).value;
