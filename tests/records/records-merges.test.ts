/** A merge works by field and language: what a list does not give stays, in its order. */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createPreview } from "../../src/imports/report/preview.ts";
import { previewText } from "../../src/imports/report/preview-text.ts";
import { ENGLISH, translator } from "../../src/messages/translate.ts";
import { type Entry, type Metadata, mergedEntries } from "../../src/records/record.ts";
import { bulk } from "../support/museum/catalogue.ts";
import { importRoom, MAKERS } from "../support/museum/import-room.ts";
import { museumHere, quickest } from "../support/museum/museum.ts";

const LANGUAGES = ["fr", "de", "en", undefined] as const;
const entry = fc
  .tuple(fc.constantFrom("boat", "ship", "a | b", "Nef", "Kahn", "x"), fc.constantFrom(...LANGUAGES))
  .map(([value, lang]): Entry => (lang === undefined ? { value } : { value, lang }));
const entries = fc.array(entry, { maxLength: 8 });
const of = (list: readonly Entry[], languages: readonly (string | undefined)[]) =>
  list.filter(({ lang }) => languages.includes(lang));

describe("values merged by language", () => {
  it("leave those of all other languages as they were, in the same order", () => {
    fc.assert(
      fc.property(entries, entries, (old, given) => {
        const others = LANGUAGES.filter((lang) => !given.some((one) => one.lang === lang));
        expect(of(mergedEntries(old, given), others)).toEqual(of(old, others));
      }),
    );
  });

  it("are, in each language given, exactly the given ones", () => {
    const sorted = (list: readonly Entry[]) => list.map(({ value }) => value).sort();
    fc.assert(
      fc.property(entries, entries, (old, given) => {
        for (const lang of new Set(given.map((one) => one.lang)))
          expect(sorted(of(mergedEntries(old, given), [lang]))).toEqual(sorted(of(given, [lang])));
      }),
    );
  });

  it("do not change when they are there already, in any order", () => {
    const some = entries.chain((old) =>
      fc.tuple(
        fc.constant(old),
        fc.shuffledSubarray(old, { minLength: old.length }),
        fc.subarray([...LANGUAGES]),
      ),
    );
    fc.assert(
      fc.property(some, ([old, shuffled, languages]) => {
        expect(mergedEntries(old, shuffled)).toEqual(old);
        expect(mergedEntries(old, of(shuffled, languages))).toEqual(old);
      }),
    );
  });

  it("take the place of one of their language, and otherwise come last", () => {
    const old = [{ value: "Nef", lang: "fr" }, { value: "Kahn", lang: "de" }, { value: "ship" }];
    const given = [{ value: "vessel" }, { value: "Schiff", lang: "DE" }, { value: "Boot", lang: "DE" }];
    expect(mergedEntries(old, [{ value: "boat", lang: "en" }, ...given])).toEqual([
      { value: "Nef", lang: "fr" },
      { value: "Schiff", lang: "DE" },
      { value: "vessel" },
      { value: "boat", lang: "en" },
      { value: "Boot", lang: "DE" },
    ]);
  });
});

describe("bulk lines with merge", async () => {
  const museum = await museumHere();
  const editor = await museum.as("editor");

  const merge = async (idno: string, metadata_: object, more = {}) =>
    (await bulk(editor, "objects?upsert=merge", [{ idno, metadata_, ...more }]))[0]!;
  async function metadata(idno: string): Promise<Metadata> {
    const list = (await (await editor(`/v1/objects?idno=${idno}`)).json()) as {
      items: { metadata_: Metadata }[];
    };
    return list.items[0]!.metadata_;
  }

  const before: Metadata = {
    title: [
      { value: "Nef", lang: "fr" },
      { value: "Kahn", lang: "de" },
    ],
    subject: [{ value: "mer", lang: "fr" }, { value: "rock" }, { value: "port", lang: "fr" }],
    edition: [{ value: "1st", lang: "en" }],
  };

  it("change one language of a field, and empty it only when told", async () => {
    expect(await merge("L.1", before, { object_type: "painting" })).toMatchObject({ outcome: "created" });
    const stored = await metadata("L.1");
    const reversed = Object.fromEntries(
      Object.entries(before)
        .reverse()
        .map(([name, list]) => [name, [...list].reverse()]),
    );
    expect(await merge("L.1", reversed)).toMatchObject({ outcome: "unchanged" });
    expect(await metadata("L.1")).toEqual(stored);

    expect(await merge("L.1", { title: [{ value: " Schiff ", lang: "de" }] })).toMatchObject({
      outcome: "updated",
    });
    expect(await metadata("L.1")).toEqual({
      ...before,
      title: [
        { value: "Nef", lang: "fr" },
        { value: "Schiff", lang: "de" },
      ],
    });
    expect(await merge("L.1", { subject: [], title: null })).toMatchObject({ outcome: "updated" });
    expect(await metadata("L.1")).toEqual({ edition: before.edition });
  });

  it("replace the value of a field that has only one, in any language", async () => {
    await merge("L.2", { edition: before.edition! }, { object_type: "painting" });
    expect(await merge("L.2", { edition: [{ value: "2nd" }] })).toMatchObject({ outcome: "updated" });
    expect(await metadata("L.2")).toEqual({ edition: [{ value: "2nd" }] });
  });

  it("name faults by their place in the line", async () => {
    await merge("L.3", { title: before.title! }, { object_type: "painting" });
    const bad = [
      { value: "x", lang: "en" },
      { value: "y", lang: "german" },
    ];
    expect((await merge("L.3", { title: bad })).errors).toEqual([
      expect.objectContaining({ pointer: "/metadata_/title/1/lang" }),
    ]);
    const twice = [{ value: "x" }, { value: "y" }];
    expect((await merge("L.3", { edition: twice })).errors).toEqual([
      expect.objectContaining({ pointer: "/metadata_/edition/1", code: "field.one_entry" }),
    ]);
  });
});

