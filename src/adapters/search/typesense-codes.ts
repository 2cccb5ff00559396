/**
 * What Typesense is given is small letters and digits only: words of other scripts, names of fields and values in a code.
 * So its tokenizer has nothing to decide, and nothing that anybody typed can be read as a part of a filter or a query.
 */
import { createHash } from "node:crypto";
import { searchWordsOf } from "../../text.ts";

/** Stands between the parts of a code; no coded word has it, since a q in a word is doubled. */
const BETWEEN = "qs";
/** Characters of one code: Typesense indexes the first hundred of a token. */
export const LONGEST = 96;
/** Characters of each word of a pair, so that both fit. */
const LONGEST_OF_PAIR = 40;
/** Characters of a facet value that count, as in the tables of the database. */
const LONGEST_VALUE = 1_000;

/** `quilt` → `qquilt`, `дом` → `qx00twqx00u6qx00u4`. The code of a word's beginning is the beginning of its code. */
export function codeOf(word: string): string {
  return beginningOf(
    word.replace(/[^a-pr-z0-9]/gu, (letter) =>
      letter === "q" ? "qq" : `qx${letter.codePointAt(0)!.toString(36).padStart(4, "0")}`,
    ),
  );
}

/** The word of a code; null for what is the code of none, since it was cut. */
export function wordOf(code: string): string | null {
  let whole = true;
  const word = code.replace(/q(q|x([0-9a-z]{4})|.?)/g, (_, kind: string, point?: string) => {
    if (kind === "q") return "q";
    const number = point === undefined ? Number.NaN : Number.parseInt(point, 36);
    if (number <= 0x10ffff) return String.fromCodePoint(number);
    whole = false;
    return "";
  });
  return whole ? word : null;
}

/** Each word of a text and each pair of neighbours, as phrases ask for them. */
export function* codesOfText(text: string): Generator<string> {
  let last: string | null = null;
  for (const word of searchWordsOf(text)) {
    yield codeOf(word);
    if (last !== null) yield pairCode(last, word);
    last = word;
  }
}

export function pairCode(first: string, second: string): string {
  return `${codeOf(first).slice(0, LONGEST_OF_PAIR)}${BETWEEN}${codeOf(second).slice(0, LONGEST_OF_PAIR)}`;
}

/** The pairs of a phrase; its word where it has only one. */
export function phraseCodes(words: readonly string[]): string[] {
  return words.length === 1
    ? [codeOf(words[0]!)]
    : words.slice(1).map((word, index) => pairCode(words[index]!, word));
}

/** The codes by which a value of a field is found: whole, by its words, by its beginning. */
export function codesOfValue(field: string, value: string): string[] {
  const words = searchWordsOf(value);
  return [
    isCode(field, value),
    ...[...new Set(codesOfText(value))].map((code) => containsCode(field, code)),
    ...(words.length > 0 ? [startsCode(field, words)] : []),
  ];
}

/** To the letter, unlike words: by its digest. */
export function isCode(field: string, value: string): string {
  return `i${digest(`${field}\u0000${value.slice(0, LONGEST_VALUE)}`, 24)}`;
}

/** `code`: of a word or a pair. */
export function containsCode(field: string, code: string): string {
  return beginningOf(`c${shortName(field)}${code}`);
}

export function startsCode(field: string, words: readonly string[]): string {
  return beginningOf(`s${shortName(field)}${words.map(codeOf).join(BETWEEN)}`);
}

export function existsCode(field: string): string {
  return `e${shortName(field)}`;
}

export function linkCode(id: string, isPublic: boolean): string {
  return `${isPublic ? "lp" : "ls"}${id.replaceAll("-", "").toLowerCase()}`;
}

/** Which records of which kind, status and, where that matters, collection status. */
export function scopeCode(...parts: readonly string[]): string {
  return parts.map(codeOf).join(BETWEEN);
}

/** As Typesense shows it among its facets. */
export function facetValue(value: string): string {
  return value.slice(0, LONGEST_VALUE);
}

/** The field of Typesense that has the values of a facet field. */
export function facetField(field: string): string {
  return `f_${plainName(field)}`;
}

/** The fields of Typesense that have one of the spans of a field, counted from 1; 0 is all of them as one. */
export function rangeFields(field: string, place: number): { from: string; to: string } {
  return { from: `r_${plainName(field)}_${place}_from`, to: `r_${plainName(field)}_${place}_to` };
}

/**
 * An identifier as three whole numbers that sort as it does: Typesense sorts and compares numbers, and a number of JSON is
 * exact up to 53 bits.
 */
export function idNumbers(id: string): [number, number, number] {
  const digits = id.replaceAll("-", "").padEnd(32, "0");
  const part = (from: number, to: number) => Number.parseInt(digits.slice(from, to), 16);
  return [part(0, 13), part(13, 26), part(26, 32)];
}

/** Digits of a number that count. */
const DIGITS = 12;
/** The exponents of doubles lie within as much of 0. */
const EXPONENTS = 400;
const MIDDLE = 10 ** (DIGITS + 3);

/**
 * A number as a whole one that sorts as it does, infinities included, and is exact in JSON: its exponent and its first
 * twelve decimal digits. Typesense's own floats have seven. The rest is rounded down or up, so that what lies just below
 * 12.3 is below it here, too.
 */
export function orderOf(number: number, rounded: "down" | "up"): number {
  if (number === 0) return MIDDLE;
  if (!Number.isFinite(number)) return number > 0 ? 2 * MIDDLE : 0;
  const [, digits, exponent] = /^([\d.]+)e([+-]\d+)$/.exec(Math.abs(number).toExponential())!;
  const all = digits!.replace(".", "").padEnd(DIGITS, "0");
  const outwards = number > 0 === (rounded === "up") && /[1-9]/.test(all.slice(DIGITS)) ? 1 : 0;
  const size = (Number(exponent) + EXPONENTS) * 10 ** DIGITS + Number(all.slice(0, DIGITS)) + outwards;
  return number > 0 ? MIDDLE + size : MIDDLE - size;
}

/** A text that sorts by code points and that nobody takes for words. */
export function sortCode(text: string): string {
  return Buffer.from(text, "utf8").toString("hex").slice(0, 240);
}

const shortNames = new Map<string, string>();

function shortName(field: string): string {
  const short = shortNames.get(field) ?? digest(field, 8);
  shortNames.set(field, short);
  return short;
}

function plainName(field: string): string {
  return field.replace(/[^a-z0-9_]/gu, codeOf);
}

function digest(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

function beginningOf(code: string): string {
  return code.slice(0, LONGEST);
}
