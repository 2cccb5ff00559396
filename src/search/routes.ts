/** GET /v1/search, /portal/v1/search and /portal/v1/search/advanced (contract §4.1, §4.4; interface §3). */
import { z } from "zod";
import { type Caller, VISITOR } from "../caller.ts";
import { wholeAnswer } from "../http/answer/answer.ts";
import { cacheHeaders, contentTag, isUnchanged, NEVER_UNASKED } from "../http/answer/caching.ts";
import { preferredLanguages } from "../http/answer/negotiate.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { KINDS } from "../records/kinds.ts";
import { readHits } from "../records/public/neighbours.ts";
import { currentSchema } from "../records/schema.ts";
import { IdShape, StatusShape } from "../records/shape.ts";
import { AdvancedParams, type Params, SearchParams } from "./params.ts";
import type { Clauses } from "./request.ts";
import { DEGRADED, searchFor } from "./search.ts";

const SearchResult = z
  .object({
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    items: z.array(
      z.object({
        id: IdShape,
        record_type: z.enum(KINDS),
        title: z.string().openapi({ description: "The title of the record" }),
        status: StatusShape,
        score: z.number().openapi({ description: "0 without q" }),
        idno: z.string().optional().openapi({ description: "With include=idno" }),
      }),
    ),
    facets: z.record(z.string(), z.array(z.object({ value: z.string(), count: z.int() }))),
    parts: z
      .array(
        z.object({
          q: z.string().openapi({ description: "A query with some of the words", example: "harbour" }),
          total: z.int().openapi({ description: "Records that this query finds with the same filters" }),
        }),
      )
      .optional()
      .openapi({ description: "Only if nothing was found: parts of `q` that find something" }),
  })
  .openapi("SearchResult");

const DESCRIPTION =
  "`meta_<field>=<value>` filters on the dynamic metadata field; if repeated, one of the values must match. " +
  "`range_<field>_from` and `range_<field>_to` filter dates and numbers by a range. " +
  "Visitors find public objects whose collection status is one of PUBLIC_COLLECTION_STATUSES. " +
  "If not all records were looked through, total and counts are lower limits, and `X-Total-Relation` is `gte`.";

const ANSWERS = {
  200: { description: "Hits in the order of `sort_by`", schema: SearchResult },
  304: { description: "Unchanged" },
};

/** Visitors find what is public whatever status they ask for (contract §4.1). */
const ignored = (reader: Caller) => (reader.kind === "visitor" ? ["status"] : []);

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
      ignored: (caller) => ignored(portal ? VISITOR : caller),
      answers: ANSWERS,
      problems: [503],
      handle: ({ c, caller, query }) =>
        withinLimit(api, { c, caller }, () =>
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
    ignored: () => ignored(VISITOR),
    answers: ANSWERS,
    problems: [503],
    handle: ({ c, caller, query: { clause, match, ...params } }) => {
      const clauses = { clauses: [clause ?? []].flat(), any: match === "any" };
      return withinLimit(api, { c, caller }, () =>
        answerSearch(api, c, VISITOR, params as Params, clauses, true),
      );
    },
  });
}

async function answerSearch(
  { services }: Api,
  c: Ctx,
  reader: Caller,
  params: Params,
  clauses: Clauses,
  portal: boolean,
): Promise<Response> {
  const languages = preferredLanguages(c.req.header("Accept-Language"));
  const requestId = c.get("requestId");
  const schema = await currentSchema(services.sql);
  const found = await searchFor(services, schema, reader, { params, clauses, portal, requestId });
  const { total, facets, hits } = found;
  const ids = hits.map(({ id }) => id);
  const shown = await readHits(services.sql, schema, reader, ids, languages);
  const items = hits.flatMap(({ id, score }) => {
    const record = shown.get(id);
    if (!record) return [];
    // exactly the fields of the contract (§2.3), unless the request asks for more
    const { record_type, title, status, idno } = record;
    return { id, record_type, title, status, score, ...(params.include === "idno" ? { idno } : {}) };
  });
  const parts = found.parts.length > 0 ? { parts: found.parts } : {};
  const body = { total, page: params.page, page_size: params.page_size, items, facets, ...parts };
  if (found.degraded) return wholeAnswer(c, body, 200, DEGRADED);
  const etag = await contentTag(body);
  const headers = {
    ...cacheHeaders(reader, etag),
    ...(reader.kind === "visitor" ? { "Cache-Control": NEVER_UNASKED } : {}),
    ...(found.isLeast ? { "X-Total-Relation": "gte" } : {}),
    ...(found.suggestion === null ? {} : { "X-Search-Suggestion": encodeURIComponent(found.suggestion) }),
  };
  return isUnchanged(c, etag) ? wholeAnswer(c, null, 304, headers) : wholeAnswer(c, body, 200, headers);
}
