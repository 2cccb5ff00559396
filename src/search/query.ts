/** What people type into the search box, as conditions (interface §3): words, "phrases", -not, prefix*. Pure. */

import type { SearchTerm } from "../search-index.ts";
import { searchWordsOf } from "../text.ts";
import type { Stems } from "./stems.ts";

/** Characters of `q`. */
export const LONGEST_QUERY = 1_000;
/** Conditions that one query may have, and how many of them may be beginnings: many words begin alike. */
export const MOST_TERMS = 32;
export const MOST_PREFIXES = 5;

/** Telephones and word processors write other quotation marks than the keyboard has. */
const TOKEN = /(-?)(?:["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]?|([^\s"“”„‟«»]+))/g;

/** Never throws: unbalanced quotes close at the end, signs without a word are nothing. */
export function parseSearch(q: string, stems: Stems): SearchTerm[] {
  const terms: SearchTerm[] = [];
  const seen = new Set<string>();
  for (const [, minus, phrase, word] of q.slice(0, LONGEST_QUERY).matchAll(TOKEN)) {
    // one more tells that there are too many
    if (terms.length > MOST_TERMS) break;
    const text = phrase ?? word ?? "";
    const words = searchWordsOf(text);
    if (words.length === 0) continue;
    const prefix = word?.endsWith("*") ?? false;
    // said twice, it asks no more, but would be looked for twice: "c* c* c*" thirty times took twelve seconds
    const said = `${minus}${phrase !== undefined ? '"' : ""}${words.join(" ")}${prefix ? "*" : ""}`;
    if (seen.has(said)) continue;
    seen.add(said);
    // "x-ray" and "1998.4.2" are phrases: their parts stand side by side
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

/** The query as it was searched, when words of it were corrected. */
export function correctedQuery(q: string, corrections: readonly { from: string; to: string }[]): string {
  return q.replace(TOKEN, (token, minus: string, phrase: string | undefined, word: string | undefined) => {
    if (minus !== "" || phrase !== undefined || word === undefined) return token;
    const [only, ...more] = searchWordsOf(word);
    const correction = more.length === 0 ? corrections.find(({ from }) => from === only) : undefined;
    return correction ? correction.to : token;
  });
}
