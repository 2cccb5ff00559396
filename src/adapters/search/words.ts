/** Texts and conditions in PostgreSQL's full-text form, made here so that both databases get the same words. */

import type { SearchDocument, SearchScope, SearchTerm, WeightedText } from "../../services.ts";
import { wordsOf } from "../../text.ts";

/** Limits of tsvector: positions end at 16,383, and 256 of them are kept for a word. */
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 255;
/** Words that one record may have in the index; a tsvector may not exceed 1 MB. */
const MOST_WORDS = 20_000;

/** Before words that only staff may find. No word of a query can begin with it: words are letters and digits. */
const STAFF = "~";
/** The same of linked records, which not all staff may read. */
const LINKED = "^";

/** What stands before the words that somebody may find. */
const MARKS: Record<SearchScope["audience"], readonly string[]> = {
  public: [""],
  limited: ["", STAFF],
  staff: ["", STAFF, LINKED],
};

/** `'harbour':1A,7C '~donor':9D`. Words hold letters and digits only, so nothing needs escaping. */
export function tsvectorText({
  publicText,
  staffText,
  linkedText,
}: Pick<SearchDocument, "publicText" | "staffText" | "linkedText">): string {
  const places = new Map<string, string[]>();
  let position = 0;
  const add = (texts: readonly WeightedText[], mark: string) => {
    for (const { weight, text } of texts) {
      for (const plain of wordsOf(text)) {
        const word = mark + plain;
        position = Math.min(position + 1, LAST_POSITION);
        const at = places.get(word);
        if (at) {
          if (at.length < MOST_POSITIONS) at.push(position + weight);
        } else if (places.size < MOST_WORDS) places.set(word, [position + weight]);
      }
      position += 1; // a phrase never reaches from one value into the next
    }
  };
  add(publicText, "");
  add(staffText, STAFF);
  add(linkedText, LINKED);
  let all = "";
  for (const [word, at] of places) all += `'${word}':${at.join(",")} `;
  return all;
}

/** The conditions as a tsquery; empty when there are none. Staff find marked words too. */
export function tsqueryText(terms: readonly SearchTerm[], audience: SearchScope["audience"]): string {
  return terms
    .map(({ words, prefix, negated }) => {
      const phrase = (mark: string) =>
        words
          .map((word, index) => `'${mark}${word}'${prefix && index === words.length - 1 ? ":*" : ""}`)
          .join(" <-> ");
      const either = MARKS[audience].map((mark) => `(${phrase(mark)})`).join(" | ");
      return `${negated ? "!" : ""}(${either})`;
    })
    .join(" & ");
}
