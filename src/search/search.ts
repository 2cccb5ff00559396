/** One search as its reader may see it: for the API and for pages. */
import type { Caller } from "../caller.ts";
import { errorFields } from "../log.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import type { SearchAnswer, SearchQuery } from "../search-index.ts";
import type { Services } from "../services.ts";
import { readHits } from "./hits.ts";
import { linkConditions } from "./links.ts";
import type { Params } from "./params.ts";
import { correctedQuery } from "./query.ts";
import { type Clauses, readSearch, type SearchRequest, visibleRelationTypes } from "./request.ts";
import { stemsOf } from "./stems.ts";

export type Search = {
  params: Params;
  clauses: Clauses;
  /** The search of the portal, which finds what visitors find, whoever asks. */
  portal: boolean;
  /** Of the titles, best first. */
  languages: readonly string[];
  requestId: string;
  /** Values of each facet; 50 when left out. */
  mostValues?: number;
};

type Item = NonNullable<ReturnType<Awaited<ReturnType<typeof readHits>>["get"]>> & { score: number };

export type Found = {
  total: number;
  /** There are at least so many: they were not all counted. */
  isLeast: boolean;
  items: Item[];
  facets: Record<string, readonly { value: string; count: number }[]>;
  /** The query that was searched instead, when nothing was found by the words themselves. */
  suggestion: string | null;
  /** The index could not answer: nothing was found. */
  degraded: boolean;
};

export async function searchFor(services: Services, reader: Caller, search: Search): Promise<Found> {
  const { sql, config } = services;
  const { params, clauses, portal, languages, requestId } = search;
  const schema = await currentSchema(sql);
  const request = readSearch(schema, reader, params, clauses, {
    publicCollectionStatuses: config.publicCollectionStatuses,
    portal,
    stems: await stemsOf(config.searchLanguages),
  });
  if (search.mostValues !== undefined) request.query.mostValues = search.mostValues;
  const { answer, degraded } = await find(services, requestId, schema, reader, request, params.q);
  const ids = answer.hits.map((hit) => hit.id);
  const items = await readHits(sql, schema, reader, ids, languages);
  return {
    total: answer.total,
    isLeast: answer.isLeast,
    items: answer.hits.flatMap(({ id, score }) => {
      const item = items.get(id);
      return item ? [{ ...item, score }] : [];
    }),
    facets: Object.fromEntries(
      [...request.facetNames].map(([field, name]) => [name, answer.facets[field] ?? []]),
    ),
    suggestion: answer.corrections.length > 0 ? correctedQuery(params.q ?? "", answer.corrections) : null,
    degraded,
  };
}

async function find(
  { sql, search, log }: Services,
  requestId: string,
  schema: Schema,
  reader: Caller,
  { query, linked }: SearchRequest,
  q: string | undefined,
): Promise<{ answer: SearchAnswer; degraded: boolean }> {
  const none: SearchAnswer = { total: 0, isLeast: false, hits: [], facets: {}, corrections: [] };
  if (!canMatch(query, q)) return { answer: none, degraded: false };
  const links = await linkConditions(sql, reader, linked, visibleRelationTypes(schema, reader));
  if (links === null) return { answer: none, degraded: false };
  try {
    return { answer: await search.find({ ...query, links }), degraded: false };
  } catch (error) {
    // contract §7.1: with the index out of reach the API still works and search answers empty, but says so
    log.error("search index failed", { request_id: requestId, ...errorFields(error) });
    return { answer: none, degraded: true };
  }
}

/** Types that the reader has no business with hold nothing for them; nor does a text without any word. */
function canMatch({ scopes, terms }: SearchQuery, q = ""): boolean {
  return scopes.length > 0 && (terms.length > 0 || q.trim() === "");
}
