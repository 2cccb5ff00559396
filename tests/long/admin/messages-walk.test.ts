/**
 * Everything that the program says is in the reader's language: with every text of the catalogues and of the configuration
 * marked, what has no mark was written by people. That a marked text is not English is a test of the catalogues.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { noticeMail } from "../../../src/accounts/account-notices.ts";
import { resetMail } from "../../../src/accounts/passwords/reset-mail.ts";
import { readCatalogues } from "../../../src/adapters/catalogues.ts";
import { enqueueJob } from "../../../src/jobs/enqueue.ts";
import { type Catalogue, languages, setCatalogues } from "../../../src/messages/translate.ts";
import { SettingsContentShape } from "../../../src/settings/shape.ts";
import { beat } from "../../../workers/heartbeat.ts";
import { askEverything, SETTINGS } from "../../runtimes/everything.ts";
import { type Answer, type Ask, asked } from "../../runtimes/started.ts";
import { type ProblemJson, read } from "../../support/museum/catalogue.ts";
import { type Ask as Asking, type Museum, openMuseum } from "../../support/museum/museum.ts";
import { endedJob, importForm, type SentJob, sendImport } from "../../support/museum/sent-imports.ts";
import { HOME, type StaffBrowser, staffBrowser } from "../../support/museum/staff-browser.ts";

const others = readCatalogues();
const LANGUAGES = Object.keys(others);
const mark = (words: Catalogue) =>
  Object.fromEntries(Object.entries(words).map(([key, text]) => [key, `⟦${text}⟧`])) as Catalogue;

let museum: Museum;
let admin: Asking;
const browsers = new Map<string, StaffBrowser>();

beforeAll(async () => {
  setCatalogues(Object.fromEntries(LANGUAGES.map((language) => [language, mark(others[language]!)])));
  museum = await openMuseum({ env: SETTINGS });
  const { sql } = museum.services;
  const labels = await sql<{ table: string; column: string }[]>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type = 'jsonb' and column_name in ('label', 'inverse_label', 'help')`;
  for (const { table, column } of labels)
    await sql`update ${sql(table)} set ${sql(column)} = (
      select jsonb_object_agg(key, case key when 'en' then value else '⟦' || value || '⟧' end)
      from jsonb_each_text(${sql(column)})) where ${sql(column)} <> '{}'`;
  admin = await museum.as("superuser");
  for (const language of LANGUAGES) browsers.set(language, await staffBrowser(museum, "superuser", language));
});
afterAll(async () => {
  setCatalogues(others);
  await museum.close();
});

/** The text without what is marked, however deep. */
function unmarked(text: string): string {
  const rest = text.replace(/⟦[^⟦⟧]*⟧/g, "");
  return rest === text ? text : unmarked(rest);
}

const ENTITIES: Readonly<Record<string, string>> = { "#39": "'", quot: '"', amp: "&", lt: "<", gt: ">" };

/** What a page says: its text but for codes to choose, and the attributes that people see or hear. */
function textsOf(page: string): string[] {
  const html = page.replace(
    /<(script|style|svg|code|kbd)\b.*?<\/\1>|<!--.*?-->|<option value="(\w+)"[^>]*>\2(?=<)/gs,
    "",
  );
  const attributes = [...html.matchAll(/\s(?:title|aria-label|placeholder|alt)="([^"]*)"/g)];
  return [...html.split(/<[^>]*>/), ...attributes.map(([, text]) => text!)].map((text) =>
    text.replace(/&(#39|quot|amp|lt|gt);/g, (_, name: string) => ENTITIES[name]!),
  );
}

/** Addresses, permissions, ids, and the names of what these tests make. */
const DATA =
  /(https?|crm|lrmoo):\S+|\S+@\S+|\b[a-z]+:[a-z]+\b|[\w-]*\d[\w-]*|\bwalked (object|entity|place|occurrence|procedure|collection|storage_location)\b|\bwalk(ed|er)\b|\bnobody\b|\bfile\.\w+|\bsvc_\w+/gi;

const wordsOf = (text: string): string[] => text.match(/\p{L}{3,}/gu) ?? [];

/** The same in every language; and names that the platform writes (CLDR): of languages and months, and units. */
const NAMES =
  "Ctrl Esc GND Wikidata GeoNames CSV IIIF JSON Turtle Dublin Core LIDO EDM SKOS English csv xml ndjson lido superuser viewer example org";
const named = Object.fromEntries(
  LANGUAGES.map((language) => {
    const languageName = new Intl.DisplayNames(language, { type: "language" });
    const months = (["long", "short"] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, at) =>
        new Date(2026, at).toLocaleString(language, { month, day: "numeric" }),
      ),
    );
    const bytes = [1, 2].map((count) =>
      count.toLocaleString(language, { style: "unit", unit: "byte", unitDisplay: "long" }),
    );
    const all = [NAMES, ...languages().map((each) => languageName.of(each)!), ...months, ...bytes];
    return [language, new Set(all.flatMap(wordsOf))];
  }),
);

