/** The triple store: what is expected of the port on both adapters, and what each adapter adds. */
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { embeddedGraphs } from "../../src/adapters/graph/embedded.ts";
import { graphServer } from "../../src/adapters/graph/server.ts";
import type { Graphs, UnfitGraph } from "../../src/services.ts";
import { answered, ENDLESS, found, graphExpectations, NEVER, query } from "../ports/graph.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere, openMuseum } from "../support/museum/museum.ts";
import { type GraphServer, openGraphServer } from "../support/servers/graph-server.ts";

const LIMITS = { timeoutSeconds: 20 };
const unexpected = ({ name, reason }: UnfitGraph): Promise<void> =>
  Promise.reject(new Error(`${name}: ${reason}`));

for (const database of databases) {
  graphExpectations(`embedded, in the ${database} database`, async () => {
    const museum = await openMuseum({ database });
    const graphs = embeddedGraphs(museum.services.sql, LIMITS, unexpected);
    return {
      graphs,
      async close() {
        graphs.close();
        await museum.close();
      },
    };
  });
}

graphExpectations("a server", async () => {
  const server = await openGraphServer();
  return { graphs: graphServer({ url: server.url }, LIMITS), close: server.close };
});

graphExpectations("a server with one address for everything, and a token", async () => {
  const server = await openGraphServer({ token: "let me in" });
  const url = `${server.url}/api/museum`;
  return { graphs: graphServer({ url, updateUrl: url, token: "let me in" }, LIMITS), close: server.close };
});

/** Processes of embedded stores that this process has started. */
function storeProcesses(): number[] {
  return execFileSync("ps", ["-Ao", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("store-process.mjs"))
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid, parent]) => (parent === process.pid ? [pid!] : []));
}

const ID = "00000000-0000-7000-8000-000000000001";
const NAME = `urn:svc:graph:object:${ID}`;
const harbour = { name: NAME, triples: '<http://x.example/1> <http://x.example/title> "Harbour" .\n' };
/** Milliseconds of a small query, the middle of eleven. */
async function timeOf(graphs: Graphs): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 11; n++) {
    const begun = performance.now();
    await found(graphs, ALL);
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[5]!;
}
/** An answer of two parts. */
const LONG = query(`SELECT (REPLACE("${"x".repeat(1_000)}", "x", "${"a🗿".repeat(500)}") AS ?x) {}`);
const ALL = "SELECT ?o { ?s ?p ?o }";

