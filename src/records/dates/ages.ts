/** Ages and their vague thirds by the ends that the reader gives them: "late 19th century" is 1867~/1899. */
import { MARKS, parseEdtf } from "./edtf.ts";
import { resolve, type Side } from "./sides.ts";

const SIZES = { millennium: 1000, century: 100, decade: 10 } as const;
export type Age = keyof typeof SIZES;

const WAYS: readonly { part?: "early" | "mid" | "late"; isAbout?: boolean }[] = [
  {},
  { isAbout: true },
  ...(["early", "mid", "late"] as const).map((part) => ({ part })),
];
const INDEXES = { early: 0, mid: 1, late: 2 } as const;

/** Of the 190th, "1900s" would mean a hundred years, though not "début des années 1900"; of the first ones, digits are too few. */
export const isNamed = (decade: number, partIn?: string): boolean =>
  decade > 10 &&
  (decade % 10 !== 1 || (partIn !== undefined && (decade === 201 || (decade === 191 && partIn !== "en"))));

export type Found = ReturnType<typeof agesAt>[number];

/** All ages that `year` may begin, or end (`isLast`). */
function agesAt(year: number, isLast: boolean, language: string) {
  const isBefore = year <= 0;
  return (["millennium", "century", "decade"] as const).flatMap((form) => {
    const size = SIZES[form];
    const number = isBefore ? Math.ceil((1 - year) / size) : Math.floor((year - Number(isLast)) / size) + 1;
    if (form === "decade" && isBefore) return [];
    return WAYS.flatMap(({ part, isAbout = false }) => {
      // a decade has no middle: 1954~/1956~ is "about 1954–1956"
      if (form === "decade" && (part === "mid" || !isNamed(number, part && language))) return [];
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

const yearOf = (day: string | null | undefined) => Number(/^[+-]?\d+/.exec(day ?? "")?.[0]);

/** Whether the two ends of a range are said as ages. "100 BC – about AD 100" stays years; "late 19th – 19th century" is never said. */
function arePair(age: Found, other: Found, range: string): boolean {
  if (age.number === other.number && age.isBefore === other.isBefore)
    return Boolean(age.part && other.part && age.part !== other.part && range.includes("~"));
  const hasPart = age.part !== undefined || other.part !== undefined;
  if (range.includes("X")) return !hasPart || range.includes("~");
  if (age.isAbout || other.isAbout) return hasPart && age.form === "century" && /~\/.*~/.test(range);
  return hasPart ? range.includes("~") : age.form === "century";
}

/** The first year of a century, half or quarter, also of one BC; a decade. */
const AGE_START = /^((?!0000)\d\d(00|50|75|\dX)|-\d\d(99|49|24))$/;

/** "Late 19th century – 1914", "1850 – early 20th century": what is typed as "c. 1867–1914" has two marks. */
function agesBeside(start: string, end: string, first: Found[], last: Found[]) {
  const [ends, begins] = [yearOf(parseEdtf(start)?.latest), yearOf(parseEdtf(end)?.earliest)];
  const late = first.filter(
    ({ form, part, from, to }) =>
      part === "late" && from === start && yearOf(to) < begins && (form !== "decade" || end.endsWith("X")),
  );
  const early = last.filter(
    ({ form, part, from, to }) => part === "early" && to === end && ends < yearOf(from) && form !== "decade",
  );
  if (/^-?\d+X?$/.test(end)) return [only(late), undefined] as const;
  return AGE_START.test(start) ? ([undefined, only(early)] as const) : null;
}

/** The century rather than the millennium; of those BC, either may be meant. */
function only(ages: Found[]): Found | undefined {
  const found = ages.filter(({ form, isBefore }) => isBefore || form !== "millennium");
  return found[0]?.isBefore && found.length > 1 ? undefined : found[0];
}

/** Returns one age for the whole range, or one for each end (undefined if that end is no age). Null if neither end is an age. */
export function agesOf(start: string, end: string, language: string) {
  // only those can be
  if (!/[~%]|^[-0Y]/.test(start + end)) return null;
  const [from = "", to = ""] = [start, end].map((side) => side.replace("%", "~").replace("?", ""));
  const first = agesAt(yearOf(parseEdtf(start)?.earliest), false, language);
  const last = agesAt(yearOf(parseEdtf(end)?.latest), true, language);
  const one = first.find((each) => each.from === from && each.to === to);
  if (one && /[?%]/.test(start) === /[?%]/.test(end)) return [one] as const;
  if (/X\/.*X|Y/.test(`${from}/${to}`)) return null;
  // nobody writes "late 14th – early 7th century BC"
  for (const form of ["millennium", "century"] as const) {
    const age = first.find((each) => each.form === form && each.from === from);
    const other = last.find((each) => each.form === form && each.to === to);
    if (age && other && arePair(age, other, `${from}/${to}`)) return [age, other] as const;
  }
  const beside = agesBeside(start, end, first, last);
  return beside?.some(Boolean) ? beside : null;
}

/** A range with an age around its other end, "after 1945, 20th century": its ends, which are said, "1945–1999". */
export function endsOfAges(start: string, end: string): [string, string] {
  const [first, last] = [parseEdtf(start), parseEdtf(end)];
  const isMarked = (date: string) => /[?~%]/.test(date);
  if (!first?.earliest || !last?.latest || start === end || isMarked(start) !== isMarked(end))
    return [start, end];
  const year = (age: string, day: string) => age.replace(/^-?\d+X+(?=[?~%]?$)/, () => /^-?\d+/.exec(day)![0]);
  const isLater = last.earliestDay! <= first.earliestDay!;
  const isEarlier = first.latestDay! >= last.latestDay!;
  return [isEarlier ? year(start, first.earliest) : start, isLater ? year(end, last.latest) : end];
}

/** Up to 100; other numbers as they are. */
export function roman(number: number): string {
  if (number > 100) return String(number);
  const tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC", "C"][Math.floor(number / 10)];
  return `${tens}${["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][number % 10]}`;
}
