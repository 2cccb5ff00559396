/**
 * Numbers for words, and for the words of a query. A number never changes, so indexing keeps those it has used in memory. Queries read theirs from the
 * database, where another process may just have added one.
 */
import type { SearchQuery, SearchTerm } from "../../../ports/search-index.ts";
import type { Sql } from "../../../services.ts";
import { knownNumbers } from "./known-numbers.ts";
import {
  type Audience,
  formMarks,
  isOfTitleOrStem,
  splitMark,
  stemWord,
  titleMarks,
  wordMarks,
} from "./words.ts";

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

/** The most words that all prefixes of a query together stand for, and that a prefix of one or two letters stands for. */
const MOST_COMPLETIONS = 1_000;
const MOST_OF_SHORT = 100;

/**
 * A term and, for each of its words in order, a list of numbers. A record can match only if it has one number of each list in
 * `anywhere`; the term is in its title if it has one of each list in `inTitle`. `mayBeMore`: the list is full, so
 * more words may begin with the prefix.
 */
export type NumberedTerm = {
  term: SearchTerm;
  anywhere: number[][];
  inTitle: number[][];
  mayBeMore: boolean;
};

/** Whether matching needs the positions of words: for phrases, and for an excluded prefix with more words than are listed. */
export function needsText({ term, mayBeMore }: NumberedTerm): boolean {
  return term.words.length > 1 || (term.negated && mayBeMore);
}

/** Whether a record can have one number of each list. */
export const isPossible = (lists: readonly (readonly unknown[])[]): boolean =>
  lists.every((list) => list.length > 0);

/** The terms of the query, with words that this audience may search. `isLeast`: a prefix has more words than are listed. */
export async function numberedTerms(
  { numbers, query }: { numbers: WordNumbers; query: Pick<SearchQuery, "terms"> },
  audience: Audience,
): Promise<{ terms: NumberedTerm[]; isLeast: boolean }> {
  const prefixes = query.terms.filter((term) => term.prefix).length;
  const all = [...new Set(query.terms.flatMap((term) => term.words))];
  const stems = [...new Set(query.terms.flatMap((term) => (term.stems ?? []).map(stemWord)))];
  const marks = wordMarks(audience);
  const titled = titleMarks(audience);
  const forms = formMarks(audience);
  const found = await numbers.find([...all, ...stems], [...forms, ...titled]);
  const terms: NumberedTerm[] = [];
  let isLeast = false;
  for (const term of query.terms) {
    const last = term.words.at(-1)!;
    const anywhere: number[][] = term.words.map((word) => found.of(word, marks));
    const inTitle: number[][] = term.words.map((word) => found.of(word, titled));
    let mayBeMore = false;
    if (term.prefix) {
      const most = last.length < 3 ? MOST_OF_SHORT : Math.floor(MOST_COMPLETIONS / prefixes);
      const completed = await numbers.beginning(last, marks, most);
      mayBeMore = completed.length === most;
      isLeast ||= mayBeMore && !term.negated;
      anywhere[anywhere.length - 1] = completed;
      inTitle[inTitle.length - 1] = await numbers.beginning(last, titled, most);
    }
    if (term.words.length === 1) {
      const ofStems = (term.stems ?? []).flatMap((stem) => found.of(stemWord(stem), forms));
      anywhere[0] = [...new Set([...anywhere[0]!, ...ofStems])];
    }
    terms.push({ term, anywhere, inTitle, mayBeMore });
  }
  return { terms, isLeast };
}
