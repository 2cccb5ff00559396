/**
 * Extended Date/Time Format: https://www.loc.gov/standards/datetime/ (ISO 8601-2:2019), levels 0, 1 and 2.
 *
 * Why not npm `edtf` 4.11.1: it takes 1921-02-29 for 1 March, ends `[2016..2018]` in 2016, has no bounds
 * for `Y170000002` nor for the unknown digits of `1950S2`, refuses `192X~` and `1920-21~`, and reads some
 * 10,000 dates a second, a thirtieth of this.
 */
import { type Day, dayNumber, daysIn, edge, isoDay } from "./calendar.ts";

/**
 * A date and the days it may fall on, both ends included, for an index.
 *
 * `earliest`/`latest` are ISO 8601 days of the proleptic Gregorian calendar with astronomical years (0000 =
 * 1 BC): four digits, a minus before 0000, sign and all digits beyond 9999 (`+170000002-01-01`;
 * xsd:dateTime drops the plus). Such text does not sort, and a PostgreSQL `date` begins in 4713 BC, so
 * `earliestDay`/`latestDay` count days from 1970-01-01: whole numbers within ±(2^53 - 1), which both
 * JavaScript and `bigint` hold exactly; years beyond some 24 trillion are clamped to that. A bound is null
 * where the interval has none: `..` says that it is open (openStart, openEnd), nothing (`/1930`) that it is
 * not known.
 */
export interface EdtfDate {
  edtf: string;
  earliest: string | null;
  latest: string | null;
  earliestDay: number | null;
  latestDay: number | null;
  approximate: boolean;
  uncertain: boolean;
  openStart: boolean;
  openEnd: boolean;
}

/** Part of an expression. `quality`: 1 uncertain, 2 approximate, 3 both; the index of its mark in MARKS. */
interface Span {
  edtf: string;
  first: Day | null;
  last: Day | null;
  quality: number;
  openStart?: boolean;
  openEnd?: boolean;
}

export const MARKS = ["", "?", "~", "%"];
export const MAX_LENGTH = 200;

/** 21 to 41: first month and length. Seasons are meteorological; 21 to 24, of no place, count as northern. */
const SEASONS: readonly (readonly [number, number])[] = [
  ...([3, 6, 9, 12, 3, 6, 9, 12, 9, 12, 3, 6, 1, 4, 7, 10] as const).map((month) => [month, 3] as const),
  ...([1, 5, 9] as const).map((month) => [month, 4] as const),
  ...([1, 7] as const).map((month) => [month, 6] as const),
];

const DATE =
  /^([?~%]?)(-?)([\dX]{4})([?~%]?)(?:-([?~%]?)([\dX]{2})([?~%]?)(?:-([?~%]?)([\dX]{2})([?~%]?))?)?$/;
const YEAR = /^(?:(-?\d{4})|Y(-?[1-9]\d*)(?:E(\d{1,2}))?)(?:S(\d{1,2}))?([?~%]?)$/;
const DATE_TIME =
  /^(-?)(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-](0\d|1[0-4])(:[0-5]\d)?)?$/;

/** A mark after a part applies to it and everything before it; a mark before a part, only to that part. */
function readDate(text: string): Span | null {
  const found = DATE.exec(text);
  if (!found) return readYear(text) ?? readDateTime(text);
  const [, q1 = "", minus = "", year = "", q2 = "", q3 = "", month, q4 = "", q5 = "", day, q6 = ""] = found;
  if (minus && year === "0000") return null;
  const parts = [minus + year, month, day].filter((part) => part !== undefined);
  const [onYear = 0, onMonth = 0, onDay = 0] = [q2, q4, q6].map((mark) => MARKS.indexOf(mark));
  const [year1 = 0, month1 = 0, day1 = 0] = [q1, q3, q5].map((mark) => MARKS.indexOf(mark));
  const qualities = [year1 | onYear | onMonth | onDay, month1 | onMonth | onDay, day1 | onDay];
  const quality = qualities[0]! | qualities[1]! | qualities[2]!;
  const edtf = quality ? qualified(parts, qualities) : text;
  const before = minus === "-";
  if (month !== undefined && month > "20" && !month.includes("X")) {
    const season = day === undefined ? SEASONS[Number(month) - 21] : undefined;
    const first = edge(before, [year], false);
    const last = edge(before, [year], true);
    if (!season || !first || !last) return null;
    const end = season[0] + season[1] - 1;
    const to = { year: last.year + (end > 12 ? 1 : 0), month: ((end - 1) % 12) + 1, day: 1 };
    to.day = daysIn(to.year, to.month);
    return { edtf, first: { ...first, month: season[0] }, last: to, quality };
  }
  const first = edge(before, [year, month, day], false);
  return first && { edtf, first, last: edge(before, [year, month, day], true), quality };
}

