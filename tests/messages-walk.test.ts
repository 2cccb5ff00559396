/**
 * Everything that the program says comes from the catalogue: read in a language of which every message is marked, it has
 * nothing without a mark.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCatalogues } from "../src/adapters/catalogues.ts";
import EN from "../src/messages/en.json" with { type: "json" };
import { type Catalogue, setCatalogues } from "../src/messages/translate.ts";
import { KINDS, kinds } from "../src/records/kinds.ts";
import { SettingsContentShape } from "../src/settings/shape.ts";
import { create, read } from "./support/catalogue.ts";
import { type Museum, openMuseum, quickest } from "./support/museum.ts";
import { staffBrowser } from "./support/staff-browser.ts";

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
const NAMES = "Ctrl Esc GND Wikidata GeoNames csv ndjson lido angla Esperanto Jan Januaro Nov Novembro";

const wordsOf = (text: string): string[] => text.match(/\p{L}{3,}/gu) ?? [];

/** What is wrong with a page. */
function foreignOn(page: string, data: ReadonlySet<string>): string[] {
  const found = textsOf(page).map((text) => foreignWords(text, data).join(" "));
  return [...new Set(found.filter((words) => words !== ""))];
}

/** Words of a page that are neither said in the language nor data. */
const foreignWords = (text: string, data: ReadonlySet<string>): string[] =>
  wordsOf(unmarked(text).replace(/(https?|crm):\S+|\b[a-z]+:[a-z]+\b/g, "")).filter(
    (word) => !data.has(word),
  );

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
