/** GET /v1/search and /portal/v1/search (contract §4.1, interface §3). */
import { z } from "zod";
import type { Caller } from "../accounts/caller.ts";
import { wholeAnswer } from "../http/answer.ts";
import { cacheHeaders, contentTag, isUnchanged } from "../http/caching.ts";
import { type Api, type Ctx, endpoint } from "../http/endpoint.ts";
import { preferredLanguages } from "../http/negotiate.ts";
import { errorFields } from "../log.ts";
import { didYouMean } from "../nearest.ts";
import { type Fault, invalid } from "../problem.ts";
import { KINDS, type Kind, kinds, STATUSES } from "../records/kinds.ts";
import { bestTitle } from "../records/record.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { IdShape } from "../records/shape.ts";
import { findRecords } from "../records/store.ts";
import { maySeeField, searchScope, visibleMetadata } from "../records/visibility.ts";
import type { SearchAnswer, SearchQuery } from "../services.ts";
import { LONGEST_QUERY, parseSearch } from "./query.ts";

const SEARCH_TYPES = KINDS.filter((kind) => kind !== "storage_location");
/** Hits that can be paged through; lists and OAI-PMH walk everything. */
const DEEPEST = 10_000;
const MOST_FACETS = 20;
const MOST_VALUES = 50;

const SearchParams = z
  .object({
    q: z.string().max(LONGEST_QUERY).optional().openapi({
      description: 'Words, "phrases", -not, prefix*; accents and case do not matter',
      example: 'harbour -"oil on canvas"',
    }),
    type: z.enum(SEARCH_TYPES as [Kind, ...Kind[]]).optional(),
    status: z
      .enum(STATUSES)
      .optional()
      .openapi({ description: "Ignored for visitors: they get public records" }),
    page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
    page_size: z.coerce.number().int().min(1).max(100).default(20),
    facets: z.string().max(2_000).optional().openapi({
      description: "Comma-separated metadata field names to aggregate",
      example: "material,technique",
    }),
  })
  .catchall(z.union([z.string(), z.array(z.string())]))
  .openapi({ description: "meta_<field> filters on a metadata field; given twice it means either value" });

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

type Params = z.output<typeof SearchParams>;

export function searchRoutes(api: Api): void {
  for (const { path, tag, portal } of [
    { path: "/v1/search", tag: "search", portal: false },
    { path: "/portal/v1/search", tag: "portal", portal: true },
  ]) {
    endpoint(api, {
      method: "get",
      path,
      tag,
      summary: portal ? "Search what is public" : "Search",
      description:
        "`meta_<field>=<value>` filters on the dynamic metadata field; repeated, it means either value. " +
        "Visitors find public objects whose collection status is one of PUBLIC_COLLECTION_STATUSES.",
      access: "public",
      query: SearchParams,
      answers: {
        200: { description: "Hits, best first", schema: SearchResult },
        304: { description: "Unchanged" },
      },
      handle: ({ c, caller, query }) => answerSearch(api, c, caller, query, portal),
    });
  }
}

async function answerSearch(
  api: Api,
  c: Ctx,
  caller: Caller,
  params: Params,
  portal: boolean,
): Promise<Response> {
  const { sql, search, config, log } = api.services;
  const schema = await currentSchema(sql);
  const reader: Caller = portal ? { kind: "visitor" } : caller;
  const query = searchQuery(schema, reader, params, config.publicCollectionStatuses, portal);
  let degraded = false;
  let answer: SearchAnswer = {
    total: 0,
    hits: [],
    facets: Object.fromEntries(query.facets.map(({ field }) => [field, []])),
  };
  try {
    if (mayFind(query, params.q)) answer = await search.find(query);
  } catch (error) {
    // contract §7.1: with the index out of reach the API still works and search answers empty, but says so
    degraded = true;
    log.error("search index unreachable", { request_id: c.get("requestId"), ...errorFields(error) });
  }
  const items = await itemsOf(
    api,
    schema,
    reader,
    answer,
    preferredLanguages(c.req.header("Accept-Language")),
  );
  const body = {
    total: answer.total,
    page: params.page,
    page_size: params.page_size,
    items,
    facets: answer.facets,
  };
  if (degraded)
    return wholeAnswer(c, body, 200, { "X-Search-Degraded": "true", "Cache-Control": "no-store" });
  const etag = await contentTag(body);
  const headers = {
    ...cacheHeaders(caller, etag),
    ...(caller.kind === "visitor" ? { "Cache-Control": "public, no-cache" } : {}),
  };
  return isUnchanged(c, etag) ? wholeAnswer(c, null, 304, headers) : wholeAnswer(c, body, 200, headers);
}

