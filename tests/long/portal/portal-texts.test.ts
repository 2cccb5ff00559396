/** Texts by others, in a browser: hostile ones stay texts, secret ones are not shown, and each keeps its direction. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Kind, kinds } from "../../../src/records/kinds.ts";
import type { Metadata } from "../../../src/records/record.ts";
import { currentSchema } from "../../../src/records/schema.ts";
import type { Draft } from "../../../src/records/shape.ts";
import { drainOutbox } from "../../../workers/drain-outbox.ts";
import { read } from "../../support/museum/catalogue.ts";
import { type Keeping, keeping } from "../../support/museum/keeping.ts";
import { jpeg, send } from "../../support/museum/media.ts";
import { type Ask, type Museum, openMuseum, quickest } from "../../support/museum/museum.ts";
import { hasChromium, openChromium } from "../../support/programs/demo-browser.ts";

const isHere = hasChromium("texts on the portal in a browser");

const HOSTILE = `"><img src=x onerror="planted=1"><script>planted=1</script><x-planted onclick='planted=1'>`;
/** Reverses everything after it, until something ends it. */
const OVERRIDE = "\u202E";
const LINK = "javascript:planted=1";
const SECRET = "KASSIBER";
const PUBLIC_KINDS: readonly Kind[] = ["object", "entity", "place", "occurrence", "collection"];

