/** EDTF in words: "about 1887", "um 1887", "vers 1887". Every date that `edtf.ts` reads has words, without a sign of EDTF. */
import { type Age, agesOf, endsOfAges, type Found, isNamed, roman } from "./ages.ts";
import { monthName } from "./calendar.ts";
import { parseEdtf } from "./edtf.ts";
import { type Form, type Place, type Say, say, type Worded } from "./wording.ts";

/** Returns the text unchanged if it is not EDTF. */
export const dateInWords = (text: string, language: string): string => inWords(text, say(text, language));

/** Birth and death, or one of them. Each says what makes it uncertain: "about 1811 – 1869 (?)". */
export function lifeInWords(dates: readonly string[], language: string): string {
  const t = say(dates.join("/"), language, true);
  const [from = "", to] = dates.map((date) => inWords(date, t));
  if (to === undefined) return from;
  if (from === to) return dates.every((date) => YEAR.test(date)) ? `${from}–${to}` : from;
  // "AD 23–79", but "12 May AD 23 – 12 May AD 79"
  if (dates.every((date) => YEAR.test(date)) && areOfOneEra(dates[0]!, dates[1]!))
    return joined(from, to, true);
  return [from, to].map((end) => (end.includes(" – ") ? `(${end})` : end)).join(" – ");
}

