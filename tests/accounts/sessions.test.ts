import { hash as argon2 } from "@node-rs/argon2";
import { beforeEach, describe, expect, it } from "vitest";
import { normalisePassword } from "../../src/accounts/passwords/passwords.ts";
import { inProcessCounter } from "../../src/adapters/counter/in-process.ts";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config/read.ts";
import type { Passwords, Services } from "../../src/services.ts";
import { housekeep } from "../../workers/housekeeping.ts";
import { read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";

const EMAIL = "registrar@museum.example";
const PASSWORD = "seven keys on one ring";
const HOSTED = {
  SVC_BASE_URL: "https://catalogue.museum.example",
  SVC_ADMIN_URL: "https://admin.museum.example",
  CORS_ORIGINS: "https://www.museum.example",
  SECRET_KEY: "c3a9170e5bd8426f97e0b1d24a6c8f35",
};

type Token = { access_token: string; expires_in: number; must_change_password: boolean };

describe.each(databases)("sessions in the %s database", async (database) => {
  let id: string;

  const museum = await museumHere({ database });
  const sql = museum.services.sql;
  const hash = await museum.services.passwords.hash(normalisePassword(PASSWORD));
  beforeEach(async () => {
    await sql`delete from accounts`;
    id = await hire(EMAIL);
  });

  const hire = (email: string) => newAccount(sql, email, { displayName: "Registrar", passwordHash: hash });

  /** A browser: it keeps cookies and sends them to the addresses they belong to. */
  function browser(env: Record<string, string> = {}, given: Partial<Services> = {}) {
    const config = readConfig({ SVC_DATA_DIR: museum.dataDir, ...env });
    if (!config.ok) throw new Error(config.faults.join("\n"));
    // its own counter, because limits are tested elsewhere
    const counter = inProcessCounter();
    const { app } = createApp({ ...museum.services, counter, config: config.config, ...given });
    const jar = new Map<string, { path: string; pair: string }>();
    const post = async (path: string, json?: unknown, headers: Record<string, string> = {}) => {
      const sent = [...jar.values()].filter((cookie) => path.startsWith(cookie.path));
      const answer = await app.request(path, {
        method: "POST",
        headers: {
          ...(sent.length > 0 ? { Cookie: sent.map(({ pair }) => pair).join("; ") } : {}),
          ...(json === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const path = /; Path=([^;]+)/.exec(line)![1]!;
        if (line.includes("Max-Age=0")) jar.delete(path);
        else jar.set(path, { path, pair: line.slice(0, line.indexOf(";")) });
      }
      return answer;
    };
    return {
      jar,
      post,
      /** A second browser with the same cookies, like a thief or another tab. */
      copy() {
        const other = browser(env, given);
        for (const [path, cookie] of jar) other.jar.set(path, cookie);
        return other;
      },
      signIn: () => read<Token>(post("/v1/auth/login", { email: EMAIL, password: PASSWORD })),
      refresh: (headers?: Record<string, string>) => post("/v1/auth/refresh", undefined, headers),
      me: async (token: string) =>
        (await app.request("/v1/auth/me", { headers: { Authorization: `Bearer ${token}` } })).status,
    };
  }

  const events = async (event: string) =>
    sql`select actor_id, account_id, client, detail from security_events
      where event = ${event} and account_id = ${id} order by at`;
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  /** Makes the last refresh appear so many seconds older. */
  const later = (seconds: number) =>
    sql`update sessions set refreshed_at = refreshed_at - make_interval(secs => ${seconds})`;

  describe("a program", () => {
    const form = (fields: Record<string, string>) =>
      museum.ask("/v1/auth/token", { method: "POST", body: new URLSearchParams(fields) });
    const refresh = (refresh_token: string) => museum.ask("/v1/auth/refresh", { json: { refresh_token } });
    type Kept = Token & { refresh_token: string };

    it("can request a refresh token, each good for one use", async () => {
      const given = await form({ username: EMAIL, password: PASSWORD, scope: "read offline_access" });
      expect(given.headers.getSetCookie()).toEqual([]);
      const first = await read<Kept>(given);
      const answer = await refresh(first.refresh_token);
      expect(answer.headers.getSetCookie()).toEqual([]);
      const second = await read<Kept>(answer);
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect(await browser().me(second.access_token)).toBe(200);
      const third = await read<Kept>(
        form({ grant_type: "refresh_token", refresh_token: second.refresh_token }),
      );
      // somebody has copied the first one: the session ends
      await later(60);
      await read(refresh(first.refresh_token), 401);
      await read(refresh(third.refresh_token), 401);
    });

    it("gets no refresh token without asking, and none when it uses the cookie", async () => {
      expect(await read(form({ username: EMAIL, password: PASSWORD }))).not.toHaveProperty("refresh_token");
      const here = browser();
      await here.signIn();
      expect(await read(here.refresh())).not.toHaveProperty("refresh_token");
      await read(refresh("x".repeat(66)), 401);
      await read(museum.ask("/v1/auth/refresh", { json: { token: "x" } }), 422);
    });
  });

  describe("the cookie", () => {
    it("is out of reach for scripts and other sites, and only its hash is stored", async () => {
      const { post } = browser();
      const answer = await post("/v1/auth/login", { email: EMAIL, password: PASSWORD });
      const cookies = answer.headers.getSetCookie();
      expect(cookies).toHaveLength(2);
      const token = /^svc_refresh=([\w-]{22}\.[\w-]{43});/.exec(cookies[0]!)![1]!;
      expect(cookies.map((line) => line.replace(token, "…"))).toEqual([
        "svc_refresh=…; Max-Age=604800; Path=/v1/auth; HttpOnly; SameSite=Strict",
        "svc_refresh=…; Max-Age=604800; Path=/api/v1/auth; HttpOnly; SameSite=Strict",
      ]);
      expect(await answer.text()).not.toContain(token);
      const kept = JSON.stringify(await sql`select * from sessions`);
      for (const part of token.split(".")) {
        expect(kept).not.toContain(part);
        expect(museum.log.join("")).not.toContain(part);
      }
    });

    it("is sent only over encrypted connections in public installations, and below their path", async () => {
      const { post } = browser({ ...HOSTED, SVC_BASE_URL: "https://museum.example/catalogue" });
      const answer = await post("/v1/auth/login", { email: EMAIL, password: PASSWORD });
      const lines = answer.headers.getSetCookie();
      expect(lines.map((line) => line.replace(/=[^;]+/, "=…"))).toEqual([
        "__Secure-svc_refresh=…; Max-Age=604800; Path=/catalogue/v1/auth; HttpOnly; Secure; SameSite=Strict",
        "__Secure-svc_refresh=…; Max-Age=604800; Path=/catalogue/api/v1/auth; HttpOnly; Secure; SameSite=Strict",
      ]);
    });

    it("is also set by the form and by a password change, and works at both addresses", async () => {
      const { post, refresh } = browser();
      const app = createApp(museum.services).app;
      const signedIn = await app.request("/api/v1/auth/token", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: String(new URLSearchParams({ username: EMAIL, password: PASSWORD })),
      });
      expect(signedIn.headers.getSetCookie()).toHaveLength(2);

      await read(post("/v1/auth/login", { email: EMAIL, password: PASSWORD }));
      await read(post("/api/v1/auth/refresh"));
      await read(refresh());
      await read(post("/api/v1/auth/refresh"));
    });
  });

  describe("refreshing a session", () => {
    it("gives a new access token and a new cookie each time", async () => {
      const { signIn, refresh, jar, me } = browser();
      await signIn();
      const seen = new Set([jar.get("/v1/auth")!.pair]);
      for (let n = 1; n <= 3; n++) {
        const answer = await refresh();
        expect(answer.headers.get("Cache-Control")).toBe("no-store");
        const token = await read<Token>(answer);
        expect(token).toMatchObject({ token_type: "bearer", expires_in: 900, must_change_password: false });
        expect(await me(token.access_token)).toBe(200);
        seen.add(jar.get("/v1/auth")!.pair);
      }
      expect(seen.size).toBe(4);
      expect(await sql`select 1 from sessions`).toHaveLength(1);
    });

    it("ignores an expired access token that is sent along", async () => {
      const { signIn, refresh } = browser();
      await signIn();
      await read(refresh(bearer("expired")));
    });

    it("without a cookie, or with an invented one, is answered with 401", async () => {
      const { refresh, jar } = browser();
      for (const pair of [
        null,
        "svc_refresh=",
        "svc_refresh=x",
        `svc_refresh=${"a".repeat(22)}.${"b".repeat(43)}`,
      ]) {
        if (pair) jar.set("/v1/auth", { path: "/v1/auth", pair });
        const answer = await refresh();
        expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
        expect(answer.headers.getSetCookie()).toEqual([]);
        await read(answer, 401);
      }
    });

    it("with a token that was used before ends the session for thief and owner, and is logged", async () => {
      const owner = browser();
      await owner.signIn();
      const thief = owner.copy();
      await read(thief.refresh());
      await later(11);
      await read(owner.refresh(), 401);
      await read(thief.refresh(), 401);
      expect(await sql`select 1 from sessions`).toHaveLength(0);
      expect(await events("session_reused")).toMatchObject([{ account_id: id, actor_id: null }]);
    });

    it("with a token before the last one ends the session even during a refresh", async () => {
      const owner = browser();
      await owner.signIn();
      const old = owner.copy();
      await read(owner.refresh());
      await read(owner.refresh());
      await read(old.refresh(), 401);
      await read(owner.refresh(), 401);
    });

    it("with the right family and an invented secret ends the session, too", async () => {
      const owner = browser();
      await owner.signIn();
      const forger = owner.copy();
      const { pair } = forger.jar.get("/v1/auth")!;
      forger.jar.set("/v1/auth", { path: "/v1/auth", pair: pair.replace(/\..*/, `.${"c".repeat(43)}`) });
      await read(forger.refresh(), 401);
      await read(owner.refresh(), 401);
    });

    it("works for two tabs at the same moment, which share one new cookie", async () => {
      const first = browser();
      await first.signIn();
      const second = first.copy();
      const answers = await Promise.all([first.refresh(), second.refresh()]);
      const tokens = await Promise.all(answers.map((answer) => read<Token>(answer)));
      for (const { access_token } of tokens) expect(await first.me(access_token)).toBe(200);
      expect(answers.map(({ headers }) => headers.getSetCookie().length).sort()).toEqual([0, 2]);
      const kept = answers[0]!.headers.getSetCookie().length > 0 ? first : second;
      await read(kept.refresh());
      expect(await events("session_reused")).toEqual([]);
    });

    it("many times with one token makes only one new token", async () => {
      const owner = browser();
      await owner.signIn();
      const answers = await Promise.all(Array.from({ length: 12 }, () => owner.copy().refresh()));
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
      expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
    });

    it("is possible until a week after the last use and a month after signing in", async () => {
      const idle = browser();
      await idle.signIn();
      await sql`update sessions set refreshed_at = now() - interval '6 days 23 hours'`;
      await read(idle.refresh());
      await sql`update sessions set refreshed_at = now() - interval '7 days 1 minute'`;
      await read(idle.refresh(), 401);

      const busy = browser();
      await busy.signIn();
      await sql`update sessions set created_at = now() - interval '29 days'`;
      const answer = await busy.refresh();
      const seconds = Number(/Max-Age=(\d+)/.exec(answer.headers.getSetCookie()[0]!)![1]);
      expect(seconds).toBeGreaterThan(86_000);
      expect(seconds).toBeLessThanOrEqual(86_400);
      await sql`update sessions set created_at = now() - interval '30 days 1 minute'`;
      await read(busy.refresh(), 401);
      expect(await events("session_reused")).toEqual([]);
    });

    it("is no longer possible when the account was disabled, even if it is enabled again", async () => {
      const { signIn, refresh, copy } = browser();
      await signIn();
      const before = copy();
      await sql`update accounts set disabled_at = now(), token_version = token_version + 1`;
      await read(refresh(), 401);
      await sql`update accounts set disabled_at = null`;
      await read(before.refresh(), 401);
    });

    it("is possible only in this browser after the password was changed here", async () => {
      const [here, there] = [browser(), browser()];
      const { access_token } = await here.signIn();
      await there.signIn();
      const change = { current_password: PASSWORD, new_password: "eight keys on two rings" };
      await read(here.post("/v1/auth/password", change, bearer(access_token)));
      await read(there.refresh(), 401);
      await read(here.refresh());
      expect(await sql`select 1 from sessions`).toHaveLength(1);
      expect(await events("password_changed")).toMatchObject([{ actor_id: id }]);
    });

    it("is possible for the latest hundred sessions of an account", async () => {
      const { signIn, refresh } = browser();
      await signIn();
      await sql`
        insert into sessions (id, account_id, token_version, family_hash, secret_hash, refreshed_at)
        select gen_random_uuid(), ${id}, 1, 'family ' || n, 'secret', now() - n * interval '1 minute'
        from generate_series(1, 120) n`;
      await browser().signIn();
      const [row] =
        await sql`select count(*)::int as count, min(refreshed_at) > now() - interval '99 minutes' as newest
        from sessions`;
      expect(row).toEqual({ count: 100, newest: true });
      await read(refresh());
    });

    it("is unaffected by housekeeping, which deletes only sessions that have ended", async () => {
      await browser().signIn();
      await sql`
        insert into sessions (id, account_id, token_version, family_hash, secret_hash, created_at, refreshed_at) values
          (gen_random_uuid(), ${id}, 1, 'idle', '', now() - interval '8 days', now() - interval '8 days'),
          (gen_random_uuid(), ${id}, 1, 'old', '', now() - interval '31 days', now()),
          (gen_random_uuid(), ${id}, 2, 'of a password since changed', '', now(), now()),
          (gen_random_uuid(), ${id}, 1, 'in use', '', now() - interval '29 days', now())`;
      await housekeep(museum.services);
      const rows = await sql`select family_hash from sessions order by length(family_hash)`;
      expect(rows.map(({ family_hash: family }) => family)).toEqual([
        "in use",
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]);
    });
  });

  describe("logging out", () => {
    it("ends this session, deletes the cookie, and leaves other sessions alone", async () => {
      const [here, there] = [browser(), browser()];
      await here.signIn();
      await there.signIn();
      const before = here.copy();
      const answer = await here.post("/v1/auth/logout");
      expect(answer.headers.getSetCookie().map((line) => line.replace(/^[^;]*/, ""))).toEqual([
        "; Max-Age=0; Path=/v1/auth; HttpOnly; SameSite=Strict",
        "; Max-Age=0; Path=/api/v1/auth; HttpOnly; SameSite=Strict",
      ]);
      await read(answer, 204);
      expect(here.jar.size).toBe(0);
      await read(here.refresh(), 401);
      await read(before.refresh(), 401);
      await read(there.refresh());
      expect(await events("logged_out")).toMatchObject([{ actor_id: id, detail: { everywhere: false } }]);
    });

    it("twice, or without having signed in, is no error", async () => {
      const { post, signIn, copy } = browser();
      await read(post("/v1/auth/logout"), 204);
      await signIn();
      const before = copy();
      await read(post("/v1/auth/logout"), 204);
      await read(before.post("/v1/auth/logout"), 204);
      expect(await events("logged_out")).toHaveLength(1);
    });

    it("everywhere ends every session and access token of the account, and of no other account", async () => {
      const [here, there, colleague] = [browser(), browser(), browser()];
      const tokens = [await here.signIn(), await there.signIn()];
      await hire("colleague@museum.example");
      const login = { email: "colleague@museum.example", password: PASSWORD };
      await read(colleague.post("/v1/auth/login", login));
      await read(here.post("/v1/auth/logout-everywhere"), 401);
      await read(here.post("/v1/auth/logout-everywhere", undefined, bearer(tokens[0]!.access_token)), 204);
      for (const { access_token } of tokens) expect(await here.me(access_token)).toBe(401);
      for (const each of [here, there]) await read(each.refresh(), 401);
      await read(colleague.refresh());
      await there.signIn();
      await read(there.refresh());
      expect(await events("logged_out")).toMatchObject([{ actor_id: id, detail: { everywhere: true } }]);
    });
  });

  describe("pages of other origins", () => {
    const PATHS = ["/v1/auth/refresh", "/v1/auth/logout", "/api/v1/auth/refresh", "/api/v1/auth/logout"];
    const foreign: [string, Record<string, string>][] = [
      ["another site", { Origin: "https://evil.example" }],
      [
        "another site, as browsers say it twice",
        { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
      ],
      [
        "another host of the same site",
        { Origin: "https://shop.museum.example", "Sec-Fetch-Site": "same-site" },
      ],
      ["an address that begins like ours", { Origin: "https://catalogue.museum.example.evil.example" }],
      ["our host at another port", { Origin: "https://catalogue.museum.example:8443" }],
      ["a page in a sandbox", { Origin: "null" }],
      ["nowhere that can be read", { Origin: "https://" }],
      ["a site that hides where it is", { "Sec-Fetch-Site": "cross-site" }],
    ];
    it.each(foreign)("%s cannot refresh, log out or sign somebody in", async (_who, headers) => {
      const { signIn, post, refresh } = browser(HOSTED);
      await signIn();
      for (const path of PATHS) {
        const answer = await post(path, undefined, headers);
        expect(answer.headers.getSetCookie()).toEqual([]);
        await read(answer, 403);
      }
      const strange = await post("/v1/auth/login", { email: EMAIL, password: PASSWORD }, headers);
      expect(strange.headers.getSetCookie()).toEqual([]);
      await read(strange, 403);
      // the session is unaffected
      await read(refresh());
    });

    it.each<[string, Record<string, string>]>([
      ["the service itself", { Origin: "https://catalogue.museum.example" }],
      ["the admin interface", { Origin: "https://admin.museum.example", "Sec-Fetch-Site": "same-site" }],
      ["a frontend of CORS_ORIGINS", { Origin: "https://www.museum.example", "Sec-Fetch-Site": "same-site" }],
      [
        "a browser that knows the service by another name",
        { Origin: "http://10.0.0.7", "Sec-Fetch-Site": "same-origin" },
      ],
      ["an old browser that does so", { Origin: "http://localhost" }],
      ["a program", {}],
    ])("%s can", async (_who, headers) => {
      const { signIn, post } = browser(HOSTED);
      await signIn();
      await read(post("/v1/auth/refresh", undefined, headers));
      await read(post("/v1/auth/logout", undefined, headers), 204);
    });
  });

  describe("signing in", () => {
    /** Passwords that record the calls. */
    function recordingPasswords(more: Partial<Passwords> = {}) {
      const calls: { verified: string[]; hashed: number } = { verified: [], hashed: 0 };
      const passwords: Passwords = {
        ...museum.services.passwords,
        ...more,
        hash(password) {
          calls.hashed++;
          return museum.services.passwords.hash(password);
        },
        verify(password, hashed) {
          calls.verified.push(hashed);
          return museum.services.passwords.verify(password, hashed);
        },
      };
      return { passwords, calls };
    }

    it("verifies a password at today's cost, also for unknown and disabled accounts", async () => {
      const { passwords, calls } = recordingPasswords();
      const { post } = browser({}, { passwords });
      await hire("gone@museum.example");
      await sql`update accounts set disabled_at = now() where email like 'gone%'`;
      for (const email of [
        EMAIL,
        "nobody@museum.example",
        "nobody\u0000@museum.example",
        "gone@museum.example",
      ]) {
        calls.verified = [];
        await read(post("/v1/auth/login", { email, password: "not the password" }), 401);
        expect(calls.verified).toHaveLength(1);
        expect(museum.services.passwords.isOutdated(calls.verified[0]!)).toBe(false);
      }
      // the hash that matches no password is made once
      expect(calls.hashed).toBe(1);
    });

    it("is logged, whether it succeeds or fails, without what was typed", async () => {
      const { post, signIn } = browser();
      await signIn();
      await read(post("/v1/auth/login", { email: EMAIL, password: "a wrong password" }), 401);
      await read(post("/v1/auth/login", { email: "a password in the wrong field", password: "x" }), 401);
      expect(await events("login_succeeded")).toMatchObject([{ actor_id: id, account_id: id }]);
      expect(await events("login_failed")).toMatchObject([{ actor_id: null, account_id: id }]);
      const unknown =
        await sql`select detail from security_events where event = 'login_failed' and account_id is null`;
      expect(unknown.length).toBeGreaterThan(0);
      expect(JSON.stringify(await sql`select * from security_events`)).not.toMatch(/wrong (password|field)/);
    });

    it("renews a hash with former parameters once, without ending sessions", async () => {
      const weak = await argon2(normalisePassword(PASSWORD), {
        memoryCost: 8_192,
        timeCost: 1,
        parallelism: 1,
      });
      await sql`update accounts set password_hash = ${weak}`;
      const { signIn, refresh, me } = browser();
      const kept = async () => (await sql`select password_hash from accounts`)[0]!.password_hash as string;
      const { access_token } = await signIn();
      const renewed = await kept();
      expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await me(access_token)).toBe(200);
      await read(refresh());
      await signIn();
      expect(await kept()).toBe(renewed);
    });

    it("with a wrong password renews nothing", async () => {
      const { passwords } = recordingPasswords({ isOutdated: () => true });
      const { post } = browser({}, { passwords });
      await read(post("/v1/auth/login", { email: EMAIL, password: "not the password" }), 401);
      const [row] = await sql`select password_hash from accounts`;
      expect(row!.password_hash).toBe(hash);
    });
  });
});
