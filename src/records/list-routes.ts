/** GET /v1/<plural> and its trash: pages by number and by cursor, with the links that lead from one to the next. */

import { z } from "zod";
import { type Caller, mayDo } from "../caller.ts";
import { cachedJson, contentTag } from "../http/caching.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { wholeNumber } from "../http/text-shape.ts";
import { inTurn } from "../http/turns.ts";
import { invalid } from "../problem.ts";
import type { Sql } from "../services.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { extrasAskedOfList, ListInclude, type MediaOf, MOST_MEDIA, withExtras } from "./extras.ts";
import { COLLECTION_STATUSES, type KindFacts, STATUSES } from "./kinds.ts";
import { type ListQuery, listRecords, type Page, SORTS } from "./list.ts";
import { noSubtype } from "./rules.ts";
import { currentSchema, type Schema } from "./schema.ts";
import { IdShape, recordShapes } from "./shape.ts";
import { findDeleters } from "./store.ts";
import { readableKinds } from "./visibility.ts";

const NO_TIME = "is no date or time of ISO 8601, for example 2026-01-31T12:00:00";

/** What PostgreSQL has no place for: the year 0000, and offsets that no clock shows. */
const isStorableTime = (text: string) => !/^0000|[+-](?:1[6-9]|2\d):\d\d$/.test(text);

const ParentShape = z
  .string()
  .refine(
    (text) => text === "none" || IdShape.safeParse(text).success,
    "is neither a record id (UUID) nor none",
  )
  .openapi({
    description: "Only what lies directly below this record; `none`: only what lies below no other",
  });

const PageNumber = wholeNumber(1, 1_000_000_000);

/** Which records a list finds, and in which order. */
export function findingShape(facts: KindFacts) {
  return z.strictObject({
    status: z.enum(STATUSES).optional(),
    ...(facts.kind === "object" ? { collection_status: z.enum(COLLECTION_STATUSES).optional() } : {}),
    ...(facts.columns.includes("parent_id") ? { parent_id: ParentShape.optional() } : {}),
    [facts.subtypeKey]: z
      .string()
      .max(63)
      .optional()
      .openapi({ description: `A subtype of the installation (/v1/subtypes/${facts.kind})` }),
    idno: z.string().trim().min(1).normalize().max(200).optional(),
    q: z
      .string()
      .max(500)
      .optional()
      .openapi({ description: "Part of the identification number or of the title" }),
    updated_since: z
      .union([z.iso.datetime({ local: true, offset: true }), z.iso.date()], { error: NO_TIME })
      .refine(isStorableTime, NO_TIME)
      .optional()
      .openapi({ description: "UTC unless an offset is given", example: "2026-01-31T12:00:00" }),
    sort_by: z.enum(SORTS).default("updated_at"),
    sort_dir: z.enum(["asc", "desc"]).default("desc"),
  });
}

function listShape(facts: KindFacts) {
  return z.strictObject({
    page: PageNumber.optional().openapi({ default: 1, description: "Not together with cursor" }),
    page_size: wholeNumber(1, 200).default(50),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .openapi({ description: "Opaque; taken from the next link, whose other parameters belong to it" }),
    ...findingShape(facts).shape,
    include: ListInclude,
  });
}

function trashedShape({ kind }: KindFacts) {
  return recordShapes[kind].extend({
    deleted_at: z.string().openapi({ example: "2026-01-31T12:00:00.123456" }),
    deleted_by: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  });
}

export function listRoutes(api: Api, facts: KindFacts, mediaOf: MediaOf): void {
  const { kind, plural } = facts;
  const ListShape = z
    .object({ total: z.int(), page: z.int(), page_size: z.int(), items: z.array(recordShapes[kind]) })
    .openapi(`${plural.replace("-", "_")}_list`);
  const TrashShape = z
    .object({ total: z.int(), page: z.int(), page_size: z.int(), items: z.array(trashedShape(facts)) })
    .openapi(`${plural.replace("-", "_")}_trash`);

  endpoint(api, {
    method: "get",
    path: `/v1/${plural}`,
    tag: plural,
    summary: `List ${plural.replace("-", " ")}`,
    description:
      "Link headers (RFC 8288) give first, prev, next and last; next walks by cursor at constant cost.",
    access: "public",
    query: listShape(facts),
    answers: { 200: { description: "A page", schema: ListShape } },
    problems: [503],
    handle: ({ c, caller, query }) => answerList(api, c, facts, mediaOf, { ...query, trash: false }, caller),
  });

  endpoint(api, {
    method: "get",
    path: `/v1/${plural}/trash`,
    tag: plural,
    summary: `List deleted ${plural.replace("-", " ")}`,
    description: "Kept for 30 days, then purged. Each says when it was deleted and by whom.",
    access: { action: "delete", kind },
    query: listShape(facts),
    answers: { 200: { description: "A page", schema: TrashShape } },
    handle: ({ c, caller, query }) => answerList(api, c, facts, mediaOf, { ...query, trash: true }, caller),
  });
}

