/** Several processes write the same records to the index at the same moment. */
import { describe, expect, it } from "vitest";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import { readState, tablesOf } from "../../src/adapters/search/tables/table-sets.ts";
import type { SearchDocument } from "../../src/ports/search-index.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { found, idOf, queryFor, record } from "../support/search/search-documents.ts";

const TOWNS = ["Aalborg", "Bergen", "Cuxhaven", "Dieppe", "Emden", "Falmouth", "Gdynia", "Hoorn"];

describe.each(databases)("records that many write at once, in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const index = inDatabaseSearch(museum.services.sql, { isServer: database === "external" });

  const inTown = (n: number, town: string): SearchDocument =>
    record(n, { title: `Ship in ${town}`, ranges: { height: [{ from: 1, to: TOWNS.indexOf(town) }] } });
  const numbers = async () => {
    const { sql } = museum.services;
    const { rows } = tablesOf(sql, (await readState(sql)).current);
    return [...(await sql<{ id: string; no: number }[]>`select id, no from ${rows} order by id`)];
  };

  it("are there once, as one of them wrote it, and keep their numbers", async () => {
    await index.put([1, 2].map((n) => inTown(n, "Bergen")));
    const before = await numbers();
    for (let round = 0; round < 5; round++)
      await Promise.all(
        TOWNS.map((town, at) => index.put((at % 2 ? [1, 2, 3] : [3, 2, 1]).map((n) => inTown(n, town)))),
      );
    expect(await found(index, queryFor("ship"))).toEqual([1, 2, 3]);
    const there = await Promise.all(TOWNS.map((town) => found(index, queryFor(town))));
    expect(there.flat().sort()).toEqual([1, 2, 3]);
    for (const [at, town] of TOWNS.entries())
      expect(await index.differing!(there[at]!.map((n) => inTown(n, town)))).toEqual([]);
    expect((await numbers()).slice(0, 2)).toEqual(before);
  });

  it("are gone if one removes them last", async () => {
    const ids = [11, 12, 13].map(idOf);
    const writing = TOWNS.flatMap((town, at) => [
      index.put([13, 11, 12].map((n) => inTown(n, town))),
      index.remove(at % 2 ? ids : ids.toReversed()),
    ]);
    await Promise.all(writing);
    await index.remove(ids);
    expect(await found(index, queryFor("ship"))).toEqual([1, 2, 3]);
    expect(await numbers()).toHaveLength(3);
  });
});
