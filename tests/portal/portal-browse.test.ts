/** Browsing by fields, names, collections and times: each count equals what the search finds. */
import { beforeAll, describe, expect, it } from "vitest";
import { byLetter, letterOf } from "../../src/portal/letters.ts";
import type { Kind } from "../../src/records/kinds.ts";
import type { Metadata } from "../../src/records/record.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import { keeping } from "../support/museum/keeping.ts";
import { museumHere } from "../support/museum/museum.ts";

const HOSTILE = `"><script>alert(1)</script>`;
const SECRET = `Kassiber${crypto.randomUUID().slice(0, 6)}`;

const museum = await museumHere({ demo: true });
const writing = keeping(museum.services);
beforeAll(async () => {
  const hidden = await keep("collection", `${SECRET} hoard`, {}, { status: "internal" });
  await keep("collection", "Below the hidden", {}, { parent_id: hidden });
  const painter = await keep("entity", `Painter ${HOSTILE}`);
  await keep("entity", `${SECRET} lender`, {}, { status: "draft" });
  for (const [name, entity_type] of [
    ["Zabel, Zita", "person"],
    ["Lucas Zabel the Elder", "person"],
    ["Anna Zabel", "person"],
    ["Pieter Zabel de Oude", "person"],
    ["Maestro della Zabel", "person"],
    ["Zabel & Sons", "organisation"],
  ] as const)
    await keep("entity", name, {}, { subtype: entity_type });
  // as an import makes them that knows no types
  await keep("entity", "Otto Zabel", { death_date: [{ value: "1931" }] });
  await keep("entity", "Clara Zabel");
  for (const [title, more] of [
    ["seen", {}],
    ["draft", { status: "draft" }],
    ["returned", { collection_status: "returned" }],
  ] as const) {
    const isSeen = title === "seen";
    const material = [{ value: isSeen ? HOSTILE : `${SECRET} material` }];
    const id = await keep(
      "object",
      `${isSeen ? "Plain" : SECRET} ${title}`,
      { material, date: [{ value: "0333" }] },
      more,
    );
    for (const [relation_type, to_type, to_id] of [
      ["created_by", "entity", painter],
      ["in_collection", "collection", museum.demo.get("col-archaeology") ?? hidden],
    ] as const)
      await writing.link(id, relation_type, to_type, to_id);
  }
  await drainOutbox(museum.services);
});

function keep(kind: Kind, name: string, metadata: Metadata = {}, more: object = {}): Promise<string> {
  const named = { [kind === "entity" ? "name" : "title"]: [{ value: name }], ...metadata };
  return writing.keep(kind, named, more);
}

