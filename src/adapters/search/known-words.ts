/** The words that a process has met in records, with their numbers: most records have words that others have, too. */
import { Recent } from "../../recent.ts";
import { searchWordsOf } from "../../text.ts";

/** Words that are kept; with more, those that only one record had are forgotten. */
const MOST_WORDS = 120_000;
/** Texts shorter than this are kept with their words, as names of materials and departments: many records have them. */
const SHORT_TEXT = 60;
const MOST_TEXTS = 4_000;

const LETTER = /[^\p{N}]/u;

/** A word under a mark (`words.ts`). */
export type KnownWord = {
  readonly mark: string;
  readonly word: string;
  /** As a text has it before its places. */
  readonly quoted: string;
  readonly isNumber: boolean;
  /** In the rows; 0 while it is not known. */
  no: number;
  /** More records than one had it since words were forgotten last. */
  isUsual: boolean;
  /** The text that it stood in last, and which of its words it is: numbers, which cost the garbage collector nothing. */
  text: number;
  at: number;
};

export class KnownWords {
  private readonly marks = new Map<string, Map<string, KnownWord>>();
  private readonly texts = new Map<string, Recent<string, readonly KnownWord[]>>();
  private size = 0;

  word(mark: string, word: string): KnownWord {
    const words = within(this.marks, mark, () => new Map());
    let known = words.get(word);
    if (!known) {
      const isNumber = !LETTER.test(word);
      known = { mark, word, quoted: `'${mark}${word}':`, isNumber, no: 0, isUsual: false, text: 0, at: 0 };
      words.set(word, known);
      this.size += 1;
    }
    return known;
  }

  /** In their order. */
  wordsOf(mark: string, text: string): readonly KnownWord[] {
    if (text.length >= SHORT_TEXT) return this.read(mark, text);
    const texts = within(this.texts, mark, () => new Recent(MOST_TEXTS));
    return texts.getOr(text, () => this.read(mark, text));
  }

  /** To be called between records: of one record, a word is the same wherever it stands. */
  forget(): void {
    if (this.size <= MOST_WORDS) return;
    this.texts.clear();
    this.size = 0;
    for (const words of this.marks.values()) {
      for (const [word, known] of words) {
        if (known.isUsual) this.size += 1;
        else words.delete(word);
        known.isUsual = false;
      }
    }
  }

  private read(mark: string, text: string): KnownWord[] {
    return searchWordsOf(text).map((word) => this.word(mark, word));
  }
}

function within<T>(all: Map<string, T>, key: string, make: () => T): T {
  let found = all.get(key);
  if (!found) {
    found = make();
    all.set(key, found);
  }
  return found;
}
