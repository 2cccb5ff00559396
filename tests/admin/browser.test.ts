import { beforeAll, describe, expect, it } from "vitest";
import { findAccountById } from "../../src/accounts/store.ts";
import type { Api } from "../../src/http/endpoint.ts";
import { describe as describeApi } from "../../src/openapi/routes.ts";
import { inLong } from "../support/lane/lane.ts";
import { createObject } from "../support/museum/catalogue.ts";
import { type Museum, museumHere } from "../support/museum/museum.ts";
import { signedIn } from "../support/museum/signed-in.ts";
import { refusal } from "../support/refusals.ts";

const PORTAL = "https://portal.museum.example";
const STRANGER = "https://elsewhere.example";
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";
const SECURE = {
  SVC_BASE_URL: "https://catalogue.museum.example",
  SECRET_KEY: "6f1d0c9ab27e4835d1f06b9ce874a3520b7f9e1c6d28a4f35e90c7b1824d6fa3",
  OAI_ADMIN_EMAIL: "oai@museum.example",
};

type Asked = { method: string; path: string; body: boolean };

/** Every route, with a value for each parameter, and whether its description has a body. */
function everyRoute(api: Api): Asked[] {
  const { paths = {} } = describeApi(api);
  return api.routes.map(({ method, path }) => {
    const operation = paths[path]?.[method.toLowerCase() as "post"];
    const filled = path
      .replace(/\{type\}/g, "object")
      .replace(/\{(?:id|\w+_id)\}/g, crypto.randomUUID())
      .replace(/\{\w+\}/g, "1");
    return { method, path: filled, body: operation?.requestBody !== undefined };
  });
}

const changing = (api: Api) => everyRoute(api).filter(({ method }) => method !== "GET");

/** The CORS headers of an answer. */
function allowances(answer: Response): Record<string, string> {
  return Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith("access-control-")));
}

