/** Searches by other things than words: ranges, links, clauses, sorting, decades, terms with narrower terms. */
import { beforeAll, describe, expect, it } from "vitest";
import { hasWords } from "../../src/adapters/search/snapshot/value-conditions.ts";
import { buckets } from "../../src/search/buckets.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import {
  createObject,
  english,
  type Found,
  faults,
  linking,
  type ProblemJson,
  posted,
  read,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

describe("a date is counted", () => {
  it.each([
    ["in its decade", 1938, 1938, ["193X"], ["19XX"]],
    ["in each that it touches", 1899, 1901, ["189X", "190X"], ["18XX", "19XX"]],
    [
      "by century alone when it is vague",
      1900,
      1999,
      ["190X", "191X", "192X", "193X", "194X", "195X", "196X", "197X", "198X", "199X"],
      ["19XX"],
    ],
    ["by century alone when it is vaguer", 1900, 2000, [], ["19XX", "20XX"]],
    ["nowhere when it may be any", -9000, 2000, [], []],
    ["before our era", -44, -44, ["-004X"], ["-00XX"]],
    ["in early years", 79, 79, ["007X"], ["00XX"]],
    ["in the year 1 BC", 0, 0, ["-000X"], ["-00XX"]],
    ["from before our era into it", -5, 5, ["-000X", "000X"], ["-00XX", "00XX"]],
  ])("%s", (_, first, last, decades, centuries) => {
    expect(buckets(first, last)).toEqual({ decades, centuries });
  });
});

describe("words of a value", () => {
  const value = ["boats", "in", "the", "old", "harbour"];
  it.each([
    ["contains", ["old", "harbour"], true],
    ["contains", ["harbour", "old"], false],
    ["contains", ["boat"], false],
    ["starts", ["boats", "in"], true],
    ["starts", ["boa"], true],
    ["starts", ["boats", "i"], true],
    ["starts", ["in"], false],
    ["starts", ["boats", "in", "the", "old", "harbour", "town"], false],
  ] as const)("%s %j: %s", (op, words, is) => {
    expect(hasWords(value, words, op)).toBe(is);
  });
});

