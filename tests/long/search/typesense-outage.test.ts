/** The whole service with its index in a real Typesense, which is killed, loses its data, and refuses a key. */
import { Client } from "typesense";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Started } from "../../runtimes/started.ts";
import { findPackage, packageMissing, TYPESENSE } from "../../servers/packages.ts";
import { type OwnTypesense, openTypesense } from "../../servers/typesense.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { english } from "../../support/museum/catalogue.ts";
import { quickest } from "../../support/museum/museum.ts";
import { type Office, openOffice } from "../../support/programs/command.ts";

const program = findPackage(TYPESENSE);
if (program === null) notTried(packageMissing(TYPESENSE));

const QUILTS = 12;

describe.runIf(program)("a service with a real Typesense", () => {
  let typesense: OwnTypesense;
  let office: Office;
  let service: Started;
  let token: string;
  beforeAll(async () => {
    typesense = await openTypesense(program!);
    office = await openOffice(quickest);
    Object.assign(office.settings, { TYPESENSE_URL: typesense.url, TYPESENSE_API_KEY: typesense.apiKey });
    ({ service, token } = await office.serve());
    for (let n = 1; n <= QUILTS; n++)
      await publish(`Quilt ${n} with herons`, n % 3 === 0 ? "Linen" : "Cotton");
  });
  afterAll(async () => {
    await office?.close();
    await typesense?.close();
  });

  async function publish(title: string, material: string): Promise<string> {
    const metadata_ = { title: english(title), material: english(material) };
    const made = await service.ask("/v1/objects", { token, json: { object_type: "textile", metadata_ } });
    expect(made.status, made.text).toBe(201);
    await turn(made.json.id, "public");
    return made.json.id;
  }
  async function turn(id: string, status: string): Promise<void> {
    const turned = await service.ask(`/v1/objects/${id}/status`, { token, json: { status } });
    expect(turned.status, turned.text).toBe(200);
  }
  const search = (query: string) => service.ask(`/v1/search?${query}`);
  const isDegraded = async () => (await search("q=quilt")).headers.get("X-Search-Degraded") === "true";
  const total = async (q: string) => (await search(`q=${q}`)).json.total as number;
  const health = async () => (await service.ask("/health")).status;
  /** Waits until the service has sent everything; what has failed is due at once, on a server. */
  const catchUp = () =>
    office.until(service, async (sql) => {
      await sql`update outbox set due_at = clock_timestamp() where target = 'search' and attempts > 0`;
      const waiting = await sql`select 1 from outbox where target = 'search'`;
      return waiting.length === 0;
    });

  it("finds records by their words, counts values, gives pages, and corrects", async () => {
    const page = (await search("q=herons quil*&facets=material&page_size=5&page=3")).json;
    expect(page).toMatchObject({ total: QUILTS, page: 3 });
    expect(page.items).toHaveLength(QUILTS - 10);
    expect(page.facets.material).toEqual([
      { value: "Cotton", count: 8 },
      { value: "Linen", count: 4 },
    ]);
    expect((await search("q=quilt&meta_material=Linen")).json.total).toBe(4);
    expect(await total('"quilt 7"')).toBe(1);
    const corrected = await search("q=hreons");
    expect(corrected.json.total).toBe(QUILTS);
    expect(corrected.headers.get("X-Search-Suggestion")).toBe("herons");
    const suggested = (await service.ask("/v1/search/suggest?q=lin")).json;
    expect(suggested.terms).toMatchObject([{ value: "Linen", count: 4 }]);
    await expect.poll(health).toBe(200);
  });

  it("answers while the server is away, says so, and catches up when it is back", async () => {
    const [seventh] = (await search('q="quilt 7"')).json.items;
    const statuses = new Set<number>();
    let isOpen = true;
    const visitors = Array.from({ length: 2 }, async () => {
      while (isOpen) statuses.add((await search("q=quilt&facets=material")).status);
    });
    await typesense.kill();
    await expect.poll(isDegraded).toBe(true);
    await expect.poll(health).toBe(503);
    await publish("Sampler of that night", "Silk");
    await turn(seventh.id, "draft");
    await typesense.start();
    await catchUp();
    await expect.poll(isDegraded).toBe(false);
    isOpen = false;
    await Promise.all(visitors);
    expect([...statuses]).toEqual([200]);
    await expect.poll(health).toBe(200);
    expect([await total("sampler"), await total('"quilt 7"'), await total("herons")]).toEqual([
      1,
      0,
      QUILTS - 1,
    ]);
    expect(await office.run("search-verify")).toMatchObject({ code: 0 });
  });

  it("rebuilds the index, which agrees with the records, and keeps later changes when the server is killed", async () => {
    const { apiKey, url } = typesense;
    const client = new Client({ nodes: [{ url }], apiKey });
    const names = async () => (await client.collections().retrieve()).map(({ name }) => name);
    const before = await names();
    expect(await office.run("reindex")).toMatchObject({ code: 0 });
    const after = await names();
    expect([before.length, after.length]).toEqual([1, 1]);
    expect(after).not.toEqual(before);
    expect(await office.run("search-verify")).toMatchObject({ code: 0 });
    expect(await total("herons")).toBe(QUILTS - 1);
    const [eighth] = (await search('q="quilt 8"')).json.items;
    await turn(eighth.id, "draft");
    await catchUp();
    await typesense.kill();
    await typesense.start();
    await expect.poll(isDegraded).toBe(false);
    expect([await total('"quilt 8"'), await total("herons")]).toEqual([0, QUILTS - 2]);
  });

  it("is whole again after a rebuild when the server has lost its data", async () => {
    await typesense.kill();
    await typesense.loseData();
    await typesense.start();
    await expect.poll(isDegraded).toBe(false);
    expect(await total("herons")).toBe(0);
    expect(await office.run("reindex")).toMatchObject({ code: 0 });
    expect(await total("herons")).toBe(QUILTS - 2);
  });

  it("says that its key is wrong, but never the key", async () => {
    await typesense.kill();
    await typesense.start("another key");
    await expect.poll(isDegraded).toBe(true);
    await expect.poll(health).toBe(503);
    const { code, out, err } = await office.run("doctor");
    expect(code).toBe(1);
    for (const told of [service.lines.join(), out])
      expect(told).toContain("Typesense answered 401: Forbidden - a valid `x-typesense-api-key` header");
    expect([...service.lines, out, err].join()).not.toContain(typesense.apiKey);
  });
});
