/** For lists of staff, which the database orders and pages: everything that the search finds in some kinds of record. */
import type { Caller } from "../caller.ts";
import type { Kind } from "../records/kinds.ts";
import { listVersions } from "../records/read/list.ts";
import { currentSchema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { SearchParams } from "./params.ts";
import type { Clauses } from "./request.ts";
import { type Found, searchFor } from "./search.ts";

/** The most records of a list with words. */
const MOST_LISTED = 100_000;
/** The most records of a kind that are found by a part of their number or name. */
const MOST_NAMED = 1_000;

/** `fields`: `meta_` and `range_` parameters. `clauses`: as in the advanced search. All must hold. */
export type AskedWords = { q: string; fields?: Record<string, string>; clauses?: Clauses["clauses"] };

/** `ids`: best first. `isLeast`: there are more. */
export type FoundIds = Pick<Found, "isLeast" | "suggestion" | "isCompleted" | "degraded"> & {
  ids: readonly string[];
  /** The search is also by fields, and then finds nothing while the index does not answer. */
  isNarrowed: boolean;
};

/**
 * Also finds parts of numbers and names if no record has the words as they were typed, or if the index does not answer.
 * @param kinds kinds that the reader may read in full
 */
export async function findListed(
  services: Services,
  reader: Caller,
  kinds: readonly Kind[],
  { q, fields = {}, clauses = [] }: AskedWords,
  requestId: string,
): Promise<FoundIds> {
  const { sql } = services;
  const schema = await currentSchema(sql);
  const ask = (words: string) =>
    searchFor(services, schema, reader, {
      params: SearchParams.parse({ ...fields, q: words, page_size: 1 }),
      clauses: { clauses, any: false },
      ...{ portal: false, requestId, kinds, most: MOST_LISTED },
    });
  const found = await ask(q);
  const { suggestion, isCompleted, degraded } = found;
  const hits = found.hits.map(({ id }) => id);
  const isNarrowed = Object.keys(fields).length + clauses.length > 0;
  const isLeast = found.isLeast || hits.length < found.total;
  const about = { isLeast, suggestion, isCompleted, degraded, isNarrowed };
  if (q === "" || (hits.length > 0 && suggestion === null) || (isNarrowed && degraded))
    return { ...about, ids: hits };
  const within = isNarrowed ? await ask("") : null;
  const order = { sort_by: "idno", sort_dir: "asc" } as const;
  const list = { q, ...order, ...(within ? { found: within.hits.map(({ id }) => id) } : {}) };
  const named: string[] = [];
  let isCut = within !== null && (within.isLeast || within.hits.length < within.total);
  for (const kind of kinds) {
    const rows = await listVersions(sql, reader, kind, list, MOST_NAMED + 1);
    named.push(...rows.slice(0, MOST_NAMED).map(({ id }) => id));
    isCut ||= rows.length > MOST_NAMED;
  }
  // a name that contains what was typed is better than a similar word
  if (named.length > 0 && !isCompleted) return { ...about, isLeast: isCut, ids: named, suggestion: null };
  return { ...about, isLeast: isLeast || isCut, ids: [...new Set([...named, ...hits])] };
}