describe.runIf(isHere)("the portal", () => {
  let museum: Museum;
  let admin: Ask;
  let browser: Browser;
  let context: BrowserContext;
  const hostile = new Map<Kind, string>();

  beforeAll(async () => {
    museum = await openMuseum({ database: quickest, demo: "with media" });
    admin = await museum.as("admin");
    browser = await openChromium();
    context = await browser.newContext({
      baseURL: museum.services.config.baseUrl,
      locale: "en",
      viewport: { width: 1280, height: 900 },
    });
    // this process answers the requests of the browser
    await context.route("**/*", async (route) => {
      const request = route.request();
      const answer = await museum.ask(request.url(), {
        method: request.method(),
        headers: await request.allHeaders(),
      });
      await route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      });
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await museum?.close();
  });

  const keep: Keeping["keep"] = (...given) => keeping(museum.services).keep(...given);
  const link: Keeping["link"] = (...given) => keeping(museum.services).link(...given);

  async function open(path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  /** Everything about records that can be requested without signing in. `records` are ids by kind. */
  function everything(records: ReadonlyMap<Kind, string>) {
    const word = encodeURIComponent(HOSTILE);
    return {
      pages: [
        "/",
        "/search",
        "/search?q=planted&view=list",
        "/search?type=object&more=meta_material",
        `/search?q=${word}&meta_material=${word}&clause=title:contains:${word}`,
        `/search?q=${encodeURIComponent(`${OVERRIDE}xyzzyx`)}`,
        `/search?rel_entity=${records.get("entity")}`,
        `/search/advanced?q=${word}&field=title&op=is&value=${word}`,
        "/browse",
        "/browse/material",
        "/browse/entities",
        "/browse/places",
        "/collections",
        "/timeline",
        "/timeline?century=03XX",
        "/dumps",
        `/nothing/${word}`,
        ...[...records].map(([kind, id]) => `/${kinds[kind].plural}/${id}`),
      ],
      data: [
        ...["/robots.txt", "/llms.txt", "/sitemap.xml", "/sitemap-pages.xml", "/sitemap-records.xml"],
        ...[`/portal/v1/search/suggest?q=${SECRET}`, `/portal/v1/search/suggest?q=planted`],
        "/portal/v1/search?type=object&facets=material,creator_text,date.century&page_size=100",
        `/portal/v1/search?q=${SECRET}`,
        ...["/v1/schemas", "/v1/relation-types", "/v1/vocabularies", "/v1/settings"],
        "/oai?verb=ListRecords&metadataPrefix=oai_dc",
        `/iiif/presentation/3/objects/${records.get("object")}/manifest`,
        ...[...records].flatMap(([kind, id]) =>
          ["jsonld", "turtle", "dc"].map(
            (format) => `/v1/${kinds[kind].plural}/${id}/export?format=${format}`,
          ),
        ),
      ],
    };
  }

  describe("with hostile texts and secrets in every place where somebody could write them", () => {
    beforeAll(async () => {
      const { sql } = museum.services;
      const labels = sql`jsonb_build_object('en', coalesce(label ->> 'en', '') || ${HOSTILE}::text)`;
      await sql`update schema_fields set label = ${labels}`;
      await sql`update record_subtypes set label = ${labels}`;
      await sql`update vocabulary_terms set label = ${labels}`;
      await sql`
        update relation_types set label = ${labels},
          inverse_label = jsonb_build_object('en', coalesce(inverse_label ->> 'en', '') || ${HOSTILE}::text)`;
      const germanOnly = { en: `Said ${HOSTILE}` };
      const settings = {
        ...{
          name: { en: `House ${HOSTILE}`.slice(0, 120) },
          sentence: germanOnly,
          home_text: germanOnly,
          footer_text: germanOnly,
        },
        ...{
          address: `Quay ${HOSTILE}`,
          footer_links: [{ label: germanOnly, url: "https://museum.example/" }],
        },
      };
      await read(admin("/v1/settings", { method: "PATCH", json: settings }));

      const schema = await currentSchema(sql);
      for (const kind of PUBLIC_KINDS) {
        const free = [...schema.fields.get(kind)!.values()].filter(({ field_type }) =>
          ["text", "richtext", "vocab_free", "measurement"].includes(field_type),
        );
        const value = (own: string) => [{ value: `planted ${own} ${HOSTILE} ${LINK} ${OVERRIDE}` }];
        const metadata = Object.fromEntries(
          free.map(({ name, is_public }) => [name, is_public ? value(name) : [{ value: `${SECRET} field` }]]),
        );
        const more = kind === "place" ? { lat: 54, lon: 9 } : {};
        const date: Metadata = kind === "object" ? { date: [{ value: "0333" }] } : {};
        hostile.set(kind, await keep(kind, { ...metadata, ...date }, more as Partial<Draft>));
        await keep(kind, { [kinds[kind].titleField]: [{ value: `${SECRET} ${kind}` }] }, { status: "draft" });
      }
      const id = hostile.get("object")!;
      const lender = await keep("entity", { name: [{ value: `${SECRET} lender` }] }, { status: "internal" });
      await link(id, "created_by", "entity", hostile.get("entity")!, { role: [{ value: HOSTILE }] });
      await link(id, "owned_by", "entity", lender);
      await link(id, "made_at", "place", hostile.get("place")!);
      await link(id, "exhibited_in", "occurrence", hostile.get("occurrence")!);
      await link(id, "in_collection", "collection", hostile.get("collection")!);

      const text = [{ value: HOSTILE }];
      for (const [name, visibility, caption] of [
        [`"><img src=x onerror=planted=1>.jpg`, "public", text],
        ["<script>planted=1<.pdf", "public", text],
        [`${SECRET}.jpg`, "private", [{ value: `${SECRET} caption` }]],
      ] as const) {
        const bytes = name.endsWith("pdf")
          ? new TextEncoder().encode("%PDF-1.4\n%%EOF\n")
          : await jpeg(90, 60);
        const medium = await read<{ media_id: string }>(send(admin, id, bytes, name), 201);
        const json = { visibility, caption, alt_text: caption, rights_holder: name };
        await read(admin(`/v1/objects/${id}/media/${medium.media_id}`, { method: "PATCH", json }));
      }
      // what no form accepts
      await sql`update object_media set license_uri = ${LINK} where object_id = ${id}`;
      await sql`
        update records set metadata = metadata || ${sql.json({
          rights: [{ value: LINK }],
          title: [{ value: `planted ${HOSTILE} ${OVERRIDE}`, lang: `en" onclick="planted=1` }],
        })} where id = ${id}`;
      await drainOutbox(museum.services);
    }, 120_000);

    it("shows them as texts, runs nothing, links nowhere, and keeps what is beside them in its direction", async () => {
      for (const path of everything(hostile).pages) {
        const page = await open(path);
        const faults = [await page.evaluate(faultsOfPage), await page.evaluate(turnedRound, OVERRIDE)];
        expect([path, ...faults.flat()]).toEqual([path]);
        await page.close();
      }
    }, 120_000);

    it("shows nobody what is not public", async () => {
      const { pages, data } = everything(hostile);
      for (const path of [...pages, ...data.filter((one) => !one.includes(SECRET))]) {
        const answer = await museum.ask(path, {
          headers: { Accept: path.startsWith("/v1") ? "*/*" : "text/html, */*;q=0.5" },
        });
        const told = (await answer.text()) + JSON.stringify([...answer.headers]);
        expect([path, told.includes(SECRET)]).toEqual([path, false]);
      }
      for (const path of data.filter((one) => one.includes(SECRET))) {
        const found = await read<{
          total?: number;
          items?: unknown[];
          records?: unknown[];
          terms?: unknown[];
        }>(museum.ask(path));
        expect([found.items, found.records, found.terms].flat().filter((one) => one !== undefined)).toEqual(
          [],
        );
      }
      // staff find it, so it exists
      const staff = await read<{ total: number }>(admin(`/v1/search?q=${SECRET}`));
      expect(staff.total).toBeGreaterThan(PUBLIC_KINDS.length);
    }, 120_000);
  });

  describe("with Arabic and Hebrew texts on an English page", () => {
    let bowl: string;
    let letter: string;
    beforeAll(async () => {
      const maker = await keep(
        "entity",
        { name: [{ value: "نور حداد (رسامة)", lang: "ar" }] },
        { subtype: "person" },
      );
      bowl = await keep("object", {
        title: [{ value: "קערת כסף, 1920!", lang: "he" }],
        description: [{ value: "وعاء من الفضة (مؤرخ 1920)، صنع في حلب.\n\nهدية من العائلة.", lang: "ar" }],
        date: [{ value: "1920~" }],
        credit_line: [{ value: "هدية، 1962.", lang: "ar" }],
      });
      await link(bowl, "created_by", "entity", maker);
      // without a language
      letter = await keep("object", {
        title: [{ value: "مكتوب إلى Ida Brandt, 1921!" }],
        date: [{ value: "1921" }],
      });
      await drainOutbox(museum.services);
    });

    it("gives each its language and direction, and keeps the rest of the page as it is", async () => {
      const page = await open(`/objects/${bowl}`);
      const title = page.locator("h1");
      expect(await title.getAttribute("lang")).toBe("he");
      expect(await page.evaluate(directionsOf, ["html", "h1", ".told p", ".lead", ".facts"])).toEqual({
        html: "ltr",
        h1: "rtl",
        ".told p": "rtl",
        ".lead": "ltr",
        ".facts": "ltr",
      });
      expect(await page.locator(".told p").first().getAttribute("lang")).toBe("ar");
      // the last character is left of the first word, and the text is at the beginning of its line
      expect(await page.evaluate(endsLeft, "h1")).toBe(true);
      expect(await page.evaluate(endsLeft, ".told p")).toBe(true);
      expect(await page.evaluate(inReadingOrder, [".lead", ["نور", "about 1920"]] as const)).toBe(true);
      expect(await page.evaluate(inReadingOrder, [".cited", ["نور", "קערת", "about", "OBJ"]] as const)).toBe(
        true,
      );
      await page.close();
    });

    it("guesses the direction if no language is given, also on cards", async () => {
      const page = await open(`/objects/${letter}`);
      expect(await page.evaluate(directionsOf, ["h1"])).toEqual({ h1: "rtl" });
      await page.goto("/search?type=object&sort_by=created_at");
      const cards = page.locator(":is(.cards, .brief) li");
      const card = cards.filter({ hasText: "קערת" });
      expect(await card.locator("b").getAttribute("lang")).toBe("he");
      expect(await card.locator("b").evaluate((b) => getComputedStyle(b).direction)).toBe("rtl");
      expect(await card.evaluate((li) => getComputedStyle(li).direction)).toBe("ltr");
      const line = card.locator("small").first();
      expect(await line.textContent()).toBe("نور حداد (رسامة), about 1920");
      expect(await line.locator("bdi").count()).toBe(2);
      await page.close();
    });
  });

  describe("with only German texts and names on an English page", () => {
    const GERMAN = "Wörter";
    const german = new Map<Kind, string>();
    beforeAll(async () => {
      const { sql } = museum.services;
      const label = sql.json({ de: GERMAN });
      await sql`update schema_fields set label = ${label}`;
      await sql`update record_subtypes set label = ${label}`;
      await sql`update vocabulary_terms set label = ${label}`;
      await sql`update relation_types set label = ${label}, inverse_label = ${label}`;
      const germanOnly = { de: GERMAN };
      const settings = {
        ...{ name: { en: "House" }, sentence: germanOnly, home_text: germanOnly, footer_text: germanOnly },
        ...{ address: "Quay", footer_links: [{ label: germanOnly, url: "https://museum.example/" }] },
      };
      await read(admin("/v1/settings", { method: "PATCH", json: settings }));
      const schema = await currentSchema(sql);
      for (const kind of PUBLIC_KINDS) {
        const translated = [...schema.fields.get(kind)!.values()].filter(
          ({ is_translatable }) => is_translatable,
        );
        const metadata: Metadata = Object.fromEntries(
          translated.map(({ name }) => [name, [{ value: `${GERMAN} ${name}`, lang: "de" }]]),
        );
        const material: Metadata = kind === "object" ? { material: [{ value: "paper" }] } : {};
        // names of people have no language
        const name: Metadata = kind === "entity" ? { name: [{ value: "Ida Brandt", lang: "de" }] } : {};
        german.set(kind, await keep(kind, { ...metadata, ...material, ...name }));
      }
      const id = german.get("object")!;
      await link(id, "created_by", "entity", german.get("entity")!, {
        role: [{ value: GERMAN, lang: "de" }],
      });
      await link(id, "made_at", "place", german.get("place")!);
      await link(id, "exhibited_in", "occurrence", german.get("occurrence")!);
      await link(id, "in_collection", "collection", german.get("collection")!);
      const medium = await read<{ media_id: string }>(send(admin, id, await jpeg(90, 60), "a.jpg"), 201);
      const text = [{ value: GERMAN, lang: "de" }];
      const json = { visibility: "public", caption: text, alt_text: text };
      await read(admin(`/v1/objects/${id}/media/${medium.media_id}`, { method: "PATCH", json }));
      await drainOutbox(museum.services);
    }, 120_000);

    it("marks the language of each text", async () => {
      for (const path of [
        ...everything(german).pages,
        "/search?type=object&object_type=painting&meta_material=paper&clause=title:contains:a",
        `/search?view=list&rel_collection=${german.get("collection")}`,
      ]) {
        const page = await open(path);
        expect([path, await page.evaluate(inAnotherLanguage, [GERMAN, "de"] as const)]).toEqual([path, []]);
        await page.close();
      }
      const page = await open(`/objects/${german.get("object")}`);
      expect(await page.locator('[lang="de"]').count()).toBeGreaterThan(10);
      await page.close();
    }, 120_000);
  });
});

/** Texts with this word whose nearest `lang` is another language. Runs in the page. */
function inAnotherLanguage([word, lang]: readonly [string, string]): string[] {
  const faults: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const around = text.parentElement!;
    if (!text.textContent!.includes(word) || around.localName === "script") continue;
    if (around.closest("[lang]")!.getAttribute("lang") !== lang) faults.push(around.outerHTML.slice(0, 300));
  }
  for (const image of document.querySelectorAll("img"))
    if (image.alt.includes(word) && image.lang !== lang) faults.push(image.outerHTML);
  return faults;
}

