/** The filters of staff lists: an address says them, a view keeps them, and nobody finds more by them than they may see. */
import { beforeAll, describe, expect, it } from "vitest";
import { linking, made, withRole } from "../support/museum/catalogue.ts";
import { numbersIn, staffBrowser } from "../support/museum/staff-browser.ts";
import { staffMuseumHere } from "../support/museum/staff-museum.ts";

const { museum, curator, api } = await staffMuseumHere();

const make = (plural: string, json: object) => made(api, plural, json);

const value = (text: string) => [{ value: text }];

const object = (idno: string, metadata: Record<string, { value: string }[]> = {}, more = {}) =>
  make("objects", {
    idno,
    object_type: "painting",
    metadata_: { title: value(`Ship ${idno}`), ...metadata },
    ...more,
  });

const link = linking(api);

const page = (query: string, browser = curator) => browser.text(`/admin/objects?${query}`);
const listed = async (query: string, browser = curator) =>
  numbersIn(await page(`sort=idno&dir=asc&${query}`, browser));

let maker: string;
beforeAll(async () => {
  const one = await object("F.1", {
    material: value("oil paint"),
    date: value("1887~"),
    rights: value("http://creativecommons.org/licenses/by/4.0/"),
  });
  const two = await object(
    "F.2",
    { material: value("oak"), date: value("1920"), creator_text: value("Somebody") },
    { collection_status: "on_loan_out", status: "public" },
  );
  await object("F.10", { internal_note: value("kept dry") });
  maker = await make("entities", { idno: "E.7", metadata_: { name: value("Vigdal, Ada") } });
  await make("entities", { idno: "E.8", metadata_: { name: value("Vigdal, Ole") } });
  const house = await make("storage-locations", { idno: "H", metadata_: { name: value("House") } });
  const room = await make("storage-locations", {
    idno: "H.1",
    parent_id: house,
    metadata_: { name: value("Room") },
  });
  await link(one, "created_by", "entity", maker);
  await link(two, "depicts", "entity", maker);
  await link(one, "stored_at", "storage_location", room);
  await link(two, "stored_at", "storage_location", house);
});

