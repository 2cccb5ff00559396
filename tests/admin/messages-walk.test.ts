/**
 * Everything that the program says comes from the catalogue: read in a language of which every message is marked, it has
 * nothing without a mark.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCatalogues } from "../../src/adapters/catalogues.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import EN from "../../src/messages/en.json" with { type: "json" };
import { type Catalogue, setCatalogues } from "../../src/messages/translate.ts";
import { KINDS, kinds } from "../../src/records/kinds.ts";
import { SettingsContentShape } from "../../src/settings/shape.ts";
import { create, read } from "../support/museum/catalogue.ts";
import { type Museum, openMuseum, quickest } from "../support/museum/museum.ts";
import { endedJob, importForm, type SentJob, sendImport } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";

const marked = Object.fromEntries(Object.entries(EN).map(([key, text]) => [key, `⟦${text}⟧`])) as Catalogue;
const PSEUDO = { "Accept-Language": "eo" };

let museum: Museum;

beforeAll(async () => {
  setCatalogues({ eo: marked });
  museum = await openMuseum({ database: quickest });
});
afterAll(async () => {
  setCatalogues(readCatalogues());
  await museum.close();
});

/** The text without what is marked, however deep. */
function unmarked(text: string): string {
  let rest = text;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "");
  }
  return rest;
}

