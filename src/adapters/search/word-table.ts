/**
 * Words by their letters, found in a text without a copy of each: most words of a record are known from others, and to
 * cut one out only to look it up takes longer than all the rest.
 */
import { LONGEST_WORD } from "../../text.ts";

/** Places of an empty table: a power of two. At most half of the places are taken. */
const PLACES = 1024;

const FACTOR = 16_777_619;

export class WordTable<W extends { readonly word: string }> {
  private readonly make: (word: string) => W;
  /** Another one in each table, so that nobody can write words that are all looked for in one place. */
  private readonly beginning = crypto.getRandomValues(new Int32Array(1))[0]!;
  private words: (W | undefined)[] = new Array(PLACES).fill(undefined);
  private hashes = new Int32Array(PLACES);
  size = 0;

  constructor(make: (word: string) => W) {
    this.make = make;
  }

  /** What is kept of this word, made when there is nothing yet. */
  get(word: string): W {
    let hash = this.beginning;
    for (let at = 0; at < word.length; at++) hash = mixed(hash, word.charCodeAt(at));
    return this.find(word, 0, word.length, hash) ?? this.add(word, hash);
  }

  /** Tells the words of a text of ASCII alone, in their order; `searchWordsOf` (`text.ts`) says what a word is. */
  read(text: string, tell: (word: W) => void): void {
    const { beginning } = this;
    let begin = 0;
    let hash = beginning;
    for (let at = 0; at <= text.length; at++) {
      // what charCodeAt says behind the end is no letter
      const letter = small(text.charCodeAt(at));
      if ((letter >= 97 && letter <= 122) || (letter >= 48 && letter <= 57)) {
        if (at - begin < LONGEST_WORD) hash = mixed(hash, letter);
        continue;
      }
      if (at > begin) {
        const end = Math.min(at, begin + LONGEST_WORD);
        tell(this.find(text, begin, end, hash) ?? this.add(text.slice(begin, end).toLowerCase(), hash));
      }
      begin = at + 1;
      hash = beginning;
    }
  }

  /** Forgets all others. */
  keep(isKept: (word: W) => boolean): void {
    const { words, hashes } = this;
    this.size = 0;
    this.words = new Array(PLACES).fill(undefined);
    this.hashes = new Int32Array(PLACES);
    words.forEach((word, place) => {
      if (word && isKept(word)) this.put(word, hashes[place]!);
    });
  }

  private find(text: string, begin: number, end: number, hash: number): W | undefined {
    const last = this.words.length - 1;
    for (let place = hash & last; ; place = (place + 1) & last) {
      const one = this.words[place];
      if (one === undefined) return undefined;
      if (this.hashes[place] === hash && stands(one.word, text, begin, end)) return one;
    }
  }

  private add(word: string, hash: number): W {
    const made = this.make(word);
    this.put(made, hash);
    return made;
  }

  private put(word: W, hash: number): void {
    this.size += 1;
    if (this.size * 2 > this.words.length) this.widen();
    let place = hash & (this.words.length - 1);
    while (this.words[place] !== undefined) place = (place + 1) & (this.words.length - 1);
    this.words[place] = word;
    this.hashes[place] = hash;
  }

  private widen(): void {
    const { words, hashes } = this;
    const last = words.length * 4 - 1;
    this.words = new Array(last + 1).fill(undefined);
    this.hashes = new Int32Array(last + 1);
    for (let from = 0; from < words.length; from++) {
      if (words[from] === undefined) continue;
      let place = hashes[from]! & last;
      while (this.words[place] !== undefined) place = (place + 1) & last;
      this.words[place] = words[from];
      this.hashes[place] = hashes[from]!;
    }
  }
}

/** Of ASCII; other letters are as they are. */
const small = (letter: number): number => (letter >= 65 && letter <= 90 ? letter + 32 : letter);

function mixed(hash: number, letter: number): number {
  const next = Math.imul(hash ^ letter, FACTOR);
  return next ^ (next >>> 15);
}

function stands(word: string, text: string, begin: number, end: number): boolean {
  if (word.length !== end - begin) return false;
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) !== small(text.charCodeAt(begin + at))) return false;
  return true;
}
