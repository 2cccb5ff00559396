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

/**
 * What somebody may have meant who wrote a name that is not there: the name that takes the fewest changes of a letter, unless more than
 * a third of the letters would change.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_.-]+/g, "");
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const [a, b] = [plain(name), plain(candidate)];
    const distance = changes(a.slice(0, 100), b.slice(0, 100));
    if (distance > Math.max(a.length, b.length) / 3) continue;
    if (best === undefined || distance < best.distance) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Letters that must be added, taken away, changed or swapped with their neighbour (optimal string alignment). */
function changes(a: string, b: string): number {
  let earlier: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, earlier[j - 2]! + 1);
      next.push(least);
    }
    [earlier, row] = [row, next];
  }
  return row[b.length]!;
}

/** A question to put behind "there is no …"; empty when nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}
