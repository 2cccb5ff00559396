/** EDTF in words: "about 1887", "um 1887", "vers 1887". */
import type { Language } from "./date-tokens.ts";
import { parseEdtf } from "./edtf.ts";

type Words = {
  about(date: string): string;
  perhaps(date: string): string;
  until(date: string): string;
  from(date: string): string;
  /** The last two of a list. */
  and: string;
  or: string;
  /** `year` as people count it: 1 and more. */
  bc(year: string): string;
  decade(first: string): string;
  century(number: number): string;
  millennium(number: number): string;
  day(day: number, month: string, year: string): string;
  seasons: readonly [string, string, string, string];
  quarter(number: number, year: string): string;
  half(number: number, year: string): string;
};

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    about: (date) => `about ${date}`,
    perhaps: (date) => `probably ${date}`,
    until: (date) => `until ${the(date)}`,
    from: (date) => `from ${the(date)}`,
    and: "and",
    or: "or",
    bc: (year) => `${year} BC`,
    decade: (first) => `${first}s`,
    century: (number) => `${number}${ordinal(number)} century`,
    millennium: (number) => `${number}${ordinal(number)} millennium`,
    day: (day, month, year) => `${day} ${month} ${year}`,
    seasons: ["spring", "summer", "autumn", "winter"],
    quarter: (number, year) => `${number}${ordinal(number)} quarter of ${year}`,
    half: (number, year) => `${number === 1 ? "first" : "second"} half of ${year}`,
  },
  de: {
    about: (date) => `um ${date}`,
    perhaps: (date) => `wohl ${date}`,
    until: (date) => `bis ${date}`,
    from: (date) => `ab ${date}`,
    and: "und",
    or: "oder",
    bc: (year) => `${year} v. Chr.`,
    decade: (first) => `${first}er Jahre`,
    century: (number) => `${number}. Jahrhundert`,
    millennium: (number) => `${number}. Jahrtausend`,
    day: (day, month, year) => `${day}. ${month} ${year}`,
    seasons: ["Frühjahr", "Sommer", "Herbst", "Winter"],
    quarter: (number, year) => `${number}. Quartal ${year}`,
    half: (number, year) => `${number === 1 ? "erste" : "zweite"} Hälfte ${year}`,
  },
  fr: {
    about: (date) => `vers ${date}`,
    perhaps: (date) => `probablement ${date}`,
    until: (date) => `jusqu${{ de: "’en", du: "’au", des: "’aux", "": "e" }[article(date)]} ${date}`,
    from: (date) => `à partir ${article(date) || "de"} ${date}`,
    and: "et",
    or: "ou",
    bc: (year) => `${year} av. J.-C.`,
    decade: (first) => `années ${first}`,
    century: (number) => `${roman(number)}${number === 1 ? "er" : "e"} siècle`,
    millennium: (number) => `${roman(number)}${number === 1 ? "er" : "e"} millénaire`,
    day: (day, month, year) => `${day === 1 ? "1er" : day} ${month} ${year}`,
    seasons: ["printemps", "été", "automne", "hiver"],
    quarter: (number, year) => `${number}${number === 1 ? "er" : "e"} trimestre ${year}`,
    half: (number, year) => `${number === 1 ? "premier" : "second"} semestre ${year}`,
  },
};

/** Returns the text unchanged if it is not EDTF, or has no plain words (level 2's significant digits, for example). */
export function dateInWords(text: string, language: string): string {
  const edtf = parseEdtf(text)?.edtf;
  return (edtf && read(edtf, hasWords(language) ? language : "en")) ?? text;
}

const hasWords = (language: string): language is Language => Object.hasOwn(WORDS, language);

