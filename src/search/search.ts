/** Runs one search for the API, pages or lists: translates it and asks the index. */
import type { Caller } from "../caller.ts";
import { errorFields } from "../log.ts";
import type { SearchAnswer, SearchQuery } from "../ports/search-index.ts";
import { Problem } from "../problem.ts";
import type { Kind } from "../records/kinds.ts";
import type { Schema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import type { Params } from "./params.ts";
import { type Part, partsThatFind } from "./parts.ts";
import { correctedQuery } from "./query.ts";
import {
  type Clauses,
  linkConditions,
  readSearch,
  type SearchRequest,
  visibleRelationTypes,
} from "./request.ts";
import { stemsOf } from "./stems.ts";

export type SearchInput = {
  params: Params;
  clauses: Clauses;
  /** Search as visitors do, even for staff. */
  portal: boolean;
  /** For pages, see `readSearch`. */
  lenient?: boolean;
  requestId: string;
  /** The most values of each facet; default 50. */
  mostValues?: number;
  /** For lists: kinds of record instead of the parameter `type`, and the most hits. */
  kinds?: readonly Kind[];
  most?: number;
};

export type Found = {
  total: number;
  /** `total` and counts are lower limits, because not all records were looked through. */
  isLeast: boolean;
  /** As in the index: whoever shows them must leave out those that the reader may no longer see. */
  hits: SearchAnswer["hits"];
  facets: Record<string, readonly { value: string; count: number }[]>;
  /** The query that was searched because the original found nothing; else null. */
  suggestion: string | null;
  /** The suggestion only completes words (`katsu*`). */
  isCompleted: boolean;
  /** If nothing was found: parts of the query that find something. */
  parts: readonly Part[];
  /** The index could not answer, so there are no hits. */
  degraded: boolean;
};

export async function searchFor(
  services: Services,
  schema: Schema,
  reader: Caller,
  { params, clauses, portal, lenient, requestId, mostValues, kinds, most }: SearchInput,
): Promise<Found> {
  const { config } = services;
  const request = readSearch(schema, reader, params, clauses, {
    publicCollectionStatuses: config.publicCollectionStatuses,
    ...{ portal, lenient, kinds },
    stems: await stemsOf(config.searchLanguages),
  });
  if (mostValues !== undefined) request.query.mostValues = mostValues;
  if (most !== undefined) request.query.limit = most;
  const { answer, parts, degraded } = await find(services, requestId, schema, reader, request, params.q);
  const { total, isLeast, hits, facets, corrections } = answer;
  return {
    ...{ total, isLeast, hits, parts, degraded },
    facets: Object.fromEntries([...request.facetNames].map(([field, name]) => [name, facets[field] ?? []])),
    suggestion: corrections.length > 0 ? correctedQuery(params.q ?? "", corrections) : null,
    isCompleted: corrections.every(({ to }) => to.endsWith("*")),
  };
}

async function find(
  { sql, search, log }: Services,
  requestId: string,
  schema: Schema,
  reader: Caller,
  { query, typed, linked }: SearchRequest,
  q: string | undefined,
): Promise<Answered & { degraded: boolean }> {
  const empty: SearchAnswer = { total: 0, isLeast: false, hits: [], facets: {}, corrections: [] };
  const none = { answer: empty, parts: [] };
  const links = canMatch(query, q)
    ? await linkConditions(sql, reader, linked, visibleRelationTypes(schema, reader))
    : null;
  if (links === null) return { ...none, degraded: false };
  const whole = { ...query, links };
  const { answer: found, degraded } = await orDegraded<Answered>(log, requestId, none, async () => {
    const answer = await search.find(whole);
    const isEmpty = answer.total === 0 && !answer.isLeast;
    return { answer, parts: isEmpty ? await partsThatFind(whole, typed, search.find) : [] };
  });
  return { ...found, degraded };
}

type Answered = { answer: SearchAnswer; parts: readonly Part[] };

/** The headers of an answer that was made without the index. */
export const DEGRADED = { "X-Search-Degraded": "true", "Cache-Control": "no-store" };

/** If the index fails but the database answers, the answer is empty and says so (contract §7.1). */
export async function orDegraded<Answer>(
  log: Services["log"],
  requestId: string,
  none: Answer,
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer; degraded: boolean }> {
  try {
    return { answer: await ask(), degraded: false };
  } catch (error) {
    if (error instanceof Problem) throw error;
    log.error("search index failed", { request_id: requestId, ...errorFields(error) });
    return { answer: none, degraded: true };
  }
}

/** False if the reader may search none of the record types, or if `q` has no words. */
function canMatch({ scopes, terms }: SearchQuery, q = ""): boolean {
  return scopes.length > 0 && (terms.length > 0 || q.trim() === "");
}
