/**
 * The words of a record and of a query, as both the rows (numbers) and the texts (PostgreSQL's full-text form) have them.
 *
 * Each has a mark before it, which says who may find it and what it is. Words are letters, digits and emojis, so that no
 * word of a query can begin with a mark: what a visitor may not see is not in the words that a visitor can ask for.
 */
import type { SearchDocument, SearchScope, SearchTerm, WeightedText } from "../../search-index.ts";
import { type KnownWord, type KnownWords, TITLE } from "./known-words.ts";
import { Written } from "./written.ts";

/** Limits of tsvector: positions end at 16,383, and 255 of them are kept for a word, which are no longer than this. */
const LAST_POSITION = 16_383;
const LONGEST_PLACES = 255 * "16383A,".length;
/** Words that one record may have in the index, and bytes of them with their places: a tsvector has at most 1,048,575. */
const MOST_WORDS = 20_000;
const MOST_BYTES = 1_000_000;
const BYTES_OF_A_PLACE = 2;

/** Before words that only staff may find, and before those of linked records, which not all staff may read. */
const STAFF = "~";
const LINKED = "^";
/** Behind it, as `TITLE`: it is a stem. */
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

/** What says where a word stands, made once for the places that most words have: the first one, and one behind others. */
const placesOf = (before: string) => {
  const of = (weight: string) =>
    Array.from({ length: 1_000 }, (_, position) => `${before}${position}${weight}`);
  return { A: of("A"), B: of("B"), C: of("C"), D: of("D") };
};
const FIRST = placesOf("");
const FURTHER = placesOf(",");

/** The texts that this process has read, counted: a word that carries the number of one stands in it. */
let read = 0;

/** Its lists are kept from one record to the next: lists that grow leave three times as much behind as they hold. */
class Reader {
  private readonly words: KnownWord[] = [];
  private readonly titles: KnownWord[] = [];
  /** The places of each word. */
  private readonly places: string[] = [];
  private stems: { all: readonly string[]; mark: string; weight: Weight; position: number }[] = [];
  private size = 0;
  private titled = 0;
  private position = 0;
  private room = 0;

  /** The words for the row of the record; its text is added to `texts`. */
  read({ publicText, staffText, linkedText }: Texts, known: KnownWords, texts: Written): KnownWord[] {
    read += 1;
    this.size = 0;
    this.titled = 0;
    this.position = 0;
    this.room = MOST_BYTES;
    this.stems = [];
    this.add(publicText, "", known);
    this.add(staffText, STAFF, known);
    this.add(linkedText, LINKED, known);
    // last: where a record has too much, its words go before their stems
    for (const { all, mark, weight, position } of this.stems) {
      this.position = position;
      for (const stem of all) this.place(known.word(mark + STEM, stem), weight);
    }
    for (let at = 0; at < this.size; at++) {
      texts.text(this.words[at]!.quoted);
      texts.text(this.places[at]!);
    }
    // a single line that is empty would be none
    if (this.size === 0) texts.text(" ");
    texts.endLine();
    for (let at = 0; at < this.titled; at++) this.words[this.size + at] = this.titles[at]!;
    return this.words.slice(0, this.size + this.titled);
  }

  private add(texts: readonly WeightedText[], mark: string, known: KnownWords): void {
    for (const { weight, text, stems } of texts) {
      for (const word of known.wordsOf(mark, text)) {
        this.position = Math.min(this.position + 1, LAST_POSITION);
        this.place(word, weight);
        // numbers have no such mark: each record has some of its own, and few are in thousands of titles
        if (weight === "A" && !word.isNumber && isNew(word.title)) this.titles[this.titled++] = word.title;
      }
      if (stems && stems.length > 0) this.stems.push({ all: stems, mark, weight, position: this.position });
      this.position += 1; // a phrase never reaches from one value into the next
    }
  }

  private place(word: KnownWord, weight: Weight): void {
    const { position, places } = this;
    if (word.text === read) {
      const there = places[word.at]!;
      if (there.length >= LONGEST_PLACES || this.room < BYTES_OF_A_PLACE) return;
      places[word.at] = there + (FURTHER[weight][position] ?? `,${position}${weight}`);
      this.room -= BYTES_OF_A_PLACE;
    } else if (this.size < MOST_WORDS && this.room >= word.bytes && isNew(word)) {
      this.room -= word.bytes;
      word.at = this.size;
      this.words[word.at] = word;
      places[word.at] = FIRST[weight][position] ?? `${position}${weight}`;
      this.size += 1;
    }
  }
}

/** Whether the word was not in the text that is just read; it is now. */
function isNew(word: KnownWord): boolean {
  if (word.text === read) return false;
  word.isUsual ||= word.text !== 0;
  word.text = read;
  return true;
}

const reader = new Reader();

type Weight = WeightedText["weight"];
type Texts = Pick<SearchDocument, "publicText" | "staffText" | "linkedText">;

/**
 * The words of records with their marks: each once, for the row; with their places and weights as a tsvector is written,
 * for the text. The texts are one, with a line for each.
 */
export function wordsOfDocuments(
  documents: readonly Texts[],
  known: KnownWords,
): { words: KnownWord[][]; texts: string } {
  const texts = new Written();
  const words = documents.map((document) => reader.read(document, known, texts));
  return { words, texts: texts.lines() };
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
