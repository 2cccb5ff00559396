/**
 * Converts a written date to EDTF, with the day before the month (see dates/readings.ts, which
 * finds every way to read a text).
 *
 * Conventions of these readings:
 * - A century is counted as catalogues count it, 18th = 17XX; 3rd BC = -02XX is exactly 300 to 201 BC.
 * - early, mid and late are thirds with approximate inner ends: late 19th century = 1867~/1899.
 * - before 1800 and after 1945 include that year; before the end and after the beginning of an age include that part.
 * - 197- and 18-- are a decade and a century, as libraries write them. 190? is ambiguous (decade or year), so it is not read.
 * - Two dates in one text (negative 1948; printed 1980) are all of a set, `{1948,1980}`; `or` makes one of.
 */

import { MARKS, parseEdtf } from "./edtf.ts";
import { complete, type Extent, readSide, resolve, type Side } from "./sides.ts";
import { fold, type Token, tokens } from "./tokens.ts";
import { ITALIAN, MADE_WORDS, STARTS, WORDS } from "./words.ts";

type Joint = "to" | "or" | "and";

const start = (extent: Extent): string => extent.from + MARKS[extent.fromQuality]!;
const end = (extent: Extent): string => extent.to + MARKS[extent.toQuality]!;
const member = (extent: Extent): string =>
  start(extent) === end(extent) ? start(extent) : `${start(extent)}..${end(extent)}`;

/** The ends that "after … before …" leave: what follows a century, what goes before it. "Before the end" of one takes in its end. */
const from = (side: Side, extent: Extent): string =>
  side.bound === "after" && (side.cut?.index ?? 2) === 2 ? end(extent) : start(extent);
const to = (side: Side, extent: Extent): string =>
  side.bound === "before" && (side.cut?.index ?? 0) === 0 ? start(extent) : end(extent);

function single(side: Side): string | null {
  const found = resolve(side);
  if (!found || side.now) return null;
  if (side.bound === "before" || side.bound === "by") return `../${to(side, found)}`;
  if (side.bound) return `${from(side, found)}/..`;
  return start(found) === end(found) ? start(found) : `${start(found)}/${end(found)}`;
}

const LIMITS = new Set(["", "after before", "after by", "since before", "since by"]);

const isOnlyYear = (side: Side): boolean =>
  side.year !== undefined && isYear(side) && side.numbers.length === 0 && !side.bound;
const isYear = ({ century, decade, month, cut }: Side): boolean => !(century || decade || month || cut);

function pair(left: Side, right: Side, joint: Joint, doubts: boolean): string | null {
  if (right.now) return joint === "to" ? single({ ...left, bound: left.bound ?? "since" }) : null;
  const bounds = `${left.bound ?? ""} ${right.bound ?? ""}`.trim();
  if (!LIMITS.has(bounds) && !(joint === "to" && bounds === "since")) return null;
  if (left.era === "bc" && !right.era) return null;
  // "about 1829 – probably 1890": each says its own
  if (joint === "to" && doubts && !right.circa && !right.maybe) {
    right.circa = left.circa && !left.isOwn;
    right.maybe = left.maybe;
  }
  if (doubts) left.asked ||= right.asked;
  // "1660–1670 circa": behind two years, it is for both
  if (joint === "to" && right.isOwn && isYear(left) && isYear(right) && !left.maybe) left.circa = true;
  // "mars-1880"
  if (joint === "to" && left.month && left.year === undefined && isOnlyYear(right))
    return single({ ...right, ...left, year: right.year, circa: left.circa || right.circa });
  complete(left, right);
  /** "winter 1920/21" is one winter. */
  if (left.month === 24 && !right.month && right.year === left.year! + 1) return single(left);
  const [first, second] = [resolve(left), resolve(right)];
  if (!first || !second) return null;
  if (joint === "or") return `[${member(first)},${member(second)}]`;
  if (joint === "and" && !left.bound) return `{${member(first)},${member(second)}}`;
  const ends = [from(left, first), to(right, second)];
  return ends[0] === ends[1] ? ends[0]! : ends.join("/");
}

const BLANK = new Set([
  "skip",
  "at",
  "until",
  "between",
  "circa",
  "maybe",
  "asked",
  "before",
  "by",
  "after",
  "since",
]);

/** "From about 1867 to 1899": words part the ends, and "about" is only for the first. What stands before them is for both. */
const FROM = new RegExp(
  `^\\W*(?:(${WORDS.maybe.replaceAll(" ", "|")}) )?(?:(${STARTS.open})|${STARTS.span}|${WORDS.since.replaceAll(" ", "|")})\\b`,
);