describe.each(databases)("asked in the %s database", async (database) => {
  const made: Record<string, string> = {};

  const search = (query: string, ask: Ask = museum.ask) => read<Found>(ask(`/v1/search?${query}`));
  const advanced = (clauses: string[], more = "") =>
    read<Found>(
      museum.ask(
        `/portal/v1/search/advanced?page_size=100&${clauses.map((clause) => `clause=${encodeURIComponent(clause)}`).join("&")}${more}`,
      ),
    );
  /** Names of those of ours that were found. */
  const ours = ({ items }: Found) =>
    Object.keys(made).filter((name) => items.some(({ id }) => id === made[name]));

  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const admin = await museum.as("admin");
  beforeAll(async () => {
    const objects: Record<string, Record<string, unknown>> = {
      lamp: {
        date: [{ value: "1938" }],
        material: [{ value: "brass" }],
        description: english("A storm lamp, polished"),
      },
      chest: {
        date: [{ value: "1890/1910" }],
        material: [{ value: "oak" }],
        description: english("Polished lamp oak"),
      },
      flag: { date: [{ value: "192X" }], material: [{ value: "linen" }] },
      stone: { material: [{ value: "granite" }] },
    };
    for (const [name, metadata_] of Object.entries(objects)) {
      const { id } = await createObject(editor, `The ${name}`, {
        status: "public",
        metadata_,
      });
      made[name] = id;
    }
  });

  describe("ranges", () => {
    it.each([
      ["range_date_from=1930&range_date_to=1940", ["lamp"]],
      ["range_date_from=1900", ["lamp", "chest", "flag"]],
      ["range_date_to=1920", ["chest", "flag"]],
      ["range_date_from=1911&range_date_to=1919", []],
      ["range_date_from=1938-12-31&range_date_to=1938-12-31", ["lamp"]],
      ["range_date_from=1939", []],
    ])("%s", async (query, names) => {
      expect(ours(await search(`${query}&page_size=100`))).toEqual(names);
    });

    it.each([
      ["range_date_from=1940&range_date_to=1930", "query:range_date_from"],
      ["range_date_from=yesterday", "query:range_date_from"],
      ["range_date_from=XXXX", "query:range_date_from"],
      ["range_date_to=XXXX-XX", "query:range_date_to"],
      ["range_title_from=1", "query:range_title_from"],
      ["range_nothing_to=1", "query:range_nothing_to"],
      ["range_date_from=1&range_date_from=2", "query:range_date_from"],
    ])("%s is refused", async (query, pointer) => {
      expect(await faults(museum.ask(`/v1/search?${query}`))).toEqual([pointer]);
    });
  });

  describe("dates", () => {
    it("are counted by decade and by century, and found by them", async () => {
      const found = await search("facets=date,date.century&page_size=100");
      expect(found.facets.date).toEqual(
        expect.arrayContaining([
          { value: "192X", count: 1 },
          { value: "193X", count: 1 },
          { value: "189X", count: 1 },
        ]),
      );
      expect(found.facets["date.century"]).toEqual([
        { value: "19XX", count: 3 },
        { value: "18XX", count: 1 },
      ]);
      expect(ours(await search("meta_date=193X"))).toEqual(["lamp"]);
      expect(ours(await search("meta_date=18XX"))).toEqual(["chest"]);
      expect(ours(await search("meta_date=18XX&meta_date=1938"))).toEqual(["lamp", "chest"]);
      for (const { value, count } of found.facets.date!)
        expect([value, (await search(`meta_date=${value}`)).total]).toEqual([value, count]);
    });

    it("have no other parts, and nothing else has them", async () => {
      for (const facet of ["date.year", "material.decade", "date.", "nothing.decade"])
        expect(await faults(museum.ask(`/v1/search?facets=${facet}`))).toEqual(["query:facets"]);
    });
  });

  describe("terms", () => {
    it("count for those above them, at once when these change", async () => {
      const terms = "/v1/vocabularies/material/terms";
      const term = (value: string, broader_id?: string) =>
        read<{ id: string }>(admin(terms, { json: { value, broader_id } }), 201);
      const top = await term("quarried matter");
      const middle = await term("hard rock", top.id);
      const count = async (value: string) => {
        await drainOutbox(museum.services);
        const { facets } = await search("facets=material");
        const counted = facets.material!.find((one) => one.value === value)?.count ?? 0;
        expect((await search(`meta_material=${encodeURIComponent(value)}`)).total).toBe(counted);
        return counted;
      };
      const { items } = await read<{ items: { id: string; value: string }[] }>(admin(`${terms}?q=granite`));
      const known = items.find(({ value }) => value === "granite");
      const granite = known ?? (await term("granite"));
      expect(await count("hard rock")).toBe(0);
      await read(admin(`${terms}/${granite.id}`, { method: "PATCH", json: { broader_id: middle.id } }));
      expect([await count("granite"), await count("hard rock"), await count("quarried matter")]).toEqual([
        1, 1, 1,
      ]);
      await read(admin(`${terms}/${middle.id}`, { method: "PATCH", json: { broader_id: null } }));
      expect([await count("hard rock"), await count("quarried matter")]).toEqual([1, 0]);
      await read(admin(`${terms}/${middle.id}`, { method: "DELETE" }), 204);
      expect([await count("granite"), await count("hard rock")]).toEqual([1, 0]);
    });
  });

  describe("links", () => {
    const link = (from: string, plural: string, to: string, relation_type: string, to_type: string) =>
      read(editor(`/v1/${plural}/${from}/relations`, { json: { relation_type, to_type, to_id: to } }), 201);

    it("are asked by what is at the other end, if the reader may know of it", async () => {
      const maker = await posted<{ id: string }>(editor, "/v1/entities", {
        status: "public",
        metadata_: { name: english("Ida Holm") },
      });
      const secret = await posted<{ id: string }>(editor, "/v1/entities", {
        metadata_: { name: english("A donor") },
      });
      await link(made.lamp!, "objects", maker.id, "created_by", "entity");
      await link(made.chest!, "objects", secret.id, "created_by", "entity");
      expect(ours(await search(`rel_entity=${maker.id}`))).toEqual(["lamp"]);
      expect(ours(await search(`rel_entity=${secret.id}`, editor))).toEqual(["chest"]);
      expect((await search(`rel_entity=${secret.id}`)).total).toBe(0);
      expect((await search(`rel_place=${maker.id}`)).total).toBe(0);
      expect(await faults(museum.ask("/v1/search?rel_entity=Ida"))).toEqual(["query:rel_entity"]);
    });

    it("to a collection are also those to a collection below it", async () => {
      const collection = (title: string, parent_id?: string, status = "public") =>
        posted<{ id: string }>(editor, "/v1/collections", {
          status,
          parent_id,
          metadata_: { title: english(title) },
        });
      const top = await collection("Everything");
      const below = await collection("Lamps", top.id);
      const hidden = await collection("Weeded", top.id, "internal");
      const types = await read<{
        items: { name: string; from_types: string[]; to_types: string[]; is_public: boolean }[];
      }>(museum.ask("/v1/relation-types"));
      const { name } = types.items.find(
        (type) =>
          type.is_public && type.from_types.includes("object") && type.to_types.includes("collection"),
      )!;
      await link(made.lamp!, "objects", below.id, name, "collection");
      await link(made.flag!, "objects", top.id, name, "collection");
      await link(made.stone!, "objects", hidden.id, name, "collection");
      expect(ours(await search(`rel_collection=${top.id}`))).toEqual(["lamp", "flag"]);
      expect(ours(await search(`rel_collection=${below.id}`))).toEqual(["lamp"]);
      expect(ours(await search(`rel_collection=${top.id}`, editor))).toEqual(["lamp", "flag", "stone"]);
    });
  });

  describe("links for staff", () => {
    const make = (plural: string, draft: Record<string, unknown>) =>
      read<{ id: string }>(editor(`/v1/${plural}`, { json: draft }), 201);
    const link = linking(editor);

    it("a storage location holds what lies in those below it, and visitors are told of none", async () => {
      const house = await make("storage-locations", { metadata_: { name: english("House") } });
      const shelf = await make("storage-locations", {
        parent_id: house.id,
        metadata_: { name: english("Shelf") },
      });
      await link(made.lamp!, "stored_at", "storage_location", shelf.id);
      for (const { id } of [house, shelf])
        expect(ours(await search(`rel_storage_location=${id}`, editor))).toEqual(["lamp"]);
      expect((await search(`rel_storage_location=${house.id}`)).total).toBe(0);
    });

    it("a procedure and its objects find each other", async () => {
      const loan = await make("procedures", {
        procedure_type: "loan_out",
        metadata_: { title: english("Loan to the fair") },
      });
      await link(made.chest!, "subject_of_procedure", "procedure", loan.id);
      expect(ours(await search(`rel_procedure=${loan.id}`, editor))).toEqual(["chest"]);
      const found = await search(`rel_object=${made.chest}&type=procedure&include=idno`, editor);
      expect(found.items).toEqual([
        expect.objectContaining({
          id: loan.id,
          idno: expect.stringMatching(/^PRC-/),
          record_type: "procedure",
        }),
      ]);
      expect((await search(`rel_object=${made.chest}&type=procedure`)).total).toBe(0);
      expect((await search(`rel_object=${loan.id}`, editor)).total).toBe(0);
    });

    it("hits say their numbers only when asked", async () => {
      expect((await search("q=lamp")).items[0]).not.toHaveProperty("idno");
      expect((await search("q=lamp&include=idno")).items[0]).toHaveProperty("idno");
      expect(await faults(museum.ask("/v1/search?include=version"))).toEqual(["query:include"]);
    });

    it("one of several subtypes, with commas as well", async () => {
      const types = async (query: string) =>
        (await search(`${query}&type=object&page_size=100`, editor)).total;
      const one = await types("object_type=painting");
      const other = await types("object_type=photograph");
      expect(await types("object_type=painting,photograph")).toBe(one + other);
      expect(await types("object_type=painting&object_type=photograph")).toBe(one + other);
    });
  });

  describe("clauses", () => {
    it.each([
      [["title:is:The lamp"], ["lamp"]],
      [["description:contains:lamp"], ["lamp", "chest"]],
      [["description:contains:Storm Lamp"], ["lamp"]],
      [["description:contains:lamp storm"], []],
      [["title:contains:lamp"], ["lamp"]],
      [["title:starts:the l"], ["lamp"]],
      [["title:starts:lamp"], []],
      [["date:before:1930"], ["chest", "flag"]],
      [["date:before:1938"], ["chest", "flag"]],
      [["date:after:1929"], ["lamp"]],
      [["date:between:1895..1900"], ["chest"]],
      [["date:missing"], ["stone"]],
      [["date:exists", "description:missing"], ["flag"]],
      [["material:is:oak", "description:contains:storm"], []],
    ])("%j", async (clauses, names) => {
      expect(ours(await advanced(clauses))).toEqual(names);
    });

    it("hold all, or any", async () => {
      const clauses = ["material:is:oak", "description:contains:storm", "date:between:1921..1925"];
      expect(ours(await advanced(clauses))).toEqual([]);
      expect(ours(await advanced(clauses, "&match=any"))).toEqual(["lamp", "chest", "flag"]);
      expect(ours(await advanced(clauses, "&match=any&q=lamp"))).toEqual(["lamp", "chest"]);
      expect(
        ours(await advanced(["material:is:nothing", "description:contains:nothing"], "&match=any")),
      ).toEqual([]);
    });

    it.each([
      "title",
      "title:is",
      "title:is:",
      "title:like:x",
      "nothing:is:x",
      "date:exists:1",
      "date:between:1900",
      "date:between:1920..1900",
      "date:after:soon",
      "title:before:1900",
      "title:contains:!!!",
      "insurance_value:exists",
    ])("%s is refused", async (clause) => {
      const answer = museum.ask(`/portal/v1/search/advanced?clause=${encodeURIComponent(clause)}`);
      expect(await faults(answer)).toEqual(["query:clause"]);
    });

    it("of one kind at most twenty, and nowhere else", async () => {
      const many = Array.from({ length: 21 }, () => "clause=title:exists").join("&");
      expect(await faults(museum.ask(`/portal/v1/search/advanced?${many}`))).toEqual(["query:clause"]);
      expect(await faults(museum.ask("/v1/search?clause=title:exists"))).toEqual(["query:clause"]);
    });
  });

  describe("kinds and order", () => {
    it("have subtypes, which are counted as a facet is, and found by", async () => {
      const whole = await search("facets=object_type");
      const { value, count } = whole.facets.object_type![0]!;
      const one = await search(`object_type=${value}&facets=object_type`);
      expect([one.total, one.facets.object_type]).toEqual([count, [{ value, count }]]);
      const both = await advanced([`title:exists`], `&object_type=${value}&object_type=other`);
      const others = whole.facets.object_type!.find((one) => one.value === "other");
      expect(both.total).toBe(count + (others?.count ?? 0));
    });

    it("have no other subtypes and collection statuses, as in lists", async () => {
      for (const [query, sentence] of [
        ["object_type=painting,panting", /^"panting" is not a valid object_type; choose one of: /],
        ["entity_type=painting", /^"painting" is not a valid entity_type; choose one of: person, /],
        ["object_type=", /^"" is not a valid object_type; /],
        ["collection_status=actve", /^"actve" is not one of active, .*; did you mean "active"\?$/],
      ] as const)
        for (const path of ["/v1/search", "/portal/v1/search", "/portal/v1/search/advanced"]) {
          const { errors } = await read<ProblemJson>(museum.ask(`${path}?${query}&facets=nothing`), 422);
          expect(errors, path).toEqual([
            expect.objectContaining({ pointer: "query:facets" }),
            expect.objectContaining({
              pointer: `query:${query.split("=")[0]}`,
              detail: expect.stringMatching(sentence),
            }),
          ]);
        }
    });

    it("have collection statuses, of which visitors find and count the public ones only", async () => {
      const { id } = await posted<{ id: string }>(editor, "/v1/objects", {
        status: "public",
        collection_status: "deaccessioned",
        metadata_: { title: english("Gone") },
      });
      await drainOutbox(museum.services);
      const gone = "collection_status=deaccessioned&facets=collection_status";
      const seen = await search(gone, editor);
      expect(seen.items.map((item) => item.id)).toContain(id);
      expect(seen.facets.collection_status).toEqual([{ value: "deaccessioned", count: seen.total }]);
      const hidden = await search(gone);
      expect([hidden.total, hidden.facets]).toEqual([0, { collection_status: [] }]);
      const active = await search("type=object&facets=collection_status");
      expect(active.facets.collection_status).toEqual([{ value: "active", count: active.total }]);
      const either = await search("collection_status=deaccessioned&collection_status=active");
      expect(either.total).toBe(active.total);
    });

    it("have makers: those of the workshop are found by the master's name, but not counted as by him", async () => {
      const keep = (plural: string, name: string, status = "public") =>
        posted<{ id: string }>(editor, `/v1/${plural}`, {
          status,
          metadata_: { [plural === "objects" ? "title" : "name"]: english(name) },
        });
      const [master, hidden] = [
        await keep("entities", "Wouter Zeegers"),
        await keep("entities", "Wouter Y", "draft"),
      ];
      const by = async (title: string, metadata_: object, maker = master) => {
        const { id } = await keep("objects", title);
        const json = { relation_type: "created_by", to_type: "entity", to_id: maker.id, metadata_ };
        await read(editor(`/v1/objects/${id}/relations`, { json }), 201);
        return id;
      };
      const [own, also] = [
        await by("Own", {}),
        await by("Own, as a painter", { role: [{ value: "painter" }] }),
      ];
      const workshop = await by("Piece", { qualifier: [{ value: "workshop_of" }] });
      const hand = await by("Other piece", { qualifier_text: [{ value: "Hand, 50%, des", lang: "de" }] });
      const draft = await by("Of a draft", {}, hidden);
      await drainOutbox(museum.services);
      const all = await search("q=zeegers&type=object&facets=maker");
      expect(all.items.map(({ id }) => id).sort()).toEqual([own, also, workshop, hand].sort());
      expect(all.facets.maker).toHaveLength(3);
      // by the qualifier in every language, and by its own words; what is by the master comes first
      expect(all.items.slice(0, 2).map(({ id }) => id)).toEqual([also, own]);
      const said = ["workshop of wouter zeegers", "Werkstatt von Zeegers", "atelier zeegers"];
      for (const [words, piece] of [
        ...said.flatMap((each) => [[each, workshop] as const]),
        ['"workshop of wouter"', workshop],
        ['"werkstatt von wouter"', workshop],
        ["hand des zeegers", hand],
      ] as const) {
        const { items } = await search(`q=${encodeURIComponent(words)}`);
        expect([words, items.map(({ id }) => id)]).toEqual([words, [piece]]);
      }
      const found = async (value: string) => {
        const { items } = await search(`maker=${encodeURIComponent(value)}`);
        return items.map(({ id }) => id).sort();
      };
      for (const { value, count } of all.facets.maker!)
        expect([value, (await found(value)).length]).toEqual([value, count]);
      expect(await found(master.id)).toEqual([own, also].sort());
      expect(await found(`${master.id}.workshop_of`)).toEqual([workshop]);
      expect(await found(`${master.id},${master.id}.workshop_of`)).toEqual([own, also, workshop].sort());
      expect([
        await found(hidden.id),
        (await search("facets=maker&q=wouter", editor)).facets.maker!.length,
      ]).toEqual([[], 3]);
      for (const wrong of ["zeegers", `${master.id}workshop_of`])
        expect((await read<ProblemJson>(museum.ask(`/v1/search?maker=${wrong}`), 422)).errors).toEqual([
          expect.objectContaining({ pointer: "query:maker", code: "search.maker" }),
        ]);
      for (const id of all.items.map(({ id }) => id).concat(draft))
        await read(editor(`/v1/objects/${id}/status`, { json: { status: "draft" } }));
      await drainOutbox(museum.services);
    });

    it("may be several", async () => {
      const all = await search("page_size=100");
      const two = await search("type=object,entity&page_size=100");
      expect(two.total).toBe(
        all.items.filter((item) => ["object", "entity"].includes(item.record_type)).length,
      );
      for (const type of ["object,thing", "", "storage_location", "object,"])
        expect(await faults(museum.ask(`/v1/search?type=${type}`)), type).toEqual(["query:type"]);
    });

    it("may be that of the titles or the numbers, either way", async () => {
      const titles = async (query: string) =>
        (await search(`type=object&${query}`)).items.map(({ title }) => title);
      const sorted = ["The chest", "The flag", "The lamp", "The stone"];
      expect(await titles("sort_by=title")).toEqual(sorted);
      expect(await titles("sort_by=title&sort_dir=desc")).toEqual([...sorted].reverse());
      expect(await titles("sort_by=title&q=lamp")).toEqual(["The chest", "The lamp"]);
      expect(await titles("sort_by=created_at&sort_dir=asc")).toEqual([
        "The lamp",
        "The chest",
        "The flag",
        "The stone",
      ]);
      expect(await titles("sort_by=idno")).toEqual(["The lamp", "The chest", "The flag", "The stone"]);
      expect(await faults(museum.ask("/v1/search?sort_by=colour"))).toEqual(["query:sort_by"]);
    });
  });
});
