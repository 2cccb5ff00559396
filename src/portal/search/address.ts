/** The state of a search page, which is only in its address. */

import { isUnknownDate } from "../../records/dates/in-words.ts";
import { saysUndated, typedEnd } from "../../records/dates/readings.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { SEARCH_TYPES, SearchParams } from "../../search/params.ts";
import type { SearchInput } from "../../search/search.ts";
import { rightsUri } from "../../vocabularies/rights.ts";

export const PAGE_SIZE = 24;
/** The search shows the first 10,000 hits (interface §3). */
export const LAST_PAGE = Math.floor(10_000 / PAGE_SIZE);
/** The most characters of a query, since each link of the page repeats it. */
export const LONGEST_QUERY = 300;
const MOST_FILTERS = 30;
const MOST_CLAUSES = 20;

/** The first one is the default, which addresses omit. `date_desc`: newest first. */
export const SORTS = ["relevance", "date", "date_desc", "title", "idno", "created_at"] as const;
type Sort = (typeof SORTS)[number];
export const VIEWS = ["grid", "list"] as const;
type Layout = (typeof VIEWS)[number];

/** A filter: name and value of a parameter, for example `meta_material` and `oak`. */
export type Filter = readonly [name: string, value: string];

export type SearchState = {
  q: string;
  type: Kind | "";
  filters: readonly Filter[];
  /** Conditions of the advanced search. */
  clauses: readonly string[];
  any: boolean;
  sort: Sort;
  layout: Layout;
  /** The facet of which all values are shown. */
  more: string;
  page: number;
};

const FILTER =
  /^(meta_[a-z][a-z0-9_]*|range_[a-z][a-z0-9_]*_(from|to)|rel_(entity|place|occurrence|collection)|collection_status|maker|has_picture|[a-z]+_type)$/;
/** The filter for records with a picture, and its only value. */
export const HAS_PICTURE: Filter = ["has_picture", "true"];
/** The kinds that visitors choose from. Public procedures are found, but not offered. */
export const OFFERED: readonly Kind[] = SEARCH_TYPES.filter((kind) => kind !== "procedure");
export const SUBTYPE_KEYS: readonly string[] = SEARCH_TYPES.map((kind) => kinds[kind].subtypeKey);

/** Invalid parameters are ignored, because people truncate and edit addresses. */
export function readSearchState(params: URLSearchParams): SearchState {
  const oneOf = <T extends string>(all: readonly T[], name: string): T =>
    all.find((one) => one === params.get(name)) ?? all[0]!;
  const page = /^\d{1,4}$/.test(params.get("page") ?? "") ? Number(params.get("page")) : 1;
  return {
    q: (params.get("q") ?? "").trim().slice(0, LONGEST_QUERY),
    type: oneOf<Kind | "">(["", ...SEARCH_TYPES], "type"),
    filters: inOrder(
      distinct([...params].filter(isFilter))
        .slice(0, MOST_FILTERS)
        .map(readFilter),
    ),
    clauses: params
      .getAll("clause")
      .filter((text) => text !== "")
      .slice(0, MOST_CLAUSES),
    any: params.get("match") === "any",
    sort: byDateDown(params) ? "date_desc" : oneOf(SORTS, "sort_by"),
    layout: oneOf(VIEWS, "view"),
    more: params.get("more") ?? "",
    page: Math.min(Math.max(page, 1), LAST_PAGE),
  };
}

const byDateDown = (params: URLSearchParams): boolean =>
  params.get("sort_by") === "date" && params.get("sort_dir") === "desc";

const distinct = (filters: readonly Filter[]): Filter[] => [
  ...new Map(filters.map((filter) => [filter.join("="), filter])).values(),
];

const isFilter = ([name, value]: Filter): boolean =>
  value.trim() !== "" &&
  // a range field that still contains the words of the page for "unknown"
  !(name.startsWith("range_") && (isUnknownDate(value.trim()) || saysUndated(value))) &&
  FILTER.test(name) &&
  (name !== HAS_PICTURE[0] || value === HAS_PICTURE[1]) &&
  (!name.endsWith("_type") || name.startsWith("meta_") || SUBTYPE_KEYS.includes(name));

/** Reads a condition of the advanced search: `title:contains:oak`. */
export function clauseParts(clause: string): { field: string; op: string; value: string } {
  const [, field = "", op = "", value = ""] = /^([^:]*):([^:]*)(?::([\s\S]*))?$/.exec(clause) ?? [];
  return { field, op, value };
}

/** A year in EDTF. */
export const edtfYear = (year: number): string =>
  `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;

function readFilter([name, value]: Filter): Filter {
  if (name === "meta_rights") return [name, rightsUri(value) ?? value.trim()];
  return [name, name.startsWith("range_") ? typedEnd(value) : value.trim()];
}

/** Two years in the wrong order are swapped. */
function inOrder(filters: readonly Filter[]): Filter[] {
  return filters.map(([name, value]) => {
    const other = name.replace(/_(from|to)$/, (_, end) => (end === "from" ? "_to" : "_from"));
    const opposite = name.startsWith("range_") && filters.find(([each]) => each === other)?.[1];
    if (!opposite || Number.isNaN(Number(value)) || Number.isNaN(Number(opposite))) return [name, value];
    const [low, high] = [value, opposite].sort((a, b) => Number(a) - Number(b));
    return [name, name.endsWith("_from") ? low! : high!];
  });
}

/** Whether anything but words narrows the search. */
export const isNarrowed = ({ type, filters, clauses }: SearchState): boolean =>
  type !== "" || filters.length > 0 || clauses.length > 0;

/** The parameters of this search in the API. */
export function asParams(state: Partial<SearchState>): [string, string][] {
  const { q = "", type = "", filters = [], clauses = [], any = false, sort = "relevance" } = state;
  return [
    ...(q === "" ? [] : [["q", q] as [string, string]]),
    ...(type === "" ? [] : [["type", type] as [string, string]]),
    ...filters.map(([name, value]): [string, string] => [name, value]),
    ...clauses.map((text): [string, string] => ["clause", text]),
    ...(any && clauses.length > 1 ? [["match", "any"] as [string, string]] : []),
    ...sortParams(sort),
  ];
}

function sortParams(sort: Sort): [string, string][] {
  if (sort === "relevance") return [];
  if (sort === "date_desc") return Object.entries({ sort_by: "date", sort_dir: "desc" });
  return [["sort_by", sort]];
}

/** Path and query of a search. */
export function searchAddress(state: Partial<SearchState>): string {
  const { layout = "grid", more = "", page = 1 } = state;
  const query = new URLSearchParams(asParams(state));
  if (layout !== "grid") query.set("view", layout);
  if (more !== "") query.set("more", more);
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? "/search" : `/search?${query}`;
}

/** The same search as input of `searchFor`. `types`: separated by commas. */
export function searchOf(
  state: SearchState,
  facets: readonly string[],
  pageSize: number,
  types: string = state.type,
): Pick<SearchInput, "params" | "clauses" | "portal" | "lenient"> {
  const many: Record<string, string | string[]> = {};
  for (const [name, value] of state.filters) many[name] = name in many ? [many[name]!, value].flat() : value;
  return {
    params: SearchParams.parse({
      ...many,
      ...(state.q === "" ? {} : { q: state.q }),
      ...(types === "" ? {} : { type: types }),
      ...(facets.length === 0 ? {} : { facets: facets.join(",") }),
      ...Object.fromEntries(sortParams(state.sort)),
      page: String(state.page),
      page_size: String(pageSize),
    }),
    clauses: { clauses: state.clauses, any: state.any },
    portal: true,
    lenient: true,
  };
}
