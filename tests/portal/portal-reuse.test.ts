/** What else a record's page offers: similar records, a map, citation and downloads, and metadata for machines. */
import { describe, expect, it } from "vitest";
import { mayDownload, opennessOf } from "../../src/portal/record/rights.ts";
import { type Kind, kinds } from "../../src/records/kinds.ts";
import type { Metadata } from "../../src/records/record.ts";
import type { Draft } from "../../src/records/shape.ts";
import { inLong } from "../support/lane/lane.ts";
import { keeping } from "../support/museum/keeping.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";
import { scanned } from "../support/scanned.ts";

const HOSTILE = `</title></script><script>alert(1)</script>"'`;
const SECRET = "KEPT-BACK";
const PUBLIC_DOMAIN = "http://creativecommons.org/publicdomain/mark/1.0/";
const IN_COPYRIGHT = "http://rightsstatements.org/vocab/InC/1.0/";

const museum = await museumHere({ env: { ARK_ENABLED: "true", ARK_NAAN: "12345" } });
const admin = await museum.as("admin");

const { keep, link } = keeping(museum.services);

const object = (title: string, more: Metadata = {}, draft: Partial<Draft> = {}) =>
  keep("object", { title: [{ value: title }], ...more }, draft);

async function read(kind: Kind, id: string, headers: Record<string, string> = {}) {
  const path = `/${kinds[kind].plural}/${id}`;
  const answer = await museum.ask(path, { headers: { Accept: "text/html", ...headers } });
  return { status: answer.status, page: await answer.text(), headers: answer.headers };
}

/** The section of a page with this heading. */
const section = (page: string, heading: string): string =>
  new RegExp(`<section class="wall"><h2>${heading}[\\s\\S]*?</section>`).exec(page)?.[0] ?? "";

const plain = (html: string): string => html.replace(/<[^>]+>/g, "").trim();

