/** Words by number. Numbers are given once and never change, so that every process may remember them. */
import type { Sql } from "../../services.ts";
import { type KnownWord, KnownWords } from "./known-words.ts";

/** What somebody may have meant who wrote a word wrong: long enough for that, and no number. */
const SPELLING = /^\p{L}{4,40}$/u;

type Numbered = { mark: string; word: string; no: number };

export type FoundNumbers = { of(word: string, marks: readonly string[]): number[] };

export type WordNumbers = {
  known: KnownWords;
  /** From here on these have their numbers; those that had none are given one. */
  make(words: readonly (readonly KnownWord[])[]): Promise<void>;
  /** Numbers of the words that the index knows under these marks: `of` answers those of one word under some of them. */
  find(words: readonly string[], marks: readonly string[]): Promise<FoundNumbers>;
  /** Numbers of words that begin so, shortest first. */
  beginning(start: string, marks: readonly string[], most: number): Promise<number[]>;
};

export function createWordNumbers(sql: Sql): WordNumbers {
  /** Words and marks of these as rows `w(word, mark, n)`; as one text, since there are thousands. */
  function listed(words: readonly KnownWord[]) {
    const marks = [...new Set(words.map(({ mark }) => mark))];
    const places = new Map(marks.map((mark, at) => [mark, at + 1]));
    return sql`(
      select l.word, (${marks}::text[])[l.mark] as mark, l.n
      from unnest(string_to_array(${words.map(({ word }) => word).join("\n")}, e'\\n'),
        ${words.map(({ mark }) => places.get(mark)!)}::int[]) with ordinality l(word, mark, n)) w`;
  }

  /** Answers those that the index does not know. */
  async function read(words: readonly KnownWord[]): Promise<KnownWord[]> {
    // limit 1 keeps the planner from reading all words for a few thousand, which takes longer the more there are
    const [all] = await sql<{ packed: Uint8Array }[]>`
      select string_agg(int4send(coalesce(k.no, 0)), '' order by w.n) as packed
      from ${listed(words)} left join lateral (
        select no from search_words k where k.word = w.word and k.mark = w.mark limit 1) k on true`;
    const { buffer, byteOffset, byteLength } = all!.packed;
    const numbers = new DataView(buffer, byteOffset, byteLength);
    return words.filter((one, at) => {
      // what others have learnt meanwhile is newer than this
      one.no ||= numbers.getInt32(at * 4);
      return one.no === 0;
    });
  }

  return {
    known: new KnownWords(),

    async make(words) {
      const unknown = new Set<KnownWord>();
      for (const document of words) for (const word of document) if (word.no === 0) unknown.add(word);
      if (unknown.size === 0) return;
      // one order for all writers, so that two never wait for each other; and the index is walked once
      const missing = await read([...unknown].sort(inOrder));
      if (missing.length === 0) return;
      const spellings = missing.map((one) => (isSpelling(one) ? 1 : 0));
      await sql`
        insert into search_words (word, mark, is_spelling)
        select w.word, w.mark, (${spellings}::int[])[w.n::int] = 1
        from ${listed(missing)} order by w.n
        on conflict do nothing`;
      const [lost] = await read(missing);
      if (lost) throw new Error(`The word ${lost.word} was given no number`);
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

function inOrder(a: KnownWord, b: KnownWord): number {
  if (a.word !== b.word) return a.word < b.word ? -1 : 1;
  return a.mark < b.mark ? -1 : 1;
}

function isSpelling({ mark, word }: KnownWord): boolean {
  return !/[=>]/.test(mark) && SPELLING.test(word);
}
