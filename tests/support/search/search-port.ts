/**
 * What the core expects of every search index. All engines must agree on visibility, filters, totals, facets, sorting and
 * pages. They may differ in scores, in the order of records within one weight, in totals of an answer that says `isLeast`, in
 * the choice between corrections, and in what is listed under `isExact`.
 */
import { afterAll, it as always, beforeAll, describe, expect, onTestFinished } from "vitest";
import type { SearchIndex, SearchQuery } from "../../../src/ports/search-index.ts";
import { numberStarts } from "../../../src/text/number-first.ts";
import {
  condition,
  found,
  foundInOrder,
  idOf,
  OPEN_LINK,
  queryFor,
  record,
  SOME_STAFF,
  STAFF,
  suggestQueryFor,
  VISITORS,
} from "./search-documents.ts";

export type OpenIndex = () => Promise<{ index: SearchIndex; close(): Promise<void> }>;

type Engine = {
  /** Several phrases, several prefixes, emoji, and short words whose first two letters have changed places are found. */
  isExact: boolean;
  /** Titles of expectations that this version of the engine does not meet. One that it meets fails here. */
  unmet?: readonly string[];
};

export function portExpectations(name: string, open: OpenIndex, { isExact, unmet = [] }: Engine): void {
  const titles: string[] = [];
  const it = (title: string, work: () => Promise<void>) => {
    titles.push(title);
    (unmet.includes(title) ? always.fails : always)(title, work);
  };

  describe(`${name}: words`, () => {
    const index = opened(open, [
      record(1, { title: "Harbour with red boats", idno: "1998.4.2" }),
      record(2, {
        title: "Red house",
        publicText: [{ weight: "D", text: "seen from the harbour, x-ray of 1998" }],
      }),
      record(3, {
        title: "Boats, red ones, at Zürich",
        idno: "1998.4.17",
        publicText: [{ weight: "C", text: "4 x 2 cm" }],
      }),
      record(4, { title: "Дом у озера", publicText: [{ weight: "B", text: "quilt, Øresund" }] }),
      record(5, {
        title: "北斎の富士",
        publicText: [{ weight: "C", text: "Photographed 🗻", stems: ["en:photograph"] }],
      }),
      record(6, {
        title: "Photograph",
        publicText: [{ weight: "A", text: "Photograph", stems: ["en:photograph"] }],
      }),
      record(7, { title: "Dredger", publicText: [{ weight: "C", text: "circa 1887" }] }),
      record(8, { title: "Dredger", publicText: [{ weight: "C", text: "vers 1887" }] }),
      record(9, { title: "Dredger", publicText: [{ weight: "C", text: "1887, in CA" }] }),
    ]);

    const searches: [string, string, number[]][] = [
      ["all of them, wherever they stand", "harbour red", [1, 2]],
      ["whatever their order", "boats red", [1, 3]],
      ["without case and accents", "ZURICH", [3]],
      ["of other scripts", "озера", [4]],
      ["with a letter that stands for two", "oresund", [4]],
      ["with a q", "quilt", [4]],
      ["a phrase", '"red boats"', [1]],
      ["a phrase of one word", '"harbour"', [1, 2]],
      ["a number of parts", "1998.4.2", [1]],
      ["a hyphen", "x-ray", [2]],
      ["no phrase over the end of a value", '"house seen"', []],
      ["what is not there", "red -house", [1, 3]],
      ["what is not there only", "-red", [4, 5, 6, 7, 8, 9]],
      ["a phrase that is not there", 'red -"red boats"', [2, 3]],
      ["a beginning", "har*", [1, 2]],
      ["a beginning and a word", "bo* zurich", [3]],
      ["what is about a year, however that is written", "ca. 1887", [7, 8]],
      ["the same as a phrase", '"c. 1887"', [7, 8]],
      ["the same in German", "um 1887", [7, 8]],
      ["words by a stem that is one of them", "photographing~photograph", [5, 6]],
      ["a beginning of another script", "озе*", [4]],
      ["letters of a script without blanks", '"富士"', [5]],
      ["not the same letters in another order", '"士富"', []],
      ["a word by its stem", "photographs~photograph", [5, 6]],
      ["a word that is not there by its stem", "-photographs~photograph", [1, 2, 3, 4, 7, 8, 9]],
      ["no word by a stem that was not asked for", "photographing", []],
      ["nothing", "elephant", []],
      ["everything", "", [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ];
    if (isExact)
      searches.push(
        ["two phrases, both", '"red boats" "with red"', [1]],
        ["two phrases in two texts", '"red house" "the harbour"', [2]],
        ["two phrases, one of which nobody has", '"red boats" "red elephants"', []],
        ["a beginning that is not there", "red -zur*", [1, 2]],
        ["two beginnings", "har* boa*", [1]],
        ["a number that goes on", "1998.4.1*", [3]],
        ["an emoji", "🗻", [5]],
        ["a stem and a word", "photographs~photograph 🗻", [5]],
      );
    for (const [what, text, expected] of searches) it(`finds ${what}`, () => finds(text, expected));

    async function finds(text: string, expected: number[]): Promise<void> {
      const query = queryFor(text);
      expect(await found(index(), query)).toEqual(expected);
      expect(await index().find({ ...query, limit: 0 })).toMatchObject({
        total: expected.length,
        isLeast: false,
      });
    }

    it("puts what stands in a title before what stands in a description", async () => {
      expect(await foundInOrder(index(), queryFor("harbour"))).toEqual([1, 2]);
    });

    it("puts a word itself before its stem", async () => {
      expect(await foundInOrder(index(), queryFor("photographs~photograph"))).toEqual([6, 5]);
    });

    it("scores where there are words, and only there", async () => {
      const { hits } = await index().find(queryFor("harbour"));
      expect(hits.every(({ score }) => score > 0)).toBe(true);
      expect((await index().find(queryFor(""))).hits.map(({ score }) => score)).toEqual(Array(9).fill(0));
    });

    it("gives the newest first where there are no words", async () => {
      expect(await foundInOrder(index(), queryFor(""))).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    });
  });

  describe(`${name}: numbers`, () => {
    const index = opened(open, [
      record(1, { title: "A wreck", idno: "W.7.1" }),
      record(2, { title: "A wreck", idno: "W.7" }),
      record(3, { title: "W.7 W.7 W.7", idno: "N.1" }),
      record(4, { title: "W.7 drawn", idno: "N.2" }),
      record(5, { title: "A wreck", idno: "K.3" }),
      record(6, { title: "A wreck", idno: "K.03" }),
    ]);

    it("put the number as it was typed before one with other zeros", async () => {
      const first = async (typed: string) =>
        (await foundInOrder(index(), queryFor(typed, { numbers: numberStarts(typed) })))[0];
      expect([await first("K.3"), await first("K.03")]).toEqual([5, 6]);
    });

    it("put the record with the number that was typed first, and then those that begin so", async () => {
      for (const typed of ["W.7", "w‑7"]) {
        const asked = { numbers: numberStarts(typed) };
        const ranked = await foundInOrder(index(), queryFor(typed, asked));
        expect([ranked.slice(0, 2), ranked.slice(2).toSorted()]).toEqual([
          [2, 1],
          [3, 4],
        ]);
        const second = await index().find(queryFor(typed, { ...asked, offset: 1, limit: 1 }));
        expect(second.hits.map(({ id }) => id)).toEqual([idOf(1)]);
      }
    });
  });

  describe(`${name}: names`, () => {
    const index = opened(open, [
      record(1, { title: "Hokusai, Katsushika", recordType: "entity" }),
      record(2, { title: "Katsushika Hokusai" }),
      record(3, { title: "Katsushika Hokusai" }),
      record(4, { title: "Circle of Katsushika Hokusai", recordType: "entity" }),
    ]);

    it("put the person whose name was typed before other records that are as good", async () => {
      const names = ["katsushika hokusai", "hokusai katsushika"];
      for (const text of ["katsushika hokusai", "hokusai katsushika"])
        expect((await foundInOrder(index(), queryFor(text, { names })))[0]).toBe(1);
      const second = await index().find(queryFor("hokusai", { names, offset: 1, limit: 1 }));
      expect(second.total).toBe(4);
      expect(second.hits[0]!.id).not.toBe(idOf(1));
    });
  });

  describe(`${name}: a record with more words than an index may hold`, () => {
    const many = (word: (n: number) => string) => Array.from({ length: 17_000 }, (_, n) => word(n));
    const sums = many((n) => `${n}x`.padEnd(64, "0f9ab3"));
    const names = many((n) => `${n}я`.padEnd(40, "щя"));
    const plain = many((n) => `w${n}`);
    const text = (words: readonly string[], stems: readonly string[] = []) =>
      [{ weight: "C", text: words.join(" "), stems }] as const;
    const index = opened(open, [
      record(1, { title: "Ledger of sums", publicText: text(sums) }),
      record(2, { title: "Ledger of names", publicText: text(names) }),
      record(3, {
        title: "Ledger of words",
        publicText: [
          ...text(
            plain,
            plain.map((word) => `en:${word}`),
          ),
          ...text(["afterwards"]),
        ],
      }),
    ]);

    it("is found by its title, and by those that come first", async () => {
      expect(await found(index(), queryFor("ledger"))).toEqual([1, 2, 3]);
      expect(await found(index(), queryFor(sums[5]!))).toEqual([1]);
      expect(await found(index(), queryFor(`"${names[5]} ${names[6]}"`))).toEqual([2]);
    });

    it("loses stems before words", async () => {
      expect(await found(index(), queryFor("afterwards"))).toEqual([3]);
      expect(await found(index(), queryFor("w16999"))).toEqual([3]);
    });
  });

  describe(`${name}: typing errors`, () => {
    const index = opened(open, [
      record(1, { title: "Harbour at night" }),
      record(2, { title: "Windmill by day" }),
      record(3, { title: "Secret cargo", status: "draft" }),
      record(4, { title: "Walker, after Goya" }),
    ]);

    const misspelt = {
      walker: ["wlaker", "wakler", "walkre", "waler", "wallker", "wolker"],
      goya: ["goia", "gova", "hoya", "goyb", "gyoa", ...(isExact ? ["ogya"] : [])],
    };
    for (const [to, words] of Object.entries(misspelt))
      for (const word of words)
        it(`of one letter, or of two that have changed places, are corrected in short words: ${word}`, async () => {
          const answer = await index().find(queryFor(word));
          expect(answer).toMatchObject({ total: 1, corrections: [{ from: word, to }] });
        });
    it("are corrected when nothing matches, and what was searched instead is told", async () => {
      const answer = await index().find(queryFor("harbuor night"));
      expect(answer).toMatchObject({ total: 1, corrections: [{ from: "harbuor", to: "harbour" }] });
      expect(answer.hits[0]!.id).toBe(idOf(1));
    });
    it("are none when something matches", async () => {
      expect((await index().find(queryFor("harbour"))).corrections).toEqual([]);
    });
    it("leave the other words as they are", async () => {
      expect(await index().find(queryFor("harbuor day"))).toMatchObject({ total: 0, corrections: [] });
    });
    it("are not looked for in words that somebody finds something by", async () => {
      expect(await index().find(queryFor("night day"))).toMatchObject({ total: 0, corrections: [] });
    });
    it("are not looked for in what stands in quotation marks", async () => {
      expect(await index().find(queryFor('"harbuor"'))).toMatchObject({ total: 0, corrections: [] });
    });
    it("are never corrected to what the reader may not see", async () => {
      expect(await index().find(queryFor("secrat"))).toMatchObject({ total: 0, corrections: [] });
      expect(await index().find(queryFor("secrat", { scopes: [STAFF] }))).toMatchObject({
        total: 1,
        corrections: [{ from: "secrat", to: "secret" }],
      });
    });
  });

  describe(`${name}: beginnings of words`, () => {
    const index = opened(open, [
      record(1, { title: "Katsushika" }),
      record(2, { title: "Print by Toulouse-Lautrec" }),
      record(3, { title: "Print by Katsukawa" }),
      record(4, { title: "Nightingale by day" }),
      record(5, { title: "Night" }),
      record(6, { title: "Katsuobushi", status: "draft" }),
      record(7, { title: "Kazoo" }),
    ]);
    const instead = async (text: string, told = {}) => {
      const { total, corrections } = await index().find(queryFor(text, told));
      return [total, corrections];
    };

    it("are tried before corrections when a word finds nothing", async () => {
      expect(await instead("katsu")).toEqual([2, [{ from: "katsu", to: "katsu*" }]]);
      expect(await instead("katsu", { scopes: [STAFF] })).toEqual([3, [{ from: "katsu", to: "katsu*" }]]);
      expect(await instead("katsu print")).toEqual([1, [{ from: "katsu", to: "katsu*" }]]);
      // one letter from "kazoo"
      expect(await instead("kazo")).toEqual([1, [{ from: "kazo", to: "kazo*" }]]);
      const compound = [{ from: "toulouse lautr", to: "toulouse lautr*" }];
      expect(await instead("Toulouse-Lautr")).toEqual([1, compound]);
    });
    it("are not tried where the word finds something, nor for what somebody means as it is", async () => {
      for (const text of ["night day", '"katsu"', "-katsu print night", "ka", "katsuo"])
        expect(await instead(text)).toEqual([0, []]);
      expect(await instead("katsu", { asTyped: true })).toEqual([0, []]);
    });
    it("go together with corrections", async () => {
      if (isExact)
        expect(await instead("katsuk pirnt")).toEqual([
          1,
          [
            { from: "katsuk", to: "katsuk*" },
            { from: "pirnt", to: "print" },
          ],
        ]);
    });
  });

  describe(`${name}: who may find what`, () => {
    const index = opened(open, [
      record(1, {
        title: "Vase",
        publicText: [{ weight: "B", text: "glazed" }],
        staffText: [{ weight: "D", text: "bequeathed by Nightingale" }],
        linkedText: [{ weight: "B", text: "Moonlight Deal" }],
        facets: { material: ["clay"], donor: ["Nightingale"] },
      }),
      record(2, { title: "Vase, a draft", status: "draft", facets: { material: ["unobtainium"] } }),
      record(3, { title: "Vase, internal", status: "internal" }),
      record(4, { title: "Vase on loan", collectionStatus: "on_loan_out" }),
      record(5, {
        title: "Vase maker",
        recordType: "entity",
        staffText: [{ weight: "D", text: "owes Thaddeus money" }],
      }),
      record(6, { title: "Vase shelf", recordType: "storage_location", status: "internal" }),
    ]);

    it("visitors find public records of the kinds and collection statuses that are theirs", async () => {
      expect(await found(index(), queryFor("vase"))).toEqual([1, 5]);
    });
    it("visitors find nothing else, whatever statuses are asked for", async () => {
      const scope = { ...VISITORS, statuses: ["draft", "internal", "public"] as const };
      expect(await found(index(), queryFor("vase", { scopes: [scope] }))).toEqual([1, 5]);
      expect(await found(index(), queryFor("", { scopes: [scope] }))).toEqual([1, 5]);
      const drafts = { ...VISITORS, statuses: ["draft"] as const };
      for (const hit of await found(index(), queryFor("", { scopes: [drafts] })))
        expect([1, 5]).toContain(hit);
    });
    it("staff find what they ask for", async () => {
      expect(await found(index(), queryFor("vase", { scopes: [STAFF] }))).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await found(index(), queryFor("vase", { scopes: [{ ...STAFF, statuses: ["draft"] }] }))).toEqual(
        [2],
      );
      expect(await found(index(), queryFor("vase", { scopes: [SOME_STAFF] }))).toEqual([1, 2, 3, 4]);
    });
    it("who may see no kind finds nothing", async () => {
      expect(await found(index(), queryFor("", { scopes: [{ ...VISITORS, recordTypes: [] }] }))).toEqual([]);
    });
    for (const text of [
      "nightingale",
      "moonlight",
      '"moonlight deal"',
      "moon*",
      "nightin*",
      '"bequeathed by"',
      "unobtainium",
    ])
      it(`visitors do not find ${text}, nor records without it`, async () => {
        expect(await found(index(), queryFor(text))).toEqual([]);
        expect(await found(index(), queryFor(`vase -${text}`))).toEqual([1, 5]);
      });
    it("staff find private words, and titles of linked records when they may read every kind", async () => {
      expect(await found(index(), queryFor("nightingale", { scopes: [SOME_STAFF] }))).toEqual([1]);
      expect(await found(index(), queryFor("moonlight", { scopes: [SOME_STAFF] }))).toEqual([]);
      expect(await found(index(), queryFor("moonlight", { scopes: [STAFF] }))).toEqual([1]);
      expect(await found(index(), queryFor("vase -moonlight", { scopes: [STAFF] }))).toEqual([2, 3, 4, 5, 6]);
    });
    it("staff who may not read every kind find what is public of the others, by what is public of it", async () => {
      const scopes = [SOME_STAFF, { ...VISITORS, recordTypes: ["entity", "place"] }];
      expect(await found(index(), queryFor("vase", { scopes }))).toEqual([1, 2, 3, 4, 5]);
      expect(await found(index(), queryFor("", { scopes }))).toEqual([1, 2, 3, 4, 5]);
      expect(await found(index(), queryFor("vase maker", { scopes }))).toEqual([5]);
      expect(await found(index(), queryFor('"vase maker"', { scopes }))).toEqual([5]);
      expect(await found(index(), queryFor("nightingale", { scopes }))).toEqual([1]);
      expect(await found(index(), queryFor("vase -nightingale", { scopes }))).toEqual([2, 3, 4, 5]);
      for (const text of ["thaddeus", "thad*", '"owes thaddeus"', "moonlight"]) {
        expect(await found(index(), queryFor(text, { scopes }))).toEqual([]);
        expect(await found(index(), queryFor(`maker -${text}`, { scopes }))).toEqual([5]);
      }
      expect(await index().find(queryFor("thaddues", { scopes }))).toMatchObject({
        total: 0,
        corrections: [],
      });
      expect(await found(index(), queryFor("thaddeus", { scopes: [STAFF] }))).toEqual([5]);
      const { records } = await index().suggest(suggestQueryFor("vase", { scopes }));
      expect(new Set(records)).toEqual(new Set([1, 2, 3, 4, 5].map(idOf)));
    });
    it("what visitors may not see is in no answer to them", async () => {
      const answers = [
        await index().find(queryFor("vase", { facets: ["material"] })),
        await index().find(queryFor("nightingole moonlihgt")),
        await index().suggest(suggestQueryFor("v", { fields: ["material"] })),
        await index().suggest(suggestQueryFor("moon", { fields: ["material"] })),
        await index().suggest(suggestQueryFor("unob", { fields: ["material"] })),
      ];
      expect(JSON.stringify(answers)).not.toMatch(/nightingale|moonlight|unobtainium|bequeathed/i);
      expect(answers[0]).toMatchObject({ facets: { material: [{ value: "clay", count: 1 }] } });
    });
  });

  describe(`${name}: fields`, () => {
    const days = (year: number) => Date.UTC(year, 0) / 86_400_000;
    const span = (from: number, to: number) => ({ from: days(from), to: days(to) });
    const index = opened(open, [
      record(1, {
        facets: { material: ["Oil on canvas", "canvas"], place: ["Paris, France"] },
        ranges: { date: [span(1800, 1810), span(1900, 1910)], height: [{ from: 12.3, to: 12.3 }] },
        links: [{ id: idOf(5), isPublic: true }],
      }),
      record(2, {
        facets: { material: ["oil on paper"] },
        ranges: { date: [{ from: Number.NEGATIVE_INFINITY, to: days(1850) }] },
        links: [{ id: idOf(5), isPublic: false }],
      }),
      record(3, { facets: { material: ["Paper, on canvas"] }, ranges: { height: [{ from: -3, to: -3 }] } }),
      record(4, { facets: { hue: ["a && b", "`, status:=draft", "x) || (y"] } }),
      record(5, { recordType: "entity", title: "Maker" }),
    ]);
    const by = (field: string, rest: Record<string, unknown>) =>
      found(index(), queryFor("", { conditions: [condition(field, rest)] }));

    it("are filtered by whole values, to the letter", async () => {
      expect(await by("material", { op: "is", values: ["Oil on canvas"] })).toEqual([1]);
      expect(await by("material", { op: "is", values: ["oil on canvas"] })).toEqual([]);
      expect(await by("material", { op: "is", values: ["canvas", "oil on paper"] })).toEqual([1, 2]);
      expect(await by("place", { op: "is", values: ["canvas"] })).toEqual([]);
      expect(await by("nobody_has_it", { op: "is", values: ["canvas"] })).toEqual([]);
    });
    it("are filtered by words in their values", async () => {
      expect(await by("material", { op: "contains", words: ["canvas"] })).toEqual([1, 3]);
      expect(await by("material", { op: "contains", words: ["on", "canvas"] })).toEqual([1, 3]);
      expect(await by("material", { op: "contains", words: ["can"] })).toEqual([]);
    });
    if (isExact) {
      it("are filtered by words that stand side by side", async () => {
        expect(await by("material", { op: "contains", words: ["canvas", "canvas"] })).toEqual([]);
        expect(await by("material", { op: "contains", words: ["canvas", "on"] })).toEqual([]);
      });
    }
    it("are filtered by how their values begin", async () => {
      expect(await by("material", { op: "starts", words: ["oil"] })).toEqual([1, 2]);
      expect(await by("material", { op: "starts", words: ["oil", "on", "pa"] })).toEqual([2]);
      expect(await by("material", { op: "starts", words: ["canvas"] })).toEqual([1]);
      expect(await by("material", { op: "starts", words: ["n"] })).toEqual([]);
    });
    it("are filtered by spans, each of its own", async () => {
      const between = (from: number, to: number) =>
        by("date", { op: "between", from: days(from), to: days(to) });
      expect(await between(1805, 1806)).toEqual([1, 2]);
      expect(await between(1860, 1870)).toEqual([]);
      expect(await between(1840, 1950)).toEqual([1, 2]);
      expect(await between(-4000, -3000)).toEqual([2]);
      expect(await by("date", { op: "between", from: days(1905), to: Number.POSITIVE_INFINITY })).toEqual([
        1,
      ]);
      expect(await by("height", { op: "between", from: 12.3, to: 12.3 })).toEqual([1]);
      expect(await by("height", { op: "between", from: 12, to: 12.299999999999999 })).toEqual([]);
      expect(await by("height", { op: "between", from: 12.300000000000002, to: 13 })).toEqual([]);
      expect(await by("height", { op: "between", from: -10, to: 0 })).toEqual([3]);
      expect(await by("nobody_has_it", { op: "between", from: 0, to: 1 })).toEqual([]);
      const old = condition("date", { op: "between", from: days(100), to: days(200) });
      const oil = condition("material", { op: "starts", words: ["oil"] });
      expect(await found(index(), queryFor("", { conditions: [oil, old] }))).toEqual([2]);
      expect(await found(index(), queryFor("", { anyOf: [oil, old] }))).toEqual([1, 2]);
    });
    it("are filtered by whether they have a value", async () => {
      expect(await by("date", { op: "exists" })).toEqual([1, 2]);
      expect(await by("date", { op: "missing" })).toEqual([3, 4, 5]);
      expect(await by("nobody_has_it", { op: "exists" })).toEqual([]);
      expect(await by("nobody_has_it", { op: "missing" })).toEqual([1, 2, 3, 4, 5]);
    });
    it("are filtered by all conditions, and by one of others", async () => {
      const [oil, france, paper] = [
        condition("material", { op: "contains", words: ["oil"] }),
        condition("place", { op: "contains", words: ["france"] }),
        condition("material", { op: "is", values: ["oil on paper"] }),
      ];
      expect(await found(index(), queryFor("", { conditions: [oil, france] }))).toEqual([1]);
      expect(await found(index(), queryFor("", { conditions: [oil], anyOf: [france, paper] }))).toEqual([
        1, 2,
      ]);
      expect(await found(index(), queryFor("", { anyOf: [condition("none", { op: "exists" })] }))).toEqual(
        [],
      );
    });
    it("take values that look like a filter as values", async () => {
      for (const value of ["a && b", "`, status:=draft", "x) || (y"]) {
        expect(await by("hue", { op: "is", values: [value] })).toEqual([4]);
      }
      for (const value of ["a", "` || status:=draft", "*", "[*]", "x) || (id:*", "\\`", "", "!=x", "a,b"]) {
        expect(await by("hue", { op: "is", values: [value] })).toEqual([]);
      }
    });
    it("are counted over all hits, most frequent first", async () => {
      const { facets, total } = await index().find(
        queryFor("", { facets: ["material", "nobody_has_it"], limit: 1 }),
      );
      expect(total).toBe(5);
      expect(new Set(facets.material)).toEqual(
        new Set(
          ["Oil on canvas", "canvas", "oil on paper", "Paper, on canvas"].map((value) => ({
            value,
            count: 1,
          })),
        ),
      );
      expect(facets.nobody_has_it).toEqual([]);
    });
    it("links are filters, too; visitors follow those that they may know of", async () => {
      const ids = [idOf(5), idOf(99)];
      const open = [{ ids, relationTypes: [OPEN_LINK] }];
      expect(await found(index(), queryFor("", { links: open }))).toEqual([1]);
      expect(await found(index(), queryFor("", { links: open, scopes: [STAFF] }))).toEqual([1]);
      const links = [{ ids, relationTypes: null }];
      expect(await found(index(), queryFor("", { links, scopes: [STAFF] }))).toEqual([1, 2]);
      expect(await found(index(), queryFor("", { links: [{ ids: [], relationTypes: null }] }))).toEqual([]);
    });
  });

  describe(`${name}: order, pages and suggestions`, () => {
    const index = opened(open, [
      record(1, {
        title: "Canal in Venice",
        idno: "OBJ-3",
        facets: { material: ["oil", "oil and gold"], picture: ["private"] },
        ranges: { date: [{ from: -30_000, to: -29_000 }] },
      }),
      record(2, {
        title: "Bridge",
        idno: "OBJ-1",
        facets: { material: ["oil"], picture: ["public"] },
        ranges: { date: [{ from: 500, to: 501 }] },
      }),
      record(3, { title: "Alley, Venetian", idno: "OBJ-2", facets: { material: ["Oil paint"] } }),
      record(4, { title: "Venom", status: "draft", facets: { material: ["oilskin"] } }),
    ]);

    it("sorts by what is asked for, either way", async () => {
      const sorted = (by: SearchQuery["sort"]["by"], direction: "asc" | "desc") =>
        foundInOrder(index(), queryFor("", { sort: { by, direction } }));
      expect(await sorted("idno", "asc")).toEqual([2, 3, 1]);
      expect(await sorted("title", "asc")).toEqual([3, 2, 1]);
      expect(await sorted("title", "desc")).toEqual([1, 2, 3]);
      expect(await sorted("created_at", "asc")).toEqual([1, 2, 3]);
      expect(await sorted("updated_at", "desc")).toEqual([3, 2, 1]);
      // what has no date comes last
      expect(await sorted("date", "asc")).toEqual([1, 2, 3]);
      expect(await sorted("date", "desc")).toEqual([2, 1, 3]);
    });
    it("without words, those with a preferred value come first, then the newest", async () => {
      const ordered = (values: string[], q = "") =>
        foundInOrder(index(), queryFor(q, { first: { field: "picture", values } }));
      expect(await ordered(["public"])).toEqual([2, 3, 1]);
      expect(await ordered(["public"], "-canal")).toEqual([2, 3]);
      expect(await ordered(["private"])).toEqual([1, 3, 2]);
      expect(await ordered(["public", "private"])).toEqual([2, 1, 3]);
      expect(await ordered(["other"])).toEqual([3, 2, 1]);
    });
    it("gives pages", async () => {
      const page = (offset: number) => foundInOrder(index(), queryFor("", { offset, limit: 2 }));
      expect([await page(0), await page(2), await page(4)]).toEqual([[2, 3], [1], []]);
    });
    it("suggests titles, and values with their counts", async () => {
      const { records, terms } = await index().suggest(suggestQueryFor("ven"));
      expect(new Set(records)).toEqual(new Set([idOf(1), idOf(3)]));
      const canals = await index().suggest(suggestQueryFor("canal in"));
      expect(canals.records).toEqual([idOf(1)]);
      expect(terms).toEqual([]);
      // the second word of a title, from its first letter on; but not without the word before it
      for (const typed of ["venetian a", "venetian al", "alley v", "alley ve"])
        expect((await index().suggest(suggestQueryFor(typed))).records, typed).toEqual([idOf(3)]);
      expect((await index().suggest(suggestQueryFor("venetian b"))).records).toEqual([]);
      expect((await index().suggest(suggestQueryFor("🎨"))).records).toEqual([]);
      expect((await index().suggest(suggestQueryFor("oil", { fields: ["material"] }))).terms).toEqual([
        { field: "material", value: "oil", count: 2 },
        { field: "material", value: "Oil paint", count: 1 },
        { field: "material", value: "oil and gold", count: 1 },
      ]);
      expect((await index().suggest(suggestQueryFor("gold", { fields: ["material"] }))).terms).toEqual([]);
      expect((await index().suggest(suggestQueryFor("ven", { titledTypes: ["entity"] }))).records).toEqual(
        [],
      );
      expect((await index().suggest(suggestQueryFor("ven", { limit: 1 }))).records).toHaveLength(1);
      expect((await index().suggest(suggestQueryFor("ven", { scopes: [STAFF] }))).records).toHaveLength(3);
    });
  });

  describe(`${name}: what is put and taken out`, () => {
    it("is found as it was put last, and walked in the order of ids", async () => {
      const { index, close } = await open();
      onTestFinished(close);
      await index.ping();
      await index.put([
        record(2, { title: "Second" }),
        record(1, { title: "First" }),
        record(3, { title: "Third" }),
      ]);
      await index.put([record(2, { title: "Another", recordType: "place", facets: { material: ["tin"] } })]);
      expect(await found(index, queryFor("second"))).toEqual([]);
      expect(await found(index, queryFor("another", { facets: ["material"] }))).toEqual([2]);
      await index.remove([idOf(3), idOf(4)]);
      expect(await index.walk(null, 10)).toEqual([
        { id: idOf(1), recordType: "object", status: "public" },
        { id: idOf(2), recordType: "place", status: "public" },
      ]);
      expect((await index.walk(null, 1)).map(({ id }) => id)).toEqual([idOf(1)]);
      expect((await index.walk(idOf(1), 10)).map(({ id }) => id)).toEqual([idOf(2)]);
      expect(await index.walk(idOf(2), 10)).toEqual([]);
      await index.put([]);
      await index.remove([]);
    });

    it("a new generation replaces the old one when it is whole, and not before", async () => {
      const { index, close } = await open();
      onTestFinished(close);
      const { generations } = index;
      await index.put([record(1, { title: "Old" }), record(2, { title: "Old", recordType: "entity" })]);
      expect(await generations.isBuilding()).toBe(false);
      await generations.begin();
      expect(await generations.isBuilding()).toBe(true);
      await generations.put([record(3, { title: "New" }), record(4, { title: "Gone again" })]);
      await generations.remove([idOf(4)]);
      expect(await found(index, queryFor(""))).toEqual([1, 2]);
      await generations.swap();
      expect(await found(index, queryFor(""))).toEqual([3]);
      expect(await found(index, queryFor("old"))).toEqual([]);
      expect(await generations.isBuilding()).toBe(false);
      await index.put([record(5)]);
      expect(await found(index, queryFor(""))).toEqual([3, 5]);
    });

    it("a generation that is given up leaves nothing, and one that is begun again is empty", async () => {
      const { index, close } = await open();
      onTestFinished(close);
      const { generations } = index;
      await index.put([record(1)]);
      await generations.begin();
      await generations.put([record(2)]);
      await generations.drop();
      expect(await generations.isBuilding()).toBe(false);
      expect(await found(index, queryFor(""))).toEqual([1]);
      await generations.begin();
      await generations.put([record(3)]);
      await generations.begin();
      await generations.put([record(4)]);
      await generations.swap();
      expect(await found(index, queryFor(""))).toEqual([4]);
    });
  });

  if (unmet.length > 0)
    always(`${name}: the expectations that are not met exist`, () =>
      expect(unmet.filter((title) => !titles.includes(title))).toEqual([]),
    );
}

/** An index with these records, for the tests of one group. */
function opened(open: OpenIndex, documents: readonly ReturnType<typeof record>[]): () => SearchIndex {
  let there: Awaited<ReturnType<OpenIndex>>;
  beforeAll(async () => {
    there = await open();
    await there.index.put(documents);
  });
  afterAll(() => there.close());
  return () => there.index;
}
