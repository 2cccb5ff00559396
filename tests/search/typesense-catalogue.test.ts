/** The whole service with its index in Typesense (a double), and the same queries to the index in the database. */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import { create, createObject, type Found, read } from "../support/museum/catalogue.ts";
import { type Ask, museumHere } from "../support/museum/museum.ts";
import { comparison } from "../support/same-answers.ts";
import { condition, queryFor } from "../support/search/search-documents.ts";
import { openTypesenseDouble } from "../support/search/typesense-double.ts";

const double = await openTypesenseDouble();
afterAll(() => double.close());
const museum = await museumHere({
  demo: true,
  env: { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey },
});
const editor = await museum.as("editor");
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

  it("finds the piece of a workshop as such, and counts it as such", async () => {
    const master = await create(editor, "entity", {
      status: "public",
      metadata_: { name: [{ value: "Quirijn Aalbers" }] },
    });
    const by = async (title: string, metadata_: object) => {
      const { id } = await published(title);
      const json = { relation_type: "created_by", to_type: "entity", to_id: master.id, metadata_ };
      await read(editor(`/v1/objects/${id}/relations`, { json }), 201);
      return id;
    };
    const own = await by("Aalbers, one", {});
    const workshop = await by("Other", { qualifier: [{ value: "workshop_of" }] });
    const hand = await by("Further", { qualifier_text: [{ value: "Hand, 50%, des", lang: "de" }] });
    await drainOutbox(museum.services);
    const value = (qualified: string) => `${master.id}${qualified}`;
    const all = await search("q=quirijn&type=object&facets=maker");
    expect(all.items.map(({ id }) => id).sort()).toEqual([own, workshop, hand].sort());
    expect(all.facets.maker).toHaveLength(3);
    for (const [query, id] of [
      ["q=workshop+of+Quirijn", workshop],
      ["q=%22Werkstatt+von+Quirijn%22", workshop],
      ["q=Hand+des+Aalbers", hand],
      [`maker=${value("")}`, own],
      [`maker=${value(".workshop_of")}`, workshop],
      [`maker=${encodeURIComponent(value(".~Hand%2C%2050%25%2C%20des"))}`, hand],
    ] as const)
      expect([query, (await search(query)).items.map((item) => item.id)]).toEqual([query, [id]]);
  });

  it("suggests no withdrawn record to visitors, even if the index has not followed", async () => {
    const { id } = await published("Xylophone, secret model");
    const suggested = () => read<{ records: { id: string }[] }>(museum.ask("/v1/search/suggest?q=xylo"));
    expect((await suggested()).records).toMatchObject([{ id }]);
    await museum.services.sql`
      insert into outbox (target, record_id, hides, due_at) values ('search', ${id}, true, now() + interval '1 hour')
      on conflict (target, record_id) do update set hides = true, due_at = excluded.due_at`;
    expect((await suggested()).records).toEqual([]);
    await museum.services.sql`delete from outbox where record_id = ${id}`;
  });

  inLong(it)("works while Typesense is unavailable, reports it, and catches up", async () => {
    const kept = await published("Quokka, before");
    // dates that were given meanwhile
    await drainOutbox(museum.services);
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

inLong(it)("finds the same records by dates as the index in the database", async () => {
  const expectSame = await comparison(museum);
  const between = (year: number) => {
    const [from, to] = [year, year + 20].map((each) => Date.UTC(each, 0) / 86_400_000);
    return condition("date", { op: "between", from, to });
  };
  const conditions = Array.from({ length: 9 }, (_, n) => between(1500 + n * 61));
  await expectSame([
    ...conditions.map((one) =>
      queryFor("", { conditions: [one], facets: ["material", "date.decade"], limit: 100 }),
    ),
    ...conditions.map((one, n) => queryFor("", { anyOf: [one, conditions[(n * 5) % 9]!], limit: 100 })),
  ]);
});
