/** What a list is asked for, SQL for its order, and for where a page begins in it. */
import type { PendingQuery, Row } from "postgres";
import { type Caller, mayDo } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { type CollectionStatus, type Kind, kinds, type Status } from "../kinds.ts";
import { MADE } from "../write/sort-keys.ts";
import type { Cursor } from "./cursor.ts";
import type { Lack, LinkedTo } from "./list-filters.ts";

export const SORTS = ["idno", "title", "created_at", "updated_at"] as const;
export type Sort = (typeof SORTS)[number];

/** With several values for one filter, one of them must match. */
export type ListQuery = {
  ids?: readonly string[];
  /** Linked with this public record, or with public records of this import: see `isLinkedWith`. */
  linked_with?: string;
  status?: Status | readonly Status[];
  collection_status?: CollectionStatus | readonly CollectionStatus[];
  /** Only objects with a picture that the caller sees. */
  has_picture?: "true";
  subtype?: string | readonly string[];
  /** Metadata fields, each with the values of which one must match. */
  fields?: readonly { name: string; values: readonly string[] }[];
  idno?: string;
  q?: string;
  linked?: readonly LinkedTo[];
  without?: readonly Lack[];
  /** The id of an account. */
  changed_by?: string;
  /** Only these records, the best first: the order of `relevance`. */
  found?: readonly string[];
  updated_since?: string;
  /** For trees: the parent, or `none` for the top level. */
  parent_id?: string;
  sort_by: Sort | "date" | "relevance";
  sort_dir: "asc" | "desc";
  page: number;
  page_size: number;
  /** Where the page begins; `page` is then ignored. */
  cursor?: Cursor;
  /** Lists the trash instead. */
  trash?: boolean;
  /** Only records that may have moved in the order `by` since this time. */
  moved?: Moved;
};

export type Moved = { since: string; by: ListQuery["sort_by"] };

type Part = PendingQuery<Row[]>;
type Order = { key: Part; id: Part };

/** The tables of a list, and the columns of its order. Callers who may not read the kind get the order of public changes. */
export function ordered(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  { sort_by, sort_dir, moved, found = [] }: Pick<ListQuery, "sort_by" | "sort_dir" | "moved" | "found">,
): Order & { from: Part } {
  const records = { from: sql`records r`, id: sql`r.id` };
  if (moved && moved.by !== "updated_at") return { ...records, key: lastMove(sql, kind, moved) };
  if (sort_by === "updated_at" && !mayDo(caller, "read", kind)) {
    const from = sql`public_dates d join records r on r.id = d.record_id and d.record_type = ${kind}`;
    return { from, key: sql`d.datestamp`, id: sql`d.record_id` };
  }
  if (sort_by === "relevance") {
    const places = sql`unnest(${plainArray(found)}::uuid[]) with ordinality f(id, place)`;
    return { from: sql`${places} join records r on r.id = f.id`, key: sql`f.place`, id: sql`r.id` };
  }
  const key = {
    idno: sql`r.sort_idno`,
    title: sql`r.sort_title`,
    // without a date: last in both directions
    date: sort_dir === "asc" ? sql`r.sort_date` : sql`rtrim(r.sort_date, '~')`,
    created_at: sql`r.created_at`,
    updated_at: sql`r.updated_at`,
  }[sort_by];
  return { ...records, key };
}

/** SQL: what follows `order by`. */
export function by(sql: Sql, { sort_dir }: Pick<ListQuery, "sort_dir">, { key, id }: Order) {
  const direction = sort_dir === "asc" ? sql`asc` : sql`desc`;
  return sql`${key} ${direction}, ${id} ${direction}`;
}

export function after(
  sql: Sql,
  query: ListQuery,
  cursor: NonNullable<ListQuery["cursor"]>,
  { key, id }: Order,
) {
  const isTime = query.sort_by === "created_at" || query.sort_by === "updated_at";
  const isPlace = query.sort_by === "relevance";
  const last = isTime
    ? sql`${cursor.key}::timestamptz`
    : isPlace
      ? sql`${cursor.key}::bigint`
      : sql`${cursor.key}::text collate "C"`;
  const side = query.sort_dir === "asc" ? sql`>` : sql`<`;
  return sql`and (${key}, ${id}) ${side} (${last}, ${cursor.id}::uuid)`;
}

/** When the record got its number, or its title or date. */
export function lastMove(sql: Sql, kind: Kind, { since, by }: Moved) {
  const field = { title: kinds[kind].titleField, date: MADE }[by as string];
  const otherValue = sql`v.before -> 'metadata' -> ${field!} is distinct from r.metadata -> ${field!}`;
  return sql`(
    select max(v.at) from revisions v
    where v.record_id = r.id and v.at >= ${since}::timestamptz and v.before is not null
      and (v.before ->> 'idno' <> r.idno ${field ? sql`or ${otherValue}` : sql``}))`;
}
