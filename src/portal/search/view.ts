/**
 * The data of the search page: hits and facets. It takes several searches: the requested one, one for the counts of the tabs,
 * and one for each chosen facet and the chosen dates, whose values are counted without that choice.
 */

import { labelText, type Text } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { currentSchema } from "../../records/schema.ts";
import { type Years, yearsIn } from "../../search/buckets.ts";
import { MAKER } from "../../search/maker-facet.ts";
import { SEARCH_TYPES } from "../../search/params.ts";
import type { Found } from "../../search/search.ts";
import type { Services } from "../../services.ts";
import {
  clauseParts,
  edtfYear,
  type Filter,
  HAS_PICTURE,
  isNarrowed,
  LAST_PAGE,
  PAGE_SIZE,
  type SearchState,
  SUBTYPE_KEYS,
} from "./address.ts";
import { chipsOf, fieldLabel } from "./chips.ts";
import {
  COLLECTION_STATUS,
  type Counts,
  countAll,
  countKinds,
  datesOf,
  type Facet,
  facetFields,
  facetOf,
  listedFields,
  namesOf,
  withType,
} from "./facets.ts";
import { type Chip, type Dates, withoutDates } from "./filters.ts";
import { barsOf, windowFor } from "./histogram.ts";
import type { VisitorSearch } from "./visitor-search.ts";

export type SearchView = {
  found: Found;
  /** The hits on this page, best first. */
  hits: Found["hits"];
  kinds: { kind: Kind; count: number }[];
  /** How many records of all kinds the search finds. */
  everything: number;
  facets: Facet[];
  dates: Dates | null;
  chips: Chip[];
  /** The same search of one kind of record, or of all. */
  ofKind(kind: Kind | ""): SearchState;
};

/** The most chosen facets whose values are counted again without the choice, to offer the other values. */
const MOST_RECOUNTED = 4;

export async function viewSearch(
  services: Services,
  view: View,
  state: SearchState,
  { find }: VisitorSearch,
): Promise<SearchView> {
  const { language } = view.t;
  const { publicCollectionStatuses } = services.config;
  const schema = await currentSchema(services.sql, view.settings.version);
  const fields = facetFields(schema, state.type);
  const dateField = datesOf(fields);
  const dateFacets = dateField ? [`${dateField.name}.century`, `${dateField.name}.decade`] : [];
  const listed = listedFields(fields);
  const ofObjects = [MAKER, ...(publicCollectionStatuses.length > 1 ? [COLLECTION_STATUS] : [])];
  const page = async (types: string, number: number) =>
    number > LAST_PAGE ? [] : (await find({ ...state, page: number }, [], { size: PAGE_SIZE, types })).hits;
  const count = async (search: SearchState, facets: readonly string[]): Promise<Counts> =>
    (await find({ ...search, page: 1, sort: "relevance" }, facets)).facets;

  const found = await find(
    state,
    [...SUBTYPE_KEYS, ...ofObjects, ...dateFacets, ...listed.map(({ name }) => name)],
    { size: PAGE_SIZE },
  );
  const hits = isNarrowed(state) || state.q !== "" ? found.hits : await objectsFirst(state, found, page);
  // records with a picture are not counted
  const counts: Counts = { ...found.facets, [HAS_PICTURE[0]]: [{ value: HAS_PICTURE[1], count: 0 }] };
  const subtypes = kinds[state.type || "object"].subtypeKey;

  const chosen = dateField ? chosenYears(state, dateField.name) : null;
  const window = windowFor(chosen);
  // a filter by subtype is only for the kind that has the subtype
  const ofKind = (kind: Kind | "") => {
    const others = SUBTYPE_KEYS.filter((key) => kind !== "" && key !== kinds[kind].subtypeKey);
    const picture = PICTURED_KINDS.includes(kind) ? [] : [HAS_PICTURE[0]];
    return withType(schema, withoutNames(state, [...others, COLLECTION_STATUS, MAKER, ...picture]), kind);
  };
  let byKind = counts;
  if (!found.degraded) {
    const own = new Set(state.filters.map(([name]) => name));
    const recounted = [subtypes, ...ofObjects, ...listed.map(({ name }) => name)]
      .filter((name) => own.has(name) || own.has(`meta_${name}`))
      .slice(0, MOST_RECOUNTED);
    for (const name of recounted)
      Object.assign(counts, await count(withoutNames(state, [name, `meta_${name}`]), [name]));
    if (dateField && chosen) {
      const filters: Filter[] = [...withoutDates(state, dateField.name), ...rangeOf(dateField.name, window)];
      Object.assign(counts, await count({ ...state, filters }, dateFacets));
    }
    if (state.type !== "" || SUBTYPE_KEYS.some((key) => own.has(key)))
      byKind = await count(withoutNames(ofKind(""), SUBTYPE_KEYS), SUBTYPE_KEYS);
  }
  const kindsFound = countKinds(byKind, state.filters);
  const named = state.clauses.map(clauseParts).map(({ field, value }): Filter => [`meta_${field}`, value]);
  const names = await namesOf(services.sql, view.t, counts, [...state.filters, ...named]);
  const facet = (name: string, label: Text) => facetOf(name, label, counts, state, names);
  const pictured = PICTURED_KINDS.includes(state.type) ? [HAS_PICTURE[0]] : [];
  return {
    found,
    hits,
    ofKind,
    kinds: kindsFound,
    everything: countAll(kindsFound, state.filters),
    facets: [
      ...[subtypes, ...ofObjects, ...pictured].map((name) => facet(name, fieldLabel(view, schema, name))),
      ...listed.map(({ name, label }) => facet(`meta_${name}`, labelText(label, language, name))),
    ],
    dates: dateField
      ? {
          field: dateField.name,
          label: labelText(dateField.label, language, dateField.name),
          bars: barsOf(counts, dateField.name, window),
          chosen,
        }
      : null,
    chips: await chipsOf(services.sql, view, schema, state, names),
  };
}

