/**
 * Finds the object of a file by its name: an import named the file, or the name begins with the object's number, possibly after
 * words (`Photo 1998.4`). Because devices write `DSC_0012` and `Screenshot 2024-05-12`, a number after words needs several parts,
 * and a day does not count.
 */
import { fold, normalised } from "../../text.ts";

/** A file name from an import, and its position among those of the record. */
export type ListedName = { filename: string; position: number };
export type Match = { objectId: string; idno: string; listed?: ListedName };

export type Matcher = {
  awaits(objectId: string, idno: string, listed: ListedName): void;
  knows(objectId: string, idno: string): void;
  /** Every object that matches. If there are several, a person must decide. @param path with `/` between directories */
  of(path: string): Match[];
};

/** What may follow a number in a file name: `1998.4_verso`, `OBJ-12 (2)`. */
const CUTS = /[_\-\s(+~,]+/;

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
/** Normalises a name, without case, accents and separators. */
const keyOf = (name: string): string => wordsOf(name).join("-");

const lastOf = (path: string): string => path.slice(path.replaceAll("\\", "/").lastIndexOf("/") + 1);
/** The name without its ending. `1998.4` has none. */
export const stemOf = (name: string): string => name.replace(/\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,5}$/i, "");

/** Whether two file names are equal apart from directories, endings, case and separators. */
export const areAlike = (one: string, other: string): boolean =>
  keyOf(stemOf(lastOf(one))) === keyOf(stemOf(lastOf(other)));

/** @param paths all paths that will be looked up, so that of a million objects only those that may match are kept */
export function createMatcher(paths: readonly string[]): Matcher {
  const begins = beginningsOf(
    paths.flatMap((path) => restsOf(stemOf(lastOf(path))).map((rest) => keyOf(rest.join(" ")))),
  );
  const named = new Map<string, Match[]>();
  const numbered = new Map<string, Match[]>();
  const put = (map: Map<string, Match[]>, key: string, match: Match) => {
    if (key === "" || !begins(key)) return;
    const there = map.get(key);
    if (there) there.push(match);
    else map.set(key, [match]);
  };
  return {
    awaits: (objectId, idno, listed) =>
      put(named, keyOf(stemOf(lastOf(listed.filename))), { objectId, idno, listed }),
    knows: (objectId, idno) => put(numbered, keyOf(idno), { objectId, idno }),
    of(path) {
      const name = lastOf(path);
      const stem = stemOf(name);
      const listed = named.get(keyOf(stem)) ?? [];
      if (listed.length > 0) return exactOf(listed, name);
      for (const [dropped, rest] of restsOf(stem).entries()) {
        const words: string[] = [];
        const keys = rest.map((part) => {
          words.push(...wordsOf(part));
          return words.join("-");
        });
        // prefer the longest number: 1998.4.12 to 1998.4
        const key = keys.findLast((key) => numbered.has(key) && (dropped === 0 || key.includes("-")));
        if (key !== undefined) return numbered.get(key)!;
      }
      return [];
    },
  };
}

const DAY = /(?<!\p{N})\p{N}{4}[-_.]\p{N}{2}[-_.]\p{N}{2}(?!\p{N})/u;

/** The parts of a name, then the same without its first words that have no digits: `Photo 1998.4`, then `1998.4`. */
function restsOf(stem: string): string[][] {
  const parts = stem.split(CUTS);
  if (DAY.test(stem)) return [parts];
  const words = parts.findIndex((part) => /\p{N}/u.test(part));
  return parts.slice(0, Math.max(0, words) + 1).map((_, from) => parts.slice(from));
}

/** Returns a function that tells whether one of these texts begins with another text. */
function beginningsOf(texts: readonly string[]): (beginning: string) => boolean {
  // sorted as `<` compares
  const sorted = [...new Set(texts)].sort();
  return (beginning) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < beginning) low = middle + 1;
      else high = middle;
    }
    return sorted[low]?.startsWith(beginning) ?? false;
  };
}

/** Prefers exact matches, for example between `a.jpg` and `a.tif`. */
function exactOf(matches: readonly Match[], name: string): Match[] {
  const exact = matches.filter(
    ({ listed }) => normalised(lastOf(listed!.filename), "NFC") === normalised(name, "NFC"),
  );
  return exact.length > 0 ? exact : [...matches];
}
