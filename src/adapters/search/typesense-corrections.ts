/** Typing errors: which words nobody finds anything by, and what was found instead. */
import { changes } from "../../nearest.ts";
import type { SearchAnswer, SearchQuery, SearchScope } from "../../search-index.ts";
import { allOf, wordFilter } from "./typesense-filter.ts";
import { audienceOf } from "./typesense-record.ts";
import { isLoose, type Prepared, searchOf } from "./typesense-request.ts";
import type { Asked, Search } from "./typesense-server.ts";

/** Shortest word in which an error is looked for, and two. */
const ONE_ERROR = 4;
const TWO_ERRORS = 8;

/**
 * The same search with room for errors in those of its words that nobody finds anything by; null when it has none. The
 * others are held to the letter.
 */
export async function tolerant(
  asked: Asked,
  query: SearchQuery,
  prepared: Prepared,
): Promise<{ search: Search; unknown: readonly string[] } | null> {
  const candidates = query.terms
    .filter(({ words, negated, prefix, exact }) => words.length === 1 && !negated && !prefix && !exact)
    .map(({ words }) => words[0]!)
    .filter((word) => word.length >= ONE_ERROR);
  const audience = audienceOf(query.scopes, "widest");
  const unknown = await wordsThatNobodyFinds(asked, audience, [...new Set(candidates)]);
  if (unknown.length === 0) return null;
  const loose = new Set(unknown);
  // nothing has their stems, either
  const terms = query.terms.map((term) => {
    const plain = { ...term, stems: [] };
    return isLoose(plain, loose) ? plain : term;
  });
  const search = searchOf({ ...query, terms }, prepared, loose);
  return (
    search && {
      search: { ...search, num_typos: 2, min_len_1typo: ONE_ERROR, min_len_2typo: TWO_ERRORS },
      unknown,
    }
  );
}

/** Words that are in no text that such a reader may find anything by. */
async function wordsThatNobodyFinds(
  asked: Asked,
  audience: SearchScope["audience"],
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 0) return [];
  const found = await asked.search(
    words.map((word) => ({ q: "*", filter_by: allOf([wordFilter(audience, word)])!, limit: 0 })),
  );
  return words.filter((_, at) => found[at]!.found === 0);
}

/** For each of the words the nearest that hits were found by, of those alike the most frequent. */
export function correctionsOf(
  unknown: readonly string[],
  matched: readonly (readonly string[])[],
): SearchAnswer["corrections"] {
  const counts = new Map<string, number>();
  for (const word of matched.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return unknown.flatMap((from) => {
    const most = from.length >= TWO_ERRORS ? 2 : 1;
    const [best] = [...counts]
      .map(([to, count]) => ({ to, count, away: changes(from, to) }))
      .filter(({ to, away }) => to !== from && away <= most)
      .sort((a, b) => a.away - b.away || b.count - a.count || (a.to < b.to ? -1 : 1));
    return best ? [{ from, to: best.to }] : [];
  });
}