/** Types that the reader has no business with hold nothing for them; nor does a text without a letter or a digit. */
function mayFind({ scope, terms }: SearchQuery, q = ""): boolean {
  return scope.recordTypes.length > 0 && (terms.length > 0 || q.trim() === "");
}

/** The query for the index; faults of the parameters are thrown. */
function searchQuery(
  schema: Schema,
  reader: Caller,
  params: Params,
  publicCollectionStatuses: readonly string[],
  portal: boolean,
): SearchQuery {
  const { q, type, status, page, page_size, facets, ...rest } = params;
  const faults: Fault[] = [];
  const visible = visibleFieldNames(schema, reader, type ? [type] : SEARCH_TYPES);
  const wanted = [
    ...new Set(
      (facets ?? "")
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    ),
  ];
  for (const name of wanted) {
    if (!visible.has(name))
      faults.push({
        pointer: "query:facets",
        detail: `there is no field ${shown(name)}${didYouMean(name, visible)}`,
      });
  }
  if (wanted.length > MOST_FACETS)
    faults.push({ pointer: "query:facets", detail: `more than ${MOST_FACETS} fields` });
  const filters: SearchQuery["filters"][number][] = [];
  for (const [name, given] of Object.entries(rest)) {
    const field = name.startsWith("meta_") ? name.slice(5) : null;
    const values = (Array.isArray(given) ? given : [given]) as string[];
    if (field === null)
      faults.push({ pointer: `query:${name.slice(0, 80)}`, detail: unknownParameter(name, visible) });
    else if (!visible.has(field))
      faults.push({
        pointer: `query:${name.slice(0, 80)}`,
        detail: `there is no field ${shown(field)}${didYouMean(field, visible)}`,
      });
    else if (values.length > MOST_VALUES)
      faults.push({ pointer: `query:${name}`, detail: `more than ${MOST_VALUES} values` });
    else filters.push({ field, indexed: schema.facets.has(field), values });
  }
  if (page * page_size > DEEPEST) {
    faults.push({
      pointer: "query:page",
      detail: `page × page_size is beyond ${DEEPEST}; narrow the search, or walk the lists of /v1`,
    });
  }
  if (faults.length > 0) throw invalid(faults);
  const scope = searchScope(
    reader,
    { types: type ? [type] : undefined, status, portal },
    publicCollectionStatuses,
  );
  return {
    scope,
    terms: parseSearch(q ?? ""),
    filters,
    facets: wanted.map((field) => ({ field, indexed: schema.facets.has(field) })),
    offset: (page - 1) * page_size,
    limit: page_size,
  };
}

function unknownParameter(name: string, fields: ReadonlySet<string>): string {
  const hint = fields.has(name)
    ? `; did you mean "meta_${name}"?`
    : didYouMean(name, Object.keys(SearchParams.shape));
  return `is no parameter of this address${hint}`;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}

/**
 * Fields of these kinds that the reader may know of. A field that is private in one of the kinds is unknown to a visitor
 * who asks for all of them.
 */
function visibleFieldNames(schema: Schema, reader: Caller, types: readonly Kind[]): Set<string> {
  const names = new Set<string>();
  const hidden = new Set<string>();
  for (const kind of types) {
    for (const field of schema.fields.get(kind)?.values() ?? []) {
      (maySeeField(reader, field) ? names : hidden).add(field.name);
    }
  }
  for (const name of hidden) names.delete(name);
  return names;
}

/** The hits as the contract shows them, in their order; what vanished or was hidden meanwhile is left out. */
async function itemsOf(
  api: Api,
  schema: Schema,
  reader: Caller,
  answer: SearchAnswer,
  languages: readonly string[],
): Promise<Record<string, unknown>[]> {
  if (answer.hits.length === 0) return [];
  const rows = await findRecords(
    api.services.sql,
    reader,
    answer.hits.map((hit) => hit.id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return answer.hits.flatMap((hit) => {
    const row = byId.get(hit.id);
    if (!row) return [];
    const metadata = visibleMetadata(schema, reader, row.record_type, row.metadata);
    const title = bestTitle(metadata[kinds[row.record_type].titleField], languages) ?? row.idno;
    return [{ id: row.id, record_type: row.record_type, title, status: row.status, score: hit.score }];
  });
}
