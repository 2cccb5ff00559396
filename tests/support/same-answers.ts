/** Compares the index that a museum has with the index in its database. */
import { expect } from "vitest";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import type { SearchQuery } from "../../src/ports/search-index.ts";
import { projectToSearch } from "../../src/search/project.ts";
import type { Museum } from "./museum/museum.ts";
import { STAFF, VISITORS } from "./search/search-documents.ts";

/** Expects the same answers to these queries from both indexes, for visitors and for staff. */
export type ExpectSame = (queries: readonly SearchQuery[]) => Promise<void>;

/** Fills the index in the database, too. */
export async function comparison({ services }: Museum): Promise<ExpectSame> {
  const tables = inDatabaseSearch(services.sql);
  const rows = await services.sql<{ id: string }[]>`select id from records where deleted_at is null`;
  await projectToSearch(
    { ...services, search: tables },
    rows.map(({ id }) => id),
  );
  return async (queries) => {
    let hits = 0;
    for (const query of queries.flatMap((each) =>
      [VISITORS, STAFF].map((scope) => ({ ...each, scopes: [scope] })),
    )) {
      const [theirs, ours] = [await services.search.find(query), await tables.find(query)];
      // corrections may differ
      if (theirs.corrections.length + ours.corrections.length > 0) continue;
      const shown = ({ total, hits: found, facets }: typeof ours) => ({
        total,
        // beyond that, the order decides, which is different in Typesense
        ids: total > found.length ? [] : found.map(({ id }) => id).sort(),
        facets: Object.fromEntries(
          Object.entries(facets).map(([name, counts]) => [
            name,
            counts.length < 50 ? counts.map(({ value, count }) => `${count} ${value}`).sort() : counts.length,
          ]),
        ),
      });
      expect({ query, ...shown(theirs) }).toEqual({ query, ...shown(ours) });
      hits += ours.total;
    }
    expect(hits).toBeGreaterThan(100);
  };
}
