/** What people search for, and whether the numbers of the search agree with the records. */

import { beforeAll, describe, expect, it } from "vitest";
import { parseEdtf } from "../../src/records/dates/edtf.ts";
import { claimDue, claimRecords, finish, markChanged } from "../../src/records/outbox.ts";
import { recordColumns } from "../../src/records/read/store.ts";
import type { Entry, Metadata, RecordRow } from "../../src/records/record.ts";
import { currentSchema } from "../../src/records/schema.ts";
import { searchDocument } from "../../src/search/document.ts";
import { parseSearch } from "../../src/search/query.ts";
import { wordsOf } from "../../src/text.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { inLong } from "../support/lane/lane.ts";
import {
  createObject,
  english,
  type Found,
  faults,
  linking,
  linksOf,
  type Page,
  patched,
  posted,
  read,
  withRole,
} from "../support/museum/catalogue.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

type Row = {
  id: string;
  record_type: string;
  status: string;
  collection_status: string | null;
  metadata: Metadata;
};

/** The collection statuses that visitors find. */
const FOUND = ["active", "on_loan_out"];

describe("the text of a search", () => {
  const parsed = (q: string) => parseSearch(q, () => []).map(({ term }) => term);

  it("consists of words, phrases, exclusions and prefixes", () => {
    expect(parsed('Harbour -"oil on canvas" photog*')).toEqual([
      { words: ["harbour"], prefix: false, negated: false, exact: false, stems: [] },
      { words: ["oil", "on", "canvas"], prefix: false, negated: true, exact: true, stems: [] },
      { words: ["photog"], prefix: true, negated: false, exact: false, stems: [] },
    ]);
  });

  it.each(["“oil on canvas”", "„oil on canvas“", "«oil on canvas»", "”oil on canvas”"])(
    "has phrases in any quotation marks: %s",
    (phrase) => {
      expect(parsed(`-${phrase} oak`)).toEqual(parsed('-"oil on canvas" oak'));
    },
  );

  it("asks only once for repeated words", () => {
    expect(parsed("c* ".repeat(30))).toEqual(parsed("c*"));
    expect(parsed('Oak OAK "oak" -oak oak* oak')).toHaveLength(4);
    expect(parsed(`${"of ".repeat(40)}zebra`).map(({ words }) => words[0])).toEqual(["of", "zebra"]);
  });

  it("treats numbers and compounds as phrases of their parts", () => {
    expect(parsed("1998.4.2 x-ray")).toEqual([
      { words: ["1998", "4", "2"], prefix: false, negated: false, exact: false, stems: [] },
      { words: ["x", "ray"], prefix: false, negated: false, exact: false, stems: [] },
    ]);
  });

  it.each([
    ["an open quotation", '"oil on', [["oil", "on"]]],
    ["signs alone", '- "" * !!', []],
    ["only operators", "& | <-> :*", []],
    ["right-to-left words", "מפה של נמל", [["מפה"], ["של"], ["נמל"]]],
    ["one name in two forms of Unicode", "Ame\u0301lie Am\u00e9lie", [["amelie"]]],
  ])("may contain %s", (_, q, words) => {
    expect(parsed(q).map((term) => term.words)).toEqual(words);
  });

  it("says in one word that a year or a number is approximate, and leaves other words as they are", () => {
    const words = (q: string) => parsed(q).map((term) => term.words.join(" "));
    const said =
      "circa,CA.,c.,ca,um,vers,env.,verso,intorno al,hacia,alrededor de,aprox.,omstreeks,rond,ongeveer";
    for (const about of said.split(",").map((word) => `${word} 1850`))
      expect(words(`portrait ${about}`)).toEqual(["portrait", "circa", "1850"]);
    expect(parsed('"ca. 1850"')[0]!.words).toEqual(["circa", "1850"]);
    expect(words("um 12 Uhr, CA 90210, vitamin C 12")).toEqual("um 12 uhr ca 90210 vitamin c".split(" "));
    expect(words("c. 12 cm")).toEqual(["circa", "12", "cm"]);
  });

  it("has a limited length", () => {
    const words = Array.from({ length: 500 }, (_, index) => `w${index}`);
    // one more than the limit, so that the caller can report it
    expect(parsed(words.join(" "))).toHaveLength(33);
  });
});

