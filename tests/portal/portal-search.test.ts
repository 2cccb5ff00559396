/** The search page: what it finds, how a search is narrowed, what is in its address, and what nobody must see there. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { readCsv } from "../../src/imports/csv/csv.ts";
import { readSearchState, searchAddress } from "../../src/portal/search/address.ts";
import { barsOf, windowFor } from "../../src/portal/search/histogram.ts";
import type { Metadata } from "../../src/records/record.ts";
import type { Draft } from "../../src/records/shape.ts";
import { yearsOf } from "../../src/search/buckets.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { answered } from "../support/museum/catalogue.ts";
import { keeping } from "../support/museum/keeping.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

const museum = await museumHere({ demo: true });

const { keep, link } = keeping(museum.services);

const ask = (path: string, language = "en") =>
  museum.ask(path, { headers: { Accept: "text/html", "Accept-Language": language } });

async function read(path: string, language = "en"): Promise<string> {
  const answer = await ask(path, language);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

/** How many records the page says it found. */
const totalOf = (page: string): number =>
  Number(/<h1 id="count">([\d,]+) records?</.exec(page)?.[1]?.replaceAll(",", "") ?? 0);

const unescaped = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

/** Links of facets and bars: their addresses, and the counts beside them. */
function linksOn(page: string): { to: string; count: number }[] {
  const facets = [
    ...page.matchAll(
      /<li><a href="([^"]+)" rel="nofollow" ?><span dir="auto">[^<]*<\/span><\/a> <small>([\d,]+)</g,
    ),
  ];
  const bars = [
    ...page.matchAll(/<a href="([^"]+)" rel="nofollow" [^>]*aria-label="[^"]*: ([\d,]+) records?"/g),
  ];
  return [...facets, ...bars].map(([, to, count]) => ({
    to: unescaped(to!),
    count: Number(count!.replaceAll(",", "")),
  }));
}

describe("the address of a search", () => {
  const again = (query: string) => searchAddress(readSearchState(new URLSearchParams(query)));

  it("contains the whole state of the search", () => {
    for (const query of [
      "q=harbour",
      "q=a&type=object&meta_material=oak&meta_material=pine&range_date_from=1800&sort_by=title&view=list&page=3",
      "object_type=print&rel_collection=x&clause=title%3Acontains%3Asea&clause=date%3Amissing&match=any&more=meta_material",
    ])
      expect(again(query)).toBe(`/search?${query}`);
  });

  it("is read tolerantly", () => {
    expect(again("utm_source=x&type=storage_location&page=0&view=x&sort_by=x&storage_location_type=x")).toBe(
      "/search",
    );
    expect(again("meta_material=+&range_date_to=&clause=")).toBe("/search");
    // years as people write them, in any order
    expect(again("range_date_from=1920&range_date_to=79")).toBe(
      "/search?range_date_from=0079&range_date_to=1920",
    );
    // as pages say dates
    expect(again("range_date_from=10,000 BC&range_date_to=79 n. Chr.")).toBe(
      "/search?range_date_from=-9999&range_date_to=0079",
    );
    expect(again("range_date_from=Ier siècle av. J.-C.")).toBe("/search?range_date_from=-0099%2F0000");
    // an unknown date sets no limit, whether written as EDTF or in words
    for (const unknown of [
      "XXXX",
      " XXXX-XX ",
      "-XXXX",
      "XXXX~",
      "XX85",
      "..",
      "date unknown",
      "Datum unbekannt",
    ])
      expect(again(`range_date_from=${unknown}&range_date_to=1920`)).toBe("/search?range_date_to=1920");
    // a right by the address that its facet has
    expect(again("meta_rights=creativecommons.org/licenses/by-nc/3.0/de/legalcode")).toBe(
      again("meta_rights=http://creativecommons.org/licenses/by-nc/3.0/de/"),
    );
    expect(again("page=99999")).toBe("/search");
    expect(again("page=9999")).toBe("/search?page=416");
  });
});

