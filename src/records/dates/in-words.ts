/** EDTF in words: "about 1887", "um 1887", "vers 1887". Every date that `edtf.ts` reads has words, without a sign of EDTF. */
import { type Translate, translator } from "../../messages/translate.ts";
import { parseEdtf } from "./edtf.ts";

/** `span` is said by its first and last year, month or day. */
type Form = "year" | "month" | "day" | "season" | "part" | "decade" | "century" | "millennium" | "span";

/** `count`: of centuries or decades. `ends`: the first and last year (month, day). What makes a date uncertain is not in its text. */
type Worded = { text: string; form: Form; count?: number; ends?: [string, string] } & Marks;
type Marks = { isAbout?: boolean; isDoubted?: boolean };

/**
 * `first`: before a dash, where "about" would be said of both ends. `last`: "probably", too, would be said of both. `range`: "about" is
 * said of both, so it cannot stand behind.
 */
type Place = "alone" | "range" | "first" | "last";

/** Returns the text unchanged if it is not EDTF. `isLife`: each end says what makes it uncertain, "about 1811 – 1869 (?)". */
export function dateInWords(text: string, language: string, isLife = false): string {
  const edtf = parseEdtf(text)?.edtf;
  if (edtf === undefined) return text;
  const t = translator(language);
  return /^[[{]/.test(edtf) ? readSet(edtf, t) : read(edtf.split("/"), t, isLife);
}

const read = ([start = "", end]: string[], t: Translate, isLife = false): string =>
  end === undefined
    ? said(readOne(start, t), t, isLife ? "last" : "alone")
    : readRange(start, end, t, isLife);

function readSet(edtf: string, t: Translate): string {
  const items = edtf
    .slice(1, -1)
    .split(",")
    .map((item) => read(item.split(".."), t));
  const last = items.pop()!;
  const word = t(edtf.startsWith("[") ? "date.or" : "date.and", { starts: last.charAt(0) });
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
  const [from, to] = readEnds(start, end, t, isLife);
  const place = isLife ? "last" : "alone";
  if (!from || !to) {
    const only = from ?? to;
    return only ? t(from ? "date.later" : "date.earlier", { date: said(only, t, place) }) : t("date.unknown");
  }
  const isShared = from.isAbout === to.isAbout && from.isDoubted === to.isDoubted;
  const age = isShared && !isLife && readAge(plainly(start), plainly(end), t);
  if (age) return said({ ...from, ...age }, t, "alone");
  const isMarked = to.isAbout || to.isDoubted;
  if (!isShared || (isMarked && (isLife || from.form !== to.form)))
    return `${said(from, t, isLife || to.isAbout ? "last" : "first")} – ${said(to, t, place)}`;
  const isOfOneKind = from.form === to.form && start.startsWith("-") === end.startsWith("-");
  const [first, last] = isOfOneKind ? readEnds(start, end, t, isLife, 2) : [from, to];
  return said(
    { ...first!, text: joined(first!.text, last!.text, t, first!.count) },
    t,
    from.form === "year" ? "alone" : "range",
  );
}

/** Null for an end that is open or unknown. */
function readEnds(start: string, end: string, t: Translate, isLife: boolean, count = 1): (Worded | null)[] {
  const ends = [start, end].map((side) => (UNKNOWN.test(plainly(side)) ? null : readOne(side, t, count)));
  const [from, to] = ends;
  // a dash would stand beside another: "1900–1909 – 1920s"
  const isRun = ({ ends, form }: Worded) => ends !== undefined && form !== "decade";
  if (!isLife && from && to && (isRun(from) || isRun(to))) {
    for (const [index, one] of [from, to].entries())
      if (one.ends) Object.assign(one, { text: one.ends[index], form: "year" });
  }
  const isBare = to && (to.form === "year" ? NUMBER.test(to.text) : /century|millennium/.test(to.form));
  if (isBare && /^(-|0000)/.test(start) && !/^(-|0000)/.test(end))
    to.text = t("date.ad", { year: to.text, form: to.form });
  return ends;
}

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
  return { text: isBefore ? t("date.bc", { year: text }) : text, form, count };
}

/** Digits, with the signs between thousands, or Roman; an ordinal, a decade. */
const NUMBER = /^(\d+(\D\d{3})*|[IVXLC]+)(\.|er?|st|nd|rd|th|s|º)?$/;

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

/** "probably about 1829"; `first`: "1829 (about) (?)"; `last`: "about 1829 (?)". */
function said({ text, form, isAbout, isDoubted }: Worded, t: Translate, place: Place): string {
  const words = isAbout ? t("date.about", { date: text, form, place }) : text;
  if (!isDoubted) return words;
  return place === "alone" || place === "range" ? t("date.perhaps", { date: words }) : `${words} (?)`;
}

function readPlain(date: string, t: Translate, count = 1): Worded {
  const [, years, exponent = "0"] = /^Y?(-?\d+)(?:E(\d+))?(?:S\d+)?$/.exec(date) ?? [];
  if (years !== undefined) {
    return { text: oneYear(Number(years) * 10 ** Number(exponent), t), form: "year" };
  }
  const [, year = "", month, day] = /^(-?[\dX]{4})(?:-(..)(?:-(..))?)?$/.exec(date)!;
  const isUnknown = UNKNOWN.test(year);
  if (month === undefined) return severalYears(year, t, count);
  // part of a month or of its days
  if (!isUnknown && `${month}${day ?? ""}`.includes("X")) return span(date, t);
  const known = isUnknown ? t("date.year_unknown") : readPlain(year, t).text;
  if (!year.includes("X")) return ofYear(month, day, known, t);
  const worded = ofYear(month, day, `(${known})`, t);
  // "mayo de (década de 1560)"
  return { ...worded, text: worded.text.replace(/ (de|of|van) \(/, " (") };
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
  const ends = span(year, t).ends;
  return { text: t("date.decade", { first: String(number * 10), count }), form: "decade", count, ends };
}

/** From the first to the last day that it can be, each with the parts that are written: "10–19 May 1560", "130–121 BC". */
function span(date: string, t: Translate): Worded {
  const { earliest, latest } = parseEdtf(date)!;
  const unwritten = 10 - date.replace(/^-/, "").length;
  const written = (end: string | null) => readPlain(end!.slice(0, end!.length - unwritten), t).text;
  const ends: [string, string] = [written(earliest), written(latest)];
  return { text: joined(...ends, t), form: /\d-/.test(date) ? "day" : "span", ends };
}

function ofYear(month: string, day: string | undefined, year: string, t: Translate): Worded {
  const number = Number(month);
  if (number > 12) return readSeason(number, year, t);
  const values = { month: monthName(number, t.language), year };
  return day === undefined || day.includes("X")
    ? { text: t("date.month", values), form: "month" }
    : { text: t("date.day", { ...values, day: Number(day) }), form: "day" };
}

function readSeason(number: number, year: string, t: Translate): Worded {
  if (number <= 32) {
    const season = (((number - 21) % 4) + 1) as 1 | 2 | 3 | 4;
    return { text: t(`date.season${season}`, { year }), form: "season" };
  }
  if (number <= 36) return { text: t("date.quarter", { number: number - 32, year }), form: "part" };
  if (number <= 39) return { text: t("date.third", { number: number - 36, year }), form: "part" };
  return { text: t("date.half", { number: number - 39, year }), form: "part" };
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
