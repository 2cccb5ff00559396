/**
 * Converts dates written in English, German or French to EDTF, to be confirmed by the user.
 *
 * Conventions of these readings:
 * - A century is counted as catalogues count it, 18th = 17XX; 3rd BC = -02XX is exactly 300 to 201 BC.
 * - early, mid and late are thirds with approximate inner ends: late 19th century = 1867~/1899.
 * - before 1800 and after 1945 include that year.
 * - 1900s is the century, the wider reading; 1900er Jahre and années 1900 are the decade.
 * - 1920-21, which is spring in EDTF, means two years here, as people use it. They include that spring, whereas a
 *   lost year would go unnoticed. 1920-05 stays a month. Try `parseEdtf` first for fields with EDTF.
 * - 12/05/1923 is only its year, unless the language settles it (see `readDay`).
 * - 197- and 18-- are a decade and a century, as libraries write them. 190? is ambiguous (decade or year), so it is not read.
 * - Two dates in one text (negative 1948; printed 1980) are all of a set, `{1948,1980}`; `or` makes one of.
 */
import { complete, type Extent, readSide, resolve, type Side } from "./date-sides.ts";
import { fold, type Language, type Token, tokens } from "./date-tokens.ts";
import { MARKS, MAX_LENGTH, parseEdtf } from "./edtf.ts";

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

function pair(left: Side, right: Side, joint: Joint): string | null {
  if (right.now) return joint === "to" ? single({ ...left, bound: left.bound ?? "since" }) : null;
  if (!LIMITS.has(`${left.bound ?? ""} ${right.bound ?? ""}`.trim())) return null;
  if (left.era === "bc" && !right.era) return null;
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

/** One clause: one date, or two with a dash or a word between them. */
function readClause(folded: string, lang: Language | undefined): string | null {
  const left: Token[] = [];
  const right: Token[] = [];
  let joint: Joint | undefined;
  let between = false;
  for (const token of tokens(folded, lang)) {
    const is = token.is;
    const into = joint && right.length === 0;
    between ||= is === "between";
    if (is === "to" || is === "at" || is === "until" || is === "or" || is === "and") {
      if (left.every((before) => BLANK.has(before.is))) left.push(is === "to" ? { is: "unknown" } : token);
      else if (!joint) joint = is === "or" || (is === "and" && !between) ? is : "to";
      else if (!into) return null;
    } else if (joint) right.push(token);
    else left.push(token);
  }
  const [first, second] = [readSide(left), readSide(right)];
  if (!first || !second) return null;
  /** "1920-" goes on; "1920-?" ended some day. */
  const open = joint === "to" && right.every(({ is }) => is === "skip" || is === "asked");
  if (open) first.bound ??= "since";
  const edtf = joint && !open ? pair(first, second, joint) : single(first);
  return edtf && (parseEdtf(open && second.asked ? edtf.replace(/\.\.$/, "") : edtf)?.edtf ?? null);
}

/** Names, places, remarks stand beside a date, behind a comma or in brackets: "Ming Dynasty (1368-1644)". */
function readAmong(folded: string, lang: Language | undefined, marks: RegExp): string | null {
  const clauses = folded.split(marks).filter((clause) => /[a-z0-9]/.test(clause));
  const doubt = folded.includes("?") ? "?" : "";
  const has = (clause: string, ...kinds: Token["is"][]): boolean =>
    tokens(clause, lang).some(({ is }) => kinds.includes(is));
  /** "Boston, July 4, 1960": without the names it may be one date. */
  const dated = clauses.filter((clause) => /\d/.test(clause) || !has(clause, "unknown"));
  const whole = dated.length < clauses.length ? readClause(dated.join(",") + doubt, lang) : null;
  if (whole) return whole;
  const found = new Map<string, { from: number; to: number }>();
  for (const clause of clauses) {
    const edtf = readClause(clause + doubt, lang);
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
  const set = ends.map(([a, b]) => (a === b ? a : `${a}..${b}`));
  return parseEdtf(`{${set.join(",")}}`)?.edtf ?? null;
}

/** Alternatives of which one is a range: "1480 or 1482/1485". */
function readChoice(folded: string, lang: Language | undefined): string | null {
  const parts = folded.split(/\b(?:or|oder|ou)\b/);
  const read = parts.map((part) => readClause(part, lang));
  if (parts.length < 2 || read.some((edtf) => edtf === null || /^\.|\.$/.test(edtf))) return null;
  return parseEdtf(`[${read.join(",").replaceAll("/", "..")}]`)?.edtf ?? null;
}

/** Marks between dates and remarks; at last also a slash between two whole dates: "1810-1823/ 1864". */
const MARKS_BETWEEN = [/[;:()[\]{}]/, /[;:()[\]{},]/, /[;:()[\]{},]|(?<!\b\d\d?) ?\/ ?(?!\d\d?\b)/];

/** Who writes so says that there is no date, in the languages of the catalogue. */
const UNDATED = new Set([
  ...["n d", "no date", "undated", "not dated", "without date", "date unknown", "dates unknown", "unknown"],
  ...[
    "unknown date",
    "o j",
    "o d",
    "ohne jahr",
    "ohne datum",
    "ohne datierung",
    "undatiert",
    "nicht datiert",
  ],
  ...[
    "unbekannt",
    "datum unbekannt",
    "s d",
    "sans date",
    "non date",
    "non datee",
    "date inconnue",
    "inconnue",
  ],
]);

/** Whether the text says that there is no date or that it is unknown, as opposed to an unreadable date. */
export function saysUndated(text: string): boolean {
  const words = text.length > MAX_LENGTH ? [] : (fold(text).match(/[a-z]+|\d+/g) ?? []);
  return UNDATED.has(words.join(" "));
}

/** Years of one century with a dash, which EDTF would read as a season; see the head of this file. */
const YEARS = /^\d\d(\d\d)-(2[1-9]|3\d|4[01])\??$/;

/** Digits that a library did not know, in the brackets that say that it has reckoned. */
const UNKNOWN_DIGITS = /^\[?(\d{2}-|\d{3})-(\?)?\]?$/;
/** A number with a comma for thousands; a decade or a year of three digits. */
const NO_YEAR = /\d,\d{3}(?!\d)|^\[?\d{3}\?\]?$/;

/** The EDTF of a written date, and the text it was read from; null if it is not a date or is ambiguous. */
export function readWrittenDate(text: string, lang?: Language): { edtf: string; text: string } | null {
  if (text.length > MAX_LENGTH) return null;
  const written = text.trim();
  const digits = UNKNOWN_DIGITS.exec(written);
  if (digits) {
    const date = parseEdtf(`${digits[1]!.replace("-", "X")}X${digits[2] ?? ""}`);
    return date && { edtf: date.edtf, text: written };
  }
  const years = YEARS.exec(written);
  const exact = years && years[1]! < years[2]! ? null : parseEdtf(written);
  const folded = exact ? "" : fold(written);
  if (NO_YEAR.test(folded)) return null;
  const edtf =
    exact?.edtf ??
    readClause(folded, lang) ??
    MARKS_BETWEEN.reduce<string | null>((found, marks) => found ?? readAmong(folded, lang, marks), null) ??
    readChoice(folded, lang);
  return edtf ? { edtf, text: written } : null;
}
