/** The parameters in the address of a list of records: filters, order and page. */
import { said } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import {
  COLLECTION_STATUSES,
  type CollectionStatus,
  type Kind,
  kinds,
  STATUSES,
  type Status,
} from "../../records/kinds.ts";
import { type ListQuery, SORTS } from "../../records/read/list-order.ts";
import type { Schema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import { listPath } from "../sections.ts";
import {
  isFieldFilter,
  LACKS,
  type LackName,
  LINKED,
  LINKED_NAMES,
  type LinkedName,
  lackOf,
  relationTypesOf,
} from "./filter-kinds.ts";

/** High page numbers are expensive for the database. */
export const LAST_PAGE = 2_000;

/** The most columns read from an address. `lists/columns.ts` decides which ones a list shows. */
const MOST_COLUMNS_READ = 50;

/** The most characters in the value of a filter. */
export const LONGEST_VALUE = 300;

/** A query string. */
export const MY_DRAFTS = "status=draft&mine=yes";

export type ListParams = {
  q: string;
  status: Status | undefined;
  subtype: string | undefined;
  /** The id of a public record, an import or a batch edit (`isLinkedWith`). */
  linked_with: string | undefined;
  collection_status: CollectionStatus | undefined;
  /** Names of linked records, by filter. */
  linked: Partial<Record<LinkedName, string>>;
  /** `meta_` and `range_` parameters, as in a search, as somebody typed them. */
  fields: Record<string, string>;
  without: readonly LackName[];
  /** Changed by the reader. */
  mine: boolean;
  sort: ListQuery["sort_by"];
  dir: "asc" | "desc";
  page: number;
  /** Unknown or removed filters. The list is then empty, so that it is not mistaken for the answer. */
  faults: readonly Fault[];
  /** Names of columns; if empty, the usual ones. */
  columns: readonly string[];
};

/** Filters that a change of the schema can remove. */
const FILTER = new RegExp(`^(subtype|meta_.*|range_.*|${LINKED_NAMES.join("|")})$`);

/** Other invalid parameters are ignored: people truncate addresses. */
export function readListParams(params: URLSearchParams, schema: Schema, kind: Kind): ListParams {
  const number = Number(params.get("page"));
  const q = (params.get("q") ?? "").trim().slice(0, 500);
  const textOf = (name: string) => (params.get(name) ?? "").trim().slice(0, LONGEST_VALUE);
  const filters = [...new Set(params.keys())].filter((name) => FILTER.test(name) && textOf(name) !== "");
  const isKnown = (name: string) =>
    name === "subtype"
      ? schema.subtypes.get(kind)?.has(textOf(name))
      : name in LINKED
        ? relationTypesOf(schema, kind, name as LinkedName).length > 0
        : isFieldFilter(schema, kind, name);
  const isRepeated = (name: string) => params.getAll(name).filter((value) => value.trim() !== "").length > 1;
  const faults = filters.flatMap((name): Fault[] => {
    const told = { name: name.replace(/^meta_|^range_(.+)_(from|to)$/, "$1").slice(0, 80) };
    const pointer = `query:${name.slice(0, 80)}`;
    if (!isKnown(name)) return [{ pointer, detail: said("filter.unknown", told) }];
    return isRepeated(name) ? [{ pointer, detail: said("filter.twice", told) }] : [];
  });
  const given = (names: readonly string[]) =>
    Object.fromEntries(names.filter(isKnown).map((name) => [name, textOf(name)]));
  const sort = SORTS.find((each) => each === params.get("sort"));
  return {
    q,
    status: STATUSES.find((status) => status === params.get("status")),
    subtype: given(filters).subtype,
    linked_with: IdShape.safeParse(params.get("linked_with")).data,
    collection_status: kinds[kind].columns.includes("collection_status")
      ? COLLECTION_STATUSES.find((each) => each === params.get("collection_status"))
      : undefined,
    linked: given(LINKED_NAMES.filter((name) => filters.includes(name))),
    fields: given(filters.filter((name) => /^(meta|range)_/.test(name))),
    without: LACKS.filter(
      (name) => params.getAll("without").includes(name) && lackOf(schema, kind, name) !== null,
    ),
    mine: params.get("mine") === "yes",
    ...(sort ? { sort, dir: params.get("dir") === "asc" ? "asc" : "desc" } : orderAtFirst(q)),
    columns: params
      .getAll("column")
      .filter((name) => /^@?[a-z0-9_]{1,63}$/.test(name))
      .slice(0, MOST_COLUMNS_READ),
    faults,
    page: Number.isInteger(number) && number > 0 ? Math.min(number, LAST_PAGE) : 1,
  };
}

/** With words, the best results first; otherwise the latest changes. */
const orderAtFirst = (q: string): Pick<ListParams, "sort" | "dir"> =>
  q === "" ? { sort: "updated_at", dir: "desc" } : { sort: "relevance", dir: "asc" };

export function isAsAtFirst({ q, sort, dir }: Pick<ListParams, "q" | "sort" | "dir">): boolean {
  const first = orderAtFirst(q);
  return sort === first.sort && dir === first.dir;
}

export const isFiltered = (asked: ListParams): boolean =>
  asked.faults.length > 0 || filtersOf(asked).size > 0;

function filtersOf(asked: ListParams): URLSearchParams {
  const { q, status, subtype, linked_with, collection_status, linked, fields, without, mine } = asked;
  const query = new URLSearchParams();
  const all = { q, status, subtype, linked_with, collection_status, ...linked, ...fields };
  for (const [name, value] of Object.entries(all)) if (value) query.set(name, value);
  for (const name of without) query.append("without", name);
  if (mine) query.set("mine", "yes");
  return query;
}

/** The query string of the list; empty for the list in its default state. */
export function queryOf(asked: ListParams): string {
  const { q, sort, dir, page, columns } = asked;
  const query = filtersOf(asked);
  if (!isAsAtFirst({ q, sort, dir })) {
    query.set("sort", sort);
    query.set("dir", dir);
  }
  for (const name of columns) query.append("column", name);
  if (page > 1) query.set("page", String(page));
  return query.toString();
}

export function pathOfList(kind: Kind, asked: ListParams): string {
  const query = queryOf(asked);
  return query === "" ? listPath(kind) : `${listPath(kind)}?${query}`;
}