describe("the histogram", () => {
  const counts = (values: Record<string, number>) =>
    Object.entries(values).map(([value, count]) => ({ value, count }));

  it("shows decades when they cover a few centuries, including empty ones, and otherwise centuries", () => {
    const few = {
      "date.century": counts({ "18XX": 2, "19XX": 1 }),
      "date.decade": counts({ "188X": 2, "191X": 1 }),
    };
    expect(barsOf(few, "date", null).map(({ value, count }) => `${value} ${count}`)).toEqual([
      "188X 2",
      "189X 0",
      "190X 0",
      "191X 1",
    ]);
    const many = { "date.century": counts({ "-01XX": 1, "01XX": 3 }), "date.decade": [] };
    expect(barsOf(many, "date", null).map(({ value }) => value)).toEqual(["-01XX", "-00XX", "00XX", "01XX"]);
    expect(barsOf({}, "date", null)).toEqual([]);
  });

  it("counts years before our era as EDTF does", () => {
    expect(["19XX", "193X", "-01XX", "-00XX", "00XX"].map((value) => yearsOf(value))).toEqual([
      { from: 1900, to: 1999 },
      { from: 1930, to: 1939 },
      { from: -199, to: -100 },
      { from: -99, to: 0 },
      { from: 1, to: 99 },
    ]);
    expect(yearsOf("1930")).toBeNull();
  });

  it("shows the century around a short period that was chosen", () => {
    expect(windowFor({ from: 1930, to: 1939 })).toEqual({ from: 1900, to: 1999 });
    expect(windowFor({ from: 1890, to: 1910 })).toEqual({ from: 1800, to: 1999 });
    expect(windowFor({ from: 1800, to: Number.POSITIVE_INFINITY })).toBeNull();
  });
});

