/**
 * Numbers for words. A number never changes, so indexing keeps those it has used in memory. Queries read theirs from the
 * database, where another process may just have added one.
 */
import type { Sql } from "../../../services.ts";
import { knownNumbers } from "./known-numbers.ts";
import { isOfTitleOrStem, splitMark } from "./words.ts";

/** Words that may be offered as corrections: neither short nor numbers. */
const SPELLING = /^\p{L}{4,40}$/u;
type Numbered = { mark: string; word: string; no: number };

type FoundNumbers = { of(word: string, marks: readonly string[]): number[] };

export type WordNumbers = {
  /** The numbers of these words, which begin with their marks. New words get one. */
  make(words: Iterable<string>): Promise<(marked: string) => number>;
  /** Reads the numbers of these words with these marks. `of` then returns those of one word, for some of the marks. */
  find(words: readonly string[], marks: readonly string[]): Promise<FoundNumbers>;
  /** Numbers of words that begin with `start`, shortest first. */
  beginning(start: string, marks: readonly string[], most: number): Promise<number[]>;
};

export function createWordNumbers(sql: Sql): WordNumbers {
  /** SQL: rows `w(mark, word, n)` with n from 1. Sent as one text, because an array of thousands takes longer to parse. */
  const listed = (words: readonly string[]) => {
    const lines = words.map(splitMark).map(({ mark, word }) => `${mark} ${word}`);
    return sql`(
      select split_part(l.line, ' ', 1) as mark, split_part(l.line, ' ', 2) as word, l.n
      from unnest(string_to_array(${lines.join("\n")}, e'\\n')) with ordinality l(line, n)) w`;
  };

  return {
    make: knownNumbers({
      async read(words) {
        // without `limit 1`, the planner would read the whole table of words
        const [row] = await sql<{ numbers: number[] }[]>`
          select array_agg(coalesce(k.no, 0) order by w.n) as numbers
          from ${listed(words)} left join lateral (
            select no from search_words k where k.word = w.word and k.mark = w.mark limit 1) k on true`;
        return row!.numbers;
      },
      add: (words) => sql`
        insert into search_words (word, mark, is_spelling)
        select w.word, w.mark, (${words.map((word) => (isSpelling(word) ? 1 : 0))}::int[])[w.n::int] = 1
        from ${listed(words)} order by w.n
        on conflict do nothing`,
    }),

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

function isSpelling(marked: string): boolean {
  const { mark, word } = splitMark(marked);
  return !isOfTitleOrStem(mark) && SPELLING.test(word);
}
