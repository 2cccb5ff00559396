/** One app for all requests, where each request has its own database connection that ends with it, as at the edge. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PerRequest, perRequest } from "../../src/adapters/database/server/per-request.ts";
import { poolOf } from "../../src/adapters/database/server/postgres.ts";
import { inDatabaseSearch } from "../../src/adapters/search/in-database.ts";
import { createApp } from "../../src/app.ts";
import type { Api } from "../../src/http/endpoint.ts";
import type { Services, Sql } from "../../src/services.ts";
import { followChange } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, type Museum, openMuseum } from "../support/museum/museum.ts";
import { newAccount, signedIn } from "../support/museum/signed-in.ts";

// the edge has no embedded database
describe.runIf(databases.includes("external"))("a connection for each request", () => {
  let museum: Museum;
  let edge: PerRequest;
  let api: Api;
  let editor: string;
  const used = new Set<Sql>();
  const ended: Sql[] = [];

  beforeAll(async () => {
    museum = await openMuseum({ database: "external", demo: true });
    edge = perRequest();
    const { sql } = edge;
    const services: Services = {
      ...museum.services,
      sql,
      search: inDatabaseSearch(sql, { inMemory: false }),
      changed: (ids) => followChange(services, ids),
    };
    api = createApp(services);
    const id = await newAccount(museum.services.sql, "edge@example.org", { role: "superuser" });
    editor = await signedIn(museum.services, { id, token_version: 1 });
  });
  afterAll(() => museum.close());

  async function connect(): Promise<Sql> {
    const pool = poolOf(museum.services.config.databaseUrl!, { max: 1 });
    const own: Sql = new Proxy(pool, {
      apply(_pool, _self, parameters) {
        used.add(own);
        return Reflect.apply(pool as never, undefined, parameters);
      },
    });
    const { end } = pool;
    pool.end = (options) => {
      ended.push(own);
      return end(options);
    };
    return own;
  }

  async function ask(path: string, init: RequestInit = {}, remote = "192.0.2.1") {
    const headers = { Authorization: `Bearer ${editor}`, ...(init.headers as Record<string, string>) };
    const request = new Request(`http://127.0.0.1${path}`, { ...init, headers });
    const own = await connect();
    const answer = await edge.answer(own, () => api.app.request(request, undefined, { remote }));
    return { own, answer };
  }
  const json = (body: unknown): RequestInit => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
  const visit = async (path: string, remote: string) => {
    const own = await connect();
    return { own, answer: await edge.answer(own, () => api.app.request(path, undefined, { remote })) };
  };

  inLong(it)(
    "answers two requests at once with separate connections, which end when their answers have been read",
    async () => {
      const [one, two] = await Promise.all([
        ask(
          "/v1/objects",
          json({ object_type: "painting", metadata_: { title: [{ value: "Slack tide" }] } }),
        ),
        ask("/v1/objects?page_size=2"),
      ]);
      expect([one.answer.status, two.answer.status]).toEqual([201, 200]);
      expect(ended).not.toContain(two.own);
      expect(((await two.answer.json()) as { items: unknown[] }).items).toHaveLength(2);
      expect(ended).toContain(two.own);
      expect(ended).not.toContain(one.own);
      const { id } = (await one.answer.json()) as { id: string };
      expect(ended).toContain(one.own);
      await expect(two.own`select 1`).rejects.toThrow("CONNECTION_ENDED");
      // somebody finds what they have written, with another connection
      const found = await ask("/v1/search?q=slack%20tide");
      expect(await found.answer.json()).toMatchObject({ total: 1, items: [{ id }] });
    },
  );

  it("queues the searches of visitors, and runs each with its own connection", async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_none, at) =>
        visit(`/portal/v1/search?q=harbour&page=${at + 1}`, "192.0.2.9"),
      ),
    );
    expect(all.filter(({ answer }) => answer.headers.has("X-Search-Degraded"))).toEqual([]);
    const totals = await Promise.all(all.map(async ({ answer }) => (await answer.json()).total));
    expect(totals[0]).toBeGreaterThan(0);
    expect(new Set(totals).size).toBe(1);
    expect(all.map(({ own }) => used.has(own))).toEqual(Array(12).fill(true));
  });

  inLong(it)("stays open while an answer is being read: a bulk edit, the events of a job", async () => {
    const line = (title: string) =>
      `${JSON.stringify({ object_type: "painting", metadata_: { title: [{ value: title }] } })}\n`;
    const bulk = await ask("/v1/objects/bulk", {
      method: "POST",
      body: Array.from({ length: 900 }, (_none, at) => line(`Wave ${at}`)).join(""),
      headers: { "Content-Type": "application/x-ndjson" },
    });
    expect(ended).not.toContain(bulk.own);
    const lines = (await bulk.answer.text()).trim().split("\n");
    expect(lines.map((one) => JSON.parse(one).outcome)).toEqual(Array(900).fill("created"));
    expect(ended).toContain(bulk.own);

    const queued = await ask("/v1/search/reindex", { method: "POST" });
    const { job_id } = (await queued.answer.json()) as { job_id: string };
    const events = await ask(`/v1/jobs/${job_id}/events`);
    const reader = events.answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    while (!said.includes(`"state":"queued"`)) said += (await reader.read()).value;
    expect((await ask(`/v1/jobs/${job_id}/cancel`, { method: "POST" })).answer.ok).toBe(true);
    while (!said.includes("event: cancelled")) said += (await reader.read()).value;
    expect((await reader.read()).done).toBe(true);
    expect(ended).toContain(events.own);
  });

  it("ends when the client goes away", async () => {
    const { own, answer } = await ask("/v1/objects?page_size=2");
    await answer.body!.cancel();
    expect(ended).toContain(own);
  });

  it("gives a clear error when the database is used outside of a request", async () => {
    const { sql } = edge;
    expect(() => sql`select 1`).toThrow("The database was used outside of a request");
    expect(() => sql.begin(async () => undefined)).toThrow("outside of a request");
    const answer = await api.app.request("/v1/objects", undefined, { remote: "192.0.2.2" });
    expect(answer.status).toBe(500);
    expect(museum.log.join("\n")).toContain("The database was used outside of a request");
  });
});