describe("a visitor who searches", () => {
  it("reads dates before our era in words, in each language, and finds what spans its beginning on both sides", async () => {
    for (const [title, date] of [
      ["Coin of the turn of the era", "-0150/0150"],
      ["Coin of the last year", "0000"],
      ["Flint blade", "Y-14999~"],
      ["Flint of no date", "XXXX"],
      ["Flint of ten years", "-012X"],
      ["Coin of Titus", "0079"],
    ] as const)
      await keep("object", { title: [{ value: title }], date: [{ value: date }] }, { subtype: "other" });
    await drainOutbox(museum.services);
    const coins = async (date: string) =>
      [
        ...(await read(`/search?q=coin&type=object&meta_date=${date}`)).matchAll(/Coin of [a-zT][a-z ]+/g),
      ].map(([found]) => found.trim());
    expect(new Set(await coins("-00XX"))).toEqual(
      new Set(["Coin of the turn of the era", "Coin of the last year"]),
    );
    expect(new Set(await coins("00XX"))).toEqual(new Set(["Coin of the turn of the era", "Coin of Titus"]));
    for (const [language, of, year] of [
      ["en", "130–121 BC", "AD 79"],
      ["de", "130–121 v. Chr.", "79 n. Chr."],
      ["fr", "130–121 av. J.-C.", "79 apr. J.-C."],
    ] as const) {
      const page = await read(
        "/search?type=object&range_date_to=0099&meta_date=-012X&meta_date=XXXX",
        language,
      );
      expect(page).toContain(of);
      const seen = page.replace(/ (href|id|value|name|aria-labelledby|src)="[^"]*"/g, "");
      expect(seen).not.toMatch(/-?\d+X+\b|XXXX|Y-\d/);
      expect(await read("/search?q=titus&range_date_from=79", language)).toContain(`<bdi>${year} – …</bdi>`);
      expect(await read("/search?type=object&meta_date=-00XX", language)).not.toMatch(
        /id="(from|to)"[^>]*="-\d/,
      );
    }
  });

  it("finds as many records with each filter as the page says", async () => {
    const ways = linksOn(await read("/search?type=object"));
    expect(ways.length).toBeGreaterThan(40);
    for (const { to, count } of ways.filter((_, index) => index % 4 === 0))
      expect([to, totalOf(await read(to))]).toEqual([to, count]);
  });

  it("adds a second value to a filter, and removes each on its own", async () => {
    const photographs = totalOf(await read("/search?object_type=photograph"));
    const both = await read("/search?object_type=photograph&object_type=painting");
    expect(totalOf(both)).toBeGreaterThan(photographs);
    const chips = [...both.matchAll(/<a href="([^"]+)" rel="nofollow"><span>Type: <bdi>(\w+)/g)];
    expect(chips.map(([, to, label]) => [label, to])).toEqual([
      ["Photograph", "/search?object_type=painting"],
      ["Painting", "/search?object_type=photograph"],
    ]);
  });

  it("keeps the filters when the words change, except those that another kind of record does not have", async () => {
    const page = await read("/search?q=harbour&type=object&meta_material=paper&view=list");
    for (const kept of [
      'name="type" value="object"',
      'name="meta_material" value="paper"',
      'name="view" value="list"',
    ])
      expect(page).toContain(`<input type="hidden" ${kept}>`);
    expect(unescaped(page)).toContain(
      'href="/search?q=harbour&meta_material=paper&view=list" rel="nofollow" >Everything',
    );
    await read("/search?q=harbour&meta_material=paper&type=collection").catch(() => undefined);
    expect((await ask("/search?type=entity&meta_material=paper")).status).toBe(422);
  });

  it("sees tabs with correct counts, also when a subtype is chosen", async () => {
    const tabsOf = (page: string) =>
      [...unescaped(page).matchAll(/<li><a href="([^"]+)" rel="nofollow" [^>]*>[^<]+ <small>([\d,]+)</g)].map(
        ([, href, count]) => ({ href: href!, count: Number(count!.replace(",", "")) }),
      );
    for (const address of [
      "/search?q=harbour&object_type=photograph",
      "/search?object_type=photograph&type=object",
    ]) {
      const page = await read(address);
      const tabs = tabsOf(page);
      expect(tabs.length).toBeGreaterThan(2);
      expect(tabs[0]!.count).toBe(totalOf(page));
      for (const { href, count } of tabs) expect(totalOf(await read(href)), href).toBe(count);
    }
  });

  it("gets the page in their own language, with the labels of vocabulary terms", async () => {
    const german = await read("/search?type=object&meta_material=paper", "de");
    for (const words of ["Datensätze", "Material: <bdi>Papier</bdi>", "Suche eingrenzen", "1890er Jahre"])
      expect(german).toContain(words);
  });

  it("finds the records that are linked to another one, whose name is shown", async () => {
    const [collection] = (await (await museum.ask("/portal/v1/search?type=collection&q=photographs")).json())
      .items;
    const page = await read(`/search?rel_collection=${collection.id}`);
    expect(page).toContain(`<span><bdi>${collection.title}</bdi></span>`);
    const hidden = await keep("collection", { title: [{ value: "Hidden hoard" }] }, { status: "internal" });
    expect(await read(`/search?rel_collection=${hidden}`)).not.toContain("Hidden hoard");
  });

  it("sees objects first when they search for nothing, then the rest, each once", async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => read(`/search?page=${page}`)));
    const total = totalOf(pages[0]!);
    const found = pages.flatMap((page) =>
      [...page.matchAll(/<li class="p[^>]*><a href="\/(\w+)\/([\w-]{36})"/g)].map(([, kind, id]) => ({
        kind,
        id,
      })),
    );
    const objects = found.findLastIndex(({ kind }) => kind === "objects") + 1;
    expect(found.slice(0, objects).every(({ kind }) => kind === "objects")).toBe(true);
    expect(objects).toBe(totalOf(await read("/search?type=object")));
    expect(objects % 24).not.toBe(0);
    expect(new Set(found.map(({ id }) => id)).size).toBe(Math.min(total, 6 * 24));
  });

  it("can filter by collection status where records have more than one", async () => {
    const config = { ...museum.services.config, publicCollectionStatuses: ["active"] };
    const { app } = createApp({ ...museum.services, config });
    const present = await app.request("/search?type=object", { headers: { Accept: "text/html" } });
    expect(await present.text()).not.toContain("collection_status");
    const all = unescaped(await read("/search?type=object"));
    expect(all).toContain("<summary>Collection status</summary>");
    const [, to, count] =
      /<a href="([^"]*collection_status=on_loan_out)" rel="nofollow" ?><span dir="auto">On loan to others<\/span><\/a> <small>(\d+)/.exec(
        all,
      )!;
    const lent = unescaped(await read(to!));
    expect(totalOf(lent)).toBe(Number(count));
    expect(lent).toContain("Collection status: <bdi>On loan to others</bdi>");
    // other kinds of record have no such status
    expect(lent).toMatch(/href="\/search\?type=entity" rel="nofollow"/);
  });

  it("sees records with pictures first, and can ask for them only", async () => {
    const ids = (page: string) =>
      [...page.matchAll(/<li class="p[^>]*><a href="\/objects\/([\w-]{36})"/g)].map(([, id]) => id!);
    const editor = await museum.as("editor");
    const pictured = ids(await read("/search?type=object&sort_by=created_at&page=3")).slice(3, 5);
    for (const [index, id] of pictured.entries())
      expect((await send(editor, id, await jpeg(60 + index, 40), "a.jpg")).status).toBe(201);
    await drainOutbox(museum.services);
    const first = await read("/search?type=object");
    expect(ids(first).slice(0, 2)).toEqual(pictured);
    // many without one in a row have no place in the wall of pictures
    const wall = /<ol class="cards">([\s\S]*?)<\/ol><ol class="brief">/.exec(first)![1]!;
    expect(ids(wall)).toEqual(pictured);
    const [, to] =
      /<a href="([^"]*has_picture=true[^"]*)" rel="nofollow" ?><span dir="auto">With a picture/.exec(first)!;
    const only = await read(unescaped(to!));
    expect(ids(only)).toEqual(pictured);
    expect(only).toContain("<span>With a picture</span>");
    for (const odd of ["has_picture=true&has_picture=true", "has_picture=maybe", "sort_by=date&sort_dir=up"])
      await read(`/search?${odd}`);
    const [old, young] = [
      await read("/search?sort_by=date"),
      await read("/search?sort_by=date&sort_dir=desc"),
    ];
    expect(old).toMatch(/aria-current="true">oldest</);
    expect(young).toMatch(/aria-current="true">newest</);
    expect(ids(old)[0]).not.toBe(ids(young)[0]);
  });

  it("sees those without a picture after the others, but never where an order is chosen", async () => {
    const editor = await museum.as("editor");
    const own: string[] = [];
    for (const [index, title] of ["Quagga A", "Quagga B", "Quagga C", "Quagga D"].entries()) {
      own.push(await keep("object", { title: [{ value: title }] }));
      if (index % 2 === 0)
        expect((await send(editor, own[index]!, await jpeg(70 + index, 40), "q.jpg")).status).toBe(201);
    }
    await drainOutbox(museum.services);
    const order = (page: string) =>
      [...page.matchAll(/<li class="p[^>]*><a href="\/objects\/([\w-]{36})"/g)].map(([, id]) =>
        own.indexOf(id!),
      );
    expect(order(await read("/search?q=quagga&sort_by=title"))).toEqual([0, 1, 2, 3]);
    const best = order(await read("/search?q=quagga"));
    const first = best.findIndex((index) => index % 2 === 0);
    const after = best.slice(first).map((index) => index % 2);
    expect(best).toHaveLength(4);
    expect(after).toEqual(after.toSorted());
  });

  it("can filter by maker, where a workshop is another one than the master", async () => {
    const master = await keep("entity", { name: [{ value: "Filips Roelants" }] });
    for (const [title, metadata_] of [
      ["Mine", {}],
      ["Theirs", { qualifier: [{ value: "workshop_of" }] }],
      ["A hand", { qualifier_text: [{ value: "Hand, wohl, des", lang: "de" }] }],
    ] as const) {
      const id = await keep("object", { title: [{ value: title }] });
      await link(id, "created_by", "entity", master, metadata_ as Metadata);
    }
    await drainOutbox(museum.services);
    const page = await read("/search?q=roelants&type=object", "de");
    const values = [
      ...page.matchAll(/<a href="([^"]*[?;&]maker=[^"]*)" rel="nofollow" ?><span dir="auto">([^<]*)</g),
    ];
    const labels = values.map(([, , label]) => label);
    expect(labels.sort()).toEqual([
      "Filips Roelants",
      "Hand, wohl, des Filips Roelants",
      "Werkstatt von Filips Roelants",
    ]);
    for (const [, to, label] of values) {
      const narrowed = await read(unescaped(to!), "de");
      expect([label, /<h1 id="count">(\d+)/.exec(narrowed)![1]]).toEqual([label, "1"]);
      expect(narrowed).toContain(`Urheberschaft: <bdi>${label}</bdi>`);
    }
  });

  it("is helped when nothing is found or a word is misspelt", async () => {
    const nothing = await read("/search?q=xyzzyx&meta_material=paper&type=object");
    expect(nothing).toContain("Nothing was found for “\u2068xyzzyx\u2069”");
    expect(nothing).toContain(
      'href="/search?q=xyzzyx&amp;type=object" rel="nofollow">Search without the filters',
    );
    expect(await read("/search?q=habrour")).toMatch(
      /No results for “\u2068habrour\u2069”.*<a href="\/search\?q=harbour">harbour<\/a>/,
    );
  });

  it("says when it searches for the beginning of words instead", async () => {
    expect(await read("/search?q=harbo")).toMatch(
      /No results for “\u2068harbo\u2069”. Showing results with words that begin like this: <a href="\/search\?q=harbo\*">harbo\*<\/a>/,
    );
  });

  it("offers parts of a search that nothing matches as a whole, with the filters", async () => {
    const page = await read("/search?q=harbour+xyzzyx&type=object");
    expect(page).toMatch(/These parts of it have results:(?:(?!<\/ul>).)*harbour.*<\/ul>.*See everything/s);
    const [, address, words, count] =
      /<li><a href="(\/search\?[^"]+)" rel="nofollow">(.+?)<\/a> <small>(\d+) records?<\/small>/.exec(page)!;
    expect([address, words]).toEqual(["/search?q=harbour&amp;type=object", "harbour"]);
    expect(totalOf(await read("/search?q=harbour&type=object"))).toBe(Number(count));
    expect(await read("/search?q=xyzzyx+qqqqqq")).toContain("Check the spelling");
  });
});

