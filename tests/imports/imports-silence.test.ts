/** What once damaged a catalogue without a message: an import now refuses or reports it. */

import { describe, expect, test } from "vitest";
import { unusedColumns } from "../../src/imports/csv/header.ts";
import { parseMapping } from "../../src/imports/mapping/mapping.ts";
import { createReport } from "../../src/imports/report/report.ts";
import type { Metadata } from "../../src/records/record.ts";
import { allInEnglish } from "../support/lane/in-english.ts";
import { importRoom, refusal, TITLES } from "../support/museum/import-room.ts";
import { quickest } from "../support/museum/museum.ts";

describe("an import", () => {
  const { run, records, titles } = importRoom(quickest);

  test("refuses a list in UTF-8 with one damaged byte, and locates the byte", async () => {
    const good = new TextEncoder().encode("No,Title\n1,Eugène Atget\n2,Zoë\n3,Z");
    const problem = await refusal(run(Uint8Array.from([...good, 0xfc, 0x72, 0x69, 0x0a]), TITLES));
    const sentence =
      /^The file is utf-8 except for line 4, column 4, the byte 0xFC \(number \d+\)\. Correct it$/;
    expect(problem.message).toMatch(sentence);
    const bytes = Uint8Array.from([...good, 0xfc, 0x72, 0x69, 0x0a]);
    for (const encoding of ["windows-1252", "latin1", "macintosh", "utf-8"])
      expect((await refusal(run(bytes, TITLES, { encoding }))).message).toMatch(sentence);
    const twice = Uint8Array.from([...bytes, ...new TextEncoder().encode("4,Zoë "), 0xfc, 0x0a]);
    expect((await refusal(run(twice, TITLES, { encoding: "windows-1252" }))).message).toMatch(
      /^The file is utf-8 except for 2 places, the first in line 4, column 4, .* Correct them$/,
    );
    expect(await titles()).toEqual([]);
  });

  test("refuses a list in UTF-8 that is declared as Windows-1252, unless it has no accents", async () => {
    const choices = { encoding: "windows-1252" };
    const problem = await refusal(run("No,Title\n1,Eugène Atget\n", TITLES, choices));
    expect(problem.message).toMatch(/ is UTF-8, not windows-1252: leave the encoding out$/);
    expect(await titles()).toEqual([]);
    await run("No,Title\n1,Boat\n", TITLES, choices);
    expect(await titles()).toEqual(["1 Boat"]);
  });

  test("reads capitals of a one-byte encoding, some of which look like UTF-8, in the given encoding", async () => {
    // the capitals А to Я are 0xB0 to 0xCF
    const cyrillic = Array.from("ТАТЬЯНА УСАДЬБА", (letter) =>
      letter === " " ? 0x20 : letter.charCodeAt(0) - 0x410 + 0xb0,
    );
    const head = Array.from(new TextEncoder().encode("No,Title\n1,"));
    await run(Uint8Array.from([...head, ...cyrillic]), TITLES, { encoding: "iso-8859-5" });
    expect(await titles()).toEqual(["1 ТАТЬЯНА УСАДЬБА"]);
  });

  test("refuses XML in UTF-8 that is declared as Windows-1252", async () => {
    const xml = "<list><one><no>1</no><title>Eugène Atget</title></one></list>";
    const mapping = { "no/text()": "__idno__", "title/text()": "title" };
    const choices = { recordXPath: "//one", encoding: "windows-1252" };
    const problem = await refusal(run(xml, mapping, choices));
    expect(problem.message).toBe("objects.xml is UTF-8, not windows-1252: leave the encoding out");
    expect(await titles()).toEqual([]);
    await run(xml, mapping, { ...choices, encoding: "utf-8" });
    expect(await titles()).toEqual(["1 Eugène Atget"]);
  });

  describe("of a row that was cut off", () => {
    const NOTES = {
      ...TITLES,
      Signed: "inscription",
      Marks: "inscription",
      Place: "place_of_production_text",
    };
    const complete = "No,Title,Signed,Marks,Place\n1,Boat,by hand,stamp,Bergen\n2,Gate,,,\n";
    const cut = "No,Title,Signed,Marks,Place\n1,Boat,by ha\n2,Tower,,,\n";

    test.each(["merge", "replace"] as const)(
      "with %s removes nothing from its record",
      async (upsertStrategy) => {
        await run(complete, NOTES);
        const [before] = await records();
        const done = await run(cut, NOTES, { upsertStrategy });
        expect(done.lines).toEqual({ 2: "rejected: has 3 cells, the header has 5", 3: "updated" });
        expect((await records())[0]).toEqual(before);
        expect(await titles()).toEqual(["1 Boat", "2 Tower"]);
        // the row is in the rejects file until somebody completes it
        const mended = done.rejects.replace("by ha", "by hand,stamp,Oslo");
        expect(await run(mended, NOTES, { upsertStrategy })).toMatchObject({ updated: 1, rejected: 0 });
      },
    );

    test("creates a new record with what there is, and the report counts such rows", async () => {
      const done = await run(cut, NOTES);
      const report = createReport({ kind: "object", unit: "row", dryRun: false });
      report.take(done.outcomes);
      expect(allInEnglish(report.lines(done)).join("\n")).toContain(
        "1 row has fewer cells than the header (line 2): what it lacks counts as empty",
      );
      expect(report.json(done)).toMatchObject({ created: 2, short_rows: 1 });
    });
  });

  test("of rows with a number only, which may be headings", async () => {
    const done = await run("No,Title\nPAINTINGS,\n1,A\nTOOLS,\n", TITLES);
    const report = createReport({ kind: "object", unit: "row", dryRun: false });
    report.take(done.outcomes);
    expect(allInEnglish(report.lines(done)).join("\n")).toContain(
      "2 rows with a number only, the first in line 2 (PAINTINGS): perhaps a heading within the list",
    );
  });

  describe("of dates that can be read in two ways", () => {
    const file = "No,Title,Date\n1,A,1907-08\n2,B,1907–08\n3,C,09/10/1923\n4,D,1907\n5,E,07/1923\n";
    const dates = (format?: string) => ({
      ...TITLES,
      Date: { target: "date", transforms: [{ type: "edtf", ...(format ? { format } : {}) }] },
    });
    const reported = async (mapping: Record<string, unknown>, dryRun: boolean) => {
      const done = await run(file, mapping, { dryRun });
      const report = createReport({ kind: "object", unit: "row", dryRun });
      report.take(done.outcomes);
      return { text: allInEnglish(report.lines(done)).join("\n"), json: report.json(done) };
    };

    test.each([true, false])("lists them and both readings (dry run: %s)", async (dryRun) => {
      const { text, json } = await reported(dates(), dryRun);
      expect(text).toContain(
        '2 dates can be read in two ways; state how dates are written in the column ("Dates" on the page; "format" in a mapping), or correct them:\n' +
          '  line 2, Date: "1907-08" can be 1907/1908 or 1907-08; read as 1907/1908\n' +
          '  line 4, Date: "09/10/1923" can be 1923-10-09 or 1923-09-10; read as [1923-09-10,1923-10-09]\n',
      );
      expect(json.ambiguous_dates).toEqual({
        count: 2,
        first: [
          {
            line: 2,
            column: "Date",
            value: "1907-08",
            readings: ["1907/1908", "1907-08"],
            edtf: "1907/1908",
          },
          expect.objectContaining({ line: 4, edtf: "[1923-09-10,1923-10-09]" }),
        ],
      });
    });

    test("lists none for which the mapping states the format", async () => {
      const { json } = await reported(dates("YYYY-MM"), false);
      expect(json.ambiguous_dates).toMatchObject({ count: 1, first: [{ line: 4 }] });
      const found = (await records()).map(({ metadata }) => (metadata as Metadata).date?.[0]?.value);
      expect(found).toEqual(["1907-08", "1907/1908", "[1923-09-10,1923-10-09]", "1907", "1923-07"]);
    });
  });

  describe("of the words of dates", () => {
    const said = {
      target: "date",
      transforms: [
        { type: "split", delimiter: "|" },
        { type: "edtf", lang: "de" },
      ],
    };
    const keptOf = async (mapping: Record<string, unknown>, cells: readonly string[]) => {
      await run(
        `No,Date,Note\n${cells.map((cell, n) => `${String(n).padStart(2, "0")},${cell},note ${n}\n`).join("")}`,
        mapping,
      );
      return (await records()).map(({ metadata }) => (metadata as Metadata).date_text ?? null);
    };

    test("keeps them beside the EDTF, unless they say the same, and those that it does not understand", async () => {
      const same = ["1887", "um 1887", "vers 1887", "19. Jahrhundert", "1887~", "um 1887 (?)", ""];
      const other = ["o. D.", "ca. 1887", "1911-12", "nach dem Brand", "ca. 1887 | Mai 1890"];
      const kept = await keptOf({ No: "__idno__", Date: said }, [...same, ...other]);
      const words = other.map((each) => [{ value: each.replace(" | ", "; "), lang: "de" }]);
      expect(kept).toEqual([...same.map(() => null), ...words]);
    });

    test("keeps none if the mapping gives the field something else", async () => {
      const kept = await keptOf({ No: "__idno__", Date: said, Note: "date_text" }, ["ca. 1887"]);
      expect(kept).toEqual([[{ value: "note 0" }]]);
    });
  });

  describe("of a short list with control characters", () => {
    test.each(["\u0001", "\0", "\u0007\u0001", "\0\0"])(
      "refuses the row with %j, and imports the others",
      async (stray) => {
        for (const file of [
          `No,Title\n1,Har${stray}bour\n2,Mill\n`,
          `No,Title,Note\n1,Har${stray}bour,x\n2,Mill,\n`,
        ]) {
          const done = await run(file, TITLES, { upsertStrategy: "merge" });
          expect(done).toMatchObject({ rejected: 1 });
          expect(done.lines[2]).toMatch(/contains U\+000\d( \(NUL\))? as character 4/);
        }
        expect(await titles()).toEqual(["2 Mill"]);
      },
    );

    test("refuses the file if there are many, and names the line and the character of the first", async () => {
      const rows = Array.from({ length: 30 }, (_, n) => `${n},Grö\u0002ße ${n}`).join("\r\n");
      const problem = await refusal(run(`No,Title\r\n${rows}\r\n`, TITLES));
      expect(problem.message).toMatch(
        /This holds bytes that do not occur in text, the first in line 2, column 6: U\+0002\. /,
      );
      expect(await titles()).toEqual([]);
    });
  });

  describe("with a column without a name", () => {
    const file = "No,,Title,\n1,x,Boat\n2,,Gate,a note\n,y,Tower,beside\n";

    test("ignores it, and accepts rows that lack such columns at their end", async () => {
      const done = await run(file, TITLES, { upsertStrategy: "merge" });
      expect(done).toMatchObject({ created: 2, rejected: 1 });
      expect(await titles()).toEqual(["1 Boat", "2 Gate"]);
    });

    test("lists it among the unused columns", () => {
      const header = ["No", "column 2 (no name)", "Title"];
      expect(unusedColumns(parseMapping(TITLES), header)).toEqual(["column 2 (no name)"]);
    });

    test("keeps its values in the rejects file, which can be corrected and imported", async () => {
      const { rejects } = await run(file, TITLES);
      expect(rejects).toMatch(
        /^\uFEFF_line,_reason,No,column 2 \(no name\),Title,column 4 \(no name\)\r\n4,/,
      );
      const again = await run(rejects.replace(",,y,Tower,beside", ",3,y,Tower,beside"), TITLES);
      expect(again).toMatchObject({ created: 1, rejected: 0 });
    });
  });
});
