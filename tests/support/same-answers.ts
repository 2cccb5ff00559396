/** Expects the same answers of the index that a museum has and of the index in its database, with hundreds of queries. */
import { beforeAll, expect, it } from "vitest";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import { projectToSearch } from "../../src/search/project.ts";
import type { SearchIndex } from "../../src/search-index.ts";
import { searchWordsOf } from "../../src/text.ts";
import type { Museum } from "./museum.ts";
import { condition, queryFor, STAFF, VISITORS } from "./search-documents.ts";

/** @param spans whether the index of this museum can filter by spans */
export function sameAnswers(museum: () => Museum, { spans }: { spans: boolean }): void {
  let tables: SearchIndex;
  beforeAll(async () => {
    const { services } = museum();
    tables = inDatabaseSearch(services.sql);
    const rows = await services.sql<{ id: string }[]>`select id from records where deleted_at is null`;
    await projectToSearch(
      { ...services, search: tables },
      rows.map(({ id }) => id),
    );
  });

  const fields = ["material", "technique", "keywords", "date.decade", "rights"];

  it("find the same records by words, for visitors and for staff", async () => {
    const rows = await museum().services.sql<{ value: string }[]>`
      select distinct e ->> 'value' as value
      from records r, jsonb_each(r.metadata) f, jsonb_array_elements(f.value) e order by 1 limit 400`;
    // only the index in the database matches the parts of a longer number in order
    const words = [...new Set(rows.flatMap(({ value }) => value.split(/\s+/)))].filter(
      (word) => !/["~*-]/.test(word) && searchWordsOf(word).length === 1,
    );
    expect(words.length).toBeGreaterThan(100);
    const texts = words
      .filter((_, n) => n % 8 === 0)
      .slice(0, 25)
      .flatMap((word, n) => {
        const next = words[(n * 7) % words.length]!;
        return [word, `${word.slice(0, 3)}*`, `${word} -${next}`, `"${word} ${words[n + 1] ?? next}"`];
      });
    await expectSame(texts.map((text) => queryFor(text, { facets: fields, limit: 100 })));
  });

  it("find the same records by fields, with the same counts", async () => {
    const values = await museum().services.sql<{ name: string; value: string }[]>`
      select f.key as name, e ->> 'value' as value
      from records r, jsonb_each(r.metadata) f, jsonb_array_elements(f.value) e
      where f.key = any(${fields}) group by 1, 2 order by md5(e ->> 'value') limit 24`;
    expect(values.length).toBeGreaterThan(10);
    const conditions = values.flatMap(({ name, value }) => [
      condition(name, { op: "is", values: [value] }),
      condition(name, { op: "exists" }),
      condition(name, { op: "missing" }),
    ]);
    for (let year = 1500; spans && year < 2030; year += 61) {
      const [from, to] = [year, year + 20].map((each) => Date.UTC(each, 0) / 86_400_000);
      conditions.push(condition("date", { op: "between", from, to }));
    }
    await expectSame([
      ...conditions.map((one) => queryFor("", { conditions: [one], facets: fields, limit: 100 })),
      ...conditions.map((one, n) =>
        queryFor("", { anyOf: [one, conditions[(n * 5) % conditions.length]!], limit: 100 }),
      ),
    ]);
  });

  /** Expects the same answers, for visitors and for staff. */
  async function expectSame(queries: readonly ReturnType<typeof queryFor>[]): Promise<void> {
    let hits = 0;
    for (const query of queries.flatMap((each) =>
      [VISITORS, STAFF].map((scope) => ({ ...each, scopes: [scope] })),
    )) {
      const [theirs, ours] = [await museum().services.search.find(query), await tables.find(query)];
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
  }
}
