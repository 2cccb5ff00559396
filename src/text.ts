/** Compares text without case, accents and punctuation, in the same way on every database and locale. */
import { type Said, said } from "./messages/said.ts";

/** Letters that Unicode does not split into a base letter and a mark. */
const PLAIN: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ſ: "s",
};
const SPECIAL = /[ßæœøđðþłħıŋſ]/g;
/** What nobody sees or types: marks, joiners, soft hyphens, directions, and the line that stretches Arabic words. */
const VANISHING = /[\p{M}\p{Default_Ignorable_Code_Point}\u0640]+/gu;
/** Letters that are one in searches though Unicode has several: kaf, yeh, and signs that are written as apostrophes. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/\u06a9/g, "\u0643"],
  [/[\u0649\u06cc]/g, "\u064a"],
  [/[\u02b9-\u02bf\u02c8\u055a\ua78c\u2018-\u201b\u2032]/g, "'"],
];
const DIGITS = /(?![0-9])\p{Nd}/gu;
const IS_DIGIT = /^\p{Nd}$/u;
/**
 * The most marks on one letter: twice as many as in stream-safe text (UAX #15, §13). The time for normalising grows with the
 * square of their number: 80,000 would block the process for seconds.
 */
const MOST_MARKS = 60;
// looks at each run of marks once, from its beginning
const MANY_MARKS = new RegExp(`(?<!\\p{M})(\\p{M}{${MOST_MARKS}})\\p{M}+`, "u");
const ALL_MANY_MARKS = new RegExp(MANY_MARKS, "gu");
const WORDS = /[\p{L}\p{N}]+/gu;
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** Characters. Longer words are cut, both in the index and in queries. */
const LONGEST_WORD = 100;

/** Whether the text has only printable ASCII characters, tabs and line ends. */
export const isAscii = (text: string): boolean => ASCII.test(text);

/** The text in this normal form (UAX #15), with at most `MOST_MARKS` on a letter. */
export function normalised(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(ALL_MANY_MARKS, "$1").normalize(form);
}

/**
 * The text with its letters composed (NFC). With more marks on a letter than may be stored it stays as it is, because that
 * would take minutes, and `textFault` refuses it.
 */
export function composed(text: string): string {
  return MANY_MARKS.test(text) ? text : text.normalize();
}

/** When this changes, raise `EDITION` in `search/edition.ts`, and let a migration empty `records.sort_date`. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const bare = (each: string) => normalised(each, "NFKD").replace(VANISHING, "");
  const plain = bare(bare(text).toLowerCase()).replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
  return ALIKE.reduce((all, [letters, one]) => all.replace(letters, one), plain).replace(DIGITS, digitValue);
}

/** The value of a digit of any script. Their code points stand in tens, from zero to nine (Unicode §4.6). */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (IS_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** The words of the texts, which have a blank between them. */
export const wordSet = (...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.join(" ").split(" "));

/** The phrases of the texts, which have "|" between them. */
export const phraseSet = (...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.join("|").split("|"));

/** The folded words of a text, in order. */
export function wordsOf(text: string): string[] {
  const words = fold(text).match(WORDS) ?? [];
  return words.map((word) => beginning(word, LONGEST_WORD));
}

/** Scripts without blanks between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const SYMBOLS = "\\p{Extended_Pictographic}\\p{Regional_Indicator}";
const SEARCHED = new RegExp(`[${UNSPACED}${SYMBOLS}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, "gu");
const ASCII_WORDS = /[a-z0-9]+/g;

/** What says in six languages that a number is approximate: before any number, with a full stop, only before a year. */
export const CIRCA = {
  always: "circa zirka approximately environ",
  short: "c ca cca approx aprox env",
  years: "um etwa vers about around hacia omstreeks rond ongeveer",
};
/** The pattern of any of the words, which have blanks between them. */
export const anyWord = (words: string): string => `(?:${words.replaceAll(" ", "|")})`;
/** Only with a full stop is `c.` plain before any number: "um 12 Uhr", "Los Angeles, CA 90210". */
const ABOUT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${anyWord(CIRCA.always)}\\s+|${anyWord(CIRCA.short)}\\.\\s*|[~≈]\\s*|` +
    `(?:${anyWord(`${CIRCA.short} ${CIRCA.years}`)}|verso|intorno\\s+al|alrededor\\s+de)\\s+(?=\\p{Nd}{3,4}(?!\\p{Nd})))(?=\\p{Nd})`,
  "giu",
);

/** The text with one word for all that say about a number that it is approximate. */
export const withCirca = (text: string): string => text.replace(ABOUT, "circa ");

/**
 * The folded words of a text for the search index; `ca.` before a number is `circa`. In scripts without blanks each letter is a
 * word, so a query is a phrase of letters. An emoji is a word.
 */
export function searchWordsOf(text: string): string[] {
  const folded = fold(withCirca(text));
  const words = folded.match(ASCII.test(folded) ? ASCII_WORDS : SEARCHED) ?? [];
  return folded.length > LONGEST_WORD ? words.map((word) => beginning(word, LONGEST_WORD)) : [...words];
}

const LONGEST_KEY = 240;

/** The sort key of titles: folded words, with numbers padded so that "Blatt 4a" comes before "Blatt 10". */
export function sortKey(title: string): string {
  return beginning(wordsOf(composed(title).slice(0, 400)).join(" ").replace(/\d+/g, padded), LONGEST_KEY);
}

/** Up to eight digits with zeros; before more, a sign for each further one that sorts behind all digits. */
function padded(digits: string): string {
  const number = digits.replace(/^0+/, "");
  return ":".repeat(Math.max(number.length - 8, 0)) + number.padStart(8, "0");
}

/** Separates the words of a number from the number itself. It sorts before everything that a number may have. */
export const END_OF_NUMBER = "\t";

/** The sort key of identification numbers: as `sortKey`, and then the number itself. Never empty, unlike a key that is to be made. */
export function numberKey(idno: string): string {
  return `${sortKey(idno)}${END_OF_NUMBER}${beginning(idno, 100)}`;
}

function sortable(words: readonly string[]): string {
  return words.map((word) => (/^\d+$/.test(word) ? word.padStart(8, "0") : word)).join(" ");
}

/** In these scripts a mark is an accent. In others it may be a vowel or change the consonant: राम, रमा; カ, ガ. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const MARKED_WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

const APOSTROPHES = /[`´‘’‚‛′‹›＇]/g;
const QUOTES = /[“”„‟″«»＂]/g;
const DASHES = /[\p{Pd}\u2212]/gu;
/** Characters of a name that the table of records keeps. */
export const LONGEST_NAME = 2_000;

