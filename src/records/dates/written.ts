/**
 * Converts a written date to EDTF, with the day before the month (see dates/readings.ts, which
 * finds every way to read a text).
 *
 * Conventions of these readings:
 * - A century is counted as catalogues count it, 18th = 17XX; 3rd BC = -02XX is exactly 300 to 201 BC.
 * - early, mid and late are thirds with approximate inner ends: late 19th century = 1867~/1899.
 * - before 1800 and after 1945 include that year.
 * - 197- and 18-- are a decade and a century, as libraries write them. 190? is ambiguous (decade or year), so it is not read.
 * - Two dates in one text (negative 1948; printed 1980) are all of a set, `{1948,1980}`; `or` makes one of.
 */

import { MARKS, parseEdtf } from "./edtf.ts";
import { complete, type Extent, readSide, resolve, type Side } from "./sides.ts";
import { fold, type Token, tokens } from "./tokens.ts";
import { ITALIAN, STARTS, WORDS } from "./words.ts";

type Joint = "to" | "or" | "and";

const start = (extent: Extent): string => extent.from + MARKS[extent.fromQuality]!;
const end = (extent: Extent): string => extent.to + MARKS[extent.toQuality]!;
const member = (extent: Extent): string =>
  start(extent) === end(extent) ? start(extent) : `${start(extent)}..${end(extent)}`;

/** The ends that "after … before …" leave: what follows a century, what goes before it. */
const from = (side: Side, extent: Extent): string => (side.bound === "after" ? end(extent) : start(extent));
const to = (side: Side, extent: Extent): string => (side.bound === "before" ? start(extent) : end(extent));

function single(side: Side): string | null {
  const found = resolve(side);
  if (!found || side.now) return null;
  if (side.bound === "before" || side.bound === "by") return `../${to(side, found)}`;
  if (side.bound) return `${from(side, found)}/..`;
  return start(found) === end(found) ? start(found) : `${start(found)}/${end(found)}`;
}

const LIMITS = new Set(["", "after before", "after by", "since before", "since by"]);

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
        doubts = !from || from[1] !== undefined || is === "to";
      } else if (!into) return null;
    } else if (joint) right.push(token);
    else left.push(token);
  }
  const [first, second] = [readSide(left), readSide(right)];
  if (!first || !second) return null;
  /** "1920-" goes on; "1920-?" ended some day. */
  const open = joint === "to" && right.every(({ is }) => is === "skip" || is === "asked");
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
  if (says("before", "after", "since", "until")) return null;
  const whole = names.length > 0 ? readClause(dated.join(",") + doubt) : null;
  if (whole) return whole;
  const found = new Map<string, { from: number; to: number }>();
  for (const clause of clauses) {
    const edtf = readClause(clause + doubt);
    const date = edtf === null ? null : parseEdtf(edtf);
    if (date) found.set(date.edtf, { from: date.earliestDay ?? -Infinity, to: date.latestDay ?? Infinity });
    else if (/\d{3}/.test(clause) || has(clause, "month", "century", "millennium")) return null;
  }
  /** A date within another one narrows it down: "mid 18th century (c. 1760)". */
  const days = [...found].filter(
    ([edtf, day]) =>
      ![...found].some(([other, { from, to }]) => other !== edtf && from >= day.from && to <= day.to),
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
  const isChoice = says("or") || clauses.some((clause) => OR_FIRST.test(clause));
  return parseEdtf(isChoice ? `[${set}]` : `{${set}}`)?.edtf ?? null;
}

const among = (words: string): RegExp => new RegExp(`\\b(?:${words.replaceAll(" ", "|")})\\b`);
const OR = among(WORDS.or);
/** "1910, 1912, or 1920" */
const OR_FIRST = new RegExp(`^\\W*${OR.source}`);
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
const UNKNOWN_DIGITS = /^\[?(\d{2}-|\d{3})-(\?)?\]?$/;
/** A number with a comma for thousands; a decade or a year of three digits. */
const NO_YEAR = /\d,\d{3}(?!\d)|^\[?\d{3}\?\]?$/;
const THREE_DIGITS = /(?<!\d)\d{3}(?!\d)/;
export const ERA = /\b(ad|bc)\b/;
/** An era that stands first, "a.C. 200", which would be read as "circa"; a year of the Hijra, "H. 1250". */
const OTHER_ERA = /\b[ad]\. ?C\. ?\d|(?<![\w.]\s*)H\.\s?\d/;

/** The EDTF of a date; null if it is not a date or has no plain meaning. */
export function readDate(text: string): string | null {
  const digits = UNKNOWN_DIGITS.exec(text);
  if (digits) return parseEdtf(`${digits[1]!.replace("-", "X")}X${digits[2] ?? ""}`)?.edtf ?? null;
  const exact = parseEdtf(text);
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
