/** Suggestions for misspelt names. */
import { type Said, said } from "../messages/said.ts";

/** The most similar name; undefined if more than a third of the letters would have to change. */
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

/** The number of letters to add, remove, change or swap with their neighbour (optimal string alignment). */
export function changes(a: string, b: string): number {
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

/** With the name that may have been meant, if there is one. Programs see the code of the fault itself. */
export const withNear = (fault: Said, near: string | undefined): Said =>
  near === undefined ? fault : said("fault.near", { fault, near });
