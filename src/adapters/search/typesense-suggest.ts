/** What a reader may go on to type: records by their titles, values of facet fields. */
import type { SearchScope, Suggestions, SuggestQuery } from "../../search-index.ts";
import { searchWordsOf } from "../../text.ts";
import type { Catalogue } from "./typesense-catalogue.ts";
import { codeOf, facetField } from "./typesense-codes.ts";
import {
  allOf,
  anyOf,
  otherIdsFilter,
  scopeFilter,
  startsFilter,
  titleStartFilter,
} from "./typesense-filter.ts";
import { leftOut, MOST_LEFT_OUT, mostFirst } from "./typesense-find.ts";
import { textFields } from "./typesense-record.ts";
import type { Asked, Search } from "./typesense-server.ts";

/** Values that are counted for a field; a record that has one that begins so may have others, too. */
const MOST_VALUES = 200;
/** Beginnings that are followed for a title. */
const MOST_BEGINNINGS = 100;

export async function suggestFromTypesense(
  asked: Asked,
  catalogue: Catalogue,
  query: SuggestQuery,
): Promise<Suggestions> {
  const { scopes, words, titledTypes, fields, limit } = query;
  const nothing: Suggestions = { records: [], terms: [] };
  if (words.length === 0 || limit === 0) return nothing;
  const left = await leftOut(catalogue, scopes);
  // too many to leave out one by one: better no suggestion than one that was taken back
  if (left.length === MOST_LEFT_OUT) return nothing;
  const seen = (scope: SearchScope) =>
    allOf([scopeFilter(scope), ...(scope.audience === "public" ? otherIdsFilter(left) : [])]);
  const everything = anyOf(scopes.map(seen));
  if (everything === null) return nothing;
  const titles = scopes.flatMap((scope) => {
    const recordTypes = scope.recordTypes.filter((type) => titledTypes.includes(type));
    const filter = seen({ ...scope, recordTypes });
    return filter === null ? [] : [{ filter, audience: scope.audience }];
  });
  const known = await asked.known(fields.map(facetField), false);
  const counted = fields.filter((field) => known.has(facetField(field)));
  const searches: Search[] = counted.map((field) => ({
    q: "*",
    filter_by: allOf([everything, startsFilter(field, words)])!,
    facet_by: facetField(field),
    facet_strategy: "exhaustive",
    max_facet_values: MOST_VALUES,
    max_filter_by_candidates: MOST_BEGINNINGS,
    limit: 0,
  }));
  const named = titles.map(({ filter, audience }) => titleSearches(query, filter, audience));
  // all that begin so, unless these are signs alone, with which every title begins; then all that have the words
  const beginning = query.start === "" ? [] : named.map(([begin]) => begin);
  searches.unshift(...beginning, ...named.map(([, have]) => have));
  if (searches.length === 0) return nothing;
  const found = await asked.search(searches);
  const records = found
    .splice(0, searches.length - counted.length)
    .flatMap(({ hits }) => hits.map(({ document }) => document.id));
  const begin = words.join(" ");
  const terms = counted.flatMap((field, index) =>
    (found[index]!.facet_counts[0]?.counts ?? [])
      .filter(({ value }) => searchWordsOf(value).join(" ").startsWith(begin))
      .map(({ value, count }) => ({ field, value, count })),
  );
  return { records: [...new Set(records)].slice(0, limit), terms: terms.sort(mostFirst).slice(0, limit) };
}

/** Titles that begin with what was typed, in their order; then those that have its words, the last perhaps unfinished. */
function titleSearches(
  { words, start, limit }: SuggestQuery,
  titles: string,
  audience: SearchScope["audience"],
): [Search, Search] {
  const shared = {
    max_filter_by_candidates: MOST_BEGINNINGS,
    include_fields: "id",
    enable_highlight_v1: false,
    highlight_fields: "none",
    limit,
  };
  // weight A: what names the record
  const names = textFields(audience, ["A"]).map(({ name }) => name);
  return [
    {
      ...shared,
      q: "*",
      filter_by: allOf([titles, titleStartFilter(start)])!,
      sort_by: "sort_title:asc,id_1:asc,id_2:asc",
    },
    {
      ...shared,
      q: words.map(codeOf).join(" "),
      query_by: names.join(","),
      filter_by: titles,
      sort_by: "_text_match:desc,sort_title:asc,id_1:asc",
      prefix: true,
      num_typos: 0,
      drop_tokens_threshold: 0,
      split_join_tokens: "off",
      max_candidates: MOST_BEGINNINGS,
    },
  ];
}
