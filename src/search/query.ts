/** Parses what people type into the search box (interface §3): words, "phrases", -not, prefix*. */

import type { SearchTerm } from "../search-index.ts";
import { searchWordsOf } from "../text.ts";
import type { Stems } from "./stems.ts";

/** The most characters of `q`. */
export const LONGEST_QUERY = 1_000;
/** The most terms of one query, and the most prefixes among them, because many words may begin with a prefix. */
export const MOST_TERMS = 32;
export const MOST_PREFIXES = 5;

/** Accepts the typographic quotation marks of phones and word processors, too. */
const TOKEN = /(-?)(?:["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]?|([^\s"“”„‟«»]+))/g;

/** Never throws. An open quotation mark closes at the end; punctuation without a word is ignored. */
export function parseSearch(q: string, stems: Stems): SearchTerm[] {
  const terms: SearchTerm[] = [];
  const seen = new Set<string>();
  for (const [, minus, phrase, word] of q.slice(0, LONGEST_QUERY).matchAll(TOKEN)) {
    // one term more than allowed shows that there are too many
    if (terms.length > MOST_TERMS) break;
    const text = phrase ?? word ?? "";
    const words = searchWordsOf(text);
    if (words.length === 0) continue;
    const prefix = word?.endsWith("*") ?? false;
    // a repeated term changes nothing but would be searched again: "c* c* c*" thirty times took twelve seconds
    const key = `${minus}${phrase !== undefined ? '"' : ""}${words.join(" ")}${prefix ? "*" : ""}`;
    if (seen.has(key)) continue;
    seen.add(key);
    // "x-ray" and "1998.4.2" are phrases of their parts
    const single = words.length === 1 && phrase === undefined && !prefix;
    terms.push({
      words,
      prefix,
      negated: minus === "-",
      exact: phrase !== undefined,
      stems: single ? stems(text, null) : [],
    });
  }
  return terms;
}

/** The query with corrected words. */
export function correctedQuery(q: string, corrections: readonly { from: string; to: string }[]): string {
  return q.replace(TOKEN, (token, minus: string, phrase: string | undefined, word: string | undefined) => {
    if (minus !== "" || phrase !== undefined || word === undefined) return token;
    const [only, ...more] = searchWordsOf(word);
    const correction = more.length === 0 ? corrections.find(({ from }) => from === only) : undefined;
    return correction ? correction.to : token;
  });
}
