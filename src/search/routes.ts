/** GET /v1/search, /portal/v1/search and /portal/v1/search/advanced (contract §4.1, §4.4; interface §3). */
import { z } from "zod";
import { type Caller, VISITOR } from "../accounts/caller.ts";
import { wholeAnswer } from "../http/answer.ts";
import { cacheHeaders, contentTag, isUnchanged } from "../http/caching.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { preferredLanguages } from "../http/negotiate.ts";
import { inTurn } from "../http/turns.ts";
import { errorFields } from "../log.ts";
import { KINDS, STATUSES } from "../records/kinds.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { IdShape } from "../records/shape.ts";
import type { SearchAnswer, SearchQuery } from "../search-index.ts";
import { shownRecords } from "./hits.ts";
import { linkConditions } from "./links.ts";
import { AdvancedParams, type Params, SearchParams } from "./params.ts";
import { correctedQuery } from "./query.ts";
import { type Asked, type Clauses, followed, readSearch } from "./request.ts";
import { stemsOf } from "./stems.ts";

const SearchResult = z
  .object({
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    items: z.array(
      z.object({
        id: IdShape,
        record_type: z.enum(KINDS),
        title: z.string(),
        status: z.enum(STATUSES),
        score: z.number().openapi({ description: "0 when there is no q" }),
      }),
    ),
    facets: z.record(z.string(), z.array(z.object({ value: z.string(), count: z.int() }))),
  })
  .openapi("SearchResult");

const DESCRIPTION =
  "`meta_<field>=<value>` filters on the dynamic metadata field; repeated, it means either value. " +
  "`range_<field>_from` and `range_<field>_to` hold dates and numbers between two. " +
  "Visitors find public objects whose collection status is one of PUBLIC_COLLECTION_STATUSES. " +
  "With so many hits that they were not all counted, total and counts are the least, and `X-Total-Relation` is `gte`.";

const ANSWERS = {
  200: { description: "Hits, best first", schema: SearchResult },
  304: { description: "Unchanged" },
};

export function searchRoutes(api: Api): void {
  for (const { path, tag, portal, summary } of [
    { path: "/v1/search", tag: "search", portal: false, summary: "Search" },
    { path: "/portal/v1/search", tag: "portal", portal: true, summary: "Search what is public" },
  ]) {
    endpoint(api, {
      method: "get",
      path,
      tag,
      summary,
      description: DESCRIPTION,
      access: "public",
      query: SearchParams,
      answers: ANSWERS,
      problems: [503],
      handle: ({ c, caller, query }) =>
        inTurn(api, c, caller, () =>
          answerSearch(api, c, portal ? VISITOR : caller, query, { clauses: [], any: false }, portal),
        ),
    });
  }
  endpoint(api, {
    method: "get",
    path: "/portal/v1/search/advanced",
    tag: "portal",
    summary: "Search what is public, field by field",
    description: DESCRIPTION,
    access: "public",
    query: AdvancedParams,
    answers: ANSWERS,
    problems: [503],
    handle: ({ c, caller, query: { clause, match, ...params } }) => {
      const clauses = { clauses: [clause ?? []].flat(), any: match === "any" };
      return inTurn(api, c, caller, () => answerSearch(api, c, VISITOR, params as Params, clauses, true));
    },
  });
}

async function answerSearch(
  api: Api,
  c: Ctx,
  reader: Caller,
  params: Params,
  clauses: Clauses,
  portal: boolean,
): Promise<Response> {
  const { sql, config } = api.services;
  const schema = await currentSchema(sql);
  const asked = readSearch(schema, reader, params, clauses, {
    publicCollectionStatuses: config.publicCollectionStatuses,
    portal,
    stems: await stemsOf(config.searchLanguages),
  });
  const { answer, degraded } = await find(api, c, schema, reader, asked, params.q);
  const items = await shownRecords(
    sql,
    schema,
    reader,
    answer.hits.map((hit) => hit.id),
    preferredLanguages(c.req.header("Accept-Language")),
  );
  const body = {
    total: answer.total,
    page: params.page,
    page_size: params.page_size,
    items: answer.hits.flatMap(({ id, score }) => {
      const item = items.get(id);
      return item ? [{ ...item, score }] : [];
    }),
    facets: Object.fromEntries(
      [...asked.facetNames].map(([field, name]) => [name, answer.facets[field] ?? []]),
    ),
  };
  if (degraded)
    return wholeAnswer(c, body, 200, { "X-Search-Degraded": "true", "Cache-Control": "no-store" });
  const etag = await contentTag(body);
  const headers = {
    ...cacheHeaders(reader, etag),
    ...(reader.kind === "visitor" ? { "Cache-Control": "public, no-cache" } : {}),
    ...(answer.isLeast ? { "X-Total-Relation": "gte" } : {}),
    ...(answer.corrections.length > 0
      ? { "X-Search-Suggestion": encodeURIComponent(correctedQuery(params.q ?? "", answer.corrections)) }
      : {}),
  };
  return isUnchanged(c, etag) ? wholeAnswer(c, null, 304, headers) : wholeAnswer(c, body, 200, headers);
}

async function find(
  api: Api,
  c: Ctx,
  schema: Schema,
  reader: Caller,
  { query, linked }: Asked,
  q: string | undefined,
): Promise<{ answer: SearchAnswer; degraded: boolean }> {
  const { sql, search, log } = api.services;
  const none: SearchAnswer = { total: 0, isLeast: false, hits: [], facets: {}, corrections: [] };
  if (!mayFind(query, q)) return { answer: none, degraded: false };
  const links = await linkConditions(sql, reader, linked, followed(schema, reader));
  if (links === null) return { answer: none, degraded: false };
  try {
    return { answer: await search.find({ ...query, links }), degraded: false };
  } catch (error) {
    // contract §7.1: with the index out of reach the API still works and search answers empty, but says so
    log.error("search index unreachable", { request_id: c.get("requestId"), ...errorFields(error) });
    return { answer: none, degraded: true };
  }
}

/** Types that the reader has no business with hold nothing for them; nor does a text without a letter or a digit. */
function mayFind({ scopes, terms }: SearchQuery, q = ""): boolean {
  return scopes.length > 0 && (terms.length > 0 || q.trim() === "");
}
