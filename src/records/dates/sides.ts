/** One written date, or one side of a range: its content, what it takes from the other side, and its bounds. */
import type { Token } from "./tokens.ts";

type Numeral = Token & { is: "number" };

type Bound = "before" | "by" | "after" | "since";
const BOUNDS = new Set<Token["is"]>(["before", "by", "until", "after", "since"]);
/** Whether the date is the last one possible; otherwise it is the first. */
export const isUpTo = (bound: Bound): boolean => bound === "before" || bound === "by";

/** One date as written: a whole text, or what is before or after a dash. */
export interface Side {
  circa: boolean;
  /** "1880 circa – 1890": said behind the date, it is not for the other side. */
  isOwn?: boolean;
  maybe: boolean;
  /** A question mark behind a range doubts all of it, "probably" before its end only that end. */
  asked: boolean;
  /** Before and after a century leave it out; by, until and since take it in. All of them take in a year. */
  bound?: Bound;
  /** Part `index` of `parts`; early, mid and late are vague thirds. The others have a number: `n` if it stands before them, else the last of `numbers`. `isBehind`: behind a year. */
  cut?: { parts: number; index?: number; n?: number; isBehind?: boolean };
  /** Within a century, the part is one of the decade: "20. Jh., Ende der 60er Jahre", not "Ende 20. Jh. (60er Jahre)". */
  cutsDecade?: boolean;
  numbers: Numeral[];
  year?: number;
  month?: number;
  era?: "bc" | "ad";
  /** Its length: that of a century, or a millennium. */
  century?: 100 | 1000;
  /** Without that word. */
  isBare?: boolean;
  decade?: "s" | "er";
  /** "anni 1890", not "1890er": it stands before both ends of a range. */
  hasDecadeWord?: boolean;
  now: boolean;
}

/** The ends of a Side; `quality` as in edtf.ts: 1 uncertain, 2 approximate. */
export interface Extent {
  from: string;
  to: string;
  fromQuality: number;
  toQuality: number;
}

const PARTS = { early: [3, 0], mid: [3, 1], late: [3, 2], half: [2], quarter: [4], third: [3] } as const;

export function readSide(read: Token[]): Side | null {
  const side: Side = { circa: false, maybe: false, asked: false, numbers: [], now: false };
  let before: Token | undefined;
  /** The last part, until its age follows. */
  let isCut = false;
  /** A mark stands behind the last part. */
  let isApart = false;
  for (const token of read) {
    if (token.is === "unknown") return null;
    const isTens = token.is === "decade" || (token.is === "number" && token.isTens);
    if (isCut && isTens) side.cutsDecade = true;
    if (isTens || token.is === "number" || token.is === "century") isCut = false;
    if ("isMark" in token && token.isMark && isCut) {
      isCut = false;
      isApart = true;
    }
    if (token.is === "circa") side.isOwn = side.year !== undefined || side.numbers.length > 0;
    if (token.is === "circa" || token.is === "maybe" || token.is === "asked" || token.is === "now")
      side[token.is] = true;
    else if (BOUNDS.has(token.is)) {
      const bound = token.is === "until" ? "by" : (token.is as Bound);
      // "vor oder nach 1880"
      if (side.bound && isUpTo(side.bound) !== isUpTo(bound)) return null;
      side.bound = bound;
    } else if (token.is === "bc" || token.is === "ad") side.era = token.is;
    else if (token.is === "century") side.century = 100;
    else if (token.is === "millennium") side.century = 1000;
    else if (token.is === "decade") {
      side.decade = "er";
      side.hasDecadeWord = true;
    } else if (token.is === "month") {
      if (side.month !== undefined) return null;
      side.month = token.month;
    } else if (token.is === "number") {
      if (token.decade) side.decade = token.decade;
      // "ottobre 1936 XIV", of the Fascist Era
      if (token.ordinal && side.month !== undefined && side.year !== undefined) return null;
      if (token.digits < 3)
        side.numbers.push(before?.is === "decade" && !token.ordinal ? { ...token, isTens: true } : token);
      // "19th century (second half, c. 1880)"
      else if (side.year !== undefined || isApart) return null;
      else side.year = token.n;
    } else if (token.is === "day") {
      if (side.year !== undefined || side.month !== undefined) return null;
      side.year = token.year;
      side.month = token.month;
      if (token.day)
        side.numbers.push({ is: "number", n: token.day, digits: 2, ordinal: false, roman: false });
    } else if (token.is in PARTS) {
      if (side.cut) return null;
      const [parts, index] = PARTS[token.is as keyof typeof PARTS];
      side.cut = { parts, index };
      // "1800 fine" is not of this year, "1923, 2. Halbjahr" is
      if (side.year !== undefined && !side.decade && (side.year % 100 === 0 || index !== undefined))
        return null;
      side.cut.isBehind = side.year !== undefined;
      isCut = true;
      // "sec. XIX, seconda metà": not the number of the century
      if (index === undefined && before?.is === "number" && before.ordinal)
        side.cut.n = side.numbers.pop()!.n;
    }
    if (token.is !== "skip") before = token;
  }
  /** French leaves the word away: "fin XIXe". */
  if (side.year === undefined && side.month === undefined && side.numbers.at(-1)?.roman) {
    side.isBare = side.century === undefined;
    side.century ??= 100;
  }
  return side;
}

