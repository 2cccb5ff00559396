/**
 * Suggests EDTF for a date that is not EDTF. Only readings beyond doubt, or both of two, because users accept
 * suggestions without checking.
 */
import { fold } from "./date-tokens.ts";
import { readWrittenDate } from "./written-dates.ts";

/** The most readings that are useful. */
const MOST = 2;

/** Two numbers and a year, in an order that differs from country to country. */
const NUMERIC = /(?<!\d)(\d{1,2})([-/])(\d{1,2})\2(?=\d{4}(?!\d))/g;
/** A year and a number that may be a month, or the year in which a range ends. */
const SHORT = /^(\d{4}) ?[-/] ?(0?[1-9]|1[0-2])$/;
/** `1900s`: ten years or a hundred. */
const HUNDRED = /\b(\d\d00)'?s\b/g;
/** A number of three digits, which is a year only where an era says so; 197- is a decade. */
const THREE_DIGITS = /(?<!\d)\d{3}(?![\d-])/;
const ERA = /\b(ad|bc)\b/;

export function suggestDates(text: string): string[] {
  const folded = fold(text.trim());
  if (THREE_DIGITS.test(folded) && !ERA.test(folded)) return [];
  const ways = [...new Set(waysToRead(text.trim()))];
  const read = new Set(ways.flatMap((way) => readWrittenDate(way, "de")?.edtf ?? []));
  return read.size > MOST ? [] : [...read];
}

/** The text with everything that can be read in two ways written in one; the day before the month. */
function waysToRead(text: string): string[] {
  const short = SHORT.exec(text);
  if (short) return [`${short[1]}-${short[2]!.padStart(2, "0")}`, text];
  const orders = ordersOf(text);
  const swapped = text.replace(NUMERIC, (_all, a: string, sign: string, b: string) => b + sign + a + sign);
  const ordered = [...(orders.dayFirst ? [text] : []), ...(orders.monthFirst ? [swapped] : [])];
  return ordered.flatMap((each) => [each.replace(HUNDRED, "$1er"), each]);
}

/** Several dates in one text have the same order, so one of them may settle all. */
function ordersOf(text: string): { dayFirst: boolean; monthFirst: boolean } {
  const dates = [...text.matchAll(NUMERIC)].map(([, a, , b]) => [Number(a), Number(b)] as const);
  return {
    dayFirst: dates.every(([, month]) => month <= 12),
    monthFirst: dates.length > 0 && dates.every(([month]) => month <= 12),
  };
}