describe("a list that is imported with merge", () => {
  const room = importRoom(quickest);
  const merge = { upsertStrategy: "merge" } as const;
  const inGerman = { No: "__idno__", "title (de)": { target: "title", lang: "de" } };
  const both = { "title (fr)": { target: "title", lang: "fr" }, ...inGerman };
  const titles = async () => (await room.records()).map(({ metadata }) => (metadata as Metadata).title);
  const stored = [
    { value: "Nef", lang: "fr" },
    { value: "Kahn", lang: "de" },
  ];
  beforeEach(() => room.run("No,title (fr),title (de)\n1,Nef,Kahn\n", both));

  it("changes only the languages of its columns, and an empty cell changes nothing", async () => {
    await room.run("No,title (de)\n1,Schiff\n", inGerman, merge);
    expect(await titles()).toEqual([[stored[0], { value: "Schiff", lang: "de" }]]);
    await room.run("No,title (de),title (fr)\n1,Kahn,\n", both, merge);
    expect(await titles()).toEqual([stored]);
  });

  it("changes nothing if it has the same values, in any order of its columns", async () => {
    const turned = { ...inGerman, ...both };
    expect(await room.run("title (de),title (fr),No\nKahn,Nef,1\n", turned, merge)).toMatchObject({
      unchanged: 1,
    });
    expect(await titles()).toEqual([stored]);
  });

  it("is tried first, and the preview says in every language what would go", async () => {
    const tried = async (more: object) => {
      const preview = createPreview({ kind: "object", unit: "row" });
      preview.take(
        (await room.run("No,title (de)\n1,Schiff\n", inGerman, { dryRun: true, ...more })).outcomes,
      );
      return preview;
    };
    const merged = await tried(merge);
    expect(merged.json().fields).toEqual({
      title: {
        ...{ created: 0, changed: 1, removed: 0, example: "Schiff [de]" },
        ...{ lost: 1, lost_example: "Kahn [de]" },
      },
    });
    const replaced = await tried({ upsertStrategy: "replace" });
    expect(replaced.json().fields).toMatchObject({
      title: { lost: 2, lost_example: "Nef [fr] | Kahn [de]" },
    });
    for (const language of ["en", "de", "fr"] as const) {
      const t = translator(language);
      const table = previewText(t, replaced.parts());
      expect(table).toContain(t("job.preview.lost"));
      expect(table).toMatch(/title .*Schiff \[de\] .* 2 .*Nef \[fr\] \| Kahn \[de\]/);
    }
  });

  it("is tried first, and the preview counts the links that would go", async () => {
    await room.run("No,Title,Maker\n2,Boat,Ada\n", MAKERS);
    const preview = createPreview({ kind: "object", unit: "row" });
    const tried = { ...merge, dryRun: true };
    preview.take((await room.run("No,Title,Maker\n2,Boat,Bea\n", MAKERS, tried)).outcomes);
    expect(preview.json().relations).toEqual({
      "created_by → entity": { rows: 1, not_made: 0, example: "Bea", lost: 1, lost_example: "Ada" },
    });
    expect(previewText(ENGLISH, preview.parts())).toMatch(/created_by → entity +1 +Bea +1 +Ada/);
    expect(await room.links()).toEqual(["2 created_by Ada"]);
  });
});
