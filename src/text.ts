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
const ASCII = /^[\x20-\x7e]*$/;

/** Longest word that the index keeps; longer ones are cut, alike in text and query. */
const LONGEST_WORD = 100;

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
  return words.map((word) => (word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word));
}

/** What lists sort by: folded words, digits padded so that "Nr. 2" comes before "Nr. 10". */
export function sortKey(title: string): string {
  return wordsOf(title.slice(0, 400))
    .map((word) => (/^\d+$/.test(word) ? word.padStart(8, "0") : word))
    .join(" ")
    .slice(0, 240);
}

/** Whether PostgreSQL can keep the text: no NUL, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}
