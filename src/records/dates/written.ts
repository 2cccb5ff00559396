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
import { readClause } from "./clause.ts";
import { parseEdtf } from "./edtf.ts";
import { fold, type Token, tokens } from "./tokens.ts";
import { ABOUT_DATES, ITALIAN, MADE_WORDS, WORDS } from "./words.ts";

/** Days. Nobody wonders whether a century ends in 1899 or 1900: "19th century (1801-1900)". */
const YEAR = 366;
const LONG = 20 * YEAR;

const OF_DATES = new Set(["month", "day", "century", "millennium", "bc", "ad"]);

/**
 * Whether a clause that is no date may be left out, because it has no part of one: "Leipzig", "26th Dynasty", "No. 15", "Louis XV"
 * have none, "18.", "Italian 17th", "AD", "ca.", "later", "(probable)" have. `folded`: the whole text; in "tessuto XVII/XVIII secolo" it is no king.
 */
function isRemark(clause: string, folded: string): boolean {
  const read = tokens(clause.replace(/(?<=[a-z])\./g, ""));
  if (ABOUT.test(clause)) return false;
  const isWords = read.some(({ is }) => is === "unknown") && !LETTER.test(clause);
  const isLabel = ({ ordinal, roman }: Token & { is: "number" }): boolean =>
    ordinal ? !roman && !/\d/.test(clause) && !ROMAN_PAIR.test(folded) : !/\d\.\s*$/.test(clause);
  /** Whether the last number counts what is named behind it. */
  let counts = false;
  return read.every((_, index) => {
    const token = read[read.length - 1 - index]!;
    const before = read[read.length - 2 - index];
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
  const found = new Map<string, { from: number; to: number; hasNoEra: boolean }>();
  const isBc = has(folded, "bc") && !has(folded, "ad");
  for (const clause of clauses) {
    const hasNoEra = isBc && !has(clause, "bc");
    const edtf = readClause(clause + doubt + (hasNoEra ? " bc" : ""));
    const date = edtf === null ? null : parseEdtf(edtf);
    if (date)
      found.set(date.edtf, {
        from: date.earliestDay ?? -Infinity,
        to: date.latestDay ?? Infinity,
        hasNoEra,
      });
    else if (!isRemark(clause, folded)) return null;
  }
  const isMadeTwice = LABEL.test(folded) || clauses.slice(1).some((clause) => MADE.test(clause));
  /** A date within another one narrows it down: "mid 18th century (c. 1760)", but not "1890-1910, revised 1905". */
  const days = [...found].filter(
    ([edtf, day]) =>
      isMadeTwice ||
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
    return members.length === 2 && !isMadeTwice ? (parseEdtf(`${start}/${end}`)?.edtf ?? null) : null;
  }
  // "4th century BC, acquired 1912"
  if (days.some(([, { hasNoEra }]) => hasNoEra)) return null;
  const set = ends.map(([a, b]) => (a === b ? a : `${a}..${b}`)).join(",");
  const isChoice =
    says("or") ||
    clauses.some((clause, index) => OR_FIRST.test(clause) || (index > 0 && MAYBE_FIRST.test(clause)));
  if ((isChoice || members.some((edtf) => edtf.startsWith("["))) && isMadeTwice) return null;
  return parseEdtf(isChoice ? `[${set}]` : `{${set}}`)?.edtf ?? null;
}

const among = (words: string): RegExp => new RegExp(`\\b(?:${words.replaceAll(" ", "|")})\\b`);
const OR = among(WORDS.or);
/** "1848-1852, vol. 3: 1850" */
const LABEL = /\d.*[a-z]: /;
/** "1910, 1912, or 1920" */
const OR_FIRST = new RegExp(`^\\W*${OR.source}`);
/** "1887, possibly 1890" is one of them. */
const MAYBE_FIRST = new RegExp(`^\\W*${among(WORDS.maybe).source}`);
const MADE = among(MADE_WORDS);
const COMMA_OR = new RegExp(`,|${OR.source}`);
const BETWEEN = among(WORDS.between);
const ABOUT = new RegExp(ABOUT_DATES);
const COMMA_AND = new RegExp(`,|${among(WORDS.and).source}`);

/** Several dates of which one may be a range: "1480 or 1482/1485", "1910, 1912 and 1920". */
function readSeveral(folded: string): string | null {
  const isChoice = OR.test(folded);
  const parts = folded.split(isChoice ? COMMA_OR : COMMA_AND);
  const read = parts.map(readClause);
  if (parts.length < 2 || read.some((edtf) => edtf === null || /^\.|\.$/.test(edtf))) return null;
  // "510 BC or 490", "zwischen 1480/85 und 1490", "1948 or 1950, printed 1980"
  const eras = parts.map((part) => ERA.exec(part)?.[1]);
  if (new Set(eras).size > 1 || (isChoice ? MADE : BETWEEN).test(folded)) return null;
  const members = read.join(",").replaceAll("/", "..");
  return parseEdtf(isChoice ? `[${members}]` : `{${members}}`)?.edtf ?? null;
}

/** Marks between dates and remarks. */
const MARKS_BETWEEN = [/[;:()[\]{}]/, /[;:()[\]{},]/];

/** Digits that a library did not know, in the brackets that say that it has reckoned. */
const UNKNOWN_DIGITS = /^\[?(\d{2}-(?=-)|\d{3})[-.] ?\(?(\?)?\)?\]?$/;
/**
 * A number with a comma for thousands; a decade or a year of three digits; "vers 188."; the 4th century as "C4 BC"; an unknown day,
 * "XX.05.1887"; "années 1920, 1930".
 */
const NO_YEAR = new RegExp(
  String.raw`\d,\d{3}(?!\d)|^\[?\d{3}\?\]?$|(?<!\d)\d{3}\.(?! ?[a-z\d])|\bc\d\d?\b|\b\d\d?c\b|\bxx?[./-]\d+[./-]\d{4}|\d{4}-\d\d?/\d{4}|` +
    String.raw`\b(?:${WORDS.decade.replaceAll(" ", "|")}) \d{4}, ?\d{4}`,
);
/** EDTF that only people write who mean something else: "?-1887" begins some day, "1939-40/1945" with years. */
const NOT_EXACT = /^\?-|^\d{4}-[234]\d\/\d{4}$/;
const THREE_DIGITS = /(?<!\d)\d{3}(?!\d)/;
export const ERA = /\b(ad|bc)\b/;
/** An era that stands first, "a.C. 200", which would be read as "circa"; a year of the Hijra, "H. 1250"; "d. 1600", "a. de 1600": after or before it, or only "the year". */
const OTHER_ERA = /\b[ad]\. ?C\. ?\d|(?<![\w.]\s*)H\.\s?\d|(?<![\w.])[ad]\. (?:de )?\d{3}/;

/** The EDTF of a date; null if it is not a date or has no plain meaning. */
export function readDate(text: string): string | null {
  const digits = UNKNOWN_DIGITS.exec(text);
  if (digits) return parseEdtf(`${digits[1]!.replace("-", "X")}X${digits[2] ?? ""}`)?.edtf ?? null;
  const exact = NOT_EXACT.test(text) ? null : parseEdtf(text);
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
