import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cantaloupeImages } from "../../src/adapters/images/cantaloupe.ts";
import { mediaDirectory } from "../../src/adapters/images/media-root.ts";
import { createApp } from "../../src/app.ts";
import { reasonOf } from "../../src/health/reason.ts";
import { errorFields } from "../../src/log.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import type { Services } from "../../src/services.ts";
import { beat } from "../../workers/heartbeat.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere, openMuseum } from "../support/museum/museum.ts";

const wordsOf = (error: unknown) => say(ENGLISH, reasonOf(error));

const NAMES = ["database", "elasticsearch", "redis", "beat_heartbeat", "cantaloupe"];

type Health = {
  status: string;
  checks: Record<string, string>;
  queue_backlog: number;
  backup_age_hours: number | null;
};

const fail = (error: unknown) => () => Promise.reject(error);

describe.each(databases)("the health of a museum with the %s database", async (database) => {
  const museum = await museumHere({ database });
  beforeEach(async () => {
    await museum.services.sql`delete from outbox`;
    await beat(museum.services);
  });

  /** The health of a museum like this one, with some services replaced. Nothing is cached from earlier requests. */
  async function health(
    changes: Partial<Services> = {},
    headers: Record<string, string> = {},
  ): Promise<{ answer: Response; body: Health }> {
    const { app } = createApp({ ...museum.services, ...changes });
    const answer = await app.request("/health", { headers });
    return { answer, body: (await answer.json()) as Health };
  }

  it("is ok when everything is", async () => {
    const { answer, body } = await health();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(body).toEqual({
      status: "ok",
      checks: Object.fromEntries(NAMES.map((name) => [name, "ok"])),
      queue_backlog: 0,
      backup_age_hours: null,
    });
  });

  it("is reported whatever a monitor accepts", async () => {
    const answer = await museum.ask("/health", { headers: { Accept: "text/plain" } });
    expect(answer.status).toBe(200);
  });

  it("counts the records that wait for indexing, which does not change the status", async () => {
    const { sql } = museum.services;
    await sql`insert into outbox (target, record_id) select 'search', gen_random_uuid() from generate_series(1, 7)`;
    const { answer, body } = await health();
    expect([answer.status, body.status, body.queue_backlog]).toEqual([200, "ok", 7]);
  });

  it("also counts waiting jobs, but not those scheduled for later", async () => {
    const { sql } = museum.services;
    await sql`insert into jobs (id, kind) select gen_random_uuid(), 'housekeeping' from generate_series(1, 3)`;
    await sql`insert into jobs (id, kind, run_after) values (gen_random_uuid(), 'housekeeping', now() + interval '1 hour')`;
    const { answer, body } = await health();
    await sql`delete from jobs`;
    expect([answer.status, body.queue_backlog]).toEqual([200, 3]);
  });

  it("is degraded if the worker has not been seen for a minute", async () => {
    await museum.services.sql`update heartbeats set at = clock_timestamp() - interval '75 seconds'`;
    const { answer, body } = await health();
    expect([answer.status, body.status]).toEqual([503, "degraded"]);
    expect(body.checks.beat_heartbeat).toMatch(/^the worker was last seen 7\d seconds ago$/);
    expect(body.checks.database).toBe("ok");
  });

  it("is degraded if no worker was ever seen, and ignores the heartbeat of another program", async () => {
    await museum.services.sql`update heartbeats set name = 'another'`;
    const { answer, body } = await health();
    await museum.services.sql`delete from heartbeats`;
    expect([answer.status, body.checks.beat_heartbeat]).toEqual([503, "no worker has been seen yet"]);
  });

  it("is degraded if the search index cannot be reached, and does not reveal its address", async () => {
    const error = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3:8108 (key s3cret)"), {
      code: "ECONNREFUSED",
    });
    const { answer, body } = await health({ search: { ...museum.services.search, ping: fail(error) } });
    expect(answer.status).toBe(503);
    expect(body.checks).toMatchObject({ elasticsearch: "refuses connections", database: "ok" });
    expect(JSON.stringify(body)).not.toMatch(/10\.1\.2\.3|s3cret/);
  });

  it("gives its reasons in the language of the reader", async () => {
    const ping = fail(Object.assign(new Error("no"), { code: "ECONNREFUSED" }));
    const search = { ...museum.services.search, ping };
    const { answer, body } = await health({ search }, { "Accept-Language": "de-AT" });
    expect(answer.status).toBe(503);
    expect(body.checks).toMatchObject({ elasticsearch: "nimmt keine Verbindungen an", database: "ok" });
  });

  it("says only that something failed if the error is unknown", async () => {
    const ping = fail(new Error("password authentication failed for user svc at db.internal"));
    const { body } = await health({ images: { ...museum.services.images, ping } });
    expect(body.checks.cantaloupe).toBe("failed; the log says why");
    expect(museum.log.filter((line) => line.includes("db.internal")).length).toBe(1);
  });

  it("is reported even if the database is down", async () => {
    const sql = postgres("postgres://svc:secret@127.0.0.1:1/nowhere", { max: 3, connect_timeout: 1 });
    const { answer, body } = await health({ sql });
    await sql.end({ timeout: 0 });
    expect(answer.status).toBe(503);
    for (const name of ["database", "redis", "beat_heartbeat"]) expect(body.checks[name]).not.toBe("ok");
    expect(body.queue_backlog).toBe(0);
    expect(JSON.stringify(body)).not.toMatch(/secret|nowhere|127\.0\.0\.1/);
  });

  inLong(it)("waits two seconds for checks without an answer, all at the same time", async () => {
    let pings = 0;
    const never = () => {
      pings += 1;
      return new Promise<void>(() => undefined);
    };
    const { app } = createApp({
      ...museum.services,
      search: { ...museum.services.search, ping: never },
      images: { ...museum.services.images, ping: never },
    });
    const started = performance.now();
    const body = (await (await app.request("/health")).json()) as Health;
    expect(performance.now() - started).toBeLessThan(3_500);
    expect(body.checks).toMatchObject({
      elasticsearch: "no answer in time",
      cantaloupe: "no answer in time",
      database: "ok",
    });
    // a second request waits for the check that is under way, and starts no other
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await app.request("/health");
    expect(pings).toBe(2);
  });

  inLong(it)("is measured once for all requests at the same time, and again a second later", async () => {
    let pings = 0;
    const { app } = createApp({
      ...museum.services,
      images: {
        ...museum.services.images,
        async ping() {
          pings += 1;
        },
      },
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.request("/health")));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    await app.request("/health");
    expect(pings).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await app.request("/health");
    expect(pings).toBe(2);
  });

  it("includes the triple store only if it is enabled", async () => {
    const away = Object.assign(new Error("away"), { code: "UNREACHABLE" });
    const graphs = { ping: () => Promise.reject(away) } as unknown as Services["graphs"];
    const { answer, body } = await health({ graphs });
    expect([answer.status, body.status]).toEqual([503, "degraded"]);
    expect(Object.keys(body.checks)).toEqual([...NAMES, "oxigraph"]);
    expect(body.checks.oxigraph).toBe("cannot be reached");
  });

  it("is logged when it changes, not at each request", async () => {
    let broken = true;
    const { app } = createApp({
      ...museum.services,
      images: {
        ...museum.services.images,
        async ping() {
          if (broken) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        },
      },
    });
    const before = museum.log.length;
    await app.request("/health");
    for (const state of [true, false]) {
      broken = state;
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await app.request("/health");
    }
    const lines = museum.log.slice(before).filter((line) => line.includes("dependency"));
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(["warn", "info"]);
  });
});

