/** The first records of one kind that a visitor's search finds, for export as a file. */
import { VISITOR } from "../caller.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import type { Api, Ctx } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { invalid, Problem } from "../problem.ts";
import type { Kind } from "../records/kinds.ts";
import { currentSchema } from "../records/schema.ts";
import { AdvancedParams, SearchParams } from "./params.ts";
import { searchFor } from "./search.ts";

export const MOST_FOUND = 5_000;

/** The parameters of the search, without those of a single page of it. */
export const FoundParams = AdvancedParams.omit({
  ...{ type: true, status: true, page: true, page_size: true, facets: true, include: true },
});
const OF_PAGES = ["page", "page_size", "facets", "include"];

/** In the order of the search. 503 if the index does not answer. */
export async function firstFound(
  api: Api,
  c: Ctx,
  kind: Kind,
  query: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const { clause, match, ...params } = query;
  const faults = OF_PAGES.filter((name) => Object.hasOwn(params, name));
  const detail = said("fault.parameter");
  if (faults.length > 0) throw invalid(faults.map((name) => ({ pointer: `query:${name}`, detail })));
  const schema = await currentSchema(api.services.sql);
  const { hits, degraded } = await withinLimit(api, { c, caller: VISITOR }, () =>
    searchFor(api.services, schema, VISITOR, {
      params: SearchParams.parse({ ...params, type: kind, page_size: 1 }),
      clauses: { clauses: [clause ?? []].flat() as string[], any: match === "any" },
      ...{ portal: true, most: MOST_FOUND, requestId: c.get("requestId") },
    }),
  );
  if (degraded) throw new Problem("unavailable", said("problem.search.away"));
  return hits.map(({ id }) => id);
}
