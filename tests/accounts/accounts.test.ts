import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { emailKey } from "../../src/accounts/email.ts";
import { ensureFirstAdmin } from "../../src/accounts/first-run.ts";
import { identifyCaller } from "../../src/accounts/identify.ts";
import { normalisePassword, passwordFault, randomPassword } from "../../src/accounts/passwords/passwords.ts";
import { accountRoutes } from "../../src/accounts/routes.ts";
import { issueToken, verifyToken } from "../../src/accounts/sessions/tokens.ts";
import type { NewAccount } from "../../src/accounts/store.ts";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { credentialFiles, writeCredentials } from "../../src/adapters/files/credentials.ts";
import { keepSecretKey } from "../../src/adapters/files/secret-key.ts";
import { emptyApp } from "../../src/app.ts";
import { readConfig } from "../../src/config/read.ts";
import { endpoint } from "../../src/http/endpoint.ts";
import { browserSafety } from "../../src/http/request/browser.ts";
import { clientAddress } from "../../src/http/request/client.ts";
import { requestLog } from "../../src/http/requests.ts";
import { createLog } from "../../src/log.ts";
import type { Problem } from "../../src/problem.ts";
import type { Services, Sql } from "../../src/services.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { newAccount, signedIn } from "../support/museum/signed-in.ts";