/** What a page says: its text, and the attributes that people see or hear. */
function textsOf(page: string): string[] {
  const html = page.replace(/<(script|style|svg|code|kbd)\b.*?<\/\1>|<!--.*?-->/gs, "");
  const attributes = [...html.matchAll(/\s(?:title|aria-label|placeholder|alt)="([^"]*)"/g)].map(
    ([, text]) => text!,
  );
  return [...html.split(/<[^>]*>/), ...attributes].map((text) =>
    text.replace(/&(#39|quot|amp|lt|gt);/g, (_, name: string) => ENTITIES[name]!).trim(),
  );
}

/** Names that are the same in every language, and those of languages and months, which come from the platform (CLDR). */
const NAMES =
  "Ctrl Esc GND Wikidata GeoNames csv ndjson lido angla Esperanto Jan Januaro Nov Novembro bitoko bitokoj";

const wordsOf = (text: string): string[] => text.match(/\p{L}{3,}/gu) ?? [];

/** What is wrong with a page. */
function foreignOn(page: string, data: ReadonlySet<string>): string[] {
  const found = textsOf(page).map((text) => foreignWords(text, data).join(" "));
  return [...new Set(found.filter((words) => words !== ""))];
}

/** Words of a page that are neither in the language nor data. Addresses, permissions and ids do not count. */
const foreignWords = (text: string, data: ReadonlySet<string>): string[] =>
  wordsOf(unmarked(text).replace(/(https?|crm):\S+|\b[a-z]+:[a-z]+\b|[\w-]*\d[\w-]*/g, "")).filter(
    (word) => !data.has(word),
  );

/** Texts of JSON with a space, which are sentences, that have words without a mark. */
function sentencesIn(json: unknown): string[] {
  if (typeof json === "string") return json.includes(" ") && wordsOf(unmarked(json)).length > 0 ? [json] : [];
  return typeof json === "object" && json !== null ? Object.values(json).flatMap(sentencesIn) : [];
}

const ENTITIES: Readonly<Record<string, string>> = { "#39": "'", quot: '"', amp: "&", lt: "<", gt: ">" };

describe("problems", () => {
  const wrong: [string, unknown][] = [
    ["an unknown member", { no_such_thing: 1 }],
    ["nothing", {}],
    ["a list", []],
    [
      "wrong types",
      { idno: 7, type: 7, metadata_: { title: "x" }, name: 3, label: "", email: "x", password: 1 },
    ],
  ];

  const routes = () =>
    museum.api.routes
      .filter(({ path, page }) => path.startsWith("/v1/") && !page)
      .map(({ method, path }) => ({ method, path }));

  const saidIn = async (answer: Response, at: string): Promise<string[]> => {
    const { title, detail, code, errors = [] } = await answer.json();
    const all = [{ detail: title, code: "-" }, { detail, code }, ...errors] as {
      detail: string;
      code?: string;
    }[];
    return all.flatMap(({ detail: text, code: key }) => [
      ...(unmarked(text) === "" ? [] : [`${at}: ${text}`]),
      ...(key ? [] : [`${at}: no code: ${text}`]),
    ]);
  };

  it.each(["visitor", "admin", "viewer"] as const)(
    "are in the language of a %s, with a code",
    async (who) => {
      const ask = who === "visitor" ? museum.ask : await museum.as(who);
      const found = new Set<string>();
      let problems = 0;
      for (const { method, path } of routes())
        for (const id of ["00000000-0000-4000-8000-000000000000", "wrong"])
          for (const [what, json] of method === "GET" || method === "DELETE"
            ? [["", undefined] as const]
            : wrong) {
            const address = `${path.replace(/\{\w+\}/g, id)}${method === "GET" ? "?page=zero&x=1" : ""}`;
            const answer = await ask(address, {
              method,
              headers: PSEUDO,
              ...(json === undefined ? {} : { json }),
            });
            if (!answer.headers.get("Content-Type")?.startsWith("application/problem+json")) {
              await answer.body?.cancel();
              continue;
            }
            problems += 1;
            expect(answer.headers.get("Content-Language")).toBe("eo");
            expect(answer.headers.get("Vary")).toContain("Accept-Language");
            for (const each of await saidIn(answer, `${method} ${path} ${what}`)) found.add(each);
          }
      expect(problems).toBeGreaterThan(100);
      expect([...found]).toEqual([]);
    },
  );
});

describe("pages", () => {
  it("say everything in the language of the reader", async () => {
    const admin = await museum.as("superuser");
    const curator = await staffBrowser(museum, "superuser", "eo");
    const data = new Set<string>(wordsOf(NAMES));
    const keep = (json: unknown): void => {
      if (typeof json === "string") for (const word of wordsOf(json)) data.add(word);
      else if (typeof json === "object" && json !== null) for (const each of Object.values(json)) keep(each);
    };
    const readData = async (path: string) => {
      const json = await (await admin(path)).json();
      keep(json);
      return json;
    };
    for (const kind of KINDS) await readData(`/v1/schemas/${kind}`);
    for (const { name } of (await readData("/v1/vocabularies")).items)
      await readData(`/v1/vocabularies/${name}/terms`);
    for (const path of ["/v1/relation-types", "/v1/roles", "/v1/users"]) await readData(path);
    const samples = Object.fromEntries(
      await Promise.all(
        KINDS.map(async (kind) => {
          const made = await create(admin, kind);
          keep(made);
          return [kind, made.id];
        }),
      ),
    );
    const found: string[] = [];
    let pages = 0;
    for (const { method, path } of museum.api.routes.filter(({ page }) => page)) {
      // the page of the style shows a sample text
      if (method !== "GET" || path === "/admin/style") continue;
      const kind =
        KINDS.find((each) => path.includes(`/${kinds[each].plural}/`) || path.includes(`/${each}/`)) ??
        "object";
      const address = path
        .replace(/\{(id|record_id|record)\}/g, samples[kind]!)
        .replace(/\{(kind|type)\}/g, kind)
        .replace(/\{name\}/g, "material");
      const answer = await curator.get(address);
      if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
        await answer.body?.cancel();
        continue;
      }
      pages += 1;
      for (const words of foreignOn(await answer.text(), data))
        found.push(`${path} ${answer.status}: ${words.slice(0, 200)}`);
    }
    expect(museum.log.some((line) => line.includes('"level":"error"'))).toBe(false);
    expect(pages).toBeGreaterThan(60);
    expect(found).toEqual([]);
  });

  it("name what happened to accounts, roles, keys and settings, and what a key may do", async () => {
    const admin = await museum.as("superuser");
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
    const password = "a quiet day in the harbour";
    await change(`/v1/users/${id}`, {
      email: "yy@yy.org",
      role: "viewer",
      display_name: "Xx",
      must_change_password: false,
      password,
    });
    for (const disabled of [true, false]) await change(`/v1/users/${id}`, { disabled });
    const me = await read<{ id: string }>(admin("/v1/auth/me"));
    const permissions = [
      "records:read",
      "records:write",
      "records:publish",
      "records:delete",
      "metrics:read",
    ];
    const key = { name: "Xx", permissions, expires_at: "2999-01-01T00:00:00Z" };
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
    const { items } = await read<{ items: { detail: object }[] }>(admin("/v1/security-events?page_size=100"));
    const curator = await staffBrowser(museum, "superuser", "eo");
    const data = new Set(
      wordsOf(
        `${NAMES} English example org superuser admin viewer Superuser Administrator Editor Cataloguer Viewer`,
      ),
    );
    const page = await curator.text("/admin/security");
    for (const [name, value] of items.flatMap(({ detail }) => Object.entries(detail)))
      if (name === "key_prefix") for (const word of wordsOf(String(value))) data.add(word);
    expect(foreignOn(page, data)).toEqual([]);
    expect(page).toContain("⟦Permissions added⟧: ⟦Objects⟧ – ⟦change⟧, ⟦Objects⟧ – ⟦delete⟧");
    expect(page).toContain("⟦Footer links⟧");
    const account = await curator.text(`/admin/users/${me.id}`);
    expect(foreignOn(account, data)).toEqual([]);
    expect(account).toContain("⟦Records⟧ – ⟦create⟧, ⟦change⟧; ⟦Records⟧ – ⟦publish⟧");
    await change("/v1/settings", Object.fromEntries(Object.keys(changed).map((name) => [name, null])));
  });
});