describe("browsers", async () => {
  let painting: string;

  const museum = await museumHere({
    env: { CORS_ORIGINS: `${PORTAL}, https://staff.museum.example:8443`, IMPORT_MAX_BYTES: "1000000" },
  });
  const admin = await museum.as("superuser");
  beforeAll(async () => {
    const { id } = await createObject(admin, "Harbour at dusk");
    painting = `/v1/objects/${id}`;
  });

  const preflight = (path: string, origin: string, method: string) =>
    museum.ask(path, {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Method": method },
    });

  describe("a page of a configured origin", () => {
    it("may read answers, with credentials", async () => {
      for (const origin of [PORTAL, "https://staff.museum.example:8443"]) {
        const answer = await admin(painting, { headers: { Origin: origin } });
        expect(answer.status).toBe(200);
        expect(allowances(answer)).toEqual({
          "access-control-allow-origin": origin,
          "access-control-allow-credentials": "true",
          "access-control-expose-headers":
            "ETag, Link, Location, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, X-Search-Degraded, " +
            "X-Search-Suggestion, X-Total-Relation, X-Import-Id",
        });
        expect(answer.headers.get("Vary")).toMatch(/\bCookie, Origin$/);
      }
    });

    it("may read why a request was refused", async () => {
      for (const [path, status] of [
        [painting, 404],
        ["/v1/nothing", 404],
        ["/v1/auth/me", 401],
        ["/v1/objects?page_size=9999", 422],
        ["/v1/objects?q=%00", 400],
      ] as const) {
        const answer = await museum.ask(path, { headers: { Origin: PORTAL } });
        expect(answer.headers.get("Access-Control-Allow-Origin"), path).toBe(PORTAL);
        await refusal(answer, path, status);
      }
    });

    it("learns from a preflight what each address accepts", async () => {
      const answer = await preflight(painting, PORTAL, "PATCH");
      expect(answer.status).toBe(204);
      expect(await answer.text()).toBe("");
      expect(allowances(answer)).toEqual({
        "access-control-allow-origin": PORTAL,
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": "GET, PATCH, DELETE, PUT, HEAD, OPTIONS",
        "access-control-allow-headers":
          "Authorization, X-API-Key, Accept-Language, Content-Type, If-Match, If-None-Match, Range, X-Request-Id",
        "access-control-max-age": "600",
      });
      const search = await preflight("/api/v1/search", PORTAL, "GET");
      expect(search.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD, OPTIONS");
    });
  });

  it.each([
    STRANGER,
    "null",
    "http://portal.museum.example",
    "https://portal.museum.example:444",
    "https://portal.museum.example.elsewhere.example",
    "https://PORTAL.museum.example",
    `${PORTAL}/`,
    `${PORTAL}, ${STRANGER}`,
    "*",
    "",
  ])("a page of the origin %j may read nothing", async (origin) => {
    for (const answer of [
      await admin(painting, { headers: { Origin: origin } }),
      await preflight(painting, origin, "PATCH"),
    ]) {
      expect(answer.status).toBeLessThan(300);
      expect(allowances(answer)).toEqual({});
      expect(answer.headers.get("Vary")).toMatch(/\bOrigin$/);
    }
  });

  it("a cached answer without an origin is not used for a request with one", async () => {
    const answer = await museum.ask("/v1/objects");
    expect(answer.headers.get("Vary")).toMatch(/\bOrigin$/);
    expect(allowances(answer)).toEqual({});
  });

  it("pages of every origin may read the linked data of a record, and the portal's also with credentials", async () => {
    const { id } = await createObject(admin, "Harbour at dawn");
    await admin(`/v1/objects/${id}/publish`, { method: "POST" });
    for (const [path, status] of [
      [`/v1/objects/${id}`, 200],
      [`/objects/${id}`, 303],
    ] as const) {
      const request = (Origin: string) => museum.ask(path, { headers: { Origin, Accept: "text/turtle" } });
      const [stranger, portal] = [await request(STRANGER), await request(PORTAL)];
      expect([stranger.status, portal.status], path).toEqual([status, status]);
      const exposed = { "access-control-expose-headers": expect.stringContaining("ETag") };
      expect(allowances(stranger), path).toEqual({ "access-control-allow-origin": "*", ...exposed });
      expect(allowances(portal), path).toEqual({
        "access-control-allow-origin": PORTAL,
        "access-control-allow-credentials": "true",
        ...exposed,
      });
    }
  });

  describe("the description of the API", () => {
    it("may be read by pages of every origin, but not with credentials", async () => {
      for (const origin of [null, STRANGER, PORTAL, "null"]) {
        const headers: Record<string, string> = origin === null ? {} : { Origin: origin };
        for (const method of ["GET", "HEAD"]) {
          const answer = await museum.ask("/openapi.json", { method, headers });
          expect(answer.status).toBe(200);
          expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
          expect(answer.headers.has("Access-Control-Allow-Credentials")).toBe(false);
          expect(answer.headers.get("Vary") ?? "").not.toContain("Origin");
        }
      }
    });

    it("accepts conditional requests from other origins, but no token", async () => {
      const answer = await preflight("/openapi.json", STRANGER, "GET");
      expect(allowances(answer)).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-headers":
          "Accept-Language, Content-Type, If-Match, If-None-Match, Range, X-Request-Id",
      });
    });
  });

  it("no route but GET is open to every origin, and no list of records for staff", () => {
    const open = museum.api.routes.filter(({ crossOrigin }) => crossOrigin === "anybody");
    expect(open.map(({ path }) => path)).toContain("/openapi.json");
    expect(open.filter(({ method, access }) => method !== "GET" || access !== "public")).toEqual([]);
  });

  it("every answer forbids guessing its type, and one that is not a page may do nothing in a browser", async () => {
    for (const path of [painting, "/v1/objects", "/v1/nothing", "/health", "/robots.txt", "/v1/x%00"]) {
      const { headers } = await museum.ask(path);
      expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
      expect(headers.get("Referrer-Policy"), path).toBe("no-referrer");
      expect(headers.get("Content-Security-Policy"), path).toBe(NO_PAGE);
      expect(headers.has("Strict-Transport-Security"), path).toBe(false);
    }
  });

  it.each(["/api/docs", "/api/redoc"])("the page %s cannot be framed, and isolates itself", async (path) => {
    const { headers } = await museum.ask(path);
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
    expect(headers.get("Permissions-Policy")).toContain("camera=()");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    const policy = headers.get("Content-Security-Policy")!;
    expect(policy).toMatch(/^default-src 'none';.*script-src 'nonce-[\w-]{36}';.*frame-ancestors 'none'$/);
    expect(policy).not.toContain("unsafe");
  });

  describe("a request forged by a page of another origin", () => {
    const TAKES_FORMS = ["/v1/auth/token", "/v1/imports", "/v1/media/batch"];
    const FORMS = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];

    it("changes nothing as a form: every route wants a content type that a form cannot have", async () => {
      // /oai takes as a form only what it also takes as a link, and changes nothing (OAI-PMH §3.1.1.2)
      const routes = changing(museum.api).filter(({ body, path }) => body && path !== "/oai");
      expect(routes.length).toBeGreaterThan(20);
      for (const { method, path } of routes) {
        for (const type of FORMS) {
          // OAuth 2 signs in with a form (RFC 6749 §4.3), and takes nothing that a browser would add by itself
          const headers = { "Content-Type": type, Origin: STRANGER };
          const answer = await admin(path, { method, headers, body: '{"a":"=1"}' });
          // a route that takes forms checks the origin first
          await refusal(answer, path, TAKES_FORMS.includes(path) || path.endsWith("/media") ? 403 : 415);
        }
      }
    });

    it("is not signed in by a cookie", async () => {
      const token = await tokenOf(museum);
      const cookie = ["access_token", "token", "session", "Authorization", "X-API-Key", "jwt"]
        .map((name) => `${name}=${token}`)
        .join("; ");
      expect(
        (await museum.ask("/v1/auth/me", { headers: { Authorization: `Bearer ${token}` } })).status,
      ).toBe(200);
      const closed = museum.api.routes.filter(({ access }) => access !== "public").length;
      let refused = 0;
      for (const [index, { method, path }] of everyRoute(museum.api).entries()) {
        if (museum.api.routes[index]!.access === "public") continue;
        const answer = await museum.ask(path, { method, headers: { Cookie: cookie, Origin: STRANGER } });
        await refusal(answer, path, 401);
        refused += 1;
      }
      expect(refused).toBe(closed);
    });
  });

  describe("a body that is too large", () => {
    const LARGE = 3 * 1024 * 1024;

    it("is refused by every route before it is read, if its length is announced", async () => {
      for (const { method, path } of takingBodies()) {
        const pulls = { count: 0 };
        const headers = { "Content-Type": typeOf(path), "Content-Length": String(LARGE * 100) };
        const answer = await admin(path, { method, headers, ...endless(pulls) });
        await refusal(answer, path, 413);
        expect(pulls.count, path).toBe(0);
      }
    });

    inLong(it)("is refused by every route once it is too long, if its length is not announced", async () => {
      for (const { method, path } of takingBodies()) {
        const pulls = { count: 0 };
        const answer = await admin(path, {
          method,
          headers: { "Content-Type": typeOf(path) },
          ...endless(pulls),
        });
        await refusal(answer, path, 413);
        expect(pulls.count * CHUNK, path).toBeLessThan(LARGE);
      }
    });

    /**
     * All but the stream of records, where each line has a limit instead, and files of objects, which may be as long as
     * MEDIA_MAX_BYTES allows (media-bad-input.test.ts).
     */
    function takingBodies(): Asked[] {
      const routes = changing(museum.api).filter(({ body, path }) => body && !/\/(bulk|media)$/.test(path));
      expect(routes.length).toBeGreaterThan(20);
      return routes;
    }
  });
});

