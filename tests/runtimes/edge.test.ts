/** The service as a Worker, built and run by workerd, beside a service on Node that does its jobs (docs/edge.md). */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../servers/object-store.ts";
import { isSwiftHere, openSwift, SWIFT_MISSING } from "../servers/swift.ts";
import { notTried } from "../support/lane/skipped.ts";
import { begin, type Program } from "../support/programs/processes.ts";
import { type GraphServer, openGraphServer } from "../support/servers/graph-server.ts";
import { isRedisThere, openRedisRest, REDIS_MISSING, type RedisRest } from "../support/servers/redis-rest.ts";
import { createDatabase, isServerThere, SERVER_MISSING } from "../support/servers/server.ts";
import { ROOT } from "../support/sources.ts";
import { askEverything, SETTINGS } from "./everything.ts";
import { findWorkerd, runtimesHere } from "./runtimes.ts";
import {
  type Ask,
  asked,
  environment,
  freePort,
  type Settings,
  type Started,
  serve,
  svcManage,
} from "./started.ts";

/** docs/edge.md has the same list. */
const ELSEWHERE = [
  ...["GET /dumps", "GET /dumps/", "GET /dumps/index.json", "GET /dumps/sha256sums.txt", "GET /dumps/{file}"],
  ...["GET /admin/backups", "GET /admin/backups/{name}"],
  "PUT /v1/settings/logo",
  // without CANTALOUPE_URL
  "GET /iiif/3/{identifier}/{region}/{size}/{rotation}/{quality}",
];

const EMAIL = "admin@127.0.0.1";
const PASSWORD = "a lantern on the third pier";

const workerd = findWorkerd();
const [onNode] = runtimesHere("Node 24");
const needed = [
  [onNode !== undefined, "Node 24"],
  [workerd !== null, "workerd (npm run runtimes installs it)"],
  [await isServerThere(), SERVER_MISSING],
  [await isRedisThere(), REDIS_MISSING],
  [isSwiftHere(), SWIFT_MISSING],
] as const;
for (const [isThere, name] of needed) if (!isThere) notTried(name);

