/** Dates among names, places and remarks, behind commas or in brackets: "Ming Dynasty (1368-1644)". */
import { anyWord } from "../../text.ts";
import { readClause } from "./clause.ts";
import { parseEdtf } from "./edtf.ts";
import { isRemark } from "./remarks.ts";
import { type Token, tokens } from "./tokens.ts";
import { MADE_WORDS, WORDS } from "./words.ts";

/** `from`, `to`: days. `hasNoEra`: read as BC because another date of the text is. `isAge`: a century or decade, or part of one. */
type Found = { edtf: string; from: number; to: number; hasNoEra: boolean; isAge: boolean };

/** The EDTF of a text whose clauses are parted by `marks`; null if a clause is neither a date nor a mere remark. */
export function readAmong(folded: string, marks: RegExp): string | null {
  const clauses = folded.split(marks).filter((clause) => /[a-z0-9]/.test(clause));
  /** "Boston, July 4, 1960": without the names it may be one date. */
  const isDated = (clause: string): boolean => /\d/.test(clause) || !has(clause, "unknown");
  const names = clauses.filter((clause) => !isDated(clause));
  const says = (...kinds: Token["is"][]): boolean => names.some((clause) => has(clause, ...kinds));
  // "1830, probably Boston", but "1550 (datazione incerta)"
  if (names.some((clause) => has(clause, "maybe") && !PERIOD.test(clause) && !DATING.test(clause)))
    return null;
  if (says("before", "after", "since", "until") || !names.every((name) => isRemark(name, folded)))
    return null;
  /** What stands before a name is meant for the date: "possibly Ming Dynasty or later (1368-1644)". */
  const doubt =
    (folded.includes("?") || says("maybe") ? "?" : "") +
    (says("earlier") ? " orearlier" : says("later") ? " orlater" : "");
  const order = clauses.map((clause) => (isDated(clause) ? "d" : PERIOD.test(clause) ? "p" : "n")).join("");
  // names before or behind it, not "1936 (négatif) - 1950 (tirage)"
  const isOne = /^(?:[np]+d+|d+[np]+)$/.test(order);
  const whole = isOne ? readClause(clauses.filter(isDated).join(",") + doubt) : null;
  if (whole) return whole;
  const found = RANGE_OF_CLAUSES.test(folded) ? null : datesIn(clauses, doubt, folded);
  if (!found || (found.length > 1 && /dp*np*d/.test(order) && !says("or"))) return null;
  const [first = "", ...others] = clauses;
  const isDoubted = (clause: string) =>
    MAYBE_FIRST.test(clause) || (clause.includes("?") && !first.includes("?"));
  return together(found, {
    isMadeTwice: LABEL.test(folded) || others.some((clause) => MADE.test(clause)),
    isChoice: says("or") || clauses.some((clause) => OR_FIRST.test(clause)) || others.some(isDoubted),
    // "Edo (1603-1868) or Meiji (1868-1912)"
    hasNames: names.length > 0 && !(says("or") && /^(?:[np]d)+$/.test(order)),
    hasCentury: has(folded, "century"),
  });
}

const has = (clause: string, ...kinds: Token["is"][]): boolean =>
  tokens(clause).some(({ is }) => kinds.includes(is));

/** The dates of the clauses, each once. Null if one is neither a date nor a remark, or of two eras. */
function datesIn(clauses: readonly string[], doubt: string, folded: string): Found[] | null {
  const found = new Map<string, Found>();
  const isBc = has(folded, "bc") && !has(folded, "ad");
  for (const clause of joinParts(clauses)) {
    const hasNoEra = isBc && !has(clause, "bc");
    const read = readClause(clause + doubt + (hasNoEra ? " bc" : ""));
    const date = read === null ? null : parseEdtf(read);
    if (!date && !isRemark(clause, folded)) return null;
    if (!date) continue;
    const { edtf, earliestDay, latestDay } = date;
    if (hasNoEra && found.has(edtf)) return null;
    const isAge = tokens(clause).some(
      (token) => AGES.has(token.is) || "decade" in token || ("roman" in token && token.roman),
    );
    const [from, to] = [earliestDay ?? -Infinity, latestDay ?? Infinity];
    found.set(edtf, { edtf, from, to, hasNoEra, isAge });
  }
  return [...found.values()];
}

/** A part of a century in brackets belongs to what stands before it: "20e siècle (1er quart), 1912". */
function joinParts(clauses: readonly string[]): string[] {
  const joined: string[] = [];
  for (const clause of clauses) {
    const last = joined.at(-1);
    const both = `${last},${clause}`;
    const isPart = last !== undefined && readClause(clause) === null && !isRemark(clause, "");
    if (isPart && readClause(both) !== null) joined.splice(-1, 1, both);
    else joined.push(clause);
  }
  return joined;
}

