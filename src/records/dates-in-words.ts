/** EDTF in words: "about 1887", "um 1887", "vers 1887". */
import { type Translate, translator } from "../messages/translate.ts";
import { parseEdtf } from "./edtf.ts";

/** `about` is any date that is not certain. */
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
  | "about";

type Worded = { text: string; form: Form };

/** Returns the text unchanged if it is not EDTF, or has no plain words (level 2's significant digits, for example). */
export function dateInWords(text: string, language: string): string {
  const edtf = parseEdtf(text)?.edtf;
  return (edtf && read(edtf, translator(language))) ?? text;
}

function read(edtf: string, t: Translate): string | null {
  if (/^[[{]/.test(edtf)) return readSet(edtf, t);
  const [start = "", end] = edtf.split("/");
  return end === undefined ? (readOne(start, t)?.text ?? null) : readRange(start, end, t);
}

function readSet(edtf: string, t: Translate): string | null {
  const items = edtf
    .slice(1, -1)
    .split(",")
    .map((item) => {
      const [start = "", end] = item.split("..");
      return end === undefined ? (readOne(start, t)?.text ?? null) : readRange(start, end, t);
    });
  if (items.includes(null)) return null;
  const last = items.pop()!;
  const word = t(edtf.startsWith("[") ? "date.or" : "date.and");
  return items.length === 0 ? last : `${items.join(", ")} ${word} ${last}`;
}

function readRange(start: string, end: string, t: Translate): string | null {
  const [mark, other] = [start, end].map((side) => /^[^?~%]+([?~%])$/.exec(side)?.[1]);
  if (mark && mark === other) {
    // said once for both
    const plain = readRange(start.slice(0, -1), end.slice(0, -1), t);
    return plain === null ? null : marked(plain, mark, t);
  }
  const age = readAge(start, end, t);
  if (age) return age;
  const isSide = (side: string) => side !== "" && side !== "..";
  const from = isSide(start) ? readOne(start, t) : undefined;
  const to = isSide(end) ? readOne(end, t) : undefined;
  if (from === null || to === null || !(from || to)) return null;
  if (!from) return t("date.until", { date: to!.text, form: to!.form });
  if (!to) return t("date.from", { date: from.text, form: from.form });
  // a dash would say "about" of both
  if (from.form === "about" || end.endsWith("%"))
    return t("date.from_to", { from: from.text, to: to.text, form: to.form });
  return joined(from.text, to.text, t("date.bc", { year: "" }));
}

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

function joined(from: string, to: string, era: string): string {
  if (from === to) return from;
  // "151–51 BC": the era is said once
  if (from.endsWith(era) && to.endsWith(era)) return `${from.slice(0, -era.length)}–${to}`;
  if (/^\d+$/.test(from + to)) return `${from}–${to}`;
  const own = withoutSameEnd(from, to);
  return /^\d+\.?$/.test(own) ? `${own}–${to}` : `${own} – ${to}`;
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

const MARKED = /[?~%]/g;

function readOne(date: string, t: Translate): Worded | null {
  const plain = readPlain(date.replace(MARKED, "").replace(/T.*/, ""), t);
  if (plain === null) return null;
  const mark = (/[~%]/.test(date) ? "~" : "") + (/[?%]/.test(date) ? "?" : "");
  return mark === "" ? plain : { text: marked(plain.text, mark, t), form: "about" };
}

/** `mark`: `~` and `?` or both, which is `%`. */
function marked(date: string, mark: string, t: Translate): string {
  if (mark === "?") return t("date.perhaps", { date });
  const about = t("date.about", { date });
  return mark === "~" ? about : `${about} (?)`;
}

function readPlain(date: string, t: Translate): Worded | null {
  const distant = /^Y-(\d{5})$/.exec(date)?.[1];
  if (distant) return { text: t("date.bc", { year: String(Number(distant) + 1) }), form: "year" };
  const [, before, year = "", month = "XX", day = "XX"] =
    /^(-?)([\dX]{4})(?:-([\dX]{2})(?:-([\dX]{2}))?)?$/.exec(date) ?? [];
  const known = readYear(before === "-", year, t);
  if (known === null) return null;
  // part of a month, or of a year that is not known: no words are shorter than the notation
  if (/\dX|X\d/.test(`${month} ${day}`) || (month !== "XX" && year.includes("X"))) return null;
  if (month === "XX") return day === "XX" ? known : null;
  if (Number(month) > 12) return readSeason(Number(month), known.text, t);
  const values = { day: Number(day), month: monthName(Number(month), t.language), year: known.text };
  return day === "XX"
    ? { text: t("date.month", values), form: "month" }
    : { text: t("date.day", values), form: "day" };
}

/** Years of EDTF are astronomical: 0000 is 1 BC. `18XX` is the 19th century, as catalogues count. */
function readYear(isBefore: boolean, year: string, t: Translate): Worded | null {
  const known = /^\d*/.exec(year)![0];
  if (known.length === 0 || !/^\d+X*$/.test(year)) return null;
  const number = Number(known);
  if (known.length === 4) {
    const isBc = isBefore || number === 0;
    return { text: isBc ? t("date.bc", { year: String(number + 1) }) : String(number), form: "year" };
  }
  if (known.length === 3 && isBefore) return null;
  if (known.length === 3) {
    const first = number * 10;
    // the words for ten years would mean a hundred
    if (first % 100 === 0) return { text: `${first}–${first + 9}`, form: "year" };
    return { text: t("date.decade", { first: String(first) }), form: "decade" };
  }
  const form = known.length === 2 ? "century" : "millennium";
  return { text: age(form, number + 1, isBefore, t), form };
}

function readSeason(number: number, year: string, t: Translate): Worded | null {
  if (number >= 21 && number <= 32) {
    const season = (((number - 21) % 4) + 1) as 1 | 2 | 3 | 4;
    return { text: t(`date.season${season}`, { year }), form: "season" };
  }
  if (number >= 33 && number <= 36)
    return { text: t("date.quarter", { number: number - 32, year }), form: "quarter" };
  return number >= 40 ? { text: t("date.half", { number: number - 39, year }), form: "half" } : null;
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
