/** What is said of a catalogue that is too large to count, tried with limits that a small one passes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inDatabaseSearch } from "../src/adapters/search/in-database.ts";
import { createObject, english, read } from "./support/catalogue.ts";
import { type Ask, databases, type Museum, openMuseum } from "./support/museum.ts";

type Found = {
  total: number;
  items: { id: string; title: string; score: number }[];
  facets: Record<string, { value: string; count: number }[]>;
};

describe.each(databases)("a large catalogue in the %s database", (database) => {
  let museum: Museum;
  let editor: Ask;

  const search = async (query: string) => {
    const answer = await museum.ask(`/v1/search?${query}`);
    return { relation: answer.headers.get("X-Total-Relation"), ...(await read<Found>(answer)) };
  };

  beforeAll(async () => {
    museum = await openMuseum({ database });
    editor = await museum.as("editor");
    museum.services.search = inDatabaseSearch(museum.services.sql, {
      limits: { exactUpTo: 15, mostCounted: 10, mostRanked: 4, mostInMemory: 0 },
    });
    for (let number = 1; number <= 20; number++) {
      const titled = number % 2 === 0;
      const title = titled ? `Anchor ${number}` : `Chest ${number}`;
      await createObject(editor, title, {
        status: "public",
        metadata_: {
          title: english(title),
          description: english(titled ? "Of iron" : "With an anchor on the lid"),
          material: [{ value: "iron" }],
          technique: [{ value: number <= 3 ? "cast" : "forged" }],
        },
      });
    }
  });
  afterAll(() => museum.close());

  it("has totals and facets that are the least there are, and says so", async () => {
    const found = await search("q=anchor&facets=material");
    expect(found).toMatchObject({
      relation: "gte",
      total: 10,
      facets: { material: [{ value: "iron", count: 10 }] },
    });
    expect(await search("meta_technique=forged&facets=material")).toMatchObject({
      relation: "gte",
      total: 10,
    });
  });

  it("counts exactly what it has few of, and what stands in its counts", async () => {
    expect(await search("meta_technique=cast&facets=material")).toMatchObject({
      relation: null,
      total: 3,
      facets: { material: [{ value: "iron", count: 3 }] },
    });
    expect(await search("facets=technique")).toMatchObject({
      relation: null,
      total: 20,
      facets: {
        technique: [
          { value: "forged", count: 17 },
          { value: "cast", count: 3 },
        ],
      },
    });
  });

  it("counts everything exactly in any order, and says so where a field has no counts", async () => {
    const sorted = await search("facets=technique&sort_by=title&page_size=2");
    expect(sorted.items.map(({ title }) => title)).toEqual(["Anchor 2", "Anchor 4"]);
    expect(sorted).toMatchObject({
      relation: null,
      total: 20,
      facets: { technique: [{ count: 17 }, { count: 3 }] },
    });
    const mixed = await search("facets=technique,credit_line");
    expect(mixed).toMatchObject({ relation: "gte", total: 20 });
  });

  it("shows the newest of those first that have the word in their title, then the others, page by page", async () => {
    const even = Array.from({ length: 10 }, (_, index) => `Anchor ${20 - 2 * index}`);
    const odd = Array.from({ length: 10 }, (_, index) => `Chest ${19 - 2 * index}`);
    const walked: Found["items"] = [];
    for (let page = 1; page <= 7; page++)
      walked.push(...(await search(`q=anchor&page=${page}&page_size=3`)).items);
    // pages go on as far as was counted
    expect(walked.map(({ title }) => title)).toEqual([...even, ...odd].slice(0, walked.length));
    expect(walked.length).toBeGreaterThanOrEqual(10);
    expect(walked[0]!.score).toBeGreaterThan(0.5);
    const all = await search("q=anchor&page_size=20");
    expect(all.items.map(({ title }) => title)).toEqual([...even, ...odd]);
    expect(all.items[10]!.score).toBeLessThan(all.items[9]!.score);
    expect((await search("q=anchor&page=2&page_size=13")).items.map(({ title }) => title)).toEqual([]);
  });
});
