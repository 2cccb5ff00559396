/**
 * Answers a search from the snapshot in memory, which has a set of records for each word and facet value. Intersecting and
 * counting sets is quick for any number of hits. The database checks what the sets cannot (`remaining-conditions.ts`).
 */
import type { SearchAnswer, SearchHit, SearchQuery } from "../../search-index.ts";
import { type Bits, bitsFor, bitsOf, countBits, intersect, subtract, unite } from "./bitset.ts";
import { termsOf } from "./conditions.ts";
import { byField, countUnindexed, type Facet, MOST_UNINDEXED, withValues } from "./count-facets.ts";
import { packedIds } from "./packed-ids.ts";
import { isPossible, type NumberedTerm, needsText, numberedTerms } from "./query-words.ts";
import { gradeScore, rankedByIds } from "./rank.ts";
import { applyRemaining, type Matches, type Part } from "./remaining-conditions.ts";
import { emptyAnswer, type SearchContext } from "./search-context.ts";
import { ofWords, type SetName, type Snapshot } from "./snapshot.ts";
import type { SetPair } from "./snapshots.ts";
import { sortedByIds } from "./sort.ts";
import { readWaiting } from "./table-sets.ts";
import { isFacetValue } from "./value-conditions.ts";

/** The part of a query that memory can answer. `isLeast`: a prefix matches more words than are searched. */
type Question = { parts: readonly Part[]; values: readonly SetName[]; isLeast: boolean };

/** Null if the database must answer. */
export async function findInMemory(
  search: SearchContext,
  facets: readonly Facet[],
): Promise<SearchAnswer | null> {
  const { query, snapshots, limits } = search;
  // without any condition, totals and facets come from the stored counts
  if (!hasConditions(query)) return null;
  const { waiting, stamp } = await waitingRecords(search);
  if (waiting === null) return null;
  const question = await questionOf(search);
  if (question === null) return emptyAnswer(query);
  const { parts, values } = question;
  const hasWords = query.terms.some((term) => !term.negated);
  const isSorted = query.sort.by !== "relevance";
  const unindexed = facets.filter(({ isFacet }) => !isFacet);
  const fields = facets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const sets = [...values.map((all) => ({ all })), ...parts.flatMap(({ terms }) => terms.flatMap(setsOf))];

  const matches: Matches[] = [];
  const candidates = (own: readonly Part[], most: number, groups: readonly (readonly number[][])[] = []) => {
    const named = groups.map((lists) => lists.map(ofWords));
    const needed = [...sets, ...named.flat().map((all) => ({ all }))];
    return snapshots.with(stamp, { fields: [], sets: needed }, (snapshot) => {
      const hits = hitsOf(snapshot, { ...question, parts: own }, waiting, matches);
      if (named.length > 0) intersect(hits, inAnyGroup(snapshot, named));
      return snapshot.newest(hits, most, 0);
    });
  };
  const outcome = await applyRemaining({ search, parts, matches, candidates });
  if (outcome === null) return null;
  if (outcome === "none") return emptyAnswer(query);

  const found = await snapshots.with(stamp, { fields, sets }, (snapshot) => {
    const hits = hitsOf(snapshot, question, waiting, matches);
    const n = countBits(hits);
    const counts = fields.map((field) => snapshot.column(field).count(hits, n));
    const counted = unindexed.length > 0 ? snapshot.newest(hits, MOST_UNINDEXED, 0) : [];
    if (n <= query.offset) return { n, counts, counted, page: [] };
    const most = isSorted ? limits.exactUpTo : hasWords ? limits.mostRanked : 0;
    if (n <= most) return { n, counts, counted, few: snapshot.newest(hits, most, 0) };
    const page = isSorted ? null : pageOf(snapshot, search, gradesOf(snapshot, parts, hits));
    return { n, counts, counted, page };
  });
  if (found === null || found.page === null) return null;

  const counts = byField(facets, await withValues(search, found.counts));
  for (const { field } of unindexed) counts[field] = await countUnindexed(search, found.counted, field);
  const hits =
    found.page ?? (isSorted ? await sortedByIds(search, found.few!) : await rankedByIds(search, found.few!));
  const isLeast =
    question.isLeast || outcome === "least" || (unindexed.length > 0 && found.n > MOST_UNINDEXED);
  return { total: found.n, isLeast, hits, facets: counts, corrections: [] };
}

const hasConditions = ({ terms, conditions, anyOf, links }: SearchQuery): boolean =>
  terms.length + conditions.length + anyOf.length + links.length > 0;

/** Records that wait to be indexed, which visitors do not find by words: the same rule as `notWaiting` in SQL. */
function waitingRecords({ sql, query, state }: SearchContext) {
  const isAsked = query.terms.length > 0 && query.scopes.some(({ audience }) => audience === "public");
  return isAsked && state.waiting ? readWaiting(sql) : { waiting: new Uint8Array(), stamp: state.stamp };
}

