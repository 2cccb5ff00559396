/** Lists of records (interface §2): pages by number, and by an opaque cursor at constant cost. */
import type { PendingQuery, Row } from "postgres";
import { type Caller, mayDo } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { wordsOf } from "../../text.ts";
import type { Kind } from "../kinds.ts";
import { isLinkedWith } from "../links/linked-drafts.ts";
import type { RecordRow } from "../record.ts";
import { isBelow, visibleInTrash, visibleTo } from "../visibility.ts";
import { isChangedBy, isLinkedTo, isPictured, lacks } from "./list-filters.ts";
import { after, by, type ListQuery, lastMove, type Moved, ordered } from "./list-order.ts";
import type { FoundRecord } from "./store.ts";
import { visibleColumns } from "./store.ts";

type FoundInList = FoundRecord & { sort_key: string };

export type Page = {
  total: number;
  page: number;
  rows: FoundInList[];
  next: ListQuery["cursor"] | null;
};

/** One page of records that this caller may see. */
export async function listRecords(sql: Sql, caller: Caller, kind: Kind, query: ListQuery): Promise<Page> {
  const { cursor } = query;
  const page = cursor?.page ?? query.page;
  const order = ordered(sql, caller, kind, query);
  // this order begins with what was found
  const { found, ...others } = query;
  const matching = condition(sql, caller, kind, query.sort_by === "relevance" ? others : query);
  // an index has what is needed to pass over earlier pages; only the rows of this one are read
  const reading = sql<FoundInList[]>`
    select ${visibleColumns(sql, caller, kind)}, o.sort_key,
      (select version::int from configuration) as configuration_version
    from (
      select ${order.id} as id, ${order.key} as sort_key
      from ${order.from}
      where ${matching} ${cursor ? after(sql, query, cursor, order) : sql``}
      order by ${by(sql, query, order)}
      limit ${query.page_size + 1} ${cursor ? sql`` : sql`offset ${(query.page - 1) * query.page_size}`}
    ) o join records r on r.id = o.id
    order by ${by(sql, query, { key: sql`o.sort_key`, id: sql`o.id` })}`;
  const [total, rows] = await Promise.all([cursor?.total ?? countListed(sql, caller, kind, query), reading]);
  const shown = rows.slice(0, query.page_size);
  const last = shown.at(-1);
  return {
    total,
    page,
    rows: shown,
    next:
      rows.length > query.page_size && last
        ? { key: last.sort_key, id: last.id, page: page + 1, total }
        : null,
  };
}

/** All matching records in order, with their current versions; at most `limit`. */
export async function listVersions(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  query: Omit<ListQuery, "page" | "page_size">,
  limit: number,
): Promise<{ id: string; version: number }[]> {
  const order = ordered(sql, caller, kind, query);
  return sql<{ id: string; version: number }[]>`
    select r.id, r.version from ${order.from}
    where ${condition(sql, caller, kind, query)}
    order by ${by(sql, query, order)} limit ${limit}`;
}

/** The ids of the records before and after this one in the order of the query, even if it does not find this one. */
export async function neighboursOf(
  sql: Sql,
  caller: Caller,
  row: Pick<RecordRow, "id" | "record_type">,
  query: Omit<ListQuery, "page" | "page_size">,
): Promise<{ before: string | null; after: string | null }> {
  const { from, key } = ordered(sql, caller, row.record_type, query);
  const [own] = await sql<{ key: string }[]>`
    select ${key} as key from ${from} where r.id = ${row.id}`;
  if (!own) return { before: null, after: null };
  const next = async (sort_dir: ListQuery["sort_dir"]) => {
    const cursor = { ...own, id: row.id, page: 1, total: 0 };
    const found = await listRecords(sql, caller, row.record_type, {
      ...{ ...query, sort_dir, cursor },
      ...{ page: 1, page_size: 1 },
    });
    return found.rows[0]?.id ?? null;
  };
  const back = query.sort_dir === "asc" ? "desc" : "asc";
  return { before: await next(back), after: await next(query.sort_dir) };
}