/** One spelling for the same signs: what the first parts share goes after them, any other before its part. */
function qualified(parts: string[], qualities: number[]): string {
  const lead = qualities[0]!;
  let shared = 1;
  while (lead > 0 && shared < parts.length && qualities[shared] === lead) shared++;
  return parts
    .map((part, i) =>
      i < shared ? part + (i === shared - 1 ? MARKS[lead]! : "") : MARKS[qualities[i]!]! + part,
    )
    .join("-");
}

/** `Y170000002`, `Y-17E7`, `1950S2`, `Y3388E2S3`. Years beyond 2^53 are refused: no calendar reaches them. */
function readYear(text: string): Span | null {
  const found = YEAR.exec(text);
  if (!found) return null;
  const [, plain, long, exponent, significant, mark = ""] = found;
  if (plain === "-0000" || (long !== undefined && !exponent && long.replace("-", "").length < 5)) return null;
  const year = Number(plain ?? long) * 10 ** Number(exponent ?? 0);
  if (!Number.isSafeInteger(year)) return null;
  const digits = String(Math.abs(year)).length;
  const known = significant === undefined ? digits : Number(significant);
  if (known < 1 || known > digits) return null;
  const unit = 10 ** (digits - known);
  const low = Math.floor(Math.abs(year) / unit) * unit;
  const [from, to] = year < 0 ? [1 - low - unit, -low] : [low, low + unit - 1];
  const quality = MARKS.indexOf(mark);
  return {
    edtf: text,
    first: { year: from, month: 1, day: 1 },
    last: { year: to, month: 12, day: 31 },
    quality,
  };
}

/** The day is the one written, whatever the time zone. EDTF has no parts of a second: they are dropped. */
function readDateTime(text: string): Span | null {
  const found = DATE_TIME.exec(text);
  if (!found || text.startsWith("-0000")) return null;
  const day = edge(found[1] === "-", found.slice(2, 5), false);
  return day && { edtf: text.replace(/\.\d+/, ""), first: day, last: day, quality: 0 };
}

/** Two dates with `/` or `..` between them. Neither end known, or the end before the start, is not a date. */
function readRange(start: string, end: string, between: "/" | ".."): Span | null {
  const open = between === "/" ? ".." : "";
  const [from, to] = [start, end].map((side) => (side === open || side === "" ? undefined : readDate(side)));
  if (from === null || to === null || !(from || to) || /T/.test(start + end)) return null;
  if (from?.first && to?.last && dayNumber(from.first) > dayNumber(to.last)) return null;
  return {
    edtf: `${from ? from.edtf : start}${between}${to ? to.edtf : end}`,
    first: from?.first ?? null,
    last: to?.last ?? null,
    quality: (from?.quality ?? 0) | (to?.quality ?? 0),
    openStart: start === open,
    openEnd: end === open,
  };
}

/** `[…]` one of these, `{…}` all of these. A set of one is that date: so catalogues write one they supply. */
function readSet(text: string): Span | null {
  const inner = text.slice(1, -1);
  if (text.at(-1) !== (text[0] === "[" ? "]" : "}")) return null;
  const items = inner.split(",").map((item) => item.trim());
  const spans: Span[] = [];
  for (const [i, item] of items.entries()) {
    const sides = item.split("..").map((side) => side.trim());
    const span =
      sides.length === 1 ? readDate(item) : sides.length === 2 ? readRange(sides[0]!, sides[1]!, "..") : null;
    if (!span || item.includes("T") || (span.openStart && i > 0) || (span.openEnd && i < items.length - 1))
      return null;
    spans.push(span);
  }
  if (spans.length === 1 && !items[0]!.includes("..")) return spans[0]!;
  /** If one member lacks a bound, so does the set. */
  const outer = (end: "first" | "last", sign: 1 | -1): Day | null =>
    spans
      .map((span) => span[end])
      .reduce((a, b) => (a && b && (dayNumber(b) - dayNumber(a)) * sign > 0 ? b : b && a));
  return {
    edtf: text[0] + spans.map((span) => span.edtf).join(",") + text.at(-1),
    first: outer("first", -1),
    last: outer("last", 1),
    quality: spans.reduce((quality, span) => quality | span.quality, 0),
    openStart: spans[0]!.openStart,
    openEnd: spans.at(-1)!.openEnd,
  };
}

/** Parses EDTF, ignoring case; null for anything else, and for more than 200 characters. Never throws. */
export function parseEdtf(text: string): EdtfDate | null {
  if (text.length > MAX_LENGTH) return null;
  const written = text.trim().toUpperCase();
  const sides = written.split("/");
  const span = /^[[{]/.test(written)
    ? readSet(written)
    : sides.length === 2
      ? readRange(sides[0]!, sides[1]!, "/")
      : readDate(written);
  if (!span) return null;
  return {
    edtf: span.edtf,
    earliest: span.first && isoDay(span.first),
    latest: span.last && isoDay(span.last),
    earliestDay: span.first && dayNumber(span.first),
    latestDay: span.last && dayNumber(span.last),
    approximate: (span.quality & 2) > 0,
    uncertain: (span.quality & 1) > 0,
    openStart: span.openStart ?? false,
    openEnd: span.openEnd ?? false,
  };
}
