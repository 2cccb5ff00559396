/**
 * Answers a search from a snapshot of the index, which has the sets of records that this search needs. Intersecting and
 * counting sets is quick for any number of hits. The database finds what the sets cannot (`matches.ts`).
 */
import type { SearchAnswer, SearchHit } from "../../../ports/search-index.ts";
import { isPossible, type NumberedTerm, needsText, numberedTerms } from "../tables/word-numbers.ts";
import { type Bits, bitsFor, countBits, intersect, subtract, unite } from "./bitset.ts";
import { countedFacets, facetNumbers, MOST_UNINDEXED } from "./count-facets.ts";
import { addMatches, type Matches, type Remaining, type ScopedTerms, valuesSet } from "./matches.ts";
import { gradeScore, namedRecords, numberedRecords, rankedPage } from "./rank.ts";
import { emptyAnswer, type SearchContext } from "./search-context.ts";
import { ofWords, type SetName, type Snapshot } from "./snapshot.ts";
import { MOST_BY_ID, sortedPage } from "./sort.ts";

export async function findInSnapshot(search: SearchContext): Promise<SearchAnswer> {
  const { query, limits, inSnapshot } = search;
  const fields = await facetNumbers(search);
  const { parts, isLeast } = await partsOf(search);
  const matches: Matches[] = [];
  const sets = () => [
    ...matches.flatMap((one) => one.sets),
    ...parts.flatMap(({ terms }) => terms.flatMap(setsOf)),
  ];
  const candidates: Remaining["candidates"] = (own, most, groups) => {
    const named = (groups ?? []).flat().map(ofWords);
    return inSnapshot({ sets: [...sets(), ...named] }, (snapshot) => {
      const hits = hitsOf(snapshot, search, own, matches);
      const inGroup = (lists: readonly number[][]) => withWords(snapshot, hits.slice(), lists);
      return snapshot.newest(groups ? union(snapshot, groups, inGroup) : hits, most);
    });
  };
  const outcome = parts.length === 0 ? "none" : await addMatches({ search, parts, matches, candidates });
  if (outcome === "none") return emptyAnswer(query);

  const hasUnindexed = query.facets.some(({ isFacet }) => !isFacet);
  const isSorted = query.sort.by !== "relevance";
  const [numbered, named] = isSorted
    ? [[], new Uint8Array()]
    : await Promise.all([numberedRecords(search), namedRecords(search)]);
  const hasWords = query.terms.some((term) => !term.negated);
  const preferred = isSorted || hasWords ? [] : await valuesSet(search, query.first);
  const found = await inSnapshot(
    { fields: [...fields.values()], sets: [...sets(), ...preferred] },
    (snapshot) => {
      const hits = hitsOf(snapshot, search, parts, matches);
      const total = countBits(hits);
      const counts = new Map(
        Array.from(fields, ([field, number]) => [field, snapshot.column(number).count(hits, total)]),
      );
      const counted = hasUnindexed ? snapshot.newest(hits, MOST_UNINDEXED) : [];
      // ids of hits that the database puts in order
      const most = isSorted ? MOST_BY_ID : hasWords ? limits.mostRanked : 0;
      const isBeyond = total <= query.offset || query.limit === 0;
      const few = !isBeyond && total <= most ? snapshot.newest(hits, most) : null;
      const first = () => ({
        numbered: numbered.map((ids) => snapshot.recordsById(ids)),
        preferred: preferred.map((name) => snapshot.set(name)),
        named: named.length > 0 ? snapshot.recordsById(named) : null,
      });
      const page =
        isBeyond || isSorted || few ? [] : pageOf(snapshot, search, gradesOf(snapshot, parts, hits), first());
      return { hits, total, counts, counted, isBeyond, few, page };
    },
  );
  const { hits, total, few } = found;
  let { page } = found;
  if (isSorted && !found.isBeyond) page = await sortedPage(search, few ?? hits);
  else if (few) page = await rankedPage(search, few);
  return {
    total,
    isLeast: isLeast || outcome === "least" || (hasUnindexed && total > MOST_UNINDEXED),
    hits: page,
    facets: await countedFacets(search, found.counts, found.counted),
    corrections: [],
  };
}

/** The scopes in which records can be found. `isLeast`: a prefix matches more words than are searched. */
async function partsOf(search: SearchContext): Promise<{ parts: ScopedTerms[]; isLeast: boolean }> {
  const parts: ScopedTerms[] = [];
  let isLeast = false;
  for (const scope of search.query.scopes) {
    const numbered = await numberedTerms(search, scope.audience);
    const terms = numbered.terms.filter(({ term, anywhere }) => !term.negated || isPossible(anywhere));
    if (!terms.every(({ anywhere }) => isPossible(anywhere))) continue;
    parts.push({ scope, terms });
    isLeast ||= numbered.isLeast;
  }
  return { parts, isLeast };
}

