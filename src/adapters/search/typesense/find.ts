/**
 * Answers a search with Typesense. The words must match exactly. If nothing is found, a word that nobody has is searched as the
 * beginning of words, and then the search is repeated with Typesense's tolerance of typing errors. Values that Typesense does not
 * have are looked up in the database.
 */

import {
  type FieldCondition,
  MOST_VALUES,
  publicOrder,
  type SearchAnswer,
  type SearchQuery,
  type SearchScope,
  type SearchTerm,
} from "../../../ports/search-index.ts";
import { changes } from "../../../text/nearest.ts";
import { mostFirst } from "../snapshot/count-facets.ts";
import { emptyAnswer } from "../snapshot/search-context.ts";
import { asBeginning, completion, isCompletable, isCorrectable } from "../snapshot/spelling.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Collection, MOST_HITS } from "./collection.ts";
import { queryFilter } from "./filter.ts";
import {
  DATED,
  FIRST_DAY,
  facetField,
  languageOf,
  nameCode,
  numberCode,
  PUBLIC_AT,
  textFields,
  valueCode,
} from "./record.ts";
import { type Found, type SearchParameters, TypesenseFailure } from "./server.ts";

/** A field that is not a facet is counted over at most this many hits, and filters by at most this many records. */
const MOST_LOOKED_UP = 10_000;
/** Records that a search can exclude. If more wait to be indexed, visitors get the same answer as if Typesense were down. */
const MOST_HIDDEN = 10_000;
/** Words that may complete an unfinished word. Typesense's default is four. */
const MOST_COMPLETIONS = 1_000;
/** Typing errors in one word. Typesense allows no more. */
const MOST_ERRORS = 2;
/** Parameters by which every word must occur as it is written. */
export const EVERY_WORD: SearchParameters = {
  num_typos: 0,
  drop_tokens_threshold: 0,
  split_join_tokens: "off",
  max_candidates: MOST_COMPLETIONS,
  include_fields: "id",
  highlight_fields: "none",
};
/** Typesense's scores are numbers of up to nineteen digits. */
const SCORE = 1e18;

