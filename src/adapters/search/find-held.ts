/**
 * Answers from what this process holds of the index: words, and values of facet fields, are sets of records there, and
 * their hits are counted within a moment, however many they are. Of what is asked for besides, the database tells which
 * records meet it (`tell.ts`).
 */
import type { SearchAnswer, SearchHit, SearchQuery } from "../../search-index.ts";
import { type Bits, bitsFor, bitsOf, count, join, keep, take } from "./bits.ts";
import { isOfText, type NumberedTerm, numberedTerms, termsOf } from "./conditions.ts";
import { type Asked, type Copy, ofWords, packedIds } from "./copy.ts";
import { byField, countUnindexed, type Facet, MOST_UNINDEXED, named } from "./count-facets.ts";
import type { AskedSet } from "./mirror.ts";
import { nothing, type Search } from "./one-search.ts";
import { sortedAmong } from "./sorted.ts";
import { readWaiting } from "./state.ts";
import { type Part, type Told, tellIndexed, tellPhrases, tellValues } from "./tell.ts";
import { isValue } from "./values.ts";
import { gradeScore, weighedAmong } from "./weigh.ts";

/** What is asked, as sets that are held. */
type Question = { parts: readonly Part[]; met: readonly Asked[]; isLeast: boolean };

/** Null when the database must answer. */
export async function findHeld(search: Search, facets: readonly Facet[]): Promise<SearchAnswer | null> {
  const { query, mirror, limits } = search;
  if (!canBeHeld(query)) return null;
  const { waiting, stamp } = await waitingFor(search);
  if (waiting === null) return null;
  const question = await questionOf(search);
  if (question === null) return nothing(query);
  const { parts, met } = question;
  const few = limits.mostWeighed;
  const hasWords = query.terms.some((term) => !term.negated);
  const isSorted = query.sort.by !== "relevance";
  const unindexed = facets.filter(({ indexed }) => !indexed);
  const fields = facets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const sets = [...met.map((all) => ({ all })), ...parts.flatMap(({ terms }) => terms.flatMap(setsOf))];

  const told: Told[] = [];
  /** Ids of the newest, of so many at most, that meet what is told already, and have these words besides. */
  const among = (own: readonly Part[], most: number, words: readonly (readonly number[])[][] = []) => {
    const narrowing = words.map((lists) => lists.map(ofWords));
    const asked = [...sets, ...narrowing.flat().map((all) => ({ all }))];
    return mirror.with(stamp, { fields: [], sets: asked }, (copy) => {
      const hits = hitsOf(copy, { ...question, parts: own }, waiting, told);
      if (narrowing.length > 0) keep(hits, eitherOf(copy, narrowing));
      return copy.newest(hits, most, 0);
    });
  };
  const tell = { search, parts, told, among };
  let isLeast = question.isLeast;
  for (const ask of [tellIndexed, tellPhrases, tellValues]) {
    const outcome = await ask(tell);
    if (outcome === null) return null;
    if (outcome === "none") return nothing(query);
    isLeast ||= outcome === "least";
  }

  const found = await mirror.with(stamp, { fields, sets }, (copy) => {
    const hits = hitsOf(copy, question, waiting, told);
    const n = count(hits);
    const counts = fields.map((field) => copy.column(field).count(hits, n));
    const counted = unindexed.length > 0 ? copy.newest(hits, MOST_UNINDEXED, 0) : [];
    if (n <= query.offset) return { n, counts, counted, page: [] };
    const most = isSorted ? limits.exactUpTo : hasWords ? few : 0;
    if (n <= most) return { n, counts, counted, few: copy.newest(hits, most, 0) };
    return { n, counts, counted, page: isSorted ? null : pageOf(copy, search, gradesOf(copy, parts, hits)) };
  });
  if (found === null || found.page === null) return null;

  const counts = byField(facets, await named(search, found.counts));
  for (const { field } of unindexed) counts[field] = await countUnindexed(search, found.counted, field);
  isLeast ||= unindexed.length > 0 && found.n > MOST_UNINDEXED;
  const hits = found.page ?? (await pageAmong(search, found.few!));
  return { total: found.n, isLeast, hits, facets: counts, corrections: [] };
}

const pageAmong = (search: Search, ids: readonly string[]) =>
  search.query.sort.by === "relevance" ? weighedAmong(search, ids) : sortedAmong(search, ids);

/** Without any question the counts of the index are the answer. */
function canBeHeld({ terms, conditions, anyOf, links }: SearchQuery): boolean {
  return terms.length + conditions.length + anyOf.length + links.length > 0;
}

/** Records that wait for their projection, which visitors do not find by words until then (`agreeing`). */
function waitingFor({ sql, query, state }: Search) {
  const isAsked = query.terms.length > 0 && query.scopes.some(({ audience }) => audience === "public");
  return isAsked && state.waiting ? readWaiting(sql) : { waiting: new Uint8Array(), stamp: state.stamp };
}