describe("the search page and its suggestions", () => {
  it("suggest values with their field, both in the reader's language", async () => {
    const termsIn = async (language: string) => {
      const headers = { "Accept-Language": language };
      return (await (await museum.ask("/portal/v1/search/suggest?q=paper", { headers })).json()).terms;
    };
    const paper = { field: "material", value: "paper", count: expect.any(Number) };
    expect(await termsIn("de-AT")).toContainEqual({ ...paper, label: "Papier", field_label: "Material" });
    // a property that every JavaScript object has is not a label
    expect(await termsIn("toString")).toContainEqual({ ...paper, label: "paper", field_label: "Material" });
  });

  it("show nothing that is not public, neither records nor values to choose", async () => {
    const secret = `Kassiber${crypto.randomUUID().slice(0, 6)}`;
    const values = (own: string): Metadata => ({
      title: [{ value: `${secret} ${own}` }],
      material: [{ value: `${secret} material` }],
      creator_text: [{ value: `${secret} maker` }],
      date: [{ value: "0333" }],
    });
    await keep("object", values("draft"), { status: "draft" });
    await keep("object", values("returned"), { collection_status: "returned" } as Partial<Draft>);
    await keep("object", {
      title: [{ value: "Plain" }],
      insurance_value: [{ value: `${secret} 65,000` }],
      internal_note: [{ value: secret }],
    });
    await drainOutbox(museum.services);
    for (const path of [
      "/search",
      "/search?type=object&more=meta_material",
      "/search?view=list&sort_by=created_at",
    ])
      expect(await read(path)).not.toMatch(new RegExp(`${secret}|\\b4th century`, "i"));
    expect(totalOf(await read("/search?meta_date=03XX"))).toBe(0);
    const named = await read(`/search?q=${secret}&meta_material=${secret}+material`);
    expect(totalOf(named)).toBe(0);
    expect(await (await museum.ask(`/portal/v1/search/suggest?q=${secret}`)).json()).toEqual({
      records: [],
      terms: [],
    });
    expect((await ask("/search?meta_internal_note=x")).status).toBe(422);
    expect(await read("/search/advanced")).not.toMatch(/internal_note|insurance_value/);
  });

  it("find nothing by a deleted subtype or an unknown collection status, and offer to remove that filter", async () => {
    const old = "object_type=galleon&collection_status=sunk";
    for (const path of [`/search?${old}`, `/search/advanced?${old}`, `/search/advanced?${old}&find=1`])
      expect([200, 303], path).toContain((await ask(path)).status);
    const page = await read(`/search?${old}`);
    expect(page).toContain("galleon");
    expect(page).toContain('href="/search?object_type=galleon"');
  });

  it("show hostile values in records and addresses only as text", async () => {
    await keep("object", {
      title: [{ value: `Hostile ${HOSTILE}` }],
      material: [{ value: HOSTILE }],
      creator_text: [{ value: HOSTILE }],
      date: [{ value: "1933" }],
    });
    await drainOutbox(museum.services);
    const bad = encodeURIComponent(HOSTILE);
    for (const path of [
      "/search?q=hostile&type=object&more=meta_material",
      `/search?q=${bad}&meta_material=${bad}&clause=title:contains:${bad}&object_type=${bad}&view=list`,
      `/search/advanced?q=${bad}&field=title&op=is&value=${bad}&more=1`,
    ]) {
      const page = await read(path);
      expect(page).toContain("&lt;script&gt;alert(1)");
      expect(page).not.toMatch(/<script>alert|<img src=x/);
    }
  });
});

