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
import { anyWord } from "../../text.ts";
import { spelledOut } from "./ages-alone.ts";
import { MADE, readAmong } from "./among.ts";
import { readClause } from "./clause.ts";
import { type EdtfDate, parseEdtf } from "./edtf.ts";
import { fold } from "./tokens.ts";
import { ITALIAN, MADE_WORDS, MONTH, MONTHS, PARTS_OF_TENS, SEASONS, WORDS } from "./words.ts";

const OR = new RegExp(`\\b${anyWord(WORDS.or)}\\b`);
const BETWEEN = new RegExp(`\\b${anyWord(WORDS.between)}\\b`);
const COMMA_OR = new RegExp(`,|${OR.source}`);
const AND = new RegExp(`\\b${anyWord(WORDS.and)}\\b`);
const COMMA_AND = new RegExp(`,|${AND.source}`);

/** Several dates of which one may be a range: "1480 or 1482/1485", "1910, 1912 and 1920". */
function readSeveral(folded: string): string | null {
  const isChoice = OR.test(folded);
  const parts = folded.split(isChoice ? COMMA_OR : COMMA_AND);
  const read = parts.map(readClause);
  const known = read.flatMap((edtf) => parseEdtf(edtf ?? "") ?? []);
  if (parts.length < 2 || known.length < parts.length || known.some(({ edtf }) => /^\.|\.$/.test(edtf)))
    return null;
  // "510 BC or 490", "zwischen 1480/85 und 1490", "1948 or 1950, printed 1980"
  const eras = parts.map((part) => ERA.exec(part)?.[1]);
  // "Winter 1914/15 und 1915/16", "1388, 20 March [1389]"
  const isBare = read.map((edtf) => !/\d-\d/.test(edtf!));
  const hasWord = isChoice || AND.test(folded);
  if (isBare.some((bare, index) => index > 0 && (hasWord ? bare && !isBare[index - 1] : bare !== isBare[0])))
    return null;
  if (new Set(eras).size > 1 || (isChoice ? MADE : BETWEEN).test(folded)) return null;
  // "1880–1900, possibly 1890"
  if (known.some((one) => known.some((other) => one !== other && isPart(one, other)))) return null;
  // a number, "1965, 123"
  if (new Set(read.map((edtf) => /^0\d{3}/.test(edtf!))).size > 1 && !eras[0]) return null;
  const members = read.join(",").replaceAll("/", "..");
  return parseEdtf(isChoice ? `[${members}]` : `{${members}}`)?.edtf ?? null;
}

const isPart = (one: EdtfDate, other: EdtfDate): boolean =>
  one.earliestDay! >= other.earliestDay! && one.latestDay! <= other.latestDay!;

/** Marks between dates and remarks. */
const MARKS_BETWEEN = [/[;:()[\]{}]/, /[;:()[\]{},]/];

/** Digits that a library did not know, in the brackets that say that it has reckoned. */
const UNKNOWN_DIGITS = /^\[?(\d{2}-(?=-)|\d{3})[-.] ?\(?(\?)?\)?\]?$/;
const MAKING = anyWord(MADE_WORDS);
/** Looks like a year or a date, but means something else. */
const NO_YEAR = new RegExp(
  [
    // a number with a comma for thousands; a scale; "0-100 AD"
    String.raw`\d,\d{3}(?!\d)|\d:\d|(?<!\d)0 ?- ?\d`,
    // a decade or a year of three digits: "192?", "vers 188."
    String.raw`^\[?\d{3}\?\]?$|(?<!\d)[12]\d\d\?(?!.*\b(?:bc|ad)\b)|(?<!\d)\d{3}\.(?! ?[a-z\d])`,
    // the 4th century as "C4 BC"; an unknown day, "XX.05.1887"
    String.raw`\bc\d\d?\b|\b\d\d?c\b|\bxx?[./-]\d+[./-]\d{4}|\d{4}-\d\d?/\d{4}`,
    // "années 1920, 1930"; a month of a year between them, "May (1900–1909)"; "February 1722/3"
    String.raw`\b${anyWord(WORDS.decade)} \d{4}, ?\d{4}`,
    String.raw`\b${MONTH}\.? \(\d{4} ?-`,
    String.raw`\b${anyWord(`${MONTHS} ${SEASONS.replace(/ winter.*/, "")}`)}\.? (?:de )?\d{4}[-/]\d{1,2}(?!\d|\.? ?[a-z])`,
    // "1915 [1916]"; a part of the object, "frame: 18th century"
    String.raw`^\d{4} ?[([]\d{4}[)\]]$|\b(?:frame|rahmen|cadre|cornice|lijst|marco(?=:|\)$))\b(?:\D*\d|:|\W*$)`,
    // "1885 (bis)", "1885 on", "18th century (style)"
    String.raw`\((?:bis|tot|hasta|fino|until|till|from|vanaf|dal|desde)\)|(?<!\b(?:from|ab|von)\b.*)\d{4}s? (?:on|up|an)$|[(,] ?(?:style|stil|stile|estilo|stijl)\)?$`,
    // "1900s, 1950": a list, or years within it
    String.raw`(?<!(?:early|mid|late)[- ])(?<hundred>\d\d)00(?:'?s|er)[,;] ?\k<hundred>[2-9]\d`,
    ...PARTS_OF_TENS,
    // a model: "after a 17th-century print", "nach Entwurf von 1890"
    String.raw`\b(?:after|nach|apres) (?:(?:an|a(?! ?\.)|einem|einer|une?) |(?:(?:dem|der|le|la|un|the) )?${MAKING}\b)`,
    // "1880 (negative) / 1950s (print)"; "1850 (± 5 ans)"; "vor 200 Jahren"
    String.raw`\b${MAKING}[)\]],? ?(?:[-/]|${anyWord(`to ${WORDS.until}`)}\b)|[-/] ?[([]?${MAKING}\b|(?:±|\+ ?/ ?-) ?\d{1,2}\b|\d ans pres\b|\bvor (?:\D{0,10} )?\d+ jahren\b`,
    String.raw`\bvoor (?:\D{0,10} )?\d+ jaar\b|\byears ago\b|\bil y a\b|\b\d+ anni fa\b|\bhace\b`,
  ].join("|"),
);
/** Letters typed for digits, "l880", "188O"; a range that ends in a year of the French Republic, "1790-an II". */
const SLIP = /\b[lI](?:\d|\.\d)|\dO\b|\bO\d|[-–—/] ?(?:l['’])?[Aa][Nn] (?:[IVX]+|\d\d?)\b(?! ?\()/;
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
  const folded = spelledOut(fold(text));
  if (NO_YEAR.test(folded) || OTHER_ERA.test(text) || SLIP.test(text)) return null;
  if (THREE_DIGITS.test(folded) && ITALIAN.test(folded) && !ERA.test(folded)) return null;
  return (
    readClause(folded) ??
    MARKS_BETWEEN.reduce<string | null>((found, marks) => found ?? readAmong(folded, marks), null) ??
    readSeveral(folded)
  );
}
