/** Days of the proleptic Gregorian calendar with astronomical years, without the limits of `Date`. */

export interface Day {
  year: number;
  month: number;
  day: number;
}

export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01, in eras of 400 years that begin in March, so that the leap day comes last. */
export function dayNumber({ year, month, day }: Day): number {
  const y = month > 2 ? year : year - 1;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const days = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear + era * 146097 - 719468;
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, days));
}

const two = (n: number): string => String(n).padStart(2, "0");

export function isoDay({ year, month, day }: Day): string {
  const digits = String(Math.abs(year)).padStart(4, "0");
  return `${year < 0 ? "-" : digits.length > 4 ? "+" : ""}${digits}-${two(month)}-${two(day)}`;
}

/** Whether a number matches a month or day such as `04` or `1X`; undefined matches any. */
type Fits = (value: number) => boolean;

function mask(text: string | undefined): Fits {
  if (text === undefined) return () => true;
  const exact = Number(text);
  if (!Number.isNaN(exact)) return (value) => value === exact;
  return (value) => {
    const digits = String(value).padStart(text.length, "0");
    for (let i = 0; i < text.length; i++) if (text[i] !== "X" && text[i] !== digits[i]) return false;
    return true;
  };
}

/** How many matching years are tried for a leap day: if none of the first hundred has one, no matching year has. */
const MOST_YEARS = 100;

/**
 * The first or last day that fits the masks: `19XX-02-29` begins in 1904, `1921-02-29` never. The year 0 is 1 BC, so
 * it belongs to the century `-00XX` and not to `00XX`, and likewise to one decade and one millennium.
 */
export function edge(minus: boolean, parts: readonly (string | undefined)[], last: boolean): Day | null {
  const [years = "", months, days] = parts;
  const [isMonth, isDay] = [mask(months), mask(days)];
  const unknown = years.split("X").length - 1;
  const fitting = 10 ** unknown;
  const down = last !== minus;
  const beginsInYearOne = !minus && unknown > 0 && years.startsWith("0");
  for (let i = 0; i < Math.min(fitting, MOST_YEARS); i++) {
    const digits = String(down ? fitting - 1 - i : i).padStart(unknown, "0");
    let at = 0;
    const value = Number(years.replaceAll("X", () => digits[at++]!));
    if (value === 0 && beginsInYearOne) continue;
    const year = minus && value > 0 ? -value : value;
    for (let j = 1; j <= 12; j++) {
      const month = last ? 13 - j : j;
      if (!isMonth(month)) continue;
      const size = daysIn(year, month);
      for (let k = 1; k <= size; k++) {
        const day = last ? size + 1 - k : k;
        if (isDay(day)) return { year, month, day };
      }
    }
    // all years have the same days except for the leap day
    if (!isMonth(2) || !isDay(29)) return null;
  }
  return null;
}

const monthFormats = new Map<string, Intl.DateTimeFormat>();

export function monthName(month: number, language: string): string {
  let format = monthFormats.get(language);
  if (!format) {
    format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
    monthFormats.set(language, format);
  }
  return format.format(new Date(Date.UTC(2000, month - 1, 1)));
}