export async function findInTypesense(
  collection: Collection,
  catalogue: Catalogue,
  query: SearchQuery,
): Promise<SearchAnswer> {
  const { terms, links, facets, offset, limit, mostValues = MOST_VALUES } = query;
  const conditions = [...query.conditions, ...query.anyOf];
  const { lookedUp, isAll } = await lookUp(catalogue, conditions);
  const answer: SearchAnswer = { ...emptyAnswer(query), isLeast: !isAll };
  const uncounted = facets.filter(({ isFacet }) => !isFacet);
  const isBare = terms.length + conditions.length + links.length + uncounted.length === 0;
  const hidden = isBare ? [] : await hiddenRecords(catalogue, query.scopes);
  const languages = new Set(terms.flatMap(({ stems = [] }) => stems.map(languageOf)));
  const texts = textFields(query.scopes, undefined, [...languages]);
  const counted = facets.filter(({ isFacet }) => isFacet).map(({ field }) => facetField(field));
  const filtered = conditions.filter(hasWords).map(({ field }) => facetField(field));
  const needed = [...counted, ...filtered, ...texts.map(({ name }) => name)];
  const fields = await collection.fieldNames([...needed, ...timesFor(query)]);
  const filter = queryFilter(query, { fields, lookedUp, hidden });
  if (filter === null) return answer;

  const searched = texts.filter(({ name }) => fields.has(name));
  const facetBy = counted.filter((name) => fields.has(name)).join(",");
  let search: SearchParameters = {
    ...wording(terms),
    query_by: searched.map(({ name }) => name).join(","),
    query_by_weights: searched.map(({ weight }) => weight).join(","),
    text_match_type: "max_weight",
    filter_by: filter,
    max_filter_by_candidates: MOST_COMPLETIONS,
    sort_by: sorting(query, fields),
    page: limit === 0 ? 1 : offset / limit + 1,
    per_page: Math.min(limit, MOST_HITS),
    ...(facetBy && { facet_by: facetBy, max_facet_values: mostValues, facet_strategy: "exhaustive" }),
  };
  let [found] = await collection.search([search]);
  const isFinal = () => found!.found > 0 || query.asTyped === true;
  const begun = isFinal() ? undefined : await unknownBeginning(query, hidden, search, collection);
  if (begun) {
    const completed = { ...search, ...wording(terms.map((one) => (one === begun ? asBeginning(one) : one))) };
    [found] = await collection.search([completed]);
    if (found!.found > 0) {
      search = completed;
      answer.corrections = [{ from: begun.words.join(" "), to: completion(begun) }];
    }
  }
  const correctable = terms.filter(isCorrectable).map(({ words }) => words[0]!);
  if (!isFinal() && correctable.length > 0) {
    // highlights tell the corrected words; fields that the answer does not include have them only if they are named
    search = { ...search, num_typos: MOST_ERRORS, highlight_fields: search.query_by! };
    [found] = await collection.search([search]);
    answer.corrections = corrections(correctable, found!);
  }

  const { found: total, facet_counts, search_cutoff = false } = found!;
  const pagesOf = (most: number) =>
    Array.from({ length: Math.ceil(Math.min(total, most, MOST_LOOKED_UP) / MOST_HITS) }, (_, n) => ({
      ...{ ...search, page: n + 1, per_page: MOST_HITS },
    }));
  const further = limit > MOST_HITS ? await collection.search(pagesOf(limit).slice(1)) : [];
  const hits = [found!, ...further].flatMap((page) => page.hits);
  const isScored = terms.some(({ negated }) => !negated);
  answer.total = total;
  answer.isLeast ||= search_cutoff || (uncounted.length > 0 && total > MOST_LOOKED_UP);
  answer.hits = hits.map(({ document, text_match = 0 }) => ({
    id: document.id,
    score: isScored ? Math.round((text_match / SCORE) * 1e6) / 1e6 : 0,
  }));
  for (const { field } of facets) {
    const counts = facet_counts.find(({ field_name }) => field_name === facetField(field))?.counts ?? [];
    answer.facets[field] = counts.map(({ value, count }) => ({ value, count })).sort(mostFirst);
  }
  if (uncounted.length > 0) {
    const all = await collection.search(pagesOf(MOST_LOOKED_UP));
    const ids = all.flatMap((page) => page.hits.map(({ document }) => document.id));
    for (const { field } of uncounted) answer.facets[field] = await catalogue.count(field, ids, mostValues);
  }
  return answer;
}

/** The last term that may be completed and finds nothing; Typesense completes one word of a query only. */
async function unknownBeginning(
  query: SearchQuery,
  hidden: readonly string[],
  search: SearchParameters,
  collection: Collection,
): Promise<SearchTerm | undefined> {
  if (query.terms.some(isUnfinished)) return undefined;
  const terms = query.terms.filter(isCompletable);
  const everywhere = { ...query, conditions: [], anyOf: [], links: [] };
  const filter_by = queryFilter(everywhere, { fields: new Set(), lookedUp: new Map(), hidden })!;
  const { query_by, query_by_weights } = search as Record<string, string>;
  const found = await collection.search(
    terms.map((term) => ({
      ...wording([term]),
      query_by: query_by!,
      query_by_weights: query_by_weights!,
      filter_by,
      per_page: 0,
    })),
  );
  return terms.findLast((_, at) => found[at]!.found === 0);
}

/**
 * A changed record that waits to be indexed may have lost a word, or the word may no longer be public. Until it is indexed
 * again, visitors do not find it by words or fields.
 */
export async function hiddenRecords(catalogue: Catalogue, scopes: readonly SearchScope[]): Promise<string[]> {
  if (scopes.every(({ audience }) => audience !== "public")) return [];
  const hidden = await catalogue.waiting(MOST_HIDDEN + 1);
  if (hidden.length > MOST_HIDDEN)
    throw new TypesenseFailure(
      `More than ${MOST_HIDDEN} records that visitors must not find wait for Typesense`,
    );
  return hidden;
}

/** Typesense completes the last word only, so an unfinished one comes last. */
function wording(terms: readonly SearchTerm[]): SearchParameters {
  const ordered = [...terms].sort((a, b) => Number(isUnfinished(a)) - Number(isUnfinished(b)));
  const q = ordered.length === 0 ? "*" : ordered.map(termText).join(" ");
  return { ...EVERY_WORD, q, prefix: terms.some(isUnfinished) };
}

