/** When nothing is found: words that nobody finds anything by, and what may have been meant. */

import { changes } from "../../nearest.ts";
import type { SearchAnswer } from "../../search-index.ts";
import { allOf, anyOf, type Search, scopeCondition } from "./scope.ts";
import { widestMarks, wordMarks } from "./words.ts";

/** Words that look alike and are compared letter by letter. */
const MOST_ALIKE = 60;
/** Of those that are near enough, how many are tried. */
const MOST_TRIED = 8;
/** Hits that are counted to choose between two words that are equally near. */
const MOST_COUNTED = 200;
/** Corrected queries that are asked. */
const MOST_ATTEMPTS = 4;
const SHORTEST = 4;

/**
 * The answer, or that of the corrected query with what was corrected; a correction finds something, or is none. Words
 * that are equally near are tried one after the other: with the rest of the query, only one of them may be meant.
 */
export async function corrected(
  search: Search,
  find: (search: Search) => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  const answer = await find(search);
  if (answer.total > 0 || answer.isLeast) return answer;
  const meant = new Map<string, string[]>();
  for (const term of search.query.terms) {
    const [word] = term.words;
    const isPlain = !term.negated && !term.prefix && !term.exact && term.words.length === 1;
    const nearest = isPlain ? await nearWords(search, word!) : [];
    if (nearest.length > 0) meant.set(word!, nearest);
  }
  const attempts = Math.min(MOST_ATTEMPTS, Math.max(0, ...[...meant.values()].map((words) => words.length)));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const corrections: SearchAnswer["corrections"] = [];
    const terms = search.query.terms.map((term) => {
      const words = term.exact ? undefined : meant.get(term.words[0]!);
      if (!words || term.negated || term.prefix || term.words.length > 1) return term;
      const to = words[Math.min(attempt, words.length - 1)]!;
      corrections.push({ from: term.words[0]!, to });
      return { ...term, words: [to], stems: [] };
    });
    const second = await find({ ...search, query: { ...search.query, terms } });
    if (second.total > 0) return { ...second, corrections };
  }
  return answer;
}

/** Words that find something, the nearest first, then what finds most; none when the word itself finds something. */
async function nearWords(search: Search, word: string): Promise<string[]> {
  if (word.length < SHORTEST) return [];
  const { sql, query } = search;
  const marks = widestMarks(query.scopes);
  const own = await sql<Marked[]>`
    select no, word, mark from search_words where word = ${word} and mark = any(${marks as string[]}::text[])`;
  if ((await finds(search, own, 1)) > 0) return [];
  const rows = await sql<Marked[]>`
    select no, word, mark from search_words
    where is_spelling and word % ${word} and mark = any(${marks as string[]}::text[])
    order by similarity(word, ${word}) desc, no limit ${MOST_ALIKE}`;
  const near = new Map<string, { word: string; far: number; list: Marked[] }>();
  for (const row of rows) {
    const far = changes(word, row.word);
    if (row.word === word || far > allowed(word)) continue;
    const known = near.get(row.word);
    if (known) known.list.push(row);
    else near.set(row.word, { word: row.word, far, list: [row] });
  }
  const tried = [...near.values()].sort((a, b) => a.far - b.far).slice(0, MOST_TRIED);
  const finding: { word: string; far: number; n: number }[] = [];
  for (const { word: other, far, list } of tried) {
    const n = await finds(search, list, MOST_COUNTED);
    if (n > 0) finding.push({ word: other, far, n });
  }
  return finding.sort((a, b) => a.far - b.far || b.n - a.n).map((one) => one.word);
}

type Marked = { no: number; word: string; mark: string };

/** How many records have one of the words, within each scope one that its audience may find by. */
async function finds(
  { sql, tables, query }: Search,
  words: readonly Marked[],
  most: number,
): Promise<number> {
  const within = query.scopes.flatMap((scope) => {
    const marks = wordMarks(scope.audience);
    const list = words.filter(({ mark }) => marks.includes(mark)).map(({ no }) => no);
    if (list.length === 0) return [];
    return [allOf(sql, [scopeCondition(sql, scope), sql`s.words && ${list}::int[]`])];
  });
  if (within.length === 0) return 0;
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from (
      select 1 from ${tables.rows} s where ${anyOf(sql, within)} limit ${most}) m`;
  return row!.n;
}

/** Wrong letters that a word of this length may have. */
function allowed(word: string): number {
  return word.length < 8 ? 1 : 2;
}
