/** The whole service with its index in Typesense (a double), and the same queries to both kinds of index. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { inDatabaseSearch } from "../src/adapters/search/in-database.ts";
import { projectToSearch } from "../src/search/project.ts";
import type { SearchIndex } from "../src/search-index.ts";
import { searchWordsOf } from "../src/text.ts";
import { drainOutbox } from "../workers/drain-outbox.ts";
import { createObject, read } from "./support/catalogue.ts";
import { inLong } from "./support/lane.ts";
import { type Ask, type Museum, openMuseum } from "./support/museum.ts";
import { condition, queryFor, STAFF, VISITORS } from "./support/search-documents.ts";
import { openTypesenseDouble, type TypesenseDouble } from "./support/typesense-double.ts";

type Found = { total: number; items: { id: string }[]; facets: Record<string, unknown[]> };

let double: TypesenseDouble;
let museum: Museum;
let editor: Ask;
beforeAll(async () => {
  double = await openTypesenseDouble();
  museum = await openMuseum({
    demo: true,
    env: { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey },
  });
  editor = await museum.as("editor");
});
afterAll(async () => {
  await museum.close();
  await double.close();
});
afterEach(() => expect(double.faults).toEqual([]));

const search = (query: string, ask: Ask = museum.ask) => read<Found>(ask(`/v1/search?${query}`));
/** A public object with this title. */
async function published(title: string): Promise<{ id: string }> {
  const { id } = await createObject(editor, title);
  await read(editor(`/v1/objects/${id}/status`, { json: { status: "public" } }));
  return { id };
}
/** Makes records due that wait for their next attempt. */
const wait = async () => {
  await museum.services.sql`update outbox set due_at = clock_timestamp()`;
};

describe("the service with Typesense", () => {
  it("finds what was just written, and not what was withdrawn", async () => {
    const { id } = await published("Zanzibar chest");
    expect((await search("q=zanzibar")).items).toMatchObject([{ id }]);
    await read(editor(`/v1/objects/${id}/status`, { json: { status: "internal" } }));
    expect((await search("q=zanzibar")).total).toBe(0);
    expect((await search("q=zanzibar", editor)).total).toBe(1);
    await editor(`/v1/objects/${id}`, { method: "DELETE" });
    expect((await search("q=zanzibar", editor)).total).toBe(0);
  });

  it("suggests no withdrawn record to visitors, even if the index has not followed", async () => {
    const { id } = await published("Xylophone, secret model");
    const suggested = () => read<{ records: { id: string }[] }>(museum.ask("/v1/search/suggest?q=xylo"));
    expect((await suggested()).records).toMatchObject([{ id }]);
    await museum.services.sql`
      insert into outbox (target, record_id, hides, due_at) values ('search', ${id}, true, now() + interval '1 hour')`;
    expect((await suggested()).records).toEqual([]);
    await museum.services.sql`delete from outbox where record_id = ${id}`;
  });

  inLong(it)("works while Typesense is unavailable, reports it, and catches up", async () => {
    const kept = await published("Quokka, before");
    await double.stop();
    const answer = await museum.ask("/v1/search?q=quokka&facets=material");
    expect(answer.headers.get("X-Search-Degraded")).toBe("true");
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
    expect(await read<Found>(answer)).toMatchObject({ total: 0, items: [], facets: { material: [] } });
    const health = await museum.ask("/health");
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ status: "degraded" });
    const made = await published("Quokka, meanwhile");
    await read(editor(`/v1/objects/${kept.id}/status`, { json: { status: "draft" } }));
    await expect(drainOutbox(museum.services)).resolves.toBe(0);
    await double.start();
    // a record hidden in the meantime is not found, though it is still in the index
    expect((await search("q=before")).items.map(({ id }) => id)).not.toContain(kept.id);
    await wait();
    expect(await drainOutbox(museum.services)).toBeGreaterThanOrEqual(2);
    const found = await museum.ask("/v1/search?q=quokka");
    expect(found.headers.get("X-Search-Degraded")).toBeNull();
    expect((await read<Found>(found)).items).toMatchObject([{ id: made.id }]);
    expect(museum.log.join("\n")).not.toContain(double.apiKey);
  });
});

// hundreds of queries to two indexes
inLong(describe)("the two kinds of index", () => {
  let tables: SearchIndex;
  beforeAll(async () => {
    const { services } = museum;
    tables = inDatabaseSearch(services.sql);
    const rows = await services.sql<{ id: string }[]>`select id from records where deleted_at is null`;
    await projectToSearch(
      { ...services, search: tables },
      rows.map(({ id }) => id),
    );
  });

  const fields = ["material", "technique", "keywords", "date.decade", "rights"];

  it("find the same records by words, for visitors and for staff", async () => {
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

  it("find the same records by fields, with the same counts", async () => {
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
    for (let year = 1500; year < 2030; year += 61) {
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
      const [theirs, ours] = [await museum.services.search.find(query), await tables.find(query)];
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
});