/** The parts of a planted text that became more than text. Runs in the page. */
function faultsOfPage(): string[] {
  const faults = "planted" in globalThis ? ["a planted script has run"] : [];
  for (const element of document.querySelectorAll<HTMLElement>("*")) {
    const { localName: name } = element;
    if (name === "x-planted" || element.getAttribute("src") === "x") faults.push(element.outerHTML);
    const isData = name === "script" && element.getAttribute("type") === "application/ld+json";
    if (name === "script" && !isData && element.nonce === "") faults.push(element.outerHTML);
    if (isData) JSON.parse(element.textContent);
    for (const { name: attribute, value } of element.attributes) {
      if (attribute.startsWith("on")) faults.push(`${name} ${attribute}`);
      const isAddress = ["href", "src", "action", "formaction"].includes(attribute);
      if (isAddress && /^\s*javascript:/i.test(value)) faults.push(`${name} ${attribute}=${value}`);
    }
  }
  return faults;
}

/** Texts with an override that is not isolated from its neighbours. Runs in the page. */
function turnedRound(override: string): string[] {
  const faults: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    // among our own words, U+2068 and U+2069 isolate it
    const open = text.textContent!.replace(/\u2068[^\u2069]*\u2069/gu, "");
    if (!open.includes(override) || text.parentElement!.localName === "script") continue;
    let around = text.parentElement!;
    const isOpen = (element: Element) => {
      const { display, unicodeBidi } = getComputedStyle(element);
      return display === "inline" && unicodeBidi === "normal";
    };
    while (isOpen(around)) around = around.parentElement!;
    const [, behind = ""] = around.textContent.split(override, 2);
    if (behind.trim() !== "") faults.push(around.outerHTML.slice(0, 300));
  }
  return faults;
}