/** A query as it was given; the kind decides which filters there are. */
type Given = {
  page?: number;
  page_size: number;
  cursor?: string;
  include?: string;
  trash: boolean;
  [filter: string]: unknown;
};

/** What tells one list from another, so that no cursor leads from one into the other. */
function nameOf(
  { kind }: KindFacts,
  { cursor: _cursor, page: _page, ...rest }: Given,
  caller: Caller,
): string {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return JSON.stringify([
    kind,
    caller.kind,
    mayDo(caller, "read", kind),
    given.sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

async function answerList(
  api: Api,
  c: Ctx,
  facts: KindFacts,
  mediaOf: MediaOf,
  given: Given,
  caller: Caller,
): Promise<Response> {
  const name = nameOf(facts, given, caller);
  const { [facts.subtypeKey]: subtype, cursor, include, ...rest } = given;
  const wanted = extrasAskedOfList(include);
  if (cursor !== undefined && given.page !== undefined) {
    const detail = "page and cursor both say where to begin: give one of them";
    throw invalid([
      { pointer: "query:page", detail },
      { pointer: "query:cursor", detail },
    ]);
  }
  const query = {
    ...rest,
    subtype,
    page: given.page ?? 1,
    cursor: cursor === undefined ? undefined : await readCursor(api.services, name, cursor),
  } as ListQuery;
  const { sql } = api.services;
  const read = () => listRecords(sql, caller, facts.kind, query);
  // what is part of a name is looked for in all names
  const page = query.q ? await inTurn(api, c, caller, read) : await read();
  const schema = await currentSchema(sql, page.rows[0]?.configuration_version);
  if (page.rows.length === 0) demandSubtype(schema, caller, facts, query.subtype);
  const items = await withExtras(api.services, c, schema, caller, page.rows, wanted, (ids) =>
    mediaOf(api.services, caller, ids, MOST_MEDIA.list),
  );
  const body = {
    total: page.total,
    page: page.page,
    page_size: query.page_size,
    items: given.trash ? await withDeletion(sql, page.rows, items) : items,
  };
  const next = page.next && (await writeCursor(api.services, name, page.next));
  const link = links(c, query.page_size, page, next);
  const etag = await contentTag([body, link]);
  return cachedJson(c, caller, body, etag, { link });
}

/** When each was put into the trash, and by whom. */
async function withDeletion(
  sql: Sql,
  rows: Page["rows"],
  items: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const deleters = await findDeleters(
    sql,
    rows.map(({ id }) => id),
  );
  return items.map((item, index) => {
    const { id, deleted_at } = rows[index]!;
    return { ...item, deleted_at, deleted_by: deleters.get(id) ?? null };
  });
}

/**
 * A misspelt subtype is refused, not answered with nothing. Only an empty page is looked at: on any other one the records
 * have it. Who may not read the kind is not told its subtypes either.
 */
export function demandSubtype(
  schema: Schema,
  caller: Caller,
  { kind, subtypeKey }: KindFacts,
  subtype: string | undefined,
): void {
  if (subtype === undefined || schema.subtypes.get(kind)?.has(subtype)) return;
  if (!readableKinds(caller).includes(kind)) return;
  throw invalid([{ pointer: `query:${subtypeKey}`, detail: noSubtype(schema, kind, subtype) }]);
}

/** RFC 8288: first, prev and last by number, next by cursor. */
function links(c: Ctx, pageSize: number, page: Page, next: string | null): string {
  const url = new URL(c.req.url);
  const at = (name: string, value: string) => {
    const params = new URLSearchParams(url.search);
    params.delete("page");
    params.delete("cursor");
    params.set(name, value);
    return `${url.pathname}?${params}`;
  };
  const pages = Math.max(1, Math.ceil(page.total / pageSize));
  const all = [`<${at("page", "1")}>; rel="first"`];
  if (page.page > 1) all.push(`<${at("page", String(Math.min(page.page - 1, pages)))}>; rel="prev"`);
  if (next) all.push(`<${at("cursor", next)}>; rel="next"`);
  all.push(`<${at("page", String(pages))}>; rel="last"`);
  return all.join(", ");
}
