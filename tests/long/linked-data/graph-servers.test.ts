/** The adapter of the port `graph` with the triple stores that docs/operations.md names, themselves. */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { graphServer } from "../../../src/adapters/graph/server.ts";
import { answered, ENDLESS, found, graphExpectations, query } from "../../ports/graph.ts";
import { OXIGRAPH } from "../../servers/packages.ts";
import type { TripleStore } from "../../servers/triple-store.ts";
import { tripleStores } from "../../servers/triple-stores.ts";
import { type Cable, layCable } from "../../support/servers/cable.ts";

const NAME = "urn:svc:graph:object:00000000-0000-7000-8000-000000000001";
/** Enough for queries that take hours. */
const masts = Array.from({ length: 300 }, (_none, n) => `<urn:mast:${n}> <urn:next> <urn:mast:${n + 1}> .\n`);
const fleet = { name: NAME, triples: masts.join("") };
const MASTS = "SELECT (COUNT(*) AS ?n) { ?s <urn:next> ?o }";
/** Reads the stored triples again and again. */
const LONG_READING =
  "SELECT (COUNT(*) AS ?n) { ?a <urn:next>+ ?b . ?b <urn:next>+ ?c . ?c <urn:next>+ ?d . ?d <urn:next>+ ?e }";
/** Of the servers themselves. */
const LIMIT_SECONDS = 2;

for (const { title, isHere, open } of tripleStores()) {
  describe.runIf(isHere)(title, () => {
    let store: TripleStore;
    let cable: Cable;
    /** Our limit is the shorter one. */
    const impatient = () => graphServer({ url: store.url }, { timeoutSeconds: 0.5 });
    const patient = () => graphServer({ url: store.url }, { timeoutSeconds: 20 });
    beforeAll(async () => {
      store = await open({ timeoutSeconds: LIMIT_SECONDS });
      cable = await layCable(store.url);
    });
    afterAll(async () => {
      await cable?.close();
      await store?.close();
    });

    graphExpectations(title, async () => ({ graphs: patient(), close: async () => undefined }));

    const used = () => {
      const fields = readFileSync(`/proc/${store.pid()}/stat`, "utf8").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    };
    /** Seconds of processor time that the server uses within these milliseconds. */
    const usedWithin = async (ms: number) => {
      const before = used();
      await setTimeout(ms);
      return used() - before;
    };

    it("keeps the graphs of other programs", async () => {
      const theirs = 'INSERT DATA { GRAPH <urn:other> { <urn:a> <urn:b> "theirs" } }';
      await fetch(`${store.url}/update`, { method: "POST", body: new URLSearchParams({ update: theirs }) });
      const graphs = patient();
      const ids = await graphs.idsAfter(null, 10);
      await graphs.replace([
        ...ids.map((id) => ({ name: `urn:svc:graph:object:${id}`, triples: "" })),
        fleet,
      ]);
      expect(await graphs.idsAfter(null, 10)).toEqual([NAME.split(":").at(-1)]);
      expect(await found(graphs, "SELECT ?o { ?s <urn:b> ?o }")).toEqual(["theirs"]);
      expect(await found(graphs, MASTS)).toEqual(["300"]);
    });

    it("that hangs blocks a query for a limited time only", async () => {
      const url = cable.url.replace(/\/$/, "");
      const graphs = graphServer({ url }, { timeoutSeconds: 0.5 });
      await graphs.ping();
      cable.silence();
      await expect(answered(graphs, query(MASTS))).rejects.toMatchObject({ code: "timed_out" });
      await expect(graphs.ping()).rejects.toMatchObject({ name: "TimeoutError" });
    });

    it("finds a statement of two graphs once, except in Oxigraph", async () => {
      const graphs = patient();
      const again = 'INSERT DATA { GRAPH <urn:another> { <urn:a> <urn:b> "theirs" } }';
      await fetch(`${store.url}/update`, { method: "POST", body: new URLSearchParams({ update: again }) });
      const times = title === OXIGRAPH.title ? 2 : 1;
      expect(await found(graphs, "SELECT ?o { ?s <urn:b> ?o }")).toHaveLength(times);
      expect(await found(graphs, "SELECT DISTINCT ?o { ?s <urn:b> ?o }")).toEqual(["theirs"]);
    });

    it("that answers without end is not read for ever", async () => {
      const rows = "SELECT * { ?a <urn:next> ?b . ?c <urn:next> ?d . ?e <urn:next> ?f . ?g <urn:next> ?h }";
      const graphs = graphServer({ url: store.url }, { timeoutSeconds: 20, largest: 10_000 });
      await expect(answered(graphs, query(rows))).rejects.toMatchObject({ code: "too_large" });
    });

    it("that needs too long for a query is busy with it until its own limit, and answers others", async () => {
      const itself = answered(patient(), query(LONG_READING));
      // a limit of the server's own must be the longer one, because Oxigraph reports it within the answer
      const stopped =
        title === OXIGRAPH.title
          ? expect(itself).resolves.toMatch(/operation has been cancelled$/)
          : expect(itself).rejects.toMatchObject({ code: "timed_out", status: 504 });
      await expect(answered(impatient(), query(LONG_READING))).rejects.toMatchObject({ code: "timed_out" });
      expect(await found(patient(), MASTS)).toEqual(["300"]);
      await stopped;
      const isIdle = async () => (await usedWithin(300)) < 0.03;
      await expect.poll(isIdle, { timeout: 20_000 }).toBe(true);
    });

    it("does not stop a query of values alone: it stays busy, and answers others", async () => {
      await expect(answered(impatient(), query(ENDLESS))).rejects.toMatchObject({ code: "timed_out" });
      await usedWithin(LIMIT_SECONDS * 1_000);
      await expect.poll(() => usedWithin(300), { timeout: 20_000 }).toBeGreaterThan(0.05);
      expect(await found(patient(), MASTS)).toEqual(["300"]);
    });
  });
}
