/** Texts and conditions in PostgreSQL's full-text form, made here so that both databases get the same words. */

import type { SearchTerm, WeightedText } from "../../services.ts";
import { wordsOf } from "../../text.ts";

/** Limits of tsvector: positions end at 16,383, and 256 of them are kept for a word. */
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 255;
/** Words that one record may have in the index; a tsvector may not exceed 1 MB. */
const MOST_WORDS = 20_000;

/** `'harbour':1A,7C 'dusk':2A`. Words hold letters and digits only, so nothing needs escaping. */
export function tsvectorText(texts: readonly WeightedText[]): string {
  const places = new Map<string, string[]>();
  let position = 0;
  for (const { weight, text } of texts) {
    for (const word of wordsOf(text)) {
      position = Math.min(position + 1, LAST_POSITION);
      const at = places.get(word);
      if (at) {
        if (at.length < MOST_POSITIONS) at.push(position + weight);
      } else if (places.size < MOST_WORDS) places.set(word, [position + weight]);
    }
    position += 1; // a phrase never reaches from one value into the next
  }
  let all = "";
  for (const [word, at] of places) all += `'${word}':${at.join(",")} `;
  return all;
}

/** The conditions as a tsquery; empty when there are none. */
export function tsqueryText(terms: readonly SearchTerm[]): string {
  return terms
    .map(({ words, prefix, negated }) => {
      const last = words.length - 1;
      const phrase = words
        .map((word, index) => `'${word}'${prefix && index === last ? ":*" : ""}`)
        .join(" <-> ");
      return `${negated ? "!" : ""}(${phrase})`;
    })
    .join(" & ");
}
