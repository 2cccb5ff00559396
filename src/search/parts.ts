/** If no record has all the words of a query: the parts of it that find something. */
import type { SearchAnswer, SearchQuery, SearchTerm } from "../ports/search-index.ts";

/** The most words that are searched one by one. */
const MOST_PARTS = 8;
/** A single letter or digit, which says nothing, except in scripts where a letter can be a word. */
const LONE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]$/u;
/** Milliseconds after which no further part is searched. */
const MOST_MS = 1_000;

/** A query with some of the words, and how many records it finds. */
export type Part = { q: string; total: number };

type Piece = { typed: string; term: SearchTerm };
type Found = Part & { group: readonly Piece[] };

/**
 * The parts of the query that find something with the same filters: most of the words together, then each alone. None if the
 * query has only one word.
 * @param typed what was typed for each term
 */
export async function partsThatFind(
  query: SearchQuery,
  typed: readonly string[],
  find: (query: SearchQuery) => Promise<Pick<SearchAnswer, "total">>,
): Promise<Part[]> {
  const all = query.terms.map((term, at) => ({ term, typed: typed[at]! }));
  const excluded = all.filter(({ term }) => term.negated);
  const wanted = all.filter(({ term }) => !term.negated);
  const words = wanted.length === 1 ? wordsOf(wanted[0]!) : wanted;
  if (words.length < 2) return [];
  const pieces = words.filter(({ term }) => !LONE.test(term.words.join(" "))).slice(0, MOST_PARTS);
  const begun = performance.now();
  const findAll = async (groups: readonly (readonly Piece[])[]): Promise<Found[]> => {
    const found: Found[] = [];
    for (const group of groups) {
      if (performance.now() - begun > MOST_MS) break;
      const terms = [...group, ...excluded];
      const part = { ...query, terms: terms.map(({ term }) => term), facets: [], offset: 0, limit: 0 };
      const { total } = await find({ ...part, numbers: [], names: [], asTyped: true });
      if (total > 0) found.push({ group, q: terms.map((one) => one.typed).join(" "), total });
    }
    return found;
  };
  const single = await findAll(pieces.map((piece) => [piece]));
  const known = single.flatMap(({ group }) => group);
  const isNew = known.length < words.length || wanted.length === 1;
  const groups = isNew ? [known] : known.map((left) => known.filter((one) => one !== left));
  const together = await findAll(groups.filter((group) => group.length > 1));
  return [...together, ...single].map(({ q, total }) => ({ q, total }));
}

/** The words of a phrase as terms of their own. */
const wordsOf = ({ term }: Piece): Piece[] =>
  term.words.map((word) => ({
    typed: word,
    term: { words: [word], prefix: false, negated: false, exact: false },
  }));