describe("the advanced search", () => {
  it("is a form that leads to a search whose conditions can be read and removed one by one", async () => {
    const fields =
      "field=title&op=contains&value=harbour&field=&op=is&value=x&field=date&op=between&value=1890-1930";
    const sent = await ask(`/search/advanced?q=&type=object&${fields}&match=any&find=1`);
    expect(sent.status).toBe(303);
    const to = sent.headers.get("Location")!;
    expect(decodeURIComponent(to)).toBe(
      "/search?type=object&clause=title:contains:harbour&clause=date:between:1890..1930&match=any",
    );
    const page = await read(to);
    expect(totalOf(page)).toBeGreaterThan(1);
    for (const words of [
      "Title contains <bdi>harbour</bdi>",
      "Date between <bdi>1890 and 1930</bdi>",
      "At least one of these conditions matches.",
    ])
      expect(page).toContain(words);
    for (const [language, words] of [
      ["de", "Datierung zwischen <bdi>1890 und 1930</bdi>"],
      ["fr", "Date entre <bdi>1890 et 1930</bdi>"],
      ["it", "Data tra <bdi>1890 e 1930</bdi>"],
      ["es", "Datación entre <bdi>1890 y 1930</bdi>"],
      ["nl", "Datering tussen <bdi>1890 en 1930</bdi>"],
    ])
      expect(await read(to, language)).toContain(words);
    const form = await read(to.replace("/search", "/search/advanced"));
    expect(form).toContain('name="value" value="1890..1930"');
    expect(form).toMatch(/<option value="between" selected>/);
  });

  it("says what is wrong, and keeps what was typed", async () => {
    const answer = await ask("/search/advanced?q=sea&field=date&op=before&value=soon&find=1");
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain('role="alert"');
    for (const kept of ['value="sea"', 'value="soon"']) expect(page).toContain(kept);
    for (const [language, words] of [
      ["en", "&quot;Date between 1900&quot;: &quot;between&quot; needs two values"],
      ["de", "„Datierung zwischen 1900“: „zwischen“ braucht zwei Werte"],
      ["es", "«Datación entre 1900»: «entre» necesita dos valores"],
    ] as const) {
      const one = "/search/advanced?field=date&op=between&value=1900&find=1";
      await answered(ask(one, language), 422, words);
    }
    const api = museum.ask("/portal/v1/search/advanced?clause=date:between:1900");
    await answered(api, 422, String.raw`\"date:between:1900\": \"between\" needs two values`);
    const range = "/search/advanced?field=title&op=before&value=1900&find=1";
    await answered(ask(range, "de"), 422, "Titel ist weder");
    expect((await read("/search/advanced?field=&field=&field=&more=1")).split('name="value"').length).toBe(7);
  });
});