/** Null if nothing can be found. */
async function questionOf(search: SearchContext): Promise<Question | null> {
  const { query, facetTerms } = search;
  const parts: Part[] = [];
  let isLeast = false;
  for (const scope of query.scopes) {
    const numbered = await numberedTerms(search, scope.audience);
    const terms = numbered.terms.filter(({ term, anywhere }) => !term.negated || isPossible(anywhere));
    if (!terms.every(({ anywhere }) => isPossible(anywhere))) continue;
    parts.push({ scope, terms });
    isLeast ||= numbered.isLeast;
  }
  if (parts.length === 0) return null;
  const values: SetName[] = [];
  for (const condition of query.conditions) {
    if (!isFacetValue(condition)) continue;
    const numbers = await termsOf(facetTerms, condition);
    if (numbers.length === 0) return null;
    values.push({ of: "terms", numbers });
  }
  return { parts, values, isLeast };
}

/** The sets that a term needs. An excluded phrase needs none: records with its single words are not excluded. */
function setsOf(numbered: NumberedTerm): SetPair[] {
  const { term, anywhere, inTitle } = numbered;
  if (term.negated) return needsText(numbered) ? [] : anywhere.map((list) => ({ all: ofWords(list) }));
  return anywhere.flatMap((list, at) => {
    const all = ofWords(list);
    const some = ofWords(inTitle[at]!);
    if (some.numbers.length === 0) return [{ all }];
    // each list has only the shortest completions, so it may lack words that the list for titles has
    const isPrefix = term.prefix && at === anywhere.length - 1;
    return isPrefix ? [{ all }, { all: some }] : [{ all, some }];
  });
}

function hitsOf(
  snapshot: Snapshot,
  { parts, values }: Question,
  waiting: Uint8Array,
  matches: readonly Matches[],
): Bits {
  const hits = bitsFor(snapshot.room);
  for (const { scope, terms } of parts) {
    const within = snapshot.scope(scope).slice();
    if (scope.audience === "public" && waiting.length > 0) subtract(within, snapshot.recordsById(waiting));
    for (const numbered of terms) {
      const { term, anywhere } = numbered;
      if (term.negated && needsText(numbered)) continue;
      for (const numbers of anywhere)
        (term.negated ? subtract : intersect)(within, snapshot.set(ofWords(numbers)));
    }
    unite(hits, within);
  }
  for (const value of values) intersect(hits, snapshot.set(value));
  for (const { ids, numbers, scopes } of matches) {
    const matching = snapshot.recordsById(packedIds(ids));
    for (const some of numbers) unite(matching, bitsOf(snapshot.room, some).all);
    for (const scope of scopes) unite(matching, snapshot.scope(scope));
    intersect(hits, matching);
  }
  return hits;
}

/** The records that are in all sets of one group. */
function inAnyGroup(snapshot: Snapshot, groups: readonly (readonly SetName[])[]): Bits {
  const either = bitsFor(snapshot.room);
  for (const group of groups) {
    const all = bitsFor(snapshot.room).fill(0xffffffff);
    for (const name of group) intersect(all, snapshot.set(name));
    unite(either, all);
  }
  return either;
}

/** The hits by grade. The grade is the number of search words in the title, from 0. */
function gradesOf(snapshot: Snapshot, parts: readonly Part[], hits: Bits): Bits[] {
  const terms = parts[0]!.terms.filter(({ term }) => !term.negated);
  /** Hits of this grade or a higher one. */
  const atLeast = [hits];
  for (const { term } of terms) {
    const titled = bitsFor(snapshot.room);
    for (const { scope, terms: own } of parts) {
      const { inTitle } = own.find((one) => one.term === term)!;
      if (!isPossible(inTitle)) continue;
      const within = snapshot.scope(scope).slice();
      for (const numbers of inTitle) intersect(within, snapshot.set(ofWords(numbers)));
      unite(titled, within);
    }
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

/** A page of hits: highest grade first, then newest. */
function pageOf(snapshot: Snapshot, { query }: SearchContext, grades: readonly Bits[]): SearchHit[] {
  const page: SearchHit[] = [];
  const words = grades.length - 1;
  let offset = query.offset;
  for (let grade = words; grade >= 0 && page.length < query.limit; grade--) {
    const ids = snapshot.newest(grades[grade]!, query.limit - page.length, offset);
    const score = words === 0 ? 0 : gradeScore(grade, words);
    page.push(...ids.map((id) => ({ id, score })));
    offset = ids.length > 0 ? 0 : offset - countBits(grades[grade]!);
  }
  return page;
}
