/** Translates the words of a query into the numbers that the index has for them. */
import type { SearchTerm } from "../../../ports/search-index.ts";
import { type Audience, formMarks, stemWord, titleMarks, wordMarks } from "../tables/words.ts";
import type { SearchContext } from "./search-context.ts";

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
  { numbers, query }: Pick<SearchContext, "numbers" | "query">,
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
