/** Finds: one search, a second one with room for typing errors when nothing was found, and what Typesense cannot tell. */
import {
  type FieldCondition,
  MOST_VALUES,
  type SearchAnswer,
  type SearchHit,
  type SearchQuery,
  type SearchScope,
} from "../../search-index.ts";
import type { Catalogue } from "./typesense-catalogue.ts";
import { facetField, wordOf } from "./typesense-codes.ts";
import { correctionsOf, tolerant } from "./typesense-corrections.ts";
import { isScored, type Prepared, searchOf } from "./typesense-request.ts";
import type { Asked, Found, Search } from "./typesense-server.ts";

/** Hits that Typesense gives at once. */
const MOST_HITS = 250;
/** Hits over which a field that is no facet is counted, and records by which one is filtered. */
const MOST_LOOKED_UP = 10_000;
/** Records that a search leaves out; when more wait, those on the page are looked at. */
export const MOST_LEFT_OUT = 10_000;
/** Typesense's score of a match is a number of nineteen digits. */
const SCORE = 1e18;

export async function findInTypesense(
  asked: Asked,
  catalogue: Catalogue,
  query: SearchQuery,
): Promise<SearchAnswer> {
  const facets = query.facets.map(({ field, indexed }) => ({ field, indexed, name: facetField(field) }));
  const { ids, isAll } = await lookUp(catalogue, [...query.conditions, ...query.anyOf]);
  const known = await asked.known(
    facets.filter(({ indexed }) => indexed).map(({ name }) => name),
    [...query.conditions, ...query.anyOf].some(({ op }) => op === "between"),
  );
  const counted = facets.filter(({ name, indexed }) => indexed && known.has(name)).map(({ name }) => name);
  const answer: SearchAnswer = {
    total: 0,
    isLeast: !isAll,
    hits: [],
    facets: Object.fromEntries(facets.map(({ field }) => [field, []])),
    corrections: [],
  };
  const isPlain = query.terms.length + query.conditions.length + query.anyOf.length === 0;
  const left = isPlain ? [] : await leftOut(catalogue, query.scopes);
  const { search, found, unknown } = await foundBy(asked, query, { known, ids, counted, left });
  if (search === null) return answer;
  const { found: total, facet_counts, search_cutoff = false } = found[0]!;
  let hits = found.flatMap((page) => page.hits);
  if (left.length === MOST_LEFT_OUT) {
    const waiting = await catalogue.waitingAmong(hits.map(({ document }) => document.id));
    hits = hits.filter(({ document }) => !waiting.includes(document.id));
    answer.isLeast = true;
  }
  answer.total = total;
  answer.isLeast ||= search_cutoff;
  answer.hits = hits.map((hit) => hitOf(hit, query));
  answer.corrections = correctionsOf(unknown, hits.map(matchedOf));
  for (const { field, name } of facets) {
    const counts = facet_counts.find((each) => each.field_name === name)?.counts ?? [];
    answer.facets[field] = counts.map(({ value, count }) => ({ value, count })).sort(mostFirst);
  }
  const others = facets.filter(({ indexed }) => !indexed);
  if (others.length > 0 && total > 0) {
    answer.isLeast ||= total > MOST_LOOKED_UP;
    const all = await allIds(asked, search, Math.min(total, MOST_LOOKED_UP));
    for (const { field } of others)
      answer.facets[field] = await catalogue.count(field, all, query.mostValues ?? MOST_VALUES);
  }
  return answer;
}

/** Most frequent first; of those alike the first by code points. */
export function mostFirst(a: { value: string; count: number }, b: { value: string; count: number }): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}

type Outcome = { search: Search | null; found: Found[]; unknown: readonly string[] };

/** `search`: the one that found; null when nothing can. `unknown`: words in which it allowed for errors. */
async function foundBy(asked: Asked, query: SearchQuery, prepared: Prepared): Promise<Outcome> {
  const search = searchOf(query, prepared);
  const found = search === null ? [] : await pages(asked, search, query);
  if (found.length > 0 && found[0]!.found > 0) return { search, found, unknown: [] };
  const second = await tolerant(asked, query, prepared);
  if (second === null) return { search, found, unknown: [] };
  return { ...second, found: await pages(asked, second.search, query) };
}

/** The page that was asked for; Typesense gives no more than so many hits at once. */
async function pages(asked: Asked, search: Search, { offset, limit }: SearchQuery): Promise<Found[]> {
  const searches: Search[] = [];
  for (let at = 0; at === 0 || at < limit; at += MOST_HITS) {
    const { facet_by: _, ...plain } = search;
    searches.push({
      ...(at === 0 ? search : plain),
      offset: offset + at,
      limit: Math.min(MOST_HITS, limit - at),
    });
  }
  return asked.search(searches);
}

/** Without words the score is 0; where no word was searched in the texts, all hits are as good. */
function hitOf(hit: Found["hits"][number], query: SearchQuery): SearchHit {
  const matched = matchedOf(hit);
  const own = Math.round(((hit.text_match ?? 0) / SCORE) * 1e6) / 1e6;
  const isAsked = query.terms.some(({ negated }) => !negated);
  return {
    id: hit.document.id,
    score: isScored(query) ? own : isAsked ? 1 : 0,
    ...(matched.length > 0 ? { matched } : {}),
  };
}

/** Words of the record that were found, from the highlights of its fields, whatever their form. */
function matchedOf({ highlight }: Found["hits"][number]): string[] {
  const words = new Set<string>();
  const gather = (value: unknown, isMatch: boolean): void => {
    if (typeof value === "string") {
      const word = isMatch ? wordOf(value) : null;
      if (word !== null) words.add(word);
    } else if (Array.isArray(value)) {
      for (const each of value) gather(each, isMatch);
    } else if (value !== null && typeof value === "object") {
      for (const [name, each] of Object.entries(value)) gather(each, isMatch || name === "matched_tokens");
    }
  };
  gather(highlight, false);
  return [...words];
}

/**
 * A record that waits for its projection may have been changed because visitors were not to find a word of it: until the
 * index has followed, they do not find it by any, nor by its fields. At most `MOST_LEFT_OUT` records.
 */
export async function leftOut(catalogue: Catalogue, scopes: readonly SearchScope[]): Promise<string[]> {
  return scopes.some(({ audience }) => audience === "public") ? catalogue.waiting(MOST_LEFT_OUT) : [];
}

/** What the index cannot tell: which records fulfil a condition on a field that is no facet. */
async function lookUp(
  catalogue: Catalogue,
  conditions: readonly FieldCondition[],
): Promise<{ ids: Map<FieldCondition, readonly string[]>; isAll: boolean }> {
  const ids = new Map<FieldCondition, readonly string[]>();
  let isAll = true;
  for (const condition of conditions) {
    if (condition.indexed) continue;
    if (condition.op !== "is" && condition.op !== "contains" && condition.op !== "starts") continue;
    const found = await catalogue.find(condition, MOST_LOOKED_UP + 1);
    ids.set(condition, found.slice(0, MOST_LOOKED_UP));
    isAll &&= found.length <= MOST_LOOKED_UP;
  }
  return { ids, isAll };
}

async function allIds(asked: Asked, search: Search, total: number): Promise<string[]> {
  const { facet_by: _, ...plain } = search;
  const ids: string[] = [];
  for (let at = 0; at < total; at += MOST_HITS) {
    const [found] = await asked.search([
      { ...plain, offset: at, limit: MOST_HITS, highlight_fields: "none" },
    ]);
    ids.push(...found!.hits.map(({ document }) => document.id));
  }
  return ids;
}
