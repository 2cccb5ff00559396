/** What people type into the search box, as conditions (interface §3): words, "phrases", -not, prefix*. Pure. */

import type { SearchTerm } from "../services.ts";
import { wordsOf } from "../text.ts";

/** Characters of `q`. */
export const LONGEST_QUERY = 1_000;
/** Conditions that one query may have. */
const MOST_TERMS = 32;

const TOKEN = /(-?)(?:"([^"]*)"?|([^\s"]+))/g;

/** Never throws: unbalanced quotes close at the end, signs without a word are nothing. */
export function parseSearch(q: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const [, minus, phrase, word] of q.slice(0, LONGEST_QUERY).matchAll(TOKEN)) {
    if (terms.length >= MOST_TERMS) break;
    const words = wordsOf(phrase ?? word ?? "");
    if (words.length === 0) continue;
    // "x-ray" and "1998.4.2" are phrases: their parts stand side by side
    terms.push({ words, prefix: word?.endsWith("*") ?? false, negated: minus === "-" });
  }
  return terms;
}