/** How many records a list finds. */
export async function countListed(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  query: Omit<ListQuery, "page" | "page_size">,
): Promise<number> {
  const matching = condition(sql, caller, kind, query);
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from records r where ${matching}`;
  return row!.n;
}

/** Records of a table named `r` that the query finds. */
export function condition(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  query: Omit<ListQuery, "page" | "page_size">,
) {
  const visible = query.trash ? visibleInTrash(sql, caller) : visibleTo(sql, caller, kind);
  return sql`r.record_type = ${kind} and ${visible}
    ${query.ids ? sql`and r.id = any(${query.ids as string[]})` : sql``}
    ${query.found ? sql`and r.id in (select unnest(${plainArray(query.found)}::uuid[]))` : sql``}
    ${(query.linked ?? []).reduce((all, one) => sql`${all} and ${isLinkedTo(sql, one)}`, sql``)}
    ${(query.without ?? []).reduce((all, one) => sql`${all} and ${lacks(sql, caller, one)}`, sql``)}
    ${query.changed_by ? sql`and ${isChangedBy(sql, query.changed_by)}` : sql``}
    ${query.linked_with ? sql`and ${isLinkedWith(sql, caller, query.linked_with)}` : sql``}
    ${query.status ? sql`and r.status = any(${[query.status].flat()})` : sql``}
    ${query.collection_status ? sql`and r.collection_status = any(${[query.collection_status].flat()})` : sql``}
    ${query.has_picture ? sql`and ${isPictured(sql, caller)}` : sql``}
    ${query.subtype !== undefined ? sql`and r.subtype = any(${[query.subtype].flat()})` : sql``}
    ${(query.fields ?? []).reduce((all, field) => sql`${all} and ${hasValue(sql, field)}`, sql``)}
    ${query.moved ? sql`and ${hasMoved(sql, caller, kind, query.moved)}` : sql``}
    ${query.idno ? sql`and r.idno = ${query.idno}` : sql``}
    ${query.updated_since ? sql`and ${changedSince(sql, caller, kind, query.updated_since)}` : sql``}
    ${query.parent_id ? sql`and ${isBelow(sql, caller, query.parent_id === "none" ? null : query.parent_id)}` : sql``}
    ${query.q ? sql`and ${partOfName(sql, query.q)}` : sql``}`;
}

/** Callers who may not read the kind learn only of public changes, once these have a date. */
function changedSince(sql: Sql, caller: Caller, kind: Kind, since: string) {
  if (mayDo(caller, "read", kind)) return sql`r.updated_at >= ${since}::timestamptz`;
  return sql`exists (select 1 from public_dates d
    where d.record_id = r.id and d.record_type = ${kind} and d.datestamp >= date_trunc('second', ${since}::timestamptz))`;
}

function hasValue(sql: Sql, { name, values }: { name: string; values: readonly string[] }) {
  return sql`exists (
    select 1 from jsonb_array_elements(r.metadata -> ${name}) e where e ->> 'value' = any(${values as string[]}))`;
}

/** Every change moves a record in the order of changes; in other orders, only a new number or title does. */
function hasMoved(sql: Sql, caller: Caller, kind: Kind, moved: Moved) {
  if (moved.by === "updated_at") return changedSince(sql, caller, kind, moved.since);
  return sql`r.updated_at >= ${moved.since}::timestamptz and ${lastMove(sql, kind, moved)} is not null`;
}

/** Part of the identification number or of the title, without case and accents. */
function partOfName(sql: Sql, q: string) {
  const words = wordsOf(q).join(" ");
  // the text is lowercased once, not for each record
  const inIdno = sql`lower(r.idno) like (select lower(${`%${likeText(q)}%`}::text collate "C")) collate "C"`;
  if (words === "") return inIdno;
  const isIn = (key: PendingQuery<Row[]>) => {
    const like = sql`${key} like ${`%${words.replace(/\d+/g, (digits) => `%${digits.replace(/^0+/, "")}`)}%`}`;
    return /\d/.test(words) ? sql`(${like} and ${key} ~ ${words.replace(/\d+/g, inKeys)})` : like;
  };
  return sql`(${inIdno} or ${isIn(sql`r.sort_idno`)} or ${isIn(sql`r.sort_title`)})`;
}

/** Digits as `sortKey` has them, or more digits that contain them. With zeros before them, and as zeros alone, they are complete. */
function inKeys(digits: string): string {
  const number = digits.replace(/^0+/, "");
  if (number === "") return "(?<![0-9])0{8}(?![0-9])";
  return `[0:]*${number}${digits.startsWith("0") ? "(?![0-9])" : ""}`;
}

function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}
