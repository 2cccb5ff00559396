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
  return words.map((word) => beginning(word, LONGEST_WORD));
}

/** What lists sort by: folded words, digits padded so that "Nr. 2" comes before "Nr. 10". */
export function sortKey(title: string): string {
  const words = wordsOf(title.slice(0, 400)).map((word) =>
    /^\d+$/.test(word) ? word.padStart(8, "0") : word,
  );
  return beginning(words.join(" "), 240);
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
