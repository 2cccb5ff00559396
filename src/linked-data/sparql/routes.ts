/** /sparql: the SPARQL 1.1 Protocol over the triple store, queries only (contract §§4.4, 8.5; interface §4). */
import { z } from "zod";
import type { Caller } from "../../caller.ts";
import { bucketOf } from "../../config/networks.ts";
import { negotiate } from "../../http/answer/negotiate.ts";
import { type ConcurrencyLimit, createConcurrencyLimit } from "../../http/concurrency-limit.ts";
import { type Api, type Ctx, endpoint } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import type { Pages } from "../../pages/page.ts";
import { Problem } from "../../problem.ts";
import { mayShowTakenBack } from "../../records/projections.ts";
import type { GraphAnswer, GraphQuery, Services } from "../../services.ts";
import { graphProjection } from "../graph-projection.ts";
import { endpointDescription } from "./endpoint-description.ts";
import { GRAPH_TYPES, RESULT_TYPES, SPARQL_JSON } from "./formats.ts";
import { queryPage } from "./page.ts";
import { QUERY_TYPE, readParams, readPosted, SparqlParams, type SparqlRequest } from "./request.ts";
import { factsOf } from "./text.ts";

const HTML = "text/html";
const FOR_PAGES = `${SPARQL_JSON}, text/turtle`;

const WORDS = { full: said("problem.sparql.queue_full"), late: said("problem.triplestore.busy") };

/** One query at a time per client. More may run with the embedded store, which has a queue of its own and sees who waits. */
function queryLimit({ triplestore, sparql }: Services["config"]): ConcurrencyLimit {
  const working = triplestore.url === null ? 40 : 8;
  // a query, its answer and the pause after it have their own time limits; this one is for a store that stops answering
  const longestMs = 4 * sparql.timeoutSeconds * 1_000 + 60_000;
  const waits = { waiting: 50, waitingEach: 10, patienceMs: longestMs, longestMs };
  return createConcurrencyLimit({ working, workingEach: 1, ...waits }, WORDS);
}

export function sparqlRoutes(api: Api, pages: Pages): void {
  const { graphs, config } = api.services;
  if (graphs === null || !config.sparql.enabled) return;
  const limit = queryLimit(config);
  const common = {
    path: "/sparql",
    tag: "linked-data",
    access: config.sparql.requireAuth ? { feature: "sparql:query" } : "public",
    produces: [],
    problems: [400, 406, 413, 503, 504],
    answers: {
      200: {
        description: "The results, in the format of Accept",
        type: [...RESULT_TYPES, ...GRAPH_TYPES],
        schema: z.looseObject({}),
      },
    },
  } as const;
  const answered = (c: Ctx, caller: Caller, request: SparqlRequest, accept = c.req.header("Accept")) => {
    const client = caller.kind === "account" ? caller.id : bucketOf(c.get("client"));
    return answer(c, request, accept, config.sparql.maxQueryBytes, (query) =>
      withinLimit(limit, client, async () => {
        if (await mayShowTakenBack(api.services, graphProjection.target))
          throw new Problem("unavailable", said("problem.triplestore.behind"), {
            headers: { "Retry-After": "10" },
          });
        return graphs.query({ ...query, base: `${config.baseUrl}/sparql`, client }, c.req.raw.signal);
      }),
    );
  };

  endpoint(api, {
    ...common,
    method: "get",
    crossOrigin: "anybody",
    summary: "Query the triple store",
    description:
      "SPARQL 1.1 over what is public; the default graph is all named graphs together. SELECT and ASK answer in JSON, XML, CSV " +
      "or TSV, CONSTRUCT and DESCRIBE in Turtle, N-Triples, JSON-LD or RDF/XML. Without a query: the description of this endpoint. " +
      "Send queries of more than 8 KB with POST.",
    query: z.looseObject(SparqlParams.shape),
    async handle({ c, caller }) {
      const query = readParams(new URL(c.req.url).searchParams);
      const types = query.query === undefined ? GRAPH_TYPES : [...RESULT_TYPES, ...GRAPH_TYPES];
      if (negotiate(c.req.header("Accept"), [...types, HTML]) === HTML)
        return queryPage(await pages.view(c), {
          baseUrl: config.baseUrl,
          query: query.query ?? null,
          found: () => answered(c, caller, query, FOR_PAGES),
        });
      if (query.query !== undefined) return answered(c, caller, query);
      return answered(c, caller, { ...query, query: endpointDescription(config.baseUrl) });
    },
  });

  endpoint(api, {
    ...common,
    method: "post",
    summary: "Query the triple store with a long query",
    description: "As a form with `query`, or the query alone as application/sparql-query.",
    query: z.looseObject({}),
    body: { schema: z.string(), types: [QUERY_TYPE, "application/x-www-form-urlencoded"], streamed: true },
    async handle({ c, caller }) {
      const request = await readPosted(c, config.sparql.maxQueryBytes);
      if (request.query === undefined) throw new Problem("malformed", said("problem.sparql.no_query"));
      return answered(c, caller, request);
    },
  });
}

/**
 * Holds a place in the limit until the answer has been read, not only until it begins. After a query that timed out, the place stays
 * taken for as long again, because the embedded store has to load a process, and servers do not stop at once.
 */
function withinLimit(
  limit: ConcurrencyLimit,
  who: string,
  ask: () => Promise<GraphAnswer>,
): Promise<GraphAnswer["content"]> {
  return new Promise((resolve, reject) => {
    const taken = limit.take(who, async () => {
      const begun = performance.now();
      try {
        const { content, over } = await ask();
        resolve(content);
        await over;
      } catch (error) {
        reject(error);
        if (!(error instanceof Problem) || error.code !== "timed_out") return;
        await new Promise((wake) => setTimeout(wake, performance.now() - begun));
      }
    });
    taken.catch(reject);
  });
}

async function answer(
  c: Ctx,
  request: SparqlRequest,
  accept: string | undefined,
  maxBytes: number,
  ask: (query: Omit<GraphQuery, "base">) => Promise<GraphAnswer["content"]>,
): Promise<Response> {
  const text = request.query ?? "";
  if (new TextEncoder().encode(text).length > maxBytes)
    throw new Problem("too_large", said("problem.sparql.too_long", { most: maxBytes }));
  const facts = factsOf(text);
  const types = facts.answers === "graph" ? GRAPH_TYPES : RESULT_TYPES;
  const type = negotiate(accept, types);
  if (type === null)
    throw new Problem("not_acceptable", said("problem.sparql.accept", { types: types.join(", ") }));
  const defaultGraphs = request["default-graph-uri"];
  const namedGraphs = request["named-graph-uri"];
  const isChosen = facts.hasDataset || defaultGraphs.length + namedGraphs.length > 0;
  const store = type === "application/json" ? SPARQL_JSON : type;
  const found = await ask({ text, type: store, defaultGraphs, namedGraphs, union: !isChosen });
  const charset = type.startsWith("text/") ? "; charset=utf-8" : "";
  const headers = {
    "Content-Type": `${type}${charset}`,
    "Cache-Control": "no-store",
    Vary: "Accept, Authorization, X-API-Key, Cookie",
  };
  if (c.req.method !== "HEAD") return c.body(found, 200, headers);
  await found.cancel();
  return c.body(null, 200, headers);
}
