/**
 * The words of a record and of a query, as both the rows (numbers) and the texts (PostgreSQL's full-text form) have them.
 *
 * Each has a mark before it, which says who may find it and what it is. Words are letters, digits and emojis, so that no
 * word of a query can begin with a mark: what a visitor may not see is not in the words that a visitor can ask for.
 */
import type { SearchDocument, SearchScope, SearchTerm, WeightedText } from "../../search-index.ts";
import type { KnownWord, KnownWords } from "./known-words.ts";

/** Limits of tsvector: positions end at 16,383, and 255 of them are kept for a word, which are no longer than this. */
const LAST_POSITION = 16_383;
const LONGEST_PLACES = 255 * "16383A,".length;
/** Words that one record may have in the index; a tsvector may not exceed 1 MB. */
const MOST_WORDS = 20_000;

/** Before words that only staff may find, and before those of linked records, which not all staff may read. */
const STAFF = "~";
const LINKED = "^";
/** Behind it: the word stands in what names the record; it is a stem. */
const TITLE = "=";
const STEM = ">";

export type Audience = SearchScope["audience"];

/** What stands before the words that somebody may find. */
const MARKS: Record<Audience, readonly string[]> = {
  public: [""],
  limited: ["", STAFF],
  staff: ["", STAFF, LINKED],
};

export const wordMarks = (audience: Audience): readonly string[] => MARKS[audience];
export const titleMarks = (audience: Audience): readonly string[] =>
  MARKS[audience].map((mark) => mark + TITLE);
export const stemMarks = (audience: Audience): readonly string[] =>
  MARKS[audience].map((mark) => mark + STEM);

/** What somebody with several scopes may find by in one of them. */
export const widestMarks = (scopes: readonly SearchScope[]): readonly string[] => [
  ...new Set(scopes.flatMap(({ audience }) => MARKS[audience])),
];

let texts = 0;

/** What says where a word stands, made once for the places that most words have. */
const placesOf = (weight: string) => Array.from({ length: 1_000 }, (_, position) => `${position}${weight}`);
const PLACES = { A: placesOf("A"), B: placesOf("B"), C: placesOf("C"), D: placesOf("D") };

/** The words of a record with their marks: each once, for its row; with their places and weights, for its text. */
export function wordsOfDocument(
  { publicText, staffText, linkedText }: Pick<SearchDocument, "publicText" | "staffText" | "linkedText">,
  known: KnownWords,
): { words: KnownWord[]; text: string } {
  const placed: KnownWord[] = [];
  const places: string[] = [];
  const titles: KnownWord[] = [];
  const mine = ++texts;
  let position = 0;
  const begin = (one: KnownWord) => {
    one.isUsual ||= one.text !== 0;
    one.text = mine;
  };
  const place = (one: KnownWord, weight: WeightedText["weight"]) => {
    const here = PLACES[weight][position] ?? `${position}${weight}`;
    if (one.text === mine) {
      const there = places[one.at]!;
      if (there.length < LONGEST_PLACES) places[one.at] = `${there},${here}`;
    } else if (placed.length < MOST_WORDS) {
      begin(one);
      one.at = placed.length;
      placed.push(one);
      places.push(here);
    }
  };
  const add = (all: readonly WeightedText[], mark: string) => {
    for (const { weight, text, stems = [] } of all) {
      for (const word of known.wordsOf(mark, text)) {
        position = Math.min(position + 1, LAST_POSITION);
        place(word, weight);
        // numbers have no such mark: each record has some of its own, and few are in thousands of titles
        if (weight !== "A" || word.isNumber) continue;
        const titled = known.word(mark + TITLE, word.word);
        if (titled.text === mine) continue;
        begin(titled);
        titles.push(titled);
      }
      for (const stem of stems) place(known.word(mark + STEM, stem), weight);
      position += 1; // a phrase never reaches from one value into the next
    }
  };
  add(publicText, "");
  add(staffText, STAFF);
  add(linkedText, LINKED);
  const text = placed.map(({ quoted }, at) => quoted + places[at]).join(" ");
  return { words: [...placed, ...titles], text };
}

/** The conditions as a tsquery, for phrases and for weighing; empty when there are none. */
export function tsqueryText(terms: readonly SearchTerm[], audience: Audience): string {
  return terms
    .map(({ words, prefix, negated, stems = [] }) => {
      const phrase = (mark: string) =>
        words
          .map((word, index) => `'${mark}${word}'${prefix && index === words.length - 1 ? ":*" : ""}`)
          .join(" <-> ");
      const either = [
        ...MARKS[audience].map((mark) => `(${phrase(mark)})`),
        ...stems.flatMap((stem) => stemMarks(audience).map((mark) => `'${mark}${stem}'`)),
      ].join(" | ");
      return `${negated ? "!" : ""}(${either})`;
    })
    .join(" & ");
}