/**
 * Gives each side what only the other one says: "June 10-12, 1954", "1946-47", "5th-3rd century BC". Returns false if
 * "1900 or 1910s" may be two decades, or the years of two months are not clear. @param areMarked whether both say "about" or both "perhaps"
 */
export function complete(
  left: Side,
  right: Side,
  { areMarked, isRange }: { areMarked: boolean; isRange: boolean },
): boolean {
  const counted = right.era;
  const hasOwnEra = left.era !== undefined;
  // "24–25 August AD 79"
  const isSameMonth = !hasOwnEra && right.month && !left.month && left.numbers.length === 1 && !left.century;
  if (isSameMonth && right.year === undefined && right.numbers.length === 2)
    right.year = right.numbers.pop()!.n;
  // "IIe–Ier millénaires"
  if (left.isBare) left.century = right.century ?? 100;
  /** "44 BC – 1st century AD" */
  const isYear = left.era && left.numbers.at(-1)?.ordinal === false;
  left.era ??= right.era;
  if (!right.era && left.era === "ad") right.era = "ad";
  const [number] = right.numbers;
  const onlyNumber =
    right.numbers.length === 1 && number && !number.ordinal && !right.month && !right.century;
  // in England, "12 February 1722/3" is a day of 1723
  const isDay = left.month !== undefined && left.numbers.length > 0;
  if (
    onlyNumber &&
    right.year === undefined &&
    left.year !== undefined &&
    !isDay &&
    !counted &&
    left.era !== "bc"
  ) {
    const unit = 10 ** number.digits;
    right.year = left.year - (left.year % unit) + number.n;
    /** "1999-02" crosses the century; "1930-20" is a slip, "1858/2" a month or a number. */
    if (right.year < left.year && unit > 10 && right.year + unit - left.year <= 10) right.year += unit;
    right.numbers = [];
  }
  if (left.year === undefined && !left.century) {
    const last = right.numbers.at(-1);
    if (right.century && !left.month && !isYear) {
      left.century = right.century;
      if (last && left.numbers.every(({ isTens }) => isTens)) left.numbers.push(last);
      else if (
        last &&
        right.cut &&
        !left.cut &&
        right.cut.index === undefined &&
        left.numbers[0]!.n <= right.cut.parts
      ) {
        left.cut = { parts: right.cut.parts };
        left.numbers.push(last);
      }
    } else if (
      right.year !== undefined &&
      (left.cut || left.month || (left.numbers.length > 0 && (isSameMonth || !left.era)))
    ) {
      left.year = right.year;
      if (left.cut) left.decade ??= right.decade;
      if (left.numbers.length > 0) left.month ??= right.month;
      if (left.month && right.month && monthOf(left.month) > monthOf(right.month)) {
        // "December or January 1912"; "Sept. or Aug. 1912" is of one year
        if (!isRange && monthOf(left.month) < 12) return false;
        left.year -= 1;
      }
    }
  }
  // "secoli XVIII-XIX"
  if (left.century && right.numbers.at(-1)?.ordinal && right.year === undefined && !right.month)
    right.century ??= left.century;
  if (right.numbers.length > 0 && right.year !== undefined) right.month ??= left.month;
  // "fin des années 1920 - début 1930"
  if (left.decade && left.cut && right.cut && right.year! % 10 === 0) right.decade ??= left.decade;
  // not "100 BC – 1930s", "1920s (?) – 1930", "around the 1860s – about 1900"
  const areAlike = (["era", "circa", "maybe", "asked"] as const).every((each) => left[each] === right[each]);
  if (areMarked || !areAlike) return true;
  if (!left.decade && right.decade && !left.month && !left.cut && left.year! % 10 === 0) {
    // not "1880 – early 1890s", "1880 – années 1920"
    if (right.cut || right.hasDecadeWord) return true;
    // "1900 – 1910s": not the century
    left.decade = left.year! % 100 === 0 && right.year! % 100 !== 0 ? "er" : right.decade;
    return true;
  }
  if (left.hasDecadeWord && !left.cut && !left.century && !right.month && right.year !== undefined) {
    if (right.year % 10 === 0) right.decade ??= "er";
    // "años 1940-1945" are years
    else if (!right.decade) {
      const isSame = Math.floor(right.year / 10) === Math.floor(left.year! / 10);
      if (!isRange && !isSame) return false;
      left.decade = undefined;
    }
  }
  return true;
}

