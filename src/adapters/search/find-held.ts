/**
 * Answers from what this process holds of the index: words, and values of facet fields, are sets of records there, and
 * their hits are counted within a moment, however many they are. Of what is asked for besides, the database tells which
 * records meet it.
 */
import type { FieldCondition, SearchAnswer, SearchHit, SearchScope } from "../../search-index.ts";
import { type Bits, bitsFor, bitsOf, count, join, keep, take } from "./bits.ts";
import {
  isOfText,
  type NumberedTerm,
  numberedTerms,
  otherConditions,
  termCondition,
  termsOf,
} from "./conditions.ts";
import { type Asked, type Copy, ofWords, packedIds } from "./copy.ts";
import { byField, type Facet, named } from "./count-facets.ts";
import type { AskedSet } from "./mirror.ts";
import { allOf, anyOf, type Condition, nothing, type Search, scopeCondition } from "./scope.ts";
import { sortedPage } from "./sorted.ts";
import { readWaiting } from "./state.ts";
import { gradeScore, weighedAmong } from "./weigh.ts";
import { tsqueryText } from "./words.ts";

/** What is asked of the records within one scope. */
type Part = { scope: SearchScope; terms: readonly NumberedTerm[] };

/** What is asked: in sets that are held, and what only the database can tell: phrases, and these. */
type Question = { parts: readonly Part[]; met: readonly Asked[]; others: Condition[]; isLeast: boolean };

/** What the database tells of the records in question: who of them, or whatever rows (four bytes each), meets the rest. */
type Told = { ids: readonly string[] } | { numbers: Uint8Array };

/** Records whose texts are read for a phrase one by one, which is quicker than looking for its words again. */
const MOST_READ = 20_000;

/** Null when the database must answer. */
export async function findHeld(search: Search, facets: readonly Facet[]): Promise<SearchAnswer | null> {
  if (!canBeHeld(search, facets)) return null;
  const { query, mirror, limits } = search;
  const { waiting, stamp } = await waitingFor(search);
  if (waiting === null) return null;
  const question = await questionOf(search);
  if (question === null) return nothing(query);
  const { parts, met } = question;
  const few = limits.mostWeighed;
  const hasWords = query.terms.some((term) => !term.negated);
  const isSorted = query.sort.by !== "relevance";
  const fields = facets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const sets = [...met.map((all) => ({ all })), ...parts.flatMap(({ terms }) => terms.flatMap(setsOf))];

  let told: Told | null = null;
  if (question.others.length > 0 || hasTexts(parts)) {
    const isText = isOfTexts(question);
    const most = isText ? MOST_READ : few;
    const narrowed = await mirror.with(stamp, { fields: [], sets }, (copy) => {
      const hits = hitsOf(copy, question, waiting, null);
      return { ids: count(hits) <= most ? copy.newest(hits, most, 0) : null };
    });
    if (narrowed === null) return null;
    const { ids } = narrowed;
    told =
      isText && ids !== null
        ? { ids: await withPhrases(search, parts[0]!, ids) }
        : { numbers: await tellNumbers(search, question, ids) };
  }
  const found = await mirror.with(stamp, { fields, sets }, (copy) => {
    const hits = hitsOf(copy, question, waiting, told);
    const n = count(hits);
    const counts = fields.map((field) => copy.column(field).count(hits, n));
    if (n <= query.offset) return { n, counts, page: [] };
    if (n <= few && (hasWords || isSorted)) return { n, counts, few: copy.newest(hits, few, 0) };
    return { n, counts, page: pageOf(copy, search, gradesOf(copy, parts, hits)) };
  });
  if (found === null || (isSorted && found.n > few)) return null;

  const counted = byField(facets, await named(search, found.counts));
  const hits = found.page ?? (await pageAmong(search, found.few));
  return { total: found.n, isLeast: question.isLeast, hits, facets: counted, corrections: [] };
}

const pageAmong = (search: Search, ids: readonly string[]) =>
  search.query.sort.by === "relevance"
    ? weighedAmong(search, ids)
    : sortedPage(search, search.sql`s.id = any(${ids as string[]}::uuid[])`);

/** Without any question the counts of the index are the answer. */
function canBeHeld({ query }: Search, facets: readonly Facet[]): boolean {
  const { terms, conditions, anyOf, links } = query;
  if (terms.length + conditions.length + anyOf.length + links.length === 0) return false;
  return facets.every((facet) => facet.indexed);
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
  const others: Condition[] = [];
  if (met.length < query.conditions.length || query.anyOf.length > 0 || query.links.length > 0) {
    const found = await otherConditions(search);
    if (found === null) return null;
    isLeast ||= found.isLeast;
    others.push(...found.where);
  }
  return { parts, met, others, isLeast };
}

const isPossible = (lists: readonly number[][]) => lists.every((list) => list.length > 0);
const hasTexts = (parts: readonly Part[]) => parts.some(({ terms }) => terms.some(isOfText));
/** Of one scope, the texts alone tell which have its phrases. */
const isOfTexts = ({ parts, others }: Question) => others.length === 0 && parts.length === 1;
const isValue = (one: FieldCondition): one is Extract<FieldCondition, { op: "is" }> =>
  one.op === "is" && one.indexed;

/** Of these, those whose texts have what only texts can tell. */
async function withPhrases(
  { sql, tables }: Search,
  { scope, terms }: Part,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const phrases = terms.filter(isOfText).map(({ term }) => term);
  const rows = await sql<{ id: string }[]>`
    select t.id from unnest(string_to_array(${ids.join()}, ',')::uuid[]) o(id) join ${tables.texts} t on t.id = o.id
    where t.words @@ ${tsqueryText(phrases, scope.audience)}::tsquery`;
  return rows.map(({ id }) => id);
}

/** Numbers of the rows that meet what the database tells; of those with these ids only, when they are given. */
async function tellNumbers(
  search: Search,
  { parts, others }: Question,
  ids: readonly string[] | null,
): Promise<Uint8Array> {
  if (ids?.length === 0) return new Uint8Array();
  const { sql, tables } = search;
  const where = [...others];
  if (hasTexts(parts)) {
    const within = parts.map(({ scope, terms }) =>
      allOf(sql, [
        scopeCondition(sql, scope),
        ...terms.filter(isOfText).map((phrase) => termCondition(search, phrase, scope.audience)),
      ]),
    );
    where.push(anyOf(sql, within));
  }
  if (ids !== null) where.push(sql`s.id = any(${ids as string[]}::uuid[])`);
  const [all] = await sql<{ packed: Uint8Array | null }[]>`
    select string_agg(int4send(s.no), '') as packed from ${tables.rows} s where ${allOf(sql, where)}`;
  return all!.packed ?? new Uint8Array();
}

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

function hitsOf(copy: Copy, { parts, met }: Question, waiting: Uint8Array, told: Told | null): Bits {
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
  if (told !== null)
    keep(hits, "ids" in told ? copy.these(packedIds(told.ids)) : bitsOf(copy.room, told.numbers).all);
  return hits;
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
