import { existsSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/config/version.ts";
import { operationId } from "../../src/http/operation-id.ts";
import { ASSET_VERSIONS } from "../../src/openapi/pages.ts";
import { made, said } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";

/** The schema of the standard, beside the checkout: we may not ship it. */
const SCHEMA = new URL("../../../shared/schemas/openapi/v3.1/schema.json", import.meta.url);

type Json = Record<string, unknown>;
type Parameter = { name?: string; $ref?: string; description?: string; schema?: Json };
type Operation = Json & { operationId: string; tags: string[]; responses: Json; parameters?: Parameter[] };
type Description = Json & {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
  tags: { name: string; description: string }[];
};

const museum = await museumHere();
const description = (await (await museum.ask("/openapi.json")).json()) as Description;
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const find = (id: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === id);
  if (!found) throw new Error(`There is no operation ${id}`);
  return found.operation;
};

/** Every value of a key, at any depth. */
function* values(node: unknown, key: string): Generator<unknown> {
  if (typeof node !== "object" || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === key) yield value;
    yield* values(value, key);
  }
}

describe("the description of the API", () => {
  it("has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(VERSION).toBe(version);
    expect(description.info).toMatchObject({ version });
  });

  it("describes every route and nothing else", () => {
    const described = operations.map(({ method, path }) => `${method} ${path}`).sort();
    expect(described).toEqual(
      museum.api.routes
        .filter(({ page }) => !page)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it("gives every operation a unique name that can be the method of a client", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][a-z0-9_]*$/.test(id))).toEqual([]);
  });

  it("uses the right article: an object, a place", () => {
    expect(find("create_object").summary).toBe("Create an object");
    expect(find("delete_entity").summary).toBe("Delete an entity");
    expect(find("create_place").summary).toBe("Create a place");
    const words = operations.map(({ operation }) => `${operation.summary} ${operation.description ?? ""}`);
    const wrongArticle = /\ba (?:object|entity|occurrence)|\ban (?:place|procedure|collection|storage)/i;
    expect(words.filter((text) => wrongArticle.test(text))).toEqual([]);
  });

  it("has no reference to something that it does not contain", () => {
    const missing = [...values(description, "$ref")].filter((reference) => {
      const steps = String(reference).replace(/^#\//, "").split("/");
      return (
        steps.reduce<unknown>((node, step) => (node as Json | undefined)?.[step], description) === undefined
      );
    });
    expect(missing).toEqual([]);
  });

  it("explains every tag it uses, and uses every tag it explains", () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect([...used].sort()).toEqual(description.tags.map(({ name }) => name).sort());
    expect(description.tags.filter((tag) => tag.description === "")).toEqual([]);
  });

  it("explains every parameter and every property of a body or an answer", () => {
    const parameters = operations.flatMap(({ path, operation }) =>
      (operation.parameters ?? []).flatMap(({ name, $ref, description: words }) =>
        $ref || words ? [] : [`${path} ${name}`],
      ),
    );
    expect(parameters).toEqual([]);
    const members = [...values(description, "properties")].flatMap((one) => Object.entries(one as Json));
    expect(members.length).toBeGreaterThan(600);
    const silent = members.filter(
      ([, about]) => !("description" in Object(about) || "$ref" in Object(about)),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  // a text that `explanations.ts` gives for the name would be wrong for one of the two
  it("does not explain properties of different types in the same words", () => {
    const types = new Map<string, Set<string>>();
    for (const properties of values(description, "properties"))
      for (const [name, about] of Object.entries(properties as Record<string, Json>)) {
        if (typeof about.description !== "string") continue;
        const type = [about.type].flat().filter((one) => one !== "null");
        const key = `${name}: ${about.description}`;
        types.set(key, (types.get(key) ?? new Set()).add(String(type)));
      }
    expect([...types].filter(([, kinds]) => kinds.size > 1).map(([key]) => key)).toEqual([]);
  });

  it("explains every problem it mentions", () => {
    for (const { description: words } of Object.values(description.components.responses ?? {})) {
      expect(words).not.toBe("");
    }
  });

  it("gives the bounds and defaults of page and page_size", () => {
    const schemas = Object.fromEntries(
      (find("list_objects").parameters ?? []).map((parameter) => [parameter.name, parameter.schema]),
    );
    expect(schemas.page_size).toMatchObject({ type: "integer", minimum: 1, maximum: 200, default: 50 });
    expect(schemas.page).toMatchObject({ type: "integer", minimum: 1, default: 1 });
    expect(schemas.sort_dir).toMatchObject({ enum: ["asc", "desc"], default: "desc" });
  });

  it("says that search takes a parameter for each field", () => {
    const filters = find("search").parameters?.find(({ name }) => name === "filters");
    expect(filters).toMatchObject({ in: "query", style: "form", explode: true, schema: { type: "object" } });
  });

  it("names the header that protects a change (If-Match) and the one that saves an answer (If-None-Match)", () => {
    const refs = (id: string) => find(id).parameters?.flatMap(({ $ref }) => $ref ?? []) ?? [];
    expect(refs("change_object")).toEqual(["#/components/parameters/IfMatch"]);
    expect(refs("get_object")).toEqual(["#/components/parameters/IfNoneMatch"]);
    expect(find("create_object").responses["201"]).toMatchObject({ headers: { Location: {}, ETag: {} } });
    expect(find("list_objects").responses["200"]).toMatchObject({ headers: { Link: {} } });
  });

  it("has one shape for lists, and one for the person who did something", () => {
    type Shape = { properties?: Record<string, Shape>; $ref?: string; items?: Shape; anyOf?: Shape[] };
    const schemas = description.components.schemas as Record<string, Shape>;
    const resolved = (shape: Shape): Shape => (shape.$ref ? schemas[shape.$ref.split("/").at(-1)!]! : shape);
    const lists = operations.flatMap(({ path, operation }) => {
      const answer = operation.responses["200"] as
        | { content?: Record<string, { schema: Shape }> }
        | undefined;
      const schema = answer?.content?.["application/json"]?.schema;
      const properties = schema ? resolved(schema).properties : undefined;
      return path.startsWith("/v1/") && properties?.items ? [{ path, properties }] : [];
    });
    expect(lists.length).toBeGreaterThan(30);
    const envelope = ["total", "page", "page_size", "items"];
    const others = lists.filter(({ properties }) => envelope.some((key) => !(key in properties)));
    expect(others.map(({ path }) => path)).toEqual([]);
    const actors = [...values(description, "actor"), ...values(description, "deleted_by")] as Shape[];
    expect(actors.length).toBeGreaterThan(4);
    for (const actor of actors) expect(JSON.stringify(actor)).toMatch(/"id":.*"email":/);
    expect(JSON.stringify(description)).not.toContain('"finished"');
  });

  it("says which credentials and permissions each operation needs", () => {
    expect(find("list_objects").security).toEqual([{}, { password: [] }, { bearer: [] }, { apiKey: [] }]);
    expect(find("create_object").security).toEqual([{ password: [] }, { bearer: [] }, { apiKey: [] }]);
    expect(find("create_object").description).toContain("Needs the permission `records:create object`.");
    expect(find("get_own_account").description).toContain("Needs credentials");
  });

  it("uses the public address as its server", () => {
    expect(description.servers).toEqual([{ url: museum.services.config.baseUrl }]);
  });

  it.skipIf(!existsSync(SCHEMA))("is valid OpenAPI 3.1, and so is every schema and example in it", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    // ajv cannot follow this dynamic reference; schemas are checked one by one below
    const rules = readFileSync(SCHEMA, "utf8").replaceAll(
      '"$dynamicRef": "#meta"',
      '"$ref": "#/$defs/schema"',
    );
    const valid = ajv.compile(JSON.parse(rules));
    valid(description);
    expect(valid.errors ?? []).toEqual([]);

    const schemas = Object.entries(description.components.schemas ?? {});
    const wrong: string[] = [];
    const check = (where: string, about: Json) => {
      if (!ajv.validateSchema(about)) wrong.push(`${where}: ${ajv.errorsText()}`);
      if (about.example === undefined) return;
      const fits = ajv.compile(
        structuredClone({ ...about, $id: undefined, components: description.components }),
      );
      if (!fits(about.example)) wrong.push(`${where}: ${ajv.errorsText(fits.errors)}`);
    };
    for (const schema of values(description.paths, "schema")) check("paths", schema as Json);
    for (const [name, one] of schemas) {
      check(name, one);
      for (const [key, property] of Object.entries((one.properties ?? {}) as Record<string, Json>)) {
        check(`${name}.${key}`, property);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is not sent again to a client that has it", async () => {
    const first = await museum.ask("/openapi.json");
    const etag = first.headers.get("ETag") ?? "";
    expect(first.headers.get("Content-Type")).toBe("application/json");
    const again = await museum.ask("/openapi.json", { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
});

describe("compressed answers", () => {
  const GZIP = { headers: { "Accept-Encoding": "br, gzip;q=0.8" } };
  const unpacked = (answer: Response) =>
    new Response(answer.body!.pipeThrough(new DecompressionStream("gzip"))).text();

  it("are long texts of the API, for clients that accept gzip", async () => {
    const plain = await museum.ask("/openapi.json");
    const packed = await museum.ask("/openapi.json", GZIP);
    expect(packed.headers.get("Content-Encoding")).toBe("gzip");
    expect(packed.headers.get("Vary")).toContain("Accept-Encoding");
    expect(packed.headers.get("ETag")).toBe(plain.headers.get("ETag"));
    const bytes = (await packed.clone().arrayBuffer()).byteLength;
    const text = await plain.text();
    expect(await unpacked(packed)).toBe(text);
    expect(bytes).toBeLessThan(text.length / 8);
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    const refused = await museum.ask("/openapi.json", { headers: { "Accept-Encoding": "gzip;q=0" } });
    expect(refused.headers.get("Content-Encoding")).toBeNull();
  });

  it("are not short answers, pages (compression would reveal their tokens) or answers with a strong ETag", async () => {
    const editor = await museum.as("editor");
    const filler = { description: [{ value: "A long story. ".repeat(2_000), lang: "en" }] };
    const metadata_ = { title: said("Long"), ...filler };
    const id = await made(editor, "objects", { object_type: "painting", status: "public", metadata_ });
    const encoding = async (path: string) => (await museum.ask(path, GZIP)).headers.get("Content-Encoding");
    expect(await encoding("/v1/objects")).toBe("gzip");
    expect(await encoding(`/v1/objects/${id}/export?format=turtle`)).toBe("gzip");
    expect(await encoding(`/v1/objects/${id}`)).toBeNull();
    expect(await encoding("/v1/places")).toBeNull();
    expect(await encoding("/")).toBeNull();
    expect(await encoding("/admin/sign-in")).toBeNull();
  });
});

describe("the name of an operation", () => {
  it.each([
    ["get", "/v1/objects", "list_objects"],
    ["post", "/v1/objects", "create_object"],
    ["get", "/v1/entities/{id}", "get_entity"],
    ["put", "/v1/storage-locations/{id}", "replace_storage_location"],
    ["patch", "/v1/places/{id}", "change_place"],
    ["post", "/v1/objects/{id}/publish", "publish_object"],
    ["post", "/v1/objects/{id}/status", "set_object_status"],
    ["get", "/v1/objects/{id}/relations", "list_object_relations"],
    ["delete", "/v1/objects/{id}/relations/{relation_id}", "delete_object_relation"],
    ["get", "/v1/schemas/{type}/{field}", "get_field"],
    ["get", "/portal/v1/search", "search_portal"],
    ["get", "/v1/storage-locations/{id}/history/{version}", "get_storage_location_version"],
    ["get", "/openapi.json", "get_openapi_json"],
  ])("%s %s is %s", (method, path, id) => {
    expect(operationId(method, path)).toBe(id);
  });
});

describe.each(["/api/docs", "/api/redoc"])("the documentation page %s", (path) => {
  it("runs only the scripts with its nonce, and loads nothing from other servers", async () => {
    const answer = await museum.ask(path);
    const page = await answer.text();
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https:(?!\/)/);
    const scripts = page.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBe(2);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(page).not.toMatch(/https?:\/\/|\/\/[a-z]/);
  });

  it("has a new nonce in every answer", async () => {
    const policies = [await museum.ask(path), await museum.ask(path)].map((answer) =>
      answer.headers.get("Content-Security-Policy"),
    );
    expect(policies[0]).not.toBe(policies[1]);
  });

  it("finds all its files at this service, with addresses that may be cached for ever", async () => {
    const page = await (await museum.ask(path)).text();
    const addresses = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address ?? "");
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses.filter((one) => one.includes("assets"))) {
      const answer = await museum.ask(new URL(address, `http://museum.example${path}`).pathname);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      const again = await museum.ask(new URL(address, `http://museum.example${path}`).pathname, {
        headers: { "If-None-Match": answer.headers.get("ETag") ?? "" },
      });
      expect(again.status).toBe(304);
    }
  });
});

describe("the files of the documentation pages", () => {
  it("are only those on the list", async () => {
    for (const name of [
      "redoc/package.json",
      "redoc/..%2F..%2Fpackage.json",
      "hono/index.js",
      "constructor/name",
    ]) {
      expect([name, (await museum.ask(`/api/docs/assets/${name}`)).status]).toEqual([name, 404]);
    }
  });

  it("have the versions of their packages in their addresses", async () => {
    const installed = JSON.parse(
      readFileSync(new URL("../../node_modules/swagger-ui-dist/package.json", import.meta.url), "utf8"),
    );
    expect(ASSET_VERSIONS["swagger-ui-dist"]).toBe(installed.version);
    const redoc = await (await museum.ask("/api/docs/assets/redoc/redoc.standalone.js")).text();
    expect(redoc).toContain(`"${ASSET_VERSIONS.redoc}"`);
    expect(await (await museum.ask("/api/docs")).text()).toContain(`swagger-ui-dist@${installed.version}/`);
    const older = await museum.ask("/api/docs/assets/swagger-ui-dist@1.0.0/swagger-ui.css");
    expect([older.status, older.headers.get("Cache-Control")]).toEqual([200, "no-cache"]);
    const licence = await museum.ask("/api/docs/assets/redoc/redoc.standalone.js.LICENSE.txt");
    expect(await licence.text()).toContain("MIT License");
  });

  it("do not load a logo from the vendor", async () => {
    const bundle = await (await museum.ask("/api/docs/assets/redoc/redoc.standalone.js")).text();
    expect(bundle.length).toBeGreaterThan(500_000);
    expect(bundle).not.toContain("cdn.redoc.ly");
  });
});