/** Null when nothing can be found. */
async function questionOf(search: Search): Promise<Question | null> {
  const { query, dictionary } = search;
  const parts: Part[] = [];
  let isLeast = false;
  for (const scope of query.scopes) {
    const numbered = await numberedTerms(search, scope.audience);
    const terms = numbered.terms.filter(({ term, asked }) => !term.negated || isPossible(asked));
    if (!terms.every(({ asked }) => isPossible(asked))) continue;
    parts.push({ scope, terms });
    isLeast ||= numbered.isLeast;
  }
  if (parts.length === 0) return null;
  const met: Asked[] = [];
  for (const condition of query.conditions) {
    if (!isValue(condition)) continue;
    const numbers = await termsOf(dictionary, condition);
    if (numbers.length === 0) return null;
    met.push({ of: "terms", numbers });
  }
  return { parts, met, isLeast };
}

const isPossible = (lists: readonly number[][]) => lists.every((list) => list.length > 0);
/**
 * Of a phrase that must not be there, the words alone say nothing. What a beginning stands for is not all asked for: a
 * title may have a word that is not among them, so its titles are read by themselves.
 */
function setsOf(numbered: NumberedTerm): AskedSet[] {
  const { term, asked, inTitle } = numbered;
  if (term.negated) return isOfText(numbered) ? [] : asked.map((list) => ({ all: ofWords(list) }));
  return asked.flatMap((list, at) => {
    const all = ofWords(list);
    const some = ofWords(inTitle[at]!);
    if (some.numbers.length === 0) return [{ all }];
    const isBeginning = term.prefix && at === asked.length - 1;
    return isBeginning ? [{ all }, { all: some }] : [{ all, some }];
  });
}

function hitsOf(copy: Copy, { parts, met }: Question, waiting: Uint8Array, told: readonly Told[]): Bits {
  const hits = bitsFor(copy.room);
  for (const { scope, terms } of parts) {
    const within = copy.scope(scope).slice();
    if (scope.audience === "public" && waiting.length > 0) take(within, copy.these(waiting));
    for (const numbered of terms) {
      if (numbered.term.negated && isOfText(numbered)) continue;
      for (const numbers of numbered.asked)
        (numbered.term.negated ? take : keep)(within, copy.set(ofWords(numbers)));
    }
    join(hits, within);
  }
  for (const asked of met) keep(hits, copy.set(asked));
  for (const { ids, numbers, scopes } of told) {
    const meeting = copy.these(packedIds(ids));
    for (const some of numbers) join(meeting, bitsOf(copy.room, some).all);
    for (const scope of scopes) join(meeting, copy.scope(scope));
    keep(hits, meeting);
  }
  return hits;
}

/** Those that have one of each set of a group, of any group. */
function eitherOf(copy: Copy, groups: readonly (readonly Asked[])[]): Bits {
  const either = bitsFor(copy.room);
  for (const group of groups) {
    const all = bitsFor(copy.room).fill(0xffffffff);
    for (const asked of group) keep(all, copy.set(asked));
    join(either, all);
  }
  return either;
}

/** The hits by how many of the words they have in what names them: none, one, and so on. */
function gradesOf(copy: Copy, parts: readonly Part[], hits: Bits): Bits[] {
  const terms = parts[0]!.terms.filter(({ term }) => !term.negated);
  /** Those that have so many at least. */
  const least = [hits];
  for (const { term } of terms) {
    const titled = bitsFor(copy.room);
    for (const { scope, terms: own } of parts) {
      const { inTitle } = own.find((one) => one.term === term)!;
      if (!isPossible(inTitle)) continue;
      const within = copy.scope(scope).slice();
      for (const numbers of inTitle) keep(within, copy.set(ofWords(numbers)));
      join(titled, within);
    }
    least.push(bitsFor(copy.room));
    for (let grade = least.length - 1; grade > 0; grade--) {
      const more = least[grade - 1]!.slice();
      keep(more, titled);
      join(least[grade]!, more);
    }
  }
  return least.map((bits, grade) => {
    const exactly = bits.slice();
    if (least[grade + 1]) take(exactly, least[grade + 1]!);
    return exactly;
  });
}

/** Most words in what names the record first, then the newest. */
function pageOf(copy: Copy, { query }: Search, grades: readonly Bits[]): SearchHit[] {
  const page: SearchHit[] = [];
  const words = grades.length - 1;
  let offset = query.offset;
  for (let grade = words; grade >= 0 && page.length < query.limit; grade--) {
    const ids = copy.newest(grades[grade]!, query.limit - page.length, offset);
    const score = words === 0 ? 0 : gradeScore(grade, words);
    page.push(...ids.map((id) => ({ id, score })));
    offset = ids.length > 0 ? 0 : offset - count(grades[grade]!);
  }
  return page;
}
