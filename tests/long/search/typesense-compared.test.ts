/** The demo museum's records in a real Typesense are found by the same queries as in the database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAKERS } from "../../../src/search/buckets.ts";
import { searchWordsOf } from "../../../src/text.ts";
import { findPackage, packageMissing, TYPESENSE } from "../../servers/packages.ts";
import { type OwnTypesense, openTypesense } from "../../servers/typesense.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { type Museum, openMuseum } from "../../support/museum/museum.ts";
import { comparison, type ExpectSame } from "../../support/same-answers.ts";
import { condition, queryFor, STAFF } from "../../support/search/search-documents.ts";

const program = findPackage(TYPESENSE);
if (program === null) notTried(packageMissing(TYPESENSE));

const fields = ["material", "technique", "keywords", "date.decade", "rights", MAKERS];

describe.runIf(program)("an index in a real Typesense", () => {
  let typesense: OwnTypesense;
  let museum: Museum;
  let expectSame: ExpectSame;
  beforeAll(async () => {
    typesense = await openTypesense(program!);
    const env = { TYPESENSE_URL: typesense.url, TYPESENSE_API_KEY: typesense.apiKey };
    museum = await openMuseum({ database: "embedded", demo: true, env });
    expectSame = await comparison(museum);
  });
  afterAll(async () => {
    await museum?.close();
    await typesense?.close();
  });

  it("finds the same records by words as the index in the database, for visitors and for staff", async () => {
    const rows = await museum.services.sql<{ value: string }[]>`
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

  it("finds the same records by fields, with the same counts", async () => {
    const values = await museum.services.sql<{ name: string; value: string }[]>`
      select f.key as name, e ->> 'value' as value
      from records r, jsonb_each(r.metadata) f, jsonb_array_elements(f.value) e
      where f.key = any(${fields}) group by 1, 2 order by md5(e ->> 'value') limit 24`;
    expect(values.length).toBeGreaterThan(10);
    const conditions = values.flatMap(({ name, value }) => [
      condition(name, { op: "is", values: [value] }),
      condition(name, { op: "exists" }),
      condition(name, { op: "missing" }),
    ]);
    await expectSame([
      ...conditions.map((one) => queryFor("", { conditions: [one], facets: fields, limit: 100 })),
      ...conditions.map((one, n) =>
        queryFor("", { anyOf: [one, conditions[(n * 5) % conditions.length]!], limit: 100 }),
      ),
    ]);
  });

  it("finds everything for a list, though one answer of Typesense has 250 hits", async () => {
    const { sql, search } = museum.services;
    const { hits, total } = await search.find(queryFor("", { scopes: [STAFF], limit: 100_000 }));
    const living = await sql<{ id: string }[]>`select id from records where deleted_at is null`;
    expect(total).toBeGreaterThan(250);
    expect(hits.map(({ id }) => id).sort()).toEqual(living.map(({ id }) => id).sort());
  });
});