/** One clause: one date, or two with a dash or a word between them. */
function readClause(folded: string): string | null {
  const left: Token[] = [];
  const right: Token[] = [];
  let joint: Joint | undefined;
  let mayBeOpen = false;
  let between = false;
  let apart: "earlier" | "later" | undefined;
  const from = FROM.exec(folded);
  let doubts = true;
  for (const token of tokens(folded)) {
    const is = token.is;
    const into = joint && right.length === 0;
    between ||= is === "between";
    if (is === "earlier" || is === "later") apart = is;
    else if (is === "to" || is === "at" || is === "until" || is === "or" || is === "and") {
      if (left.every((before) => BLANK.has(before.is))) left.push(is === "to" ? { is: "unknown" } : token);
      else if (!joint) {
        joint = is === "or" || (is === "and" && !between) ? is : "to";
        mayBeOpen = is === "to" || is === "until";
        doubts = !from || from[1] !== undefined || is === "to";
      } else if (!into) return null;
    } else if (joint) right.push(token);
    else left.push(token);
  }
  const [first, second] = [readSide(left), readSide(right)];
  if (!first || !second) return null;
  /** "1920-" goes on; "1920-?" ended some day. */
  const open = mayBeOpen && right.every(({ is }) => is === "skip" || is === "asked");
  if (open || (from?.[2] && !joint)) first.bound ??= "since";
  const edtf = joint && !open ? pair(first, second, joint, doubts) : single(first);
  if (edtf === null) return null;
  return parseEdtf(opened(open && second.asked ? edtf.replace(/\.\.$/, "") : edtf, apart))?.edtf ?? null;
}

/** "1368-1644 or later" is open behind its first year. */
function opened(edtf: string, apart: "earlier" | "later" | undefined): string {
  const [start, end = start] = edtf.split("/");
  return apart === undefined ? edtf : apart === "later" ? `${start}/..` : `../${end}`;
}

/** Days. Nobody wonders whether a century ends in 1899 or 1900: "19th century (1801-1900)". */
const YEAR = 366;
const LONG = 20 * YEAR;

const OF_DATES = new Set(["month", "day", "century", "millennium", "bc", "ad"]);

/**
 * Whether a clause that is no date may be left out, because it has no part of one: "Leipzig", "26th Dynasty", "No. 15", "Louis XV"
 * have none, "18.", "Italian 17th", "AD", "ca." have. `folded`: the whole text; in "tessuto XVII/XVIII secolo" it is no king.
 */
function isRemark(clause: string, folded: string): boolean {
  const read = tokens(clause);
  const isWords = read.some(({ is }) => is === "unknown") && !LETTER.test(clause);
  const isLabel = ({ ordinal, roman }: Token & { is: "number" }): boolean =>
    ordinal ? !roman && !/\d/.test(clause) && !ROMAN_PAIR.test(folded) : !/\d\.\s*$/.test(clause);
  /** Whether the last number counts what is named behind it. */
  let counts = false;
  return read.every((_, index) => {
    const token = read[read.length - 1 - index]!;
    const before = read.slice(0, -1 - index).findLast(({ is }) => is !== "skip");
    if (token.is === "number")
      return token.digits < 3 && (counts || (before?.is === "unknown" && isLabel(token)));
    if (token.is !== "skip" && token.is !== "to" && token.is !== "and") counts = token.is === "unknown";
    return token.is === "skip" || token.is === "decade" || (isWords && !OF_DATES.has(token.is));
  });
}
/** "19. Jh., A." */
const LETTER = /^\W*[ae]\W*$/;
const ROMAN_PAIR = /[ivx] ?\/ ?[ivx]/;

/** Names, places, remarks stand beside a date, behind a comma or in brackets: "Ming Dynasty (1368-1644)". */
function readAmong(folded: string, marks: RegExp): string | null {
  const clauses = folded.split(marks).filter((clause) => /[a-z0-9]/.test(clause));
  const has = (clause: string, ...kinds: Token["is"][]): boolean =>
    tokens(clause).some(({ is }) => kinds.includes(is));
  /** "Boston, July 4, 1960": without the names it may be one date. */
  const isDated = (clause: string): boolean => /\d/.test(clause) || !has(clause, "unknown");
  const dated = clauses.filter(isDated);
  const names = clauses.filter((clause) => !isDated(clause));
  const says = (...kinds: Token["is"][]): boolean => names.some((clause) => has(clause, ...kinds));
  /** What stands before a name is meant for the date: "possibly Ming Dynasty or later (1368-1644)". */
  const doubt =
    (folded.includes("?") || says("maybe") ? "?" : "") +
    (says("earlier") ? " orearlier" : says("later") ? " orlater" : "");
  if (says("before", "after", "since", "until") || !names.every((name) => isRemark(name, folded)))
    return null;
  const whole = names.length > 0 ? readClause(dated.join(",") + doubt) : null;
  if (whole) return whole;
  const found = new Map<string, { from: number; to: number }>();
  for (const clause of clauses) {
    const edtf = readClause(clause + doubt);
    const date = edtf === null ? null : parseEdtf(edtf);
    if (date) found.set(date.edtf, { from: date.earliestDay ?? -Infinity, to: date.latestDay ?? Infinity });
    else if (!isRemark(clause, folded)) return null;
  }
  /** A date within another one narrows it down: "mid 18th century (c. 1760)". */
  const days = [...found].filter(
    ([edtf, day]) =>
      ![...found].some(
        ([other, { from, to }]) =>
          other !== edtf && from >= day.from && to <= day.to + (day.to - day.from > LONG ? YEAR : 0),
      ),
  );
  const members = days.sort(([, a], [, b]) => a.from - b.from).map(([edtf]) => edtf);
  if (members.length < 2) return members[0] ?? null;
  const ends = members.map((edtf) => edtf.split("/")).map(([a = "", b = a]) => [a, b] as const);
  const before = ends.find(([a]) => a === "..");
  const after = ends.find(([, b]) => b === "..");
  if (before || after) {
    /** A limit cuts the other date: "early 20th century (before 1911)". */
    const [start] = after ?? ends.find(([a]) => a !== "..")!;
    const [, end] = before ?? ends.find(([, b]) => b !== "..")!;
    return members.length === 2 ? (parseEdtf(`${start}/${end}`)?.edtf ?? null) : null;
  }
  const set = ends.map(([a, b]) => (a === b ? a : `${a}..${b}`)).join(",");
  const isChoice =
    says("or") ||
    clauses.some((clause) => OR_FIRST.test(clause) || (MAYBE_FIRST.test(clause) && !MADE.test(clause)));
  return parseEdtf(isChoice ? `[${set}]` : `{${set}}`)?.edtf ?? null;
}