/** Which names are the same: those with an equal `nameKey`. */
export type NameMatch = "exact" | "similar";

/**
 * Names with an equal key are the same name. `exact`: they may differ in case, blanks, the forms of apostrophes, quotes and dashes,
 * and Unicode normalisation. `similar`: also in accents and punctuation, and ä may be written ae, å aa. The same names have an
 * equal `sortKey`, similar ones an equal `similarSortKey`, by which the database finds candidates.
 */
export function nameKey(name: string, match: NameMatch = "exact"): string {
  if (match === "similar") {
    const key = sortKey(name);
    // a key without letters, or one that was cut, does not tell names apart
    if (key !== "" && key.length < LONGEST_KEY) return similarKey(name);
  }
  return beginning(composed(name), LONGEST_NAME)
    .toLowerCase()
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(DASHES, "-")
    .replace(/\s+/g, " ")
    .trim();
}

/** Like `sortKey`, but it keeps marks that are not accents. */
function similarKey(name: string): string {
  const bare = (text: string) => normalised(text, "NFKD").replace(ACCENTS, "$1");
  const folded = bare(bare(composed(name).slice(0, 400)).toLowerCase());
  const plain = folded.replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
  return withoutDigraphs(sortable(plain.match(MARKED_WORDS) ?? []));
}

/** As `similar_sort_key` in sql/0064_other_names.sql. */
export const similarSortKey = (name: string): string => withoutDigraphs(sortKey(name));

/** Letters that are written as two where a typewriter lacks them: ä ö ü æ œ ø as ae oe ue, å as aa. Not in Bauer, Feuer, Duque. */
function withoutDigraphs(folded: string): string {
  return folded.replace(/(?<![aeiouq])([aou])e/g, "$1").replace(/aa+/g, "a");
}

/** The beginning of a text, never ending in half of a surrogate pair, which PostgreSQL would refuse. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const halved = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return text.slice(0, halved ? length - 1 : length);
}

/** Whether PostgreSQL can store the text: it has no NUL and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/**
 * Characters that XML 1.0 cannot contain, not even as a reference (https://www.w3.org/TR/xml/#charsets): controls except tab and
 * line ends, U+FFFE, U+FFFF, halves of surrogate pairs. DEL and U+0080 to U+009F are allowed, and occur in catalogues that were
 * converted several times.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the rule is about
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/u;

/** Invisible characters, by which texts differ that look the same: controls, joiners, marks of direction. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;

/** Whether the text has only blanks and invisible characters. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

/** Why a text cannot be stored in a record; null if it can. */
export function textFault(text: string): Said | null {
  const found = NO_XML.exec(text);
  if (found) return said("fault.text.not_in_xml", named(found, text));
  const marked = MANY_MARKS.exec(text);
  return marked && said("fault.text.marks", { most: MOST_MARKS, ...named(marked, text) });
}

/** The same for a number or name that people compare by eye, so it must not have invisible characters. */
export function unseenFault(text: string): Said | null {
  const found = UNSEEN.exec(text);
  return textFault(text) ?? (found && said("fault.text.invisible", named(found, text)));
}

/** The character and its position, counted from 1. */
function named({ 0: found, index }: RegExpExecArray, text: string): { character: Said; place: number } {
  const number = found.codePointAt(0)!;
  const isSurrogate = number >= 0xd800 && number <= 0xdfff;
  const code = number.toString(16).toUpperCase().padStart(4, "0");
  return {
    character: said(isSurrogate ? "character.surrogate" : "character", { code }),
    place: [...text.slice(0, index)].length + 1,
  };
}