const isUnfinished = ({ prefix, negated }: SearchTerm): boolean => prefix && !negated;

function termText({ words, negated, exact, prefix }: SearchTerm): string {
  const isPhrase = exact || (words.length > 1 && !prefix);
  return `${negated ? "-" : ""}${isPhrase ? `"${words.join(" ")}"` : words.join(" ")}`;
}

/** The field of the order, if older collections lack it. */
function timesFor(query: SearchQuery): string[] {
  if (query.sort.by === "date") return [FIRST_DAY];
  return publicOrder(query) ? [PUBLIC_AT] : [];
}

/** Typesense sorts by at most three fields; a condition counts as one. A collection without public dates or first days sorts by the time of creation. */
function sorting(query: SearchQuery, fields: ReadonlySet<string>): string {
  const { by, direction } = query.sort;
  if (by === "relevance" && query.numbers.length > 0) {
    // since version 26
    const starts = query.numbers.map(
      (start, at) => `(codes:=${numberCode(start)}):${query.numbers.length - at}`,
    );
    return `_eval([${starts.join(",")}]):desc,_text_match:desc,id_1:desc`;
  }
  if (by === "relevance" && query.names.length > 0) {
    // no commas: version 24 ends the condition there
    const isNamed = query.names.map((name) => `codes:=${nameCode(name)}`).join(" || ");
    return `_text_match:desc,_eval(${isNamed}):desc,id_1:desc`;
  }
  if (by === "relevance" && query.terms.some(({ negated }) => !negated))
    return "_text_match:desc,id_1:desc,id_2:desc";
  if (by === "relevance") {
    const { field, values } = query.first;
    return `_eval(${values.map((value) => `codes:=${valueCode(field, value)}`).join(" || ")}):desc,id_1:desc,id_2:desc`;
  }
  if (by === "date" && fields.has(FIRST_DAY))
    return `_eval(codes:=${DATED}):desc,${FIRST_DAY}:${direction},id_1:${direction}`;
  const changed = fields.has(PUBLIC_AT) ? PUBLIC_AT : "created_at";
  const field = { idno: "sort_idno", title: "sort_title", date: "created_at" }[by as string] ?? by;
  return `${publicOrder(query) ? changed : field}:${direction},id_1:${direction},id_2:${direction}`;
}

/** For each word, the most similar word by which a hit was found; among equally similar ones, the most frequent. */
function corrections(words: readonly string[], { hits }: Found): SearchAnswer["corrections"] {
  const counts = new Map<string, number>();
  for (const { highlight } of hits)
    for (const word of new Set(matchedTokens(highlight))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return words.flatMap((from) => {
    const [best] = [...counts]
      .map(([to, count]) => ({ to, count, distance: changes(from, to) }))
      .filter(({ distance }) => distance <= MOST_ERRORS)
      .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.to < b.to ? -1 : 1));
    return best && best.to !== from ? [{ from, to: best.to }] : [];
  });
}

/** The words under `matched_tokens`, at any depth of the highlights of a hit. */
function matchedTokens(highlight: unknown, isMatch = false): string[] {
  if (typeof highlight === "string") return isMatch ? [highlight] : [];
  if (highlight === null || typeof highlight !== "object") return [];
  return Object.entries(highlight).flatMap(([name, part]) =>
    matchedTokens(part, isMatch || name === "matched_tokens"),
  );
}

const hasWords = ({ op }: FieldCondition): boolean => op === "contains" || op === "starts";

/** Records that meet conditions on fields that are not facets. `isAll`: the list is complete. */
async function lookUp(catalogue: Catalogue, conditions: readonly FieldCondition[]) {
  const lookedUp = new Map<FieldCondition, readonly string[]>();
  let isAll = true;
  for (const condition of conditions) {
    if (condition.isFacet || !("words" in condition || "values" in condition)) continue;
    const found = await catalogue.find(condition, MOST_LOOKED_UP + 1);
    lookedUp.set(condition, found.slice(0, MOST_LOOKED_UP));
    isAll &&= found.length <= MOST_LOOKED_UP;
  }
  return { lookedUp, isAll };
}