describe("the page of results", () => {
  it("keeps crawlers away from endless links", async () => {
    const page = await read("/search?q=harbour&meta_material=paper");
    expect(page).toContain('<meta name="robots" content="noindex">');
    const links = [...page.matchAll(/<a [^>]*href="\/search\?[^>]*>/g)].map(([link]) => link);
    expect(links.length).toBeGreaterThan(20);
    const open = links.filter((link) =>
      /meta_|range_|sort_by|view=|_type=/.test(link.replace("meta_material=paper", "")),
    );
    expect(open.filter((link) => !link.includes("nofollow"))).toEqual([]);
    expect(await read("/search?q=harbour&page=2")).not.toContain("noindex");
  });

  it("is not sent again when nothing has changed", async () => {
    const first = await ask("/search?q=harbour");
    const headers = {
      Accept: "text/html",
      "Accept-Language": "en",
      "If-None-Match": first.headers.get("ETag")!,
    };
    expect((await museum.ask("/search?q=harbour", { headers })).status).toBe(304);
  });

  it("weighs at most 50 kB, and its styles and scripts 100 kB", async () => {
    const page = await read("/search?q=harbour&type=object");
    expect(new TextEncoder().encode(page).length).toBeLessThan(50_000);
    const assets = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(
      ([, path]) => path!,
    );
    expect(assets.length).toBeGreaterThan(2);
    const bytes = await Promise.all(
      assets.map(
        async (path) => gzipSync(new Uint8Array(await (await museum.ask(path)).arrayBuffer())).length,
      ),
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });
});

describe("what visitors find, as a file", () => {
  const rowsOf = async (query: string, language = "en") => {
    const answer = await museum.ask(`/portal/v1/search/export?format=csv&${query}`, {
      headers: { "Accept-Language": language },
    });
    expect([query, answer.status]).toEqual([query, 200]);
    const rows: string[][] = [];
    const text = await answer.text();
    for await (const batch of readCsv(
      (async function* () {
        yield text;
      })(),
    ))
      rows.push(...batch.map(({ cells }) => cells));
    return rows;
  };
  const idsIn = (rows: string[][]) => rows.slice(1).map((row) => row.at(-1)!.split("/").at(-1));

  it("has the records of the search in its order, in the reader's language, and nothing private", async () => {
    const query = "type=object&meta_material=paper&sort_by=title";
    const rows = await rowsOf(query, "de");
    const { items } = await (await museum.ask(`/portal/v1/search?${query}&page_size=100`)).json();
    expect(idsIn(rows)).toEqual(items.map(({ id }: { id: string }) => id));
    const [names, first] = rows as [string[], string[]];
    expect(names).toEqual(expect.arrayContaining(["Nummer", "Titel", "Material"]));
    expect(new Set(names).size).toBe(names.length);
    expect(first[names.indexOf("Material")]).toContain("Papier");
    const secret = { title: [{ value: "Open" }], internal_note: [{ value: "KESTREL" }] };
    const id = await keep("object", secret);
    const hidden = await keep("entity", { name: [{ value: "OSPREY" }] }, { status: "internal" });
    await link(id, "created_by", "entity", hidden);
    await drainOutbox(museum.services);
    const all = (await rowsOf("type=object")).flat().join("\n");
    expect(all).toContain(id);
    expect(all).not.toMatch(/KESTREL|OSPREY|MERLIN|HARRIER|PEREGRINE|GOSHAWK|WRYNECK/);
    expect((await rowsOf("type=entity&q=rennie")).length).toBeGreaterThan(2);
    for (const wrong of [
      "?format=xlsx",
      "?format=csv&type=nothing",
      "?format=csv&page=2",
      "?format=csv&meta_secret=1",
    ])
      expect([wrong, (await museum.ask(`/portal/v1/search/export${wrong}`)).status]).toEqual([wrong, 422]);
  });

  it("is a IIIF collection of the manifests of its objects", async () => {
    const editor = await museum.as("editor");
    const ids: string[] = [];
    for (const status of ["public", "public", "draft"] as const) {
      const id = await keep("object", { title: [{ value: `Quayside ${status}` }] }, { status });
      expect((await send(editor, id, await jpeg(30 + ids.length, 20), "q.jpg")).status).toBe(201);
      ids.push(id);
    }
    await keep("object", { title: [{ value: "Quayside without a picture" }] });
    await drainOutbox(museum.services);
    const path = "/iiif/presentation/3/search?q=quayside&sort_by=created_at&status=draft";
    const answer = await museum.ask(path);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    const collection = await answer.json();
    expect(collection).toMatchObject({ type: "Collection", label: { none: ["quayside"] } });
    expect(collection.id.endsWith(path)).toBe(true);
    expect(collection.items.map(({ id }: { id: string }) => id.split("/").at(-2))).toEqual([ids[1], ids[0]]);
    for (const { id } of collection.items) expect((await museum.ask(new URL(id).pathname)).status).toBe(200);
    for (const wrong of ["type=entity", "meta_secret=1", "page=2"])
      expect([wrong, (await museum.ask(`${path}&${wrong}`)).status]).toEqual([wrong, 422]);
    const page = unescaped(await read("/search?q=quayside"));
    for (const at of [
      "/portal/v1/search/export?q=quayside&type=object&format=csv",
      "/iiif/presentation/3/search?q=quayside&type=object",
    ])
      expect(page).toContain(`href="${at}"`);
  });
});
