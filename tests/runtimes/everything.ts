/**
 * Calls every operation in the description of a running service, and every page and form, once as a superuser. Each
 * answer must be one that the description names, and a success wherever this list knows what to send. Otherwise
 * nothing is sent, and the refusal must explain itself. The list is the same for every runtime.
 */
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config/read.ts";
import { createLog } from "../../src/log.ts";
import { KINDS, kinds } from "../../src/records/kinds.ts";
import type { Services } from "../../src/services.ts";
import { asking, type Operation, type Sent } from "./asking.ts";
import type { Ask, Json } from "./started.ts";

/** Settings of the service: persistent names, and no authority source on the internet. */
export const SETTINGS = { ARK_ENABLED: "true", ARK_NAAN: "12345", AUTHORITY_GND_URL: "http://127.0.0.1:1" };

export type Walk = {
  ask: Ask;
  /** Of a superuser. */
  token: string;
  email: string;
  password: string;
  /** Accepts the picture, where the service itself cannot. */
  askForPictures?: Ask;
  /** Operations that always answer 501, for example `PUT /v1/settings/logo`. */
  elsewhere?: readonly string[];
};

const PASSWORD = "a second lantern on the pier";
const LABEL = { label: { en: "Walked" } };
const ROLE = { ...LABEL, permissions: { records: {}, features: [] } };
const FIELD = { ...LABEL, field_type: "text" };
const LINK = {
  ...LABEL,
  inverse_label: LABEL.label,
  inverse: "walked_by",
  from_types: KINDS,
  to_types: KINDS,
};
const TERM = { value: "walked" };
const STORED = "storage-locations";

const KNOWN: Record<string, string> = {
  "{type}": "object",
  "{field}": "walked",
  "{name}": "walked",
  "{vocabulary}": "walked",
  "{version}": "1",
  "browse/{field}": "material",
  "authorities/{source}": "gnd",
  "authorities/{source}/{id}": "118540238",
  "assets/{package}": "swagger-ui-dist",
  "assets/{package}/{file}": "swagger-ui.css",
  "files/{name}": "rejects",
  "{region}": "full",
  "{size}": "max",
  "{rotation}": "0",
  "{quality}": "default.jpg",
};

const QUERIES: Record<string, string> = {
  "GET /portal/v1/search/suggest": "?q=wal",
  "GET /v1/search/suggest": "?q=wal",
  "GET /v1/authorities/{source}": "?q=wal",
  "GET /portal/v1/search/export": "?format=csv",
  "GET /oai": "?verb=ListRecords&metadataPrefix=oai_dc",
  ...Object.fromEntries(KINDS.map((kind) => [`GET /admin/${kinds[kind].plural}/export`, "?format=csv"])),
  [`GET /v1/${STORED}/export`]: "?format=ndjson",
  "GET /sparql": `?query=${encodeURIComponent("ASK {}")}`,
};

const png = () =>
  new Blob([
    Uint8Array.from(
      atob(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      ),
      (letter) => letter.charCodeAt(0),
    ),
  ]).stream();

/** Pages and forms of the portal and for staff. */
function pageOperations(): Operation[] {
  const read = readConfig({});
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const log = createLog({ level: "error", format: "json" });
  const { routes } = createApp({ config: read.config, log } as unknown as Services);
  return routes
    .filter(({ page }) => page)
    .map(({ method, path }) => ({ id: `${method} ${path}`, method, path, statuses: null }));
}