describe("the filters of a list", () => {
  it.each([
    ["a maker by name, not whom it shows", "maker=Vigdal, Ada", ["F.1"]],
    ["a maker by name and number", "maker=Vigdal, Ada (E.7)", ["F.1"]],
    ["a location with what is below it", "location=House", ["F.1", "F.2"]],
    ["a location by number", "location=H.1", ["F.1"]],
    ["a material, without regard to case", "meta_material=OAK", ["F.2"]],
    ["a term", "meta_material=oak", ["F.2"]],
    ["a part of a material", "meta_material=oil", ["F.1"]],
    [
      "a right by another form of its address",
      "meta_rights=https://creativecommons.org/licenses/by/4.0/deed.de",
      ["F.1"],
    ],
    ["a range of dates", "range_date_from=1880&range_date_to=1890", ["F.1"]],
    ["a range of dates in words", "range_date_from=um 1880&range_date_to=Ende 1890", ["F.1"]],
    ["a status of the collection", "collection_status=on_loan_out", ["F.2"]],
    ["what has no location", "without=location", ["F.10"]],
    ["what has no maker, linked or written", "without=maker", ["F.10"]],
    ["what has no rights", "without=rights", ["F.2", "F.10"]],
    ["what has no picture and no rights", "without=picture&without=rights", ["F.2", "F.10"]],
    ["words and filters together", "q=ship&location=House&without=rights", ["F.2"]],
    ["a part of a number and a filter", "q=F.1&meta_material=oil", ["F.1"]],
    ["nothing", "", ["F.1", "F.2", "F.10"]],
  ])("find %s", async (_, query, numbers) => {
    expect(await listed(query)).toEqual(numbers);
  });

  it("keep dates as they were typed, and name terms in the reader's language", async () => {
    expect(await page("range_date_from=um 1880")).toMatch(/<bdi>um 1880<\/bdi>[\s\S]*value="um 1880"/);
    const german = await staffBrowser(museum, "viewer", "de");
    for (const typed of ["oak", "Eichenholz"]) {
      const shown = await page(`meta_material=${typed}`, german);
      expect(numbersIn(shown)).toEqual(["F.2"]);
      expect(shown).toMatch(/<bdi>Eichenholz<\/bdi>[\s\S]*name="meta_material" value="Eichenholz"/);
      expect(shown).toContain("?meta_material=oak&amp;sort=");
    }
  });

  it("can be what the reader changed, and their drafts", async () => {
    expect(await listed("mine=yes")).toEqual([]);
    await curator.send("/admin/objects/new", {
      idno: "M.1",
      object_type: "painting",
      status: "draft",
      collection_status: "active",
      "metadata_/title/0/value": "Mine",
    });
    expect(await listed("mine=yes")).toEqual(["M.1"]);
    const shown = await page("");
    expect(shown).toContain('href="/admin/objects?status=draft&amp;mine=yes"');
    expect(await listed("status=draft&mine=yes")).toEqual(["M.1"]);
    expect(await listed("mine=yes", await staffBrowser(museum, "viewer"))).toEqual([]);
  });

  it("stand in the form and in every address of the list, and a view keeps them", async () => {
    const query = "maker=Vigdal%2C+Ada+%28E.7%29&meta_material=oil&without=picture";
    const shown = await page(query);
    expect(shown).toContain('name="maker" value="Vigdal, Ada (E.7)"');
    expect(shown).toContain('name="without" value="picture" checked');
    const used = /<details class="more-filters"><summary>(.*?)<\/summary>/.exec(shown)![1]!;
    expect(used.replaceAll(/<[^>]+>/g, "")).toBe(
      "More filters Maker: Vigdal, Ada (E.7)Material: oilWithout picture",
    );
    const escaped = query.replaceAll("&", "&amp;");
    expect(shown).toContain(`/admin/objects?${escaped}&amp;sort=idno&amp;dir=asc`);
    expect(shown).toContain(`/admin/objects/export?${escaped}&amp;format=csv`);
    await curator.send("/admin/objects/views", { name: "Oil by Ada", query });
    expect(await page("")).toMatch(
      new RegExp(`href="/admin/objects\\?${escaped.replaceAll("+", "\\+")}"[^>]*>Oil by Ada`),
    );
    const csv = await curator.text(`/admin/objects/export?format=ndjson&${query}`);
    expect(csv.trim().split("\n")).toHaveLength(1);
  });

  it("say what is wrong with them, and then find nothing", async () => {
    for (const [query, told] of [
      ["maker=Nobody", /Nothing is called “Nobody”/],
      ["maker=Vigdal", /Several records are called “Vigdal”/],
      ["range_date_from=soon", /soon/],
    ] as const) {
      const shown = await page(query);
      expect(shown).toMatch(told);
      expect(shown).not.toContain("Nothing was found");
      expect(numbersIn(shown)).toEqual([]);
    }
    for (const [query, told] of [
      ["subtype=daguerreotype", /cannot be filtered by “subtype”/],
      ["meta_sponsor=x", /cannot be filtered by “sponsor”/],
      ["range_sponsored_from=1900", /cannot be filtered by “sponsored”/],
      ["meta_material=oil&meta_material=oak", /“material” is there more than once/],
    ] as const) {
      const shown = await page(query);
      expect(shown).toMatch(told);
      expect(numbersIn(shown)).toEqual([]);
      // nor is all edited that was not meant
      expect((await curator.send("/admin/objects/bulk", { scope: "found", back: query })).status).toBe(422);
    }
    expect(numbersIn(await page("subtype=&meta_material=&meta_sponsor=")).length).toBeGreaterThan(0);
    const { search } = museum.services;
    const { find } = search;
    search.find = () => Promise.reject(new Error("away"));
    try {
      expect(await page("q=ship&meta_material=oil")).toContain(
        "so nothing can be filtered by fields and dates",
      );
      expect(await listed("q=ship&meta_material=oil")).toEqual([]);
      expect(await listed("location=House&without=rights")).toEqual(["F.2"]);
    } finally {
      search.find = find;
    }
  });

  it("do not count a maker that lies in the trash", async () => {
    const id = await object("T.1");
    const gone = await make("entities", { metadata_: { name: value("Gone") } });
    await link(id, "created_by", "entity", gone);
    expect(await listed("q=T.1&without=maker")).toEqual([]);
    await curator.send(`/admin/entities/${gone}/delete`, { force: "yes" });
    expect(await listed("q=T.1&without=maker")).toEqual(["T.1"]);
  });

  it("find by part of a name beyond the first thousand that have it, and say when there are more", async () => {
    const id = await object("Z.1", { title: value("Xylograph"), material: value("vellum") });
    await museum.services.sql`
      insert into records
      select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'idno', 'A.' || n, 'sort_idno', 'a ' || n))).*
      from records r, generate_series(1, 1000) n where r.id = ${id}`;
    expect(await listed("q=ylogr&meta_material=vellum")).toEqual(["Z.1"]);
    const all = await page("q=ylogr");
    expect(all).toContain("1,000 records");
    expect(all).toContain("This list has the 1,000 that fit best");
  });

  it("ask for a term as a whole, and say if not all records were looked through for parts of a value", async () => {
    const { search } = museum.services;
    const { find } = search;
    const ops: string[] = [];
    search.find = async (query) => {
      ops.push(...query.conditions.map(({ op }) => op));
      return { ...(await find.call(search, query)), isLeast: ops.includes("contains") };
    };
    try {
      expect(await page("meta_material=oak")).not.toContain("Too many records may match");
      expect(await page("meta_material=OAK")).toContain("Too many records may match");
      expect(ops).toEqual(["is", "contains"]);
    } finally {
      search.find = find;
    }
  });

  it("of other kinds are those that make sense there", async () => {
    const places = await curator.text("/admin/places");
    expect(places).toContain('name="mine"');
    expect(places).not.toContain('name="maker"');
    expect(places).not.toContain('value="picture"');
    expect((await curator.get("/admin/places?maker=Nobody&without=picture&meta_material=x")).status).toBe(
      200,
    );
  });
});

describe("who may read objects only", () => {
  it("learns nothing of makers and locations by filters", async () => {
    await withRole(museum, "objects_only", { object: ["read"] });
    const reader = await staffBrowser(museum, "objects_only");
    const shown = await page("", reader);
    expect(shown).not.toContain('name="maker"');
    expect(shown).not.toContain('name="location"');
    expect(shown).toContain('name="without" value="rights"');
    expect(shown).not.toContain('name="without" value="location"');
    expect(shown).not.toContain('name="without" value="maker"');
    expect(await listed("without=location", reader)).toEqual(await listed("", reader));
    expect(await listed("q=ship&without=maker", reader)).toContain("F.1");
    for (const query of [
      "maker=Vigdal, Ada",
      `maker=${maker}`,
      "location=House",
      "maker=Nobody",
      "location=H.1",
    ])
      expect([query, await listed(query, reader), (await page(query, reader)).includes("is called")]).toEqual(
        [query, [], false],
      );
  });
});
