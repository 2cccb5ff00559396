/** Formats times, sizes and numbers for the reader's language (ECMA-402). */
import { datesOf } from "../messages/dates.ts";
import { type Language, translator } from "../messages/translate.ts";

export type Formats = {
  /** `digits`: the most digits after the decimal point. */
  number(value: number, digits?: 0 | 1 | 2 | 3 | 4): string;
  /** A decimal number from a record, with all its digits. */
  decimal(text: string): string;
  /** Writes the numbers of a text (`height: 62.5 cm`) with the decimal sign of the language. */
  measure(text: string): string;
  /** In hours, minutes and seconds. */
  duration(seconds: number): string;
  /** @param time ISO 8601 in UTC without offset, as the API gives it */
  time(time: string): string;
  day(time: string): string;
  /** In units of 1,000 (kB, MB …). */
  bytes(value: number): string;
};

/** A number with one point or comma and at most six digits after it. No dates, and no numbers with several of these signs. */
const DECIMAL = /(?<!\d[.,]?)\d+[.,]\d{1,6}(?![.,]?\d)/g;
/** `1,100` may mean 1100 or 1.1. */
const AMBIGUOUS = /^\d{1,3},\d{3}$/;

/** The most digits that all engines accept (ECMA-402). */
const MOST_DIGITS = 20;

const UNITS = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** @param timeZone IANA name, for example `Europe/Berlin` */
export function formatsOf(language: Language, timeZone: string): Formats {
  const numbers = [0, 1, 2, 3, 4].map(
    (digits) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }),
  );
  const sign = numbers[1]!.format(0.5)[1]!;
  const time = datesOf(language, { dateStyle: "medium", timeStyle: "short", timeZone });
  const day = datesOf(language, { dateStyle: "long", timeZone });
  return {
    number: (value, digits = 3) => numbers[digits]!.format(value),
    decimal(text) {
      const digits = Math.min(text.split(".")[1]?.length ?? 0, MOST_DIGITS);
      const format = new Intl.NumberFormat(language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      return format.format(text as `${number}`);
    },
    measure: (text) =>
      text.replace(DECIMAL, (found) => (AMBIGUOUS.test(found) ? found : found.replace(/[.,]/, sign))),
    duration(seconds) {
      const parts = [
        ["hour", Math.floor(seconds / 3600)],
        ["minute", Math.floor((seconds % 3600) / 60)],
        ["second", seconds % 60],
      ] as const;
      const unit = (name: string) =>
        new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short" });
      const said = parts.filter(([, count]) => count > 0);
      return said.map(([name, count]) => unit(name).format(count)).join(" ");
    },
    time: (text) => time(moment(text)),
    day: (text) => day(moment(text)),
    bytes(value) {
      const step = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length);
      // ECMA-402 has "369 byte" in English and Dutch
      if (step === 0) return translator(language)("size.bytes", { count: value });
      return new Intl.NumberFormat(language, {
        style: "unit",
        unit: UNITS[step - 1],
        unitDisplay: "short",
        maximumFractionDigits: 1,
      }).format(value / 1_000 ** step);
    },
  };
}

const moment = (text: string): Date => new Date(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
