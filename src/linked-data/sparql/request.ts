/** Reads a query of the SPARQL 1.1 Protocol (https://www.w3.org/TR/sparql11-protocol/#query-operation). */
import { z } from "zod";
import type { Ctx } from "../../http/endpoint.ts";
import { readAs } from "../../http/faults.ts";
import { bodyText, demandContentType, readBytes } from "../../http/request/body.ts";
import { FORM } from "../../http/request/form.ts";
import { said, toldText } from "../../messages/said.ts";
import { invalid, Problem } from "../../problem.ts";

export const QUERY_TYPE = "application/sparql-query";
const UPDATE_TYPE = "application/sparql-update";
/** Most characters of a form besides the query, for names of graphs. */
const LARGEST_REST = 65_536;
const MOST_GRAPHS = 100;

/** An absolute IRI (RFC 3987 §2.2). */
const Iri = z
  .string()
  .max(2_000)
  .regex(/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`\p{Cc}]*$/iu, { error: toldText(said("fault.iri.form")) });
const Graphs = z
  .union([Iri.transform((iri) => [iri]), z.array(Iri).max(MOST_GRAPHS)])
  .default([])
  .openapi({ type: "array", items: { type: "string", format: "iri" }, maxItems: MOST_GRAPHS });

/** Other parameters are ignored, because usual clients send more (`format`, `output`, `results`). */
export const SparqlParams = z.object({
  query: z.string().optional().openapi({ description: "SPARQL 1.1; may be left out of GET" }),
  "default-graph-uri": Graphs,
  "named-graph-uri": Graphs,
});

export type SparqlRequest = z.output<typeof SparqlParams>;

/** Reads the body. If it is only the query, names of graphs are in the address. */
export async function readPosted(c: Ctx, maxQueryBytes: number): Promise<SparqlRequest> {
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type === UPDATE_TYPE) throw noUpdates();
  demandContentType(type, [FORM, QUERY_TYPE]);
  const inAddress = new URL(c.req.url).searchParams;
  if (type === FORM) {
    // percent-encoding takes three characters per byte
    const form = new URLSearchParams(bodyText(await readBytes(c.req.raw, 3 * maxQueryBytes + LARGEST_REST)));
    return readParams(new URLSearchParams([...inAddress, ...form]));
  }
  const request = readParams(inAddress);
  if (request.query !== undefined) throw new Problem("malformed", said("problem.sparql.twice"));
  return { ...request, query: bodyText(await readBytes(c.req.raw, maxQueryBytes)) };
}

export function readParams(params: URLSearchParams): SparqlRequest {
  if (params.has("update")) throw noUpdates();
  const names = [...new Set(params.keys())];
  const values = names.map((name) => {
    const all = params.getAll(name);
    return [name, all.length === 1 ? all[0] : all] as const;
  });
  const result = readAs(SparqlParams, Object.fromEntries(values), "query");
  if ("faults" in result) throw invalid(result.faults);
  return result.data;
}

const noUpdates = (): Problem => new Problem("malformed", said("problem.sparql.no_updates"));