const CHUNK = 64 * 1024;

function endless(pulls: { count: number }): RequestInit {
  const body = new ReadableStream(
    {
      pull(controller) {
        pulls.count += 1;
        controller.enqueue(new Uint8Array(CHUNK).fill(32));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, duplex: "half" } as RequestInit;
}

const typeOf = (path: string) =>
  ({
    "/v1/auth/token": "application/x-www-form-urlencoded",
    "/oai": "application/x-www-form-urlencoded",
    "/v1/imports": "multipart/form-data; boundary=x",
    "/v1/vocabularies/1/skos": "text/turtle",
  })[path] ?? "application/json";

/** An access token of a superuser. */
async function tokenOf({ services, as }: Museum): Promise<string> {
  await as("superuser");
  const [one] = await services.sql<{ id: string }[]>`
    select id from accounts where display_name = 'superuser' limit 1`;
  const account = await findAccountById(services.sql, one!.id);
  return signedIn(services, account!);
}

describe("an installation without configured origins", async () => {
  const museum = await museumHere({ env: SECURE });

  it("allows no origin", async () => {
    for (const origin of [PORTAL, SECURE.SVC_BASE_URL]) {
      const answer = await museum.ask("/v1/objects", { headers: { Origin: origin } });
      expect(allowances(answer)).toEqual({});
      expect(answer.headers.get("Vary")).not.toContain("Origin");
    }
  });

  it("tells browsers to use only https if its own address does", async () => {
    for (const path of ["/v1/objects", "/api/docs", "/v1/nothing"]) {
      const { headers } = await museum.ask(path);
      expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    }
  });
});
