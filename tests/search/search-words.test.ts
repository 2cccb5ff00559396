/** Words as people write them: wrong, in other scripts, by their stems; and what is suggested while they type. */
import { beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { languages } from "../../src/messages/translate.ts";
import { correctedQuery } from "../../src/search/query.ts";
import { stemsOf } from "../../src/search/stems.ts";
import { searchWordsOf } from "../../src/text.ts";
import { createObject, type Found, faults, read } from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

type Suggested = {
  records: { id: string; title: string }[];
  terms: { field: string; value: string; count: number }[];
};

describe("words of the index", () => {
  it.each([
    ["東京 Tokyo", ["東", "京", "tokyo"]],
    ["ラーメン", ["ラ", "ー", "メ", "ン"]],
    ["กรุงเทพ", ["ก", "ร", "ง", "เ", "ท", "พ"]],
    ["Fisch🐟fang", ["fisch", "🐟", "fang"]],
    ["한국 도자기", searchWordsOf("한국").concat(searchWordsOf("도자기"))],
    ["מפה של נמל", ["מפה", "של", "נמל"]],
    ["Ame\u0301lie", ["amelie"]],
  ])("of %s", (text, words) => {
    expect(searchWordsOf(text)).toEqual(words);
  });

  it("are stemmed in the language of the value, or in all of a value without one", async () => {
    const stems = await stemsOf(["en", "de"]);
    expect(stems("Photographs", "en-GB")).toEqual(["en:photograph"]);
    for (const _ of ["new", "kept"]) expect(stems("Häuser", "de")).toEqual(["de:haus"]);
    expect(stems("houses", null).toSorted()).toEqual(["de:hous", "en:hous"]);
    expect(stems("maisons", "fr")).toEqual([]);
    expect((await stemsOf([]))("houses", null)).toEqual([]);
  });

  it("are stemmed by default in the languages of the pages", () => {
    const read = readConfig({});
    expect(read.ok && read.config.searchLanguages.toSorted()).toEqual(languages().toSorted());
    const off = readConfig({ SEARCH_LANGUAGES: "none" });
    expect(off.ok && off.config.searchLanguages).toEqual([]);
  });

  it("are put right where they stand in the query", () => {
    expect(correctedQuery('harbuor -harbuor "harbuor" x-ray', [{ from: "harbuor", to: "harbour" }])).toBe(
      'harbour -harbuor "harbuor" x-ray',
    );
    expect(correctedQuery("l’estanpe d'estanpe", [{ from: "estanpe", to: "estampe" }])).toBe(
      "l’estampe d'estampe",
    );
    expect(correctedQuery("dell’estanpe", [{ from: "estanpe", to: "estampe" }])).toBe("dell’estampe");
    expect(correctedQuery("“harbuor” harbuor", [{ from: "harbuor", to: "harbour" }])).toBe(
      "“harbuor” harbour",
    );
  });
});

describe.each(databases)("words in the %s database", async (database) => {
  const made: Record<string, string> = {};

  const ask = (path: string, q: string, reader: Ask = museum.ask) =>
    reader(`${path}${path.includes("?") ? "&" : "?"}q=${encodeURIComponent(q)}`);
  const search = async (q: string, reader: Ask = museum.ask) => {
    const answer = await ask("/v1/search?page_size=100", q, reader);
    const suggestion = answer.headers.get("X-Search-Suggestion");
    const { items } = await read<Found>(answer);
    return { ids: items.map(({ id }) => id), suggestion: suggestion && decodeURIComponent(suggestion) };
  };
  const suggest = (q: string, reader: Ask = museum.ask) =>
    read<Suggested>(ask("/portal/v1/search/suggest", q, reader));

  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  beforeAll(async () => {
    const titles = {
      lighthouse: "The lighthouse keeper",
      tokyo: "東京の港",
      fish: "Drawing with 🐟 and 🌊",
      photographs: "Album of photographs",
      amelie: "Amélie",
      number: "12 Sextants",
    };
    for (const [name, title] of Object.entries(titles)) {
      made[name] = (
        await createObject(editor, title, {
          status: "public",
          metadata_: { material: [{ value: "linseed oil" }] },
        })
      ).id;
    }
    const hidden = await createObject(editor, "Zanzibarite casket", {
      metadata_: {
        material: [{ value: "zirconite" }],
      },
    });
    made.hidden = hidden.id;
  });

  it.each([
    ["lighthuose", "lighthouse", "lighthouse"],
    ["lighthuose kepeer", "lighthouse", "lighthouse keeper"],
    ["fotographs", "photographs", "photographs"],
    ["lighth, kepeer", "lighthouse", "lighth* keeper"],
    ["Sex", "number", "Sex*"],
    ["emelie", "amelie", "amelie"],
  ])("%s was meant otherwise", async (q, name, suggestion) => {
    const found = await search(q);
    expect(found.ids).toEqual([made[name]]);
    expect(found.suggestion).toBe(suggestion);
  });

  it.each([
    '"lighthuose"',
    "lighthuo*",
    "-lighthuose lighthouse",
    "lighthouse",
    "lighthouse album",
    "ligt",
    "qqqqqq",
  ])("%s was meant so", async (q) => {
    expect((await search(q)).suggestion).toBe(null);
  });

  it("of what is not public correct nothing for visitors, and are not suggested to them", async () => {
    expect(await search("zanzibaryte")).toEqual({ ids: [], suggestion: null });
    expect(await search("zanzibaryte", editor)).toEqual({ ids: [made.hidden], suggestion: "zanzibarite" });
    for (const start of ["zan", "zanzibarite", "zanzibarite c", "cask", "zirc"])
      expect(await suggest(start, editor)).toEqual({ records: [], terms: [] });
    const staff = await read<Suggested>(ask("/v1/search/suggest", "cask", editor));
    expect(staff.records.map(({ id }) => id)).toEqual([made.hidden]);
    const term = await read<Suggested>(ask("/v1/search/suggest", "zirc", editor));
    expect(term.terms).toMatchObject([{ field: "material", value: "zirconite", count: 1 }]);
  });

  it("in scripts without blanks are found in the middle of a text", async () => {
    expect((await search("京の")).ids).toEqual([made.tokyo]);
    expect((await search("港")).ids).toEqual([made.tokyo]);
    expect((await search("港東")).ids).toEqual([]);
  });

  it("may be emojis", async () => {
    expect((await search("🐟")).ids).toEqual([made.fish]);
    expect((await search("🌊 drawing")).ids).toEqual([made.fish]);
    expect((await search("🐟🌊")).ids).toEqual([]);
  });

  it("say in one word that a date is approximate, and leave numbers as they are", async () => {
    const make = async (title: string, idno: string, date: string) =>
      (
        await createObject(editor, title, {
          ...{ idno, status: "public" },
          metadata_: { date: [{ value: date }] },
        })
      ).id;
    const dated = await make("Oilskin", "N.1", "1847~/1852");
    const written = await make("Oilskin, um 1847", "N.2", "1847");
    const numbered = await make("Oilskin", "C.1847", "1901");
    for (const q of ["oilskin circa 1847", "oilskin c. 1847", '"ca. 1847"', "oilskin vers 1847"])
      expect((await search(q)).ids, q).toEqual(expect.arrayContaining([dated, written]));
    for (const q of ["C.1847", "c 1847", "C-1847", "C.184*", "C/1847"])
      expect((await search(q)).ids[0], q).toBe(numbered);
    expect((await search("oilskin 1901")).ids).toEqual([numbered]);
    for (const id of [dated, written, numbered]) await editor(`/v1/objects/${id}`, { method: "DELETE" });
  });

  it("are found without a French article, except in quotation marks", async () => {
    const titles = [
      "Odalisque",
      "Atelier de Jean-Auguste-Dominique Ingres",
      "L’atelier d’Ingres",
      "Émile D'Arcy",
    ];
    const ids: string[] = [];
    for (const title of titles) ids.push((await createObject(editor, title, { status: "public" })).id);
    const [odalisque, long, short, arcy] = ids;
    for (const [q, expected] of [
      ["l'Odalisque", [odalisque]],
      ["L’Odalisque", [odalisque]],
      ["l'odal*", [odalisque]],
      ["d'E\u0301mile", [arcy]],
      ["l'odalisqe", [odalisque]],
      ["atelier d'Ingres", [long, short]],
      ["l'atelier -d'Ingres", []],
      ['"atelier d\'Ingres"', [short]],
      ['"atelier Ingres"', []],
      ["D'Arcy", [arcy]],
      ["D Arcy", [arcy]],
      ["Arcy", [arcy]],
    ] as const)
      expect((await search(q)).ids.toSorted(), q).toEqual(expected.toSorted());
    const parts = async (q: string) =>
      (await read<{ parts?: { q: string }[] }>(ask("/v1/search", q))).parts?.map((part) => part.q);
    expect(await parts("Odalisque d'Ingres")).toEqual(["Odalisque", "Ingres"]);
    expect(await parts("Odalisque d Ingres")).toEqual(["Odalisque", "Ingres"]);
    expect(await parts('"Ingres d’atelier"')).toEqual(["ingres atelier", "ingres", "atelier"]);
    expect(await parts("東 Ingres")).toEqual(["東", "Ingres"]);
    for (const id of ids) await editor(`/v1/objects/${id}`, { method: "DELETE" });
  });

  it("of which nobody has all are offered in parts, with their numbers", async () => {
    const parts = async (q: string, path = "/v1/search") => {
      const { total, parts: offered } = await read<Found & { parts?: { q: string; total: number }[] }>(
        ask(path, q),
      );
      expect(total).toBe(0);
      return offered?.map((part) => `${part.q} ${part.total}`);
    };
    expect(await parts("Lighthouse album")).toEqual(["Lighthouse 1", "album 1"]);
    expect(await parts("lighthouse qqqqqq keepers")).toEqual([
      "lighthouse keepers 1",
      "lighthouse 1",
      "keepers 1",
    ]);
    expect(await parts("album linseed lighthouse -qqq")).toEqual([
      "linseed lighthouse -qqq 1",
      "album linseed -qqq 1",
      "album -qqq 1",
      "linseed -qqq 6",
      "lighthouse -qqq 1",
    ]);
    expect(await parts('"keeper the"')).toEqual(["keeper the 1", "keeper 1", "the 1"]);
    expect(await parts("qqqqqq zanzibarite casket")).toBe(undefined);
    expect(await parts("qqqqqq")).toBe(undefined);
    expect(await parts("lighthouse album", "/v1/search?type=entity")).toBe(undefined);
    const many = Array.from({ length: 28 }, (_, n) => `qq${n}`).join(" ");
    expect(await parts(`oil album ${many}`)).toEqual(["oil album 1", "oil 6", "album 1"]);
    expect((await read<Found>(ask("/v1/search", "lighthouse"))) as object).not.toHaveProperty("parts");
  });

  it("find other forms of themselves where their language is stemmed", async () => {
    expect((await search("photograph")).ids).toEqual([made.photographs]);
    expect((await search("photographing")).ids).toEqual([made.photographs]);
    expect((await search('"photograph"')).ids).toEqual([]);
    expect((await search("keepers")).ids).toEqual([made.lighthouse]);
  });

  describe("suggestions", () => {
    it.each([
      ["l", ["lighthouse"], false],
      ["the li", ["lighthouse"], false],
      ["ligh", ["lighthouse"], false],
      ["the keep", ["lighthouse"], false],
      ["ame", ["amelie"], false],
      ["AMÉ", ["amelie"], false],
      ["東", ["tokyo"], false],
      ["linse", [], true],
      ["Linseed O", [], true],
    ])("for %s", async (q, names, hasTerm) => {
      const { records, terms } = await suggest(q);
      const ids = records.map(({ id }) => id);
      for (const name of names.filter((one) => q !== "l" || one !== "lighthouse"))
        expect(ids).toContain(made[name]);
      expect(terms.some(({ value, count }) => value === "linseed oil" && count === 6)).toBe(
        hasTerm || q === "l",
      );
    });

    it.each(["!!!", "'; drop table records; --", "(((", "%", "_", "*".repeat(100), "\u202e"])(
      "for %s are none, and no fault",
      async (q) => {
        expect(await suggest(q)).toEqual({ records: [], terms: [] });
      },
    );

    it("are refused what is not a beginning", async () => {
      expect(await faults(museum.ask("/portal/v1/search/suggest"))).toEqual(["query:q"]);
      expect(await faults(museum.ask("/portal/v1/search/suggest?q="))).toEqual(["query:q"]);
      expect(await faults(ask("/portal/v1/search/suggest", "x".repeat(101)))).toEqual(["query:q"]);
      expect(await faults(museum.ask("/portal/v1/search/suggest?q=x&limit=21"))).toEqual(["query:limit"]);
    });
  });

  it.each([
    ["ten thousand characters", "a ".repeat(5_000), 422],
    ["a thousand characters", "harbour ".repeat(120), 200],
    ["a word of a thousand letters", "a".repeat(1_000), 200],
    ["wildcards", "*".repeat(500), 200],
    ["a regular expression", "(a+)+$", 200],
    ["operators of the database", "a & | ! <-> :* ' \\ b", 200],
    ["quotation marks", '"""""""', 200],
    ["nothing but exclusions", "-a -b -c", 200],
    ["five beginnings", "a* b* c* d* e*", 200],
    ["six beginnings", "a* b* c* d* e* f*", 422],
    ["a beginning said a hundred times", "a* ".repeat(100), 200],
    ["thirty-two words", Array.from({ length: 32 }, (_, index) => `w${index}`).join(" "), 200],
    ["thirty-three words", Array.from({ length: 33 }, (_, index) => `w${index}`).join(" "), 422],
  ])("may be %s", async (_, q, status) => {
    const answer = await ask("/v1/search", q);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("X-Search-Degraded")).toBe(null);
  });
});