describe("jobs", () => {
  const MAPPING = {
    number: "__idno__",
    title: { target: "title", lang: "en" },
    year: { target: "date", transforms: [{ type: "edtf" }] },
    size: { target: "dimensions", transforms: [{ type: "regex_extract", pattern: "^(\\d+) cm$" }] },
    maker: "__relation:created_by:entity__",
  };
  const LINES = [
    "number,title,year,size,maker,left",
    "X-1,Xx,19o2,huge,Qq,x",
    ",Xx,,,,",
    "X-2,Xx,1900,3 cm,Qq,",
    "X-2,Xx,,,,",
  ];

  it("say everything in the language of whoever reads them: imports, refused rows, failures, undos", async () => {
    const admin = await museum.as("superuser");
    const curator = await staffBrowser(museum, "superuser", "eo");
    const data = new Set(
      wordsOf(
        `${NAMES} English example org superuser Qq Xx object xml Other Title Date as written Dimensions created`,
      ),
    );
    const found: string[] = [];
    const files: string[] = [];
    const look = async (id: string, pages: readonly string[] = []) => {
      const ended = await endedJob(museum, admin, id);
      for (const path of [`/v1/jobs/${id}`, "/v1/jobs", "/v1/imports"]) {
        const json = await (await admin(path, { headers: PSEUDO })).json();
        found.push(...sentencesIn(json).map((text) => `${path}: ${text}`));
      }
      const events = await (await admin(`/v1/jobs/${id}/events`, { headers: PSEUDO })).text();
      for (const [, line] of events.matchAll(/^data: (.*)$/gm))
        found.push(...sentencesIn(JSON.parse(line!)).map((text) => `event: ${text}`));
      for (const path of [
        `/admin/jobs/${id}`,
        "/admin/jobs",
        "/admin/imports",
        ...pages.map((path) => `${path}/${id}`),
      ]) {
        const answer = await curator.get(path);
        const page = await answer.text();
        expect({ path, status: answer.status }).toEqual({ path, status: 200 });
        found.push(...foreignOn(page, data).map((words) => `${path}: ${words}`));
      }
      for (const name of ["rejects", "preview", "report"]) {
        const answer = await admin(`/v1/jobs/${id}/files/${name}`, { headers: PSEUDO });
        const text = await answer.text();
        if (answer.status === 200)
          files.push(name === "rejects" ? text : sentencesIn(JSON.parse(text)).join());
      }
      return ended;
    };
    const send = async (lines: readonly string[], name: string, fields = {}) => {
      const form = { ...importForm(lines, name, { mapping: MAPPING, ...fields }), headers: PSEUDO };
      return look((await sendImport(admin, form)).job_id, ["/admin/imports/jobs"]);
    };

    expect((await send(LINES, "xx.csv", { dry_run: "true" })).state).toBe("done");
    const done = await send(LINES, "xx.csv");
    expect(done.result).toMatchObject({ rejected: 1 });
    const xml = { mapping: { "@no": "__idno__", t: "title" }, record_xpath: "/all/it" };
    const broken = await send(["<all><it no='X-8'><t>Xx</t></it><it no='X-9'"], "xx.xml", xml);
    expect(broken.state).toBe("failed");
    const undone = await read<SentJob>(admin(`/v1/imports/${done.result.import_id}/undo`, { json: {} }), 202);
    expect((await look(undone.job_id, ["/admin/imports/jobs"])).state).toBe("done");
    for (const kind of [
      "reindex",
      "purge-trash",
      "housekeeping",
      "prepare-images",
      "dump",
      "ark-mint",
    ] as const) {
      const { job } = await enqueueJob(museum.services.sql, { kind, createdBy: null });
      await look(job.id);
    }
    const refused = `⟦idno: ${marked["fault.row.no_number"]}⟧`;
    const rejects = `_line,_reason,number,title,year,size,maker,left\r\n3,${refused},,Xx,,,,\r\n`;
    expect(files.filter((text) => text !== "")).toEqual([rejects, rejects]);
    expect([...new Set(found)]).toEqual([]);
  });
});