function read(edtf: string, language: Language): string | null {
  if (/^[[{]/.test(edtf)) return readSet(edtf, language);
  const [start = "", end] = edtf.split("/");
  return end === undefined ? readOne(start, language) : readRange(start, end, language);
}

function readSet(edtf: string, language: Language): string | null {
  const items = edtf
    .slice(1, -1)
    .split(",")
    .map((item) => {
      const [start = "", end] = item.split("..");
      return end === undefined ? readOne(start, language) : readRange(start, end, language);
    });
  if (items.includes(null)) return null;
  const { and, or } = WORDS[language];
  const last = items.pop()!;
  return items.length === 0 ? last : `${items.join(", ")} ${edtf.startsWith("[") ? or : and} ${last}`;
}

function readRange(start: string, end: string, language: Language): string | null {
  // said once for both
  if ([start, end].every((side) => /^[^?~%]+~$/.test(side))) {
    const plain = readRange(start.slice(0, -1), end.slice(0, -1), language);
    return plain === null ? null : WORDS[language].about(plain);
  }
  const isSide = (side: string) => side !== "" && side !== "..";
  const from = isSide(start) ? readOne(start, language) : "";
  const to = isSide(end) ? readOne(end, language) : "";
  if (from === null || to === null) return null;
  if (from === "") return WORDS[language].until(to);
  if (to === "") return WORDS[language].from(from);
  if (from === to) return from;
  const era = WORDS[language].bc("");
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

function readOne(date: string, language: Language): string | null {
  const plain = readPlain(date.replace(MARKED, "").replace(/T.*/, ""), language);
  if (plain === null) return null;
  const { about, perhaps } = WORDS[language];
  const isAbout = /[~%]/.test(date);
  const isDoubted = /[?%]/.test(date);
  if (isAbout && isDoubted) return `${about(plain)} (?)`;
  return isAbout ? about(plain) : isDoubted ? perhaps(plain) : plain;
}

function readPlain(date: string, language: Language): string | null {
  const [, before, year = "", month = "XX", day = "XX"] =
    /^(-?)([\dX]{4})(?:-([\dX]{2})(?:-([\dX]{2}))?)?$/.exec(date) ?? [];
  const yearInWords = readYear(before === "-", year, language);
  if (yearInWords === null) return null;
  // part of a month, or of a year that is not known: no words are shorter than the notation
  if (/\dX|X\d/.test(`${month} ${day}`) || (month !== "XX" && year.includes("X"))) return null;
  if (month === "XX") return day === "XX" ? yearInWords : null;
  if (Number(month) > 12) return readSeason(Number(month), yearInWords, language);
  const name = monthName(Number(month), language);
  return day === "XX" ? `${name} ${yearInWords}` : WORDS[language].day(Number(day), name, yearInWords);
}

/** Years of EDTF are astronomical: 0000 is 1 BC. `18XX` is the 19th century, as catalogues count. */
function readYear(isBefore: boolean, year: string, language: Language): string | null {
  const words = WORDS[language];
  const known = /^\d*/.exec(year)![0];
  if (known.length === 0 || !/^\d+X*$/.test(year)) return null;
  const number = Number(known);
  const inEra = (text: string) => (isBefore ? words.bc(text) : text);
  if (known.length === 4) {
    return isBefore || number === 0 ? words.bc(String(number + 1)) : String(number);
  }
  if (known.length === 3) return isBefore ? null : words.decade(String(number * 10));
  return inEra(known.length === 2 ? words.century(number + 1) : words.millennium(number + 1));
}

function readSeason(number: number, year: string, language: Language): string | null {
  const words = WORDS[language];
  if (number >= 21 && number <= 32) return `${words.seasons[(number - 21) % 4]} ${year}`;
  if (number >= 33 && number <= 36) return words.quarter(number - 32, year);
  return number >= 40 ? words.half(number - 39, year) : null;
}

const monthFormat = (language: Language) =>
  new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
const MONTHS = { en: monthFormat("en"), de: monthFormat("de"), fr: monthFormat("fr") };

const monthName = (month: number, language: Language): string =>
  MONTHS[language].format(new Date(Date.UTC(2000, month - 1, 1)));

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

function ordinal(number: number): string {
  const kind = ORDINALS.select(number);
  return { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" }[kind];
}

const the = (date: string): string =>
  /^\d+(s$|\w\w (century|millennium))/.test(date) ? `the ${date}` : date;

/** What French puts before a date: nothing before "vers 1840". */
function article(date: string): "de" | "du" | "des" | "" {
  if (/^(vers|probablement)/.test(date)) return "";
  if (/^années/.test(date)) return "des";
  // a day or a century; years and months have none
  return /^\d+(er)? \p{L}{3}|^[IVXLC]+er? /u.test(date) ? "du" : "de";
}

/** Up to 100, which no century reaches. */
function roman(number: number): string {
  const tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC", "C"][Math.floor(number / 10)];
  return `${tens}${["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][number % 10]}`;
}
