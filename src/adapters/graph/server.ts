/**
 * A triple store beside this program, by the SPARQL 1.1 Protocol (https://www.w3.org/TR/sparql11-protocol/) at
 * TRIPLESTORE_URL/query and TRIPLESTORE_URL/update, as Oxigraph and Fuseki have them. Nothing is touched there but graphs
 * whose names begin as ours do.
 */
import { Problem } from "../../problem.ts";
import type { GraphQuery, Graphs, NamedGraph } from "../../services.ts";
import { type GraphLimits, LARGEST_ANSWER, timedOut, tooLarge } from "./limits.ts";

/** Milliseconds: for some hundred graphs, and for a question that costs nothing. */
const UPDATE_MS = 60_000;
const PING_MS = 2_000;
const JSON_RESULTS = "application/sparql-results+json";
const OURS = "urn:svc:graph:";

export function graphServer(url: string, { timeoutSeconds, largest = LARGEST_ANSWER }: GraphLimits): Graphs {
  const select = async (text: string, ms: number) => {
    const answer = await send(`${url}/query`, { query: text }, JSON_RESULTS, ms);
    await demandOk(answer);
    return ((await answer.json()) as Results).results.bindings;
  };
  return {
    async replace(graphs) {
      const answer = await send(`${url}/update`, { update: updateOf(graphs) }, "*/*", UPDATE_MS);
      await demandOk(answer);
      await answer.body?.cancel();
    },
    async idsAfter(after, limit) {
      const rows = await select(idsQuery(after, limit), UPDATE_MS);
      return rows.map(({ id }) => id!.value);
    },
    async query(query) {
      try {
        return await ask(url, query, timeoutSeconds, largest);
      } catch (error) {
        if (error instanceof Problem) throw error;
        if (isLate(error)) throw timedOut(timeoutSeconds);
        throw new Problem("unavailable", "The triple store cannot be asked at the moment", {
          headers: { "Retry-After": "10" },
          cause: error,
        });
      }
    },
    async ping() {
      await select("SELECT * { } LIMIT 1", PING_MS);
    },
  };
}

type Results = { results: { bindings: Record<string, { value: string }>[] } };

const isLate = (error: unknown): boolean => error instanceof DOMException && error.name === "TimeoutError";

async function send(
  address: string,
  form: Record<string, string> | URLSearchParams,
  accept: string,
  ms: number,
): Promise<Response> {
  try {
    return await fetch(address, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { Accept: accept },
      redirect: "error",
      signal: AbortSignal.timeout(ms),
    });
  } catch (cause) {
    if (isLate(cause)) throw cause;
    // what `fetch` throws differs between runtimes
    throw Object.assign(new Error("the triple store cannot be reached", { cause }), { code: "UNREACHABLE" });
  }
}

async function demandOk(answer: Response): Promise<void> {
  if (answer.ok) return;
  const said = (await answer.text()).slice(0, 500);
  throw Object.assign(new Error(`the triple store answers ${answer.status}: ${said}`), {
    code: `HTTP_${answer.status}`,
  });
}

/** One request, so that no query sees a graph that is half there. N-Triples are also triples of SPARQL. */
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
    FILTER(REGEX(?id, "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$") && ?id > "${after ?? ""}")
  } ORDER BY ?id LIMIT ${limit}`;
}

async function ask(url: string, query: GraphQuery, seconds: number, largest: number): Promise<string> {
  const form = new URLSearchParams({ query: query.text });
  for (const graph of query.defaultGraphs) form.append("default-graph-uri", graph);
  for (const graph of query.namedGraphs) form.append("named-graph-uri", graph);
  // Oxigraph's; others ask all graphs anyway, or are set up to do so
  if (query.union) form.append("union-default-graph", "true");
  const answer = await send(`${url}/query`, form, query.type, seconds * 1_000);
  const text = await readText(answer, largest);
  if (answer.ok) return text;
  if (answer.status === 400) throw new Problem("malformed", `The query: ${text.trim().slice(0, 1_000)}`);
  if (answer.status === 504 || answer.status === 408) throw timedOut(seconds);
  throw new Error(`the triple store answers ${answer.status}: ${text.slice(0, 500)}`);
}

async function readText(answer: Response, largest: number): Promise<string> {
  if (!answer.body) return "";
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > largest) {
      await reader.cancel();
      throw tooLarge(largest);
    }
    text += decoder.decode(value, { stream: true });
  }
}
