/** Typing errors: when a search finds nothing, similar words are tried that find something. */
import { changes } from "../../nearest.ts";
import type { SearchAnswer, SearchTerm } from "../../search-index.ts";
import { countBits, intersect } from "./bitset.ts";
import type { SearchContext } from "./search-context.ts";
import { ofWords } from "./snapshot.ts";
import { widestMarks, wordMarks } from "./words.ts";

/** Similar words from the database that are compared letter by letter. */
const MOST_ALIKE = 60;
/** Of the words that are similar enough, this many are counted. */
const MOST_TRIED = 8;
/** Corrected queries that are tried for one search. */
const MOST_ATTEMPTS = 4;
/** Shorter words are not corrected; also the default of Typesense. */
const SHORTEST = 4;
/** Words shorter than this have too few trigrams to be found by trigrams when one letter is wrong. */
const SHORT = 6;

/**
 * Returns the answer or, if it is certainly empty, the answer to a corrected query that finds something. Equally similar words are
 * tried one after the other, because perhaps only one of them occurs together with the rest of the query.
 */
export async function withCorrections(
  search: SearchContext,
  find: (search: SearchContext) => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  const answer = await find(search);
  if (answer.total > 0 || answer.isLeast) return answer;
  const meant = new Map<string, string[]>();
  for (const term of search.query.terms) {
    const nearest = isCorrectable(term) ? await similarWords(search, term.words[0]!) : [];
    if (nearest.length > 0) meant.set(term.words[0]!, nearest);
  }
  const attempts = Math.min(MOST_ATTEMPTS, Math.max(0, ...[...meant.values()].map((words) => words.length)));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const corrections: SearchAnswer["corrections"] = [];
    const terms = search.query.terms.map((term) => {
      const words = meant.get(term.words[0]!);
      if (!words || !isCorrectable(term)) return term;
      const to = words[Math.min(attempt, words.length - 1)]!;
      corrections.push({ from: term.words[0]!, to });
      return { ...term, words: [to], stems: [] };
    });
    const second = await find({ ...search, query: { ...search.query, terms } });
    if (second.total > 0) return { ...second, corrections };
  }
  return answer;
}

/** Whether the term is one plain word that is long enough. */
export const isCorrectable = ({ negated, prefix, exact, words }: SearchTerm): boolean =>
  words.length === 1 && words[0]!.length >= SHORTEST && !negated && !prefix && !exact;

/** Similar words that find something, most similar first; none if the word itself finds something. */
async function similarWords(search: SearchContext, word: string): Promise<string[]> {
  const { sql, query } = search;
  const marks = widestMarks(query.scopes) as string[];
  const rows = await sql<Marked[]>`
    select no, word, mark from search_words where word = ${word} and mark = any(${marks}::text[])
    union all (
      select no, word, mark from search_words
      where is_spelling and word % ${word} and word <> ${word} and mark = any(${marks}::text[])
      order by similarity(word, ${word}) desc, no limit ${MOST_ALIKE})
    union all
    select k.no, k.word, k.mark
    from unnest(${patternsOf(word)}::text[]) p(pattern) cross join lateral (
      select no, word, mark from search_words
      where is_spelling and word like p.pattern and mark = any(${marks}::text[]) order by no limit ${MOST_ALIKE}) k`;
  const byWord = new Map<string, Marked[]>();
  for (const row of new Map(rows.map((each) => [each.no, each])).values())
    byWord.set(row.word, [...(byWord.get(row.word) ?? []), row]);
  const own = byWord.get(word) ?? [];
  byWord.delete(word);
  const tried = Array.from(byWord, ([other, list]) => ({ word: other, list, far: changes(word, other) }))
    .filter(({ far }) => far <= mostChanges(word))
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST_TRIED);
  const [found, ...others] = await countHits(search, [own, ...tried.map(({ list }) => list)]);
  if (found! > 0) return [];
  return tried
    .map(({ word: other, far }, at) => ({ word: other, far, n: others[at]! }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => a.far - b.far || b.n - a.n)
    .map((one) => one.word);
}

type Marked = { no: number; word: string; mark: string };

/** For each list of words, the number of records that the reader finds by any of them. */
async function countHits(
  { query: { scopes }, inSnapshot }: SearchContext,
  lists: readonly (readonly Marked[])[],
): Promise<number[]> {
  const inScopes = lists.map((words) =>
    scopes.map((scope) => {
      const marks = wordMarks(scope.audience);
      return { scope, name: ofWords(words.filter(({ mark }) => marks.includes(mark)).map(({ no }) => no)) };
    }),
  );
  return inSnapshot({ sets: inScopes.flat().map(({ name }) => name) }, (snapshot) =>
    inScopes.map((all) =>
      all.reduce((n, { scope, name }) => {
        const found = snapshot.scope(scope).slice();
        intersect(found, snapshot.set(name));
        return n + countBits(found);
      }, 0),
    ),
  );
}

/** Patterns for `like`: the word with two neighbouring letters swapped and, if it is short, with any letter replaced. */
function patternsOf(word: string): string[] {
  const letters = [...word];
  const swapped = letters.slice(1).map((letter, at) => letters.with(at, letter).with(at + 1, letters[at]!));
  const replaced = word.length < SHORT ? letters.map((_, at) => letters.with(at, "_")) : [];
  return [...swapped, ...replaced].map((pattern) => pattern.join(""));
}

/** How many letters may be wrong in a word of this length. */
function mostChanges(word: string): number {
  return word.length < 8 ? 1 : 2;
}
