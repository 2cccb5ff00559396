/**
 * The words of a record and of a query, as both the rows (numbers) and the texts (PostgreSQL's full-text form) have them.
 *
 * Each has a mark before it, which says who may find it and what it is. Words are letters, digits and emojis, so that no
 * word of a query can begin with a mark: what a visitor may not see is not in the words that a visitor can ask for.
 */
import type { SearchDocument, SearchScope, SearchTerm, WeightedText } from "../../search-index.ts";
import { type KnownWord, type KnownWords, TITLE } from "./known-words.ts";

/** Limits of tsvector: positions end here, and so many are kept for a word. */
const LAST_POSITION = 16_383;
const MOST_PLACES = 255;
/** Words that one record may have in the index, and bytes of them with their places: a tsvector has at most 1,048,575. */
const MOST_WORDS = 20_000;
const MOST_BYTES = 1_000_000;
const BYTES_OF_A_PLACE = 2;
/** Places that there is room for at first. */
const LEAST_PLACES = 4_096;

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

type Weight = WeightedText["weight"];

/** Before the position of a place, as a tsvector has it: a weight of two bits. */
const WEIGHT_BITS: Record<Weight, number> = { A: 3 << 14, B: 2 << 14, C: 1 << 14, D: 0 };
const WEIGHTS = ["D", "C", "B", "A"] as const;
export const positionOf = (place: number): number => place & 0x3fff;
export const weightOf = (place: number): Weight => WEIGHTS[place >> 14]!;

/** Is told the text of one record after the other: its words in no order, the places of each in theirs. */
export type TextWriter = {
  begin(id: string, words: number): void;
  word(lexeme: string, places: number): void;
  place(place: number): void;
  end(): void;
};

/** The texts that this process has read, counted: a word that carries the number of one stands in it. */
let read = 0;

/** Its lists are kept from one record to the next: lists that grow leave three times as much behind as they hold. */
class Reader {
  private readonly words: KnownWord[] = [];
  private readonly titles: KnownWord[] = [];
  private stems: { all: readonly string[]; mark: string; weight: Weight; position: number }[] = [];
  private size = 0;
  private titled = 0;
  private weight: Weight = "D";
  private position = 0;
  private room = 0;
  /** All places, each with that of the next place of its word; and of each word its first one, its last, how many. */
  private places = new Uint16Array(LEAST_PLACES);
  private next = new Int32Array(LEAST_PLACES);
  private placed = 0;
  private readonly first = new Int32Array(MOST_WORDS);
  private readonly last = new Int32Array(MOST_WORDS);
  private readonly counts = new Uint8Array(MOST_WORDS);

  /** The words for the row of the record; its text is written to `texts`. */
  read({ id, publicText, staffText, linkedText }: Texts, known: KnownWords, texts: TextWriter): KnownWord[] {
    read += 1;
    this.size = 0;
    this.titled = 0;
    this.position = 0;
    this.placed = 0;
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
    this.write(id, texts);
    for (let at = 0; at < this.titled; at++) this.words[this.size + at] = this.titles[at]!;
    return this.words.slice(0, this.size + this.titled);
  }

  private write(id: string, texts: TextWriter): void {
    const { words, places, next, first, counts } = this;
    texts.begin(id, this.size);
    for (let at = 0; at < this.size; at++) {
      const count = counts[at]!;
      texts.word(words[at]!.lexeme, count);
      for (let rest = count, place = first[at]!; rest > 0; rest--, place = next[place]!)
        texts.place(places[place]!);
    }
    texts.end();
  }

  private add(texts: readonly WeightedText[], mark: string, known: KnownWords): void {
    for (const { weight, text, stems } of texts) {
      this.weight = weight;
      known.read(mark, text, this.take);
      if (stems && stems.length > 0) this.stems.push({ all: stems, mark, weight, position: this.position });
      this.position += 1; // a phrase never reaches from one value into the next
    }
  }

  /** One and the same function for all texts. */
  private readonly take = (word: KnownWord): void => {
    const { weight } = this;
    this.position = Math.min(this.position + 1, LAST_POSITION);
    this.place(word, weight);
    // numbers have no such mark: each record has some of its own, and few are in thousands of titles
    if (weight === "A" && !word.isNumber && isNew(word.title)) this.titles[this.titled++] = word.title;
  };

  private place(word: KnownWord, weight: Weight): void {
    const place = WEIGHT_BITS[weight] | Math.min(this.position, LAST_POSITION);
    if (word.text === read) {
      const { at } = word;
      const last = this.last[at]!;
      if (positionOf(this.places[last]!) === positionOf(place)) {
        this.places[last] = Math.max(this.places[last]!, place);
      } else if (this.counts[at]! < MOST_PLACES && this.room >= BYTES_OF_A_PLACE) {
        this.next[last] = this.placed;
        this.keep(at, place);
        this.counts[at]! += 1;
        this.room -= BYTES_OF_A_PLACE;
      }
    } else if (this.size < MOST_WORDS && this.room >= word.bytes && isNew(word)) {
      this.room -= word.bytes;
      word.at = this.size;
      this.words[word.at] = word;
      this.first[word.at] = this.placed;
      this.counts[word.at] = 1;
      this.keep(word.at, place);
      this.size += 1;
    }
  }

  private keep(at: number, place: number): void {
    if (this.placed === this.places.length) {
      const [places, next] = [new Uint16Array(this.placed * 2), new Int32Array(this.placed * 2)];
      places.set(this.places);
      next.set(this.next);
      [this.places, this.next] = [places, next];
    }
    this.places[this.placed] = place;
    this.last[at] = this.placed;
    this.placed += 1;
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

type Texts = Pick<SearchDocument, "id" | "publicText" | "staffText" | "linkedText">;

/** The words of records with their marks, each once, for the rows; their texts are written to `texts`. */
export function wordsOfDocuments(
  documents: readonly Texts[],
  known: KnownWords,
  texts: TextWriter,
): KnownWord[][] {
  return documents.map((document) => reader.read(document, known, texts));
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