/** The sets that a term needs. An excluded phrase needs none: records with its single words are not excluded. */
function setsOf(numbered: NumberedTerm): SetName[] {
  const { term, anywhere, inTitle } = numbered;
  if (term.negated) return needsText(numbered) ? [] : anywhere.map(ofWords);
  return [...anywhere, ...inTitle].filter((list) => list.length > 0).map(ofWords);
}

function hitsOf(
  snapshot: Snapshot,
  { state: { waiting } }: SearchContext,
  parts: readonly ScopedTerms[],
  matches: readonly Matches[],
): Bits {
  const hits = union(snapshot, parts, ({ scope, terms }) => {
    const within = snapshot.scope(scope).slice();
    // until it is indexed, a changed record may have words or values that visitors must not find
    if (scope.audience === "public" && waiting.length > 0) subtract(within, snapshot.recordsById(waiting));
    for (const numbered of terms) {
      const { term, anywhere } = numbered;
      if (term.negated && needsText(numbered)) continue;
      if (term.negated) for (const numbers of anywhere) subtract(within, snapshot.set(ofWords(numbers)));
      else withWords(snapshot, within, anywhere);
    }
    return within;
  });
  for (const { sets, scopes, ids } of matches) {
    const matching = snapshot.inScopes(scopes);
    for (const name of sets) unite(matching, snapshot.set(name));
    for (const some of ids) unite(matching, snapshot.recordsById(some));
    intersect(hits, matching);
  }
  return hits;
}

/** The records that are in at least one of these. */
function union<T>(snapshot: Snapshot, all: readonly T[], recordsOf: (one: T) => Bits): Bits {
  const either = bitsFor(snapshot.room);
  for (const one of all) unite(either, recordsOf(one));
  return either;
}

/** Keeps only the records that have one word of each list. */
function withWords(snapshot: Snapshot, within: Bits, lists: readonly (readonly number[])[]): Bits {
  for (const numbers of lists) intersect(within, snapshot.set(ofWords(numbers)));
  return within;
}

/** The hits by grade. The grade is the number of search terms in the title (`rank.ts`), from 0. */
function gradesOf(snapshot: Snapshot, parts: readonly ScopedTerms[], hits: Bits): Bits[] {
  const terms = parts[0]!.terms.filter(({ term }) => !term.negated);
  /** Hits of this grade or a higher one. */
  const atLeast = [hits];
  for (const { term } of terms) {
    const titled = union(snapshot, parts, ({ scope, terms: own }) => {
      const { inTitle } = own.find((one) => one.term === term)!;
      return isPossible(inTitle)
        ? withWords(snapshot, snapshot.scope(scope).slice(), inTitle)
        : bitsFor(snapshot.room);
    });
    atLeast.push(bitsFor(snapshot.room));
    for (let grade = atLeast.length - 1; grade > 0; grade--) {
      const more = atLeast[grade - 1]!.slice();
      intersect(more, titled);
      unite(atLeast[grade]!, more);
    }
  }
  return atLeast.map((bits, grade) => {
    const exactly = bits.slice();
    if (atLeast[grade + 1]) subtract(exactly, atLeast[grade + 1]!);
    return exactly;
  });
}

/**
 * `numbered`: records whose number has a start; those with the first start have all of them. `preferred`: those that come first without
 * words. `named`: those with the name of the query.
 */
type First = { numbered: readonly Bits[]; preferred: readonly Bits[]; named: Bits | null };

/** A page of hits: highest grade first, then newest. */
function pageOf(
  snapshot: Snapshot,
  { query }: SearchContext,
  grades: readonly Bits[],
  { numbered, preferred, named }: First,
): SearchHit[] {
  const page: SearchHit[] = [];
  const terms = grades.length - 1;
  let offset = query.offset;
  const add = (bits: Bits, score: number) => {
    const ids = snapshot.newest(bits, query.limit - page.length, offset);
    page.push(...ids.map((id) => ({ id, score })));
    offset = ids.length > 0 ? 0 : offset - countBits(bits);
  };
  const before = bitsFor(snapshot.room);
  for (const [at, first] of [...numbered, ...preferred, null].entries()) {
    for (let grade = terms; grade >= 0 && page.length < query.limit; grade--) {
      const bits = grades[grade]!.slice();
      subtract(bits, before);
      if (first) intersect(bits, first);
      const score = terms === 0 ? 0 : gradeScore(grade, terms) + numbered.length - at;
      if (named) {
        const own = bits.slice();
        intersect(own, named);
        subtract(bits, own);
        add(own, score);
      }
      add(bits, score);
    }
    if (first) unite(before, first);
  }
  return page;
}
