/** EDTF in words: "about 1887", "um 1887", "vers 1887". Every date that `edtf.ts` reads has words, without a sign of EDTF. */
import { type Translate, translator } from "../../messages/translate.ts";
import { parseEdtf } from "./edtf.ts";

/** `about` is any date that is not certain, `span` one that is said by its first and last year, month or day. */
type Form =
  | "year"
  | "month"
  | "day"
  | "season"
  | "quarter"
  | "half"
  | "decade"
  | "century"
  | "millennium"
  | "span"
  | "about";

/** `number`: that of the day, month, season, year, century or millennium; articles may elide: "fino all’XI secolo". */
type Worded = { text: string; form: Form; number?: number };

/** Returns the text unchanged if it is not EDTF. */
export function dateInWords(text: string, language: string): string {
  const edtf = parseEdtf(text)?.edtf;
  return edtf === undefined ? text : read(edtf, translator(language));
}

function read(edtf: string, t: Translate): string {
  if (/^[[{]/.test(edtf)) return readSet(edtf, t);
  const [start = "", end] = edtf.split("/");
  return end === undefined ? readOne(start, t).text : readRange(start, end, t);
}

function readSet(edtf: string, t: Translate): string {
  const items = edtf
    .slice(1, -1)
    .split(",")
    .map((item) => {
      const [start = "", end] = item.split("..");
      return end === undefined ? readOne(start, t).text : readRange(start, end, t);
    });
  const last = items.pop()!;
  const word = t(edtf.startsWith("[") ? "date.or" : "date.and");
  return items.length === 0 ? last : `${items.join(", ")} ${word} ${last}`;
}

const MARKED = /[?~%]/g;
/** Nothing of the date is known. `XX85` and `XXXX-1X` have no plain words either. */
const UNKNOWN = /^(\.\.|-?X[\dX]{3}(-(?=\d?X).*)?)?$/;

/** Without marks, time, and what is unknown at its end. */
const plainly = (date: string) => date.replace(MARKED, "").replace(/T.*|(-XX)+$/, "");

/** Whether all that can be said of a date (EDTF) is that it is unknown. */
export const isUnknownDate = (edtf: string): boolean => UNKNOWN.test(plainly(edtf));

function readRange(start: string, end: string, t: Translate): string {
  const [mark, other] = [start, end].map((side) => /^[^?~%]+([?~%])$/.exec(side)?.[1]);
  // said once for both
  if (mark && mark === other) {
    const text = readRange(start.slice(0, -1), end.slice(0, -1), t);
    return marked({ text, form: "span" }, mark, t);
  }
  const age = readAge(start, end, t);
  if (age) return age;
  const [from, to] = [start, end].map((side) => (UNKNOWN.test(plainly(side)) ? null : readOne(side, t)));
  if (!from) return to ? t("date.until", asValues(to)) : t("date.unknown");
  if (!to) return t("date.from", asValues(from));
  // a dash would say "about" of both, or stand beside another
  if (from.form === "about" || from.form === "span" || to.form === "span" || end.endsWith("%"))
    return `${t("date.from", asValues(from))} ${t("date.until", asValues(to))}`;
  return joined(from.text, to.text, t);
}

/** Eight also for 80 and 800, eleven for 11,000: so these begin when they are said, which articles heed. */
const saidFirst = (number = 0): number =>
  Number(/^(8|11(?=(?:\d{3})+$))/.exec(String(number))?.[1] ?? number);
const asValues = ({ text, form, number }: Worded) => ({ date: text, form, number: saidFirst(number) });

const YEAR = /^(?:(-?\d{4})|Y(-\d+))$/;

/** Centuries and millennia without a mask in EDTF: those beside the year 1, and those before 10000 BC. */
function readAge(start: string, end: string, t: Translate): string | null {
  const [from = Number.NaN, to = Number.NaN] = [start, end].map((side) => {
    const [, plain, long] = YEAR.exec(side) ?? [];
    return Number(plain ?? long ?? Number.NaN);
  });
  const isBefore = to <= 0;
  const size = to - from + 1;
  if ((size !== 100 && size !== 1000) || to % size !== 0 || (!isBefore && from !== 1)) return null;
  return age(size === 100 ? "century" : "millennium", isBefore ? (1 - from) / size : 1, isBefore, t);
}

function age(form: "century" | "millennium", number: number, isBefore: boolean, t: Translate): string {
  const text = t(`date.${form}`, { number, roman: roman(number) });
  return isBefore ? t("date.bc", { year: text }) : text;
}

/** Digits, with the signs between thousands. */
const NUMBER = /^\d+(\D\d{3})*$/;

function joined(from: string, to: string, t: Translate): string {
  if (from === to) return from;
  // "151–51 BC", "AD 79–120": the era is said once
  for (const era of ["date.bc", "date.ad"] as const) {
    const [before = "", after = ""] = t(era, { year: "\n" }).split("\n");
    const [first, last] = [from, to].map((date) =>
      date.startsWith(before) && date.endsWith(after)
        ? date.slice(before.length, -after.length || undefined)
        : null,
    );
    const until = last ?? (era === "date.ad" && /^\d+$/.test(to) ? to : null);
    if (first && until) return t(era, { year: joined(first, until, t) });
    if (first && /^\d+$/.test(to)) return `${from} – ${t("date.ad", { year: to })}`;
    if (first || last) return `${from} – ${to}`;
  }
  if (NUMBER.test(from) && NUMBER.test(to)) return `${from}–${to}`;
  const own = withoutSameEnd(from, to);
  // "1884–30 January" would be days
  const isClose = own !== from && /^\d+\.?$/.test(own) && /^\d/.test(to);
  return isClose ? `${own}–${to}` : `${own} – ${to}`;
}

/** "12–30 June 1911", "May – September 1889": what both say at their end is said once. */
function withoutSameEnd(from: string, to: string): string {
  const words = from.split(" ");
  const others = to.split(" ");
  while (words.length > 1 && others.length > 1 && words.at(-1) === others.at(-1)) {
    words.pop();
    others.pop();
  }
  return words.join(" ");
}

function readOne(date: string, t: Translate): Worded {
  const plain = plainly(date);
  if (UNKNOWN.test(plain)) return { text: t("date.unknown"), form: "year" };
  const words = readPlain(plain, t);
  // the digits after S are not certain
  const mark = (/[~%S]/.test(date) ? "~" : "") + (/[?%]/.test(date) ? "?" : "");
  return mark === "" ? words : { text: marked(words, mark, t), form: "about" };
}

/** `mark`: `~` and `?` or both, which is `%`. */
function marked(words: Worded, mark: string, t: Translate): string {
  if (mark === "?") return t("date.perhaps", asValues(words));
  const about = t("date.about", asValues(words));
  return mark === "~" ? about : `${about} (?)`;
}

function readPlain(date: string, t: Translate): Worded {
  const [, years, exponent = "0"] = /^Y?(-?\d+)(?:E(\d+))?(?:S\d+)?$/.exec(date) ?? [];
  if (years !== undefined) {
    const number = Number(years) * 10 ** Number(exponent);
    return { text: oneYear(number, t), form: "year", number: number > 0 ? number : 1 - number };
  }
  const [, year = "", month, day] = /^(-?[\dX]{4})(?:-(..)(?:-(..))?)?$/.exec(date)!;
  const isUnknown = UNKNOWN.test(year);
  if (month === undefined) return severalYears(year, t);
  // part of a month or of its days
  if (!isUnknown && `${month}${day ?? ""}`.includes("X")) return span(date, t);
  const known = isUnknown ? t("date.year_unknown") : readPlain(year, t).text;
  return ofYear(month, day, year.includes("X") ? `(${known})` : known, t);
}

/**
 * Years of EDTF are astronomical: 0000 is 1 BC. A year below 100 says its era: "79" could be that of any century. Italians also
 * read "800" as the 19th century.
 */
function oneYear(year: number, t: Translate): string {
  const number = year > 0 ? year : 1 - year;
  const written = number > 9999 ? number : String(number);
  if (year <= 0) return t("date.bc", { year: written });
  return year < (t.language === "it" ? 1000 : 100) || year > 9999
    ? t("date.ad", { year: written })
    : String(year);
}

/** `18XX` is the 19th century, as catalogues count. */
function severalYears(year: string, t: Translate): Worded {
  const [, before, known = ""] = /^(-?)(\d+)X+$/.exec(year) ?? [];
  const number = Number(known);
  if (known.length === 1 || known.length === 2) {
    const form = known.length === 2 ? "century" : "millennium";
    return { text: age(form, number + 1, before === "-", t), form, number: number + 1 };
  }
  // the words for ten years would mean a hundred, or the decade of another century
  if (known.length < 3 || before === "-" || number < 10 || number % 10 === 0) return span(year, t);
  return { text: t("date.decade", { first: String(number * 10) }), form: "decade" };
}

/** From the first to the last day that it can be, each with the parts that are written: "10–19 May 1560", "130–121 BC". */
function span(date: string, t: Translate): Worded {
  const { earliest, latest } = parseEdtf(date)!;
  const unwritten = 10 - date.replace(/^-/, "").length;
  const [from, to] = [earliest!, latest!].map(
    (end) => readPlain(end.slice(0, end.length - unwritten), t).text,
  );
  return { text: joined(from!, to!, t), form: "span" };
}

function ofYear(month: string, day: string | undefined, year: string, t: Translate): Worded {
  const number = Number(month);
  if (number > 12) return readSeason(number, year, t);
  const values = { month: monthName(number, t.language), year };
  return day === undefined || day.includes("X")
    ? { text: t("date.month", values), form: "month", number }
    : { text: t("date.day", { ...values, day: Number(day) }), form: "day", number: Number(day) };
}

function readSeason(number: number, year: string, t: Translate): Worded {
  if (number <= 32) {
    const season = (((number - 21) % 4) + 1) as 1 | 2 | 3 | 4;
    return { text: t(`date.season${season}`, { year }), form: "season", number: season };
  }
  if (number <= 36) return { text: t("date.quarter", { number: number - 32, year }), form: "quarter" };
  if (number <= 39) return { text: t("date.third", { number: number - 36, year }), form: "quarter" };
  return { text: t("date.half", { number: number - 39, year }), form: "half" };
}

const monthFormats = new Map<string, Intl.DateTimeFormat>();

function monthName(month: number, language: string): string {
  let format = monthFormats.get(language);
  if (!format) {
    format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
    monthFormats.set(language, format);
  }
  return format.format(new Date(Date.UTC(2000, month - 1, 1)));
}

/** Up to 100; other numbers as they are. */
function roman(number: number): string {
  if (number > 100) return String(number);
  const tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC", "C"][Math.floor(number / 10)];
  return `${tens}${["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][number % 10]}`;
}
