/** Every part of a request is understood or refused, never ignored, and answers use the prefix of the request. */
import { expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config/read.ts";
import { newId } from "../../src/ids.ts";
import { inLong } from "../support/lane/lane.ts";
import { createObject, type ProblemJson, read } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { openCounter } from "../support/servers/counters.ts";

const PORTAL = "https://portal.museum.example";

const museum = await museumHere({ env: { CORS_ORIGINS: PORTAL } });
const admin = await museum.as("superuser");

const pointers = async (answer: Promise<Response>) =>
  (await read<ProblemJson>(await answer, 422)).errors?.map(({ pointer }) => pointer);

inLong(it)("every route of the API refuses an unknown query parameter", async () => {
  const silent: string[] = [];
  for (const { method, path, page } of museum.api.routes) {
    // links to pages come with parameters of the sites that contain them,
    // viewers and resolvers add their own to the addresses that they were given (IIIF Image API, ARK),
    // and OAI-PMH has its own answer for them (badArgument)
    if (page || path.startsWith("/iiif/3/") || path.startsWith("/ark:") || path === "/oai") continue;
    const filled = path
      .replace(/\{type\}/g, "object")
      .replace(/\{(?:id|\w+_id)\}/g, crypto.randomUUID())
      .replace("{source}", "gnd")
      .replace("{name}", path.includes("/files/") ? "rejects" : "1")
      .replace(/\{\w+\}/g, "1");
    const answer = await admin(`${filled}?frobnicate=1`, { method });
    const text = await answer.text();
    if (answer.status !== 422 || !text.includes("query:frobnicate")) silent.push(`${method} ${path}`);
  }
  expect(silent).toEqual([]);
});

it("an unknown parameter such as dry_run publishes nothing, and an unknown page_size shortens no list", async () => {
  const { id } = await createObject(admin, "Harbour at dusk");
  expect(await pointers(admin(`/v1/objects/${id}/publish?dry_run=true`, { method: "POST" }))).toEqual([
    "query:dry_run",
  ]);
  expect(await read(admin(`/v1/objects/${id}`))).toMatchObject({ status: "draft" });
  expect(await pointers(admin("/v1/vocabularies?page_size=1"))).toEqual(["query:page_size"]);
});

it("an empty number does not match every number", async () => {
  expect(await pointers(admin("/v1/objects?idno="))).toEqual(["query:idno"]);
  expect(await pointers(admin("/v1/objects/trash?idno=%20"))).toEqual(["query:idno"]);
});

it("a new record cannot bring its own id, but an answer that is sent back may have one", async () => {
  const id = newId();
  expect(await pointers(admin("/v1/objects", { json: { id } }))).toEqual(["/id"]);
  const made = await createObject(admin, "Nets drying");
  const again = { ...made, status: "internal" };
  expect(await read(admin(`/v1/objects/${made.id}`, { method: "PUT", json: again }))).toMatchObject({
    id: made.id,
    status: "internal",
  });
});

it("an import can be undone without a body", async () => {
  const ndjson = [{ metadata_: { title: [{ value: "The ferry" }] } }];
  const begin = async () => {
    const answer = await admin("/v1/objects/bulk", { ndjson });
    await answer.text();
    return `/v1/imports/${answer.headers.get("X-Import-Id")}/undo`;
  };
  expect(await read(admin(await begin(), { method: "POST" }), 202)).toMatchObject({ kind: "import-undo" });
  const typed = { method: "POST", headers: { "Content-Type": "application/json" } };
  expect((await admin(await begin(), typed)).status).toBe(202);
  expect((await admin(await begin(), { method: "POST", body: "no JSON" })).status).toBe(415);
});

it("what was created under /api/v1 is addressed there", async () => {
  for (const prefix of ["/v1", "/api/v1"]) {
    const rebuilt = await admin(`${prefix}/search/reindex`, { method: "POST" });
    expect(rebuilt.headers.get("Location")).toMatch(new RegExp(`^${prefix}/jobs/`));
    const made = await admin(`${prefix}/objects`, { json: {} });
    expect(made.headers.get("Location")).toMatch(new RegExp(`^${prefix}/objects/`));
  }
});

it("pages of other origins may read the headers that a search adds to its hits", async () => {
  const answer = await museum.ask("/v1/search?q=dammernug", { headers: { Origin: PORTAL } });
  const exposed = answer.headers.get("Access-Control-Expose-Headers")?.split(", ");
  expect(exposed).toEqual(expect.arrayContaining(["X-Search-Suggestion", "X-Total-Relation"]));
});

it("suggestions count like any request, and preflights do not count", async () => {
  const counter = await openCounter("in the process");
  const env = { SVC_DATA_DIR: museum.dataDir, CORS_ORIGINS: PORTAL, RATE_LIMIT_PUBLIC_SEARCH: "1/hour" };
  const config = readConfig({ ...env, RATE_LIMIT_DEFAULT: "2/hour" });
  if (!config.ok) throw new Error(config.faults.join("\n"));
  const { app } = createApp({ ...museum.services, config: config.config, counter });
  const ask = (path: string, init: RequestInit = {}) => app.request(path, init, { remote: "192.0.2.1" });
  const headers = { Origin: PORTAL, "Access-Control-Request-Method": "GET" };
  for (let n = 0; n < 5; n++) {
    for (const path of ["/v1/objects", "/portal/v1/search"]) {
      const answer = await ask(path, { method: "OPTIONS", headers });
      expect([answer.status, answer.headers.get("RateLimit")]).toEqual([204, null]);
    }
  }
  const statuses = [];
  for (const path of [
    "search",
    "search/suggest?q=ha",
    "search/advanced",
    "search/suggest?q=ha",
    "search/suggest?q=ha",
  ]) {
    statuses.push((await ask(`/portal/v1/${path}`)).status);
  }
  expect(statuses).toEqual([200, 200, 429, 200, 429]);
  await counter.close();
});
