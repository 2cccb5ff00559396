import { describe, expect, test } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import { importRoom, MAKERS, refusal, TITLES } from "../support/museum/import-room.ts";
import type { Choices } from "../support/museum/importing.ts";
import { databases } from "../support/museum/museum.ts";

describe.each(databases)("an import into the %s database", (database) => {
  const room = importRoom(database);
  const { run, records, titles } = room;

  describe("reads a file in", () => {
    const text = "No;Title\r\n1;Müller, Zoë: Häuser\r\n2;“Œuvre” – 5 €\r\n";
    const utf16 = (big: boolean, mark: boolean) => {
      const bytes = Buffer.from(`${mark ? "\uFEFF" : ""}${text}`, "utf16le");
      return new Uint8Array(big ? bytes.swap16() : bytes);
    };
    const windows = () => {
      const special: Record<string, number> = { "“": 0x93, "”": 0x94, "–": 0x96, "€": 0x80, Œ: 0x8c };
      return Uint8Array.from(text, (letter) => special[letter] ?? letter.charCodeAt(0));
    };

    test.each<[string, () => string | Uint8Array, Choices]>([
      ["UTF-8", () => text, {}],
      ["UTF-8 with a byte order mark", () => `\uFEFF${text}`, {}],
      ["UTF-16 little-endian", () => utf16(false, true), {}],
      ["UTF-16 big-endian", () => utf16(true, true), {}],
      ["UTF-16 without a mark", () => utf16(false, false), {}],
      ["Windows-1252", windows, {}],
      ["Windows-1252 by its name", windows, { encoding: "ANSI" }],
    ])("the encoding %s", async (_, content, choices) => {
      expect(await run(content(), TITLES, choices)).toMatchObject({ created: 2 });
      expect(await titles()).toEqual(["1 Müller, Zoë: Häuser", "2 “Œuvre” – 5 €"]);
    });

    test.each([
      ["commas", ",", {}],
      ["semicolons", ";", {}],
      ["tabs", "\t", {}],
      ["bars", "|", {}],
      ["a delimiter that is named", "^", { delimiter: "^" }],
    ])("a table with %s", async (_, delimiter, choices) => {
      await run(`No${delimiter}Title\n1${delimiter}A\n`, TITLES, choices);
      expect(await titles()).toEqual(["1 A"]);
    });

    test.each([
      ["CRLF", "\r\n"],
      ["LF", "\n"],
      ["CR", "\r"],
    ])("lines that end in %s, also in quoted cells, with correct line numbers", async (_, end) => {
      const file = ["No,Title", '1,"first', 'second ""line""', 'third"', ",B", "3,C", ""].join(end);
      const done = await run(file, TITLES);
      expect(Object.keys(done.lines)).toEqual(["2", "5", "6"]);
      expect(done.lines[5]).toMatch(/^rejected/);
      expect((await records())[0]).toMatchObject({
        metadata: { title: [{ value: `first${end}second "line"${end}third` }] },
      });
    });

    test("no encoding but the given one, and refuses bytes that are invalid in it", async () => {
      const problem = await refusal(run(windows(), TITLES, { encoding: "utf-8" }));
      expect(problem.message).toMatch(/^The file is not utf-8 text/);
      expect(await records()).toEqual([]);
    });
  });

  describe("refuses a row", () => {
    test("with line and reason, in the middle of a batch, and imports all others", async () => {
      const rows = Array.from({ length: 1_000 }, (_, n) => {
        if (n % 97 === 50) return `${n},T ${n},sometime`;
        if (n % 97 === 60) return `,T ${n},1900`;
        if (n % 97 === 70) return `${n},T ${n},1900,too many`;
        return `${n},T ${n},1900`;
      });
      const done = await run(`No,Title,Date\n${rows.join("\n")}\n`, { ...TITLES, Date: "date" });
      const bad = rows.filter((_, n) => [50, 60, 70].includes(n % 97)).length;
      expect(done).toMatchObject({ rows_done: 1_000, created: 1_000 - bad, rejected: bad });
      expect(done.lines[52]).toMatch(/^rejected: date: "sometime" is not an EDTF date/);
      expect(done.lines[62]).toBe("rejected: no identification number");
      expect(done.lines[72]).toBe("rejected: has 4 cells, the header has 3");
      expect(await records()).toHaveLength(1_000 - bad);
    });

    inLong(test)("into a rejects file, whose corrected rows can then be imported", async () => {
      const mapping = { ...TITLES, Date: { target: "date", transforms: [{ type: "edtf", strict: true }] } };
      const file = 'No;Title;Date\n1;A;1900\n2;"B; b";whenever\n3;C;1950s\n4;D;x\n';
      const first = await run(file, mapping);
      expect(first).toMatchObject({ created: 2, rejected: 2 });
      expect(first.rejects).toBe(
        '\uFEFF_line;_reason;No;Title;Date\r\n3;"column ""Date"": ""whenever"" is not understood as a date; a column of its own for ""date_text"" takes any words";2;"B; b";whenever\r\n' +
          '5;"column ""Date"": ""x"" is not understood as a date; a column of its own for ""date_text"" takes any words";4;D;x\r\n',
      );
      const mended = first.rejects.replace('b";whenever', 'b";1901');
      const second = await run(mended, mapping);
      expect(second).toMatchObject({ created: 1, rejected: 1 });
      const third = await run(second.rejects.replace(";D;x", ";D;1902"), mapping);
      expect(third).toMatchObject({ created: 1, rejected: 0 });
      expect(await titles()).toEqual(["1 A", "2 B; b", "3 C", "4 D"]);
      expect(await run(file, mapping)).toMatchObject({ created: 0, skipped: 4 - 2, rejected: 2 });
    });

    test("for any kind of fault, and again from the rejects file until it is corrected", async () => {
      const mapping = { ...TITLES, Date: "date" };
      // a quote in a cell, a line without its first half, two cells too many, a bad date, a row cut short
      const file = 'No,Title,Date\n1,A,1900\n2,"B" b,1901\n3\n4,D,,1903,\n5,E,soon\n6,F,1905\n7,"G\n';
      const first = await run(file, mapping);
      expect(first).toMatchObject({ created: 2, rejected: 5 });
      expect(first.rejects.replaceAll(/^(\d+),("(?:[^"]|"")*"|[^,]*)/gm, "$1,…")).toBe(
        [
          "\uFEFF_line,_reason,No,Title,Date",
          '3,…,2,"""B"" b,1901"',
          "4,…,3",
          "5,…,4,D,,1903,",
          "6,…,5,E,soon",
          '8,…,7,"""G"',
          "",
        ].join("\r\n"),
      );
      const again = await run(first.rejects, mapping);
      expect(again).toMatchObject({ created: 0, rejected: 5 });
      const mended = again.rejects
        .replace('"""B"" b,1901"', '"""B"" b",1901')
        .replace(/,3\r/, ",3,C,1902\r")
        .replace(",4,D,,1903,", ",4,D,1903")
        .replace(/soon\r/, "1904\r")
        .replace('7,"""G"', "7,G,1906");
      expect(await run(mended, mapping)).toMatchObject({ created: 5, rejected: 0 });
      expect(await titles()).toEqual(["1 A", '2 "B" b', "3 C", "4 D", "5 E", "6 F", "7 G"]);
    });

    test("into a rejects file that may be saved by a spreadsheet, with the empty columns that it adds", async () => {
      const first = await run("No;Title\n1;A;x\n;B\n", TITLES);
      const saved = '_line;_reason;No;Title;\r\n2;"has 3 cells";1;A;\r\n3;idno;2;B;\r\n';
      expect(first.rejected).toBe(2);
      expect(await run(saved, TITLES)).toMatchObject({ created: 2, rejected: 0 });
      const forgotten = await run(saved.replace("1;A;", "9;A;x"), TITLES);
      expect(forgotten.lines[2]).toBe("rejected: has 3 cells, the header has 2");
    });

    test("with a broken line, and finds the next complete one", async () => {
      const done = await run('No,Title\n1,A\n2,"B\n3,C\n,E,F\n6,G\n', TITLES);
      expect(done.lines).toEqual({
        2: "created",
        3: "rejected: the quote that opens cell 2 is never closed",
        4: "created",
        5: "rejected: has 3 cells, the header has 2",
        6: "created",
      });
      expect(await titles()).toEqual(["1 A", "3 C", "6 G"]);
    });

    test("with the true reason only: a number that cannot be used is not also missing", async () => {
      const split = { target: "__idno__", transforms: [{ type: "split", delimiter: "|" }] };
      const done = await run("No,Title\n1|2,A\n,B\n", { ...TITLES, No: split });
      expect(done.lines).toEqual({
        2: 'rejected: column "No": gives 2 values ("1", "2") where there can be only one',
        3: "rejected: no identification number",
      });
    });

    test("whose text the database cannot store", async () => {
      const done = await run(`No,Title\n1,A\n2,${"x".repeat(100_001)}\n3,C\n`, TITLES);
      expect(done.lines[3]).toBe("rejected: title: has 100,001 characters; the limit is 100,000");
      expect(await titles()).toEqual(["1 A", "3 C"]);
    });
  });

  describe("refuses characters that XML does not allow", () => {
    test("in any value, with the character and its place, unless a transform replaces it", async () => {
      const file =
        "No,Title,Maker\n1,Har\u000bbour,Ada\n2,Mill,A\u001dda\n\u200b3,Quay,Ada\n4,Pier\t,Ada\n5,\ufffeLock,\n6,\u0092 Weir,\u200b\n";
      const done = await run(file, MAKERS);
      expect(done.lines).toEqual({
        2: 'rejected: column "Title": contains U+000B (vertical tab, in FileMaker a line break) as character 4, which XML cannot contain; a transform can replace it',
        3: 'rejected: column "Maker": contains U+001D (group separator, in FileMaker between repetitions) as character 2, which XML cannot contain; a transform can replace it',
        4: "rejected: idno: contains U+200B (zero width space) as character 1, which is invisible",
        5: "created",
        6: 'rejected: column "Title": contains U+FFFE as character 1, which XML cannot contain; a transform can replace it',
        7: "created",
      });
      expect(await titles()).toEqual(["4 Pier", "6 \u0092 Weir"]);
      expect(await titles("entity")).toEqual(["ENT-000001 Ada"]);

      const lines = { type: "replace", search: "\u000b", replace: "\n" };
      const mended = await run(file, { No: "__idno__", Title: { target: "title", transforms: [lines] } });
      expect(mended.lines[2]).toBe("created");
      expect(await titles()).toContain("1 Har\nbour");
    });
  });

  describe.each([1, 100])("treats a number that is twice in the file, in batches of %i rows,", (batch) => {
    const NOTED = { ...TITLES, Date: "date", Note: { target: "description", lang: "en" } };
    const list =
      "No,Title,Date,Note,Row\n1,Postcard,1900,torn,a\n2,Jug,,,b\n1,Two horses,1900,torn,c\n1,Postcard,1900,torn,d\n" +
      "1,Postcard,,,e\n1,Postcard,1910,torn,f\n1,Postcard,1900,mended,g\n3,Cup,bad,,h\n3,Cup,1900,,i\n";
    const other = (line: number, field: string) =>
      `rejected: has the number or key of line ${line}, but another value for "${field}"; correct or remove one of the two`;

    test.each(["skip", "merge", "replace"] as const)(
      "by the first row, also with %s: what says something else is refused, and the list read again changes nothing",
      async (upsertStrategy) => {
        const choices = { batch, upsertStrategy };
        const preview = await run(list, NOTED, { ...choices, dryRun: true });
        const first = await run(list, NOTED, choices);
        expect(first.lines).toEqual({
          ...{ 2: "created", 3: "created", 4: other(2, "title"), 5: "skipped again", 6: "skipped again" },
          ...{ 7: other(2, "date"), 8: other(2, "description"), 9: expect.stringMatching(/^rejected: date/) },
          10: other(9, "date"),
        });
        expect(preview.lines).toEqual(first.lines);
        for (const cells of ["Two horses,1900,torn,c", "1910,torn,f", "mended,g", "bad,,h", "1900,,i"])
          expect(first.rejects).toContain(cells);
        const before = await records();
        expect(await run(list, NOTED, choices)).toMatchObject({ created: 0, updated: 0, rejected: 5 });
        expect(await records()).toEqual(before);
      },
    );

    test("but not if it was there before, from another file", async () => {
      await run("No,Title\n1,Postcard\n", TITLES);
      const merged = await run(
        "No,Title,Date\n1,Postcard,1900\n",
        { ...TITLES, Date: "date" },
        { batch, upsertStrategy: "merge" },
      );
      expect(merged.lines).toEqual({ 2: "updated" });
    });
  });

  test("fills with a fallback what a record lacks; a merge replaces nothing by it", async () => {
    const mapping = { ...TITLES, Kind: { target: "title", fallback: true } };
    await run("No,Title,Kind\n1,Pastor's chair,Chair\n2,,Jug\n", mapping);
    expect(await titles()).toEqual(["1 Pastor's chair", "2 Jug"]);
    const merge = { upsertStrategy: "merge" } as const;
    expect(await run("No,Title,Kind\n1,,Chair\n2,Big jug,Jug\n3,,Cup\n", mapping, merge)).toMatchObject({
      ...{ created: 1, updated: 1, unchanged: 1 },
    });
    expect(await titles()).toEqual(["1 Pastor's chair", "2 Big jug", "3 Cup"]);
    await run("No,Title,Kind\n1,,Chair\n", mapping, { upsertStrategy: "replace" });
    expect(await titles()).toContain("1 Chair");
  });

  test("forgets the wording of a date in a merge when the date changes, and only then", async () => {
    const mapping = { ...TITLES, Date: { target: "date", transforms: [{ type: "edtf" }] } };
    const dates = async () => {
      const [record] = await records();
      const { date, date_text } = record!.metadata as Record<string, { value: string }[] | undefined>;
      return [date?.[0]?.value, date_text?.[0]?.value];
    };
    const merge = (cell: string) =>
      run(`No,Title,Date\n1,Jug,${cell}\n`, mapping, { upsertStrategy: "merge" });
    await merge("late 18th century (style)");
    const [late] = await dates();
    expect(await dates()).toEqual([late, "late 18th century (style)"]);
    await merge("");
    expect(await dates()).toEqual([late, "late 18th century (style)"]);
    await merge("1780");
    expect(await dates()).toEqual(["1780", undefined]);
    await room.services.sql`
      update records set metadata = metadata || '{"date_text": [{"value": "by hand"}]}' where idno = '1'`;
    expect(await merge("1780")).toMatchObject({ unchanged: 1 });
    expect(await dates()).toEqual(["1780", "by hand"]);
  });
});
