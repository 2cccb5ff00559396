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
  /** As texts have it. */
  readonly lexeme: string;
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
    this.lexeme = mark + word;
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

  /** Tells the words of a text in their order. */
  read(mark: string, text: string, tell: (word: KnownWord) => void): void {
    if (text.length >= SHORT_TEXT) {
      this.readAnew(mark, text, tell);
      return;
    }
    for (const word of this.known(mark, text) ?? this.remember(mark, text)) tell(word);
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
    return this.marks.get(mark) ?? this.begin(mark);
  }

  private begin(mark: string): WordTable<KnownWord> {
    const words = new WordTable((word) => new KnownWord(mark, word));
    this.marks.set(mark, words);
    return words;
  }

  private known(mark: string, text: string): readonly KnownWord[] | undefined {
    return this.texts.get(mark)?.get(text);
  }

  private remember(mark: string, text: string): readonly KnownWord[] {
    const words: KnownWord[] = [];
    this.readAnew(mark, text, (word) => words.push(word));
    const texts = this.texts.get(mark) ?? new Recent<string, readonly KnownWord[]>(MOST_TEXTS);
    texts.set(text, words);
    this.texts.set(mark, texts);
    return words;
  }

  private readAnew(mark: string, text: string, tell: (word: KnownWord) => void): void {
    const words = this.under(mark);
    const folded = isAscii(text) ? text : fold(text);
    if (isAscii(folded)) words.read(folded, tell);
    else for (const word of searchWordsOf(text)) tell(words.get(word));
  }
}
