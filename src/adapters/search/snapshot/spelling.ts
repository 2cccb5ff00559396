/** When a search finds nothing: words that begin with a word of the query are tried, and then similar words. */

import { MOST_PREFIXES, type SearchAnswer, type SearchTerm } from "../../../ports/search-index.ts";
import { changes } from "../../../text/nearest.ts";
import { isPossible, numberedTerms } from "../tables/word-numbers.ts";
import { widestMarks } from "../tables/words.ts";
import { countBits, intersect } from "./bitset.ts";
import type { ScopedTerms } from "./matches.ts";
import type { SearchContext } from "./search-context.ts";
import { ofWords } from "./snapshot.ts";

/** Similar words from the database that are compared letter by letter. */
const MOST_ALIKE = 60;
/** Of the words that are similar enough, this many are counted. */
const MOST_TRIED = 8;
/** Corrected queries that are tried for one search. */
const MOST_ATTEMPTS = 4;
/** Shorter words are not corrected; also the default of Typesense. */
const SHORTEST = 4;
/** Shorter words begin too many others. */
const SHORTEST_BEGINNING = 3;
/** Words shorter than this have too few trigrams to be found by trigrams when one letter is wrong. */
const SHORT = 6;

/** What is searched instead of a term: all words that begin so, or one of these words. */
type Meant = { term: SearchTerm; to: string }[];

/**
 * Returns the answer or, if it is certainly empty, the answer to another query that finds something. Words that find nothing are
 * taken for the beginnings of words and, if no word begins so, for wrong. Equally similar words are tried one after the other,
 * because perhaps only one of them occurs together with the rest of the query.
 */
export async function withCorrections(
  search: SearchContext,
  find: (search: SearchContext) => Promise<SearchAnswer>,
): Promise<SearchAnswer> {
  const answer = await find(search);
  const { terms, asTyped } = search.query;
  if (answer.total > 0 || answer.isLeast || asTyped) return answer;
  const meant = await meantInstead(search);
  const attempts = Math.min(MOST_ATTEMPTS, Math.max(0, ...Array.from(meant.values(), (all) => all.length)));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const corrections: SearchAnswer["corrections"] = [];
    const corrected = terms.map((term) => {
      const all = meant.get(term);
      if (!all) return term;
      const one = all[Math.min(attempt, all.length - 1)]!;
      corrections.push({ from: term.words.join(" "), to: one.to });
      return one.term;
    });
    const second = await find({ ...search, query: { ...search.query, terms: corrected } });
    if (second.total > 0) return { ...second, corrections };
  }
  return answer;
}

async function meantInstead(search: SearchContext): Promise<Map<SearchTerm, Meant>> {
  const { terms } = search.query;
  const own = await hitsOfEach(search, terms);
  const unknown = terms.filter((term, at) => own[at] === 0 && isPlain(term));
  const room = MOST_PREFIXES - terms.filter(({ prefix }) => prefix).length;
  const begun = unknown.filter(isCompletable).slice(0, Math.max(0, room));
  const completed = await hitsOfEach(search, begun.map(asBeginning));
  const meant = new Map<SearchTerm, Meant>();
  for (const [at, term] of begun.entries())
    if (completed[at]! > 0) meant.set(term, [{ term: asBeginning(term), to: completion(term) }]);
  for (const term of unknown.filter((one) => !meant.has(one) && isCorrectable(one))) {
    const words = await similarWords(search, term.words[0]!);
    const all = words.map((word) => ({ term: plainTerm(word), to: word }));
    if (all.length > 0) meant.set(term, all);
  }
  return meant;
}

/** Neither excluded, nor in quotation marks, nor a beginning already. */
const isPlain = ({ negated, prefix, exact }: SearchTerm): boolean => !negated && !prefix && !exact;

/** Whether the term is one plain word that is long enough. */
export const isCorrectable = (term: SearchTerm): boolean =>
  isPlain(term) && term.words.length === 1 && term.words[0]!.length >= SHORTEST;

/** Whether the last word of the term may be the beginning of a longer word. A number may not. */
export const isCompletable = (term: SearchTerm): boolean =>
  isPlain(term) && term.words.at(-1)!.length >= SHORTEST_BEGINNING && /\p{L}/u.test(term.words.at(-1)!);

/** The term with the words that begin as its last word. */
export const asBeginning = (term: SearchTerm): SearchTerm => ({ ...term, prefix: true, stems: [] });

/** As the answer names it. */
export const completion = ({ words }: SearchTerm): string => `${words.join(" ")}*`;

const plainTerm = (word: string): SearchTerm => ({
  words: [word],
  prefix: false,
  negated: false,
  exact: false,
});

/** For each term, the number of records that the reader finds by its words alone, wherever they stand. */
async function hitsOfEach(search: SearchContext, terms: readonly SearchTerm[]): Promise<number[]> {
  const { query, inSnapshot } = search;
  const asked = { ...search, query: { ...query, terms } };
  const parts: ScopedTerms[] = [];
  for (const scope of terms.length > 0 ? query.scopes : [])
    parts.push({ scope, terms: (await numberedTerms(asked, scope.audience)).terms });
  const lists = parts.flatMap((part) => part.terms.flatMap(({ anywhere }) => anywhere));
  return inSnapshot({ sets: lists.filter((list) => list.length > 0).map(ofWords) }, (snapshot) =>
    terms.map((_, at) =>
      parts.reduce((n, part) => {
        const { anywhere } = part.terms[at]!;
        if (!isPossible(anywhere)) return n;
        const found = snapshot.scope(part.scope).slice();
        for (const list of anywhere) intersect(found, snapshot.set(ofWords(list)));
        return n + countBits(found);
      }, 0),
    ),
  );
}

/** Similar words that find something, most similar first. */
async function similarWords(search: SearchContext, word: string): Promise<string[]> {
  const { sql, query } = search;
  const marks = widestMarks(query.scopes) as string[];
  const rows = await sql<{ word: string }[]>`
    (select word from search_words
      where is_spelling and word % ${word} and word <> ${word} and mark = any(${marks}::text[])
      order by similarity(word, ${word}) desc, no limit ${MOST_ALIKE})
    union all
    select k.word
    from unnest(${patternsOf(word)}::text[]) p(pattern) cross join lateral (
      select word from search_words
      where is_spelling and word like p.pattern and word <> ${word} and mark = any(${marks}::text[])
      order by no limit ${MOST_ALIKE}) k`;
  const tried = [...new Set(rows.map((row) => row.word))]
    .map((other) => ({ word: other, far: changes(word, other) }))
    .filter(({ far }) => far <= mostChanges(word))
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST_TRIED);
  const hits = await hitsOfEach(
    search,
    tried.map((one) => plainTerm(one.word)),
  );
  return tried
    .map((one, at) => ({ ...one, n: hits[at]! }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => a.far - b.far || b.n - a.n)
    .map((one) => one.word);
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