describe("the embedded store", async () => {
  let graphs: ReturnType<typeof embeddedGraphs>;

  const museum = await museumHere({ database: databases.at(-1)! });
  beforeEach(async () => {
    await museum.services.sql`delete from graphs`;
    graphs = embeddedGraphs(museum.services.sql, { timeoutSeconds: 1, largest: 10_000 }, unexpected);
    await graphs.replace([harbour]);
  });
  afterEach(() => graphs.close());

  inLong(it)("stops a query when its time is up, while others go on", async () => {
    expect(await found(graphs, ALL)).toEqual(["Harbour"]);
    const [busy] = storeProcesses();
    const begun = performance.now();
    const endless = answered(graphs, query(ENDLESS));
    const failed = expect(endless).rejects.toMatchObject({ code: "timed_out", status: 504 });
    expect(await found(graphs, ALL)).toEqual(["Harbour"]);
    await failed;
    // its process has ended, and so has the work
    expect(performance.now() - begun).toBeGreaterThan(1_000);
    expect(storeProcesses()).not.toContain(busy);
    await expect.poll(storeProcesses).toHaveLength(2);
    expect(await found(graphs, ALL)).toEqual(["Harbour"]);
  });

  inLong(it)("recovers when its process is killed, idle or during a query", async () => {
    expect(await found(graphs, ALL)).toEqual(["Harbour"]);
    for (const pid of storeProcesses()) process.kill(pid, "SIGKILL");
    expect(await found(graphs, ALL)).toEqual(["Harbour"]);
    const answer = found(graphs, ALL);
    for (const pid of storeProcesses()) process.kill(pid, "SIGKILL");
    expect(await answer).toEqual(["Harbour"]);
  });

  /** Waits until the store has loaded its graphs; then a slow query begins. */
  async function besideASlowOne(own: Graphs, until: AbortSignal = NEVER) {
    await found(own, ALL);
    const ended: string[] = [];
    const slow = answered(own, query(ENDLESS), until).catch((error: Error) => error.message);
    const told = slow.then((message) => ended.push(message));
    return { ended, told };
  }

  it("answers a small query beside a slow one, with a second process that it loads after a second", async () => {
    const own = embeddedGraphs(museum.services.sql, { timeoutSeconds: 20 }, unexpected);
    await found(own, ALL);
    const idle = await timeOf(own);
    const { ended, told } = await besideASlowOne(own);
    expect(await found(own, ALL)).toEqual(["Harbour"]);
    expect([ended, storeProcesses()]).toEqual([[], [expect.any(Number), expect.any(Number)]]);
    const beside = await timeOf(own);
    expect(ended).toEqual([]);
    console.info(`a small query beside a slow one: ${(beside / idle).toFixed(1)} × its time alone`);
    own.close();
    await told;
  });

  inLong(it)("stops a slow query when others wait and there is no memory for a second process", async () => {
    const limits = { timeoutSeconds: 60, freeMemory: () => 0 };
    const own = embeddedGraphs(museum.services.sql, limits, unexpected);
    const left = new AbortController();
    const { ended, told } = await besideASlowOne(own, left.signal);
    // also if its client has gone, which alone ends nothing: the next process would have to be loaded
    left.abort();
    await setTimeout(1_500);
    expect([ended, storeProcesses()]).toEqual([[], [expect.any(Number)]]);
    expect(await found(own, ALL)).toEqual(["Harbour"]);
    await told;
    expect(ended).toEqual([expect.stringMatching(/stopped after [3-9] seconds, because others are waiting/)]);
    own.close();
  });

  inLong(it)("answers in turn when slow queries hold both processes", async () => {
    const own = embeddedGraphs(museum.services.sql, { timeoutSeconds: 60 }, unexpected);
    const one = await besideASlowOne(own);
    await expect.poll(storeProcesses, { timeout: 10_000 }).toHaveLength(2);
    const two = await besideASlowOne(own);
    expect(await found(own, ALL)).toEqual(["Harbour"]);
    // only one of them had to go
    expect([one.ended.length, two.ended.length]).toEqual([1, 0]);
    own.close();
    await two.told;
  });

  inLong(it)("keeps one process for others when several clients have slow queries", async () => {
    const own = embeddedGraphs(museum.services.sql, { timeoutSeconds: 60 }, unexpected);
    await found(own, ALL);
    const ended: string[] = [];
    const slow = (client: string) =>
      answered(own, query(ENDLESS, { client })).catch(() => ended.push(client));
    const all = [slow("first")];
    await expect.poll(storeProcesses, { timeout: 10_000 }).toHaveLength(2);
    all.push(slow("second"));
    const askedBeside = async () => {
      expect(await found(own, ALL, { client: "other" })).toEqual(["Harbour"]);
      return ended;
    };
    // as soon as both have a process
    await expect.poll(askedBeside, { interval: 1_500, timeout: 30_000 }).toEqual(["first"]);
    all.push(slow("first"), slow("first"));
    for (let n = 0; n < 5; n++) {
      await setTimeout(1_000);
      expect(await found(own, ALL, { client: `other ${n}` })).toEqual(["Harbour"]);
    }
    expect(ended).toEqual(["first"]);
    own.close();
    await Promise.all(all);
  });

  it("does not begin a query whose caller has left, and lets no one wait for it", async () => {
    await expect(answered(graphs, query(ALL), AbortSignal.abort())).rejects.toMatchObject({
      code: "timed_out",
    });
  });

  inLong(it)(
    "returns a large answer completely, in parts, and ends one that nobody reads further",
    async () => {
      const own = embeddedGraphs(museum.services.sql, { timeoutSeconds: 5 }, unexpected);
      const text = await answered(own, LONG);
      expect(JSON.parse(text).results.bindings[0].x.value).toBe("a🗿".repeat(500_000));
      // more answers than there are processes
      for (let n = 0; n < 3; n++) {
        const { content, over } = await own.query(LONG, NEVER);
        const reader = content.getReader();
        expect((await reader.read()).value!.length).toBeGreaterThan(1_000_000);
        await reader.cancel();
        await over;
      }
      const unread = await Promise.all([own.query(LONG, NEVER), own.query(LONG, NEVER)]);
      expect(await found(own, ALL)).toEqual(["Harbour"]);
      for (const { content, over } of unread) {
        await over;
        await expect(new Response(content).text()).rejects.toThrow("5 seconds");
      }
      own.close();
    },
  );

  it("loses only one of its processes to a query that breaks it", async () => {
    const own = embeddedGraphs(museum.services.sql, { timeoutSeconds: 20 }, unexpected);
    const unread = await own.query(LONG, NEVER);
    expect(await found(own, ALL)).toEqual(["Harbour"]);
    await unread.content.cancel();
    const before = storeProcesses();
    expect(before).toHaveLength(2);
    const deep = query(`SELECT * { FILTER(${"(".repeat(20_000)}1${")".repeat(20_000)}) }`);
    await expect(answered(own, deep)).rejects.toMatchObject({ code: "too_large" });
    expect(await found(own, ALL)).toEqual(["Harbour"]);
    await expect.poll(() => storeProcesses().filter((pid) => before.includes(pid)).length).toBe(1);
    own.close();
  });

  it("refuses an answer that is too large", async () => {
    const text =
      'SELECT ?x { BIND("Harbour" AS ?x) ?s ?p ?o . VALUES ?n { 1 2 3 4 5 6 7 8 9 } VALUES ?m { 1 2 3 4 5 6 7 8 9 } VALUES ?k { 1 2 3 4 5 6 7 8 9 } }';
    await expect(answered(graphs, query(text))).rejects.toMatchObject({ code: "too_large", status: 413 });
  });

  it("follows what another process of the service writes, and a database that was emptied", async () => {
    expect(await found(graphs, ALL)).toEqual(["Harbour"]);
    const other = embeddedGraphs(museum.services.sql, LIMITS, unexpected);
    await other.replace([
      { name: NAME.replace(/1$/, "2"), triples: harbour.triples.replace("Harbour", "Pier") },
    ]);
    expect(await found(graphs, ALL)).toEqual(["Harbour", "Pier"]);
    await museum.services.sql`truncate graphs`;
    expect(await found(graphs, ALL)).toEqual([]);
    other.close();
  });

  it("loads all other graphs beside one that cannot be read, and says which", async () => {
    const unfit: UnfitGraph[] = [];
    const own = embeddedGraphs(museum.services.sql, LIMITS, async (graph) => void unfit.push(graph));
    const stored = [2, 3, 4].map((n) => ({
      name: NAME.replace(/1$/, String(n)),
      id: ID.replace(/1$/, String(n)),
      triples: harbour.triples.replace('"Harbour"', n === 3 ? '"Bake"@nds-1' : `"Beacon ${n}"`),
    }));
    const { sql } = museum.services;
    for (const row of stored)
      await sql`insert into graphs (name, record_id, triples, changed)
        values (${row.name}, ${row.id}, ${row.triples}, nextval('graphs_changed'))`;
    expect(await found(own, ALL)).toEqual(["Beacon 2", "Beacon 4", "Harbour"]);
    await own.ping();
    expect(unfit).toEqual([{ name: stored[1]!.name, reason: expect.stringContaining("subtag") }]);
    await own.replace([{ name: stored[1]!.name, triples: harbour.triples.replace("Harbour", "Beacon 3") }]);
    expect(await found(own, ALL)).toEqual(["Beacon 2", "Beacon 3", "Beacon 4", "Harbour"]);
    own.close();
  });

  it("is emptied when it is switched off, as it then no longer follows the records", async () => {
    const { sql } = museum.services;
    await sql`insert into projections (target, about, is_filled) values ('graph', 'published', true)`;
    await sql`delete from projections where target = 'graph'`;
    expect(await found(graphs, ALL)).toEqual([]);
  });
});

