/** Text as people compare it: without case, accents and punctuation, alike on every database whatever its locale. */

/** Letters that Unicode does not take apart into a base letter and a mark. */
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
const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** Longest word that the index keeps; longer ones are cut, alike in text and query. */
export const LONGEST_WORD = 100;

/** Whether there is nothing but the letters, digits and signs of ASCII. */
export const isAscii = (text: string): boolean => ASCII.test(text);

export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(MARKS, "")
    .toLowerCase()
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** The folded words of a text, in order. */
export function wordsOf(text: string): string[] {
  const words = fold(text).match(WORDS) ?? [];
  return words.map((word) => beginning(word, LONGEST_WORD));
}

/** Scripts that write without blanks between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const SYMBOLS = "\\p{Extended_Pictographic}\\p{Regional_Indicator}";
const SEARCHED = new RegExp(`[${UNSPACED}${SYMBOLS}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, "gu");
const ASCII_WORDS = /[a-z0-9]+/g;

/**
 * The folded words of a text as the search index has them: where a script has no blanks, each letter is a word, and
 * what somebody types is a phrase of letters; an emoji is a word.
 */
export function searchWordsOf(text: string): string[] {
  const folded = fold(text);
  const words = folded.match(ASCII.test(folded) ? ASCII_WORDS : SEARCHED) ?? [];
  return folded.length > LONGEST_WORD ? words.map((word) => beginning(word, LONGEST_WORD)) : [...words];
}

/** What lists sort by: folded words, digits padded so that "Nr. 2" comes before "Nr. 10". */
export function sortKey(title: string): string {
  return beginning(sortable(wordsOf(title.slice(0, 400))), 240);
}

function sortable(words: readonly string[]): string {
  return words.map((word) => (/^\d+$/.test(word) ? word.padStart(8, "0") : word)).join(" ");
}

/** In these scripts a mark is an accent; in others it may be a vowel or make another consonant: राम, रमा; カ, ガ. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const MARKED_WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** By what names are told apart: as `sortKey`, but for the marks that are not accents. Alike here is alike there. */
export function nameKey(name: string): string {
  const bare = (text: string) => text.normalize("NFKD").replace(ACCENTS, "$1");
  const folded = bare(bare(name.slice(0, 400)).toLowerCase());
  const plain = folded.replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
  return sortable(plain.match(MARKED_WORDS) ?? []);
}

/** As much of a text as fits, without half of a surrogate pair at its end: PostgreSQL would refuse that. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const halved = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return text.slice(0, halved ? length - 1 : length);
}

/** Whether PostgreSQL can keep the text: no NUL, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/**
 * What XML 1.0 cannot carry, not even as a reference (https://www.w3.org/TR/xml/#charsets): controls but tab and line
 * ends, U+FFFE, U+FFFF, halves of surrogate pairs. DEL and the controls U+0080 to U+009F it can, and a catalogue that was
 * converted more than once has them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the rule is about
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/u;

/** What nobody sees, so that two texts that look alike are not the same: controls, joiners, marks of direction. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;

/** Whether there is nothing to be seen: blanks, or marks of no width. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

/**
 * Marks on one letter, twice as many as a stream-safe text has (UAX #15, §13). Normalising takes time with the square of
 * their number: 80,000 would hold up everybody for seconds.
 */
const MOST_MARKS = 60;
const MANY_MARKS = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, "u");

/** Why a text cannot be kept in a record, as a sentence about it; null when it can. */
export function textFault(text: string): string | null {
  const found = NO_XML.exec(text);
  if (found) return `contains ${named(found, text)}, which no XML can carry`;
  const marked = MANY_MARKS.exec(text);
  return marked && `has more than ${MOST_MARKS} marks on one letter, from ${named(marked, text)} on`;
}

/** The same of a number or name that people compare by eye. */
export function unseenFault(text: string): string | null {
  const found = UNSEEN.exec(text);
  return textFault(text) ?? (found && `contains ${named(found, text)}, which nobody sees`);
}

/** The character and its place, counted as people count: from 1. */
function named({ 0: found, index }: RegExpExecArray, text: string): string {
  const code = found.codePointAt(0)!;
  const place = [...text.slice(0, index)].length + 1;
  const name = code >= 0xd800 && code <= 0xdfff ? "half of a surrogate pair" : (NAMES[code] ?? "");
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}${name && ` (${name})`} as character ${place}`;
}

const NAMES: Readonly<Record<number, string>> = {
  0: "NUL",
  9: "tab",
  10: "line feed",
  11: "vertical tab, in FileMaker a line break",
  12: "form feed",
  13: "carriage return",
  29: "group separator, in FileMaker between repetitions",
  127: "delete",
  173: "soft hyphen",
  8203: "zero width space",
  8204: "zero width non-joiner",
  8205: "zero width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8288: "word joiner",
  65279: "byte order mark",
};
