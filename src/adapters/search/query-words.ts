/** The words of a query as numbers of the index. */
import type { SearchTerm } from "../../search-index.ts";
import type { Search } from "./search-context.ts";
import { type Audience, stemMarks, titleMarks, wordMarks } from "./words.ts";

/** Words that all prefixes of a query together stand for, the shortest first; and that one prefix of one or two letters stands for. */
const MOST_COMPLETIONS = 1_000;
const MOST_OF_SHORT = 100;

/**
 * A term and, for each of its words in order, the numbers one of which a record must have: anywhere, or in its title.
 * `mayBeMore`: its list is full, so more words may begin with its prefix.
 */
export type NumberedTerm = {
  term: SearchTerm;
  anywhere: number[][];
  inTitle: number[][];
  mayBeMore: boolean;
};

/** Whether positions must be looked at: for phrases, and for an excluded prefix with more words than were listed. */
export function needsText({ term, mayBeMore }: NumberedTerm): boolean {
  return term.words.length > 1 || (term.negated && mayBeMore);
}

/** Where one of each list is needed: whether there is one. */
export const isPossible = (lists: readonly (readonly unknown[])[]): boolean =>
  lists.every((list) => list.length > 0);

/** The terms of the query, as this audience may find by them. `isLeast`: not all words of a prefix are asked for. */
export async function numberedTerms(
  { numbers, query }: Pick<Search, "numbers" | "query">,
  audience: Audience,
): Promise<{ terms: NumberedTerm[]; isLeast: boolean }> {
  const prefixes = query.terms.filter((term) => term.prefix).length;
  const all = [...new Set(query.terms.flatMap((term) => term.words))];
  const stems = [...new Set(query.terms.flatMap((term) => term.stems ?? []))];
  const marks = wordMarks(audience);
  const titled = titleMarks(audience);
  const [found, stemmed] = await Promise.all([
    numbers.find(all, [...marks, ...titled]),
    numbers.find(stems, stemMarks(audience)),
  ]);
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
      const ofStems = (term.stems ?? []).flatMap((stem) => stemmed.of(stem, stemMarks(audience)));
      anywhere[0] = [...anywhere[0]!, ...ofStems];
    }
    terms.push({ term, anywhere, inTitle, mayBeMore });
  }
  return { terms, isLeast };
}
