/** Searches that do not look through all records say so. Small limits show this in a small catalogue. */
import { beforeAll, describe, expect, it } from "vitest";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import { create, createObject, english, type Found, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

describe.each(databases)("a large catalogue in the %s database", async (database) => {
  const search = async (query: string) => {
    const answer = await museum.ask(`/v1/search?${query}`);
    return { relation: answer.headers.get("X-Total-Relation"), ...(await read<Found>(answer)) };
  };

  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  beforeAll(async () => {
    museum.services.search = inDatabaseSearch(museum.services.sql, {
      limits: { mostRanked: 4, mostLookedThrough: 15 },
    });
    for (let number = 1; number <= 20; number++) {
      const titled = number % 2 === 0;
      const title = titled ? `Anchor ${number}` : `Chest ${number}`;
      await createObject(editor, title, {
        status: "public",
        metadata_: {
          description: english(titled ? "Of iron" : "With an anchor on the lid"),
          material: [{ value: "iron" }],
          technique: [{ value: number <= 3 ? "cast" : "forged" }],
        },
      });
    }
  });

  it("counts everything exactly by words, values and in any order", async () => {
    expect(await search("q=anchor&facets=material")).toMatchObject({
      relation: null,
      total: 20,
      facets: { material: [{ value: "iron", count: 20 }] },
    });
    expect(await search("meta_technique=forged&facets=material")).toMatchObject({
      relation: null,
      total: 17,
    });
    for (const sort of ["", "&sort_by=title&page_size=2"])
      expect(await search(`facets=technique,credit_line${sort}`)).toMatchObject({
        relation: null,
        total: 20,
        facets: {
          technique: [
            { value: "forged", count: 17 },
            { value: "cast", count: 3 },
          ],
          credit_line: [],
        },
      });
    const sorted = await search("sort_by=title&page_size=2");
    expect(sorted.items.map(({ title }) => title)).toEqual(["Anchor 2", "Anchor 4"]);
  });

  it("says that there may be more where not all records are looked through", async () => {
    expect(await search("q=%22anchor+on%22")).toMatchObject({ relation: null, total: 10 });
    const clause = (value: string) => `/portal/v1/search/advanced?clause=description:contains:${value}`;
    const looked = async (value: string) => {
      const answer = await museum.ask(clause(value));
      return [answer.headers.get("X-Total-Relation"), (await read<Found>(answer)).total];
    };
    expect(await looked("lid")).toEqual([null, 10]);
    museum.services.search = inDatabaseSearch(museum.services.sql, {
      limits: { mostRanked: 4, mostLookedThrough: 6 },
    });
    expect(await search("q=%22anchor+on%22")).toMatchObject({ relation: "gte", total: 6 });
    expect(await looked("lid")).toEqual(["gte", 6]);
  });

  it("shows the newest of those first that have the word in their title, then the others, page by page", async () => {
    const even = Array.from({ length: 10 }, (_, index) => `Anchor ${20 - 2 * index}`);
    const odd = Array.from({ length: 10 }, (_, index) => `Chest ${19 - 2 * index}`);
    const walked: Found["items"] = [];
    for (let page = 1; page <= 7; page++)
      walked.push(...(await search(`q=anchor&page=${page}&page_size=3`)).items);
    expect(walked.map(({ title }) => title)).toEqual([...even, ...odd]);
    expect(walked[0]!.score).toBeGreaterThan(0.5);
    const all = await search("q=anchor&page_size=20");
    expect(all.items.map(({ title }) => title)).toEqual([...even, ...odd]);
    expect(all.items[10]!.score).toBeLessThan(all.items[9]!.score);
    expect((await search("q=anchor&page=3&page_size=13")).items.map(({ title }) => title)).toEqual([]);
  });

  it("shows the person whose name was typed before others that are as good, on one page only", async () => {
    const { id } = await create(editor, "entity", {
      status: "public",
      metadata_: { name: english("Anchor") },
    });
    await createObject(editor, "Anchor 99", { status: "public" });
    const walked: string[] = [];
    for (let page = 1; page <= 8; page++)
      walked.push(...(await search(`q=anchor&page=${page}&page_size=3`)).items.map((item) => item.id));
    expect([walked[0], walked.length, new Set(walked).size]).toEqual([id, 22, 22]);
  });
});
