import { describe, expect, it } from "vitest";
import { kinds } from "../../src/records/kinds.ts";
import { wordsOf } from "../../src/text.ts";
import { type Page, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { leavingNothing, refusal } from "../support/refusals.ts";

/** Text from attempts to inject SQL, patterns, paths or scripts. */
const TRICKS = [
  "' or 1=1 --",
  "'; drop table records; --",
  '" or ""="',
  "$1",
  "#{7*7}",
  "%' or idno like '%",
  "\\",
  "(((",
  "[a-",
  "(a+)+$",
  ".*",
  "a{1,99999}",
  "!&|<->",
  "'':*",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "\u202e\u200b\ufeff",
  "👩🏽‍🔧",
  "null",
];
const JUNK = ["%ZZ", "%", "%E0%A4%A", "%c0%af", "%ED%A0%80", "%F5%80%80%80", "%u0041", "+%2B%20"];

describe.each(databases)("bad addresses in the %s database", async (database) => {
  const museum = await museumHere({ database, demo: true });
  const admin = await museum.as("superuser");
  const id = museum.demo.get("obj-lighthouse-lens")!;
  leavingNothing(() => museum);

  /** Every route of the REST API, with this value for each of its parameters. */
  const everyRoute = (fill: string) =>
    museum.api.routes
      .filter(({ path }) => path.startsWith("/v1/"))
      .map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/g, fill), pattern: path }));
  const plain = (method: string): RequestInit & { json?: unknown } =>
    method === "GET" || method === "DELETE" ? { method } : { method, json: {} };

  describe("paths", () => {
    it("with an invalid id are refused on every route, and the parameter is named", async () => {
      const routes = everyRoute("not-an-id").filter(({ pattern }) => /^\/v1\/[a-z-]+\/\{id\}/.test(pattern));
      expect(routes.length).toBeGreaterThan(70);
      for (const { method, path, pattern } of routes) {
        const problem = await refusal(await admin(path, plain(method)), path, 422);
        const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path:${name}`);
        expect(problem.errors!.map(({ pointer }) => pointer)).toEqual(names);
      }
    });

    it.each([
      "1",
      "0",
      "-1",
      "null",
      "undefined",
      "01a1fb95-1bf0-7e71-ab0f",
      "{01a1fb95-1bf0-7e71-ab0f-dd57f84a4b91}",
      "%27",
      "a".repeat(5_000),
      "..%2f..",
      "%2e%2e",
      ...JUNK,
    ])("/v1/objects/%s are not a record", async (text) => {
      for (const path of [
        `/v1/objects/${text}`,
        `/v1/objects/${text}/relations`,
        `/api/v1/objects/${text}`,
      ]) {
        await refusal(await museum.ask(path), path, 404, 422);
      }
    });

    it("with an unknown id are not found", async () => {
      for (const { plural } of Object.values(kinds)) {
        const path = `/v1/${plural}/${crypto.randomUUID()}`;
        await refusal(await admin(path), path, 404);
        await refusal(await admin(`${path}/relations`), `${path}/relations`, 404);
        await refusal(await admin(path, { method: "DELETE" }), path, 404);
        await refusal(await admin(path, { method: "PATCH", json: {} }), path, 404);
      }
    });

    it.each([
      "/v1",
      "/v1/",
      "/v2/objects",
      "/v1/object",
      "/v1/objects/",
      "/v1//objects",
      "//v1/objects",
      "/V1/objects",
      "/v1/objects;x=1",
      "/v1/Objects",
      "/v1/constructor",
      "/__proto__",
      "/v1/%6fbjects",
      `/v1/${"x".repeat(100_000)}`,
      `${"/a".repeat(3_000)}`,
    ])("like %s are not found", async (path) => {
      await refusal(await admin(new URL(`http://museum${path}`).href), path, 404);
    });

    it.each([
      "/v1/objects/%00",
      "/v1/objects?q=%00",
      "/v1/objects?%00=1",
      "/v1/search?meta_title=a%00b",
      "/v1/schemas/%00",
      "/portal/v1/search?q=%00",
    ])("like %s, with a NUL, are a bad request", async (path) => {
      await refusal(await admin(path), path, 400);
    });
  });

  describe("methods", () => {
    it("that a route does not have are refused, and those it has are named", async () => {
      const known = new Map<string, Set<string>>();
      for (const { method, path } of everyRoute(id))
        known.set(path, (known.get(path) ?? new Set()).add(method));
      expect(known.size).toBeGreaterThan(80);
      for (const [path, methods] of known) {
        const allowed = [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
          if (methods.has(method)) continue;
          const answer = await admin(path, { method });
          expect(answer.headers.get("Allow")?.split(", ").sort(), `${method} ${path}`).toEqual(allowed);
          await refusal(answer, path, 405);
        }
        const options = await admin(path, { method: "OPTIONS" });
        expect(options.status).toBe(204);
      }
    });
  });

  describe("parameters", () => {
    const lists = ["/v1/objects", "/v1/entities", "/v1/storage-locations", "/v1/procedures/trash"];

    it.each([
      "__proto__=1",
      "constructor=1",
      "toString=1",
      "Page=1",
      "page%20=1",
      "q[]=1",
      "=1",
      "%ED=1",
      "meta_nothing=x",
      "facets=title",
    ])("?%s are refused by a list", async (query) => {
      for (const path of [
        ...lists,
        `/v1/objects/${id}`,
        `/v1/objects/${id}/history`,
        `/v1/objects/${id}/relations`,
      ]) {
        const problem = await refusal(await admin(`${path}?${query}`), path, 422);
        expect(problem.errors![0]!.pointer).toMatch(/^query:/);
      }
    });

    it.each([
      "__proto__=1",
      "constructor=1",
      "meta_=x",
      "meta_nothing=x",
      "meta___proto__=x",
      "meta_constructor=x",
      "facets=constructor",
      "facets=__proto__",
      "facets=title,nothing",
      "page=0",
      "page=1e12",
      "page_size=1e9",
      "page_size=0",
      "page=200&page_size=100",
      "type=ship",
      "type=object&type=place",
      "q=a&q=b",
      `q=${"x".repeat(1_001)}`,
    ])("?%s are refused by the search", async (query) => {
      for (const path of ["/v1/search", "/portal/v1/search", "/api/v1/search"]) {
        const problem = await refusal(await museum.ask(`${path}?${query}`), path, 422);
        expect(problem.errors![0]!.pointer).toBe(`query:${query.split("=")[0]}`);
      }
    });

    it.each([
      "page",
      "page_size",
      "sort_by",
      "sort_dir",
      "status",
      "collection_status",
      "object_type",
      "updated_since",
      "cursor",
    ])("named %s are refused with every injection", async (name) => {
      for (const trick of TRICKS) {
        const path = `/v1/objects?${name}=${encodeURIComponent(trick)}`;
        const problem = await refusal(await admin(path), path, 422);
        // of several values, each may be reported
        expect(new Set(problem.errors!.map(({ pointer }) => pointer))).toEqual(new Set([`query:${name}`]));
      }
    });

    it.each(["idno", "q"])("named %s are only compared, whatever the injection", async (name) => {
      for (const trick of TRICKS) {
        const page = await read<Page>(
          admin(`/v1/objects?page_size=200&${name}=${encodeURIComponent(trick)}`),
        );
        const words = wordsOf(trick).join(" ");
        const fits = page.items.filter((item) => {
          const texts = [item.idno, item.metadata_.title?.[0]?.value ?? ""].map((text) =>
            wordsOf(text).join(" "),
          );
          return name === "q" && words !== "" && texts.some((text) => text.includes(words));
        });
        expect(page.items, trick).toEqual(fits);
        expect(page.total).toBe(fits.length);
      }
    });

    it("with injections in a search find at most what contains their words", async () => {
      const all = (await read<Page>(admin("/v1/search"))).total;
      for (const trick of TRICKS) {
        for (const name of ["q", "meta_title", "meta_material"]) {
          const path = `/v1/search?${name}=${encodeURIComponent(trick)}&type=object`;
          const { total } = await read<Page>(admin(path));
          if (name !== "q") expect(total, path).toBe(0);
          else if (/[\p{L}\p{N}]/u.test(trick)) expect(total, path).toBeLessThan(all / 2);
        }
      }
    });

    it.each(JUNK)("q=%s is searched for as it is", async (junk) => {
      for (const path of ["/v1/objects", "/v1/search", "/portal/v1/search"]) {
        expect((await admin(`${path}?q=${junk}`)).status).toBe(200);
        await refusal(await admin(`${path}?page=${junk}`), path, 422);
        await refusal(await admin(`${path}?${junk}=1`), path, 422);
      }
    });

    it("of great length are refused for what is wrong in them", async () => {
      const long = "x".repeat(1024 * 1024);
      for (const name of ["q", "idno", "cursor", "object_type", "unknown"]) {
        await refusal(await admin(`/v1/objects?${name}=${long}`), "/v1/objects", 422);
      }
      const many = Array.from({ length: 20_000 }, (_, n) => `meta_title=${n}`).join("&");
      await refusal(await admin(`/v1/search?${many}`), "/v1/search", 422);
    });
  });
});
