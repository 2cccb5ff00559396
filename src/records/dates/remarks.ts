/** Tells remarks beside a date from parts of it. */
import { type Token, tokens } from "./tokens.ts";
import { ABOUT_DATES } from "./words.ts";

const OF_DATES = new Set(["month", "day", "century", "millennium", "decade", "bc", "ad"]);

/**
 * Whether a clause that is no date may be left out, because it has no part of one: "Leipzig", "26th Dynasty", "No. 15", "Louis XV"
 * have none, "18.", "Italian 17th", "AD", "ca.", "later", "(probable)" have. `folded`: the whole text; in "tessuto XVII/XVIII secolo" it is no king.
 */
export function isRemark(clause: string, folded: string): boolean {
  const read = tokens(clause.replace(/(?<=[a-z])\.|[^a-z\d\s.'/?-]/g, " "));
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
    return token.is === "skip" || (isWords ? !OF_DATES.has(token.is) : token.is === "decade");
  });
}
/** "19. Jh., A." */
const LETTER = /^\W*(?:[a-z]|pp)\W*$/;
const ROMAN_PAIR = /[ivx] ?\/ ?[ivx]/;
const ABOUT = new RegExp(ABOUT_DATES);
