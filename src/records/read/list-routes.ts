/** GET /v1/<plural> and its trash: pages by number and by cursor, with Link headers. */

import { z } from "zod";
import { type Caller, mayDo } from "../../caller.ts";
import { cachedJson, contentTag } from "../../http/answer/caching.ts";
import { ActorShape, listOf } from "../../http/answer/list-envelope.ts";
import { pageLinks } from "../../http/answer/resource-answers.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import { type Api, type Ctx, endpoint } from "../../http/endpoint.ts";
import { wordsFor } from "../../http/words.ts";
import { said } from "../../messages/said.ts";
import { invalid, invalidAt } from "../../problem.ts";
import type { Sql } from "../../services.ts";
import type { KindFacts } from "../kinds.ts";
import { currentSchema, type Schema } from "../schema.ts";
import { recordShapes } from "../shape.ts";
import { readableKinds } from "../visibility.ts";
import { noSubtype } from "../write/rules.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { EXTRAS_OF_LISTS, extrasOf, type MediaOf, MOST_MEDIA, withExtras } from "./extras.ts";
import type { Page } from "./list.ts";
import type { ListQuery } from "./list-order.ts";
import { fieldFilters, listShape } from "./list-shape.ts";
import { findDeleters } from "./store.ts";
import { walkRecords } from "./walk.ts";

function trashedShape({ kind }: KindFacts) {
  return recordShapes[kind].extend({
    deleted_at: z.string().openapi({ example: "2026-01-31T12:00:00.123456" }),
    deleted_by: ActorShape,
  });
}

export function listRoutes(api: Api, facts: KindFacts, mediaOf: MediaOf): void {
  const { kind, plural, many } = facts;
  const query = listShape(facts);
  const ListShape = listOf(recordShapes[kind]).openapi(`${plural.replace("-", "_")}_list`);
  // who may not read the kind finds only what is public, whatever status they ask for (contract §4.1)
  const ignored = (caller: Caller) => (mayDo(caller, "read", kind) ? [] : ["status"]);
  const TrashShape = listOf(trashedShape(facts)).openapi(`${plural.replace("-", "_")}_trash`);

  endpoint(api, {
    method: "get",
    path: `/v1/${plural}`,
    tag: plural,
    summary: `List ${many}`,
    description:
      "Link headers (RFC 8288) give first, prev, next and last. Following next stays fast in long lists.",
    access: "public",
    query,
    ignored,
    answers: { 200: { description: "A page", schema: ListShape } },
    problems: [503],
    handle: ({ c, caller, query }) =>
      answerList({ api, c, facts, mediaOf, params: { ...query, trash: false }, caller }),
  });

  endpoint(api, {
    method: "get",
    path: `/v1/${plural}/trash`,
    tag: plural,
    summary: `List deleted ${many}`,
    description: "They are kept for 30 days, then purged. Each shows when it was deleted and by whom.",
    access: { action: "delete", kind },
    query,
    ignored,
    answers: { 200: { description: "A page", schema: TrashShape } },
    handle: ({ c, caller, query }) =>
      answerList({ api, c, facts, mediaOf, params: { ...query, trash: true }, caller }),
  });
}

/** The query as sent; the available filters depend on the kind. */
type ListParams = {
  page?: number;
  page_size: number;
  cursor?: string;
  include?: string;
  trash: boolean;
  [filter: string]: unknown;
};

/** Identifies a list, so that its cursors work for no other. */
function nameOf(
  { kind }: KindFacts,
  { cursor: _cursor, page: _page, ...rest }: ListParams,
  caller: Caller,
): string {
  const params = Object.entries(rest).filter(([, value]) => value !== undefined);
  return JSON.stringify([
    kind,
    caller.kind,
    mayDo(caller, "read", kind),
    params.sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

type Listing = {
  api: Api;
  c: Ctx;
  facts: KindFacts;
  mediaOf: MediaOf;
  params: ListParams;
  caller: Caller;
};

async function answerList(listing: Listing): Promise<Response> {
  const { api, c, facts, params, caller } = listing;
  const name = nameOf(facts, params, caller);
  const { [facts.subtypeKey]: subtype, cursor, include, ...others } = params;
  const { sql } = api.services;
  const { fields, rest } = await fieldFilters(sql, caller, facts.kind, others);
  if (cursor !== undefined && params.page !== undefined) {
    const detail = said("fault.cursor.page");
    throw invalid([
      { pointer: "query:page", detail },
      { pointer: "query:cursor", detail },
    ]);
  }
  const query = {
    ...rest,
    subtype,
    fields,
    page: params.page ?? 1,
    cursor: cursor === undefined ? undefined : await readCursor(api.services, name, cursor),
  } as ListQuery;
  // searching for parts of names, or values of fields, scans all records; writing hundreds of records takes long as well
  const isLong = query.q || fields.length > 0 || query.page_size > SHORT || include !== undefined;
  const answer = async () => pageAnswer(listing, await walkRecords(sql, caller, facts.kind, query), name);
  return isLong ? withinLimit(api, { c, caller }, answer) : answer();
}

/** A page of at most so many records is written at once. */
const SHORT = 50;

/** @param name of the list, for its cursors */
async function pageAnswer(
  { api, c, facts, mediaOf, params, caller }: Listing,
  page: Page,
  name: string,
): Promise<Response> {
  const { sql } = api.services;
  const { page_size } = params;
  const schema = await currentSchema(sql, page.rows[0]?.configuration_version);
  const subtypes = [params[facts.subtypeKey] ?? []].flat() as string[];
  if (page.rows.length === 0 || subtypes.length > 1) demandSubtypes(schema, caller, facts, subtypes);
  const wanted = extrasOf(params.include, EXTRAS_OF_LISTS);
  const items = await withExtras(api.services, c, schema, caller, page.rows, wanted, (ids) =>
    mediaOf(api.services, caller, ids, MOST_MEDIA.list, wordsFor(c)),
  );
  const body = {
    total: page.total,
    page: page.page,
    page_size,
    items: params.trash ? await withDeletion(sql, page.rows, items) : items,
  };
  const next = page.next && (await writeCursor(api.services, name, page.next));
  const link = pageLinks(c, { ...page, page_size }, next);
  // without the start time of the walk, which differs in every answer
  const etag = await contentTag([body, page.next && [page.next.key, page.next.id, page.next.again]]);
  return cachedJson(c, caller, body, etag, { link });
}

/** When each record was put into the trash, and by whom. */
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
 * Refuses a misspelt subtype instead of returning an empty list. If the records of a page have this subtype, it is
 * valid. Callers who may not read the kind do not learn its subtypes.
 */
export function demandSubtypes(
  schema: Schema,
  caller: Caller,
  { kind, subtypeKey }: KindFacts,
  subtypes: readonly string[],
): void {
  const unknown = subtypes.find((name) => !schema.subtypes.get(kind)?.has(name));
  if (unknown === undefined || !readableKinds(caller).includes(kind)) return;
  throw invalidAt(`query:${subtypeKey}`, noSubtype(schema, kind, unknown));
}