describe("the reason of a failure", () => {
  it("names every address of a host, none of which answers", () => {
    const refused = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:25`));
    expect(errorFields(new AggregateError(refused)).error).toBe(
      "connect ECONNREFUSED ::1:25; connect ECONNREFUSED 127.0.0.1:25",
    );
  });

  it("is found in the cause of a failed fetch", () => {
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND img.internal"), { code: "ENOTFOUND" });
    expect(wordsOf(new TypeError("fetch failed", { cause }))).toBe("its host name is unknown");
  });

  it("is the error's code if there are no words for it, and never the error's text", () => {
    expect(wordsOf(Object.assign(new Error("user svc"), { code: "XX000" }))).toBe("failed (XX000)");
    expect(wordsOf(Object.assign(new Error("x"), { code: "see /etc/passwd" }))).toBe(
      "failed; the log says why",
    );
    expect(wordsOf("a string")).toBe("failed; the log says why");
  });
});

describe("the media directory", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-media-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("is created at the start, is healthy if it can be written, and is left unchanged", async () => {
    const root = join(directory, "deep", "media");
    await mediaDirectory(root).ping();
    expect(await readdir(root)).toEqual([]);
  });

  it("is unhealthy if it is deleted", async () => {
    const root = join(directory, "media");
    const images = mediaDirectory(root);
    await images.ping();
    await rm(root, { recursive: true });
    expect(wordsOf(await images.ping().catch((error) => error))).toBe("the directory is missing");
  });

  it("is unhealthy if a file is in its place", async () => {
    await writeFile(join(directory, "media"), "");
    const images = mediaDirectory(join(directory, "media"));
    expect(wordsOf(await images.ping().catch((error) => error))).toBe("the directory is missing");
  });
});

inLong(it)("the API description says what is measured for the built-in image server", async () => {
  const { services, api, close } = await openMuseum();
  expect(services.config.cantaloupeUrl).toBeNull();
  const description = await (await api.app.request("/openapi.json")).json();
  const { cantaloupe } = description.components.schemas.Health.properties.checks.properties;
  expect(cantaloupe.description).toContain("it can render a picture, and MEDIA_ROOT is writable");
  await close();
});

describe("Cantaloupe", () => {
  let server: Server;
  let answers: Record<string, number>;
  let asked: string[] = [];
  const ping = () => cantaloupeImages(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).ping();
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(answers[request.url ?? ""] ?? 500, { Location: "/elsewhere" }).end("x");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.close();
  });

  it("is healthy if it says so", async () => {
    answers = { "/health": 200 };
    await ping();
  });

  it("is asked for its image API if it does not reveal its health", async () => {
    answers = { "/health": 403, "/iiif/3": 200 };
    await ping();
    answers = { "/health": 404, "/iiif/3": 404 };
    expect(wordsOf(await ping().catch((error) => error))).toBe("failed (HTTP_404)");
  });

  it("is not followed to another address", async () => {
    asked = [];
    answers = { "/health": 302, "/elsewhere": 200 };
    expect(wordsOf(await ping().catch((error) => error))).toBe("failed (HTTP_302)");
    expect(asked).toEqual(["/health"]);
  });

  it("is unhealthy if it answers with an error, or not at all", async () => {
    answers = { "/health": 500 };
    expect(wordsOf(await ping().catch((error) => error))).toBe("failed (HTTP_500)");
    const gone = cantaloupeImages("http://127.0.0.1:1");
    expect(wordsOf(await gone.ping().catch((error) => error))).toBe("cannot be reached");
  });
});
