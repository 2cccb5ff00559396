/** What catalogues write in a date, cut into tokens of one kind in any language. */
import { normalised } from "../../text.ts";
import { PHRASES } from "./phrases.ts";
import { AFTER_ORDINAL, LAST, MONTHS, ORDINALS, SEASONS, TENS, WORDS } from "./words.ts";

export type Token =
  | {
      is: "number";
      n: number;
      digits: number;
      ordinal: boolean;
      roman: boolean;
      decade?: "s" | "er";
      /** The years of a decade within a century: "sixties", "anni '60". */
      isTens?: boolean;
    }
  | { is: "day"; year: number; month: number; day?: number }
  | { is: "month"; month: number }
  | { is: keyof typeof WORDS | "unknown"; isMark?: true };

const VOCABULARY = new Map<string, Token>();
for (const [is, words] of Object.entries(WORDS)) {
  for (const word of words.split(" ")) VOCABULARY.set(word, { is: is as keyof typeof WORDS });
}
const number = (n: number, ordinal: boolean, roman = false): Token & { is: "number" } => ({
  is: "number",
  n,
  digits: String(n).length,
  ordinal,
  roman,
});
const numbered = (words: string, token: (n: number, word: string) => Token): void => {
  for (const [i, spellings] of words.split(" ").entries()) {
    for (const word of spellings.split("|")) VOCABULARY.set(word, token(i + 1, word));
  }
};
numbered(MONTHS, (n) => ({ is: "month", month: n }));
numbered(SEASONS, (n) => ({ is: "month", month: n + 20 }));
numbered(ORDINALS, (n) => number(n, true));
// "venti maggio" is a day, "zwanziger" only a decade
numbered(TENS, (n, word) => ({
  ...number(10 * n, false),
  isTens: true,
  ...(/ies$|iger$/.test(word) ? { decade: "er" } : {}),
}));
for (const mark of ",()[]") VOCABULARY.set(mark, { is: "skip", isMark: true });
for (const word of LAST) VOCABULARY.set(word, number(-1, true));

/** "12.VI.1884" */
const ROMAN_MONTH = /(?<![\p{L}\d])(\d{1,2})(\. ?|[-/ ])(I{1,3}|I?V|VI{1,3}|I?X|XI{1,2})\2(\d{4})(?!\d)/gu;

/** Lower case, no accents, one kind of dash, apostrophe and space, phrases made plain. */
export function fold(text: string): string {
  // "XIX° siècle"
  const arabic = text.replace(
    ROMAN_MONTH,
    (_all, day: string, _sign, roman: string, year: string) =>
      `${year}-${romanNumber(roman.toLowerCase())}-${day}`,
  );
  const plain = normalised(arabic.replace(/(?<=\b[IVX]+)[°º]/g, "e"), "NFKD")
    .toLowerCase()
    // French "dès", not German "des"; "1° marzo"
    .replace(/\bde\u0300s\b/g, "depuis")
    .replace(/\p{M}/gu, "")
    .replaceAll("°", "o")
    .replaceAll("¿", "")
    .replaceAll("ß", "ss");
  const even = plain
    .replace(/[‐-―−]/g, "-")
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, " ");
  return PHRASES.reduce((folded, [pattern, plainly]) => folded.replace(pattern, plainly), even);
}

const ORDINAL = "(st|nd|rd|th|e|i?eme|e?re|n?de|s?te[nrs]?|\\.?[oa]|\\.er)";
/** Year first; day or month first; month and year; any other number; word or sign. */
const TOKEN = new RegExp(
  [
    String.raw`(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)`,
    String.raw`(\d{1,2})([-/.])(\d{1,2})\6(\d{4})(?!\d)`,
    String.raw`(0?[1-9]|1[0-2])[/.](\d{4})(?!\d)`,
    String.raw`(\d+)(?:'?(s|er|ern|erjahren?)(?![a-z])|${ORDINAL}(?![a-z])|(\.)(?= ?[a-z-]))?`,
    String.raw`[a-z]+|[^\s\d]`,
  ].join("|"),
  "g",
);
const ONES = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
const ROMAN = /^(xl|x{0,3})(ix|iv|v?i{0,3})(e|er|re|eme|ieme|th)?$/;

function readNumber(digits: string, decade: string | undefined, ordinal: string | undefined): Token {
  const n = Number(digits);
  if (digits.length > 7) return { is: "unknown" };
  /** French `1er`; any other number before `er` is a German decade. */
  const first = decade === "er" && n === 1;
  const token = {
    ...number(n, digits.length < 3 && (ordinal !== undefined || first)),
    digits: digits.length,
  };
  return decade && !first
    ? { ...token, decade: decade === "s" ? "s" : "er", isTens: digits.length < 3 }
    : token;
}

/** Returns 0 if the word is not a number. @param roman in lower case; it may have the ending of an ordinal: "xixe" */
function romanNumber(roman: string): number {
  const [, tens = "", ones = ""] = ROMAN.exec(roman) ?? [];
  return (tens === "xl" ? 40 : tens.length * 10) + ONES.indexOf(ones);
}

function readRoman(word: string): Token {
  const n = romanNumber(word);
  return n > 0 ? number(n, true, ROMAN.exec(word)?.[3] !== undefined) : { is: "unknown" };
}

/** The day first; a text with the month first reaches this with both exchanged (see dates/readings.ts), unless it has dots. */
function readDay(a: number, b: number, year: number, sign: string): Token {
  if (b <= 12) return { is: "day", year, month: b, day: a };
  return sign === "." && a <= 12 ? { is: "day", year, month: a, day: b } : { is: "unknown" };
}

export function tokens(folded: string): Token[] {
  const read: Token[] = [];
  for (const found of folded.matchAll(TOKEN)) {
    const [all, y, , m, d, first, sign, second, year, month, monthYear, digits, decade, suffix, dot] = found;
    const before = read.at(-1);
    const afterOrdinal = before?.is === "number" && before.ordinal;
    if (y) read.push({ is: "day", year: Number(y), month: Number(m), day: Number(d) });
    else if (year) read.push(readDay(Number(first), Number(second), Number(year), sign!));
    else if (monthYear) read.push({ is: "day", year: Number(monthYear), month: Number(month) });
    else if (digits) read.push(readNumber(digits, decade, suffix ?? dot));
    else if (afterOrdinal && Object.hasOwn(AFTER_ORDINAL, all)) read.push({ is: AFTER_ORDINAL[all]! });
    // "A. 19. Jh." is its beginning, "E. 19. Jh." its end, but in other languages they are words
    else if (/^[ae]$/.test(all) && folded[found.index + 1] === ".") read.push({ is: "unknown" });
    else {
      const token = VOCABULARY.get(all) ?? readRoman(all);
      // "August III" is a king
      read.push(token.is === "number" && token.ordinal && before?.is === "month" ? { is: "unknown" } : token);
    }
  }
  return read;
}