async function read(path: string, language = "en"): Promise<string> {
  const answer = await museum.ask(path, { headers: { Accept: "text/html", "Accept-Language": language } });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

const unescaped = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

/** The number of records that the search finds at the address of a link. */
async function foundAt(address: string): Promise<number> {
  const query = new URL(unescaped(address), "http://x").searchParams;
  return (await (await museum.ask(`/portal/v1/search?${query}`)).json()).total;
}

describe("long lists of values", () => {
  it("are grouped by the letters of the language, digits first", () => {
    const items = ["Zinn", "Öl", "oak", "16 mm film", "Éclair", "Ebony"].map((label) => ({ label }));
    expect(
      byLetter("de", items).map(({ letter, items: own }) => [letter, own.map(({ label }) => label)]),
    ).toEqual([
      ["#", ["16 mm film"]],
      ["E", ["Ebony", "Éclair"]],
      ["O", ["oak", "Öl"]],
      ["Z", ["Zinn"]],
    ]);
    expect(letterOf("…")).toBe("#");
  });

  inLong(it)("have a page for each letter when there are more than 300 values", async () => {
    for (let at = 0; at < 301; at++)
      await keep("object", `Wood ${at}`, { technique: [{ value: `${at % 2 ? "b" : "a"}technique ${at}` }] });
    await drainOutbox(museum.services);
    const first = await read("/browse/technique");
    expect(first).toContain('<a href="/browse/technique?letter=B" >B</a>');
    expect(first).not.toContain("btechnique 1<");
    const second = await read("/browse/technique?letter=B");
    expect(second).toContain("btechnique 1<");
    expect(second).toMatch(/letter=B" aria-current="true"/);
  });
});

describe("a visitor browses", () => {
  it("by facet fields, with counts that match the search", async () => {
    const page = await read("/browse");
    for (const path of [
      "/browse/entities",
      "/browse/places",
      "/browse/material",
      "/browse/style_period",
      "/collections",
      "/timeline",
    ])
      expect(page).toContain(`href="${path}"`);
    const materials = await read("/browse/material", "de");
    expect(materials).toContain(">Papier</span></a>");
    const links = [
      ...materials.matchAll(
        /<li><a href="([^"]+)" rel="nofollow"><span dir="auto">[^<]*<\/span><\/a> <small>(\d+)</g,
      ),
    ];
    expect(links.length).toBeGreaterThan(10);
    for (const [, address, count] of links.filter((_, index) => index % 5 === 0))
      expect([address, await foundAt(address!)]).toEqual([address, Number(count)]);
  });

  it("by the names of people, with the number of their objects", async () => {
    const page = await read("/browse/entities");
    const counts = [...page.matchAll(/class="count" href="([^"]+)" rel="nofollow">(\d+) objects?/g)];
    expect(counts.length).toBeGreaterThan(10);
    for (const [, address, count] of counts)
      expect([address, await foundAt(address!)]).toEqual([address, Number(count)]);
    const names = [...page.matchAll(/<li><a href="\/entities\/[^"]+"><bdi[^>]*>([^<]+)</g)].map(
      ([, name]) => name!,
    );
    expect(names.length).toBeGreaterThan(10);
    // people by family name, organisations by their whole name
    expect(names.filter((name) => name.includes("Zabel"))).toEqual([
      ...["Clara Zabel", "Maestro della Zabel", "Anna Zabel", "Lucas Zabel the Elder", "Otto Zabel"],
      ...["Pieter Zabel de Oude", "Zabel &amp; Sons", "Zabel, Zita"],
    ]);
    expect(page.match(/<h2>Z<\/h2>/g)).toHaveLength(1);
    expect((await museum.ask("/browse/nothing", { headers: { Accept: "text/html" } })).status).toBe(404);
    expect((await museum.ask("/browse/internal_note", { headers: { Accept: "text/html" } })).status).toBe(
      404,
    );
    await read("/browse/places?letter=%25&page=99999");
  });

  it("through the tree of collections, each with the objects in and below it", async () => {
    const page = await read("/collections");
    const branches = [
      ...page.matchAll(/href="\/collections\/([\da-f-]{36})"(?:(?!href=)[\s\S])*?<small>(\d+) objects?/g),
    ];
    expect(branches.length).toBeGreaterThan(8);
    for (const [, id, count] of branches)
      expect([id, await foundAt(`/search?type=object&rel_collection=${id}`)]).toEqual([id, Number(count)]);
    // a collection below a hidden one is shown, but not the hidden one
    expect(page).toContain("Below the hidden");
  });

  it("from centuries to decades", async () => {
    const page = await read("/timeline");
    const bars = [
      ...page.matchAll(
        /<a href="(\/timeline\?century=[^"]+)" rel="nofollow" +aria-label="[^:]+: (\d+) records?"/g,
      ),
    ];
    expect(bars.length).toBeGreaterThan(4);
    const [, deeper] = bars.at(-2)!;
    const decades = [
      ...(await read(deeper!)).matchAll(
        /<a href="(\/search[^"]+)" rel="nofollow" +aria-label="[^:]+: (\d+) records?"/g,
      ),
    ];
    expect(decades.length).toBeGreaterThan(2);
    for (const [, address, count] of decades)
      expect([address, await foundAt(address!)]).toEqual([address, Number(count)]);
    await read("/timeline?century=x");
  });

  inLong(it)("and sees nothing that is not public, and hostile values only as text", async () => {
    for (const path of [
      "/browse",
      "/browse/material",
      "/browse/entities",
      "/collections",
      "/timeline",
      "/timeline?century=03XX",
    ]) {
      const page = await read(path);
      expect(page).not.toMatch(new RegExp(`${SECRET}|<script>alert`));
    }
    expect(await read("/browse/entities")).toContain("Painter &quot;&gt;&lt;script&gt;");
    expect(await read("/timeline?century=03XX")).toMatch(/330s: 1 record"/);
  });
});
