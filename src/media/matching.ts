/** Which object a file belongs to, by its name: the one whose import named it, or whose number it begins with. */
import { fold } from "../text.ts";

/** An object that may be meant. `wish`: the name that an import met, and its place among those of the record. */
export type Wish = { filename: string; position: number };
export type Match = { objectId: string; idno: string; wish?: Wish };

export type Matcher = {
  awaits(objectId: string, idno: string, wish: Wish): void;
  knows(objectId: string, idno: string): void;
  /** @param path with `/` between directories. Every object that fits; several are for somebody to decide. */
  of(path: string): Match[];
};

/** Where something may begin that is no part of the number: `1998.4_verso`, `OBJ-12 (2)`. */
const CUTS = /[_\-\s(+~,]+/g;

/** Names alike but for case, accents and what stands between words and digits. */
const keyOf = (name: string): string => (fold(name).match(/[\p{L}\p{N}]+/gu) ?? []).join("-");

const lastOf = (path: string): string => path.slice(path.replaceAll("\\", "/").lastIndexOf("/") + 1);
/** Without an ending that looks like one: of `1998.4` the end is none. */
const stemOf = (name: string): string => name.replace(/\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,5}$/i, "");

/** Whether two names of files are one, but for directories, endings, case and what stands between words. */
export const areAlike = (one: string, other: string): boolean =>
  keyOf(stemOf(lastOf(one))) === keyOf(stemOf(lastOf(other)));

export function createMatcher(): Matcher {
  const named = new Map<string, Match[]>();
  const numbered = new Map<string, Match[]>();
  const put = (map: Map<string, Match[]>, key: string, match: Match) => {
    if (key === "") return;
    const there = map.get(key);
    if (there) there.push(match);
    else map.set(key, [match]);
  };
  return {
    awaits: (objectId, idno, wish) =>
      put(named, keyOf(stemOf(lastOf(wish.filename))), { objectId, idno, wish }),
    knows: (objectId, idno) => put(numbered, keyOf(idno), { objectId, idno }),
    of(path) {
      const name = lastOf(path);
      const stem = stemOf(name);
      const wishes = named.get(keyOf(stem)) ?? [];
      if (wishes.length > 0) return exactOf(wishes, name);
      // the longest number first: 1998.4.12 before 1998.4
      const cuts = [stem.length, ...[...stem.matchAll(CUTS)].map(({ index }) => index).reverse()];
      for (const cut of cuts) {
        const found = numbered.get(keyOf(stem.slice(0, cut)));
        if (found) return found;
      }
      return [];
    },
  };
}

/** Of `a.jpg` and `a.tif` those that were meant to the letter, if there are any. */
function exactOf(matches: readonly Match[], name: string): Match[] {
  const exact = matches.filter(
    ({ wish }) => lastOf(wish!.filename).normalize("NFC") === name.normalize("NFC"),
  );
  return exact.length > 0 ? exact : [...matches];
}
