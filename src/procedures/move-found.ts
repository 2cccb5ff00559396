/** The objects that a search finds, to be moved. */
import type { Account } from "../caller.ts";
import { type Said, said } from "../messages/said.ts";
import { invalid, jsonPointer, Problem } from "../problem.ts";
import { currentSchema } from "../records/schema.ts";
import { type Params, SearchParams } from "../search/params.ts";
import { searchFor } from "../search/search.ts";
import type { Services } from "../services.ts";

/** Parameters that do not narrow a search: here they would have no effect. */
const OTHERS = {
  type: true,
  page: true,
  page_size: true,
  facets: true,
  sort_by: true,
  sort_dir: true,
  include: true,
} as const;
export const FoundShape = SearchParams.omit(OTHERS);

/** 422 if it asks for nothing, finds nothing with these words, or finds more than `most`; 503 if the index does not answer. */
export async function idsFound(
  services: Services,
  caller: Account,
  search: Record<string, unknown>,
  most: number,
  requestId: string,
): Promise<string[]> {
  const faulty = (detail: Said) => invalid([{ pointer: "/search", detail }]);
  const others = Object.keys(search).filter((name) => name in OTHERS);
  if (others.length > 0)
    throw invalid(
      others.map((name) => ({ pointer: jsonPointer("search", name), detail: said("fault.unknown") })),
    );
  if (Object.values(search).every((value) => String(value ?? "").trim() === ""))
    throw faulty(said("fault.move.search_empty"));
  const { hits, degraded, suggestion, isLeast } = await searchFor(
    services,
    await currentSchema(services.sql),
    caller,
    {
      params: { ...search, page: 1, page_size: 1, sort_by: "relevance" } as Params,
      clauses: { clauses: [], any: false },
      ...{ portal: false, requestId, kinds: ["object"], most: most + 1 },
    },
  ).catch((error: unknown) => {
    throw inBody(error);
  });
  if (degraded) throw new Problem("unavailable", said("problem.move.no_search"));
  if (suggestion !== null || hits.length === 0) throw faulty(said("fault.move.search_none"));
  if (isLeast || hits.length > most) throw faulty(said("fault.move.search_many", { most }));
  return hits.map(({ id }) => id);
}

/** A parameter of the search is a member of the body here. */
function inBody(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== "invalid") return error;
  return invalid(
    error.errors.map(({ pointer, detail }) => ({
      pointer: jsonPointer("search", pointer.replace(/^query:/, "")),
      detail,
    })),
  );
}
