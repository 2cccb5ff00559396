/** Names that the installation gives to its fields, subtypes and terms, in the reader's language. */
import type { Language } from "./messages.ts";

/** English, then any language, stands in for a missing one; `name` for none at all. */
export function labelIn(labels: Readonly<Record<string, string>>, language: Language, name: string): string {
  return labels[language] ?? labels.en ?? Object.values(labels)[0] ?? name;
}
