import { createReadStream, existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsv } from "../../src/imports/csv/csv.ts";
import { decode } from "../../src/imports/csv/decode.ts";
import { checkHeader, unusedColumns } from "../../src/imports/csv/header.ts";
import { csvTable } from "../../src/imports/csv/table.ts";
import type { MappedRow } from "../../src/imports/mapping/mapped-row.ts";
import { parseMapping } from "../../src/imports/mapping/mapping.ts";
import { mapRow } from "../../src/imports/mapping/row.ts";
import { said } from "../../src/messages/said.ts";
import { type Fault, Problem } from "../../src/problem.ts";
import type { Kind } from "../../src/records/kinds.ts";
import { allInEnglish } from "../support/lane/in-english.ts";
import { inLong } from "../support/lane/lane.ts";

type Cells = Record<string, string | string[]>;

function map(mapping: unknown, cells: Cells, kind: Kind = "object"): MappedRow {
  const values = Object.entries(cells).map(([column, cell]) => {
    return [column, typeof cell === "string" ? cell : cell.map((text) => ({ text }))] as const;
  });
  return allInEnglish(mapRow(parseMapping(mapping, kind), kind, { values: new Map(values) }));
}

/** The values of field `x` from column `c` after these transforms. */
function through(transforms: unknown[], cell: string, others: Cells = {}): string[] {
  const mapped = map({ c: { target: "x", transforms } }, { c: cell, ...others });
  expect(mapped.faults).toEqual([]);
  return mapped.fields.x?.map(({ value }) => value) ?? [];
}

function faultsOfMapping(mapping: unknown, kind?: Kind): readonly Fault[] {
  try {
    parseMapping(mapping, kind);
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).code).toBe("invalid");
    return allInEnglish((error as Problem).errors);
  }
  return [];
}

function pointersOf(mapping: unknown, kind?: Kind): string[] {
  return faultsOfMapping(mapping, kind).map(({ pointer }) => pointer);
}

describe("a condition", () => {
  const titled = (only_if: object, cells: Cells) =>
    map({ c: { target: "x", only_if } }, { c: "v", ...cells }).fields.x !== undefined;

  test("can require one of several texts, exclude texts, or use a pattern", () => {
    expect(titled({ column: "k", is: "Painting" }, { k: " painting " })).toBe(true);
    expect(titled({ column: "k", is: ["a", "b"] }, { k: "c" })).toBe(false);
    expect(titled({ column: "k", is: "" }, {})).toBe(true);
    expect(titled({ column: "k", is_not: "" }, { k: "" })).toBe(false);
    expect(titled({ column: "k", is_not: ["a"] }, { k: ["b", "a"] })).toBe(false);
    expect(titled({ column: "k", matches: "^\\d" }, { k: ["x", "7b"] })).toBe(true);
    expect(titled({ column: "k", matches_not: "^\\d" }, { k: ["x", "7b"] })).toBe(false);
    expect(titled({ column: "k", matches_not: "^\\d" }, { k: "" })).toBe(true);
    expect(pointersOf({ c: { target: "x", only_if: { column: "k" } } })).toEqual(["/c/only_if"]);
    const pointers = (only_if: object) => pointersOf({ c: { target: "x", only_if } });
    expect(pointers({ column: "k", matches: "(" })).toEqual(["/c/only_if/matches"]);
    const bad = { column: "k", matches_not: "(" };
    expect(pointers([{ column: "k", is: "a" }, bad])).toEqual(["/c/only_if/1/matches_not"]);
    const mapping = parseMapping({ c: { target: "x", only_if: { column: "Kind", is: "a" } } });
    expect(allInEnglish(checkHeader(mapping, ["c", "Kimd"]))[0]!.detail).toContain('no column "Kind"');
    expect(unusedColumns(mapping, ["c", "Kind", "d"])).toEqual(["d"]);
  });

  test("may consist of several, which must all hold", () => {
    const both = [
      { column: "k", is: "a" },
      { column: "l", is_not: "" },
    ];
    expect(titled(both, { k: "a", l: "x" })).toBe(true);
    expect(titled(both, { k: "a" })).toBe(false);
    expect(titled(both, { k: "b", l: "x" })).toBe(false);
    expect(pointersOf({ c: { target: "x", only_if: [] } })).toEqual(["/c/only_if"]);
    const mapping = parseMapping({ c: { target: "x", only_if: both } });
    expect(unusedColumns(mapping, ["c", "k", "l", "d"])).toEqual(["d"]);
  });
});

