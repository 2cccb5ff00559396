/** Dates of today's life in the reader's language: 31 January 2026. Those of objects are in `records/dates/in-words.ts`. */
import { type Language, translator } from "./translate.ts";

/** ECMA-402 has "1 décembre", but French writes "1er décembre". */
export function datesOf(language: Language, options: Intl.DateTimeFormatOptions): (day: Date) => string {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options);
  return (day) =>
    format
      .formatToParts(day)
      .map(({ type, value }) =>
        type === "day" && value === "1" ? translator(language)("date.dayOfMonth", { day: 1 }) : value,
      )
      .join("");
}
