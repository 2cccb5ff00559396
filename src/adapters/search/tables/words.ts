/**
 * The words of a record and of a query, as the index stores them. A word begins with a mark if only some readers may find
 * the record by it, or if it is from a title or is a stem. Words consist of letters, digits and emojis, so no word that
 * somebody types can begin with a mark. A visitor's query is translated without the marks of staff.
 */
import type { SearchDocument, SearchScope, SearchTerm, WeightedText } from "../../../ports/search-index.ts";
import { isAscii, searchWordsOf } from "../../../text.ts";

/** Positions that a tsvector keeps for one word. */
const MOST_POSITIONS = 255;
/** Limits for one record: words, and bytes of its words with their positions. A tsvector has at most 1,048,575 bytes. */
const MOST_WORDS = 20_000;
const MOST_BYTES = 1_000_000;
const BYTES_OF_A_POSITION = 2;

/** Marks of words that only staff may search, and of words from linked records, which not all staff may read. */
const STAFF = "~";
const LINKED = "^";
/** Marks that follow those: the word is in a title, or is a stem. */
const TITLE = "=";
const STEM = ">";

const MARKED = /^([~^]?[=>]?)(.*)$/s;
const LETTER = /[^\p{N}]/u;

/** A stem without its language (`en:photograph`): one word for all languages in which it is the stem. */
export const stemWord = (stem: string): string => stem.slice(stem.indexOf(":") + 1);

/** Separates a word from its mark. */
export function splitMark(marked: string): { mark: string; word: string } {
  const [, mark, word] = MARKED.exec(marked)!;
  return { mark: mark!, word: word! };
}

export const isOfTitleOrStem = (mark: string): boolean => mark.endsWith(TITLE) || mark.endsWith(STEM);

export type Audience = SearchScope["audience"];

/** The marks of the words that each audience may search. */
const MARKS: Record<Audience, readonly string[]> = {
  public: [""],
  limited: ["", STAFF],
  staff: ["", STAFF, LINKED],
};

export const wordMarks = (audience: Audience): readonly string[] => MARKS[audience];
export const titleMarks = (audience: Audience): readonly string[] =>
  MARKS[audience].map((mark) => mark + TITLE);
/** The marks of words with a stem: it may be the word itself. */
export const formMarks = (audience: Audience): readonly string[] =>
  MARKS[audience].flatMap((mark) => [mark, mark + STEM]);

/** The marks that at least one of these scopes may search. */
export const widestMarks = (scopes: readonly SearchScope[]): readonly string[] => [
  ...new Set(scopes.flatMap(({ audience }) => MARKS[audience])),
];

/** `words`: with their marks, each once. `text`: the same words with positions and weights, in the syntax of a tsvector. */
type RecordWords = { words: string[]; text: string };

type Texts = Pick<SearchDocument, "publicText" | "staffText" | "linkedText">;

export function wordsOfRecord({ publicText, staffText, linkedText }: Texts): RecordWords {
  const positions = new Map<string, string[]>();
  const titles = new Set<string>();
  const stems: { mark: string; stem: string; at: string }[] = [];
  let position = 0;
  let room = MOST_BYTES;

  const add = (marked: string, at: string) => {
    const known = positions.get(marked);
    const bytes = known ? BYTES_OF_A_POSITION : bytesOf(marked);
    if (bytes > room || (known ? known.length >= MOST_POSITIONS : positions.size >= MOST_WORDS)) return;
    if (known) known.push(at);
    else positions.set(marked, [at]);
    room -= bytes;
  };
  const addTexts = (texts: readonly WeightedText[], mark: string) => {
    for (const { weight, text, stems: own = [] } of texts) {
      for (const word of searchWordsOf(text)) {
        position += 1;
        add(mark + word, `${position}${weight}`);
        // numbers are too seldom shared by titles to be worth a row
        if (weight === "A" && LETTER.test(word)) titles.add(mark + TITLE + word);
      }
      for (const stem of new Set(own.map(stemWord))) stems.push({ mark, stem, at: `${position}${weight}` });
      position += 1; // so that no phrase matches across two values
    }
  };

  addTexts(publicText, "");
  addTexts(staffText, STAFF);
  addTexts(linkedText, LINKED);
  // last, so that a record with too many words loses stems first; without those that are its words, which are searched, too
  for (const { mark, stem, at } of stems)
    if (!positions.has(stem) && !positions.has(mark + stem)) add(mark + STEM + stem, at);
  const text = Array.from(positions, ([marked, all]) => `'${marked}':${all.join()}`).join(" ");
  return { words: [...positions.keys(), ...titles], text };
}

/** The most bytes that a word takes in a tsvector: its letters, padding, and one position. */
const bytesOf = (marked: string): number => marked.length * (isAscii(marked) ? 1 : 3) + 5;

/** The terms as a tsquery, for phrases and for ranking; empty if there are none. */
export function tsqueryText(terms: readonly SearchTerm[], audience: Audience): string {
  return terms
    .map(({ words, prefix, negated, stems = [] }) => {
      const phrase = (mark: string) =>
        words
          .map((word, index) => `'${mark}${word}'${prefix && index === words.length - 1 ? ":*" : ""}`)
          .join(" <-> ");
      const either = [
        ...MARKS[audience].map((mark) => `(${phrase(mark)})`),
        ...stems.flatMap((stem) => formMarks(audience).map((mark) => `'${mark}${stemWord(stem)}'`)),
      ].join(" | ");
      return `${negated ? "!" : ""}(${either})`;
    })
    .join(" & ");
}