export const PICTURED_KINDS: readonly string[] = ["", "object"];

const NOT_OBJECTS = SEARCH_TYPES.filter((kind) => kind !== "object").join(",");

/**
 * A search without words or filters shows objects first, then all other records; each in the order of relevance.
 * @param all what was found, in the order of relevance
 * @param page returns a page of the records of these types
 */
async function objectsFirst(
  state: SearchState,
  all: Found,
  page: (types: string, number: number) => Promise<Found["hits"]>,
): Promise<Found["hits"]> {
  const count = countKinds(all.facets).find(({ kind }) => kind === "object")?.count ?? 0;
  if (count === 0 || count === all.total || state.sort !== "relevance") return all.hits;
  const from = (state.page - 1) * PAGE_SIZE;
  const objects = from < count ? await page("object", state.page) : [];
  if (objects.length === PAGE_SIZE) return objects;
  // the other records begin in the middle of a page
  const skipped = Math.max(from - count, 0);
  const first = Math.floor(skipped / PAGE_SIZE) + 1;
  const rest = [...(await page(NOT_OBJECTS, first)), ...(await page(NOT_OBJECTS, first + 1))];
  const start = skipped % PAGE_SIZE;
  return [...objects, ...rest.slice(start, start + PAGE_SIZE - objects.length)];
}

const withoutNames = (state: SearchState, names: readonly string[]): SearchState => ({
  ...state,
  filters: state.filters.filter(([name]) => !names.includes(name)),
});

function rangeOf(field: string, years: Years | null): Filter[] {
  if (years === null) return [];
  return [
    [`range_${field}_from`, edtfYear(years.from)],
    [`range_${field}_to`, edtfYear(years.to)],
  ];
}

/** From the first to the last chosen year; null if no year is chosen, or if the years cannot be read. */
function chosenYears({ filters }: SearchState, field: string): Years | null {
  const spans = filters.flatMap(([name, value]) => (name === `meta_${field}` && yearsIn(value)) || []);
  const end = (name: "from" | "to") => filters.find(([each]) => each === `range_${field}_${name}`)?.[1];
  const [from, to] = [end("from"), end("to")];
  if (from !== undefined || to !== undefined) {
    const [first, last] = [from === undefined ? null : yearsIn(from), to === undefined ? null : yearsIn(to)];
    spans.push({ from: first?.from ?? Number.NEGATIVE_INFINITY, to: last?.to ?? Number.POSITIVE_INFINITY });
  }
  if (spans.length === 0) return null;
  return { from: Math.min(...spans.map((one) => one.from)), to: Math.max(...spans.map((one) => one.to)) };
}