describe("a measurement", () => {
  const inches = { type: "convert", from: "in", to: "cm" };

  test.each([
    ["5", ["12.7"]],
    ["29⅝", ["75.25"]],
    ["1/2 in.", ["1.27"]],
    ['8,5"', ["21.59"]],
    ["8 feet", []],
    ["1,200", []],
    ["0,125", ["0.32"]],
    ["3/0", []],
    ["about 5", []],
  ])("of %s inches is %j cm", (text, expected) => {
    expect(through([inches], text)).toEqual(expected);
  });

  test("cannot be converted to a weight", () => {
    const weight = { target: "x", transforms: [{ ...inches, to: "kg" }] };
    expect(pointersOf({ c: weight })).toEqual(["/c/transforms/0/to"]);
  });
});

describe("a fallback", () => {
  test("is used only if no earlier entry gave the target a value", () => {
    const mapping = {
      a: "title",
      b: { target: "title", fallback: true },
      m: "__relation:created_by:entity__",
      n: { target: "__relation:created_by:entity__", fallback: true },
      p: { target: "__media__", fallback: true },
    };
    const titles = (cells: Cells) => map(mapping, cells).fields.title?.map(({ value }) => value);
    expect(titles({ a: "A", b: "B" })).toEqual(["A"]);
    expect(titles({ a: " ", b: "B" })).toEqual(["B"]);
    const names = (cells: Cells) => map(mapping, cells).relations.map(({ value }) => value);
    expect(names({ m: "Ada", n: "Bea" })).toEqual(["Ada"]);
    expect(names({ n: "Bea" })).toEqual(["Bea"]);
    expect(map(mapping, { p: "a.jpg" }).media).toEqual(["a.jpg"]);
  });

  test.each(["__idno__", "__type__", "__status__"])(
    "for %s refuses no row that does not need it",
    (target) => {
      const mapping = { a: target, b: { target, fallback: true, transforms: [{ type: "split" }] } };
      const faults = (cells: Cells) => map(mapping, cells).faults;
      expect(faults({ a: "draft", b: "2;3" })).toEqual([]);
      expect(faults({ b: "2;3" })[0]).toContain("gives 2 values");
    },
  );
});

test("names and roles without limit are too much work for a row", () => {
  const link = {
    target: "__relation:created_by:entity__",
    transforms: [{ type: "split" }],
    role: { column: "r", transforms: [{ type: "regex_extract", pattern: "(a+)+$" }] },
  };
  const many = { c: "b;".repeat(200_000), r: `${"a".repeat(2_000)};`.repeat(200) };
  expect(map({ c: link }, many).faults[0]).toContain("must be as many");
  expect(map({ c: link }, { ...many, r: many.c }).faults[0]).toContain("too much work for one row");
  expect(map({ c: link }, { c: "Ada", r: "a" }).relations).toEqual([
    { relation_type: "created_by", to_type: "entity", value: "Ada", metadata: { role: [{ value: "a" }] } },
  ]);
});

test("a statement that something is undated is counted, and no fault even if strict", () => {
  const date = { c: { target: "x", transforms: [{ type: "edtf", strict: true }] } };
  const undated = [{ value: "n.d." }];
  expect(map(date, { c: "n.d." })).toMatchObject({ faults: [], unread: [], undated, fields: {} });
});

