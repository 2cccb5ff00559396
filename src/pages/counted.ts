/** Messages with a number that a script of the pages counts. */
import type { MessageKey, Translate } from "../messages/translate.ts";

/** The message in every plural form of the language; `counted` of `photos-words.js` inserts the number. */
export function formsOf(t: Translate, key: MessageKey): Record<string, string> {
  const rules = new Intl.PluralRules(t.language);
  return Object.fromEntries(
    [100, 11, 5, 3, 2, 1, 0].map((count) => [rules.select(count), t(key, { count })]),
  );
}