/** What a page says about rights: of what, the name of each statement, and what it means. */
const statements = (page: string): string[][] =>
  [...page.matchAll(/<h3>([^<]*)<\/h3>\s*(<a class="rights .*?<\/a>)/gs)].map(([, of, badge]) => [
    of!,
    ...[.../<span>([^<]*)(?:<small>(.*?)<\/small>)?<\/span><\/a>/.exec(badge!)!].slice(1).filter(Boolean),
  ]);

inLong(describe)("A maker's page", () => {
  it("shows the first two dozen works, and leads to all of them", async () => {
    const maker = await keep("entity", { name: [{ value: "Carsten Voß" }] }, { subtype: "person" });
    for (let n = 0; n < 26; n++) {
      const draft = n === 3 ? { status: "draft" as const } : {};
      await link(
        await object(`${n === 3 ? SECRET : "Sheet"} ${n}`, {}, draft),
        "created_by",
        "entity",
        maker,
      );
    }
    const { page } = await read("entity", maker);
    const works = section(page, "works");
    expect(works.match(/<li/g)).toHaveLength(24);
    expect(works).toContain("Sheet 0<");
    expect(works).not.toContain("Sheet 25<");
    expect(works).toContain(`href="/search?type=object&amp;rel_entity=${maker}"`);
    expect(page).not.toContain(SECRET);
  });
});

describe("A collection's page", () => {
  it("shows the collections below, each with a public picture from it", async () => {
    const [top, below, empty] = [
      await keep("collection", { title: [{ value: "All" }] }),
      await keep("collection", { title: [{ value: "Photographs" }] }),
      await keep("collection", { title: [{ value: "Sketches" }] }),
    ];
    const inside = await keep("collection", { title: [{ value: "Glass plates" }] }, { parent_id: below });
    await museum.services.sql`update records set parent_id = ${top} where id = any(${[below, empty]})`;
    const [draft, shown, hidden] = [
      await object(SECRET, {}, { status: "draft" }),
      await object("Plate 1"),
      await object("Sketch"),
    ];
    await link(draft, "in_collection", "collection", inside);
    await link(shown, "in_collection", "collection", inside);
    await link(hidden, "in_collection", "collection", empty);
    const pictures: string[] = [];
    for (const [id, visibility] of [
      [draft, "public"],
      [shown, "public"],
      [hidden, "private"],
    ] as const) {
      const sent = await send(admin, id, await jpeg(60, 40), `${id}.jpg`, { visibility });
      pictures.push(((await sent.json()) as { media_id: string }).media_id);
    }
    const { page } = await read("collection", top);
    expect(section(page, "Collections")).toContain(`/iiif/3/${pictures[1]}/`);
    expect(page).not.toContain(pictures[0]);
    expect(page).not.toContain(pictures[2]);
  });
});

describe("An object's page", () => {
  it("shows other public works of the maker and of the collection, each once", async () => {
    const maker = await keep("entity", { name: [{ value: "Amélie Delaunoy" }] }, { subtype: "person" });
    const collection = await keep("collection", { title: [{ value: "Pottery" }] });
    const [before, here, after, inCollection, draft] = [
      await object("Before"),
      await object("Here"),
      await object("After"),
      await object("Of the collection"),
      await object(SECRET, {}, { status: "draft" }),
    ];
    for (const id of [before, here, after, draft]) await link(id, "created_by", "entity", maker);
    for (const id of [here, after, inCollection, draft])
      await link(id, "in_collection", "collection", collection);
    const { page } = await read("object", here);
    const also = section(page, "Also by");
    expect(also).toContain("Amélie Delaunoy");
    expect(also.match(/objects\/[\w-]+/g)).toEqual([`objects/${after}`, `objects/${before}`]);
    expect(section(page, "Also in").match(/objects\/[\w-]+/g)).toEqual([`objects/${inCollection}`]);
    expect(page).not.toContain(SECRET);
  });

  it("shows those with a picture that visitors see first", async () => {
    const maker = await keep("entity", { name: [{ value: "Amélie Delaunoy" }] }, { subtype: "person" });
    const all: string[] = [];
    for (let n = 0; n < 12; n++) all.push(await object(`Vase ${n}`));
    for (const id of all) await link(id, "created_by", "entity", maker);
    for (const [at, visibility] of [
      [1, "public"],
      [5, "private"],
      [11, "public"],
    ] as const)
      await send(admin, all[at]!, await jpeg(60, 40), `${at}.jpg`, { visibility });
    const { page } = await read("object", all[2]!);
    const shown = section(page, "Also by").match(/objects\/[\w-]+/g);
    expect(shown).toEqual([11, 1, 3, 4, 5, 6].map((at) => `objects/${all[at]}`));
  });

  it("names neither a maker who is not public nor their other works", async () => {
    const maker = await keep(
      "entity",
      { name: [{ value: SECRET }] },
      { subtype: "person", status: "internal" },
    );
    const [one, other] = [await object("One"), await object("Other")];
    for (const id of [one, other]) await link(id, "created_by", "entity", maker);
    const { page } = await read("object", one);
    expect(page).not.toContain(SECRET);
    expect(page).not.toContain(other);
  });

  it("gives its citation with the museum's name and its persistent address", async () => {
    const id = await object("Evening", {
      ...{ date: [{ value: "1887~" }], creator_text: [{ value: "Voß" }] },
      accession_number: [{ value: "1926.4" }],
    });
    await admin("/v1/settings", { method: "PATCH", json: { name: { en: "Harbour Museum" } } });
    const { page } = await read("object", id);
    const [, cited] = /<p id="citation" class="cited">([\s\S]*?)<\/p>/.exec(page)!;
    expect(cited!.replace(/<[^>]+>/g, "")).toMatch(
      /^Voß\. Evening, about 1887\. Harbour Museum, 1926\.4\. http:\/\/127\.0\.0\.1:8000\/ark:\/12345\/\w+$/,
    );
    // on paper, the address is also a code
    expect(scanned(page)).toEqual([/href="([^"]+)"/.exec(cited!)![1]]);
    await admin("/v1/settings", { method: "PATCH", json: { name: null } });
  });

  it("ends each sentence of its citation once", async () => {
    const name = "Meissen & Co.";
    const id = await object("Urn", { date: [{ value: "-0149/-0049" }], creator_text: [{ value: name }] });
    const titled = await object("Quo vadis?");
    const cited = async (of: string, language: string) => {
      const { page } = await read("object", of, { "Accept-Language": language });
      return /<p id="citation" class="cited">([\s\S]*?)<\/p>/.exec(page)![1]!.replace(/<[^>]+>/g, "");
    };
    expect(await cited(id, "de")).toMatch(/^Meissen &amp; Co\. Urn, 150–50 v\. Chr\. \p{L}/u);
    expect(await cited(id, "en")).toMatch(/^Meissen &amp; Co\. Urn, 150–50 BC\. \p{L}/u);
    expect(await cited(titled, "en")).toMatch(/^Quo vadis\? \p{L}/u);
  });

  it("offers downloads of pictures whose rights permit it, and only shows others", async () => {
    const free = await object("Free", { rights: [{ value: PUBLIC_DOMAIN }] });
    expect((await send(admin, free, await jpeg(2_000, 1_000), "a.jpg")).status).toBe(201);
    const { page } = await read("object", free);
    for (const width of [800, 1_600])
      expect(page).toContain(`/full/${width},${width / 2}/0/default.jpg" download="`);
    expect(page).toContain("2000 × 1000");
    expect(statements(page)).toEqual([["Object and pictures", "Public Domain Mark 1.0", "No copyright"]]);

    // the rights of the picture take precedence over those of the record
    const bound = await object("Bound", { rights: [{ value: PUBLIC_DOMAIN }] });
    await send(admin, bound, await jpeg(40, 30), "b.jpg", {
      license_uri: IN_COPYRIGHT,
      rights_holder: HOSTILE,
    });
    const kept = await read("object", bound);
    expect(kept.page).not.toContain("download=");
    expect(kept.page).toContain("Ask the museum about any other use.");
    expect(statements(kept.page)).toEqual([
      ["The object", "Public Domain Mark 1.0", "No copyright"],
      ["The pictures", "In Copyright"],
    ]);
    expect(kept.page).not.toContain("<script>alert");
  });

  it("never calls a picture free of what it shows, and names a licence once, except where pictures differ", async () => {
    const CC0 = "http://creativecommons.org/publicdomain/zero/1.0/";
    const id = await object("Poster", { rights: [{ value: IN_COPYRIGHT }, { value: "Ask the estate" }] });
    const lent = { license_uri: CC0, rights_holder: "J. Beck" };
    for (const fields of [lent, lent, { rights_holder: "M. Roth" }])
      await send(admin, id, await jpeg(44, 30), "poster.jpg", fields as Record<string, string>);
    const { page } = await read("object", id);
    expect(statements(page)).toEqual([
      ["The object", "In Copyright"],
      [
        "The pictures (unless noted otherwise)",
        "CC0 1.0 Universal",
        "The photograph only, not what it shows",
      ],
    ]);
    expect(page).toContain("Ask the estate");
    expect(page).not.toContain("download=");
    const captions = [...page.matchAll(/<figcaption>(.*?)<\/figcaption>/gs)].map(([, said]) => plain(said!));
    expect(captions).toEqual(["© J. Beck", "© M. Roth In Copyright"]);
    expect(page.split(`href="${CC0}"`)).toHaveLength(2);
    const lens = await object("Lens", { rights: [{ value: IN_COPYRIGHT }] });
    await send(admin, lens, Buffer.from("glTF\x02\0\0\0"), "lens.glb", { license_uri: CC0 });
    expect(statements((await read("object", lens)).page)).toEqual([
      ["The object", "In Copyright"],
      ["The files", "CC0 1.0 Universal", "The file only, not the work in it"],
    ]);
  });

  it("links to the viewer that the museum chose, or to none", async () => {
    const id = await object("Seen", { rights: [{ value: PUBLIC_DOMAIN }] });
    await send(admin, id, await jpeg(41, 30), "c.jpg");
    const manifest = `http://127.0.0.1:8000/iiif/presentation/3/objects/${id}/manifest`;
    const viewer = (url: string | null) =>
      admin("/v1/settings", { method: "PATCH", json: { viewer_url: url } });
    expect((await read("object", id)).page).toContain(
      `href="https://projectmirador.org/embed/?iiif-content=${encodeURIComponent(manifest)}"`,
    );
    await viewer("https://viewer.example/#{manifest}");
    expect((await read("object", id)).page).toContain(
      `href="https://viewer.example/#${encodeURIComponent(manifest)}" rel="noopener">Open in the viewer`,
    );
    await viewer("");
    const { page } = await read("object", id);
    expect(page).not.toContain("Open in the viewer");
    expect(page).toContain(`href="${manifest}"`);
    await viewer(null);
  });

  it("is not sent again while it is the same, including its scripts", async () => {
    const id = await object("Unchanged");
    await send(admin, id, await jpeg(42, 30), "d.jpg");
    const { page, headers } = await read("object", id);
    expect(page).toContain("<script");
    expect((await read("object", id, { "If-None-Match": headers.get("ETag")! })).status).toBe(304);
    expect(headers.get("Cache-Control")).toBe("public, max-age=60");
  });

  it("links its values to a search for other records with the same value", async () => {
    const id = await object("Jug", { material: [{ value: "salt & clay" }] });
    expect((await read("object", id)).page).toContain(
      'href="/search?type=object&amp;meta_material=salt+%26+clay" rel="nofollow"',
    );
  });
});

describe("A place's page", () => {
  it.each([
    [
      54.7725,
      9.812,
      "54.7725° N, 9.812° E",
      "de",
      "54,7725° N, 9,812° O",
      '<circle class="point" cx="9.812" cy="-54.7725"',
    ],
    [-17.5, -175, "17.5° S, 175° W", "fr", "17,5° S, 175° O", '<circle class="point" cx="185" cy="17.5"'],
  ])(
    "shows %d, %d on a map without asking another server",
    async (lat, lon, english, language, other, point) => {
      const id = await keep("place", { name: [{ value: HOSTILE }] }, { lat, lon });
      const { page, headers } = await read("place", id);
      expect(page).toContain(english);
      expect(page).toContain(point);
      expect(page).not.toContain("<script>alert");
      expect(headers.get("Content-Security-Policy")).toContain("img-src 'self' data:;");
      expect((await read("place", id, { "Accept-Language": language })).page).toContain(other);
    },
  );
});

describe("For machines, a record's page", () => {
  it("gives identifier, licence and descriptions in its headers (Signposting)", async () => {
    const maker = await keep("entity", { name: [{ value: "Noor Haddad" }] }, { subtype: "person" });
    const collection = await keep("collection", { title: [{ value: "Prints" }] });
    const id = await object("Sheet", { rights: [{ value: PUBLIC_DOMAIN }] });
    await link(id, "created_by", "entity", maker);
    await link(id, "in_collection", "collection", collection);
    const { headers } = await read("object", id);
    const home = "http://127.0.0.1:8000";
    const links = headers.get("Link")!.split(", ");
    expect(links[0]).toMatch(/^<http:\/\/127\.0\.0\.1:8000\/ark:\/12345\/\w+>; rel="cite-as"$/);
    expect(links.slice(1)).toEqual([
      '<https://schema.org/AboutPage>; rel="type"',
      `<${home}/entities/${maker}>; rel="author"`,
      `<${PUBLIC_DOMAIN}>; rel="license"`,
      `<${home}/collections/${collection}>; rel="collection"`,
      `<${home}/api/v1/objects/${id}>; rel="describedby"; type="application/json"`,
      `<${home}/api/v1/objects/${id}/export?format=jsonld>; rel="describedby"; type="application/ld+json"`,
      `<${home}/api/v1/objects/${id}/export?format=turtle>; rel="describedby"; type="text/turtle"`,
      `<${home}/api/v1/objects/${id}/export?format=dc>; rel="describedby"; type="application/xml"`,
      `<${home}/api/v1/objects/${id}/export?format=lido>; rel="describedby"; type="application/xml"`,
      `<${home}/api/v1/objects/${id}/export?format=edm>; rel="describedby"; type="application/xml"`,
    ]);
    for (const address of links.slice(4).map((each) => /<([^>]+)>/.exec(each)![1]!))
      expect((await museum.ask(address)).status).toBe(200);
  });

  it("is under the same rights as for people: the strictest, and the museum's own", async () => {
    const own = "https://museum.example/terms";
    const values = ["https://creativecommons.org/licenses/by/4.0/", IN_COPYRIGHT, own, "Ask the estate"];
    const id = await object("Bound", { rights: values.map((value) => ({ value })) });
    const { page, headers } = await read("object", id);
    const licences = [...headers.get("Link")!.matchAll(/<([^>]*)>; rel="license"/g)].map(([, to]) => to);
    expect(licences).toEqual([IN_COPYRIGHT, own]);
    const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)!;
    expect(JSON.parse(data!).license).toEqual(licences);
  });

  it("describes itself with schema.org and Open Graph", async () => {
    const maker = await keep("entity", { name: [{ value: "Søren Øbro" }] }, { subtype: "person" });
    const id = await object("The Flood", {
      description: [{ value: "Water in the streets." }],
      date: [{ value: "1872" }],
      material: [{ value: "oil paint" }, { value: "canvas" }],
      rights: [{ value: PUBLIC_DOMAIN }],
      internal_note: [{ value: SECRET }],
    });
    await link(id, "created_by", "entity", maker);
    await send(admin, id, await jpeg(2_400, 1_200), "flood.jpg");
    const { page } = await read("object", id);
    const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)!;
    expect(JSON.parse(data!)).toMatchObject({
      "@context": "https://schema.org",
      "@type": "VisualArtwork",
      creator: { "@type": "Person", name: "Søren Øbro", "@id": `http://127.0.0.1:8000/entities/${maker}` },
      dateCreated: "1872",
      material: ["oil paint", "canvas"],
      license: PUBLIC_DOMAIN,
      image: expect.stringMatching(/\/full\/1200,600\/0\/default\.jpg$/),
      provider: { "@type": ["Museum", "Organization"], name: "Collections catalogue" },
    });
    expect(page).toContain('<meta property="og:image:width" content="1200">');
    expect(page).toContain('<meta name="description" content="Water in the streets.">');
    expect(page).not.toContain(SECRET);
  });

  it("gives search engines a season in words, and as no date of ISO 8601", async () => {
    for (const [date, said] of [
      ["1890-23", { temporal: "autumn 1890" }],
      ["1890-12", { dateCreated: "1890-12" }],
    ] as const) {
      const { page } = await read("object", await object("Sheaf", { date: [{ value: date }] }));
      const { dateCreated, temporal } = JSON.parse(
        /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!,
      );
      expect({ dateCreated, temporal }).toEqual(said);
    }
  });

  it("links its versions in each language", async () => {
    const id = await object("Words");
    const address = `http://127.0.0.1:8000/objects/${id}`;
    const { page } = await read("object", id);
    expect(page).toContain(`<link rel="canonical" href="${address}">`);
    expect(page).toContain(`<link rel="alternate" hreflang="fr" href="${address}?lang=fr">`);
    const german = await museum.ask(`/objects/${id}?lang=de`, { headers: { Accept: "text/html" } });
    expect(await german.text()).toContain(`<link rel="canonical" href="${address}?lang=de">`);
  });
});

describe("Rights", () => {
  it.each([
    [PUBLIC_DOMAIN, "free", true],
    ["https://creativecommons.org/licenses/by-nc-nd/3.0/de/", "licensed", true],
    [IN_COPYRIGHT, "protected", false],
    ["http://rightsstatements.org/page/InC-EDU/1.0/?language=de", "protected", true],
    ["http://rightsstatements.org/vocab/NoC-CR/1.0/", "free", false],
    ["http://rightsstatements.org/vocab/UND/1.0/", "unclear", false],
    ["https://museum.example/terms", "unclear", false],
    ["https://creativecommons.org.evil.example/licenses/by/4.0/", "unclear", false],
  ])("at %s are %s", (address, openness, taken) => {
    expect([opennessOf(address), mayDownload(address)]).toEqual([openness, taken]);
  });
});
