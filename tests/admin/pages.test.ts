/** Pages: who reads them, what they escape, which forms they refuse, their languages; their styles and fonts. */

import { html } from "hono/html";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findAccountByEmail } from "../../src/accounts/store.ts";
import { packageAssets } from "../../src/adapters/files/assets.ts";
import { createApp } from "../../src/app.ts";
import { languageFor } from "../../src/http/answer/negotiate.ts";
import { said } from "../../src/messages/said.ts";
import { translator } from "../../src/messages/translate.ts";
import { loadPageAssets } from "../../src/pages/assets.ts";
import { formatsOf } from "../../src/pages/formats.ts";
import { faultSummary, field } from "../../src/pages/forms.ts";
import { createPages, pageAnswer } from "../../src/pages/page.ts";
import { page, pageForm } from "../../src/pages/routes.ts";
import { Problem } from "../../src/problem.ts";
import { answered, made } from "../support/museum/catalogue.ts";
import { museumHere, openMuseum } from "../support/museum/museum.ts";
import { newAccount } from "../support/museum/signed-in.ts";

const HOME = "http://127.0.0.1:8000";
const STRANGER = "https://elsewhere.example";
const PASSWORD = "a long walk by the harbour";
const CURATOR = { email: "curator@example.org", password: PASSWORD };
const HOSTILE = `"><script>alert(1)</script><b title='`;

const museum = await museumHere();
const api = createApp(museum.services);
beforeAll(async () => {
  const pages = createPages(museum.services);
  page(api, pages, {
    path: "/tests/page",
    summary: "A page of the tests",
    access: "public",
    show: (view) =>
      pageAnswer(view, {
        title: HOSTILE,
        content: html`<p>${view.caller.kind === "account" ? view.caller.email : "a visitor"}</p><p>${HOSTILE}</p>`,
      }),
  });
  pageForm(api, pages, {
    path: "/tests/form",
    summary: "A form of the tests",
    access: "account",
    take: (view, fields) =>
      view.c.body(`taken: ${fields.get("title")}`, 200, { "Content-Type": "text/plain" }),
  });
  for (const [name, mustChangePassword] of [
    ["curator", false],
    ["beginner", true],
  ] as const) {
    const passwordHash = await museum.services.passwords.hash(PASSWORD);
    const more = { displayName: name, passwordHash, mustChangePassword };
    await newAccount(museum.services.sql, `${name}@example.org`, more);
  }
});

type Sent = {
  cookie?: string;
  headers?: Record<string, string>;
  form?: Record<string, string>;
  json?: unknown;
};
let visitors = 0;

/** Asks for a page as a browser does. */
async function browse(path: string, { cookie, headers, form, json }: Sent = {}): Promise<Response> {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json);
  return api.app.request(
    `${HOME}${path}`,
    {
      method: body === null ? "GET" : "POST",
      body,
      headers: {
        Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        ...(form ? { "Content-Type": "application/x-www-form-urlencoded", Origin: HOME } : {}),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...(cookie ? { Cookie: cookie } : {}),
        ...headers,
      },
    },
    { remote: `198.18.0.${++visitors}` },
  );
}

const cookiesOf = (answer: Response): string[] =>
  answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);

/** The cookie of somebody who has signed in on the page. */
async function signIn(email = "curator@example.org"): Promise<string> {
  const answer = await browse("/admin/sign-in", { form: { email, password: PASSWORD } });
  expect([answer.status, await answer.text()]).toEqual([303, ""]);
  return cookiesOf(answer).find((cookie) => cookie.startsWith("svc_session="))!;
}

/** The token of the forms on a page. */
async function tokenOf(cookie: string): Promise<string> {
  const text = await (await browse("/admin", { cookie })).text();
  return /name="_csrf" value="([^"]+)"/.exec(text)![1]!;
}