function inWords(text: string, t: Say): string {
  const edtf = parseEdtf(text)?.edtf;
  if (edtf === undefined) return text;
  return /^[[{]/.test(edtf) ? readSet(edtf, t) : read(edtf.split("/"), t);
}

const read = ([start = "", end]: string[], t: Say, place: Place = "alone"): string =>
  end === undefined ? said(readOne(start, t), t, place) : readRange(...endsOfAges(start, end), t, place);

function readSet(edtf: string, t: Say): string {
  const dates = edtf.slice(1, -1).split(",");
  const marks = new Set(dates.map((date) => `${ABOUT.test(date)} ${DOUBTED.test(date)}`));
  const items = dates.map((date, index) =>
    read(date.split(".."), t, marks.size === 1 ? "alone" : index < dates.length - 1 ? "first" : "last"),
  );
  const last = items.pop()!;
  const isOr = edtf.startsWith("[");
  const wordBefore = (starts: string) => t(isOr ? "date.or" : "date.and", { starts });
  // "19th or 20th century", "siglos XVIII y XIX"
  const [one, other] = /^.-?\d+(X+),-?\d+\1.$/.test(edtf) ? dates.map((date) => readOne(date, t)) : [];
  if (one && other && HAS_ONE_START.test(one.form) && areOfOneEra(dates[0]!, dates[1]!)) {
    // "siglos VII u VIII", as before "ocho" and "once"
    const starts = /\b(VIII|XI)\b/.test(other.text) ? "8" : "";
    return joinedAlike(one, other, !isOr, ` ${wordBefore(starts)} `);
  }
  // "1667 (about) – 1699, or 18th century"
  const comma = items.some((item) => item.includes(" – ")) ? "," : "";
  return items.length === 0 ? last : `${items.join(", ")}${comma} ${wordBefore(startOf(last))} ${last}`;
}

/** On which "o" or "u" before it depends in Spanish, "e" or "ed" in Italian: its first letter, or "11". */
const startOf = (text: string): string => /^(?:11\b|.)/u.exec(text)?.[0] ?? "";

/** The digits after S are not certain. */
const ABOUT = /[~%S]/;
const DOUBTED = /[?%]/;
const MARKED = /[?~%]/g;
/** Nothing of the date is known. `XX85` and `XXXX-1X` have no plain words either. */
const UNKNOWN = /^(\.\.|-?X[\dX]{3}(-(?=\d?X).*)?)?$/;

/** Without marks, time, and what is unknown at its end. */
const plainly = (date: string) => date.replace(MARKED, "").replace(/T.*|(-XX)+$/, "");

/** Whether all that can be said of a date (EDTF) is that it is unknown. */
export const isUnknownDate = (edtf: string): boolean => UNKNOWN.test(plainly(edtf));

const YEAR = /^(-?\d{4}|Y-?\d+)$/;
const areOfOneEra = (start: string, end: string) => isBc(start) === isBc(end);
const isBc = (date: string) => /^(Y?-|0000)/.test(date);

function readRange(start: string, end: string, t: Say, place: Place): string {
  const ages = readAges(start, end, t);
  const [from, to] = ages ?? readEnds(start, end, t);
  if (from && to === undefined) return said(from, t, place);
  if (!from || !to) {
    const only = from ?? to;
    return only ? t(from ? "date.later" : "date.earlier", { date: said(only, t, place) }) : t("date.unknown");
  }
  if (t.isLife && from.form === "year" && to.form === "year") return between(from, to, t);
  const isShared = from.isAbout === to.isAbout && from.isDoubted === to.isDoubted;
  const isOneEra = areOfOneEra(start, end) && (from.form === to.form || ages || !t.saysEra);
  const text = isOneEra ? joinedAlike(from, to) : `${from.text} – ${to.text}`;
  // but "about 50 BC – about AD 50"
  if (isShared && !((to.isAbout || to.isDoubted) && text.includes(" – ")))
    return said({ ...from, text }, t, place === "alone" && from.form !== "year" ? "range" : place);
  const last = place === "alone" && !isShared ? "last" : place;
  return `${said(from, t, to.isAbout ? "alone" : "first")} – ${said(to, t, last)}`;
}

/** "between 500 and 401 BC", "about 1811 or 1812": what both ends share is said once. */
function between(from: Worded, to: Worded, t: Say): string {
  const ends = [from, to].map((end) => said(end, t, "inner"));
  const [year, other] = [from, to].map(({ text }) => Number(text.replace(/\D/g, "")));
  const isOneEra = from.text.replace(/\d+/, "") === to.text.replace(/\d+/, "");
  const isNext = isOneEra && Math.abs(other! - year!) === 1;
  const isMarked = [from, to].some(({ isAbout, isDoubted }) => isAbout || isDoubted);
  const [first = "", last = ""] =
    isNext || (isOneEra && !isMarked) ? joined(ends[0]!, ends[1]!, true, "\0").split("\0") : ends;
  const starts = startOf(last);
  if (isNext) return `${first} ${t("date.or", { starts })} ${last}`;
  const values = { from: first, and: t("date.and", { starts }), to: last };
  // in Italian, "l’8", "l’11"
  return t("date.between", values).replace(/\bil (?=8|11?\b)/g, "l’");
}

/** Two without marks, or two decades with one mark. */
const SAME = /^[^?~%]+$|X([?~%])\/.*X\1$/;

/** Null for an end that is open or unknown. */
function readEnds(start: string, end: string, t: Say): (Worded | null)[] {
  const ends = [start, end].map((side) => (UNKNOWN.test(plainly(side)) ? null : readOne(side, t)));
  // "1895–1909", but of "1895 – about 1900–1909" nobody knows the year
  const areYears =
    ends.every((one) => one?.ends || one?.form === "year") &&
    !ends.every((one) => one?.form === "decade") &&
    (t.isLife || (SAME.test(`${start}/${end}`) && (t.saysEra || ends.some((one) => one?.form === "span"))));
  for (const [index, one] of ends.entries())
    if (one?.ends && (one.form === "day" || areYears))
      Object.assign(one, { text: one.ends[index], form: "year", ends: undefined, plural: undefined });
  return ends;
}

/** What the reader makes of "late 18th – early 19th century"; and whole ages for which EDTF has no mask. */
function readAges(start: string, end: string, t: Say): (Worded | null)[] | null {
  const ages = agesOf(start, end, t.language);
  if (!ages || (t.isLife && ages.some((each) => !each))) return null;
  const ends = readEnds(start, end, t);
  return ages.map((found, index) => {
    if (found) return { ...ofAge(found, t), isDoubted: DOUBTED.test([start, end][index]!) };
    const other = ends[index]!;
    // "late 19th century – 1909"
    return other.form === "span" ? { ...other, text: other.ends![index]!, form: "year" } : other;
  });
}

function ofAge({ form, number, isBefore, part, isAbout }: Found, t: Say): Worded {
  const whole = { ...age(form, number, isBefore, t), isAbout };
  if (!part) return whole;
  return { ...whole, text: t("date.part", { part, date: whole.text, form }), form: "part" };
}

function age(form: Age, number: number, isBefore: boolean, t: Say): Worded {
  const values = { number, roman: roman(number), first: String((number - 1) * 10) };
  const [text = "", plural] = [1, 2].map((count) =>
    withEra(t(`date.${form}`, { ...values, count }), form, isBefore, t),
  );
  return { text, plural, form };
}

/** Digits, with the signs between thousands, or Roman; an ordinal, a decade. */
const NUMBER = /^(\d+(\D\d{3})*|[IVXLC]+)(\.|er?|st|nd|rd|th|s|º)?$/;

/** Of which the first words may be said once, too: "siglos XVIII–XIX", "AD 79–120"; but not "12 June – 12 July". */
const HAS_ONE_START = /^(year|century|millennium|decade)$/;

function joinedAlike(from: Worded, to: Worded, isPlural = true, sign?: string): string {
  const isAlike = from.form === to.form && HAS_ONE_START.test(from.form);
  const [first, last] = [from, to].map((one) =>
    isAlike && isPlural && from.text !== to.text ? (one.plural ?? one.text) : one.text,
  );
  return joined(first!, last!, isAlike, sign);
}

function joined(from: string, to: string, hasOneStart = false, sign?: string): string {
  if (from === to) return from;
  const cut = (text: string) => text.replace(/^mid-/, "mid- ").split(" ");
  const [words, others] = [cut(from), cut(to)];
  const end: string[] = [];
  // "12–30 June 1911", "May – September 1889", "early – mid-20th century"
  while (words.length > 1 && others.length > 1 && words.at(-1) === others.at(-1)) {
    words.pop();
    end.unshift(others.pop()!);
  }
  const start: string[] = [];
  while (hasOneStart && words.length > 1 && others.length > 1 && words[0] === others[0]) {
    words.shift();
    start.push(others.shift()!);
  }
  const [first, last] = [words.join(" "), others.join(" ")];
  const dash = sign ?? (NUMBER.test(first) && NUMBER.test(last) ? "–" : " – ");
  const text = [...start, `${first}${dash}${last}`, ...end].join(" ");
  return text.replace(/\bmid- (\d?)/g, (_all, digit: string) => (digit ? `mid-${digit}` : "mid "));
}

function readOne(date: string, t: Say): Worded {
  const plain = plainly(date);
  if (UNKNOWN.test(plain)) return { text: t("date.unknown"), form: "year" };
  return { ...readPlain(plain, t), isAbout: ABOUT.test(date), isDoubted: DOUBTED.test(date) };
}

/** "about 1829 (?)"; `first`: "1829 (about) (?)"; `last`: "probably about 1829". */
function said({ text, form, ends, ...marks }: Worded, t: Say, place: Place): string {
  if (t.isLife && ends && form === "span") {
    const [from, to] = ends.map((end): Worded => ({ text: end, form: "year", ...marks }));
    return between(from!, to!, t);
  }
  const date = marks.isAbout ? t("date.about", { date: text, form, place }) : text;
  if (!marks.isDoubted) return date;
  return place === "last" ? t("date.perhaps", { date }) : `${date} (?)`;
}

function readPlain(date: string, t: Say): Worded {
  const [, years, exponent = "0"] = /^Y?(-?\d+)(?:E(\d+))?(?:S\d+)?$/.exec(date) ?? [];
  if (years !== undefined) {
    return { text: oneYear(Number(years) * 10 ** Number(exponent), t), form: "year" };
  }
  const [, year = "", month, day] = /^(-?[\dX]{4})(?:-(..)(?:-(..))?)?$/.exec(date)!;
  const isUnknown = UNKNOWN.test(year);
  if (month === undefined) return severalYears(year, t);
  // part of a month or of its days
  if (!isUnknown && `${month}${day ?? ""}`.includes("X")) return span(date, t);
  const known = isUnknown ? t("date.year_unknown") : readPlain(year, t).text;
  if (!year.includes("X")) return ofYear(month, day, known, t);
  const worded = ofYear(month, day, `(${known})`, t);
  // "mayo de (década de 1560)"
  return { ...worded, text: worded.text.replace(/ (de|of|van) \(/, " (") };
}

/** Years of EDTF are astronomical: 0000 is 1 BC. */
function oneYear(year: number, t: Say): string {
  const number = year > 0 ? year : 1 - year;
  return withEra(number > 9999 ? number : String(number), "year", year <= 0, t);
}

const withEra = (year: string | number, form: Form, isBefore: boolean, t: Say): string =>
  isBefore ? t("date.bc", { year }) : t.saysEra ? t("date.ad", { year, form }) : String(year);

/** `18XX` is the 19th century, as catalogues count. */
function severalYears(year: string, t: Say): Worded {
  const [, before, known = ""] = /^(-?)(\d+)X+$/.exec(year) ?? [];
  const form = ([undefined, "millennium", "century", "decade"] as const)[known.length];
  const number = Number(known) + 1;
  const isBefore = before === "-";
  if (form && form !== "decade") return age(form, number, isBefore, t);
  if (!form || isBefore || !isNamed(number) || !t.saysDecades) return span(year, t);
  return { ...age(form, number, false, t), ends: span(year, t).ends };
}

/** From the first to the last day that it can be, each with the parts that are written: "10–19 May 1560", "130–121 BC". */
function span(date: string, t: Say): Worded {
  const { earliest, latest } = parseEdtf(date)!;
  const unwritten = 10 - date.replace(/^-/, "").length;
  const written = (end: string | null) => readPlain(end!.slice(0, end!.length - unwritten), t).text;
  const ends: [string, string] = [written(earliest), written(latest)];
  const form = /\d-/.test(date) ? "day" : "span";
  return { text: joined(...ends, form === "span"), form, ends };
}

function ofYear(month: string, day: string | undefined, year: string, t: Say): Worded {
  const number = Number(month);
  if (number > 12) return readSeason(number, year, t);
  const values = { month: monthName(number, t.language), year };
  return day === undefined || day.includes("X")
    ? { text: t("date.month", values), form: "month" }
    : { text: t("date.day", { ...values, day: t("date.dayOfMonth", { day: Number(day) }) }), form: "day" };
}

function readSeason(number: number, year: string, t: Say): Worded {
  if (number <= 32) {
    const season = (((number - 21) % 4) + 1) as 1 | 2 | 3 | 4;
    return { text: t(`date.season${season}`, { year }), form: "season" };
  }
  if (number <= 36) return { text: t("date.quarter", { number: number - 32, year }), form: "part" };
  if (number <= 39) return { text: t("date.third", { number: number - 36, year }), form: "part" };
  return { text: t("date.half", { number: number - 39, year }), form: "part" };
}