test("a pattern is replaced, within limits", () => {
  const put = (pattern: string, replace: string) => [{ type: "regex_replace", pattern, replace }];
  expect(through(put("(\\d+)-(\\d+)", "$2/$1 $$"), "1-2, 3-4")).toEqual(["2/1 $, 4/3 $"]);
  expect(through(put("^x", "y"), "ax")).toEqual(["ax"]);
  const beyond = { target: "x", transforms: put("(a)", "$2") };
  expect(pointersOf({ c: beyond })).toEqual(["/c/transforms/0/replace"]);
  const heavy = { target: "x", transforms: put("a.*b|a", "") };
  expect(map({ c: heavy }, { c: "a".repeat(50_000) }).faults[0]).toContain("too much work");
});

describe("a mapping", () => {
  test("may be short, long, or a list of both for one column", () => {
    const mapping = {
      Nr: "__idno__",
      Titel: { target: "title", lang: "de" },
      Datierung: ["date_text", { target: "date", transforms: [{ type: "edtf", lang: "de" }] }],
    };
    expect(map(mapping, { Nr: " 12/3 ", Titel: "Krug", Datierung: "um 1850" })).toEqual({
      record_type: "object",
      idno: "12/3",
      fields: {
        title: [{ value: "Krug", lang: "de" }],
        date_text: [{ value: "um 1850" }],
        date: [{ value: "1850~" }],
      },
      ...{ media: [], relations: [], columns: {}, faults: [], unread: [], unmatched: [] },
    });
  });

  test("maps number, type, media, relations and the columns of a record", () => {
    const mapping = {
      n: "__idno__",
      t: "__type__",
      f: { target: "__media__", transforms: [{ type: "split" }] },
      m: { target: "__relation:created_by:entity__", transforms: [{ type: "split", delimiter: "|" }] },
      s: "__status__",
      c: "__collection_status__",
    };
    const files = "a.jpg; b.jpg;a.jpg";
    const cells = { n: "A 1", t: "print", f: files, m: "Ann|Bea|Ann", s: "Internal", c: "on_loan_out" };
    const by = (value: string) => ({ relation_type: "created_by", to_type: "entity", value });
    expect(map(mapping, cells)).toEqual({
      ...{ record_type: "object", idno: "A 1", subtype: "print", fields: {} },
      media: ["a.jpg", "b.jpg"],
      relations: [by("Ann"), by("Bea")],
      columns: { status: "internal", collection_status: "on_loan_out" },
      ...{ faults: [], unread: [], unmatched: [] },
    });
  });

  test("maps coordinates, parents and the days of a procedure", () => {
    const place = map({ a: "__lat__", b: "__lon__" }, { a: "48,2082", b: "-16.37" }, "place");
    expect(place.columns).toEqual({ lat: 48.2082, lon: -16.37 });
    expect(map({ p: "__parent__" }, { p: "COL-1" }, "collection").columns).toEqual({ parent: "COL-1" });
    const days = { a: "__start_date__", b: "__end_date__", c: "__due_date__", d: "__reference_number__" };
    const loan = map(days, { a: "2026-01-31", b: "", c: "2026-02-28", d: "L 7" }, "procedure");
    const columns = { start_date: "2026-01-31", due_date: "2026-02-28", reference_number: "L 7" };
    expect(loan.columns).toEqual(columns);
  });

  test("reports every fault at once, each with its JSON pointer", () => {
    const mapping = {
      a: "__relation:created_by:person__",
      b: { target: "__nonsense__" },
      "c/d~e": { target: "title", lang: "not a language", colour: "red" },
      f: [
        "Title",
        {
          target: "date",
          transforms: [
            { type: "splitt" },
            { type: "regex_extract", pattern: "(" },
            { type: "template", template: "{a" },
          ],
        },
      ],
      g: {
        target: "x",
        transforms: [{ type: "replace", search: "", by: "y" }, { type: "vocab_map", map: {} }, 7],
      },
      h: { transforms: [{ type: "edtf", lang: "xx" }] },
      i: 5,
      j: [],
      k: { target: "__idno__", lang: "en" },
      " ": "title",
    };
    expect(pointersOf(mapping)).toEqual([
      ...["/a", "/b/target", "/c~1d~0e/lang", "/c~1d~0e/colour", "/f/0", "/f/1/transforms/0/type"],
      ...["/f/1/transforms/1/pattern", "/f/1/transforms/2/template", "/g/transforms/0/search"],
      ...["/g/transforms/0/by", "/g/transforms/1/map", "/g/transforms/2", "/h/target"],
      ...["/h/transforms/0/lang", "/i", "/j", "/k/lang", "/ "],
    ]);
  });

  test.each([[{}], [[]], [null], ["title"], [7]])("%j is not a mapping", (json) => {
    expect(pointersOf(json)).toEqual([""]);
  });

  test("is refused with the names that are possible", () => {
    for (const [a, names] of [
      ["__autor__", "__idno__, __type__, __media__, __relation:"],
      ["__relation:made_at:city__", "object, entity, place"],
      [{ target: "x", transforms: [{ type: "upper" }] }, "vocab_map"],
    ] as const)
      expect(faultsOfMapping({ a })[0]!.detail).toContain(names);
  });

  test("may not give a record what its kind does not have", () => {
    const foreign = { a: "__media__", b: "__lat__", c: "__collection_status__", d: "__status__" };
    expect(pointersOf(foreign, "entity")).toEqual(["/a", "/b", "/c"]);
    expect(pointersOf({ a: "__media__", b: "__lat__" })).toEqual([]);
  });

  test("may not name one column twice in different spellings", () => {
    const twice = { "Gr\u{f6}\u{df}e": "x", " Gro\u{308}\u{df}e": "y" };
    expect(pointersOf(twice)).toEqual(["/ Gro\u{308}\u{df}e"]);
  });

  inLong(test)("is valid or a located problem, whatever JSON it is", () => {
    const target = fc.constantFrom("title", "__idno__", "__relation:a:object__", "__x__", "", "constructor");
    const transform = fc.oneof(
      fc.record({ type: fc.constantFrom("split", "trim", "edtf", "template", "x"), template: fc.string() }),
      fc.record({ type: fc.constant("regex_extract"), pattern: fc.string() }),
      fc.jsonValue(),
    );
    const long = fc.record({ target, transforms: fc.array(transform) }, { requiredKeys: ["target"] });
    const form = fc.oneof(target, long, fc.array(fc.oneof(target, long)), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(fc.string(), form), fc.jsonValue()), fc.string(), (json, cell) => {
        if (faultsOfMapping(json).length > 0) return;
        const columns = Object.keys(json as object);
        const cells = new Map(columns.map((name) => [name.trim().normalize("NFC"), cell]));
        expect(Array.isArray(mapRow(parseMapping(json), "object", { values: cells }).faults)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("transforms", () => {
  test("split cuts at the delimiter, by default a semicolon, and trims", () => {
    expect(through([{ type: "split" }], " oak ; ;iron;")).toEqual(["oak", "iron"]);
    expect(through([{ type: "split", delimiter: " | " }], "oak | iron")).toEqual(["oak", "iron"]);
    expect(through([{ type: "split", delimiter: "\n" }], "oak\r\niron")).toEqual(["oak", "iron"]);
  });

  test("split undoes the escapes of our own lists on request, and keeps their values exactly", () => {
    const split = { type: "split", delimiter: "|", escaped: true };
    const cell = "rock \\| cliff | back\\\\slash | C:\\temp | | \\. blank \\. | sea | sea | \\=1 | end\\";
    const values = ["rock | cliff", "back\\slash", "C:\\temp", " blank ", "sea", "sea", "=1", "end\\"];
    expect(map({ c: { target: "x", transforms: [split] } }, { c: cell }).fields.x).toEqual(
      values.map((value) => ({ value })),
    );
    const role = { column: "r", transforms: [split] };
    const m = { target: "__relation:created_by:entity__", transforms: [split], role };
    const mapped = map({ m }, { m: "A \\| B | Ann | Ann", r: " | painter \\| sculptor | printer" });
    expect(mapped.relations.map(({ value, metadata }) => [value, metadata?.role])).toEqual([
      ["A | B", []],
      ["Ann", [{ value: "painter | sculptor" }, { value: "printer" }]],
    ]);
  });

  test("edtf keeps what is EDTF on request", () => {
    expect(through([{ type: "edtf" }], "1920-21")).toEqual(["1920/1921"]);
    const keeping = { type: "edtf", format: "EDTF" };
    expect(through([keeping], "1920-21")).toEqual(["1920-21"]);
    expect(through([keeping], "um 1920")).toEqual(["1920~"]);
    expect(through([keeping], "2004-01-01/..")).toEqual(["2004-01-01/.."]);
  });

  test("split keeps empty parts for a later transform on request", () => {
    const constant = { type: "template", template: "x{{}}" };
    const none = { type: "vocab_map", map: { "": "none" } };
    expect(through([{ type: "split", filter_empty: false }, none], "a;;b")).toEqual(["a", "none", "b"]);
    expect(through([{ type: "split" }, constant], "")).toEqual([]);
  });

  test("replace takes its search text literally and changes every occurrence", () => {
    const replaced = (how: object, text: string) => through([{ type: "replace", ...how }], text);
    expect(replaced({ search: "a.b", replace: "$&" }, "a.b axb a.b")).toEqual(["$& axb $&"]);
    const anyCase = { search: "(CM)", replace: "cm", case_sensitive: false };
    expect(replaced(anyCase, "5 (cm) 6 (Cm)")).toEqual(["5 cm 6 cm"]);
    expect(replaced({ search: "?" }, "Rubens?")).toEqual(["Rubens"]);
  });

  test("regex_extract returns the first group, or the whole match, or the requested group", () => {
    for (const [pattern, text, found, how] of [
      ["(\\d+) x (\\d+)", "about 12 x 34 cm", "12", {}],
      ["(\\d+) x (\\d+)", "12 x 34", "34", { group: 2 }],
      ["(?<w>\\d+) x", "12 x 34", "12", { group: "w" }],
      ["\\d+", "ca. 1850", "1850", {}],
      ["\\p{Lu}\\p{Ll}+", "der Ähre", "Ähre", {}],
      ["OAK", "of oak", "oak", { case_sensitive: false }],
    ] as const)
      expect(through([{ type: "regex_extract", pattern, ...how }], text), pattern).toEqual([found]);
  });

  test("regex_extract without a match returns nothing, so that a constant after it is not used", () => {
    const transforms = [
      { type: "regex_extract", pattern: "^attributed" },
      { type: "template", template: "doubtful" },
    ];
    expect(through(transforms, "by Rubens")).toEqual([]);
    expect(through(transforms, "attributed to Rubens")).toEqual(["doubtful"]);
  });

  test("vocab_map looks for the exact word, then ignores case and blanks, and keeps an unknown word", () => {
    const map = { Oil: "oil paint", oil: "fuel", "n/a": "", constructor: "builder" };
    const found = (cell: string) => through([{ type: "vocab_map", map }], cell);
    expect(found("oil")).toEqual(["fuel"]);
    expect(found("Oil")).toEqual(["oil paint"]);
    expect(found("  N/A ")).toEqual([]);
    expect(found("bronze")).toEqual(["bronze"]);
    expect(found("constructor")).toEqual(["builder"]);
    expect(through([{ type: "vocab_map", map: { a: "b" } }], "toString")).toEqual(["toString"]);
  });

  test("vocab_map with an asterisk maps every other word, but not an empty cell", () => {
    const transforms = [{ type: "vocab_map", map: { etching: "print", "*": "other" } }];
    expect(through(transforms, "Etching")).toEqual(["print"]);
    expect(through(transforms, "cup")).toEqual(["other"]);
    expect(through(transforms, " ")).toEqual([]);
  });

  test("a strict vocab_map makes an unknown word a fault of the row", () => {
    const strict = { type: "vocab_map", map: { a: "b" }, strict: true };
    const mapping = { c: { target: "x", transforms: [strict] } };
    expect(map(mapping, { c: "A" }).faults).toEqual([]);
    expect(map(mapping, { c: "" }).faults).toEqual([]);
    expect(map(mapping, { c: "z" }).faults).toEqual(['column "c": "z" is not in the map']);
  });

  test("template adds text and other columns to the value", () => {
    const transforms = [{ type: "template", template: "{value} ({Ort der Herkunft}), {{sic}}" }];
    expect(through(transforms, "Krug", { "Ort der Herkunft": " Köln " })).toEqual(["Krug (Köln), {sic}"]);
    expect(through(transforms, "Krug", { "Ort der Herkunft": "" })).toEqual(["Krug (), {sic}"]);
  });

  test("a template returns nothing if its value is empty, or everything that it shows", () => {
    expect(through([{ type: "template", template: "height: {value} cm" }], "  ")).toEqual([]);
    expect(through([{ type: "template", template: "{a}, {b}" }], "", { a: "", b: " " })).toEqual([]);
    expect(through([{ type: "template", template: "{a}, {b}" }], "", { a: "x", b: "" })).toEqual(["x,"]);
  });

  test("an optional part of a template is left out unless it has all its values", () => {
    const shown = (template: string, cells: Cells) => through([{ type: "template", template }], "A", cells);
    const years = "{value}{? ({Born}{?–{Died}})}{?, {Place}}";
    expect(shown(years, { Born: "1850", Died: "1921", Place: "Oslo" })).toEqual(["A (1850–1921), Oslo"]);
    expect(shown(years, { Born: "1850" })).toEqual(["A (1850)"]);
    expect(shown(years, { Died: "1921" })).toEqual(["A"]);
    expect(shown("{value}{? {Born} {Died}}{{?}}", { Born: "1850" })).toEqual(["A{?}"]);
    expect(shown("{?{Born}}", {})).toEqual([]);
    const faulty = (template: string) =>
      faultsOfMapping({ c: { target: "x", transforms: [{ type: "template", template }] } })[0]!.detail;
    expect(faulty("{value}{? x}")).toContain("an optional part without a column");
    expect(faulty("{?{}}")).toContain("an optional part that has empty braces");
    const nested = (depth: number) => `${"{?{c}".repeat(depth)}${"}".repeat(depth)}`;
    expect(shown(nested(5), { c: "x" })).toEqual(["xxxxx"]);
    expect(faulty(nested(6))).toBe("has an optional part that has optional parts nested more than 5 deep");
    expect(faulty(nested(60_000))).toBe(faulty(nested(6)));
    expect(shown(`{?${"{c}".repeat(150_000)}}`, { c: "" })).toEqual([]);
  });

  test("a template without a placeholder is a constant, even for an empty cell", () => {
    expect(through([{ type: "template", template: "photograph" }], "")).toEqual(["photograph"]);
  });

  test("edtf reads a written date, and leaves out and reports one that it does not understand, or makes it a fault", () => {
    expect(through([{ type: "edtf", lang: "en" }], " c. 1920\u00a0")).toEqual(["1920~"]);
    expect(through([{ type: "split" }, { type: "edtf" }], "1920 ;1930")).toEqual(["1920", "1930"]);
    expect(through([{ type: "edtf" }], "no idea")).toEqual([]);
    const loose = { c: ["date_text", { target: "date", transforms: [{ type: "edtf" }] }] };
    expect(map(loose, { c: " no idea " })).toMatchObject({
      fields: { date_text: [{ value: "no idea" }] },
      faults: [],
      unread: [{ column: "c", value: "no idea" }],
    });
    expect(map(loose, { c: " " }).unread).toEqual([]);
    const strict = { c: { target: "date", transforms: [{ type: "edtf", strict: true }] } };
    const fault = 'column "c": "no idea" is not understood as a date';
    expect(map(strict, { c: "no idea" }).faults).toEqual([fault]);
    expect(map(strict, { c: "" }).faults).toEqual([]);
  });

  test("trim removes blanks before the next transform", () => {
    const framed = { type: "template", template: "[{value}]" };
    expect(through([{ type: "trim" }, framed], "  a b ")).toEqual(["[a b]"]);
  });
});

describe("a row", () => {
  test("has the blanks around its values removed first", () => {
    const mapping = {
      a: "__idno__",
      b: { target: "title", transforms: [{ type: "regex_extract", pattern: "^\\S+$" }] },
      c: "description",
    };
    expect(map(mapping, { a: "\t7 ", b: " Krug\u00a0", c: "\r\n one\n two \n" })).toMatchObject({
      idno: "7",
      fields: { title: [{ value: "Krug" }], description: [{ value: "one\n two" }] },
    });
  });

  test("has no empty values and no repeated ones", () => {
    const mapping = { a: "title", b: "title", c: { target: "title", lang: "en" }, d: "title" };
    expect(map(mapping, { a: "Krug", b: " Krug ", c: "Krug", d: "  " }).fields).toEqual({
      title: [{ value: "Krug" }, { value: "Krug", lang: "en" }],
    });
  });

  test("takes the first column with a value where only one value is possible", () => {
    const mapping = { old: "__idno__", new: "__idno__", kind: "__type__", class: "__type__" };
    const mapped = map(mapping, { old: "", new: "N 2", kind: "print", class: "other" });
    expect(mapped).toMatchObject({ idno: "N 2", subtype: "print", faults: [] });
  });

  test("has a fault if it has two values where only one is possible", () => {
    const mapping = { n: { target: "__idno__", transforms: [{ type: "split" }] } };
    const fault = 'column "n": gives 2 values ("1", "2") where there can be only one';
    expect(map(mapping, { n: "1; 2" }).faults).toEqual([fault]);
  });

  test.each([
    ["__status__", "published", "object"],
    ["__collection_status__", "lost", "object"],
    ["__lat__", "91", "place"],
    ["__lon__", "16° 22'", "place"],
    ["__start_date__", "2026-02-30", "procedure"],
    ["__due_date__", "31.1.2026", "procedure"],
  ] as const)("with the %s %j has a fault", (target, value, kind) => {
    const { faults, columns } = map({ c: target }, { c: value }, kind);
    expect(faults[0]).toContain(JSON.stringify(value));
    expect(columns).toEqual({});
  });

  test("has a fault if it has only a latitude", () => {
    const { faults } = map({ a: "__lat__", b: "__lon__" }, { a: "48", b: "" }, "place");
    expect(faults).toEqual(["has only one of latitude and longitude"]);
  });

  test("has a fault if it contains what no database can store", () => {
    expect(map({ a: "title" }, { a: "x\u0000y" }).faults[0]).toContain("NUL");
    expect(map({ a: "title" }, { a: "x\ud800y" }).faults[0]).toContain("surrogate");
  });

  test("that could not be read keeps its fault and has no values", () => {
    const fault = said("fault.row.cells", { count: 3, header: 2 });
    const row = { values: new Map([["a", "x"]]), fault };
    const mapped = mapRow(parseMapping({ a: "title" }), "object", row);
    expect(mapped).toMatchObject({ fields: {}, faults: [fault] });
  });

  test.each(["role", "qualifier", "authority"])(
    "that is an error refuses its row also in a column of a %s",
    (side) => {
      const target = "__relation:created_by:entity__";
      const mapping = parseMapping({
        a: { target, [side]: { column: "b", ...(side === "authority" && { field: "gnd" }) } },
      });
      const values = new Map(Object.entries({ a: "Ada", b: "#N/A" }));
      const fault = said("fault.row.cell_error", { error: "#N/A" });
      const { faults } = mapRow(mapping, "object", { values, faulty: new Map([["b", fault]]) });
      const told = 'column "a": "b": the cell has the error #N/A instead of a value';
      expect(allInEnglish(faults)).toEqual([told]);
    },
  );

  test("of an XML source may have several texts for one column", () => {
    const b = { target: "x", transforms: [{ type: "template", template: "{a}" }] };
    const { fields } = map({ a: "title", b }, { a: ["p", "q"] });
    expect(fields).toEqual({ title: [{ value: "p" }, { value: "q" }], x: [{ value: "p; q" }] });
  });
});

describe("the header of a file", () => {
  const mapping = parseMapping({
    Title: "title",
    "Accesion Number": "__idno__",
    Zzz: ["description", { target: "x", transforms: [{ type: "template", template: "{Title} {Marker}" }] }],
  });

  test("is checked for every column that the mapping names, and the most similar name is suggested", () => {
    expect(allInEnglish(checkHeader(mapping, ["Title", "Accession_number", "Maker", "Note"]))).toEqual([
      {
        pointer: "/Accesion Number",
        detail: 'the file has no column "Accesion Number"; did you mean "Accession_number"?',
      },
      { pointer: "/Zzz", detail: 'the file has no column "Zzz"' },
      { pointer: "/Zzz/1", detail: 'the file has no column "Marker"; did you mean "Maker"?' },
    ]);
  });

  test("may have more columns, which can be listed", () => {
    const header = ["Title", "Accesion Number", "Zzz", "Marker", "Remarks", "_line", "_reason"];
    expect(allInEnglish(checkHeader(mapping, header))).toEqual([]);
    expect(unusedColumns(mapping, header)).toEqual(["Remarks"]);
  });
});

describe("the example mappings", () => {
  const examples = [
    ["wcma/objects.csv", "wcma/objects.mapping.json", 3_600, 2_700],
    ["teenie/teenie.csv", "teenie/teenie.mapping.json", 59_031, 59_000],
  ] as const;

  for (const [data, recipe, records, dated] of examples) {
    const path = fileURLToPath(new URL(`../../../shared/data/${data}`, import.meta.url));
    const mapping = () =>
      parseMapping(
        JSON.parse(readFileSync(new URL(`../../docs/examples/${recipe}`, import.meta.url), "utf8")),
        "object",
      );

    test(`${recipe} is a valid mapping`, () => {
      expect(mapping().length).toBeGreaterThan(10);
    });

    inLong(test.skipIf(!existsSync(path)))(
      `${recipe} maps every row of ${data} without a fault`,
      async () => {
        const source = Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>;
        const { header, rows } = await csvTable(readCsv(decode(source, "utf-8")));
        const recipeMapping = mapping();
        expect(allInEnglish(checkHeader(recipeMapping, header))).toEqual([]);
        const idnos = new Set<string>();
        let dates = 0;
        for await (const batch of rows) {
          for (const row of batch) {
            const mapped = mapRow(recipeMapping, "object", row);
            if (mapped.faults.length > 0) expect.fail(`line ${row.line}: ${mapped.faults.join("; ")}`);
            if (!mapped.fields.title || !mapped.subtype) expect.fail(`line ${row.line} has no title or type`);
            idnos.add(mapped.idno!);
            if (mapped.fields.date) dates++;
          }
        }
        expect(idnos.size).toBe(records);
        expect(dates).toBeGreaterThan(dated);
      },
    );
  }
});
