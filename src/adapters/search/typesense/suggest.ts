/** Suggestions while somebody types: records by their titles, and values of facet fields. */
import type { Suggestions, SuggestQuery } from "../../../ports/search-index.ts";
import { searchWordsOf } from "../../../text.ts";
import { mostFirst } from "../snapshot/count-facets.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Collection } from "./collection.ts";
import { anyOf, visibleFilter } from "./filter.ts";
import { EVERY_WORD, hiddenRecords } from "./find.ts";
import { facetField, textFields } from "./record.ts";
import type { SearchParameters } from "./server.ts";

/** Values that are read for a field. Typesense also returns values in which another word matches, which are left out. */
const MOST_VALUES = 200;

export async function suggestFromTypesense(
  collection: Collection,
  catalogue: Catalogue,
  { scopes, words, titledTypes, fields, limit }: SuggestQuery,
): Promise<Suggestions> {
  const nothing: Suggestions = { records: [], terms: [] };
  if (words.length === 0 || limit === 0) return nothing;
  const hidden = await hiddenRecords(catalogue, scopes);
  const visible = anyOf(scopes.map((scope) => visibleFilter(scope, hidden)));
  if (visible === null) return nothing;
  const titled = scopes.map((scope) => ({
    ...scope,
    recordTypes: scope.recordTypes.filter((type) => titledTypes.includes(type)),
  }));
  // texts of weight A name the record
  const names = textFields(titled, ["A"]).map(({ name }) => name);
  const facets = fields.map((field) => ({ field, name: facetField(field) }));
  const known = await collection.fieldNames([...names, ...facets.map(({ name }) => name)]);
  const counted = facets.filter(({ name }) => known.has(name));
  const typed = words.join(" ");
  const searches: SearchParameters[] = counted.map(({ name }) => ({
    q: "*",
    filter_by: visible,
    facet_by: name,
    facet_query: `${name}:${typed}`,
    facet_query_num_typos: 0,
    facet_strategy: "exhaustive",
    max_facet_values: MOST_VALUES,
    per_page: 0,
  }));
  const withTitle = anyOf(titled.map((scope) => visibleFilter(scope, hidden)));
  if (withTitle !== null)
    searches.push({
      ...EVERY_WORD,
      q: typed,
      query_by: names.filter((name) => known.has(name)).join(","),
      filter_by: withTitle,
      sort_by: "_text_match:desc,sort_title:asc,id_1:asc",
      prefix: true,
      per_page: limit,
    });
  if (searches.length === 0) return nothing;
  const found = await collection.search(searches);
  const terms = counted.flatMap(({ field }, index) =>
    (found[index]!.facet_counts[0]?.counts ?? [])
      .filter(({ value }) => searchWordsOf(value).join(" ").startsWith(typed))
      .map(({ value, count }) => ({ field, value, count })),
  );
  return {
    records: found.slice(counted.length).flatMap(({ hits }) => hits.map(({ document }) => document.id)),
    terms: terms.sort(mostFirst).slice(0, limit),
  };
}
