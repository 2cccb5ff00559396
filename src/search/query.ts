/** Parses what people type into the search box (interface §3): words, "phrases", -not, prefix*. */

import type { SearchTerm } from "../ports/search-index.ts";
import { searchWordsOf, sortKey, withCirca } from "../text.ts";
import type { Stems } from "./stems.ts";

/** The most characters of `q`. */
export const LONGEST_QUERY = 1_000;
/** The most terms of one query. */
export const MOST_TERMS = 32;

/** Accepts typographic quotation marks, too. Outside quotation marks, leaves out l', d', qu', dell' before a vowel. */
const TOKEN =
  /(-?)(?:["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]?|(?:(?:[cdjlmnst]|qu|(?:a|da|de|ne|su)ll|un)['\u02b9-\u02bf\u02c8\u2018-\u201b\u2032\uff07](?=\p{L})(?![b-df-gj-np-tv-xz]))?([^\s"“”„‟«»]+))/giu;

/** A term, and what was typed for it. */
export type TypedTerm = { typed: string; term: SearchTerm };

/** Never throws. An open quotation mark closes at the end; punctuation without a word is ignored. */
export function parseSearch(q: string, stems: Stems): TypedTerm[] {
  const terms: TypedTerm[] = [];
  const seen = new Set<string>();
  for (const [typed, minus, phrase, word] of withCirca(q.slice(0, LONGEST_QUERY)).matchAll(TOKEN)) {
    // one term more than allowed is enough to show that there are too many
    if (terms.length > MOST_TERMS) break;
    const text = phrase ?? word ?? "";
    const words = searchWordsOf(text);
    if (words.length === 0) continue;
    const prefix = word?.endsWith("*") ?? false;
    // a repeated term changes nothing, but would be searched again: thirty times "c*" took twelve seconds
    const key = `${minus}${phrase !== undefined ? '"' : ""}${words.join(" ")}${prefix ? "*" : ""}`;
    if (seen.has(key)) continue;
    seen.add(key);
    // "x-ray" and "1998.4.2" are phrases of their parts
    const single = words.length === 1 && phrase === undefined && !prefix;
    const term = {
      words,
      prefix,
      negated: minus === "-",
      exact: phrase !== undefined,
      stems: single ? stems(text, null) : [],
    };
    terms.push({ typed: phrase === undefined ? `${minus}${word}` : typed, term });
  }
  return terms;
}

/** The query as it was searched, with some of its words replaced. */
export function correctedQuery(q: string, corrections: readonly { from: string; to: string }[]): string {
  return withCirca(q).replace(
    TOKEN,
    (token, minus: string, phrase: string | undefined, word: string | undefined) => {
      if (minus !== "" || phrase !== undefined || word === undefined) return token;
      const words = searchWordsOf(word).join(" ");
      const to = corrections.find(({ from }) => from === words)?.to;
      if (to === undefined) return token;
      // the elided article stays as it was typed
      return to === `${words}*`
        ? token.replace(/[^\p{L}\p{M}\p{N}]*$/u, "*")
        : token.slice(0, token.length - word.length) + to;
    },
  );
}

/** A query with more words is no name. */
const MOST_NAMES = 6;

/** The sort keys of a name that the query may be: "Claude Monet" is also "Monet, Claude". */
export function namesTyped(q: string): string[] {
  const words = sortKey(q).split(" ");
  if (words.length > MOST_NAMES || words[0] === "") return [];
  return words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(" "));
}
