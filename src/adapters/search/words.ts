/**
 * The words of a record and of a query. Each word in the index carries a mark that says who may find it and what it is.
 * Words are letters, digits and emojis, so no word of a query can begin with a mark: words that a visitor may not see are
 * not among the words that a visitor can ask for.
 */
import type { SearchDocument, SearchScope, SearchTerm, WeightedText } from "../../search-index.ts";
import { isAscii, searchWordsOf } from "../../text.ts";

/** A tsvector keeps so many positions of a word. */
const MOST_PLACES = 255;
/** Words of one record, and bytes of them with their positions: a tsvector has at most 1,048,575 bytes. */
const MOST_WORDS = 20_000;
const MOST_BYTES = 1_000_000;
const BYTES_OF_A_PLACE = 2;

/** Words that only staff may find, and words of linked records, which not all staff may read. */
const STAFF = "~";
const LINKED = "^";
/** After those: the word is in a title, or is a stem. */
const TITLE = "=";
const STEM = ">";

const MARKED = /^([~^]?[=>]?)(.*)$/s;
const LETTER = /[^\p{N}]/u;

/** A word apart from its mark. */
export function splitMark(marked: string): { mark: string; word: string } {
  const [, mark, word] = MARKED.exec(marked)!;
  return { mark: mark!, word: word! };
}

export const isOfTitleOrStem = (mark: string): boolean => mark.endsWith(TITLE) || mark.endsWith(STEM);

export type Audience = SearchScope["audience"];

/** The marks of the words that each audience may find. */
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

/** `words`: with their marks, each once. `text`: the same words with positions and weights, as a tsvector is written. */
export type RecordWords = { words: string[]; text: string };

type Texts = Pick<SearchDocument, "publicText" | "staffText" | "linkedText">;

export function wordsOfRecord({ publicText, staffText, linkedText }: Texts): RecordWords {
  const places = new Map<string, string[]>();
  const titles = new Set<string>();
  const stems: { marked: string; place: string }[] = [];
  let position = 0;
  let room = MOST_BYTES;

  const add = (marked: string, place: string) => {
    const known = places.get(marked);
    const bytes = known ? BYTES_OF_A_PLACE : bytesOf(marked);
    if (bytes > room || (known ? known.length >= MOST_PLACES : places.size >= MOST_WORDS)) return;
    if (known) known.push(place);
    else places.set(marked, [place]);
    room -= bytes;
  };
  const addTexts = (texts: readonly WeightedText[], mark: string) => {
    for (const { weight, text, stems: own = [] } of texts) {
      for (const word of searchWordsOf(text)) {
        position += 1;
        add(mark + word, `${position}${weight}`);
        // hardly two titles have the same number
        if (weight === "A" && LETTER.test(word)) titles.add(mark + TITLE + word);
      }
      for (const stem of own) stems.push({ marked: mark + STEM + stem, place: `${position}${weight}` });
      position += 1; // a phrase never reaches from one value into the next
    }
  };

  addTexts(publicText, "");
  addTexts(staffText, STAFF);
  addTexts(linkedText, LINKED);
  // last: where a record has too many words, it loses stems first
  for (const { marked, place } of stems) add(marked, place);
  const text = Array.from(places, ([marked, all]) => `'${marked}':${all.join()}`).join(" ");
  return { words: [...places.keys(), ...titles], text };
}

/** Bytes of a word in a tsvector, at most: its letters, padding, and one position. */
const bytesOf = (marked: string): number => marked.length * (isAscii(marked) ? 1 : 3) + 5;

/** The conditions as a tsquery, for phrases and for ranking; empty when there are none. */
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
