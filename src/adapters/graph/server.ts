/**
 * An external triple store, used through the SPARQL 1.1 Protocol (https://www.w3.org/TR/sparql11-protocol/). Only graphs
 * whose names begin with our prefix are changed.
 */
import { readAtMost } from "../../bytes.ts";
import { UUID_PATTERN } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { GraphQuery, Graphs, NamedGraph, UnfitGraph } from "../../services.ts";
import { answerOf } from "./answer.ts";
import { clientGone, type GraphLimits, LARGEST_ANSWER, timedOut, tooLarge } from "./limits.ts";

/** Milliseconds for an update of some hundred graphs, and for a trivial query. */
const UPDATE_MS = 60_000;
const PING_MS = 2_000;
const JSON_RESULTS = "application/sparql-results+json";
const OURS = "urn:svc:graph:";

/** Without `updateUrl`, the endpoints are `url`/query and `url`/update, as in Oxigraph and Fuseki. With it, `url` takes queries. */
export type GraphPlace = { url: string; updateUrl?: string | null; token?: string | null };

export function graphServer(
  { url, updateUrl = null, token = null }: GraphPlace,
  { timeoutSeconds, largest = LARGEST_ANSWER }: GraphLimits,
): Graphs {
  const [queries, updates] = updateUrl === null ? [`${url}/query`, `${url}/update`] : [url, updateUrl];
  const select = async (text: string, ms: number) => {
    const answer = await send(queries, { query: text }, JSON_RESULTS, AbortSignal.timeout(ms));
    await demandOk(answer);
    return ((await answer.json()) as Results).results.bindings;
  };
  async function replace(graphs: readonly NamedGraph[]): Promise<UnfitGraph[]> {
    const form = { update: updateOf(graphs) };
    const answer = await send(updates, form, "*/*", AbortSignal.timeout(UPDATE_MS), token);
    const [first] = graphs;
    if (answer.status !== 400 || graphs.every(({ triples }) => triples === "")) {
      await demandOk(answer);
      await answer.body?.cancel();
      return [];
    }
    // the server cannot read one of them
    const reason = await reasonIn(answer);
    if (graphs.length === 1) {
      await replace([{ name: first!.name, triples: "" }]);
      return [{ name: first!.name, reason }];
    }
    const middle = graphs.length >> 1;
    return [...(await replace(graphs.slice(0, middle))), ...(await replace(graphs.slice(middle)))];
  }
  return {
    replace,
    async idsAfter(after, limit) {
      const rows = await select(idsQuery(after, limit), UPDATE_MS);
      return rows.map(({ id }) => id!.value);
    },
    query: (query, until) =>
      answerOf(partsOf(queries, query, { timeoutSeconds, largest }, until), timeoutSeconds),
    async ping() {
      await select("SELECT * { } LIMIT 1", PING_MS);
    },
  };
}

type Results = { results: { bindings: Record<string, { value: string }>[] } };

async function send(
  address: string,
  form: Record<string, string> | URLSearchParams,
  accept: string,
  signal: AbortSignal,
  token: string | null = null,
): Promise<Response> {
  const bearer: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  try {
    return await fetch(address, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { Accept: accept, ...bearer },
      redirect: "manual",
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    // what `fetch` throws differs between runtimes
    throw Object.assign(new Error("the triple store cannot be reached", { cause }), { code: "UNREACHABLE" });
  }
}

async function demandOk(answer: Response): Promise<void> {
  if (answer.ok) return;
  throw Object.assign(new Error(`the triple store answers ${answer.status}: ${await reasonIn(answer)}`), {
    code: `HTTP_${answer.status}`,
  });
}

/** What the body of an error says, in short. */
async function reasonIn(answer: Response): Promise<string> {
  const bytes = await readAtMost(answer, 65_536).catch(() => new Uint8Array());
  return new TextDecoder().decode(bytes).trim().slice(0, 1_000);
}

/** One request replaces whole graphs, so that no query sees half of one. N-Triples are valid SPARQL. */
function updateOf(graphs: readonly NamedGraph[]): string {
  return graphs
    .map(({ name, triples }) =>
      triples === ""
        ? `DROP SILENT GRAPH <${name}>`
        : `DROP SILENT GRAPH <${name}>;\nINSERT DATA { GRAPH <${name}> {\n${triples}} }`,
    )
    .join(";\n");
}

function idsQuery(after: string | null, limit: number): string {
  return `SELECT DISTINCT ?id WHERE {
    GRAPH ?g { }
    FILTER(STRSTARTS(STR(?g), "${OURS}"))
    BIND(STRAFTER(SUBSTR(STR(?g), ${OURS.length + 1}), ":") AS ?id)
    FILTER(REGEX(?id, "^${UUID_PATTERN}$") && ?id > "${after ?? ""}")
  } ORDER BY ?id LIMIT ${limit}`;
}

/** The query with its base if that is needed; otherwise, the server's messages name the places of the original text. */
const resolvable = ({ text, base }: GraphQuery): string =>
  /<(?![a-z][a-z\d+.-]*:)[^\s<>]*>/i.test(text) ? `BASE <${base}> ${text}` : text;

async function* partsOf(
  queries: string,
  query: GraphQuery,
  { timeoutSeconds, largest }: Required<GraphLimits>,
  until: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const form = new URLSearchParams({ query: resolvable(query) });
  for (const graph of query.defaultGraphs) form.append("default-graph-uri", graph);
  for (const graph of query.namedGraphs) form.append("named-graph-uri", graph);
  // for Oxigraph; other stores query all graphs by default or by their configuration
  if (query.union) form.append("union-default-graph", "true");
  const end = new AbortController();
  // applies to the start of the answer and to each further part
  const late = () => setTimeout(() => end.abort(timedOut(timeoutSeconds)), timeoutSeconds * 1_000);
  let timer = late();
  try {
    if (until.aborted) throw clientGone();
    // goes on when the client leaves: servers notice that only when they write, and until then the client keeps its turn
    const answer = await send(queries, form, query.type, end.signal);
    if (until.aborted) throw clientGone();
    if (!answer.ok) throw await refused(answer, timeoutSeconds);
    if (Number(answer.headers.get("Content-Length")) > largest) throw tooLarge(largest);
    if (!answer.body) return;
    const reader = answer.body.getReader();
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.byteLength;
      if (size > largest) throw tooLarge(largest);
      clearTimeout(timer);
      timer = late();
      yield value;
    }
  } catch (error) {
    if (end.signal.aborted) throw end.signal.reason;
    throw error instanceof Problem ? error : unavailable(error);
  } finally {
    clearTimeout(timer);
    // stops the server from sending what nobody reads
    end.abort();
  }
}

const unavailable = (cause: unknown): Problem =>
  new Problem("unavailable", said("problem.triplestore.unavailable"), {
    headers: { "Retry-After": "10" },
    cause,
  });

async function refused(answer: Response, seconds: number): Promise<Error> {
  const text = await reasonIn(answer);
  if (answer.status === 400) return new Problem("malformed", said("problem.sparql.syntax", { reason: text }));
  // the limit of the server itself: 503 from Fuseki, which may also mean that it is down
  const isLate = [504, 408].includes(answer.status) || (answer.status === 503 && /timed out/i.test(text));
  if (isLate) return timedOut(seconds);
  return new Error(`the triple store answers ${answer.status}: ${text}`);
}