describe("a page", () => {
  it("recognises the reader by the cookie", async () => {
    expect(await (await browse("/tests/page")).text()).toContain("<p>a visitor</p>");
    const cookie = await signIn();
    const known = await browse("/tests/page", { cookie });
    expect(await known.text()).toContain("<p>curator@example.org</p>");
    expect(known.headers.get("Cache-Control")).toBe("private, no-store");
  });

  it("escapes what it shows", async () => {
    const text = await (await browse("/tests/page")).text();
    expect(text).not.toContain("<script>alert");
    expect(text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("runs only scripts with the nonce of this answer, and cannot be framed", async () => {
    const answers = [await browse("/tests/page"), await browse("/tests/page")];
    const policies = answers.map((answer) => answer.headers.get("Content-Security-Policy")!);
    expect(policies[0]).toMatch(/default-src 'none'; script-src 'nonce-[\w-]+'; style-src 'self'/);
    expect(policies[0]).toContain("frame-ancestors 'none'");
    expect(policies[0]).not.toContain("unsafe");
    expect(policies[0]).not.toBe(policies[1]);
    expect(answers[0]!.headers.get("X-Frame-Options")).toBe("DENY");
  });

  it("may be cached when a visitor reads it, and is not sent again when it is the same", async () => {
    const first = await browse("/tests/page");
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=60");
    const etag = first.headers.get("ETag")!;
    const again = await browse("/tests/page", { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    // a browser would take it as the policy of the page that it has kept
    expect(again.headers.get("Content-Security-Policy")).toBeNull();
    const headers = { "If-None-Match": etag, "Accept-Language": "de" };
    expect((await browse("/tests/page", { headers })).status).toBe(200);
  });

  it("redirects below the address of a service that is not at the root of its host", async () => {
    const config = { ...museum.services.config, baseUrl: "https://museum.example/catalogue" };
    const { app } = createApp({ ...museum.services, config });
    const send = async (headers: Record<string, string>, form?: Record<string, string>) => {
      const how = form ? { method: "POST", body: new URLSearchParams(form) } : {};
      const address = `https://museum.example/admin${form ? "/sign-in" : ""}`;
      const answer = await app.request(address, { ...how, headers }, { remote: "198.18.1.6" });
      return answer.headers.get("Location");
    };
    expect(await send({ Accept: "text/html" })).toBe("/catalogue/admin/sign-in?to=%2Fadmin");
    const form = { ...CURATOR, to: "/admin/objects?q=sea" };
    expect(await send({ Origin: "https://museum.example" }, form)).toBe("/catalogue/admin/objects?q=sea");
  });

  it("is not in the description of the API", async () => {
    const answer = await api.app.request(`${HOME}/openapi.json`, {}, { remote: "198.18.1.1" });
    const { paths } = await answer.json();
    expect(Object.keys(paths).filter((path) => path === "/" || path.startsWith("/admin"))).toEqual([]);
  });
});

describe("the session cookie of pages", () => {
  it("is out of reach for scripts and other sites, and with https is bound to encrypted connections of this host", async () => {
    const answer = await browse("/admin/sign-in", { form: CURATOR });
    expect(answer.headers.getSetCookie().join()).toMatch(
      /^svc_session=[\w-]{24}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const SVC_BASE_URL = "https://catalogue.museum.example";
    const SECRET_KEY = "6f1d0c9ab27e4835d1f06b9ce874a3520b7f9e1c6d28a4f35e90c7b1824d6fa3";
    const secure = await openMuseum({ env: { SVC_BASE_URL, SECRET_KEY } });
    onTestFinished(() => secure.close());
    const passwordHash = await secure.services.passwords.hash(PASSWORD);
    await newAccount(secure.services.sql, "curator@example.org", { passwordHash });
    const sent = { method: "POST", headers: { Origin: SVC_BASE_URL }, body: new URLSearchParams(CURATOR) };
    const { headers } = await secure.ask(`${SVC_BASE_URL}/admin/sign-in`, sent);
    expect(headers.getSetCookie().join()).toMatch(/^__Host-svc_session=.*; HttpOnly; Secure; SameSite=Lax$/);
  });

  it("is accepted on API routes only from our own pages, which send their token", async () => {
    const cookie = await signIn();
    expect((await browse("/v1/auth/me", { cookie })).status).toBe(401);
    const guessed = { "X-CSRF-Token": "guessed" };
    expect((await browse("/v1/auth/me", { cookie, headers: guessed })).status).toBe(401);
    const token = { "X-CSRF-Token": await tokenOf(cookie) };
    const me = await browse("/v1/auth/me", { cookie, headers: token });
    expect(await me.json()).toMatchObject({ email: "curator@example.org" });
    expect((await browse("/v1/objects", { cookie, headers: token, json: {} })).status).toBe(201);
    for (const [name, from] of [
      ["Origin", STRANGER],
      ["Origin", "null"],
      ["Sec-Fetch-Site", "cross-site"],
    ] as const) {
      const headers = { ...token, [name]: from };
      expect((await browse("/v1/auth/me", { cookie, headers })).status).toBe(401);
    }
    const foreign = await signIn();
    expect((await browse("/v1/auth/me", { cookie: foreign, headers: token })).status).toBe(401);
  });

  it("ends with /v1/auth/logout, and when somebody signs in again in the same browser", async () => {
    const cookie = await signIn();
    const headers = { "X-CSRF-Token": await tokenOf(cookie) };
    expect((await browse("/v1/auth/logout", { cookie, headers, json: {} })).status).toBe(204);
    expect((await browse("/admin", { cookie })).status).toBe(303);

    const former = await signIn();
    const form = { ...CURATOR, _csrf: await tokenOf(former) };
    expect((await browse("/admin/sign-in", { cookie: former, form })).status).toBe(303);
    expect((await browse("/admin", { cookie: former })).status).toBe(303);
  });

  it("cannot be used as a refresh token, nor a refresh token in its place", async () => {
    const [refresh] = cookiesOf(await browse("/v1/auth/login", { json: CURATOR }));
    expect(refresh).toMatch(/^svc_refresh=./);
    const disguised = refresh!.replace("svc_refresh", "svc_session");
    expect((await browse("/admin", { cookie: disguised })).status).toBe(303);
    const page = (await signIn()).replace("svc_session", "svc_refresh");
    expect((await browse("/v1/auth/refresh", { cookie: page, json: {} })).status).toBe(401);
  });

  it("is protected by a token that pages of other origins cannot send", async () => {
    const asked = {
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "x-csrf-token",
    };
    const preflight = await api.app.request(
      `${HOME}/v1/objects`,
      { method: "OPTIONS", headers: { Origin: STRANGER, ...asked } },
      { remote: "198.18.1.2" },
    );
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(preflight.headers.get("Access-Control-Allow-Headers") ?? "").not.toContain("X-CSRF-Token");
  });

  it("ends when its owner signs out, is disabled or changes the password", async () => {
    const cookie = await signIn();
    const out = await browse("/admin/sign-out", { cookie, form: { _csrf: await tokenOf(cookie) } });
    expect(out.headers.get("Location")).toBe("/admin/sign-in");
    expect((await browse("/admin", { cookie })).headers.get("Location")).toBe("/admin/sign-in?to=%2Fadmin");

    const second = await signIn();
    const { sql } = museum.services;
    await sql`update accounts set disabled_at = now() where email = 'curator@example.org'`;
    expect((await browse("/admin", { cookie: second })).status).toBe(303);
    await sql`update accounts set disabled_at = null where email = 'curator@example.org'`;

    const third = await signIn();
    const change = async (
      current_password: string,
      new_password: string,
      password_again: string,
      query = "",
    ) => {
      const form = { _csrf: await tokenOf(third), current_password, new_password, password_again };
      return browse(`/admin/password${query}`, { cookie: third, form });
    };
    const short = change("not this one", "harbour", "harbour", "?lang=de");
    await answered(short, 422, "ist kürzer als 12 Zeichen");
    const differ = '<a href="#password_again">Repeat the new password</a>: The two new passwords differ.';
    await answered(change(PASSWORD, `${PASSWORD} at dusk`, `${PASSWORD} at dawn`), 422, differ);
    const changed = await change(PASSWORD, `${PASSWORD} at dusk`, `${PASSWORD} at dusk`);
    expect(changed.headers.get("Location")).toBe("/admin");
    expect((await browse("/admin", { cookie: third })).status).toBe(303);
    const fourth = cookiesOf(changed).find((each) => each.startsWith("svc_session="))!;
    const afterChange = await browse("/admin", { cookie: [fourth, ...cookiesOf(changed)].join("; ") });
    expect(await afterChange.text()).toContain("The password is changed.");
    const account = await findAccountByEmail(sql, "curator@example.org");
    const hash = await museum.services.passwords.hash(PASSWORD);
    await sql`update accounts set password_hash = ${hash} where id = ${account!.id}`;
  });
});

describe("a form", () => {
  it("is accepted from our own page", async () => {
    const cookie = await signIn();
    const form = { _csrf: await tokenOf(cookie), title: "Harbour" };
    const taken = await browse("/tests/form", { cookie, form });
    expect(await taken.text()).toBe("taken: Harbour");
  });

  it("is refused without its token, with the token of another session, and from a page of another origin", async () => {
    const cookie = await signIn();
    const other = await tokenOf(await signIn());
    const own = await tokenOf(cookie);
    const send = (form: Record<string, string>, headers: Record<string, string> = {}) =>
      browse("/tests/form", { cookie, form: { title: "Harbour", ...form }, headers });
    expect((await send({})).status).toBe(403);
    expect((await send({ _csrf: other })).status).toBe(403);
    expect((await send({ _csrf: own }, { Origin: STRANGER })).status).toBe(403);
    expect((await send({ _csrf: own }, { Origin: "null" })).status).toBe(403);
    const signed = await browse("/admin/sign-in", { form: CURATOR, headers: { Origin: STRANGER } });
    expect([signed.status, signed.headers.getSetCookie()]).toEqual([403, []]);
  });

  it("shows each fault beside its field, and all of them at the top with links", async () => {
    const pages = createPages(museum.services);
    let shown = "";
    const own = createApp(museum.services);
    page(own, pages, {
      path: "/tests/faults",
      summary: "A form with faults",
      access: "public",
      async show(view) {
        const parts = { name: "date", label: "Date", value: HOSTILE };
        const faults = [
          { pointer: "/date/0/value", detail: `is not an EDTF date: ${HOSTILE}` },
          { pointer: "/other", detail: "is missing" },
        ];
        shown = `${await faultSummary(view, [parts], faults)} ${await field(view, parts, faults)}`;
        return view.c.text("");
      },
    });
    const headers = { Accept: "text/html" };
    await own.app.request(`${HOME}/tests/faults`, { headers }, { remote: "198.18.1.3" });
    expect(shown).toContain('<a href="#date">Date</a>: is not an EDTF date');
    expect(shown).toContain("<li>is missing</li>");
    expect(shown).toMatch(/<input[^>]+aria-describedby="date-faults" aria-invalid="true"/);
    expect(shown).not.toContain("<script>");
  });
});

describe("signing in on pages", () => {
  it("says what is wrong, and keeps the address that was typed", async () => {
    const form = { ...CURATOR, password: "wrong" };
    const text = await answered(browse("/admin/sign-in", { form }), 401, 'value="curator@example.org"');
    expect(text).toContain('role="alert"');
  });

  it("answers in the reader's language, and after too many attempts says how long to wait", async () => {
    const form = { email: "nobody@example.org", password: "wrong" };
    const headers = { "Accept-Language": "de" };
    const texts: string[] = [];
    const address = visitors;
    for (let attempt = 1; attempt <= 6; attempt++) {
      // all attempts from one address
      visitors = address;
      texts.push(await (await browse("/admin/sign-in", { form, headers })).text());
    }
    expect(texts[0]).toContain("Die E-Mail-Adresse oder das Passwort stimmt nicht.");
    expect(texts[5]).toContain(
      "Die Anmeldung ist von hier aus gesperrt, auch mit dem richtigen. Warten Sie 15 min",
    );
  });

  it("leads back to the page that was asked for, and never to another site", async () => {
    const asked = await browse("/admin/objects?x=1");
    const there = "/admin/sign-in?to=%2Fadmin%2Fobjects%3Fx%3D1";
    expect([asked.status, asked.headers.get("Location")]).toEqual([303, there]);
    for (const [to, there] of [
      ["/admin/objects?x=1", "/admin/objects?x=1"],
      ["//elsewhere.example/", "/admin"],
      ["/\\elsewhere.example/", "/admin"],
      ["https://elsewhere.example/", "/admin"],
      ["javascript:alert(1)", "/admin"],
      ["/.//elsewhere.example/", "/admin"],
      ["/x/..//elsewhere.example/", "/admin"],
      ["/%2e//elsewhere.example/", "/admin"],
    ] as const) {
      const answer = await browse("/admin/sign-in", { form: { ...CURATOR, to } });
      expect([to, answer.headers.get("Location")]).toEqual([to, there]);
    }
  });

  it("leads somebody who must change the password to that page and nowhere else", async () => {
    const cookie = await signIn("beginner@example.org");
    // the page for the password has its styles; its logo would be allowed, too
    for (const [path, status] of [
      ["/admin/password", 200],
      [/\/assets\/style\.[^"]+/.exec(await (await browse("/")).text())![0], 200],
      ["/logo/none", 404],
    ] as const)
      expect([path, (await browse(path, { cookie })).status]).toEqual([path, status]);
    const desk = await browse("/admin", { cookie });
    expect([desk.status, desk.headers.get("Location")]).toEqual([303, "/admin/password"]);
    expect((await browse("/admin/password", { cookie })).status).toBe(200);
  });
});

describe("problems", () => {
  it("are pages for browsers and problem details for programs, with the same status", async () => {
    const shown = await browse("/nothing/here");
    expect([shown.status, shown.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await shown.text()).toContain("There is nothing here");
    const forPrograms = await browse("/nothing/here", { headers: { Accept: "*/*" } });
    const type = forPrograms.headers.get("Content-Type");
    expect([forPrograms.status, type]).toEqual([404, "application/problem+json"]);
  });

  it.each([
    ["gone", 410, "This record was withdrawn", 'role="search"'],
    // a search would be refused, too
    ["too_many", 429, "Please wait 7 seconds and", '<a class="button" href="">Load the page again</a>'],
    ["unavailable", 503, "Please load the page again in a minute", '<a class="button" href="">'],
  ] as const)("tell readers in a browser what to do: %s", async (code, status, words, way) => {
    const own = createApp(museum.services);
    page(own, createPages(museum.services), {
      path: "/tests/problem",
      summary: "A page that is not there now",
      access: "public",
      show() {
        throw new Problem(code, said("fault.or", { one: "The harbour", other: "closed" }), {
          headers: { "Retry-After": "7" },
        });
      },
    });
    const ask = (Accept: string) =>
      own.app.request(`${HOME}/tests/problem`, { headers: { Accept } }, { remote: "198.18.1.5" });
    const shown = await ask("text/html");
    expect([shown.status, shown.headers.get("Content-Type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(shown.headers.get("Retry-After")).toBe("7");
    const text = await shown.text();
    for (const sentence of [words, way]) expect(text).toContain(sentence);
    const forPrograms = await ask("*/*");
    const type = forPrograms.headers.get("Content-Type");
    expect([forPrograms.status, type]).toEqual([status, "application/problem+json"]);
    expect(await forPrograms.json()).toMatchObject({ status, detail: "The harbour, or closed" });
  });

  it("of the API are never pages, whoever asks", async () => {
    for (const path of "/v1/objects/1 /api/v1/nothing /portal/v1/search?page=0 /iiif/3/x/info.json".split(
      " ",
    )) {
      const answer = await browse(path);
      expect([path, answer.headers.get("Content-Type")]).toEqual([path, "application/problem+json"]);
    }
  });

  it("do not reveal what went wrong inside", async () => {
    const pages = createPages(museum.services);
    const own = createApp(museum.services);
    page(own, pages, {
      path: "/tests/broken",
      summary: "A page that fails",
      access: "public",
      show() {
        throw new Error("secret of the house");
      },
    });
    const headers = { Accept: "text/html" };
    const answer = await own.app.request(`${HOME}/tests/broken`, { headers }, { remote: "198.18.1.4" });
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain("secret");
    expect(text).toContain(answer.headers.get("X-Request-Id")!);
  });
});

describe("messages", () => {
  it("follow the language of the browser until the reader chooses one", async () => {
    expect(languageFor("fr-CH, de;q=0.8")).toBe("fr");
    expect(languageFor("xx, *;q=0.5")).toBe("en");
    expect(languageFor("de", "xx")).toBe("de");
    const first = await browse("/", { headers: { "Accept-Language": "de" } });
    expect(await first.text()).toContain('<html lang="de">');
    const german = await browse("/search?q=sea&lang=de");
    expect(await german.text()).toContain('href="?q=sea&amp;language=fr" lang="fr"');
    const chosen = await browse("/search?q=sea&language=fr", { headers: { "Accept-Language": "de" } });
    expect([chosen.status, chosen.headers.get("Location")]).toEqual([303, "/search?q=sea"]);
    expect(chosen.headers.get("Cache-Control")).toBe("no-store");
    const [cookie] = cookiesOf(chosen);
    expect(cookie).toBe("svc_language=fr");
    expect(await (await browse("/", { cookie: cookie! })).text()).toContain('<html lang="fr">');
    // it leads to no other host, and it is not a parameter of the API
    expect((await browse("//museum.example/?language=de")).headers.get("Location")).toBe("/museum.example/");
    expect((await browse("/v1/objects?language=de")).status).toBe(422);
  });

  it("in the language that an address names may be cached by everybody", async () => {
    const german = await browse("/?lang=de");
    expect(await german.text()).toContain('<html lang="de">');
    expect([german.headers.get("Cache-Control"), cookiesOf(german)]).toEqual(["public, max-age=60", []]);
    expect(german.headers.get("Vary")).toContain("Cookie");
    const headers = { "If-None-Match": german.headers.get("ETag")! };
    expect((await browse("/?lang=de", { headers })).status).toBe(304);
    expect((await browse("/?lang=fr", { headers })).status).toBe(200);
  });

  it("distinguish singular and plural, and format numbers, days and sizes for the language", () => {
    expect(translator("en")("job.count.records", { count: 1 })).toBe("1 record");
    expect(translator("de")("job.count.records", { count: 12345 })).toBe("12.345 Datensätze");
    expect(translator("fr")("job.count.records", { count: 0 })).toBe("0 notice");
    expect(formatsOf("de", "Europe/Berlin").day("2026-01-31T23:30:00")).toBe("1. Februar 2026");
    expect(formatsOf("en", "UTC").day("2026-01-31T23:30:00")).toBe("31 January 2026");
    expect(formatsOf("fr", "UTC").day("2026-12-01T12:00:00")).toBe("1er décembre 2026");
    expect(formatsOf("fr", "UTC").time("2026-12-01T11:01:00")).toMatch(/^1er déc\. 2026/);
    expect(formatsOf("it", "UTC").day("2026-12-01T12:00:00")).toBe("1º dicembre 2026");
    expect(formatsOf("en", "UTC").time("2026-01-31T23:30:00")).toBe("31 Jan 2026, 23:30");
    expect(formatsOf("en", "UTC").bytes(48_200_000)).toBe("48.2 MB");
    const small = ["en", "de", "fr", "nl"].map((language) => formatsOf(language as "en", "UTC").bytes(369));
    expect(small).toEqual(["369 bytes", "369 Byte", "369 octets", "369 bytes"]);
  });
});

describe("styles and fonts", () => {
  const linked = async (): Promise<string[]> => {
    const text = await (await browse("/")).text();
    return [...text.matchAll(/href="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  };

  it("have addresses that change with their content, and may be cached for ever", async () => {
    const paths = await linked();
    const files = ["icon.svg", "serif-latin.woff2", "style.css", "search.css", "home.css"];
    const plain = paths.map((path) => path.replace(/\.[0-9a-f]{12}\./, "."));
    expect(plain).toEqual(files.map((file) => `/assets/${file}`));
    for (const path of paths) {
      const answer = await browse(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      const types = /^(image\/svg\+xml|font\/woff2|text\/css; charset=utf-8)$/;
      expect(answer.headers.get("Content-Type")).toMatch(types);
    }
    expect((await browse("/assets/style.000000000000.css")).status).toBe(404);
    expect((await browse("/assets/..%2f..%2fpackage.json")).status).toBe(404);
  });

  it("are compressed once, for browsers that accept it", async () => {
    const style = (await linked()).find((path) => path.endsWith(".css"))!;
    const plain = await (await browse(style)).text();
    const answer = await browse(style, { headers: { "Accept-Encoding": "br, gzip" } });
    expect(answer.headers.get("Content-Encoding")).toBe("gzip");
    expect(answer.headers.get("Vary")).toContain("Accept-Encoding");
    const stream = answer.body!.pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(stream).text()).toBe(plain);
    const refused = await browse(style, { headers: { "Accept-Encoding": "gzip;q=0" } });
    expect(refused.headers.get("Content-Encoding")).toBeNull();
  });

  it("refer to each other by these addresses", async () => {
    const style = (await linked()).find((path) => path.endsWith(".css"))!;
    const fonts = [...(await (await browse(style)).text()).matchAll(/url\("([^"]+)"\)/g)];
    expect(fonts.length).toBe(5);
    for (const [, file] of fonts)
      expect([file, (await browse(`/assets/${file}`)).status]).toEqual([file, 200]);
  });

  it("include scripts: a module imports others by the addresses at which they are served", async () => {
    const assets = await loadPageAssets(packageAssets());
    const seen = new Set<string>();
    async function follow(path: string): Promise<void> {
      if (seen.has(path)) return;
      seen.add(path);
      const answer = await browse(path);
      expect([path, answer.status]).toEqual([path, 200]);
      const imports = [...(await answer.text()).matchAll(/^import .*"\.\/([^"]+)";$/gm)];
      for (const [, file] of imports) await follow(`/assets/${file}`);
    }
    await follow(assets.path("editor.js"));
    expect([...seen].map((path) => path.replace(/\.[0-9a-f]{12}\./, ".")).sort()).toEqual(
      [
        "chooser",
        "combobox",
        ...["check", "drafts", "look-up", "place", "rows", "subtype"].map((part) => `editor-${part}`),
        ...["editor", "photos-words", "service"],
      ].map((name) => `/assets/${name}.js`),
    );
  });
});

describe("the home page and the search page", async () => {
  const demo = await museumHere({ demo: true });
  const read = async (path: string) => (await demo.ask(path, { headers: { Accept: "text/html" } })).text();

  it("lead from the counts of public records to the records", async () => {
    const total = (await (await demo.ask("/portal/v1/search?type=object")).json()).total;
    expect(await read("/")).toMatch(
      new RegExp(`href="/search\\?type=object">Objects</a> <small>${total}</small>`),
    );
    const page = await read("/search?type=object");
    const [, first] = /<ol class="(?:cards|brief)">\s*<li [^>]*><a href="([^"]+)">/.exec(page)!;
    expect((await demo.ask(first!)).status).toBe(200);
  });

  it("show what the public search finds, page by page, and no drafts", async () => {
    const editor = await demo.as("editor");
    const title = { title: [{ value: `Secret <i>harbour</i> ${crypto.randomUUID().slice(0, 8)}` }] };
    const id = await made(editor, "objects", { metadata_: title });
    const words = encodeURIComponent(title.title[0]!.value);
    expect(await read(`/search?q=${words}`)).not.toContain(id);
    await editor(`/v1/objects/${id}/publish`, { method: "POST" });
    const found = await read(`/search?q=${words}`);
    expect(found).toContain(`href="/objects/${id}"`);
    expect(found).not.toContain("<i>harbour</i>");
    const second = await read("/search?page=2");
    expect(second).toContain('rel="prev" href="/search"');
  });

  it("help when nothing is found, and accept any address", async () => {
    expect(await read("/search?q=xyzzyx")).toContain("Nothing was found");
    expect(await read("/search?q=habrour")).toContain("No results for “\u2068habrour\u2069”");
    const odd = "page=0 page=-1 page=99999 page=x type=storage_location utm_source=x".split(" ");
    for (const query of [...odd, `q=${"a ".repeat(600)}`]) {
      const answer = await demo.ask(`/search?${query}`, { headers: { Accept: "text/html" } });
      expect([query.slice(0, 20), answer.status]).toEqual([query.slice(0, 20), 200]);
    }
  });
});