const among = (words: string): RegExp => new RegExp(`\\b(?:${words.replaceAll(" ", "|")})\\b`);
const OR = among(WORDS.or);
/** "1910, 1912, or 1920" */
const OR_FIRST = new RegExp(`^\\W*${OR.source}`);
/** "1887, possibly 1890" is one of them, "negative 1948, probably printed 1980" is both. */
const MAYBE_FIRST = new RegExp(`^\\W*${among(WORDS.maybe).source}`);
const MADE = among(MADE_WORDS);
const COMMA_OR = new RegExp(`,|${OR.source}`);
const COMMA_AND = new RegExp(`,|${among(WORDS.and).source}`);

/** Several dates of which one may be a range: "1480 or 1482/1485", "1910, 1912 and 1920". */
function readSeveral(folded: string): string | null {
  const isChoice = OR.test(folded);
  const parts = folded.split(isChoice ? COMMA_OR : COMMA_AND);
  const read = parts.map(readClause);
  if (parts.length < 2 || read.some((edtf) => edtf === null || /^\.|\.$/.test(edtf))) return null;
  const members = read.join(",").replaceAll("/", "..");
  return parseEdtf(isChoice ? `[${members}]` : `{${members}}`)?.edtf ?? null;
}

/** Marks between dates and remarks; at last also a slash between two whole dates: "1810-1823/ 1864". */
const MARKS_BETWEEN = [/[;:()[\]{}]/, /[;:()[\]{},]/, /[;:()[\]{},]|(?<!\b\d\d?) ?\/ ?(?!\d\d?\b)/];

/** Digits that a library did not know, in the brackets that say that it has reckoned. */
const UNKNOWN_DIGITS = /^\[?(\d{2}-(?=-)|\d{3})[-.] ?\(?(\?)?\)?\]?$/;
/** A number with a comma for thousands; a decade or a year of three digits; "vers 188." */
const NO_YEAR = /\d,\d{3}(?!\d)|^\[?\d{3}\?\]?$|(?<!\d)\d{3}\.(?! ?[a-z\d])/;
const THREE_DIGITS = /(?<!\d)\d{3}(?!\d)/;
export const ERA = /\b(ad|bc)\b/;
/** An era that stands first, "a.C. 200", which would be read as "circa"; a year of the Hijra, "H. 1250"; "d. 1600", "a. de 1600": after or before it, or only "the year". */
const OTHER_ERA = /\b[ad]\. ?C\. ?\d|(?<![\w.]\s*)H\.\s?\d|(?<![\w.])[ad]\. (?:de )?\d{3}/;

/** The EDTF of a date; null if it is not a date or has no plain meaning. */
export function readDate(text: string): string | null {
  const digits = UNKNOWN_DIGITS.exec(text);
  if (digits) return parseEdtf(`${digits[1]!.replace("-", "X")}X${digits[2] ?? ""}`)?.edtf ?? null;
  // "?-1887" begins some day
  const exact = text.startsWith("?-") ? null : parseEdtf(text);
  if (exact) return exact.edtf;
  const folded = fold(text);
  if (NO_YEAR.test(folded) || OTHER_ERA.test(text)) return null;
  if (THREE_DIGITS.test(folded) && ITALIAN.test(folded) && !ERA.test(folded)) return null;
  return (
    readClause(folded) ??
    MARKS_BETWEEN.reduce<string | null>((found, marks) => found ?? readAmong(folded, marks), null) ??
    readSeveral(folded)
  );
}
