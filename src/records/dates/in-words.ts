/** EDTF in words: "about 1887", "um 1887", "vers 1887". Every date that `edtf.ts` reads has words, without a sign of EDTF. */
import { type Translate, translator } from "../../messages/translate.ts";
import { parseEdtf } from "./edtf.ts";

/** `span` is said by its first and last year, month or day. */
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
  | "span";

/**
 * `number`: that of the day, month, season, year, century or millennium; articles may elide: "fino all’XI secolo". `count`: of
 * centuries or decades. What makes a date uncertain is not in its text.
 */
type Worded = {
  text: string;
  form: Form;
  number?: number;
  count?: number;
  isAbout?: boolean;
  isDoubted?: boolean;
};

/** Returns the text unchanged if it is not EDTF. `isLife`: each end says what makes it uncertain, "about 1811 – about 1869". */
export function dateInWords(text: string, language: string, isLife = false): string {
  const edtf = parseEdtf(text)?.edtf;
  if (edtf === undefined) return text;
  const t = translator(language);
  return /^[[{]/.test(edtf) ? readSet(edtf, t) : read(edtf.split("/"), t, isLife);
}

const read = ([start = "", end]: string[], t: Translate, isLife = false): string =>
  end === undefined ? said(readOne(start, t), t) : readRange(start, end, t, isLife);

function readSet(edtf: string, t: Translate): string {
  const items = edtf
    .slice(1, -1)
    .split(",")
    .map((item) => read(item.split(".."), t));
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

function readRange(start: string, end: string, t: Translate, isLife: boolean): string {
  const [from, to] = readEnds(start, end, t);
  if (!from && !to) return t("date.unknown");
  if (!from || !to) return openRange(from ? "date.from" : "date.until", (from ?? to)!, t);
  const isCertain = !to.isAbout && !to.isDoubted;
  const isShared = from.isAbout === to.isAbout && from.isDoubted === to.isDoubted && (isCertain || !isLife);
  const age = isShared && !isLife && readAge(plainly(start), plainly(end), t);
  if (age) return said({ ...from, ...age }, t);
  // a dash would stand beside another, or say "about" of both
  if (from.form === "span" || to.form === "span" || (isCertain && from.isAbout && !isLife))
    return t("date.span", {
      ...values(to.isAbout ? { ...to, form: "span" } : to),
      from: said(from, t, true),
      to: said(to, t, true),
    });
  if (!isShared) return `${said(from, t, isCertain && !isLife)} – ${said(to, t)}`;
  const isOfOneKind = from.form === to.form && start.startsWith("-") === end.startsWith("-");
  const [first, last] = isOfOneKind ? readEnds(start, end, t, 2) : [from, to];
  return said({ ...first!, text: joined(first!.text, last!.text, t, first!.count) }, t);
}

/** Null for an end that is open or unknown. */
function readEnds(start: string, end: string, t: Translate, count = 1): (Worded | null)[] {
  const ends = [start, end].map((side) => (UNKNOWN.test(plainly(side)) ? null : readOne(side, t, count)));
  const to = ends[1];
  const isBare = to && (to.form === "year" ? NUMBER.test(to.text) : /century|millennium/.test(to.form));
  if (isBare && /^(-|0000)/.test(start) && !/^(-|0000)/.test(end))
    to.text = t("date.ad", { year: to.text, form: to.form });
  return ends;
}

function openRange(key: "date.from" | "date.until", end: Worded, t: Translate): string {
  const isAbout = String(end.isAbout);
  const date = t(key, { ...values(end), isAbout, about: about(end, t, "inside") });
  return end.isDoubted ? t("date.perhaps", { date, form: "span", count: 1 }) : date;
}

/** Eight also for 80 and 800, eleven for 11,000: so these begin when they are said, which articles heed. */
const saidFirst = (number = 0): number =>
  Number(/^(8|11(?=(?:\d{3})+$))/.exec(String(number))?.[1] ?? number);

const YEAR = /^(?:(-?\d{4})|Y(-\d+))$/;

/** Centuries and millennia without a mask in EDTF: those beside the year 1, and those before 10000 BC. */
function readAge(start: string, end: string, t: Translate): Worded | null {
  const [from = Number.NaN, to = Number.NaN] = [start, end].map((side) => {
    const [, plain, long] = YEAR.exec(side) ?? [];
    return Number(plain ?? long ?? Number.NaN);
  });
  const isBefore = to <= 0;
  const size = to - from + 1;
  if ((size !== 100 && size !== 1000) || to % size !== 0 || (!isBefore && from !== 1)) return null;
  return age(size === 100 ? "century" : "millennium", isBefore ? (1 - from) / size : 1, isBefore, t);
}

function age(
  form: "century" | "millennium",
  number: number,
  isBefore: boolean,
  t: Translate,
  count = 1,
): Worded {
  const text = t(`date.${form}`, { number, roman: roman(number), count });
  return { text: isBefore ? t("date.bc", { year: text }) : text, form, number, count };
}

/** Digits, with the signs between thousands, or Roman; an ordinal, a decade. */
const NUMBER = /^(\d+(\D\d{3})*|[IVXLC]+)(\.|er?|st|nd|rd|th|s)?$/;

/** `count`: whether both are of the same kind, so that their first words may be said once, too: "années 1920–1930". */
function joined(from: string, to: string, t: Translate, count = 1): string {
  if (from === to) return from;
  // "151–51 BC", "AD 79–120": the era is said once
  for (const era of ["date.bc", "date.ad"] as const) {
    const [before = "", after = ""] = t(era, { year: "\n", form: "year" }).split("\n");
    const [first, last] = [from, to].map((date) =>
      date.startsWith(before) && date.endsWith(after)
        ? date.slice(before.length, -after.length || undefined)
        : null,
    );
    const until = last ?? (era === "date.ad" && /^\d+$/.test(to) ? to : null);
    if (first && until) return t(era, { year: joined(first, until, t, count), form: "year" });
    if (first || last) return `${from} – ${to}`;
  }
  const [words, others] = [from.split(" "), to.split(" ")];
  const end: string[] = [];
  // "12–30 June 1911", "May – September 1889"
  while (words.length > 1 && others.length > 1 && words.at(-1) === others.at(-1)) {
    words.pop();
    end.unshift(others.pop()!);
  }
  const start: string[] = [];
  while (count > 1 && words.length > 1 && others.length > 1 && words[0] === others[0]) {
    words.shift();
    start.push(others.shift()!);
  }
  const [first, last] = [words.join(" "), others.join(" ")];
  const dash = NUMBER.test(first) && NUMBER.test(last) ? "–" : " – ";
  return [...start, `${first}${dash}${last}`, ...end].join(" ");
}

function readOne(date: string, t: Translate, count = 1): Worded {
  const plain = plainly(date);
  if (UNKNOWN.test(plain)) return { text: t("date.unknown"), form: "year" };
  // the digits after S are not certain
  const [isAbout, isDoubted] = [/[~%S]/.test(date), /[?%]/.test(date)];
  return { ...readPlain(plain, t, count), isAbout, isDoubted };
}

const values = ({ text, form, number, count = 1 }: Worded) => ({
  date: text,
  form,
  number: saidFirst(number),
  count,
});

const about = (date: Worded, t: Translate, place: "alone" | "inside"): string =>
  t("date.about", { ...values(date), place });

/** `isInside`: behind a preposition, or before a dash that would doubt both ends: "1829 (?) – 1890". */
function said(date: Worded, t: Translate, isInside = false): string {
  const { text, isAbout, isDoubted } = date;
  const words = isAbout ? about(date, t, isInside ? "inside" : "alone") : text;
  if (!isDoubted) return words;
  if (isInside) return `${words} (?)`;
  return t("date.perhaps", isAbout ? { date: words, form: "span", count: 1 } : values(date));
}

function readPlain(date: string, t: Translate, count = 1): Worded {
  const [, years, exponent = "0"] = /^Y?(-?\d+)(?:E(\d+))?(?:S\d+)?$/.exec(date) ?? [];
  if (years !== undefined) {
    const number = Number(years) * 10 ** Number(exponent);
    return { text: oneYear(number, t), form: "year", number: number > 0 ? number : 1 - number };
  }
  const [, year = "", month, day] = /^(-?[\dX]{4})(?:-(..)(?:-(..))?)?$/.exec(date)!;
  const isUnknown = UNKNOWN.test(year);
  if (month === undefined) return severalYears(year, t, count);
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
    ? t("date.ad", { year: written, form: "year" })
    : String(year);
}

/** `18XX` is the 19th century, as catalogues count. */
function severalYears(year: string, t: Translate, count: number): Worded {
  const [, before, known = ""] = /^(-?)(\d+)X+$/.exec(year) ?? [];
  const number = Number(known);
  if (known.length === 1 || known.length === 2) {
    const form = known.length === 2 ? "century" : "millennium";
    return age(form, number + 1, before === "-", t, count);
  }
  // the words for ten years would mean a hundred, or the decade of another century
  if (known.length < 3 || before === "-" || number < 10 || number % 10 === 0) return span(year, t);
  return { text: t("date.decade", { first: String(number * 10), count }), form: "decade", count };
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
