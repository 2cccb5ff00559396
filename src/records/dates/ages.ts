/** Ages and their vague thirds by the ends that the reader gives them: "late 19th century" is 1867~/1899. */
import { MARKS } from "./edtf.ts";
import { resolve, type Side } from "./sides.ts";

const SIZES = { millennium: 1000, century: 100, decade: 10 } as const;
export type Age = keyof typeof SIZES;

const WAYS: readonly { part?: "early" | "mid" | "late"; isAbout?: boolean }[] = [
  {},
  { isAbout: true },
  ...(["early", "mid", "late"] as const).map((part) => ({ part })),
];
const INDEXES = { early: 0, mid: 1, late: 2 } as const;

/** Of the 190th, "1900s" would mean a hundred years; of the first ones, digits are too few. */
export const isNamed = (decade: number): boolean => decade > 10 && decade % 10 !== 1;

/** All ages that `year` may begin, or end (`isLast`). */
export function agesAt(year: number, isLast: boolean) {
  const isBefore = year <= 0;
  return (["millennium", "century", "decade"] as const).flatMap((form) => {
    const size = SIZES[form];
    const number = isBefore ? Math.ceil((1 - year) / size) : Math.floor((year - Number(isLast)) / size) + 1;
    if (form === "decade" && (isBefore || !isNamed(number))) return [];
    return WAYS.flatMap(({ part, isAbout = false }) => {
      // a decade has no middle: 1954~/1956~ is "about 1954–1956"
      if (form === "decade" && part === "mid") return [];
      const side: Side = { circa: isAbout, maybe: false, asked: false, now: false, numbers: [] };
      if (part) side.cut = { parts: 3, index: INDEXES[part] };
      if (form === "decade") Object.assign(side, { decade: "er", year: size * (number - 1) });
      else {
        side.century = SIZES[form];
        side.numbers.push({ is: "number", n: number, digits: 2, ordinal: true, roman: false });
      }
      if (isBefore) side.era = "bc";
      const found = resolve(side);
      if (!found) return [];
      const [from, to] = [found.from + MARKS[found.fromQuality], found.to + MARKS[found.toQuality]];
      return [{ form, number, isBefore, part, isAbout, from, to }];
    });
  });
}