/** The text directions, by selector. Runs in the page. */
function directionsOf(selectors: string[]): Record<string, string> {
  return Object.fromEntries(
    selectors.map((selector) => [selector, getComputedStyle(document.querySelector(selector)!).direction]),
  );
}

/** Whether the last character of a text is left of its first. Runs in the page. */
function endsLeft(selector: string): boolean {
  const text = document.querySelector(selector)!.firstChild!;
  const placeOf = (at: number) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect();
  };
  const [first, last] = [placeOf(0), placeOf(text.textContent!.length - 1)];
  return last.left < first.left || last.top > first.top;
}

/** Whether these words are in this order, from left to right and line by line. Runs in the page. */
function inReadingOrder([selector, words]: readonly [string, readonly string[]]): boolean {
  const texts = document.createTreeWalker(document.querySelector(selector)!, NodeFilter.SHOW_TEXT);
  const places = new Map<string, DOMRect>();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const word of words) {
      const at = text.textContent!.indexOf(word);
      if (at === -1 || places.has(word)) continue;
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + word.length);
      places.set(word, range.getBoundingClientRect());
    }
  }
  const found = words.map((word) => places.get(word)!);
  return found.every((place, index) => {
    const before = found[index - 1];
    return !before || place.top > before.top + 5 || place.left > before.left;
  });
}
