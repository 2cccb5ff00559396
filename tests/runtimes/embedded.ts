import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDLESS } from "../ports/graph.ts";
import { askEverything, SETTINGS } from "./everything.ts";
import { runtimesHere } from "./runtimes.ts";
import {
  type Answer,
  type Ask,
  freePort,
  type Json,
  type Settings,
  type Started,
  serve,
  svcManage,
} from "./started.ts";

/** The triple store, open to visitors. */
const OPEN_SPARQL = { TRIPLESTORE_ENABLED: "true", SPARQL_REQUIRE_AUTH: "false" };

const NEW_PASSWORD = "a lantern on the third pier";
const LONGEST_STOP_SECONDS = 10;
const IS_LINUX = process.platform === "linux";

/**
 * A day in the life of a service; each test continues where the previous one ended. Versions of Node between the
 * oldest and the newest skip the tests that hang, kill or restore it.
 */
export function aDay(title: string, isEasy = false): void {
  const unlessEasy = (isEasy ? () => undefined : test) as typeof test;
  describe.each(runtimesHere(title))("on %s, with the embedded database", (_name, runtime) => {
    let directory: string;
    let settings: Settings;
    let service: Started;
    let token: string;
    let objectId: string;
    const ask: Ask = (path, options) => service.ask(path, options);
    /** Sends these bytes, and answers everything that comes back until the connection ends. */
    async function exchange(bytes: string): Promise<string> {
      const socket = connect(Number(settings.PORT), "127.0.0.1");
      let answer = "";
      socket.setEncoding("utf8").on("data", (piece) => {
        answer += piece;
      });
      socket.write(bytes);
      await once(socket, "close");
      return answer;
    }
    const asStaff: Ask = (path, options) => service.ask(path, { token, ...options });
    const signIn = async (password: string) =>
      ask("/v1/auth/login", { json: { email: "admin@example.org", password } });

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "svc-runtime-"));
      settings = {
        ...SETTINGS,
        SVC_DATA_DIR: join(directory, "data"),
        PORT: await freePort(),
        // memory is measured
        SVC_DATABASE_BUFFERS_MB: "64",
      };
    });
    afterAll(async () => {
      await service?.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    });

    test("starts on an empty directory, logs its progress, and shows the first password", async () => {
      service = await serve(runtime, settings);
      console.log(`${runtime.name}: first start ${service.seconds.toFixed(1)} s`);
      const said = service.lines
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Record<string, string>);
      expect(said.map(({ message }) => message)).toEqual([
        "creating the database",
        "migrating the database",
        "the database is migrated",
        "ready",
      ]);
      const { url, staff, api } = said.at(-1)!;
      expect({ url, staff, api }).toEqual({
        url: service.url,
        staff: `${service.url}/admin`,
        api: `${service.url}/api/docs`,
      });
      expect(service.lines).toContain("FIRST RUN");
      expect(service.lines.join("\n")).toMatch(/email: admin@example\.org\npassword: \S{20,}\n/);
    });

    test.runIf(IS_LINUX)("has used less than 600 MB of memory so far", async () => {
      const peak = await peakOf(service);
      console.log(`${runtime.name}: at most ${peak} MB for the first start`);
      expect(peak).toBeLessThan(600);
    });

    test("is healthy", async () => {
      const { status, json } = await ask("/health");
      expect({ status, json }).toMatchObject({ status: 200, json: { status: "ok" } });
      expect(new Set(Object.values(json.checks))).toEqual(new Set(["ok"]));
      expect(await ask("/health", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    });

    test("lets the administrator sign in, who must first choose a password", async () => {
      const path = join(directory, "data", "first-run-credentials.txt");
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const password = /^password: (.+)$/m.exec(await readFile(path, "utf8"))![1]!;
      expect(service.lines).toContain(`password: ${password}`);

      expectProblem(await signIn("not the password"), 401);
      const form = new URLSearchParams({ grant_type: "password", username: "admin@example.org", password });
      const first = await ask("/v1/auth/token", { body: form });
      expect(first).toMatchObject({
        status: 200,
        json: { token_type: "bearer", must_change_password: true },
      });
      token = first.json.access_token;

      expectProblem(await asStaff("/v1/objects"), 403);
      const chosen = { current_password: password, new_password: NEW_PASSWORD };
      const changed = await asStaff("/v1/auth/password", { json: chosen });
      expect(changed).toMatchObject({ status: 200, json: { must_change_password: false } });
      await expect(stat(path)).rejects.toThrow("ENOENT");
      expectProblem(await asStaff("/v1/auth/me"), 401);
      token = changed.json.access_token;
      expect(await asStaff("/v1/auth/me")).toMatchObject({ status: 200, json: { role: "superuser" } });
    });

    test("knows the address of the client, by which visitors are distinguished and counted", async () => {
      const events = await asStaff("/v1/security-events?event=login_failed");
      expect(events).toMatchObject({ status: 200, json: { items: [{ client: "127.0.0.1" }] } });
    });

    test("follows a job of the timetable to its end", async () => {
      const list = () => asStaff("/v1/jobs?kind=housekeeping");
      await expect.poll(async () => (await list()).json.total).toBe(1);
      const path = `/v1/jobs/${(await list()).json.items[0].job_id}`;
      const events = () => asStaff(`${path}/events`);
      const watched = events();
      await setTimeout(200);
      expect(await asStaff(`${path}/cancel`, { method: "POST" })).toMatchObject({
        status: 200,
        json: { state: "cancelled" },
      });
      const { status, headers, text } = await watched;
      expect([status, headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
      expect(text.match(/^event: .*$/gm)).toEqual(["event: progress", "event: cancelled"]);

      expect(await asStaff(`${path}/retry`, { method: "POST" })).toMatchObject({ status: 202 });
      expect((await events()).text.match(/^event: .*$/gm)!.at(-1)).toBe("event: done");
      expect(await asStaff(path)).toMatchObject({ status: 200, json: { status: "done", attempts: 1 } });
    });

    test("writes a record and reads it again", async () => {
      const draft = {
        object_type: "photograph",
        metadata_: { title: [{ value: "Fischer am Kai", lang: "de" }] },
      };
      expectProblem(await ask("/v1/objects", { json: draft }), 401);
      const created = await asStaff("/v1/objects", { json: draft });
      expect(created).toMatchObject({ status: 201, json: { status: "draft", metadata_: draft.metadata_ } });
      objectId = created.json.id;
      const location = new URL(created.headers.get("Location")!, service.url);
      expect(location.pathname).toBe(`/v1/objects/${objectId}`);
      expectProblem(await ask(`/v1/objects/${objectId}`), 404);

      const patch = {
        metadata_: {
          title: [{ value: "Fishermen on the quay", lang: "en" }],
          material: [{ value: "albumen print" }],
        },
      };
      const headers = {
        "If-Match": created.headers.get("ETag")!,
        "Content-Type": "application/merge-patch+json",
      };
      const body = JSON.stringify(patch);
      const patched = await asStaff(`/v1/objects/${objectId}`, { method: "PATCH", headers, body });
      expect(patched).toMatchObject({ status: 200, json: patch });
      expectProblem(await asStaff(`/v1/objects/${objectId}`, { method: "PATCH", headers, body }), 412);
      expect(await asStaff(`/v1/objects/${objectId}/publish`, { method: "POST" })).toMatchObject({
        status: 200,
      });

      const read = await ask(`/v1/objects/${objectId}`);
      expect(read).toMatchObject({ status: 200, json: { id: objectId, status: "public", ...patch } });
      const list = await ask("/api/v1/objects");
      expect(list).toMatchObject({ status: 200, json: { total: 1, items: [{ id: objectId }] } });
    });

    test("stores a file of several megabytes, and serves any part of it", async () => {
      const bytes = Uint8Array.from(
        { length: 3_000_000 },
        (_none, index) => (index * 7 + (index >> 8)) & 255,
      );
      bytes.set(new TextEncoder().encode("%PDF-1.7"));
      const path = `/v1/objects/${objectId}/media`;
      const headers = {
        "Content-Type": "application/pdf",
        "Content-Disposition": 'attachment; filename="letters.pdf"',
      };
      const sent = await asStaff(path, { method: "POST", body: new Response(bytes).body!, headers });
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      expect(sent).toMatchObject({
        status: 201,
        json: { filename: "letters.pdf", bytes: 3_000_000, sha256 },
      });
      const file = new URL(sent.json.links.file).pathname;
      const got = await fetch(new URL(file, service.url));
      expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
      const part = await fetch(new URL(file, service.url), { headers: { Range: "bytes=1999999-2000001" } });
      expect([part.status, part.headers.get("Content-Range"), part.headers.get("Content-Length")]).toEqual([
        206,
        "bytes 1999999-2000001/3000000",
        "3",
      ]);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(1_999_999, 2_000_002));
      const head = await fetch(new URL(file, service.url), { method: "HEAD" });
      expect([head.status, head.headers.get("Content-Length")]).toEqual([200, "3000000"]);
      expectProblem(await asStaff(path, { method: "POST", body: "<html></html>", headers }), 415);
    });

    test("answers 304 for a record that has not changed", async () => {
      const first = await ask(`/v1/objects/${objectId}`);
      const etag = first.headers.get("ETag")!;
      const again = await ask(`/v1/objects/${objectId}`, { headers: { "If-None-Match": etag } });
      expect(again).toMatchObject({ status: 304, text: "" });
      expect(again.headers.get("ETag")).toBe(etag);
    });

    test("finds the new record, counts it, and knows its history", async () => {
      const found = await ask("/v1/search?q=fishermen&facets=material");
      expect(found).toMatchObject({
        status: 200,
        json: { total: 1, items: [{ id: objectId, record_type: "object" }] },
      });
      expect(await ask("/portal/v1/search?q=nothing-of-the-kind")).toMatchObject({
        status: 200,
        json: { total: 0 },
      });
      const history = await asStaff(`/v1/objects/${objectId}/history`);
      expect(history).toMatchObject({ status: 200, json: { total: 4 } });
    });

    test("links two records, in both directions", async () => {
      const person = { entity_type: "person", metadata_: { name: [{ value: "Ada Quint" }] } };
      const { json: entity } = await asStaff("/v1/entities", { json: person });
      const types = await asStaff("/v1/relation-types");
      const type = types.json.items.find(
        (each: Json) => each.from_types.includes("object") && each.to_types.includes("entity"),
      );
      const link = { relation_type: type.name, to_type: "entity", to_id: entity.id };
      expect(await asStaff(`/v1/objects/${objectId}/relations`, { json: link })).toMatchObject({
        status: 201,
      });
      const back = await asStaff(`/v1/entities/${entity.id}/relations`);
      expect(back).toMatchObject({ status: 200, json: { total: 1 } });
      expect(back.text).toContain(objectId);
    });

    test("accepts a picture, makes its tiles, and shows them to visitors", async () => {
      const drawn = sharp({ create: { width: 1_300, height: 1_100, channels: 3, background: "#336699" } });
      const sent = await asStaff(`/v1/objects/${objectId}/media`, {
        method: "POST",
        body: new Response(new Uint8Array(await drawn.jpeg().toBuffer())).body!,
        headers: { "Content-Type": "application/octet-stream" },
      });
      expect(sent).toMatchObject({ status: 201, json: { width: 1_300, height: 1_100 } });
      const id = sent.json.media_id;
      const shown = async (path: string) => {
        const answer = await fetch(`${service.url}/iiif/3/${id}/${path}`);
        const { width, height } = await sharp(new Uint8Array(await answer.arrayBuffer())).metadata();
        return [answer.status, answer.headers.get("Content-Type"), width, height];
      };
      expect(await shown("full/!200,200/0/default.png")).toEqual([200, "image/png", 200, 169]);
      const medium = async () => (await asStaff(`/v1/objects/${objectId}/media/${id}`)).json;
      await expect.poll(async () => (await medium()).status).toBe("ready");
      expect(await shown("512,512,512,512/512,/0/default.jpg")).toEqual([200, "image/jpeg", 512, 512]);
      expect(await shown("0,0,1300,1100/max/90/gray.webp")).toEqual([200, "image/webp", 1_100, 1_300]);
    });

    test("accepts many records as a stream, and answers line by line", async () => {
      const lines = Array.from({ length: 500 }, (_, n) => ({
        object_type: "print",
        idno: `BULK-${n}`,
        metadata_:
          n === 250 ? { no_such_field: [{ value: "x" }] } : { title: [{ value: `Print number ${n}` }] },
      }));
      const answer = await asStaff("/v1/objects/bulk", {
        headers: { "Content-Type": "application/x-ndjson" },
        body: streamOf(lines.map((line) => `${JSON.stringify(line)}\n`)),
      });
      expect(answer.status).toBe(200);
      const results = answer.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(results).toHaveLength(500);
      expect(results.filter(({ outcome }) => outcome !== "created").map(({ line }) => line)).toEqual([251]);
    });

    test("serves the pages about its API with all their files", async () => {
      const description = await ask("/openapi.json");
      expect(description).toMatchObject({ status: 200, json: { openapi: expect.stringMatching(/^3\.1\./) } });
      for (const path of ["/api/docs", "/api/redoc"]) {
        const page = await ask(path);
        expect(page.status).toBe(200);
        expect(page.headers.get("Content-Type")).toMatch(/^text\/html/);
        const assets = [...page.text.matchAll(/(?:src|href)="(docs\/assets\/[^"]+)"/g)].map(
          ([, asset]) => asset!,
        );
        expect(assets.length).toBeGreaterThan(1);
        for (const asset of assets) {
          const address = `/api/${asset}`;
          const { status, headers, text } = await ask(address);
          expect({ asset, status }).toEqual({ asset, status: 200 });
          expect(headers.get("Content-Type")).toMatch(/^(text\/(javascript|css)|image\/png)/);
          expect(text.length).toBeGreaterThan(500);
          const known = { "If-None-Match": headers.get("ETag")! };
          expect(await ask(address, { headers: known })).toMatchObject({ status: 304 });
        }
      }
    });

    test("serves its home page to browsers, with styles and fonts", async () => {
      const page = await ask("/", { headers: { Accept: "text/html" } });
      expect(page).toMatchObject({
        status: 200,
        text: expect.stringContaining("<h1>Collections catalogue</h1>"),
      });
      expect(page.headers.get("Content-Security-Policy")).toContain("style-src 'self'");
      const linked = [...page.text.matchAll(/href="(\/assets\/[^"]+)"/g)].map(([, address]) => address!);
      // the icon, the font, and the styles of all pages, of searches and of this page
      expect(linked.length).toBe(5);
      for (const address of linked) {
        const asset = await ask(address);
        expect({ address, status: asset.status }).toEqual({ address, status: 200 });
        expect(asset.headers.get("Cache-Control")).toContain("immutable");
        expect(asset.text.length).toBeGreaterThan(200);
      }
      const missing = await ask("/no/such/page", { headers: { Accept: "text/html" } });
      expect(missing).toMatchObject({ status: 404, text: expect.stringContaining("There is nothing here") });
    });

    test("explains what it does not accept", async () => {
      const object = `/v1/objects/${objectId}`;
      expectProblem(await ask("/v1/objects/00000000-0000-4000-8000-000000000000"), 404);
      expectProblem(await ask("/no/such/page"), 404);
      expectProblem(await ask(object, { headers: { Accept: "image/png" } }), 406);
      const wrongMethod = await asStaff("/v1/search", { method: "DELETE" });
      expectProblem(wrongMethod, 405);
      expect(wrongMethod.headers.get("Allow")).toContain("GET");
      expectProblem(
        await asStaff("/v1/objects", { headers: { "Content-Type": "text/plain" }, body: "{}" }),
        415,
      );
      expectProblem(
        await asStaff("/v1/objects", { headers: { "Content-Type": "application/json" }, body: "{" }),
        400,
      );
    });

    test("refuses a body that is too large, with or without an announced length", async () => {
      const headers = { "Content-Type": "application/json" };
      const large = JSON.stringify({ metadata_: { title: [{ value: "x".repeat(3 * 1024 * 1024) }] } });
      expectProblem(await asStaff("/v1/objects", { headers, body: large }), 413);
      expectProblem(await asStaff("/v1/objects", { headers, body: streamOf([large]) }), 413);
      expect(await ask("/health")).toMatchObject({ status: 200 });
    });

    test("lets svc-manage run at the same time", async () => {
      const migrated = await svcManage(runtime, settings, "migrate");
      expect(migrated).toEqual({ code: 0, output: "The database is up to date" });

      const csv = join(directory, "three.csv");
      const mapping = join(directory, "mapping.json");
      await writeFile(csv, "number,name\nCSV-1,Compass\nCSV-2,Sextant\nCSV-3,Quadrant\n");
      await writeFile(mapping, JSON.stringify({ number: "__idno__", name: "title" }));
      const imported = await svcManage(
        runtime,
        settings,
        ...[
          "import-csv",
          csv,
          "--type",
          "object",
          "--subtype",
          "print",
          "--mapping",
          mapping,
          "--auto-publish",
          "--json",
        ],
      );
      expect(imported).toMatchObject({ code: 0, output: expect.stringContaining('"created":3') });
      await expect.poll(async () => (await ask("/v1/search?q=sextant")).json.total).toBe(1);
    });

    test("does not share its data directory or its port with a second service", async () => {
      const samePort = await svcManage(runtime, settings, "serve");
      expect(samePort).toEqual({
        code: 1,
        output: `Cannot listen on 127.0.0.1:${settings.PORT}: another program listens there already; stop it, or set PORT to a free one`,
      });
      const second = await svcManage(runtime, { ...settings, PORT: "0" }, "serve");
      expect(second).toEqual({
        code: 1,
        output:
          `The data directory ${settings.SVC_DATA_DIR} is already in use by process ${service.child.pid}, the service or a command. ` +
          "Stop it, wait until it ends, or set another SVC_DATA_DIR",
      });
      expect(await ask("/health")).toMatchObject({ status: 200 });
    });

    test.runIf(IS_LINUX)("has used at most 640 MB of memory", async () => {
      const peak = await peakOf(service);
      console.log(`${runtime.name}: at most ${peak} MB until the evening`);
      expect(peak).toBeLessThan(640);
    });

    test("refuses a method that no route has with 501", async () => {
      const answer = await exchange(
        "PROPFIND /v1/objects HTTP/1.1\r\nHost: museum\r\nConnection: close\r\n\r\n",
      );
      expect(answer).toMatch(/^HTTP\/1\.1 501 /);
      expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({
        type: "urn:svc:problem:not_implemented",
        detail: "PROPFIND is not a method that this service knows",
      });
    });

    test("finishes its work when it is told to stop, and exits cleanly", async () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const send = (line: object) => writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
      const headers = { "Content-Type": "application/x-ndjson" };
      const answer = asStaff("/v1/objects/bulk", { headers, body: readable });
      await send({ object_type: "print", idno: "LAST-1" });
      await setTimeout(300);
      const stopped = service.stop();
      await setTimeout(300);
      await send({ object_type: "print", idno: "LAST-2" });
      await writer.close();
      const { status, text } = await answer;
      expect({ status, created: text.split("created").length - 1 }).toEqual({ status: 200, created: 2 });
      const { code, seconds } = await stopped;
      expect(code).toBe(0);
      expect(seconds).toBeLessThan(LONGEST_STOP_SECONDS);
    });

    test("starts again with all its data, and without a second administrator", async () => {
      service = await serve(runtime, settings);
      console.log(`${runtime.name}: started again in ${service.seconds.toFixed(1)} s`);
      expect(service.lines).not.toContain("FIRST RUN");
      // the signing key is kept, so sessions continue
      expect(await asStaff("/v1/objects?idno=LAST-2")).toMatchObject({ status: 200, json: { total: 1 } });
      expect(await signIn(NEW_PASSWORD)).toMatchObject({
        status: 200,
        json: { must_change_password: false },
      });
    });

    unlessEasy("starts again after it was killed, with every write that it had answered", async () => {
      const { status } = await asStaff("/v1/objects", {
        json: { object_type: "print", idno: "BEFORE-THE-KILL" },
      });
      expect(status).toBe(201);
      await service.kill("SIGKILL");
      service = await serve(runtime, settings);
      expect(await asStaff("/v1/objects?idno=BEFORE-THE-KILL")).toMatchObject({
        status: 200,
        json: { total: 1 },
      });
      expect(await ask("/v1/search?q=sextant")).toMatchObject({ status: 200, json: { total: 1 } });
      expect(await ask("/health")).toMatchObject({ status: 200 });
    });

    unlessEasy("stops although a request never ends, and answers others in the meantime", async () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const headers = { "Content-Type": "application/x-ndjson" };
      const broken = asStaff("/v1/objects/bulk", { headers, body: readable }).then(
        () => "answered",
        () => "broken off",
      );
      await writer.write(new TextEncoder().encode('{"object_type": "print"}\n'));
      await setTimeout(300);
      const stopped = service.stop();
      await setTimeout(300);
      // on a new connection: open ones are answered until the end
      const newcomer = await new Promise((resolve) => {
        get(new URL("/health", service.url), { agent: false }, ({ statusCode }) => resolve(statusCode)).on(
          "error",
          () => resolve("refused"),
        );
      });
      // Deno cannot stop listening while a request is still being sent
      expect(newcomer).toBe(runtime.name.startsWith("Deno") ? 200 : "refused");
      const { code, seconds } = await stopped;
      expect(code).toBe(0);
      expect(seconds).toBeLessThan(LONGEST_STOP_SECONDS);
      await broken;
      await writer.abort().catch(() => undefined);
      service = await serve(runtime, settings);
    });

    const sparql = (query: string) => `/sparql?query=${encodeURIComponent(query)}`;

    test("answers SPARQL", async () => {
      await service.stop();
      service = await serve(runtime, { ...settings, ...OPEN_SPARQL });
      const title = { metadata_: { title: [{ value: "Foghorn" }] } };
      expect(
        await asStaff(`/v1/objects/${objectId}`, {
          method: "PATCH",
          headers: { "Content-Type": "application/merge-patch+json" },
          body: JSON.stringify(title),
        }),
      ).toMatchObject({ status: 200 });
      const found = await ask(sparql('ASK { ?s ?p "Foghorn" }'));
      expect(found).toMatchObject({ status: 200, text: '{"head":{},"boolean":true}' });
      // in several parts
      const long = await ask("/sparql", {
        body: `SELECT (REPLACE("${"o".repeat(2_000)}", "o", "${"ü".repeat(1_000)}") AS ?x) {}`,
        headers: { "Content-Type": "application/sparql-query" },
      });
      expect(JSON.parse(long.text).results.bindings[0].x.value).toHaveLength(2_000_000);
    });

    unlessEasy("stops SPARQL queries when it is killed", async () => {
      const busy = () => childrenOf(service.child.pid!).filter((each) => each.includes("store-process"));
      ask(sparql(ENDLESS)).catch(() => undefined);
      await setTimeout(1_000);
      const pids = busy().map((each) => Number.parseInt(each, 10));
      expect(pids.length).toBeGreaterThan(0);
      await service.kill("SIGKILL");
      await expect.poll(() => pids.filter(isRunning), { timeout: 5_000 }).toEqual([]);
      service = await serve(runtime, { ...settings, ...OPEN_SPARQL });
    });

    test("answers every operation, page and form", async () => {
      const account = { email: "admin@example.org", password: NEW_PASSWORD };
      const { wrong, asked } = await askEverything({ ask, token, ...account });
      expect(wrong).toEqual([]);
      expect(asked).toBeGreaterThan(400);
    });

    unlessEasy("is backed up while it runs", async () => {
      const { code, output } = await svcManage(runtime, settings, "backup");
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/db_\w+\.sql\.gz/) });
    });

    test("exits cleanly when it is idle, with visitors still connected", async () => {
      // a job of the killed process counts as running until its lease ends and another process has done it
      const running = async () => (await asStaff("/v1/jobs?state=running")).json.total;
      await expect.poll(running, { timeout: 120_000 }).toBe(0);
      const { code, seconds } = await service.stop("SIGINT");
      expect(code).toBe(0);
      expect(seconds).toBeLessThan(LONGEST_STOP_SECONDS);
    });

    // three commands, one of which creates a database
    unlessEasy("is restored from its backup, which was verified before", async () => {
      const verified = await svcManage(runtime, settings, "backup", "verify", "--json");
      expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('"on":"an embedded"') });
      const [, file] = /(db_\w+\.sql\.gz)/.exec(verified.output)!;
      const gone = await svcManage(runtime, settings, "db-reset", "--yes", "--no-backup");
      expect(gone).toMatchObject({ code: 0, output: expect.stringMatching(/^Deleted: \d+ records/) });
      const restored = await svcManage(runtime, settings, "restore", file!, "--force");
      expect(restored).toMatchObject({
        code: 0,
        output: expect.stringMatching(/[1-9]\d* records are in the search index/),
      });
    });
  });
}

/** Process ids and commands. */
function childrenOf(pid: number): string[] {
  return execFileSync("ps", ["-Ao", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.split(/ +/)[1] === String(pid));
}

/** A process that has ended may still be listed until somebody has noticed its end. */
function isRunning(pid: number): boolean {
  const state = execFileSync("sh", ["-c", `ps -o state= -p ${pid} || true`], { encoding: "utf8" }).trim();
  return state !== "" && state !== "Z";
}

function expectProblem({ status, headers, json }: Answer, expected: number): void {
  expect({ status, type: headers.get("Content-Type") }).toEqual({
    status: expected,
    type: expect.stringMatching(/^application\/problem\+json/),
  });
  expect(json).toMatchObject({
    status: expected,
    title: expect.any(String),
    detail: expect.stringMatching(/\w+ \w+/),
  });
}

/** A body made while it is sent, without a length in advance. */
function streamOf(parts: readonly string[]): ReadableStream<Uint8Array> {
  const bytes = parts.map((part) => new TextEncoder().encode(part));
  return new ReadableStream({
    pull(controller) {
      const next = bytes.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
}

/** The most memory that the process ever had, in megabytes. */
async function peakOf({ child }: Started): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024);
}
