/** One clause of a written date in EDTF: one date, or two with a dash or a word between them. The conventions are in written.ts. */
import { anyWord } from "../../text.ts";
import { MARKS, parseEdtf } from "./edtf.ts";
import { complete, type Extent, isUpTo, readSide, resolve, type Side } from "./sides.ts";
import { type Token, tokens } from "./tokens.ts";
import { STARTS, WORDS } from "./words.ts";

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
  if (side.bound && isUpTo(side.bound)) return `../${to(side, found)}`;
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
  // "1850 – not before 1860" is not clear, "since 1850 – 1860" is
  if (!LIMITS.has(bounds) && !(joint === "to" && bounds === "since" && left.bound)) return null;
  if (left.era === "bc" && !right.era) return null;
  // "1850-1899 (2. Hälfte)" is of the century
  if (right.cut?.isBehind) return null;
  // "fine '900 - inizi 2000" has no months; "Sommer 1910 und 1911" has two summers
  if (left.century && right.cut && right.year !== undefined && isYear({ ...right, cut: undefined }))
    return null;
  if (joint !== "to" && left.month && left.year !== undefined && isOnlyYear(right)) return null;
  const areMarked = (["circa", "maybe", "asked"] as const).some((each) => left[each] && right[each]);
  // "about 1829 – probably 1890": each says its own
  if (joint === "to" && doubts && !right.circa && !right.maybe) {
    right.circa = left.circa && !left.isOwn;
    right.maybe = left.maybe;
  }
  if (doubts) left.asked ||= right.asked;
  // "1660–1670 circa": behind two years, it is for both
  const areYears = isYear(right) && (isYear(left) || left.hasDecadeWord);
  if (joint === "to" && right.isOwn && areYears && !left.maybe) left.circa = true;
  // "mars-1880"
  if (joint === "to" && left.month && left.year === undefined && isOnlyYear(right))
    return single({ ...right, ...left, year: right.year, circa: left.circa || right.circa });
  // "6 mars 1585/1586" is one day in two calendars, "5-7/1900" two months
  const isDay = left.numbers.length > 0 && joint === "to";
  if (isDay && left.month && isOnlyYear(right) && right.year === left.year! + 1) return null;
  if (isDay && !left.month && !left.century && right.month && right.numbers.length === 0) return null;
  if (!complete(left, right, { areMarked, isRange: joint === "to" })) return null;
  /** "winter 1920/21" is one winter. */
  if (left.month === 24 && !right.month && right.year === left.year! + 1)
    return single({ ...left, circa: left.circa || right.circa, maybe: left.maybe || right.maybe });
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
  `^\\W*(?:(${anyWord(WORDS.maybe)}) )?(?:(${STARTS.open})|${STARTS.span}|${anyWord(WORDS.since)})\\b`,
);

/** The EDTF of one clause; null if it is not a date. */
export function readClause(folded: string): string | null {
  const left: Token[] = [];
  const right: Token[] = [];
  let joint: Joint | undefined;
  let isDash = false;
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
    // "1811 or later – 1869"
    else if (apart && is === "to") return null;
    else if (is === "to" || is === "at" || is === "until" || is === "or" || is === "and") {
      if (left.every((before) => BLANK.has(before.is))) left.push(is === "to" ? { is: "unknown" } : token);
      else if (!joint) {
        joint = is === "or" || (is === "and" && !between) ? is : "to";
        isDash = is === "to";
        mayBeOpen = is === "to" || is === "until";
        doubts = !from || from[1] !== undefined || is === "to";
      } else if (!into) return null;
    } else if (joint) right.push(token);
    else left.push(token);
  }
  const [first, second] = [readSide(left), readSide(right)];
  if (!first || !second) return null;
  /** "1920-" goes on; "1920-?" ended some day. */
  // "ab 1480/85" goes on, "seit 1480 bis 1485" does not
  if (isDash && right.length > 0 && first.bound === "since") return null;
  const open = mayBeOpen && right.every(({ is }) => is === "skip" || is === "asked");
  if (open || (from?.[2] && !joint)) first.bound ??= "since";
  // "entré en 1950"
  if (between && !joint) return null;
  const edtf = joint && !open ? pair(first, second, joint, doubts) : single(first);
  // "vor 1880 oder später"
  if (edtf === null || (apart && first.bound && isUpTo(first.bound) !== (apart === "earlier"))) return null;
  return parseEdtf(opened(open && second.asked ? edtf.replace(/\.\.$/, "") : edtf, apart))?.edtf ?? null;
}

/** "1368-1644 or later" is open behind its first year. */
function opened(edtf: string, apart: "earlier" | "later" | undefined): string {
  const [start, end = start] = edtf.split("/");
  return apart === undefined ? edtf : apart === "later" ? `${start}/..` : `../${end}`;
}