describe("a graph server", () => {
  let server: GraphServer;
  beforeAll(async () => {
    server = await openGraphServer();
  });
  afterAll(() => server.close());

  it("that is down is reported as down", async () => {
    const graphs = graphServer({ url: "http://127.0.0.1:1" }, { timeoutSeconds: 5 });
    await expect(answered(graphs, query(ALL))).rejects.toMatchObject({ code: "unavailable" });
    await expect(graphs.ping()).rejects.toMatchObject({ code: "UNREACHABLE" });
    await expect(graphs.replace([harbour])).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it("that answers without end is not read for ever", async () => {
    const graphs = graphServer({ url: server.url }, { timeoutSeconds: 5, largest: 100 });
    await graphs.replace([harbour]);
    await expect(answered(graphs, query("SELECT * { ?s ?p ?o }"))).rejects.toMatchObject({
      code: "too_large",
    });
  });

  it("that wants a token for updates gets it, with updates alone", async () => {
    const guarded = await openGraphServer({ token: "let me in" });
    onTestFinished(() => guarded.close());
    await expect(graphServer({ url: guarded.url }, LIMITS).replace([harbour])).rejects.toMatchObject({
      code: "HTTP_401",
    });
    const graphs = graphServer({ url: guarded.url, token: "let me in" }, LIMITS);
    await graphs.replace([harbour]);
    expect(await found(graphs, ALL)).toEqual(["Harbour"]);
    expect(guarded.shown).toEqual(["/update Bearer let me in"]);
  });

  it("keeps the graphs of other programs", async () => {
    const graphs = graphServer({ url: server.url }, LIMITS);
    server.store.update(
      'INSERT DATA { GRAPH <urn:other> { <a:a> <a:b> "theirs" } GRAPH <urn:svc:graph:object:x> { <a:a> <a:b> "odd" } }',
    );
    await graphs.replace([{ name: NAME, triples: "" }]);
    expect(await graphs.idsAfter(null, 10)).toEqual([]);
    expect(await found(graphs, ALL)).toEqual(["odd", "theirs"]);
  });
});