const pad = (n: number, size: number): string => String(n).padStart(size, "0");
const yearText = (year: number): string =>
  Math.abs(year) > 9999 ? `Y${year}` : `${year < 0 ? "-" : ""}${pad(Math.abs(year), 4)}`;
/** Of a season (21 to 24), the month in which it begins. */
const monthOf = (month: number): number => (month > 20 ? (month - 20) * 3 : month);

const monthText =
  (year: number) =>
  (month: number): string =>
    `${yearText(year)}-${pad(month + 1, 2)}`;

/** A century, decade or year, or part `cut` of it; `whole` is how EDTF writes it uncut, when it has a way. */
function extent(
  side: Side,
  start: number,
  size: number,
  text: (n: number) => string,
  whole?: string,
): Extent | null {
  const quality = (side.circa ? 2 : 0) | (side.maybe || side.asked ? 1 : 0);
  const plain = { fromQuality: quality, toQuality: quality };
  if (!side.cut) {
    if (side.numbers.length > 0) return null;
    return { from: whole ?? text(start), to: whole ?? text(start + size - 1), ...plain };
  }
  const { parts, index: vague, n = vague === undefined ? side.numbers.pop()?.n : vague + 1 } = side.cut;
  if (n === undefined || n === 0 || n > parts || side.numbers.length > 0) return null;
  const index = n < 0 ? parts - 1 : n - 1;
  const at = (i: number): number => start + Math.ceil((size * i) / parts);
  if (vague !== undefined && index > 0) plain.fromQuality |= 2;
  if (vague !== undefined && index < parts - 1) plain.toQuality |= 2;
  return { from: text(at(index)), to: text(at(index + 1) - 1), ...plain };
}

export function resolve(side: Side): Extent | null {
  const bc = side.era === "bc";
  const outside = side.bound === "before" || side.bound === "after";
  if (side.century) {
    const tens = side.numbers.findIndex(({ isTens }) => isTens);
    const [years] = side.decade && tens >= 0 ? side.numbers.splice(tens, 1) : [];
    const n = side.numbers.pop()?.n ?? 0;
    if (side.year !== undefined || side.month || n < 1) return null;
    const size = side.century;
    // "gli anni venti del XX secolo", "20. Jh., 60er Jahre"
    if (side.decade) {
      if (!years || bc) return null;
      const cut = side.cutsDecade ? side.cut : undefined;
      return resolve({ ...side, cut, century: undefined, decade: "er", year: size * (n - 1) + years.n });
    }
    const whole = (bc ? "-" : "") + pad(n - 1, size === 100 ? 2 : 1).padEnd(4, "X");
    const first = bc ? 1 - size * n : n > 1 ? size * (n - 1) : 1;
    const hasFourDigits = size * n <= 10_000;
    if (!hasFourDigits && !bc) return null;
    return extent(side, first, size, yearText, n > 1 && hasFourDigits && !outside ? whole : undefined);
  }
  // "15 March 44 BC", not "Augustus, 27 BC"
  const isName = side.month !== undefined && side.numbers.length < 2;
  if (side.year === undefined && side.era && !side.numbers.at(-1)?.ordinal && !isName)
    side.year = side.numbers.pop()?.n;
  if (side.year === undefined || (side.year > 9999 && !bc)) return null;
  if (bc && side.year === 0) return null;
  if (side.decade) {
    if (side.year % 10 !== 0 || side.month) return null;
    const century = side.decade === "s" && side.year % 100 === 0;
    if (bc && century) {
      const n = side.year / 100 + 1;
      const number: Numeral = { is: "number", n, digits: 2, ordinal: true, roman: false };
      return resolve({ ...side, decade: undefined, year: undefined, century: 100, numbers: [number] });
    }
    if (bc) return extent(side, -8 - side.year, 10, yearText);
    // "fine anni 1800" and "Ende der 1800er Jahre" are seldom of these ten years
    if (side.cut && !century && side.year % 100 === 0 && side.year < 1900) return null;
    const known = pad(side.year, 4).slice(0, century ? 2 : 3);
    return extent(side, side.year, century ? 100 : 10, yearText, outside ? undefined : known.padEnd(4, "X"));
  }
  const year = bc ? 1 - side.year : side.year;
  if (!side.month) return extent(side, 0, 12, monthText(year), yearText(year));
  const day = side.numbers.pop();
  const text = monthText(year)(side.month - 1) + (day ? `-${pad(day.n, 2)}` : "");
  return extent({ ...side, cut: undefined }, 0, 1, () => text);
}