describe.each(databases)("search in the %s database", async (database) => {
  const museum = await museumHere({ database, demo: true });
  const editor = await museum.as("editor");
  const rows = await museum.services.sql<Row[]>`
    select id, record_type, status, collection_status, metadata from records
    where deleted_at is null and record_type <> 'storage_location'`;

  const search = (query: string, ask: Ask = museum.ask) => read<Found>(ask(`/v1/search?${query}`));
  const ids = (found: Found) => found.items.map(({ id }) => id).sort();

  /** The records that a visitor's search may find. */
  const publicRows = () =>
    rows.filter(
      (row) =>
        row.status === "public" && (row.record_type !== "object" || FOUND.includes(row.collection_status!)),
    );
  const valuesOf = (row: Row, field: string) => [
    ...new Set(
      (row.metadata[field] ?? []).flatMap(({ value }: Entry) => (field === "date" ? decades(value) : value)),
    ),
  ];
  /** Year by year; the index computes them differently. */
  const decades = (value: string) => {
    const { earliest, latest } = parseEdtf(value)!;
    const [first, last] = [earliest ?? latest, latest ?? earliest].map((day) => Number.parseInt(day!, 10));
    const found = new Set<string>();
    for (let year = first!; year <= last!; year++)
      found.add(`${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0").slice(0, 3)}X`);
    return found.size > 10 ? [] : [...found];
  };
  function countedIn(among: readonly Row[], field: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const row of among)
      for (const value of valuesOf(row, field)) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }
  /** Facets contain the fifty most frequent values. */
  function expectAgrees(
    facet: { value: string; count: number }[],
    among: readonly Row[],
    field: string,
  ): void {
    const counts = countedIn(among, field);
    expect(facet).toHaveLength(Math.min(50, counts.size));
    for (const { value, count } of facet) expect([value, count]).toEqual([value, counts.get(value)]);
    const most = [...counts.values()].sort((a, b) => b - a).slice(0, 50);
    expect(facet.map(({ count }) => count)).toEqual(most);
  }

  describe("totals and facets", () => {
    it.each([
      ["everything", "", ["material", "technique", "date", "creator_text"]],
      ["objects", "&type=object", ["material", "technique", "object_name", "subject"]],
      ["entities", "&type=entity", ["nationality", "role"]],
    ])("of %s agree with the records", async (_, scope, fields) => {
      const type = scope.split("=")[1];
      for (const [ask, among] of [
        [museum.ask, publicRows()],
        [editor, rows],
      ] as const) {
        const mine = among.filter((row) => type === undefined || row.record_type === type);
        const found = await search(`page_size=1${scope}&facets=${fields.join(",")}`, ask);
        expect(found.total).toBe(mine.length);
        for (const field of fields) expectAgrees(found.facets[field]!, mine, field);
      }
    });

    it("agree with the records for every value of a facet, alone and combined", async () => {
      const counts = countedIn(publicRows(), "material");
      expect(counts.size).toBeGreaterThan(10);
      for (const [value, count] of counts) {
        const found = await search(
          `meta_material=${encodeURIComponent(value)}&facets=material,technique&page_size=100`,
        );
        const mine = publicRows().filter((row) => valuesOf(row, "material").includes(value));
        expect([value, found.total]).toEqual([value, count]);
        expect(ids(found)).toEqual(mine.map(({ id }) => id).sort());
        expectAgrees(found.facets.material!, mine, "material");
        expectAgrees(found.facets.technique!, mine, "technique");
      }
    });

    it("agree for words combined with filters", async () => {
      const [[value]] = [...countedIn(publicRows(), "material")].sort((a, b) => b[1] - a[1]) as [
        [string, number],
      ];
      const filter = `meta_material=${encodeURIComponent(value)}`;
      const all = await search(`${filter}&page_size=100`);
      for (const word of ["harbour", "boat", "ship"]) {
        const wide = await search(`q=${word}&page_size=100&facets=material`);
        const both = await search(`q=${word}&${filter}&page_size=100&facets=material`);
        const common = ids(wide).filter((id) => ids(all).includes(id));
        for (const { total } of [wide, all]) expect(total).toBeLessThanOrEqual(100);
        expect(ids(both)).toEqual(common);
        expectAgrees(
          wide.facets.material!,
          rows.filter(({ id }) => ids(wide).includes(id)),
          "material",
        );
      }
    });

    it("by date: the earliest date of making comes first, or last; records without one come last", async () => {
      const dated = new Map(
        publicRows().map(({ id, metadata }) => {
          const dates = (metadata.date ?? []).flatMap(({ value }) => parseEdtf(value) ?? []);
          const days = dates.flatMap(({ earliestDay, latestDay }) => earliestDay ?? latestDay ?? []);
          return [id, days.length === 0 ? null : Math.min(...days)];
        }),
      );
      for (const direction of ["asc", "desc"]) {
        const { items } = await search(`sort_by=date&sort_dir=${direction}&page_size=100&type=object`);
        const days = items.map(({ id }) => dated.get(id) ?? null);
        const known = days.filter((day) => day !== null);
        expect(days.slice(0, known.length)).toEqual(known);
        expect(known).toEqual([...known].sort((a, b) => (direction === "asc" ? a - b : b - a)));
        expect(known.length).toBeGreaterThan(20);
      }
    });

    it("of records with a picture count only pictures that the reader sees", async () => {
      const pictured = async (ask?: Ask) => (await search("has_picture=true", ask)).items.map(({ id }) => id);
      const { id } = await createObject(editor, "Pictured", { status: "public" });
      const count = (await search("has_picture=true")).total;
      const sent = send(editor, id, await jpeg(60, 40), "a.jpg", { visibility: "private" });
      const { media_id: medium } = await read<{ media_id: string }>(sent, 201);
      await drainOutbox(museum.services);
      expect(await pictured()).not.toContain(id);
      expect(await pictured(editor)).toContain(id);
      await patched(editor, `/v1/objects/${id}/media/${medium}`, { visibility: "public" });
      await drainOutbox(museum.services);
      expect((await pictured())[0]).toBe(id);
      expect((await search("has_picture=true")).total).toBe(count + 1);
      await read(editor(`/v1/objects/${id}/media/${medium}`, { method: "DELETE" }), 204);
      await drainOutbox(museum.services);
      expect((await search("has_picture=true")).total).toBe(count);
      expect(await faults(museum.ask("/v1/search?has_picture=maybe"))).toEqual(["query:has_picture"]);
    });

    it("agree after every kind of write", async () => {
      const before = countedIn(publicRows(), "material").get("brass") ?? 0;
      const count = async (ask: Ask = museum.ask) => {
        const { total, facets } = await search("meta_material=brass&facets=material&page_size=1", ask);
        expect(facets.material?.find(({ value }) => value === "brass")?.count ?? 0).toBe(total);
        const everything = await search("facets=material&page_size=1", ask);
        expect(everything.facets.material?.find(({ value }) => value === "brass")?.count ?? 0).toBe(total);
        return total - before;
      };
      const { id } = await createObject(editor, "Binnacle", {
        status: "public",
        metadata_: { material: [{ value: "brass" }, { value: "teak" }] },
      });
      expect(await count()).toBe(1);
      const path = `/v1/objects/${id}`;
      await read(editor(`${path}/status`, { json: { status: "internal" } }));
      expect(await count()).toBe(0);
      await read(editor(`${path}/publish`, { method: "POST" }));
      expect(await count()).toBe(1);
      await read(editor(path, { method: "PATCH", json: { metadata_: { material: [{ value: "teak" }] } } }));
      expect(await count()).toBe(0);
      await patched(editor, path, { metadata_: { material: [{ value: "teak" }, { value: "brass" }] } });
      expect(await count()).toBe(1);
      await read(editor(path, { method: "DELETE" }), 204);
      expect(await count()).toBe(0);
      await read(editor(`${path}/restore`, { method: "POST" }));
      expect(await count()).toBe(1);
      await read(editor(path, { method: "DELETE" }), 204);
      expect(await count()).toBe(0);
    });
  });

  describe("pages", () => {
    it.each([
      ["everything", "type=object"],
      ["a filter", "meta_object_name=painting&meta_object_name=photograph"],
      ["a word", "q=harbour"],
    ])("of %s contain every hit once, in the same order", async (_, query) => {
      const whole = await search(`${query}&page_size=100`);
      expect(whole.total).toBeGreaterThan(4);
      const walked: string[] = [];
      for (let page = 1; walked.length < whole.total; page++) {
        const { items, total } = await search(`${query}&page=${page}&page_size=3`);
        expect(total).toBe(whole.total);
        expect(items.length).toBeGreaterThan(0);
        walked.push(...items.map(({ id }) => id));
      }
      expect(walked).toEqual(whole.items.map(({ id }) => id));
      expect(new Set(walked).size).toBe(walked.length);
    });

    it("after the last one are empty and give the total", async () => {
      for (const query of ["type=object", "q=harbour", "meta_object_name=painting"]) {
        const first = await search(query);
        expect(await search(`${query}&page=90`)).toMatchObject({ total: first.total, page: 90, items: [] });
      }
    });

    it("of visitors may be cached if revalidated; those of staff may not", async () => {
      for (const path of ["/v1/search?q=harbour", "/v1/search/suggest?q=har"]) {
        const open = await museum.ask(path);
        expect(open.headers.get("Cache-Control"), path).toBe("public, max-age=0, must-revalidate");
        expect((await editor(path)).headers.get("Cache-Control"), path).toBe("private, no-store");
      }
      const etag = (await museum.ask("/v1/search?q=harbour")).headers.get("ETag")!;
      const again = await museum.ask("/v1/search?q=harbour", { headers: { "If-None-Match": etag } });
      expect(again.status).toBe(304);
    });

    it("end at ten thousand hits", async () => {
      expect(await faults(museum.ask("/v1/search?page=101&page_size=100"))).toEqual(["query:page"]);
      expect((await search("page=100&page_size=100")).items).toEqual([]);
    });
  });

  describe("words", () => {
    let object: string;

    beforeAll(async () => {
      const made = await createObject(editor, "Zwölf Sextanten aus Møn", {
        status: "public",
        idno: "1998.4.2",
        metadata_: {
          title: [
            { value: "Zwölf Sextanten aus Møn", lang: "de" },
            { value: "Twelve x-ray sextants", lang: "en" },
          ],
          description: english("Amélie’s gift; kept in the quokkaroom"),
        },
      });
      object = made.id;
    });

    it.each([
      "sextanten",
      "SEXTANTEN",
      "zwolf",
      "ZWÖLF",
      "zwo\u0308lf",
      "mon",
      "møn",
      "amelie",
      "quokka*",
      '"x-ray sextants"',
      "x-ray",
      "1998.4.2",
      '"zwolf sextanten aus mon"',
      "sextanten -harpoon",
      "(sextanten)",
      "sextanten!!!",
      '"sextanten',
    ])("%s finds the record", async (q) => {
      const { items } = await search(`q=${encodeURIComponent(q)}`);
      expect(items.map(({ id }) => id)).toContain(object);
    });

    it.each([
      "sextanten -twelve",
      '"sextanten zwolf"',
      "uokka",
      "1998.2.4",
      "sextanten harpoon",
      '"mon twelve"',
    ])("%s does not find it", async (q) => {
      const { items } = await search(`q=${encodeURIComponent(q)}&page_size=100`);
      expect(items.map(({ id }) => id)).not.toContain(object);
    });

    it.each(["!!!", "-", '""', "🌊🌊", "* - &", "\u200b"])(
      "%s, which has no letters, finds nothing",
      async (q) => {
        for (const path of ["/v1/search", "/portal/v1/search"]) {
          const found = await read<Found>(museum.ask(`${path}?q=${encodeURIComponent(q)}&facets=material`));
          expect(found).toMatchObject({ total: 0, items: [], facets: { material: [] } });
        }
      },
    );

    it("spaces alone are the same as no words", async () => {
      expect((await search("q=%20%20")).total).toBe((await search("")).total);
    });

    it("words count more in the title, and a search without words has no scores", async () => {
      const inText = await createObject(editor, "Plain chest", {
        status: "public",
        metadata_: { description: english("It held an ostrichfeather") },
      });
      const inTitle = await createObject(editor, "Ostrichfeather", { status: "public" });
      const { items } = await search("q=ostrichfeather");
      expect(items.map(({ id }) => id)).toEqual([inTitle.id, inText.id]);
      expect(items[0]!.score).toBeGreaterThan(items[1]!.score);
      expect((await search("type=place")).items.every(({ score }) => score === 0)).toBe(true);
    });

    it("excluded words do not change the scores of the others", async () => {
      const titled = await createObject(editor, "Wombatfigure", { status: "public" });
      await createObject(editor, "Chest", {
        status: "public",
        metadata_: { description: english("With a wombatfigure on the lid") },
      });
      const { items } = await search("q=wombatfigure+-harpoon");
      expect(items).toHaveLength(2);
      expect(items[0]!.id).toBe(titled.id);
      expect(items[0]!.score).toBeGreaterThan(items[1]!.score);
      expect(items[1]!.score).toBeGreaterThan(0);
      expect((await search("q=-wombatfigure")).items.every(({ score }) => score === 0)).toBe(true);
    });

    it("are found at once even if an earlier projection was killed", async () => {
      const { id } = await createObject(editor, "Axolotlplate", { status: "public" });
      // what a killed process leaves behind: a claim that nobody will complete
      await museum.services.sql`
        insert into outbox (target, record_id, attempts, due_at) values ('search', ${id}, 3, now() + interval '1 hour')`;
      expect(ids(await search("q=axolotlplate"))).toEqual([]);
      await read(editor(`/v1/objects/${id}/status`, { json: { status: "internal" } }));
      await read(editor(`/v1/objects/${id}/publish`, { method: "POST" }));
      expect(ids(await search("q=axolotlplate"))).toEqual([id]);
    });

    it("are those of the newer state when two projections of one record overlap", async () => {
      const { id } = await createObject(editor, "Narwhaltusk", { status: "public" });
      const { services } = museum;
      const [row] = await services.sql<
        RecordRow[]
      >`select ${recordColumns(services.sql)} from records r where id = ${id}`;
      const old = searchDocument(
        await currentSchema(services.sql),
        { ...row!, public_at: row!.updated_at, picture: null },
        { titles: [], ends: [], makers: [] },
        new Map(),
        () => [],
      );
      await services.sql.begin((tx) => markChanged(tx, [id], { by: "worker", hides: true }));
      // a worker claims the record, has read it, and is slow
      const claims = await claimRecords(services.sql, "search", [id]);
      await patched(editor, `/v1/objects/${id}`, { metadata_: { title: english("Ivorytusk") } });
      expect(ids(await search("q=ivorytusk"))).toEqual([id]);
      await services.search.put([old]);
      expect(await finish(services.sql, "search", claims)).toEqual([id]);
      expect(ids(await search("q=narwhaltusk"))).toEqual([]);
      await drainOutbox(services);
      expect(ids(await search("q=narwhaltusk"))).toEqual([]);
      expect(ids(await search("q=ivorytusk"))).toEqual([id]);
    });

    inLong(it)("are left to their writer for a second before a worker takes them", async () => {
      const { id } = await createObject(editor, "Ammonitecase", { status: "public" });
      const { sql } = museum.services;
      const claimed = async () => (await claimDue(sql, "search", 500)).map(({ record_id }) => record_id);
      await drainOutbox(museum.services);
      await sql.begin((tx) => markChanged(tx, [id], { by: "writer", hides: true }));
      expect(await claimed()).toEqual([]);
      await expect.poll(claimed, { timeout: 3_000, interval: 50 }).toEqual([id]);
      expect(await finish(sql, "search", await claimRecords(sql, "search", [id]))).toEqual([]);
      await sql.begin((tx) => markChanged(tx, [id], { by: "worker", hides: true }));
      expect(await claimed()).toEqual([id]);
      await museum.services.changed([id]);
      expect(ids(await search("q=ammonitecase"))).toEqual([id]);
    });

    it("find a work by its maker, but not by the maker's former name", async () => {
      const maker = await posted(editor, "/v1/entities", {
        entity_type: "person",
        status: "public",
        metadata_: { name: english("Tove Wigglesworth") },
      });
      await linking(editor)(object, "created_by", "entity", maker.id);
      const works = async (q: string) => (await search(`q=${q}&type=object`)).items.map(({ id }) => id);
      expect(await works("wigglesworth")).toEqual([object]);
      await patched(editor, `/v1/entities/${maker.id}`, { metadata_: { name: english("Tove Ravenscar") } });
      // nothing was hidden, so the work is still found while it waits for its projection
      expect(await works("wigglesworth")).toEqual([object]);
      await drainOutbox(museum.services);
      expect(await works("wigglesworth")).toEqual([]);
      expect(await works("ravenscar")).toEqual([object]);
    });
  });

  describe("filters", () => {
    it("with the same field twice mean either, with two fields both", async () => {
      const [a, b] = [...countedIn(publicRows(), "object_name")]
        .sort((x, y) => y[1] - x[1])
        .map(([value]) => value);
      const one = async (value: string) =>
        ids(await search(`meta_object_name=${encodeURIComponent(value)}&page_size=100`));
      const either = await search(
        `meta_object_name=${encodeURIComponent(a!)}&meta_object_name=${encodeURIComponent(b!)}&page_size=100`,
      );
      expect(ids(either)).toEqual([...new Set([...(await one(a!)), ...(await one(b!))])].sort());
      const material = publicRows().find(
        (row) => valuesOf(row, "object_name").includes(a!) && row.metadata.material,
      )!;
      const value = valuesOf(material, "material")[0]!;
      const both = await search(
        `meta_object_name=${encodeURIComponent(a!)}&meta_material=${encodeURIComponent(value)}&page_size=100`,
      );
      expect(ids(both)).toEqual(
        publicRows()
          .filter(
            (row) => valuesOf(row, "object_name").includes(a!) && valuesOf(row, "material").includes(value),
          )
          .map(({ id }) => id)
          .sort(),
      );
    });

    it("also work on fields that are not facets, and so do facets", async () => {
      const described = publicRows().filter(
        (row) => row.metadata.description && row.record_type === "object",
      );
      const value = valuesOf(described[0]!, "description")[0]!;
      const found = await search(`meta_description=${encodeURIComponent(value)}&facets=description,material`);
      expect(ids(found)).toContain(described[0]!.id);
      expect(found.facets.description).toContainEqual({ value, count: found.total });
    });

    it("with a value that no record has find nothing and leave facets empty", async () => {
      expect(await search("meta_material=unobtainium&facets=material,description")).toMatchObject({
        total: 0,
        items: [],
        facets: { material: [], description: [] },
      });
    });

    it("accept any characters in a value", async () => {
      const odd = `a'b"c\\d,e{f}%_ \u{1f3fa} ${"x".repeat(1_500)}`;
      const { id } = await createObject(editor, "Odd", {
        status: "public",
        metadata_: { technique: [{ value: odd }] },
      });
      expect(ids(await search(`meta_technique=${encodeURIComponent(odd)}`))).toEqual([id]);
    });
  });

  describe("many simultaneous requests", () => {
    it("each find what they have just written, and counts stay exact", async () => {
      const words = wordsOf("anemone barnacle cockle dulse eelgrass fucus gribble haddock");
      await Promise.all(
        words.map(async (word, index) => {
          const { id } = await createObject(editor, word, {
            status: "public",
            metadata_: { title: english(`Specimen ${word}`), material: [{ value: `shell ${index % 2}` }] },
          });
          expect(ids(await search(`q=%22${word}zz%22`))).toEqual([]);
          expect(ids(await search(`q=%22specimen+${word}%22`, editor))).toEqual([id]);
          await patched(editor, `/v1/objects/${id}`, { metadata_: { title: english(`Renamed ${word}`) } });
          expect(ids(await search(`q=%22specimen+${word}%22`))).toEqual([]);
          expect(ids(await search(`q=%22renamed+${word}%22`))).toEqual([id]);
        }),
      );
      for (const index of [0, 1]) {
        const { total, facets } = await search(`meta_material=shell+${index}&facets=material`);
        expect(total).toBe(4);
        expect(facets.material).toEqual([{ value: `shell ${index}`, count: 4 }]);
      }
    });
  });

  it("reveals no records of a kind that somebody may not read, by name or in the history", async () => {
    const weeder = await withRole(museum, "weeder", { object: ["read"] });
    const { id } = await createObject(editor, "Casket with a hidden spring");
    const donor = { metadata_: { name: [{ value: "Zebulonia Quarrington" }] } };
    const entity = await read<{ id: string }>(editor("/v1/entities", { json: donor }), 201);
    const link = { relation_type: "created_by", to_type: "entity", to_id: entity.id };
    await read(editor(`/v1/objects/${id}/relations`, { json: link }), 201);
    for (const word of ["Zebulonia", "zebul*", "%22Zebulonia+Quarrington%22"]) {
      expect(ids(await search(`q=${word}&type=object`, editor)), word).toEqual([id]);
      expect((await search(`q=${word}`, weeder)).total, word).toBe(0);
    }
    expect(ids(await search("q=casket+hidden", weeder))).toEqual([id]);
    const notes = async (ask: Ask) =>
      (await read<{ items: { note: unknown }[] }>(ask(`/v1/objects/${id}/history`))).items.map(
        ({ note }) => note,
      );
    expect(JSON.stringify(await notes(editor))).toContain(entity.id);
    expect((await notes(weeder)).every((note) => note === null)).toBe(true);
  });

  it.each([
    "/v1/search",
    "/portal/v1/search",
    "/portal/v1/search/advanced",
    "/v1/objects",
    "/v1/storage-locations",
  ])("%s ignores the status that a visitor asks for", async (path) => {
    const whole = await read<Page>(museum.ask(path));
    for (const query of ["status=draft", "status=nope", "status=", "status=public&status=nope"])
      expect(await read<Page>(museum.ask(`${path}?${query}`)), query).toEqual(whole);
  });

  it("refuses an unknown status from staff", async () => {
    for (const path of ["/v1/search", "/v1/objects"])
      expect(await faults(editor(`${path}?status=nope`)), path).toEqual(["query:status"]);
  });

  it("finds as many public records as the list contains", async () => {
    let listed = 0;
    for (let next: string | undefined = "/v1/entities?page_size=50"; next; ) {
      const answer = await museum.ask(next);
      listed += ((await answer.clone().json()) as Page).items.length;
      next = linksOf(answer).next;
    }
    expect((await search("type=entity&page_size=1")).total).toBe(listed);
  });
});