describe.runIf(needed.every(([isThere]) => isThere))("at the edge", () => {
  let directory: string;
  let database: { url: string; drop(): Promise<void> };
  let redis: RedisRest;
  let store: ObjectStore;
  let graphs: GraphServer;
  let settings: Settings;
  let node: Started;
  let edge: { program: Program; ask: Ask };
  let token: string;
  const edges: Program[] = [];

  /** `unset`: variables to leave out. */
  async function startEdge(...unset: string[]): Promise<{ program: Program; ask: Ask; url: string }> {
    const port = unset.length === 0 ? new URL(settings.SVC_BASE_URL!).port : await freePort();
    const command = [workerd!, "serve", "workerd.capnp", "--socket-addr", `http=127.0.0.1:${port}`];
    const own = Object.entries(settings).filter(([name]) => !unset.includes(name));
    const program = begin(command, environment(Object.fromEntries(own)), join(ROOT, "dist/edge"));
    edges.push(program);
    const url = `http://127.0.0.1:${port}`;
    const ask: Ask = (path, options) => asked(new URL(path, url), options);
    for (let isThere = false; !isThere && program.child.exitCode === null; ) {
      isThere = await ask("/robots.txt").then(
        () => true,
        () => setTimeout(100, false),
      );
    }
    return { program, ask, url };
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-edge-"));
    execFileSync(process.execPath, ["--import", "tsx", "cli/build/edge.ts"], { cwd: ROOT, stdio: "pipe" });
    [database, redis, store, graphs] = await Promise.all([
      createDatabase(),
      openRedisRest(undefined, `${crypto.randomUUID()}:`),
      openSwift(),
      openGraphServer(),
    ]);
    settings = {
      ...SETTINGS,
      SVC_DATA_DIR: directory,
      SVC_BASE_URL: `http://127.0.0.1:${await freePort()}`,
      SECRET_KEY: "9d2f61c08b7e4a35f1d06c9be874a3520b7f9e1c6d28a4f3",
      DATABASE_URL: database.url,
      UPSTASH_REDIS_REST_URL: redis.url,
      UPSTASH_REDIS_REST_TOKEN: redis.token,
      STORAGE_BACKEND: "s3",
      S3_ENDPOINT_URL: store.bucket.endpointUrl!,
      S3_BUCKET: store.bucket.bucket,
      S3_ACCESS_KEY: store.bucket.accessKey,
      S3_SECRET_KEY: store.bucket.secretKey,
      TRIPLESTORE_ENABLED: "true",
      TRIPLESTORE_URL: graphs.url,
    };
    await svcManage(onNode![1], settings, "migrate");
    const PORT = await freePort();
    // its own address, not the public one
    const ask: Ask = (path, options) => asked(new URL(path, `http://127.0.0.1:${PORT}`), options);
    node = { ...(await serve(onNode![1], { ...settings, PORT })), ask };
    edge = await startEdge();
  });
  afterAll(async () => {
    await Promise.all(edges.map((program) => program.kill("SIGKILL")));
    await node?.kill("SIGKILL");
    await Promise.all([redis?.close(), store?.close(), graphs?.close()]);
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it("is healthy, and lets the administrator sign in", async () => {
    const checks = async () => new Set(Object.values((await edge.ask("/health")).json.checks));
    await expect.poll(checks).toEqual(new Set(["ok"]));
    const written = await readFile(join(directory, "first-run-credentials.txt"), "utf8");
    const password = /^password: (.+)$/m.exec(written)![1]!;
    expect(await edge.ask("/v1/auth/login", { json: { email: EMAIL, password: "no" } })).toMatchObject({
      status: 401,
    });
    const entered = await edge.ask("/v1/auth/login", { json: { email: EMAIL, password } });
    const chosen = { current_password: password, new_password: PASSWORD };
    const changed = await edge.ask("/v1/auth/password", { token: entered.json.access_token, json: chosen });
    expect(changed).toMatchObject({ status: 200, json: { must_change_password: false } });
    token = changed.json.access_token;
  });

  it("answers every operation, page and form", async () => {
    const { wrong, asked } = await askEverything({
      ...{ ask: edge.ask, token, email: EMAIL, password: PASSWORD },
      askForPictures: node.ask,
      elsewhere: ELSEWHERE,
    });
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(400);
  });

  it("finds what it has just written, as a page, as LIDO and in a harvest", async () => {
    const draft = { object_type: "print", metadata_: { title: [{ value: "Bell buoy" }] } };
    const { json } = await edge.ask("/v1/objects", { token, json: draft });
    const path = `/v1/objects/${json.id}`;
    expect(await edge.ask(`${path}/publish`, { token, method: "POST" })).toMatchObject({ status: 200 });
    expect(await edge.ask("/portal/v1/search?q=buoy")).toMatchObject({
      json: { total: 1, items: [{ id: json.id }] },
    });
    const html = { headers: { Accept: "text/html" } };
    expect((await edge.ask("/search?q=buoy", html)).text).toContain("Bell buoy");
    const page = await edge.ask(`/objects/${json.id}`, html);
    expect(page.text).toMatch(/<h1[^>]*>Bell buoy<\/h1>/);
    const style = /href="(\/assets\/style[^"]+)"/.exec(page.text)![1]!;
    expect(await edge.ask(style)).toMatchObject({
      status: 200,
      text: expect.stringContaining("font-family"),
    });
    expect((await edge.ask(`${path}/export?format=lido`)).text).toContain("Bell buoy");
    expect((await edge.ask("/oai?verb=ListRecords&metadataPrefix=oai_dc")).text).toContain("Bell buoy");
    const query = encodeURIComponent('ASK { ?s ?p "Bell buoy" }');
    expect(await edge.ask(`/sparql?query=${query}`, { token })).toMatchObject({
      text: '{"head":{},"boolean":true}',
    });
    // the service on Node sees the same
    expect(await node.ask("/portal/v1/search?q=buoy")).toMatchObject({ json: { total: 1 } });
  });

  it("stores a file in the bucket, and serves any part of it", async () => {
    const objects = await edge.ask("/v1/objects?q=buoy", { token });
    const path = `/v1/objects/${objects.json.items[0].id}/media`;
    const bytes = Uint8Array.from({ length: 7_000_000 }, (_none, at) => (at * 7 + (at >> 8)) & 255);
    bytes.set(new TextEncoder().encode("%PDF-1.7"));
    const headers = { "Content-Type": "application/octet-stream" };
    const sent = await edge.ask(path, { token, method: "POST", headers, body: new Blob([bytes]).stream() });
    expect(sent).toMatchObject({ status: 201, json: { bytes: 7_000_000 } });
    const file = new URL(new URL(sent.json.links.file).pathname, settings.SVC_BASE_URL);
    expect(Buffer.from(await (await fetch(file)).arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(file, { headers: { Range: "bytes=1999999-2000001" } });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, "bytes 1999999-2000001/7000000"]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(1_999_999, 2_000_002));

    const body = new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1)]);
    expect(await edge.ask(path, { token, method: "POST", headers, body: body.stream() })).toMatchObject({
      status: 501,
      json: { type: "urn:svc:problem:not_implemented", detail: expect.stringContaining("native code") },
    });
  });

  it("reports on a job that the service on Node does, until it ends", async () => {
    const { json } = await edge.ask("/v1/search/reindex", { token, method: "POST" });
    const events = await edge.ask(`/v1/jobs/${json.job_id}/events`, { token });
    expect(events.text.match(/^event: .*$/gm)!.at(-1)).toBe("event: done");
  });

  it("answers many requests at once, and leaves no connection open when clients go away", async () => {
    const leaving = new AbortController();
    const left = fetch(new URL("/v1/objects/export", settings.SVC_BASE_URL), {
      signal: leaving.signal,
    });
    left.then(
      () => leaving.abort(),
      () => undefined,
    );
    const all = await Promise.all(
      Array.from({ length: 20 }, (_none, at) => edge.ask(`/portal/v1/search?q=buoy&page_size=${at + 1}`)),
    );
    expect(all.map(({ json }) => json.total)).toEqual(Array(20).fill(1));
    const sql = postgres(database.url, { max: 1 });
    const open = async () => {
      const [row] =
        await sql`select count(*)::int as n from pg_stat_activity where datname = current_database()`;
      return row!.n;
    };
    // the pool of the service on Node, and this connection
    await expect.poll(open).toBeLessThanOrEqual(11);
    await sql.end();
  });

  it("recognises callers, and ignores Cloudflare's headers where Cloudflare is not", async () => {
    const headers = { "CF-Connecting-IP": "198.51.100.7" };
    await edge.ask("/v1/auth/login", { json: { email: EMAIL, password: "no" }, headers });
    const events = await edge.ask("/v1/security-events?event=login_failed", { token });
    expect(events.json.items[0]).toMatchObject({ client: "127.0.0.1" });
  });

  it("says what is missing", async () => {
    const bare = await startEdge("TRIPLESTORE_URL");
    expect(await bare.ask("/sparql?query=ASK%20%7B%7D", { token })).toMatchObject({
      status: 501,
      json: { detail: expect.stringContaining("TRIPLESTORE_URL") },
    });
    const poor = await startEdge("UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN");
    expect(await poor.ask("/health")).toMatchObject({ status: 503, json: { status: 503 } });
    expect(poor.program.lines.join("\n")).toContain("UPSTASH_REDIS_REST_URL is not set: ");
  });
});