/** What several dates of one text mean. `isMadeTwice`: each is a fact of its own, "1890-1910, revised 1905". */
function together(
  found: readonly Found[],
  {
    isMadeTwice,
    isChoice,
    hasNames,
    hasCentury,
  }: { isMadeTwice: boolean; isChoice: boolean; hasNames: boolean; hasCentury: boolean },
): string | null {
  const within = (one: Found) =>
    isMadeTwice ? undefined : found.find((other) => other !== one && isWithin(other, one));
  for (const one of found) {
    const part = within(one);
    if (!part) continue;
    // "1885–1890 (until 1900)", "18th century, by the early 19th", "1880 (1875–1885)"
    if (isOpen(one) ? one.isAge || !part.isAge : !one.isAge && !hasNames) return null;
  }
  const dates = found.filter((one) => !within(one)).sort((a, b) => a.from - b.from);
  const [one, other] = dates;
  if (!one || !other) return one?.edtf ?? null;
  const ends = dates.map(({ edtf }) => edtf.split("/")).map(([a = "", b = a]) => [a, b] as const);
  /** The first two centuries share the year 100. */
  const shared = one.isAge && other.isAge ? YEAR : 0;
  // "early 20th century (before 1911)"; "Edo period (1615–1868), 19th century"
  if (dates.some(isOpen) || (hasCentury && !isMadeTwice && other.from <= one.to - shared)) {
    if (dates.length > 2 || isMadeTwice) return null;
    // "19th century (1890–1910)"
    const years = hasNames || dates.some(isOpen) ? [] : dates.filter(({ isAge }) => !isAge);
    if (years.length === 1) return years[0]!.edtf;
    const [start, end] = [ends[1]![0], one.to < other.to ? ends[0]![1] : ends[1]![1]];
    return parseEdtf(`${start}/${end}`)?.edtf ?? null;
  }
  // names may say what is dated: "17th century (inventory: 1880)"; a volume, "123 (1880)"; one day in two styles, "20 January 1517 (1518)"; "May 1911, 1912"
  const isVolume =
    dates.some(({ edtf }) => /^0\d{3}$/.test(edtf)) && ends.flat().some((end) => /^[12]\d{3}/.test(end));
  const isOneDay =
    !isMadeTwice &&
    dates.some(({ edtf }) => YEAR_ONLY.test(edtf)) &&
    dates.some(({ edtf }) => /\d-\d/.test(edtf));
  if (hasNames || isOneDay || isVolume) return null;
  // "4th century BC, acquired 1912"; "1948 or 1950, printed 1980"
  if (dates.some(({ hasNoEra }) => hasNoEra)) return null;
  if (isMadeTwice && (isChoice || dates.some(({ edtf }) => edtf.startsWith("[")))) return null;
  const set = ends.map(([a, b]) => (a === b ? a : `${a}..${b}`)).join(",");
  return parseEdtf(isChoice ? `[${set}]` : `{${set}}`)?.edtf ?? null;
}

const YEAR_ONLY = /^\d{4}[?~%]?$/;
const isOpen = ({ edtf }: Found): boolean => /^\.\.|\.\.$/.test(edtf);

/** A date within another one narrows it down: "mid 18th century (c. 1760)". */
const isWithin = (one: Found, other: Found): boolean =>
  one.from >= other.from && one.to <= other.to + (other.to - other.from > LONG ? YEAR : 0);

/** Days. Nobody wonders whether a century ends in 1899 or 1900: "19th century (1801-1900)". */
const YEAR = 366;
const LONG = 20 * YEAR;

const AGES = new Set<Token["is"]>(["century", "millennium", "decade"]);

/** "1848-1852, vol. 3: 1850" */
const LABEL = /\d.*[a-z]: /;
/** "1910, 1912, or 1920"; in Dutch "of" */
const OR_FIRST = new RegExp(`^\\W*\\b${anyWord(`${WORDS.or} of`)}\\b`);
/** Names that date, too: a date behind one is not what it says of the date before it. */
const PERIOD =
  /\b(?:period|dynasty|era|reign|dynastie|regne|periode|epoque|epoca|periodo|dinastia|tijdperk)\b|zeit\b/;
const DATING = /\b(?:dat\w+|fecha)\b/;
/** "1880 (begun) – 1885 (completed)", "vol. 1 (1880)-", "1880 (Baubeginn) bis 1885" */
const RANGE_OF_CLAUSES = new RegExp(
  `[)\\]}] ?[-/]|-\\s?[([{]|[)\\]};:,]\\W*${anyWord(`${WORDS.until} to through thru`)}\\b`,
);
/** "1887, possibly 1890" is one of them. */
const MAYBE_FIRST = new RegExp(`^\\W*\\b${anyWord(WORDS.maybe)}\\b`);
export const MADE = new RegExp(`\\b${anyWord(MADE_WORDS)}\\b`);