/** Words of a text that nobody marked, and what is never a text. */
function strayIn(language: string, text: string): string {
  const broken = text.match(/\bundefined\b|\[object|\bNaN\b|\{\w+, plural/g) ?? [];
  const words = wordsOf(unmarked(text).replace(DATA, ""));
  return [...words.filter((word) => !named[language]!.has(word)), ...broken].join(" ");
}

/** Texts of JSON with a space, which are sentences; those of one language, and paths of the mapping, are data. */
function sentencesIn(json: unknown): string[] {
  if (typeof json === "string") return json.includes(" ") ? [json] : [];
  if (typeof json !== "object" || json === null) return [];
  const all = Object.entries(json).filter(([name]) => ![...languages(), "mapping"].includes(name));
  return all.flatMap(([, each]) => sentencesIn(each));
}

/** What has been looked at, and each fault with one of its places. */
const looked = { pages: new Set<string>(), problems: new Set<string>(), reports: new Set<string>() };
const found = new Map<string, string>();
const seen = Object.fromEntries(LANGUAGES.map((language) => [language, new Set<string>()]));

function look(language: string, at: string, type: string, text: string): void {
  const isPage = type.startsWith("text/html");
  const isProblem = type.startsWith("application/problem+json");
  looked[isPage ? "pages" : isProblem ? "problems" : "reports"].add(at);
  const json = type.startsWith("text/event-stream")
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
    : type.includes("json") && JSON.parse(text);
  const texts = isPage ? textsOf(text) : json ? sentencesIn(json) : [text];
  if (isPage) expect([at, text]).toEqual([at, expect.stringContaining(`<html lang="${language}"`)]);
  for (const each of texts) {
    // most are on many pages
    if (seen[language]!.has(each)) continue;
    seen[language]!.add(each);
    const stray = strayIn(language, each);
    if (stray !== "") found.set(stray, `${at} in ${language}`);
  }
}

const lookAt = async (language: string, at: string, answer: Response): Promise<string> => {
  const text = await answer.text();
  expect({ at, status: answer.status }).toEqual({ at, status: 200 });
  look(language, at, answer.headers.get("Content-Type")!, text);
  return text;
};

function nothingFound(): void {
  expect([...found]).toEqual([]);
}

it("the walk finds English text and broken text", () => {
  const page = '<p title="Objects">⟦Oggetti: ⟦3⟧⟧ found</p><option value="x">⟦undefined⟧</option>';
  const strays = textsOf(page).map((text) => strayIn("it", text));
  expect(strays.filter((stray) => stray !== "")).toEqual(["found", "undefined", "Objects"]);
});

it("mails", () => {
  const { config } = museum.services;
  for (const language of LANGUAGES)
    for (const { subject, text } of [
      resetMail(config, "walk@example.org", "1", language),
      noticeMail(config, "password_changed", "walk@example.org", "2026-11-21 06:10:00", language),
      noticeMail(config, "email_changed", "walk@example.org", "2026-11-21 06:10:00", language),
    ])
      look(language, "mails", "text/plain", `${subject}\n${text}`);
  nothingFound();
});

/** Before the walk over all pages, which shows what happened. */
it("what happened to accounts, roles, keys and settings", async () => {
  const change = (path: string, json: unknown, method = "PATCH") =>
    read<{ id: string }>(
      admin(path, {
        method,
        json,
        headers:
          method === "PATCH" ? { "Content-Type": "application/merge-patch+json", "If-Match": "*" } : {},
      }),
      method === "POST" ? 201 : 200,
    );
  const role = (actions: string[], features: string[]) => ({
    permissions: { records: { object: actions, place: ["read"] }, features },
  });
  const label = { en: "Xx" };
  await change("/v1/roles", { name: "xx", label, ...role(["read", "create"], ["import:run"]) }, "POST");
  await change("/v1/roles/xx", role(["read", "publish", "delete", "update"], ["sparql:query"]));
  const { id } = await change("/v1/users", { email: "xx@yy.org", role: "xx" }, "POST");
  await change(`/v1/users/${id}`, {
    email: "yy@yy.org",
    role: "viewer",
    display_name: "Xx",
    must_change_password: false,
    password: "a quiet day in the harbour",
  });
  for (const disabled of [true, false]) await change(`/v1/users/${id}`, { disabled });
  const me = await read<{ id: string }>(admin("/v1/auth/me"));
  const permissions = ["read", "write", "publish", "delete"].map((action) => `records:${action}`);
  const key = {
    name: "Xx",
    permissions: [...permissions, "metrics:read"],
    expires_at: "2999-01-01T00:00:00Z",
  };
  await change(`/v1/users/${me.id}/api-keys`, key, "POST");
  const changed = {
    name: label,
    sentence: label,
    home_text: label,
    address: "Xx",
    homepage_url: "https://xx.example",
    accent_colour: "#14575e",
    accent_colour_dark: "#a0d8e0",
    typeface: "sans",
    footer_text: label,
    footer_links: [{ label, url: "/xx" }],
    metadata_rights: "https://creativecommons.org/publicdomain/zero/1.0/",
    harvest_sets: [{ spec: "xx", label, query: "type=object" }],
    viewer_url: "",
    show_borrower: true,
  };
  expect(Object.keys({ ...changed, highlights: 0 }).sort()).toEqual(
    Object.keys(SettingsContentShape.shape).sort(),
  );
  await change("/v1/settings", changed);
  for (const [language, { get }] of browsers)
    for (const path of ["/admin/security", `/admin/users/${me.id}`])
      await lookAt(language, path, await get(path));
  nothingFound();
});

const MAPPING = {
  number: "__idno__",
  title: { target: "title", lang: "en" },
  year: { target: "date", transforms: [{ type: "edtf" }] },
  size: { target: "dimensions", transforms: [{ type: "regex_extract", pattern: "^(\\d+) cm$" }] },
  maker: "__relation:created_by:entity__",
};
const JOBS = ["reindex", "purge-trash", "housekeeping", "prepare-images", "dump", "ark-mint"] as const;
const LINES = [
  "number,title,year,size,maker,left",
  "X-1,Xx,19o2,huge,Qq,x",
  ",Xx,,,,",
  "X-2,Xx,1900,3 cm,Qq,",
  "X-2,Xx,,,,",
];

it("jobs, events, imports, previews, refused rows, failures, undos", async () => {
  const lookAtJob = async (id: string, isImport = false, files: readonly string[] = []) => {
    const ended = await endedJob(museum, admin, id);
    const json = ["", "/events", ...files.map((name) => `/files/${name}`)];
    const pages = [`/admin/jobs/${id}`, ...(isImport ? [`/admin/imports/jobs/${id}`] : [])];
    for (const [language, { get }] of browsers) {
      const headers = { "Accept-Language": language };
      for (const path of json.map((each) => `/v1/jobs/${id}${each}`))
        await lookAt(language, path, await admin(path, { headers }));
      for (const path of pages) await lookAt(language, path, await get(path));
    }
    return ended;
  };
  const send = (language: string, lines: readonly string[], name: string, fields = {}) => {
    const headers = { "Accept-Language": language };
    return sendImport(admin, { ...importForm(lines, name, { mapping: MAPPING, ...fields }), headers });
  };
  for (const language of LANGUAGES) {
    const { job_id } = await send(language, LINES, "xx.csv", { dry_run: "true" });
    await endedJob(museum, admin, job_id);
    const path = `/v1/jobs/${job_id}/files/rejects`;
    const [heads, ...rows] = (await (await admin(path)).text()).split("\r\n");
    expect([heads, rows.length]).toEqual(["_line,_reason,number,title,year,size,maker,left", 2]);
    look(language, path, "text/csv", rows.join());
  }
  const [language] = LANGUAGES;
  const dry = await send(language!, LINES, "xx.csv", { dry_run: "true" });
  expect((await lookAtJob(dry.job_id, true, ["preview"])).state).toBe("done");
  const done = await lookAtJob((await send(language!, LINES, "xx.csv")).job_id, true);
  expect(done.result).toMatchObject({ rejected: 1 });
  const xml = { mapping: { "@no": "__idno__", t: "title" }, record_xpath: "/all/it" };
  const broken = await send(language!, ["<all><it no='X-8'><t>Xx</t></it><it no='X-9'"], "xx.xml", xml);
  expect((await lookAtJob(broken.job_id, true)).state).toBe("failed");
  const undone = await read<SentJob>(admin(`/v1/imports/${done.result.import_id}/undo`, { json: {} }), 202);
  expect((await lookAtJob(undone.job_id, true)).state).toBe("done");
  for (const kind of JOBS)
    await lookAtJob((await enqueueJob(museum.services.sql, { kind, createdBy: null })).job.id);
  nothingFound();
});

/** Documentation for programmers, and samples of letters and colours: English by design. */
const ENGLISH = /^\/(openapi\.json|api\/docs|api\/redoc|admin\/style)/;

it("every page, and every answer of every operation", async () => {
  const plain: Ask = (path, options) =>
    asked(new URL(path, HOME), options, ({ pathname, search }, init) =>
      museum.ask(`${pathname}${search}`, init),
    );
  let last: Answer | undefined;
  const ask: Ask = async (path, options = {}) => {
    // that HEAD answers as GET does is tried on each runtime
    if (options.method === "HEAD") return last!;
    const [, job] = /^\/v1\/jobs\/([\w-]+)\/events/.exec(path) ?? [];
    if (job) await endedJob(museum, admin, job);
    const answer = await plain(path, options);
    last = answer;
    const type = answer.headers.get("Content-Type") ?? "";
    const hasChanged = options.method !== "GET" && answer.status < 400;
    if (
      hasChanged ||
      !(/html|problem/.test(type) || /^\/v1\/(jobs|imports)(?!.*\/files\/)/.test(path)) ||
      ENGLISH.test(path)
    )
      return answer;
    for (const language of LANGUAGES) {
      const headers = { ...options.headers, "Accept-Language": language };
      const { text } = await plain(path, { ...options, headers });
      look(language, `${options.method} ${path}`, type, text);
    }
    return answer;
  };
  await beat(museum.services);
  const email = "walk@example.org";
  const password = "a quiet day in the harbour";
  const user = { email, password, role: "superuser" };
  const { id } = await read(admin("/v1/users", { json: user }), 201);
  await read(admin(`/v1/users/${id}`, { method: "PATCH", json: { must_change_password: false } }));
  const form = new URLSearchParams({ grant_type: "password", username: email, password });
  const { access_token: token } = (await plain("/v1/auth/token", { body: form })).json;
  const { wrong, asked: all } = await askEverything({ ask, token, email, password });
  expect(wrong).toEqual([]);
  expect(all).toBeGreaterThan(600);
  expect(looked.pages.size).toBeGreaterThan(150);
  expect(
    museum.log.filter((line) => line.includes('"level":"error"') && !line.includes("unclosed tag")),
  ).toEqual([]);
  nothingFound();
});

it("what is refused, to anybody", async () => {
  const askers = [museum.ask, await museum.as("admin"), await museum.as("viewer")];
  const turns = askers.flatMap((ask) => LANGUAGES.map((language) => [ask, language] as const));
  const wrong = [
    { no_such_thing: 1 },
    {},
    [],
    { idno: 7, type: 7, metadata_: { title: "x" }, name: 3, label: "", email: "x", password: 1 },
  ];
  let at = 0;
  for (const { method, path } of museum.api.routes.filter(
    (each) => each.path.startsWith("/v1/") && !each.page,
  ))
    for (const id of ["00000000-0000-4000-8000-000000000000", "wrong"])
      for (const json of method === "GET" || method === "DELETE" ? [undefined] : wrong) {
        const [ask, language] = turns[at++ % turns.length]!;
        const address = `${path.replace(/\{\w+\}/g, id)}${method === "GET" ? "?page=zero&x=1" : ""}`;
        const headers = { "Accept-Language": language };
        const answer = await ask(address, { method, headers, ...(json && { json }) });
        const text = await answer.text();
        const type = answer.headers.get("Content-Type") ?? "";
        if (!type.startsWith("application/problem+json")) continue;
        expect(answer.headers.get("Content-Language")).toBe(language);
        expect(answer.headers.get("Vary")).toContain("Accept-Language");
        const { code, errors = [] } = JSON.parse(text) as ProblemJson;
        expect([path, code, ...errors.map((each) => each.code)]).not.toContain(undefined);
        look(language, `${method} ${path} ${at}`, type, text);
      }
  expect(looked.problems.size).toBeGreaterThan(300);
  nothingFound();
});
