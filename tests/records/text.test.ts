/** What any text may contain. */
import { describe, expect, it } from "vitest";
import type { CsvRow } from "../../src/imports/csv/csv.ts";
import { csvTable } from "../../src/imports/csv/table.ts";
import { parseMapping } from "../../src/imports/mapping/mapping.ts";
import { fitFilename } from "../../src/media/filename.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { fold, searchWordsOf, sortKey, textFault } from "../../src/text.ts";
import { createObject, english, faults } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";

const museum = await museumHere();

const ABOVE = "\u0300";
const BELOW = "\u0316";
const MARKED = `a${(ABOVE + BELOW).repeat(50_000)}`;

async function* rowsOf(rows: string[][]): AsyncGenerator<CsvRow[]> {
  yield rows.map((cells, at) => ({ line: at + 1, cells }));
}

it("a letter may have as many combining marks as real scripts use", () => {
  expect(textFault(`a${ABOVE.repeat(60)} b`)).toBeNull();
  expect(say(ENGLISH, textFault(`ab${ABOVE.repeat(61)}`)!)).toBe(
    "has more than 60 marks on one letter, starting with U+0300 as character 3",
  );
});

it.each([
  ["a column of a table", () => csvTable(rowsOf([[MARKED, "b"]])).then(({ header }) => header[1])],
  ["a name in a mapping", () => JSON.stringify(parseMapping({ [MARKED]: "title" })).slice(-300)],
  ["a searched text", () => fold(`${MARKED}b`)],
  [
    "a name of a file",
    () =>
      fitFilename(`${MARKED}.png`, {
        name: "PNG",
        mime: "image/png",
        category: "image",
        endings: ["png"],
      }).slice(-4),
  ],
])("%s with tens of thousands of combining marks is read quickly", async (_, read) => {
  const begun = process.cpuUsage();
  expect(await read()).toMatch(/^(b|ab|\.png)$|"title"/);
  const { user } = process.cpuUsage(begun);
  expect(user / 1_000).toBeLessThan(1_000);
});

it("a number with tens of thousands of combining marks is refused quickly, and none finds it", async () => {
  const editor = await museum.as("editor");
  const json = { object_type: "painting", idno: MARKED };
  const begun = process.cpuUsage();
  expect(await faults(editor("/v1/objects", { json }))).toEqual(["/idno", "/idno"]);
  const list = await editor(`/v1/objects?idno=${encodeURIComponent(MARKED)}`);
  expect(await faults(list)).toEqual(["query:idno"]);
  const { user } = process.cpuUsage(begun);
  expect(user / 1_000).toBeLessThan(1_000);
});

it("as many marks as real scripts use, on every letter, take no more time than letters", () => {
  const time = (text: string) => {
    const begun = process.cpuUsage();
    for (let n = 0; n < 10; n++) textFault(text);
    return process.cpuUsage(begun).user / 1_000;
  };
  const marked = `a${ABOVE.repeat(59)}`.repeat(10_000);
  const runs = time(`${"a".repeat(59)}${ABOVE}`.repeat(10_000));
  expect(time(marked)).toBeLessThan(10 * runs + 100);
});

it("a letter with tens of thousands of combining marks is refused quickly", async () => {
  const editor = await museum.as("editor");
  const { id } = await createObject(editor, "Harbour at dusk");
  const text = `a${ABOVE.repeat(100_000)}${BELOW.repeat(100_000)}`;
  const begun = process.cpuUsage();
  const json = { metadata_: { title: english(text), description: [{ value: text }] } };
  const answer = await editor(`/v1/objects/${id}`, { method: "PATCH", json });
  const { user } = process.cpuUsage(begun);
  expect(await faults(answer)).toEqual(["/metadata_/title/0/value", "/metadata_/description/0/value"]);
  expect(user / 1_000).toBeLessThan(1_000);
});

describe("searches, lists and sort keys take for one", () => {
  const same = (a: string, b: string) => {
    expect(searchWordsOf(a), a).toEqual(searchWordsOf(b));
    expect(sortKey(a), a).toBe(sortKey(b));
  };

  it.each([
    [
      "signs that are written as apostrophes",
      "Lāʻie Qurʼān ʾAlī ʿUmar d’eau",
      "La'ie Qur'an 'Ali 'Umar d'eau",
    ],
    ["kaf", "کتاب", "كتاب"],
    ["yeh", "علی ليلى", "علي لیلی"],
    ["stretched words", "محـــمد", "محمد"],
    ["a joiner inside a word", "می\u200cخواهم", "میخواهم"],
    ["a soft hyphen and a word joiner", "Schiff\u00adfahrt\u2060s", "Schifffahrts"],
  ])("%s", (_, a, b) => {
    same(a, b);
    expect(searchWordsOf(a).join("")).not.toBe("");
  });

  it("digits of all scripts", () => {
    const zeros = Array.from({ length: 0x1ffff }, (_, code) => code).filter(
      (code) =>
        /^\p{Nd}$/u.test(String.fromCodePoint(code)) && !/^\p{Nd}$/u.test(String.fromCodePoint(code - 1)),
    );
    expect(zeros.length).toBeGreaterThan(50);
    for (const zero of zeros) same(String.fromCodePoint(...[1, 9, 0, 7].map((n) => zero + n)), "1907");
  });

  it("a text without the characters that nobody sees, wherever they stand", () => {
    const unseen = Array.from({ length: 0xe0fff }, (_, code) => code).filter((code) =>
      /^\p{Default_Ignorable_Code_Point}$/u.test(String.fromCodePoint(code)),
    );
    expect(unseen.length).toBeGreaterThan(4_000);
    for (const code of unseen)
      same(`be${String.fromCodePoint(code)}fore 1${String.fromCodePoint(code)}2`, "before 12");
  });
});
