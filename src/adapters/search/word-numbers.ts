/** Words by number. Numbers are given once and never change, so that every process may remember them. */
import type { Sql } from "../../services.ts";
import { unmarked } from "./words.ts";

/** Words held in memory, twice over: when so many are known, those that were not asked for since are forgotten. */
const MOST_COPIES = 60_000;
/** What somebody may have meant who wrote a word wrong: long enough for that, and no number. */
const SPELLING = /^\p{L}{4,40}$/u;

type Numbered = { mark: string; word: string; no: number };

export type FoundNumbers = { of(word: string, marks: readonly string[]): number[] };

export type WordNumbers = {
  /** Numbers of words with their marks, given to those that have none; in the same order. */
  make(words: readonly (readonly string[])[]): Promise<number[][]>;
  /** Numbers of the words that the index knows under these marks: `of` answers those of one word under some of them. */
  find(words: readonly string[], marks: readonly string[]): Promise<FoundNumbers>;
  /** Numbers of words that begin so, shortest first. */
  beginning(start: string, marks: readonly string[], most: number): Promise<number[]>;
};

export function createWordNumbers(sql: Sql): WordNumbers {
  let young = new Map<string, number>();
  let old = new Map<string, number>();

  function remember(marked: string, number: number): void {
    if (young.size >= MOST_COPIES) {
      old = young;
      young = new Map();
    }
    young.set(marked, number);
  }

  function recall(marked: string): number | undefined {
    const known = young.get(marked);
    if (known !== undefined) return known;
    const older = old.get(marked);
    if (older !== undefined) remember(marked, older);
    return older;
  }

  /** Answers those of the words that are not among the rows. */
  function take(words: readonly string[], rows: readonly Numbered[], into: Map<string, number>): string[] {
    for (const { mark, word, no } of rows) {
      into.set(mark + word, no);
      remember(mark + word, no);
    }
    return words.filter((word) => !into.has(word));
  }

  async function read(words: readonly string[], into: Map<string, number>): Promise<string[]> {
    const apart = words.map(unmarked);
    // limit 1 keeps the planner from reading all words for a few thousand, which takes longer the more there are
    const rows = await sql<Numbered[]>`
      select k.no, w.word, w.mark
      from unnest(${apart.map((one) => one.word)}::text[], ${apart.map((one) => one.mark)}::text[]) w(word, mark)
        cross join lateral (
          select no from search_words k where k.word = w.word and k.mark = w.mark limit 1) k`;
    return take(words, rows, into);
  }

  async function number(words: string[]): Promise<Map<string, number>> {
    // of its own: what everybody remembers may be forgotten meanwhile
    const numbers = new Map<string, number>();
    // one order for all writers, so that two never wait for each other; and the index is walked once
    words.sort();
    const missing = await read(words, numbers);
    if (missing.length === 0) return numbers;
    const apart = missing.map(unmarked);
    const made = await sql<Numbered[]>`
      insert into search_words (word, mark, is_spelling)
      select w.word, w.mark, w.is_spelling = 1
      from unnest(${apart.map((one) => one.word)}::text[], ${apart.map((one) => one.mark)}::text[],
        ${apart.map((one) => (isSpelling(one) ? 1 : 0))}::int[]) w(word, mark, is_spelling)
      on conflict do nothing returning no, word, mark`;
    const others = take(missing, made, numbers);
    if (others.length > 0) await read(others, numbers);
    return numbers;
  }

  return {
    async make(documents) {
      const unknown = new Set<string>();
      const known = documents.map((words) =>
        words.map((word) => {
          const number = recall(word);
          if (number === undefined) unknown.add(word);
          return number;
        }),
      );
      const numbers = unknown.size === 0 ? null : await number([...unknown]);
      return documents.map((words, at) =>
        words.map((word, place) => known[at]![place] ?? numbers!.get(word)!),
      );
    },

    async find(words, marks) {
      const found = new Map<string, number>();
      if (words.length > 0) {
        const rows = await sql<Numbered[]>`
          select no, word, mark from search_words
          where word = any(${words as string[]}::text[]) and mark = any(${marks as string[]}::text[])`;
        for (const { no, word, mark } of rows) found.set(mark + word, no);
      }
      return {
        of: (word, wanted) =>
          wanted.flatMap((mark) => {
            const no = found.get(mark + word);
            return no === undefined ? [] : [no];
          }),
      };
    },

    async beginning(start, marks, most) {
      const rows = await sql<{ no: number }[]>`
        select no from search_words
        where word >= ${start} and word < ${`${start}\u{10ffff}`} and mark = any(${marks as string[]}::text[])
        order by length(word), no limit ${most}`;
      return rows.map(({ no }) => no);
    },
  };
}

function isSpelling({ mark, word }: Omit<Numbered, "no">): boolean {
  return !/[=>]/.test(mark) && SPELLING.test(word);
}