const ADDRESS = "Jörg.Curator@Museum.example";
const PASSWORD = "a quiet Depot, 1888 – Straße";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-accounts-"));
});
afterAll(() => rm(directory, { recursive: true }));

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe.each(databases)("accounts in the %s database", async (database) => {
  let sql: Sql;
  let passwordHash: string;
  let logged: string[] = [];

  const opened = await museumHere({ database });
  beforeAll(async () => {
    sql = opened.services.sql;
    passwordHash = await opened.services.passwords.hash(normalisePassword(PASSWORD));
  });

  beforeEach(async () => {
    await sql`delete from accounts`;
    logged = [];
  });

  /** The account routes of a museum with this configuration, and two test routes: one is public, one needs an account. */
  function museum(env: Record<string, string> = {}, given: Partial<Services> = {}) {
    const read = readConfig({ SVC_DATA_DIR: directory, ...env });
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    const log = createLog({ level: "info", format: "json", write: (line) => logged.push(line) });
    const counter = inProcessCounter();
    const services: Services = { ...opened.services, counter, config: read.config, log, ...given };
    const api = emptyApp(services);
    api.app.use(browserSafety(api));
    api.app.use(clientAddress([]));
    api.app.use(requestLog(log, api.meter));
    api.app.use(identifyCaller(services));
    accountRoutes(api);
    for (const access of ["public", "account"] as const) {
      endpoint(api, {
        method: "get",
        path: `/v1/${access}`,
        tag: "test",
        summary: access,
        access,
        answers: { 200: { description: "Who is asking" } },
        handle: ({ c, caller }) => c.json(caller),
      });
    }
    const request = async (path: string, init: RequestInit = {}) => {
      const response = await api.app.request(path, init);
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    };
    return {
      services,
      request,
      get: (path: string, token: string) => request(path, { headers: bearer(token) }),
      post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
        request(path, {
          method: "POST",
          headers: { "Content-Type": "application/json", ...headers },
          body: JSON.stringify(body),
        }),
      form: (body: string, headers: Record<string, string> = {}) =>
        request("/v1/auth/token", {
          method: "POST",
          headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
          body,
        }),
    };
  }

  const hire = ({ email = ADDRESS, ...more }: Partial<NewAccount> = {}) =>
    newAccount(sql, email, { displayName: "Jörg", passwordHash, ...more });

  const tokenOf = (services: Services, id: string) => signedIn(services, { id, token_version: 1 });

  describe("the caller", () => {
    it("is recognised as a visitor without a query to the database", async () => {
      const sql = (() => {
        throw new Error("asked the database");
      }) as unknown as Sql;
      const { request } = museum({}, { sql });
      const answer = await request("/v1/public");
      expect(answer).toMatchObject({ status: 200, body: { kind: "visitor" } });
    });

    it("gets 401 and a WWW-Authenticate header as a visitor, where an account is needed", async () => {
      const answer = await museum().request("/v1/account");
      expect(answer.status).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    });

    it("is described with role and permissions when signed in", async () => {
      const id = await hire();
      const { services, get } = museum();
      const { status, body, headers } = await get("/v1/auth/me", await tokenOf(services, id));
      expect(status).toBe(200);
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(body).toMatchObject({ id, email: ADDRESS, display_name: "Jörg", role: "editor" });
      expect(body.must_change_password).toBe(false);
      expect(body.permissions).toMatchObject({ records: { object: expect.any(Array) } });
      expect(body.permissions.features).toContain("media:write");
      expect(body.permissions.features).not.toContain("users:manage");
      expect(JSON.stringify(body)).not.toContain("argon2");
    });

    it.each([
      ...["", "Bearer", "Bearer ", "Bearer a b", "Bearer a, Bearer b", "Bearer ü", "Basic YTpi"],
      ...["Bearer not-a-token", "Bearer ..", "Bearer e30.e30."],
    ])("is refused with the invalid Authorization header %j, even on a public route", async (header) => {
      const answer = await museum().request("/v1/public", { headers: { Authorization: header } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
    });

    it("never causes a server error with an arbitrary token", async () => {
      const { request } = museum();
      const header = fc.string({ maxLength: 200 }).map((text) => text.replace(/[^\x20-\x7e]/g, "."));
      await fc.assert(
        fc.asyncProperty(header, async (text) => {
          const answer = await request("/v1/public", { headers: { Authorization: `Bearer ${text}` } });
          expect(answer.status).toBe(401);
        }),
        { numRuns: 200 },
      );
    });

    it("is refused with an unknown API key, and with both a key and a token", async () => {
      const { request } = museum();
      const key = await request("/v1/public", { headers: { "X-API-Key": "svc_123" } });
      expect(key).toMatchObject({ status: 401, body: { detail: "The API key is unknown" } });
      const headers = { "X-API-Key": "svc_123", Authorization: "Bearer x" };
      expect((await request("/v1/public", { headers })).status).toBe(400);
    });
  });

  describe("access tokens", () => {
    const SOMEBODY = "0190a5a0-0000-7000-8000-000000000001";
    const SESSION = "0190a5a0-0000-7000-8000-000000000002";

    type Forgery = {
      header?: Record<string, unknown>;
      claims?: Record<string, unknown>;
      key?: Uint8Array;
    };

    async function forge(services: Services, { header, claims, key }: Forgery): Promise<string> {
      const now = Math.floor(Date.now() / 1000);
      const ours = { iss: "urn:svc:local", aud: "svc-api", sub: SOMEBODY, sid: SESSION };
      return new SignJWT({ ...ours, iat: now, exp: now + 60, jti: "1", ...claims })
        .setProtectedHeader({ alg: "HS256", ...header })
        .sign(key ?? (await services.signingKey()));
    }

    const code = (text: unknown) => Buffer.from(JSON.stringify(text)).toString("base64url");

    it("name their account and session, and expire after the configured time", async () => {
      const { services } = museum({ JWT_EXPIRES_SECONDS: "120" });
      const token = (await issueToken(services, SOMEBODY, SESSION)).accessToken;
      expect(await verifyToken(services, token)).toEqual({ account: SOMEBODY, session: SESSION });
      const [header, payload] = token
        .split(".")
        .slice(0, 2)
        .map((part) => JSON.parse(String(Buffer.from(part, "base64url"))));
      expect(header).toEqual({ alg: "HS256", typ: "JWT" });
      expect(payload).toMatchObject({ iss: "urn:svc:local", aud: "svc-api", sub: SOMEBODY, sid: SESSION });
      expect(payload.exp - payload.iat).toBe(120);
      expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
    });

    it("a token with the right key and claims is accepted", async () => {
      const { services } = museum();
      const told = { account: SOMEBODY, session: SESSION };
      expect(await verifyToken(services, await forge(services, {}))).toEqual(told);
    });

    it.each<[string, Forgery]>([
      ["signed with HS512", { header: { alg: "HS512" } }],
      ["signed with HS384", { header: { alg: "HS384" } }],
      ["signed with another key", { key: new TextEncoder().encode("another key, quite as long as ours") }],
      ["of another issuer", { claims: { iss: "https://elsewhere.example" } }],
      ["without an issuer", { claims: { iss: undefined } }],
      ["for another audience", { claims: { aud: "svc-refresh" } }],
      ["without an audience", { claims: { aud: undefined } }],
      ["that has expired", { claims: { exp: Math.floor(Date.now() / 1000) - 1 } }],
      ["that never expires", { claims: { exp: undefined } }],
      ["that is not valid yet", { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
      ["without a subject", { claims: { sub: undefined } }],
      ["whose subject is not an account id", { claims: { sub: "' or true --" } }],
      ["without a session", { claims: { sid: undefined } }],
      ["whose session is not an id", { claims: { sid: "' or true --" } }],
    ])("a token %s is refused", async (_which, forgery) => {
      const { services, get } = museum();
      await hire();
      await sql`update accounts set id = ${SOMEBODY}`;
      const { status, headers, body } = await get("/v1/public", await forge(services, forgery));
      expect(status).toBe(401);
      expect(headers.get("WWW-Authenticate")).toBe('Bearer error="invalid_token"');
      expect(body.detail).toMatch(/^The access token (is not valid|has expired); sign in again$/);
    });

    it("a token that declares that it needs no signature is refused", async () => {
      const { services, get } = museum();
      const [, payload, signature] = (await forge(services, {})).split(".");
      for (const alg of ["none", "None", "NONE", ""]) {
        for (const end of ["", signature]) {
          expect((await get("/v1/public", `${code({ alg })}.${payload}.${end}`)).status).toBe(401);
        }
      }
    });

    it("a token that brings its own key, or is signed with a key pair, is refused", async () => {
      const id = await hire();
      const { services, get } = museum();
      const own = new TextEncoder().encode("a key of the forger, as long as ours");
      const jwk = { kty: "oct", alg: "HS256", k: Buffer.from(own).toString("base64url") };
      const jku = "https://evil.example/keys.json";
      for (const header of [{ jwk }, { jku }, { x5u: jku }, { kid: "/dev/null" }]) {
        const token = await forge(services, { header, claims: { sub: id }, key: own });
        expect((await get("/v1/public", token)).status).toBe(401);
      }
      for (const alg of ["RS256", "ES256"]) {
        const { privateKey } = await generateKeyPair(alg);
        const token = await new SignJWT({ sid: SESSION })
          .setProtectedHeader({ alg })
          .setIssuer("urn:svc:local")
          .setAudience("svc-api")
          .setSubject(id)
          .setIssuedAt()
          .setExpirationTime("1m")
          .setJti("1")
          .sign(privateKey);
        expect((await get("/v1/public", token)).status).toBe(401);
      }
      await tokenOf(services, id);
      await sql`update sessions set id = ${SESSION}`;
      expect((await get("/v1/public", await forge(services, { claims: { sub: id } }))).status).toBe(200);
    });

    it("a token is refused if its session does not exist or belongs to somebody else", async () => {
      const id = await hire();
      const { services, get } = museum();
      const token = await forge(services, { claims: { sub: id } });
      expect((await get("/v1/public", token)).status).toBe(401);
      await tokenOf(services, await hire({ email: "another@museum.example" }));
      await sql`update sessions set id = ${SESSION}`;
      expect((await get("/v1/public", token)).status).toBe(401);
    });

    it("a token whose payload was altered is refused", async () => {
      const id = await hire();
      const { services, get } = museum();
      const [header, payload, signature] = (await tokenOf(services, id)).split(".");
      const claims = JSON.parse(String(Buffer.from(payload!, "base64url")));
      for (const change of [{ exp: claims.exp + 1 }, { sub: SOMEBODY }, { sid: SESSION }]) {
        const altered = `${header}.${code({ ...claims, ...change })}.${signature}`;
        expect((await get("/v1/public", altered)).status).toBe(401);
      }
      expect((await get("/v1/public", `${header}.${payload}.${signature}`)).status).toBe(200);
    });

    it("a token is refused once its account is disabled, deleted or has a newer token version", async () => {
      const id = await hire();
      const { services, get } = museum();
      const token = await tokenOf(services, id);
      await sql`update accounts set disabled_at = now()`;
      const detail = "The access token is no longer valid; sign in again";
      expect(await get("/v1/public", token)).toMatchObject({ status: 401, body: { detail } });
      await sql`update accounts set disabled_at = null, token_version = 2`;
      expect((await get("/v1/public", token)).status).toBe(401);
      await sql`update accounts set token_version = 1`;
      expect((await get("/v1/public", token)).status).toBe(200);
      await sql`delete from accounts`;
      expect((await get("/v1/public", token)).status).toBe(401);
    });

    it("a fault of the service is not reported as a fault of the token", async () => {
      const { services } = museum();
      const broken = { config: services.config, signingKey: async () => "no key" as unknown as Uint8Array };
      const fault = await verifyToken(broken, "a.b.c").catch((error: Problem) => error.name);
      expect(fault).not.toBe("Problem");
    });
  });

  describe("signing in", () => {
    it("JSON and the OAuth 2 form get the same answer, which must not be cached", async () => {
      await hire();
      const { post, form, get } = museum();
      const fields = { username: ADDRESS, password: PASSWORD, grant_type: "password" };
      const extra = { scope: "", client_id: "swagger", client_secret: "x" };
      const answers = [
        await post("/v1/auth/login", { email: ADDRESS, password: PASSWORD }),
        await form(String(new URLSearchParams(fields))),
        await form(String(new URLSearchParams({ username: ADDRESS, password: PASSWORD, ...extra }))),
      ];
      for (const { status, headers, body } of answers) {
        expect(status).toBe(200);
        expect(headers.get("Cache-Control")).toBe("no-store");
        expect(Object.keys(body).join()).toBe("access_token,token_type,expires_in,must_change_password");
        expect(body).toMatchObject({ token_type: "bearer", expires_in: 900, must_change_password: false });
        expect((await get("/v1/account", body.access_token)).status).toBe(200);
      }
      const [row] = await sql`select last_login_at from accounts`;
      expect(row!.last_login_at).not.toBeNull();
    });

    it.each([
      ["as registered", ADDRESS],
      ["in capitals", ADDRESS.toUpperCase()],
      ["with spaces around", ` ${ADDRESS}\t`],
      ["with the umlaut taken apart", ADDRESS.normalize("NFD")],
      ["in full-width letters", ADDRESS.replace("Museum", "Ｍｕｓｅｕｍ")],
    ])("the address is recognised %s", async (_how, email) => {
      await hire();
      const { status } = await museum().post("/v1/auth/login", { email, password: PASSWORD });
      expect(status).toBe(200);
    });

    it("the password is accepted in any Unicode encoding, but case and spaces count", async () => {
      await hire();
      const { post } = museum();
      const typed = (password: string) => post("/v1/auth/login", { email: ADDRESS, password });
      expect((await typed(PASSWORD.normalize("NFD"))).status).toBe(200);
      expect((await typed(PASSWORD.toUpperCase())).status).toBe(401);
      expect((await typed(` ${PASSWORD}`)).status).toBe(401);
    });

    it("a wrong password, an unknown account and a disabled account get the same answer", async () => {
      await hire();
      await hire({ email: "gone@museum.example" });
      await sql`update accounts set disabled_at = now() where email like 'gone%'`;
      const { post } = museum();
      const answers = [];
      for (const [email, password] of [
        [ADDRESS, "not the password"],
        ["nobody@museum.example", PASSWORD],
        ["nobody\u0000@museum.example", PASSWORD],
        ["gone@museum.example", PASSWORD],
      ]) {
        const { status, headers, body } = await post("/v1/auth/login", { email, password });
        answers.push(JSON.stringify([status, headers.get("WWW-Authenticate"), body]));
      }
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain("The e-mail address or the password is wrong");
      expect(answers[0]).toContain("[401,");
    });

    it("an old token or client credentials in the request do not prevent signing in", async () => {
      await hire({ mustChangePassword: true });
      const { post, form } = museum();
      const login = { email: ADDRESS, password: PASSWORD };
      const first = await post("/v1/auth/login", login, bearer("expired"));
      expect(first).toMatchObject({ status: 200, body: { must_change_password: true } });
      expect((await post("/v1/auth/login", login, bearer(first.body.access_token))).status).toBe(200);
      const fields = String(new URLSearchParams({ username: ADDRESS, password: PASSWORD }));
      expect((await form(fields, { Authorization: "Basic Y2xpZW50Og==" })).status).toBe(200);
    });

    it("each of the two routes accepts only its own media type", async () => {
      const { post, form, request } = museum();
      const json = await form("{}", { "Content-Type": "application/json" });
      expect(json.status).toBe(415);
      expect(json.headers.get("Accept")).toBe("application/x-www-form-urlencoded");
      expect((await form("a=b", { "Content-Type": "multipart/form-data; boundary=x" })).status).toBe(415);
      const asForm = { "Content-Type": "application/x-www-form-urlencoded" };
      expect((await post("/v1/auth/login", {}, asForm)).status).toBe(415);
      expect((await request("/v1/auth/token", { method: "POST" })).status).toBe(415);
      const charset = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
      expect((await form("username=a&password=b", charset)).status).toBe(401);
    });

    it("a faulty form is refused with the reason", async () => {
      const { form } = museum();
      const pointers = async (text: string) =>
        ((await form(text)).body.errors ?? []).map((fault: { pointer: string }) => fault.pointer);
      expect(await pointers("")).toEqual(["/username", "/password"]);
      expect(await pointers("username=a&password=")).toEqual(["/password"]);
      expect(await pointers("username=a&password=b&grant_type=client_credentials")).toEqual(["/grant_type"]);
      expect((await form("username=a&username=b&password=c")).status).toBe(400);
      expect((await form(`username=a&password=${"b".repeat(20_000)}`)).status).toBe(413);
      expect((await form("username=a&password=%00%ED%A0%80")).status).toBe(422);
      expect((await form("username=a&password=b&__proto__=c&unknown=d")).status).toBe(401);
    });

    it("a body that is too large or has unexpected members is refused", async () => {
      const { post } = museum();
      expect((await post("/v1/auth/login", { email: "a", password: "b".repeat(20_000) })).status).toBe(413);
      expect((await post("/v1/auth/login", { email: "a", password: "b".repeat(1_025) })).status).toBe(422);
      expect((await post("/v1/auth/login", { email: "a", password: "b", role: "admin" })).status).toBe(422);
      expect((await post("/v1/auth/login", { email: "a", password: "\ud800" })).status).toBe(422);
      expect((await post("/v1/auth/login", { email: ["a"], password: { b: 1 } })).status).toBe(422);
    });
  });

  describe("changing a password", () => {
    const NEW = "another quiet depot, 1889";

    it("ends every session and returns a new token", async () => {
      await hire();
      const { post, get } = museum();
      const login = { email: ADDRESS, password: PASSWORD };
      const [here, elsewhere] = [await post("/v1/auth/login", login), await post("/v1/auth/login", login)];
      const change = { current_password: PASSWORD, new_password: NEW };
      const changed = await post("/v1/auth/password", change, bearer(here.body.access_token));
      expect(changed).toMatchObject({
        status: 200,
        body: { token_type: "bearer", must_change_password: false },
      });
      expect(changed.headers.get("Cache-Control")).toBe("no-store");
      for (const old of [here, elsewhere])
        expect((await get("/v1/public", old.body.access_token)).status).toBe(401);
      expect((await get("/v1/account", changed.body.access_token)).status).toBe(200);
      expect((await post("/v1/auth/login", login)).status).toBe(401);
      expect((await post("/v1/auth/login", { email: ADDRESS, password: NEW })).status).toBe(200);
      const [row] = await sql`select password_hash from accounts`;
      expect(row!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    it("comes before everything else while it is required", async () => {
      await hire({ mustChangePassword: true });
      const { post, get } = museum();
      const { body } = await post("/v1/auth/login", { email: ADDRESS, password: PASSWORD });
      expect(body.must_change_password).toBe(true);
      for (const path of ["/v1/public", "/v1/account"]) {
        const answer = await get(path, body.access_token);
        expect(answer.status).toBe(403);
        expect(answer.body.detail).toContain("must be changed first: POST /v1/auth/password");
      }
      expect(await get("/v1/auth/me", body.access_token)).toMatchObject({
        status: 200,
        body: { must_change_password: true },
      });
      const change = { current_password: PASSWORD, new_password: NEW };
      const changed = await post("/v1/auth/password", change, bearer(body.access_token));
      expect(changed.body.must_change_password).toBe(false);
      expect((await get("/v1/account", changed.body.access_token)).status).toBe(200);
    });

    it("needs an account, the current password and a strong new password", async () => {
      const id = await hire();
      const { post, services } = museum();
      const token = await tokenOf(services, id);
      const change = (current_password: string, new_password: string) =>
        post("/v1/auth/password", { current_password, new_password }, bearer(token));
      const json = { current_password: PASSWORD, new_password: NEW };
      expect((await post("/v1/auth/password", json)).status).toBe(401);
      expect(await change("wrong", NEW)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/current_password" }] },
      });
      const weak = ["short", PASSWORD, PASSWORD.normalize("NFD"), "jörg.curator 1888", "Password-1234"];
      const refused = { status: 422, body: { errors: [{ pointer: "/new_password" }] } };
      for (const each of weak) expect(await change(PASSWORD, each)).toMatchObject(refused);
      expect((await change(PASSWORD, "x".repeat(1_025))).status).toBe(422);
      const [row] = await sql`select token_version from accounts`;
      expect(row!.token_version).toBe(1);
    });

    it("happens once if it is requested twice at the same time", async () => {
      const id = await hire();
      const { post, services } = museum();
      const token = await tokenOf(services, id);
      const answers = await Promise.all(
        [NEW, `${NEW}!`].map((new_password) =>
          post("/v1/auth/password", { current_password: PASSWORD, new_password }, bearer(token)),
        ),
      );
      const [done, refused] = answers.map(({ status }) => status).sort();
      expect(done).toBe(200);
      // by then either its token has ended, or the current password is another one
      expect([401, 422]).toContain(refused);
      const [row] = await sql`select token_version from accounts`;
      expect(row!.token_version).toBe(2);
    });
  });

  describe("the first run", () => {
    const announcement = () => {
      const printed: string[] = [];
      const written: string[] = [];
      return {
        printed,
        written,
        print: (text: string) => void printed.push(text),
        writeCredentials: async (text: string) => void written.push(text),
      };
    };
    const hosted = {
      SVC_BASE_URL: "https://catalogue.museum.example:8443",
      SECRET_KEY: "c3a9170e5bd8426f97e0b1d24a6c8f35",
    };

    it("creates one superuser at the host of the base URL, with a temporary password", async () => {
      const { services, post, get } = museum({ ...hosted, DEFAULT_ADMIN_PASSWORD: "not used here" });
      const announced = announcement();
      expect(await ensureFirstAdmin(services, announced)).toEqual({
        created: true,
        email: "admin@catalogue.museum.example",
      });
      expect(announced.written).toHaveLength(1);
      const match = /^url: (.+)\nemail: (.+)\npassword: (.+)\nlink: (.+)\n$/.exec(announced.written[0]!);
      expect(match?.slice(1, 3)).toEqual([hosted.SVC_BASE_URL, "admin@catalogue.museum.example"]);
      expect(match?.[4]).toBe(`${hosted.SVC_BASE_URL}/admin/first-account#code=${match?.[3]}`);
      expect(announced.printed).toHaveLength(1);
      expect(announced.printed[0]).toMatch(/^FIRST RUN$/m);
      expect(announced.printed[0]).toContain(announced.written[0]);
      const { status, body } = await post("/v1/auth/login", { email: match![2], password: match![3] });
      expect(status).toBe(200);
      expect(body.must_change_password).toBe(true);
      expect((await get("/v1/auth/me", body.access_token)).body.role).toBe("superuser");
      expect(logged.join("")).not.toContain(match![3]);
    });

    it("happens only once", async () => {
      const { services } = museum();
      const announced = announcement();
      expect((await ensureFirstAdmin(services, announced)).created).toBe(true);
      expect(await ensureFirstAdmin(services, announced)).toEqual({ created: false });
      expect(announced.printed).toHaveLength(1);
      expect(await sql`select 1 from accounts`).toHaveLength(1);
    });

    it("happens once when several processes start at once", async () => {
      const { services } = museum();
      const announced = announcement();
      const runs = await Promise.all(Array.from({ length: 5 }, () => ensureFirstAdmin(services, announced)));
      expect(runs.filter(({ created }) => created)).toHaveLength(1);
      expect(announced.printed).toHaveLength(1);
      expect(announced.written).toHaveLength(1);
      expect(await sql`select 1 from accounts`).toHaveLength(1);
    });

    it("is skipped if there is an administrator", async () => {
      const announced = announcement();
      await hire({ role: "admin" });
      expect(await ensureFirstAdmin(museum().services, announced)).toEqual({ created: false });
      expect(announced.printed).toEqual([]);
    });

    it("does not take over an account of somebody else that has the administrator's address", async () => {
      await hire({ email: "Admin@museum.example", role: "viewer" });
      const { services } = museum({ DEFAULT_ADMIN_EMAIL: "admin@museum.example" });
      const made = { created: true, email: "admin-2@museum.example" };
      expect(await ensureFirstAdmin(services, announcement())).toEqual(made);
    });

    it("uses the configured password in local development, and prints it nowhere", async () => {
      const [email, password] = ["me@here.example", "tulips in the west wing"];
      const { services, post } = museum({ DEFAULT_ADMIN_EMAIL: email, DEFAULT_ADMIN_PASSWORD: password });
      const announced = announcement();
      expect(await ensureFirstAdmin(services, announced)).toEqual({ created: true, email });
      expect(announced.printed.join("")).toContain("FIRST RUN");
      expect(announced.printed.join("")).not.toContain(password);
      expect(announced.written).toEqual([]);
      const { status, body } = await post("/v1/auth/login", { email, password });
      expect(status).toBe(200);
      expect(body.must_change_password).toBe(false);
    });

    it("makes up a password in local development if none is configured", async () => {
      const announced = announcement();
      await ensureFirstAdmin(museum().services, announced);
      expect(announced.written[0]).toMatch(/^email: admin@example\.org$/m);
      const [row] = await sql`select must_change_password from accounts`;
      expect(row!.must_change_password).toBe(true);
    });

    it("succeeds even if the file cannot be written, because the password is printed first", async () => {
      const { services } = museum();
      const announced = announcement();
      const writeCredentials = async () => {
        expect(announced.printed).toHaveLength(1);
        throw new Error("no space left on device");
      };
      expect((await ensureFirstAdmin(services, { ...announced, writeCredentials })).created).toBe(true);
      expect(announced.printed[0]).toMatch(/^password: \S{34}$/m);
      expect(logged.join("")).toContain("no space left on device");
      expect(logged.join("")).not.toContain(/^password: (\S+)$/m.exec(announced.printed[0]!)![1]);
    });
  });
});

describe("a password", () => {
  it.each([
    ["fault.password.short", "eleven char"],
    ["fault.text.unstorable", "a\u0000bcdefghijklmnop"],
    ["fault.text.unstorable", "a\udc00bcdefghijklmnop"],
    ["fault.too_long", "long ".repeat(205)],
    ["fault.password.email", "ichbinJÖRG.CURATOR!"],
    ["fault.password.repeats", "abcabcabcabcabc"],
    ["fault.password.repeats", "aaaaaaaaaaaa"],
    ["fault.password.common", "123456789012"],
    ["fault.password.common", "PassWord-2024"],
    ["fault.password.common", "ｐａｓｓｗｏｒｄ１２３４"],
    ["fault.password.common", "Correct horse battery staple"],
  ])("is refused with %s", (key, password) => {
    expect(passwordFault(password, ADDRESS)?.key).toBe(key);
  });

  it.each([
    "a quiet depot",
    "тихое хранилище",
    "静かな収蔵庫にある千八百八十八点の品",
    "🏛️🏺🖼️🗿🏺🖼️🗿🏛️",
    "x1x1x1x1x1x1y",
  ])("is accepted if it is %j", (password) => {
    expect(passwordFault(password, ADDRESS)).toBeNull();
    expect(passwordFault(password, "al@museum.example")).toBeNull();
  });

  it("made up by the service has at least 128 bits and can be read out", () => {
    const all = new Set(Array.from({ length: 500 }, randomPassword));
    expect(all.size).toBe(500);
    for (const password of all) {
      expect(password).toMatch(/^(?:[2-9a-km-np-z]{4}-){6}[2-9a-km-np-z]{4}$/);
      expect(passwordFault(password, "admin@museum.example")).toBeNull();
    }
  });
});

inLong(describe)("the comparison key of an address", () => {
  it("is the same however the address is typed, and is its own key", () => {
    expect(emailKey("  Jörg@MUSEUM.example ")).toBe("jörg@museum.example");
    expect(emailKey("Jo\u0308rg@museum.example")).toBe(emailKey("JÖRG@Museum.Example"));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(emailKey(emailKey(text))).toBe(emailKey(text));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("files that only the service may read", () => {
  it("credentials replace an older file, are written whole, and only the owner may read them", async () => {
    const path = join(directory, "secrets", "deep", "credentials.txt");
    await writeCredentials(path, "first\n");
    await writeCredentials(path, "second\n");
    expect(await readFile(path, "utf8")).toBe("second\n");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, "secrets"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(directory, "secrets", "deep"))).toEqual(["credentials.txt"]);
  });

  it("a credentials file is deleted when its account sets its own password; those of other accounts stay", async () => {
    const [mine, other] = [join(directory, "mine.txt"), join(directory, "other.txt")];
    const text = (email: string) => `url: http://museum.example\nemail: ${email}\npassword: x\n`;
    await writeCredentials(mine, text("admin@museum.example"));
    await writeCredentials(other, text("admin@museum.example.org"));
    const log = createLog({ level: "error", format: "json", write: () => undefined });
    const files = credentialFiles([mine, other, join(directory, "none.txt"), directory], log);
    await files.forget("admin@museum.example");
    expect((await readdir(directory)).filter((name) => /^(mine|other)/.test(name))).toEqual(["other.txt"]);
  });

  it("a credentials file that others could read becomes private", async () => {
    const path = join(directory, "open.txt");
    await writeFile(path, "old", { mode: 0o644 });
    await writeCredentials(path, "new");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("a failed write of credentials leaves nothing behind", async () => {
    await expect(writeCredentials(directory, "text")).rejects.toThrow();
    const beside = await readdir(tmpdir());
    expect(beside.filter((name) => join(tmpdir(), name).startsWith(`${directory}.`))).toEqual([]);
  });

  it("the secret key is made once, even by several starts at the same time, and kept", async () => {
    const path = join(directory, "instance", "secret-key");
    const keys = await Promise.all(Array.from({ length: 8 }, () => keepSecretKey(path)));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await keepSecretKey(path)).toBe(keys[0]);
  });

  inLong(it)("an invalid secret key is not used, and the message says what to do", async () => {
    for (const [n, text] of ["too short\n", `${"x".repeat(64)}\n`, `${"a".repeat(65)}\n`].entries()) {
      const path = join(directory, `wrong-key-${n}`);
      await writeFile(path, text);
      await expect(keepSecretKey(path)).rejects.toThrow(/does not contain a secret key.*remove the file/);
      expect(await readFile(path, "utf8")).toBe(text);
    }
  });
});
