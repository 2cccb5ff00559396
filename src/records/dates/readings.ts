/**
 * Every way to read a written date. Readers of words take the longer of two readings of one text, which includes the shorter one in
 * nearly every case, and say that there are two; where only the order of day and month is open, they take one or the other.
 *
 * - 1911-12 and 1920-21 are two years, or a month or (in EDTF) a season. 1920-05 can only be a month, 1911–12 only years.
 * - "fine 1800" is the end of the century or of the year.
 * - 1900s is the century or the decade. Beside a year or a decade it is the decade, as are 2000s, 1900er Jahre, années 1900. In
 *   "late 1800s – 1920s" it is the century: nobody means 1807.
 * - 12/05/1923 is `[1923-05-12,1923-12-05]`, unless the language, another date in the text or a stated format decides.
 */

import { phraseSet } from "../../text.ts";
import { type EdtfDate, MAX_LENGTH, parseEdtf } from "./edtf.ts";
import { fold } from "./tokens.ts";
import { EARLY_HUNDRED, PART_OF_CENTURY, PART_OF_HUNDRED, PART_OF_YEAR, STARTS } from "./words.ts";
import { ERA, readDate } from "./written.ts";

/** The languages whose words for dates are read. */
export const LANGUAGES = ["en", "de", "fr", "it", "es", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a museum may state of its dates, so that they have only one reading. */
export const DATE_FORMATS = ["EDTF", "DD/MM/YYYY", "MM/DD/YYYY", "YYYY-MM", "YYYY-YY"] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

/** `readings`: if there are several, `edtf` includes them. */
export type WrittenDate = { edtf: string; text: string; readings?: string[] };

/** Two numbers and a year, in an order that differs from country to country. */
const NUMERIC = /(?<!\d)(\d{1,2})([-/])(\d{1,2})\2(?=\d{4}(?!\d))/g;
/** A year and two digits: the year in which a range ends, a month, or a season of EDTF. With a dash longer than this: years. */
const SHORT =
  /(?<![\d/.-])(\d{3}(\d)) ?[-/] ?(\d{1,2})(?!\d|[-/.]\d|[ªº°]|[aoe]\b|st\b|nd\b|rd\b|re\b|er\b)/g;
/** "480-70 BC": the last year may be 470. In "480/70 BC" it is 470. */
const SHORT_BC = /(?<![\d/.-])(\d{3,4}) ?([-–/]) ?(\d{1,2})(?![\da-z.])/gi;
/** `1900s`: ten years or a hundred; "1900–1920s" too. */
const HUNDRED = /(?<!\d)(\d\d00)(?:'?s\b|(?= ?(?:[-–—]|to) ?\d\d[1-9]0'?s\b))/g;
/** A year or a decade beside it. */
const BESIDE_HUNDRED = /(?<!\d)(?!\d\d00(?:'?s|er))\d{4}(?!\d)/;
const CUT = /\b(?:early|mid|middle|late|end|half|quarter|third)\b/i;
/** "late 1800s – 1920", "late 1800s (c. 1880)"; but in "late 1900s – 1912" it is the decade. */
const CUT_HUNDRED = new RegExp(`(${CUT.source})[ -](\\d\\d00)'?s\\b.*?(\\d{4})`, "i");
/** "1800s (c. 1850)", "1800s, c. 1850" */
const YEAR_IN_HUNDRED = /(\d\d)00'?s(?:,? [([]|[,;] (?=c|about|around|poss|prob|perhaps))\D*\1[1-9]\d/i;
/** "los 1950", "los 1950 y 1960" */
const LOS = /(?<!\bd[eé]cada de )\blos \d{3}0(?: [yoa] \d{3}0)?(?=$|[^\d'a-z-])/gi;
/** "late 1890s – early 1900s" */
const CUT_DECADE = new RegExp(`${CUT.source}[ -]\\d\\d[1-9]0'?s`, "i");
/** Another date, or a word for an open span. */
const BESIDE_PART = new RegExp(`\\d|\\b[ivx]+\\b|^\\W*(?:${STARTS.open})\\b`);
/** Years before a round one within which that is a year, too. */
const NEAR = 4;
/** Signs of EDTF that nobody else writes. */
const NOTATION = /[~%X]|\.\./i;

/** The EDTF of a written date, and the text it was read from; null if it is not a date, or has readings that EDTF cannot join. */
export function readWrittenDate(
  text: string,
  lang?: Language,
  formats: readonly DateFormat[] = [],
): WrittenDate | null {
  const written = text.trim();
  const found = readingsOf(written, lang, formats);
  const readings = [...new Set(found.flat().map(({ edtf }) => edtf))];
  const longest = found
    .map((dates) => dates.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a)))
    .sort((a, b) => (a.earliestDay ?? -Infinity) - (b.earliestDay ?? -Infinity));
  const members = [...new Set(longest.map(({ edtf }) => edtf.replace("/", "..")))];
  const edtf = members.length === 1 ? longest[0]!.edtf : parseEdtf(`[${members.join(",")}]`)?.edtf;
  if (edtf === undefined) return null;
  return { edtf, text: written, ...(readings.length > 1 ? { readings } : {}) };
}

/**
 * The end of a range as people type it: years without leading zeros, days such as 1.5.1887, and dates in words: "100 BC",
 * "1. Jahrhundert v. Chr.". Of an open span ("before 1850"), the end that it has.
 */
export function typedEnd(text: string): string {
  const [, minus, digits] = /^\s*(-?)(\d{1,3})\s*$/.exec(text) ?? [];
  if (digits !== undefined) return `${minus}${digits.padStart(4, "0")}`;
  const isNumber = /^\s*-?\d+(?:[.,]\d+)?\s*$/.test(text);
  const read = isNumber || parseEdtf(text.trim()) ? undefined : readWrittenDate(text)?.edtf;
  return read?.replace(/^\.\.\/|\/\.\.$/, "") ?? text.trim();
}

/** The most readings that are useful. */
const MOST = 2;
/** A number of three digits, which is a year only where an era says so; 197- is a decade. */
const THREE_DIGITS = /(?<!\d)\d{3}(?![\d-])/;

/** EDTF for a date that is not EDTF: only readings beyond doubt, or both of two, because users accept them without checking. */
export function suggestDates(text: string): string[] {
  const folded = fold(text.trim());
  if (THREE_DIGITS.test(folded) && !ERA.test(folded)) return [];
  const readings = new Set(
    readingsOf(text.trim(), undefined, [])
      .flat()
      .map(({ edtf }) => edtf),
  );
  return readings.size > MOST ? [] : [...readings];
}

/** The readings for each order of day and month; the orders without any are left out. */
function readingsOf(text: string, lang: Language | undefined, formats: readonly DateFormat[]): EdtfDate[][] {
  if (text.length > MAX_LENGTH) return [];
  const exact = parseEdtf(text);
  if (exact && (NOTATION.test(text) || formats.includes("EDTF"))) return [[exact]];
  // in French, April is "avr."
  const french = () =>
    text.replace(/\bapr\. (?=\d{4})/gi, "après ").replace(/(?<=\b\d{2,3} )apr\.?$/, "apr. J.-C.");
  const own = lang === "fr" ? french() : text;
  return inOrders(own, lang, formats)
    .map((ordered) => waysToRead(ordered, formats).flatMap((way) => parseEdtf(readDate(way) ?? "") ?? []))
    .filter((dates) => dates.length > 0);
}

/** The text with the day before the month, for each order that is possible in all its dates: one of them may settle all. */
function inOrders(text: string, lang: Language | undefined, formats: readonly DateFormat[]): string[] {
  const dates = [...text.matchAll(NUMERIC)].map(([, a, , b]) => [Number(a), Number(b)] as const);
  const swapped = text.replace(NUMERIC, (_all, a: string, sign: string, b: string) => b + sign + a + sign);
  const day = dates.every(([, month]) => month <= 12) ? [text] : [];
  const month = dates.every(([month]) => month <= 12) ? [swapped] : [];
  if (dates.length === 0 || formats.includes("DD/MM/YYYY")) return day;
  if (formats.includes("MM/DD/YYYY")) return month;
  return day.length > 0 && lang !== undefined && lang !== "en" ? day : [...new Set([...day, ...month])];
}

/** The text with all else that can be read in two ways written in one of them. */
function waysToRead(written: string, formats: readonly DateFormat[]): string[] {
  const [, era] = ERA.exec(fold(written)) ?? [];
  const text = written
    // "los 1950" are ten years, "1700-1800s" two hundred
    .replace(LOS, (all) => all.replace(/\d{3}0/g, "$&s"))
    .replace(/\b2000'?s\b/g, era === "bc" ? "$&" : "2000er")
    .replace(/(\d\d00)(?= ?(?:[-–—]|to) ?\d\d00'?s\b)/g, "$1s")
    .replace(/\b(?:primi (?:anni|decenni)|inizi anni)(?: del)? (?=(?!20)\d\d00\b)/gi, "inizi ");
  const years = text.replace(SHORT, "$1–$3");
  const months = text.replace(SHORT, (all, year: string, last: string, digits: string) => {
    const month = Number(digits);
    /** "1858/2" may as well be a number: it is read only if that is stated. */
    const isMonth = digits.length > 1 || month > Number(last) || formats.includes("YYYY-MM");
    return isMonth && !era && month > 0 && month <= 12 ? `${digits}/${year}` : all;
  });
  // "vor 1911/12", "1905–1911/12": the digits look like years, so they are not read as months
  const mayBeYears = [...text.matchAll(SHORT)].some(
    ([, year, , digits]) => Number(digits) > Number(year!.slice(-digits!.length)),
  );
  const short =
    era === "bc"
      ? inFull(text)
      : formats.includes("YYYY-YY")
        ? [years]
        : formats.includes("YYYY-MM") && months !== text
          ? [months]
          : mayBeYears && readDate(years) === null
            ? []
            : [years, text, months];
  const inCenturies = (way: string): string[] => {
    const folded = fold(way);
    const words = folded.replace(
      PART_OF_HUNDRED,
      (_year, digits: string) => `${Number(digits) + 1}th century`,
    );
    if (words === folded) return [way];
    // "fine 1899 – inizio 1900"
    if (PART_OF_YEAR.test(folded)) return [way];
    // "fine 1800 – 1910", "inizi 1900 (1905)" and "dalla fine del 1800" mean no month
    const areSeveral = (folded.match(PART_OF_HUNDRED)?.length ?? 0) > 1;
    const rest = folded.replace(PART_OF_HUNDRED, "");
    if (!areSeveral && !BESIDE_PART.test(rest))
      return PART_OF_CENTURY.test(folded) || EARLY_HUNDRED.test(folded) ? [way, words] : [];
    // "maggio 1900 – fine 1900", "fine 1800 – 1805", "1899 – early 1900"; but not "fine 1900 – inizi 2000"
    const years = [...rest.matchAll(/\b\d{4}\b/g)].map(Number);
    const isSame = folded
      .match(PART_OF_HUNDRED)!
      .some((hundred) => years.some((year) => year <= Number(hundred) && year > Number(hundred) - NEAR));
    return isSame || (readDate(words) === null && !/\b20\d\d\b/.test(rest)) ? [way] : [words];
  };
  const [, cut, hundred, beside] = CUT_HUNDRED.exec(text) ?? [];
  const isNear = Math.abs(Number(beside) - Number(hundred)) <= 15 && !/early/i.test(cut!);
  const isHundred = (cut !== undefined && !isNear) || YEAR_IN_HUNDRED.test(text);
  const isDecade = BESIDE_HUNDRED.test(text) && (!CUT.test(text) || CUT_DECADE.test(text));
  const decades = (way: string): string[] => [
    ...(isHundred || !isDecade ? [way] : []),
    ...(isHundred ? [] : [way.replace(HUNDRED, "$1er")]),
  ];
  return [...new Set(short.flatMap(decades).flatMap(inCenturies))];
}

/**
 * A range before our era with all digits of its last year; first, if it can be meant, as it is written. Beside another number, it is
 * only read as written: "Ptolemaic Period (332-30 BC), 1st century BC".
 */
function inFull(text: string): string[] {
  let asWritten = true;
  const full = text.replace(SHORT_BC, (all, from: string, sign: string, last: string) => {
    const to = from.slice(0, -last.length) + last;
    if (Number(to) >= Number(from)) return all;
    asWritten &&= sign !== "/";
    return `${from}–${to}`;
  });
  if (!asWritten) return [full];
  return /\d/.test(text.replace(SHORT_BC, "")) ? [text] : [...new Set([text, full])];
}

/** In days; an open end counts as very far. */
const lengthOf = ({ earliestDay, latestDay }: EdtfDate): number => (latestDay ?? 1e9) - (earliestDay ?? -1e9);

/** Words for “no date”, in the languages of the catalogue. */
const UNDATED = phraseSet(
  "n d|no date|undated|not dated|without date|date unknown|dates unknown|unknown|unknown date|undetermined",
  "o j|o d|ohne jahr|ohne datum|ohne datierung|undatiert|nicht datiert|nicht datierbar|unbekannt|datum unbekannt|unbestimmt",
  "s d|sans date|non date|non datee|date inconnue|inconnue|indeterminee|date indeterminee",
  "senza data|non datato|non datata|non databile|data sconosciuta|data ignota|sconosciuta|ignota",
  "non det|non determinato|non determinata|non determinabile",
  "sin fecha|s f|sin datar|no datado|fecha desconocida|desconocida|desconocido|sin determinar|indeterminada|no determinada",
  "zonder datum|zonder jaar|z d|z j|ongedateerd|niet gedateerd|niet te dateren|datum onbekend|onbekend|onbepaald",
);

/** Whether the text says that there is no date, or that it is unknown. An unreadable date does not. */
export function saysUndated(text: string): boolean {
  const words = text.length > MAX_LENGTH ? [] : (fold(text).match(/[a-z]+|\d+/g) ?? []);
  return UNDATED.has(words.join(" ")) || /^[\p{P}\s]{1,10}$/u.test(text.trim());
}