/** What is wrong, one line each, and how many operations were called. */
export async function askEverything(walk: Walk): Promise<{ wrong: readonly string[]; asked: number }> {
  const asStaff: Ask = (path, options) => walk.ask(path, { token: walk.token, ...options });
  const { known, done, wrong, call } = asking(asStaff, new Set(walk.elsewhere));
  for (const [end, value] of Object.entries(KNOWN)) known.set(end, value);

  const description = (await asStaff("/openapi.json")).json as Json;
  const operations: Operation[] = Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([name, { responses }]) => {
      const method = name.toUpperCase();
      return { id: `${method} ${path}`, method, path, statuses: Object.keys(responses) };
    }),
  );
  const has = (id: string) => operations.some((each) => each.id === id);
  const send = async (id: string, sent: Sent = {}): Promise<Json> => {
    const operation = operations.find((each) => each.id === id);
    if (!operation) throw new Error(`There is no ${id} any more: see tests/runtimes/everything.ts`);
    return (await call(operation, sent)).json ?? {};
  };

  const email = `walker-${crypto.randomUUID()}@example.org`;
  await configure();
  const drafts = await writeRecords();
  await giveFiles();
  await signInAndOut();

  const bodies: Record<string, Sent> = {
    ...(has("GET /sparql") ? {} : { "POST /sparql/rebuild": { status: 409 } }),
    "PATCH /v1/auth/me": { json: { display_name: "Walker" } },
    "PUT /v1/roles/{name}": { json: ROLE },
    "PUT /v1/schemas/{type}/{field}": { json: FIELD },
    "PUT /v1/vocabularies/{name}": { json: LABEL },
    "PUT /v1/vocabularies/{name}/terms/{id}": { json: TERM },
    "PUT /v1/relation-types/{name}": { json: LINK },
    "PUT /v1/settings/logo": { headers: { "Content-Type": "image/png" }, body: png() },
    "POST /v1/imports/{id}/undo": { json: { dry_run: true } },
    "POST /v1/media/batch": { json: { dry_run: true, files: [{ filename: "WALKED-1.jpg", bytes: 1 }] } },
    "POST /oai": { body: new URLSearchParams({ verb: "Identify" }) },
    "POST /sparql": { body: new URLSearchParams({ query: "ASK {}" }) },
    "POST /v1/auth/password-reset": { json: { email }, status: 503 },
    // no mail is configured
    "GET /admin/forgotten": { status: 503 },
    "POST /admin/forgotten": { status: 503 },
    // the job has ended
    "POST /v1/jobs/{id}/cancel": { status: 409 },
    "POST /v1/jobs/{id}/retry": { status: 409 },
    ...Object.fromEntries(drafts.map(([plural, json]) => [`PUT /v1/${plural}/{id}`, { json }])),
    // nothing is merged, and no pair is named
    ...Object.fromEntries(drafts.map(([plural]) => [`GET /admin/${plural}/{id}/merge`, { status: 404 }])),
    ...Object.fromEntries(drafts.map(([plural]) => [`GET /admin/${plural}/merge`, { status: 422 }])),
    ...Object.fromEntries(
      drafts.map(([plural]) => [`DELETE /v1/${plural}/duplicates/dismissed`, { status: 422 }]),
    ),
    "DELETE /v1/vocabularies/{name}/terms/duplicates/dismissed": { status: 422 },
    // no server answers there
    "GET /v1/authorities/{source}": { status: 502 },
    "GET /v1/authorities/{source}/{id}": { status: 502 },
    // made at night
    "GET /dumps/{file}": { status: 404 },
    "GET /admin/backups/{name}": { status: 404 },
    // never public
    [`GET /v1/${STORED}/{id}/export`]: { status: 404 },
  };
  const needsNothing = /^(GET|DELETE) |\/(rebuild|reindex|restore)\b/;
  const rest = async (method: string, which: (path: string) => boolean = () => true) => {
    for (const each of operations) {
      if (each.method !== method || done.has(each.id) || !which(each.path)) continue;
      const json = method === "PATCH" ? {} : undefined;
      const guess = !needsNothing.test(each.id) && json === undefined && bodies[each.id] === undefined;
      await call(each, { query: QUERIES[each.id], json, guess, ...bodies[each.id] });
    }
  };
  const { headers, csrf } = await signInAtBrowser();
  const pages = async (method: string, which: (path: string) => boolean = () => true) => {
    for (const page of pageOperations().filter((each) => each.method === method && which(each.path))) {
      const body = method === "GET" ? undefined : new URLSearchParams({ _csrf: csrf });
      const query = QUERIES[page.id];
      await call(page, {
        token: undefined,
        query,
        headers,
        body,
        guess: method !== "GET",
        ...bodies[page.id],
      });
    }
  };
  const isOfTrash = (path: string) => /\{(media_)?id\}\/restore$/.test(path);
  await rest("GET");
  await pages("GET");
  for (const method of ["PUT", "PATCH"]) await rest(method);
  await rest("POST", (path) => !isOfTrash(path));
  const takesAway = (path: string) => /\/(delete|remove|revoke|sign-out)$/.test(path);
  await pages("POST", (path) => !takesAway(path));
  // parts of a record before the record itself
  operations.sort((a, b) => b.path.length - a.path.length);
  const isRecord = (path: string) => drafts.some(([plural]) => path === `/v1/${plural}/{id}`);
  await rest("DELETE", (path) => !isRecord(path));
  await rest("POST", (path) => path.includes("{media_id}"));
  await rest("DELETE");
  await rest("POST");
  await pages("POST", takesAway);
  return { wrong, asked: done.size };

  async function configure(): Promise<void> {
    const user = await send("POST /v1/users", { json: { email, role: "superuser", password: PASSWORD } });
    known.set("users/{id}", user.id);
    await send("PATCH /v1/users/{id}", { json: { must_change_password: false } });
    const key = { name: "Walker", permissions: ["records:read"] };
    const { id } = await send("POST /v1/users/{id}/api-keys", { json: key });
    known.set("{key_id}", id).set("{key}", id);
    await send("POST /v1/roles", { json: { name: "walked", ...ROLE } });
    await send("POST /v1/schemas/{type}", { json: { name: "walked", ...FIELD } });
    await send("PUT /v1/subtypes/{type}/{name}", { json: LABEL });
    await send("POST /v1/vocabularies", { json: { name: "walked", ...LABEL } });
    known.set("terms/{id}", (await send("POST /v1/vocabularies/{name}/terms", { json: TERM })).id);
    await send("POST /v1/relation-types", { json: { name: "walked", ...LINK } });
  }

  async function writeRecords(): Promise<[plural: string, draft: Json][]> {
    const all: [string, Json][] = [];
    for (const kind of KINDS) {
      const { plural, subtypeKey, titleField } = kinds[kind];
      const subtype = kind === "procedure" ? { [subtypeKey]: "loan_in" } : {};
      const draft = { ...subtype, metadata_: { [titleField]: [{ value: `Walked ${kind}` }] } };
      all.push([plural, draft]);
      known.set(`${plural}/{id}`, (await send(`POST /v1/${plural}`, { json: draft })).id);
      await send(`POST /v1/${plural}/bulk`, {
        headers: { "Content-Type": "application/x-ndjson" },
        body: `${JSON.stringify(draft)}\n`,
      });
    }
    for (const [plural] of all) {
      const [to_type, to] = plural === "entities" ? ["object", "objects/{id}"] : ["entity", "entities/{id}"];
      const link = { relation_type: "walked", to_type, to_id: known.get(to!) };
      const { id } = await send(`POST /v1/${plural}/{id}/relations`, { json: link });
      known.set(`${plural}/{id}/relations/{relation_id}`, id).set(`${plural}/{id}/links/{link}`, id);
      await send(`POST /v1/${plural}/{id}/publish`, plural === STORED ? { status: 422 } : {});
      const status = plural === STORED ? "internal" : "public";
      await send(`POST /v1/${plural}/{id}/status`, { json: { status } });
      if (!has(`POST /v1/${plural}/{id}/ark`)) continue;
      const { ark = "" } = await send(`POST /v1/${plural}/{id}/ark`);
      known.set("{naan}", ark.split("/")[1]).set("{naan}/{name}", ark.split("/")[2]);
    }
    return all;
  }

  async function giveFiles(): Promise<void> {
    const headers = { "Content-Type": "application/octet-stream" };
    const path = `/v1/objects/${known.get("objects/{id}")}/media`;
    const options = { method: "POST", token: walk.token, headers, body: png() };
    const picture = await (walk.askForPictures ?? walk.ask)(path, options);
    if (picture.status !== 201) wrong.push(`The picture was not taken: ${picture.status} ${picture.text}`);
    known.set("{identifier}", picture.json?.media_id);
    const bytes = `%PDF-1.7 ${email}`;
    const { media_id } = await send("POST /v1/objects/{id}/media", { headers, body: bytes });
    known.set("{media_id}", media_id).set("{medium}", media_id);

    const form = new FormData();
    form.set("type", "object");
    form.set("mapping", JSON.stringify({ number: "__idno__", name: "title" }));
    form.set(
      "file",
      new File(["number,name\nWALKED-1,Walked\n,Nobody\n"], "walked.csv", { type: "text/csv" }),
    );
    const packed = new Response(form);
    const { job_id } = await send("POST /v1/imports", {
      headers: { "Content-Type": packed.headers.get("Content-Type")! },
      body: await packed.text(),
    });
    known.set("jobs/{id}", job_id);
    // reads them to the end
    await send("GET /v1/jobs/{id}/events");
    known.set("imports/{id}", (await send("GET /v1/jobs/{id}")).result.import_id);
    const { first } = (await asStaff("/iiif/discovery/changes")).json;
    known.set("changes/{page}", first.id.split("/").at(-1));
  }

  async function signInAndOut(): Promise<void> {
    const form = new URLSearchParams({ grant_type: "password", username: email, password: PASSWORD });
    const { access_token } = await send("POST /v1/auth/token", { body: form });
    const next = { current_password: PASSWORD, new_password: `${PASSWORD}, lit` };
    const changed = await send("POST /v1/auth/password", { token: access_token, json: next });
    await send("POST /v1/auth/logout", { token: changed.access_token });
    const login = operations.find(({ id }) => id === "POST /v1/auth/login")!;
    const entered = await call(login, { json: { email, password: next.new_password } });
    const Cookie = entered.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const refreshed = await send("POST /v1/auth/refresh", { headers: { Cookie } });
    await send("POST /v1/auth/logout-everywhere", { token: refreshed.access_token });
  }

  /** What a browser sends with each request, and the token for forms. */
  async function signInAtBrowser(): Promise<{ headers: Record<string, string>; csrf: string }> {
    const form = new URLSearchParams({ email: walk.email, password: walk.password });
    const { status, headers } = await walk.ask("/admin/sign-in", { body: form });
    const Cookie = headers.getSetCookie().find((each) => each.includes("svc_session=")) ?? "";
    const browser = { Accept: "text/html", Cookie: Cookie.split(";")[0]! };
    const { text } = await walk.ask("/admin", { headers: browser });
    const csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1];
    if (csrf === undefined) throw new Error(`Nobody can sign in at /admin: ${status} ${text.slice(0, 300)}`);
    return { headers: browser, csrf };
  }
}
