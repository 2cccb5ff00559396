/** Lists of records (interface §2): pages by number, and by an opaque cursor at constant cost. */
import { type Caller, mayDo } from "../caller.ts";
import type { Sql } from "../services.ts";
import { wordsOf } from "../text.ts";
import type { Cursor } from "./cursor.ts";
import { type CollectionStatus, type Kind, kinds, type Status } from "./kinds.ts";
import { isLinkedWith } from "./linked-drafts.ts";
import type { RecordRow } from "./record.ts";
import type { FoundRecord } from "./store.ts";
import { visibleColumns } from "./store.ts";
import { isBelow, visibleInTrash, visibleTo } from "./visibility.ts";

export const SORTS = ["idno", "title", "created_at", "updated_at"] as const;
export type Sort = (typeof SORTS)[number];

/** With several values for one filter, one of them must match. */
export type ListQuery = {
  ids?: readonly string[];
  /** Linked with this public record, or with public records of this import: see `isLinkedWith`. */
  linked_with?: string;
  status?: Status | readonly Status[];
  collection_status?: CollectionStatus | readonly CollectionStatus[];
  subtype?: string | readonly string[];
  /** Metadata fields, each with the values of which one must match. */
  fields?: readonly { name: string; values: readonly string[] }[];
  idno?: string;
  q?: string;
  updated_since?: string;
  /** For trees: the parent, or `none` for the top level. */
  parent_id?: string;
  sort_by: Sort;
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

type Moved = { since: string; by: Sort };

export type Page = {
  total: number;
  page: number;
  rows: (FoundRecord & { sort_key: string })[];
  next: Cursor | null;
};

/** One page of records that this caller may see. */
export async function listRecords(sql: Sql, caller: Caller, kind: Kind, query: ListQuery): Promise<Page> {
  const { cursor } = query;
  const matching = condition(sql, caller, kind, query);
  const total = cursor?.total ?? (await countRecords(sql, matching));
  const page = cursor?.page ?? query.page;
  const { from, key, id } = ordered(sql, caller, kind, query);
  const direction = query.sort_dir === "asc" ? sql`asc` : sql`desc`;
  const rows = await sql<(FoundRecord & { sort_key: string })[]>`
    select ${visibleColumns(sql, caller, kind)}, ${key} as sort_key,
      (select version::int from configuration) as configuration_version
    from ${from}
    where ${matching} ${cursor ? after(sql, query, cursor, sql`(${key}, ${id})`) : sql``}
    order by ${key} ${direction}, ${id} ${direction}
    limit ${query.page_size + 1} ${cursor ? sql`` : sql`offset ${(query.page - 1) * query.page_size}`}`;
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
  const direction = query.sort_dir === "asc" ? sql`asc` : sql`desc`;
  const { from, key, id } = ordered(sql, caller, kind, query);
  return sql<{ id: string; version: number }[]>`
    select r.id, r.version from ${from}
    where ${condition(sql, caller, kind, query)}
    order by ${key} ${direction}, ${id} ${direction} limit ${limit}`;
}

/** The ids of the records before and after this one in the order of the query, even if it does not find this one. */
export async function neighboursOf(
  sql: Sql,
  caller: Caller,
  row: Pick<RecordRow, "id" | "record_type">,
  query: Omit<ListQuery, "page" | "page_size">,
): Promise<{ before: string | null; after: string | null }> {
  const { from, key } = ordered(sql, caller, row.record_type, query);
  const [own] = await sql<{ key: string }[]>`select ${key} as key from ${from} where r.id = ${row.id}`;
  if (!own) return { before: null, after: null };
  const next = async (sort_dir: "asc" | "desc") => {
    const cursor = { key: own.key, id: row.id, page: 1, total: 0 };
    const found = await listRecords(sql, caller, row.record_type, {
      ...{ ...query, sort_dir, cursor },
      ...{ page: 1, page_size: 1 },
    });
    return found.rows[0]?.id ?? null;
  };
  const other = query.sort_dir === "asc" ? "desc" : "asc";
  return { before: await next(other), after: await next(query.sort_dir) };
}

async function countRecords(sql: Sql, matching: ReturnType<typeof condition>): Promise<number> {
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
  const visible = query.trash ? visibleInTrash(sql, caller) : visibleTo(sql, caller);
  return sql`r.record_type = ${kind} and ${visible}
    ${query.ids ? sql`and r.id = any(${query.ids as string[]})` : sql``}
    ${query.linked_with ? sql`and ${isLinkedWith(sql, caller, query.linked_with)}` : sql``}
    ${query.status ? sql`and r.status = any(${[query.status].flat()})` : sql``}
    ${query.collection_status ? sql`and r.collection_status = any(${[query.collection_status].flat()})` : sql``}
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

/** When the record got its number or title. */
function lastMove(sql: Sql, kind: Kind, { since, by }: Moved) {
  const { titleField } = kinds[kind];
  const otherTitle = sql`v.before -> 'metadata' -> ${titleField} is distinct from r.metadata -> ${titleField}`;
  return sql`(
    select max(v.at) from revisions v
    where v.record_id = r.id and v.at >= ${since}::timestamptz and v.before is not null
      and (v.before ->> 'idno' <> r.idno ${by === "title" ? sql`or ${otherTitle}` : sql``}))`;
}

/** Part of the identification number or of the title, without case and accents. */
function partOfName(sql: Sql, q: string) {
  const words = wordsOf(q).join(" ");
  // the text is lowercased once, not for each record
  const inIdno = sql`lower(r.idno) like (select lower(${`%${likeText(q)}%`}::text collate "C")) collate "C"`;
  if (words === "") return inIdno;
  const like = sql`r.sort_title like ${`%${numbersAs("%", words)}%`}`;
  return /\d/.test(words)
    ? sql`(${inIdno} or (${like} and r.sort_title ~ ${numbersAs("0*", words)}))`
    : sql`(${inIdno} or ${like})`;
}

/** Sort titles pad numbers to eight digits; the words contain only letters and digits, so nothing needs escaping. */
function numbersAs(zeros: string, words: string): string {
  return words.replace(/(?<= |^)0*(?=\d+(?: |$))/g, zeros);
}

function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}

/** The tables of a list, and the columns of its order. Callers who may not read the kind get the order of public changes. */
function ordered(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  { sort_by, moved }: Pick<ListQuery, "sort_by" | "moved">,
) {
  const records = { from: sql`records r`, id: sql`r.id` };
  if (moved && moved.by !== "updated_at") return { ...records, key: lastMove(sql, kind, moved) };
  if (sort_by === "updated_at" && !mayDo(caller, "read", kind)) {
    const from = sql`public_dates d join records r on r.id = d.record_id and d.record_type = ${kind}`;
    return { from, key: sql`d.datestamp`, id: sql`d.record_id` };
  }
  const key = {
    idno: sql`r.idno`,
    title: sql`r.sort_title`,
    created_at: sql`r.created_at`,
    updated_at: sql`r.updated_at`,
  }[sort_by];
  return { ...records, key };
}

function after(sql: Sql, query: ListQuery, cursor: Cursor, place: ReturnType<typeof condition>) {
  const isTime = query.sort_by === "created_at" || query.sort_by === "updated_at";
  const key = isTime ? sql`${cursor.key}::timestamptz` : sql`${cursor.key}::text collate "C"`;
  const side = query.sort_dir === "asc" ? sql`>` : sql`<`;
  return sql`and ${place} ${side} (${key}, ${cursor.id}::uuid)`;
}
