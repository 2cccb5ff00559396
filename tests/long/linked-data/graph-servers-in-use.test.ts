/** A museum whose triple store is Oxigraph or Fuseki: moving there and back, outages, lost data, SPARQL. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { graphServer } from "../../../src/adapters/graph/server.ts";
import { GRAPH_TYPES, RESULT_TYPES, SPARQL_JSON } from "../../../src/linked-data/sparql/formats.ts";
import { ENDLESS, found } from "../../ports/graph.ts";
import type { Json, Started } from "../../runtimes/started.ts";
import { FUSEKI } from "../../servers/packages.ts";
import type { TripleStore } from "../../servers/triple-store.ts";
import { tripleStores } from "../../servers/triple-stores.ts";
import { english } from "../../support/museum/catalogue.ts";
import { type Office, openOffice } from "../../support/programs/command.ts";

/** What the doctor says of a server. */
const ANSWERS = /triple store.* answers/;
const WAITS = { timeout: 60_000, interval: 50 };
const NAMES = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }";
const name = (id: string) => `urn:svc:graph:object:${id}`;
const titled = (title: string) => `{ ?s ?p ?o FILTER(STR(?o) = "${title}") }`;

const stores = tripleStores().filter(({ isHere }) => isHere);

describe.runIf(stores.length > 0)("a museum that outgrows the embedded triple store", () => {
  let office: Office;
  let service: Started;
  let token: string;
  const published = new Set<string>();

  beforeAll(async () => {
    office = await openOffice();
    Object.assign(office.settings, { TRIPLESTORE_ENABLED: "true", SPARQL_QUERY_TIMEOUT: "5" });
  });
  afterAll(() => office?.close());

  const restart = async (url: string) => {
    await service?.stop();
    Object.assign(office.settings, { TRIPLESTORE_URL: url });
    ({ service, token } = await office.serve());
  };
  const ask = async (path: string, json?: Json, method?: string): Promise<Json> => {
    const answer = await service.ask(path, { token, json, method });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const publish = async (title: string) => {
    const draft = { object_type: "photograph", status: "public", metadata_: { title: english(title) } };
    const { id } = await ask("/v1/objects", draft);
    published.add(id);
    return id as string;
  };
  const sparql = (text: string, accept = SPARQL_JSON) =>
    service.ask("/sparql", {
      token,
      headers: { Accept: accept },
      body: new URLSearchParams({ query: text }),
    });
  const rowsOf = async (text: string): Promise<string[]> => {
    const { bindings } = JSON.parse((await sparql(text)).text).results;
    return bindings.flatMap((row: Json) => Object.values<Json>(row).map(({ value }) => value)).sort();
  };
  const expected = () => [...published].map(name).sort();
  const health = async () => (await service.ask("/health")).json.checks.oxigraph;

  it("begins with the embedded store", async () => {
    await restart("");
    for (const title of ["Astrolabe", "Quadrant", "Sextant"]) await publish(title);
    expect(await rowsOf(NAMES)).toEqual(expected());
  });

  describe.each(stores)("$title", ({ title: program, open }) => {
    let store: TripleStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store?.close());
    const held = () => found(graphServer({ url: store.url }, { timeoutSeconds: 20 }), NAMES);

    it("takes over from another store", async () => {
      await restart(store.url);
      expect(await held()).toEqual([]);
      const rebuilt = await office.run("rebuild", "graph");
      expect(rebuilt).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^\d+ records were written to the triple store, 0 old ones were removed$/),
      });
      expect(await held()).toEqual(expected());
      expect(await rowsOf(NAMES)).toEqual(expected());
      expect(await health()).toBe("ok");
      expect((await office.run("doctor")).out).toMatch(ANSWERS);
    });

    it("finds what is published, and nothing that was changed, withdrawn or deleted", async () => {
      const id = await publish("Sounding lead");
      expect(await held()).toEqual(expected());
      await ask(`/v1/objects/${id}`, { metadata_: { title: english('Lead, "heavy" \\ 測鉛') } }, "PATCH");
      expect((await sparql(`ASK ${titled('Lead, \\"heavy\\" \\\\ 測鉛')}`)).text).toMatch(
        /"boolean"\s*:\s*true/,
      );
      expect((await sparql(`ASK ${titled("Sounding lead")}`)).text).toMatch(/"boolean"\s*:\s*false/);
      await ask(`/v1/objects/${id}/status`, { status: "internal" });
      published.delete(id);
      expect(await held()).toEqual(expected());
      await ask(`/v1/objects/${id}/status`, { status: "public" });
      expect(await held()).toContain(name(id));
      await ask(`/v1/objects/${id}`, undefined, "DELETE");
      expect(await held()).toEqual(expected());
    });

    it("answers queries in every format, and describes itself", async () => {
      for (const type of RESULT_TYPES) {
        const { status, headers, text } = await sparql(`SELECT ?o ${titled("Sextant")}`, type);
        expect([status, headers.get("Content-Type")?.split(";")[0]]).toEqual([200, type]);
        expect(text).toContain("Sextant");
        expect((await sparql(`ASK ${titled("Sextant")}`, type)).text).toContain("true");
      }
      for (const type of GRAPH_TYPES) {
        const { status, headers, text } = await sparql(
          `CONSTRUCT { ?s ?p ?o } WHERE ${titled("Sextant")}`,
          type,
        );
        expect([status, headers.get("Content-Type")?.split(";")[0]]).toEqual([200, type]);
        expect(text).toContain("Sextant");
        const itself = await service.ask("/sparql", { token, headers: { Accept: type } });
        expect([itself.status, itself.text.includes("sparql-service-description#")]).toEqual([200, true]);
      }
      const [first] = published;
      expect(
        await rowsOf(`SELECT DISTINCT ?g FROM NAMED <${name(first!)}> { GRAPH ?g { ?s ?p ?o } }`),
      ).toEqual([name(first!)]);
    });

    it("refuses wrong queries and updates, and stops waiting for endless ones", async () => {
      for (const text of [
        "SELECT * { ?s ?p",
        "DROP ALL",
        "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
      ])
        expect((await sparql(text)).status, text).toBe(400);
      expect(await held()).toEqual(expected());
      const begun = performance.now();
      expect((await sparql(ENDLESS)).status).toBe(504);
      expect(performance.now() - begun).toBeLessThan(20_000);
      expect(await rowsOf(NAMES)).toEqual(expected());
    });

    it("receives everything that was published while it was killed and started again", async () => {
      const traffic = { isOver: false };
      const publishing = (async () => {
        while (!traffic.isOver) await publish(`Photograph ${published.size}`);
      })();
      await expect.poll(() => published.size, WAITS).toBeGreaterThan(6);
      await store.kill();
      const before = published.size;
      await expect.poll(health, WAITS).not.toBe("ok");
      await expect.poll(() => published.size, WAITS).toBeGreaterThan(before + 3);
      expect((await sparql(NAMES)).status).toBe(503);
      await store.start();
      traffic.isOver = true;
      await publishing;
      await expect.poll(held, WAITS).toEqual(expected());
      await expect.poll(health, WAITS).toBe("ok");
    });

    it("is filled again by a rebuild when it has lost its data", async () => {
      await store.kill();
      await store.loseData();
      await store.start();
      expect(await held()).toEqual([]);
      expect(await office.run("rebuild", "graph")).toMatchObject({ code: 0 });
      expect(await held()).toEqual(expected());
    });

    it("loads the file of export-rdf as it is", async () => {
      const file = `${new URL(store.url).port}.nq`;
      expect(await office.run("export-rdf", file)).toMatchObject({ code: 0 });
      const text = await office.read(file);
      const emptied = new URLSearchParams({ update: "DROP ALL" });
      expect((await fetch(`${store.url}/update`, { method: "POST", body: emptied })).ok).toBe(true);
      expect(await held()).toEqual([]);
      const address = program === FUSEKI.title ? `${store.url}/data` : `${store.url}/store`;
      const sent = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/n-quads" },
        body: text,
      });
      expect(sent.status, await sent.text()).toBeLessThan(300);
      expect(await held()).toEqual(expected());
      const counted = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }";
      expect(await rowsOf(counted)).toEqual([String(new Set(text.trim().split("\n")).size)]);
    });
  });

  it("moves back to the embedded store", async () => {
    await restart("");
    expect(await office.run("rebuild", "graph")).toMatchObject({ code: 0 });
    expect(await rowsOf(NAMES)).toEqual(expected());
    expect((await office.run("doctor")).out).not.toMatch(ANSWERS);
  });
});
