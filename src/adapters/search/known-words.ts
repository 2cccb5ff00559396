/** The words that a process has met in records, with their numbers: most records have words that others have, too. */
import { Recent } from "../../recent.ts";
import { fold, isAscii, searchWordsOf } from "../../text.ts";
import { WordTable } from "./word-table.ts";

/** Words that are kept; with more, those that only one record had are forgotten. */
const MOST_WORDS = 120_000;
/** Texts shorter than this are kept with their words, as names of materials and departments: many records have them. */
const SHORT_TEXT = 60;
const MOST_TEXTS = 4_000;

/** Ends the mark of a word that stands in what names a record. */
export const TITLE = "=";

const LETTER = /[^\p{N}]/u;

/** A word under a mark (`words.ts`). */
export class KnownWord {
  readonly mark: string;
  readonly word: string;
  /** As a text has it before its places. */
  readonly quoted: string;
  readonly isNumber: boolean;
  /** That it takes at most in a tsvector, with one place: itself, to an even number, its number of places, the place. */
  readonly bytes: number;
  /** In the rows; 0 while it is not known. */
  no = 0;
  private named: KnownWord | null = null;
  /** More records than one had it since words were forgotten last. */
  isUsual = false;
  /** The text that it stood in last, and where its places are there: numbers, which cost the garbage collector nothing. */
  text = 0;
  at = 0;

  constructor(mark: string, word: string) {
    this.mark = mark;
    this.word = word;
    this.quoted = ` '${mark}${word}':`;
    this.isNumber = !LETTER.test(word);
    this.bytes = mark.length + word.length * (isAscii(word) ? 1 : 3) + 5;
  }

  /** The same word as it stands in what names a record. */
  get title(): KnownWord {
    this.named ??= new KnownWord(this.mark + TITLE, this.word);
    return this.named;
  }
}

export class KnownWords {
  private readonly marks = new Map<string, WordTable<KnownWord>>();
  private readonly texts = new Map<string, Recent<string, readonly KnownWord[]>>();

  word(mark: string, word: string): KnownWord {
    return mark.endsWith(TITLE) ? this.word(mark.slice(0, -1), word).title : this.under(mark).get(word);
  }

  /** In their order. */
  wordsOf(mark: string, text: string): readonly KnownWord[] {
    if (text.length >= SHORT_TEXT) return this.read(mark, text);
    const texts = within(this.texts, mark, () => new Recent(MOST_TEXTS));
    return texts.getOr(text, () => this.read(mark, text));
  }

  /** To be called between records: of one record, a word is the same wherever it stands. */
  forget(): void {
    let size = 0;
    for (const words of this.marks.values()) size += words.size;
    if (size <= MOST_WORDS) return;
    this.texts.clear();
    for (const words of this.marks.values()) {
      words.keep((one) => {
        const { isUsual } = one;
        one.isUsual = false;
        return isUsual;
      });
    }
  }

  private under(mark: string): WordTable<KnownWord> {
    return within(this.marks, mark, () => new WordTable((word) => new KnownWord(mark, word)));
  }

  private read(mark: string, text: string): KnownWord[] {
    const words = this.under(mark);
    const folded = fold(text);
    return isAscii(folded) ? words.read(folded) : searchWordsOf(text).map((word) => words.get(word));
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
