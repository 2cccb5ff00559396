/** One slow query never takes /sparql from others: one at a time per client, whoever asks, and whatever store answers. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ENDLESS } from "../ports/graph.ts";
import { inLong } from "../support/lane/lane.ts";
import { type Ask, type Museum, openMuseum } from "../support/museum/museum.ts";

const SMALL = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }";
const path = (query: string) => `/sparql?query=${encodeURIComponent(query)}`;
const OPEN = { TRIPLESTORE_ENABLED: "true", SPARQL_REQUIRE_AUTH: "false" };

inLong(describe)("the embedded store", () => {
  let museum: Museum;
  const open = async (seconds: string) => {
    museum = await openMuseum({
      demo: true,
      env: { ...OPEN, SPARQL_QUERY_TIMEOUT: seconds },
    });
  };
  afterEach(() => museum.close());

  it("answers a bystander beside a client with many slow queries, also right after the start", async () => {
    await open("30");
    const leaving = new AbortController();
    const ended: number[] = [];
    for (const n of [1, 2, 3, 4])
      void museum
        .ask(path(ENDLESS), { remote: `2001:db8:77:5:${n}::9`, signal: leaving.signal })
        .then(({ status }) => ended.push(status));
    for (let n = 0; n < 3; n++) {
      const { status } = await museum.ask(path(SMALL));
      expect([status, ended]).toEqual([200, []]);
    }
    leaving.abort();
  });

  it("makes a client wait after a query that took too long, and nobody else", async () => {
    await open("2");
    const remote = "2001:db8:77:6::1";
    const begun = performance.now();
    expect((await museum.ask(path(ENDLESS), { remote })).status).toBe(504);
    const took = performance.now() - begun;
    const order: string[] = [];
    const own = museum.ask(path(SMALL), { remote }).then(({ status }) => order.push(`own ${status}`));
    await museum.ask(path(SMALL)).then(({ status }) => order.push(`other ${status}`));
    await own;
    expect(order).toEqual(["other 200", "own 200"]);
    expect(performance.now() - begun).toBeGreaterThan(1.8 * took);
  });
});

describe("a server", () => {
  let museum: Museum;
  let server: Server;
  /** The queries that the server works on. */
  const running = new Map<string, ServerResponse>();
  const release = (word: string) => {
    running.get(word)!.writeHead(200, { "Content-Type": "application/sparql-results+json" }).end("{}");
    running.delete(word);
  };
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      const word = /urn:([a-z]+)/.exec(new URLSearchParams(body).get("query") ?? "")?.[1];
      // like Oxigraph and Fuseki, it does not notice that a client leaves
      if (word) running.set(word, response);
      else response.writeHead(204).end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const env = { ...OPEN, TRIPLESTORE_URL: `http://127.0.0.1:${port}`, SPARQL_QUERY_TIMEOUT: "20" };
    museum = await openMuseum({ env });
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await museum.close();
  });

  const works = () => [...running.keys()].sort();
  const asked = (who: Ask, word: string, init: { remote?: string; signal?: AbortSignal } = {}) =>
    who(path(`ASK { <urn:${word}> ?p ?o }`), init).then(async (answer) => {
      await answer.text();
      return answer.status;
    });

  it("gets one query at a time of each client: an address, an IPv6 network, an account", async () => {
    const editor = await museum.as("editor");
    const first = [
      asked(museum.ask, "first", { remote: "192.0.2.7" }),
      asked(museum.ask, "network", { remote: "2001:db8:1:1::1" }),
      asked(editor, "account", { remote: "192.0.2.1" }),
    ];
    await expect.poll(works).toEqual(["account", "first", "network"]);
    const second = [
      asked(museum.ask, "again", { remote: "192.0.2.7" }),
      asked(museum.ask, "neighbour", { remote: "2001:db8:1:1:8::2" }),
      asked(editor, "elsewhere", { remote: "192.0.2.2" }),
    ];
    const other = asked(museum.ask, "other", { remote: "192.0.2.8" });
    await expect.poll(works).toEqual(["account", "first", "network", "other"]);
    await setTimeout(200);
    expect(works()).toEqual(["account", "first", "network", "other"]);
    for (const word of works()) release(word);
    await expect.poll(works).toEqual(["again", "elsewhere", "neighbour"]);
    for (const word of works()) release(word);
    const statuses = await Promise.all([...first, ...second, other]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("gets no other query of a client that has left while the server works on", async () => {
    const leaving = new AbortController();
    const remote = "192.0.2.9";
    const left = asked(museum.ask, "abandoned", { remote, signal: leaving.signal });
    await expect.poll(works).toEqual(["abandoned"]);
    leaving.abort();
    const next = asked(museum.ask, "next", { remote });
    const other = asked(museum.ask, "other");
    await expect.poll(works).toEqual(["abandoned", "other"]);
    await setTimeout(200);
    expect(works()).toEqual(["abandoned", "other"]);
    release("abandoned");
    await expect.poll(works).toEqual(["next", "other"]);
    for (const word of works()) release(word);
    expect([await left, await next, await other]).toEqual([504, 200, 200]);
  });
});
