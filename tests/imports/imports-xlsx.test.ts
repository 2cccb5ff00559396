/** Excel files as lists: what becomes of each cell, and what is refused. */

import fc from "fast-check";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { joinBytes } from "../../src/bytes.ts";
import { sampleOf } from "../../src/imports/sample.ts";
import { cellFormat, shortestDecimal } from "../../src/imports/xlsx/formats.ts";
import { SharedStrings } from "../../src/imports/xlsx/strings.ts";
import { Problem } from "../../src/problem.ts";
import { workbookWriter } from "../../src/text/workbook.ts";
import { inEnglish } from "../support/lane/in-english.ts";
import { importRoom, refusal, TITLES } from "../support/museum/import-room.ts";
import { emptied, textSource } from "../support/museum/importing.ts";
import { quickest } from "../support/museum/museum.ts";
import { type Cell, escaped, list, workbook, zipped } from "../support/workbook.ts";

const sample = (bytes: Uint8Array, options = {}) =>
  sampleOf(textSource(bytes, "list.xlsx", 997), 1_000, options);
const why = (bytes: Uint8Array, options = {}): Promise<string> =>
  sample(bytes, options).then(
    () => expect.fail("was not refused"),
    (error) => (error instanceof Problem ? inEnglish(error.told) : Promise.reject(error)),
  );

/** A workbook with this sheet. */
const sheetOf = (xml: string, parts = {}) =>
  workbook({ sheets: [{ name: "A", rows: [] }], parts: { ...parts, "xl/worksheets/sheet1.xml": xml } });

/** The texts of a column with these cells. */
async function textsOf(cells: readonly Cell[], date1904 = false): Promise<(string | undefined)[]> {
  const rows = [["No", "Text"], ...cells.map((cell, index) => [`${index + 1}`, cell])];
  const { rows: read } = await sample(workbook({ sheets: [{ name: "A", rows }], date1904 }));
  return read.map(([, text]) => text);
}

describe("a cell becomes the text that the museum sees", () => {
  const shown = async (pairs: readonly (readonly [number | string, string, string])[], date1904 = false) => {
    const cells = pairs.map(([value, format]) => ({ value, format }));
    expect(await textsOf(cells, date1904)).toEqual(pairs.map(([, , text]) => text));
  };

  test("by the format of a number", () =>
    shown([
      [42, "0000", "0042"],
      [-42, "0000", "-0042"],
      [1.5, "0.00", "1.50"],
      [1.005, "0.00", "1.01"],
      [1234567.891, "#,##0.00", "1234567.89"],
      [0.255, "0.0%", "25.5%"],
      [12345, "0.00E+00", "1.23E+04"],
      [7, '"Inv. "000', "Inv. 007"],
      [121987, "000\\/0000", "012/1987"],
      [12, "#,##0.00\\ [$€-407]", "12.00 €"],
      [5, "_(* #,##0_)", "5"],
      [4.25, '0.0\\ "cm"', "4.3 cm"],
      [42, ";;;", "42"],
      [42, "[nonsense", "42"],
      ["Boot", '0;-0;0;"Inv. "@', "Inv. Boot"],
      ["0042", "0.00", "0042"],
      // formats that are not in the file, by their number
      [1234.5, "#4", "1234.50"],
      [0.5, "#9", "50%"],
      [45000, "#14", "2023-03-15"],
      [0.5, "#20", "12:00"],
      [7, "#49", "7"],
    ]));

  test("but a number without a format becomes the decimal of 15 digits that spreadsheets show", async () => {
    const numbers = [0, -1.5, 0.1, 1e21, 1e-7, 1.5e-10, 123456789012345680000, 40.1];
    await shown(numbers.map((value) => [value, "General", shortestDecimal(value)]));
    await shown([
      [1912 + 0.1 + 0.1, "General", "1912.2"],
      [0.1 + 0.2, "@", "0.3"],
      [1912.1999999999998, "[nonsense", "1912.2"],
      [2 ** 53 - 1, "General", "9007199254740991"],
    ]);
  });

  test("and a date becomes ISO 8601, as precisely as it is shown", async () => {
    await shown([
      [45000, "d. mmm. yyyy", "2023-03-15"],
      [45000, "[$-F800]dddd, mmmm dd, yyyy", "2023-03-15"],
      [45000.75, "dd/mm/yyyy hh:mm", "2023-03-15T18:00:00"],
      [45000, "dd/mm/yyyy hh:mm", "2023-03-15"],
      [45000.75, "dd/mm/yyyy", "2023-03-15"],
      [4567, "yyyy", "1912"],
      [4567, "mmm yy", "1912-07"],
      [45000, "d. mmm", "2023-03-15"],
      [0.6, "h:mm", "14:24"],
      [1.6, "[h]:mm", "38:24"],
      [0.001, "mm:ss.0", "01:26.4"],
    ]);
    // 1900 has a 29 February; before it, days count one less
    await shown([
      [1, "yyyy-mm-dd", "1900-01-01"],
      [59, "yyyy-mm-dd", "1900-02-28"],
      [60, "yyyy-mm-dd", "1900-02-29"],
      [61, "yyyy-mm-dd", "1900-03-01"],
      [0, "yyyy-mm-dd", "1900-01-00"],
      // LibreOffice stores days before 1900
      [-18138, "yyyy-mm-dd", "1850-05-03"],
      [2958465, "yyyy-mm-dd", "9999-12-31"],
      [3e6, "yyyy-mm-dd", "3000000"],
    ]);
    await shown(
      [
        [0, "yyyy-mm-dd", "1904-01-01"],
        [60, "yyyy-mm-dd", "1904-03-01"],
        [43538, "yyyy-mm-dd", "2023-03-15"],
      ],
      true,
    );
  });

  test("shortest decimals mean the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = shortestDecimal(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
        expect(Number(cellFormat("General")(String(value)))).toBe(
          Number.isInteger(value) ? Number(text) : Number(value.toPrecision(15)),
        );
      }),
    );
  });

  test("whatever stores it", async () => {
    const cells = [
      '<c r="R" t="inlineStr"><is><r><t>Ha</t></r><r><t xml:space="preserve">fen </t></r><rPh><t>x</t></rPh></is></c>',
      '<c r="R" t="str"><f>A1&amp;"x"</f><v>  made  </v></c>',
      '<c r="R"><f>1+1</f><v>2</v></c>',
      '<c r="R" t="b"><v>1</v></c>',
      '<c r="R" t="b"><v>0</v></c>',
      '<c r="R" t="d"><v>1912-05-03T00:00:00</v></c>',
      '<c r="R" t="inlineStr"><is><t>a_x000D_b_x005F_x000D_<![CDATA[<c>]]></t></is></c>',
      '<c r="R" t="e"><v>#REF!</v></c>',
    ];
    expect(await textsOf(cells.map((xml) => ({ xml })))).toEqual([
      ...["Hafen ", "  made  ", "2", "TRUE", "FALSE", "1912-05-03", "a\rb_x000D_<c>", "#REF!"],
    ]);
  });

  test("random texts survive, also without the places of cells and with prefixes", async () => {
    const anyText = fc.string({ unit: "binary", maxLength: 30 }).filter((text) => text.trim() !== "");
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 8 }), async (texts) => {
        expect(await textsOf(texts)).toEqual(texts);
        const row = (text: string) =>
          `<x:row><x:c t="inlineStr"><x:is><x:t>${escaped(text)}</x:t></x:is></x:c></x:row>`;
        const rows = ["Text", ...texts].map(row).join("");
        const bytes = sheetOf(
          `<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
        );
        expect((await sample(bytes)).rows).toEqual(texts.map((text) => [text]));
      }),
      { numRuns: 10 },
    );
  });
});

describe("the sheet and its header", () => {
  const TABLE = [
    ["No", "Title", "Place"],
    ["1", "Boat", "Oslo"],
  ];

  test("are the fullest table, wherever it is", async () => {
    const years = [
      ["2023", "1200"],
      ["2024", "1300"],
    ];
    const few = { name: "Visitors", rows: [["Year", "Number"], ...years] };
    const many = Array.from({ length: 40 }, (_, n) => [String(n), `Boat ${n}`, `Oslo ${n * n}`]);
    const list = { name: "List", rows: [["No", "Title", "Place"], ...many] };
    const bare = { name: "Empty", rows: Array.from({ length: 400 }, () => [null, null, null]) };
    for (const sheets of [
      [few, list, bare],
      [bare, list, few],
    ])
      expect(await sample(workbook({ sheets }))).toMatchObject({ choice: { sheet: "List" } });
  });

  test("are the first table, if the sheets before it have only remarks or a head", async () => {
    const remarks = { name: "Read me", rows: [["Inventory"], ["Do not delete"], ["As of", "today"]] };
    const column = { name: "Notes", rows: [["Note"], ["a"], ["b"]] };
    const full = { name: "List", rows: TABLE };
    const other = { name: "Addresses", rows: TABLE };
    for (const [sheet, sheets] of [
      ["List", [remarks, column, full, other]],
      ["Read me", [remarks, column]],
    ] as const)
      expect(await sample(workbook({ sheets }))).toMatchObject({ choice: { sheet } });
  });

  test("are the first one with text that is not hidden, and the first row that fills most columns", async () => {
    const bytes = workbook({
      sheets: [
        { name: "Old", rows: [["x"]], state: "hidden" },
        { name: "Empty", rows: [] },
        { name: "List", rows: [["Inventory of the museum"], null, ["As of", 45000], ...TABLE] },
        { name: "Notes", rows: [["y"]] },
      ],
    });
    expect(await sample(bytes)).toMatchObject({
      header: ["No", "Title", "Place"],
      rows: [["1", "Boat", "Oslo"]],
      choice: { sheet: "List", headerRow: 4, above: ["Inventory of the museum", "As of 45000"] },
    });
    expect(await sample(bytes, { sheet: "Old" })).toMatchObject({ header: ["x"], rows: [] });
    expect(await sample(bytes, { sheet: "List", headerRow: 3 })).toMatchObject({
      choice: { headerRow: 3, above: ["Inventory of the museum"] },
    });
    expect(await why(bytes, { sheet: "None" })).toBe(
      'list.xlsx has no sheet "None". Its sheets are: Old, Empty, List, Notes.',
    );
    expect(await why(bytes, { sheet: "Empty" })).toContain('The sheet "Empty" is empty. Other sheets: Old');
    expect(await why(bytes, { sheet: "List", headerRow: 2 })).toContain("Row 2 of the sheet is empty");
    expect(await why(list([]))).toBe('The sheet "Liste" is empty.');
  });
});

describe("a file that is not a list", () => {
  const other = (part: string) => why(zipped({ [part]: "x" }));

  test("is refused with what to do", async () => {
    expect(await other("content.xml")).toContain("OpenDocument workbook: save it as .xlsx");
    expect(await other("Index/Document.iwa")).toContain("Numbers file: export it as Excel");
    expect(await other("word/document.xml")).toContain("Word document");
    expect(await other("any.txt")).toContain("a ZIP archive, but not an Excel file");
    const types = `<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>`;
    const ways: Record<string, string>[] = [{ "xl/vbaProject.bin": "x" }, { "[Content_Types].xml": types }];
    for (const parts of ways)
      expect(await why(workbook({ sheets: [{ name: "A", rows: [["x"]] }], parts }))).toContain("macros");
    const wide = (name: string) => [...name].flatMap((one) => [one.charCodeAt(0), 0]);
    const ole = (name: string) =>
      why(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, ...Array(600).fill(0), ...wide(name)]));
    expect(await ole("Workbook")).toContain("old format (.xls)");
    expect(await ole("EncryptedPackage")).toContain("has a password");
    expect(await ole("WordDocument")).toContain("old Word document");
  });

  test("is refused if it is cut off, changed, or hides parts", async () => {
    const good = list([["No"], ["1"]]);
    expect((await sample(good)).rows).toEqual([["1"]]);
    for (const at of [0.2, 0.5, 0.9, 0.99])
      expect(await why(good.slice(0, Math.floor(good.length * at)))).toContain("is damaged");
    const text = strToU8("a".repeat(500));
    const stored = (content: Uint8Array) => zipSync({ "xl/a": [content, { level: 0 }] });
    const changed = list([["No"], [{ xml: `<c r="R" t="inlineStr"><is><t>${"qz".repeat(9)}</t></is></c>` }]]);
    for (let at = 40; at < changed.length - 800; at += 97) {
      const broken = changed.slice();
      broken[at]! ^= 0x55;
      const read = await sample(broken).catch(() => ({ rows: "refused" }));
      expect([[["qz".repeat(9)]], "refused"]).toContainEqual(read.rows);
    }
    expect(await why(Uint8Array.from([...stored(text), ...good]))).toContain("is damaged");
  });

  test("is refused if it has a document type, or unpacks to too much", async () => {
    const dtd = '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet><sheetData/></worksheet>';
    expect(await why(sheetOf(dtd))).toContain("document type");
    const data = (rows: string, parts = {}) =>
      why(sheetOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`, parts));
    const blank = `<row><c t="inlineStr"><is><t>${" ".repeat(3_000_000)}</t></is></c></row>`;
    expect(await data(blank)).toMatch(/unusually highly compressed|a cell with more than/);
    const row = (n: number) => `<row r="${n}"><c t="s"><v>0</v></c></row>`;
    const strings = `<sst><si><t>${"ab".repeat(400_000)}</t></si></sst>`;
    const rows = Array.from({ length: 400 }, (_, n) => row(n + 1)).join("");
    expect(await data(rows, { "xl/sharedStrings.xml": strings })).toContain("more than 200 MB of text");
  });
});

describe("a file that would take too much memory or time", () => {
  const ROWS = { sheets: [{ name: "A", rows: [["No"], [{ value: 7, format: "000" }]] }] };
  const withPart = (part: string, xml: string) => workbook({ ...ROWS, parts: { [part]: xml } });
  const DAMAGED = "is damaged, or the program that wrote it made a mistake";

  test.each([
    ...["_rels/.rels", "[Content_Types].xml", "xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml"],
    "xl/worksheets/sheet1.xml",
  ])("is refused if elements of %s are nested too deeply", async (part) => {
    const original = strFromU8(unzipSync(workbook(ROWS))[part]!);
    const nested = (depth: number) =>
      withPart(part, original.replace(/(?=<\/\w+>$)/, "<a>".repeat(depth) + "</a>".repeat(depth)));
    expect((await sample(nested(99))).rows).toEqual([["007"]]);
    expect(await why(nested(100))).toContain(DAMAGED);
  });

  test("is refused if a list in it has no end", async () => {
    const tags = (tag: string, count: number) => `<x>${tag.repeat(count)}</x>`;
    // a comment that does not pack well, as the packed size limits the unpacked one
    const noise = `<!--${Array.from({ length: 6_000 }, (_, n) => (n * 2_654_435_761).toString(36)).join("")}-->`;
    expect(await why(withPart("xl/styles.xml", tags("<a/>", 500_001) + noise))).toContain(DAMAGED);
    const strings = new SharedStrings("list.xlsx");
    for (let n = 0; n < 5_000_000; n++) strings.add("");
    expect(() => strings.add("")).toThrow(DAMAGED);
    const tabs = `<sheets xmlns:r="r">${'<sheet name="a" r:id="rId1"/>'.repeat(1_001)}</sheets>`;
    expect(await why(withPart("xl/workbook.xml", `<workbook>${tabs}</workbook>`))).toBe(
      "list.xlsx has more than 1,000 sheets: save the one with the list as a file of its own, or as CSV.",
    );
  });

  test("is read only so far for a sheet with text", async () => {
    const filled = { name: "List", rows: [["No"], ["1"]] };
    const sheets = (empty: number) =>
      workbook({ sheets: [...Array(empty).fill({ name: "Empty", rows: [] }), filled] });
    for (const empty of [19, 20])
      expect(await sample(sheets(empty))).toMatchObject({ choice: { sheet: "List" } });
    expect(await why(sheets(20), { sheet: "Empty" })).toContain('The sheet "Empty" is empty. Other sheets: ');
  });

  test("has its number formats read only where cells use them, and not beyond the limits of Excel", async () => {
    const sevens = [255, 256].map((digits) => ({ value: 7, format: "0".repeat(digits) }));
    const long = "a".repeat(32_768);
    const shown = await textsOf([...sevens, { value: long, format: '@"x"' }]);
    expect(shown).toEqual(["7".padStart(255, "0"), "7", long]);
    const cells = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ value: n, format: `0"${n}"` }));
    expect(await textsOf(cells(299))).toHaveLength(299);
    const many = list([["No"], ...cells(400).map((cell) => [cell])]);
    expect(await why(many)).toContain("has more number formats than can be read");
    const format = (n: number) => `<numFmt numFmtId="${500 + n}" formatCode="0${n}"/>`;
    const unused = Array.from({ length: 400 }, (_, n) => format(n));
    const xfs = unused.map((_, n) => `<xf numFmtId="${500 + n}"/>`);
    const styles = `<s><numFmts>${unused.join("")}</numFmts><cellXfs><xf numFmtId="0"/>${xfs.join("")}</cellXfs></s>`;
    expect((await sample(withPart("xl/styles.xml", styles))).rows).toEqual([["07"]]);
  });

  test.each(["http://[", "%ff"])("is refused if an address in it is malformed: %s", async (target) => {
    const relations = `<r><Relationship Id="rId1" Type="x/officeDocument" Target="${target}"/></r>`;
    expect(await why(withPart("_rels/.rels", relations))).toContain(DAMAGED);
  });
});

test("a workbook as other programs write it is read", async () => {
  const x = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relations = (all: readonly (readonly [string, string])[]) =>
    `<p:Relationships xmlns:p="http://schemas.openxmlformats.org/package/2006/relationships">${all
      .map(([type, part], n) => `<p:Relationship Target="${part}" Type="${office}/${type}" Id="R${n}"/>`)
      .join("")}</p:Relationships>`;
  const text = (value: string) => `<x:c t="inlineStr"><x:is><x:t>${value}</x:t></x:is></x:c>`;
  const bytes = zipped({
    "[Content_Types].xml": `<t:Types xmlns:t="http://schemas.openxmlformats.org/package/2006/content-types"><t:Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></t:Types>`,
    "_rels/.rels": relations([["officeDocument", "/xl/workbook.xml"]]),
    "xl/workbook.xml": `<x:workbook ${x} xmlns:rel="${office}"><x:sheets><x:sheet name="Liste" sheetId="1" rel:id="R0"/></x:sheets></x:workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ["worksheet", "/xl/worksheets/Sheet1.xml"],
      ["styles", "./styles.xml"],
      ["sharedStrings", "../xl/texts.xml"],
    ]),
    "xl/texts.xml": `<x:sst ${x}><x:si><x:r><x:t>Bo</x:t></x:r><x:r><x:t>at</x:t></x:r></x:si></x:sst>`,
    "xl/styles.xml": `<x:styleSheet ${x}><x:numFmts><x:numFmt numFmtId="164" formatCode="0000"/></x:numFmts><x:cellXfs><x:xf/><x:xf numFmtId="164"/></x:cellXfs></x:styleSheet>`,
    "xl/worksheets/sheet1.xml": `<x:worksheet ${x}><x:sheetData><x:row>${text("No")}${text("Title")}</x:row><x:row><x:c s="1"><x:v>7</x:v></x:c><x:c t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
  });
  expect(await sample(bytes)).toMatchObject({ header: ["No", "Title"], rows: [["0007", "Boat"]] });
});

describe("a table written as a workbook", () => {
  test("returns cell by cell, and nothing in it is a formula", async () => {
    const anyCell = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("=1+1", "+49", "-5", "@x", "0042", "12.50", "1e5", "_x000D_", " a ", "3-5", "\ud800"),
      fc.double({ noNaN: true }).map(String),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyCell, anyCell), { maxLength: 6 }), async (cells) => {
        const writer = workbookWriter("A/b: [c]");
        const head = ["Nr", "Text"].map((text) => ({ text }));
        const rows = cells.map((row) => row.map((text) => ({ text, isNumber: true })));
        const bytes = joinBytes([writer.rows([head]), writer.rows(rows), writer.end()]);
        expect(new TextDecoder().decode(unzipSync(bytes)["xl/worksheets/sheet1.xml"])).not.toContain("<f");
        const { header, rows: read } = await sample(bytes);
        expect(header).toEqual(["Nr", "Text"]);
        expect(read).toEqual(cells.filter((row) => row.some((text) => text.trim() !== "")));
      }),
      { numRuns: 10 },
    );
  });
});

describe("an import of a workbook", () => {
  const room = importRoom(quickest);

  test("creates records, reports what it left out, and finds them again", async () => {
    const bytes = workbook({
      sheets: [
        { name: "Leer", rows: [], after: '<mergeCells><mergeCell ref="A5:D5"/></mergeCells>' },
        {
          name: "Objekte",
          rows: [
            ["Bestand"],
            null,
            ["No", "Title", "Made", "Note"],
            [{ value: 7, format: "0000" }, "Boot", { value: 4567, format: "dd.mm.yyyy" }, "a"],
            ["0008", { xml: '<c r="R" t="e"><v>#REF!</v></c>' }, 1913, "b"],
            ["0009", "Netz", null, { xml: '<c r="R" t="e"><v>#N/A</v></c>' }],
            ["0010", "Kahn", null, null, "beyond the header"],
          ],
          hidden: [6],
          after: '<mergeCells><mergeCell ref="A1:D1"/><mergeCell ref="D4:D5"/></mergeCells>',
        },
        { name: "Alt", rows: [["x"]] },
      ],
    });
    const mapping = { ...TITLES, Made: { target: "date", transforms: [{ type: "edtf", strict: true }] } };
    const done = await room.run(bytes, mapping);
    expect(done.lines).toEqual({
      4: "created",
      5: expect.stringContaining("the cell has the error #REF! instead of a value"),
      6: "created",
      7: "rejected: has 5 cells, the header has 4",
    });
    expect(await room.titles()).toEqual(["0007 Boot", "0009 Netz"]);
    expect((await room.records())[0]!.metadata).toMatchObject({ date: [{ value: "1912-07-02" }] });
    expect(done.warnings).toEqual([
      'Read from the sheet "Objekte"; row 3 has the names of the columns',
      "Rows above the names of the columns, not imported: Bestand",
      "Other sheets, not imported: Leer, Alt",
      "One hidden row was read, too",
      "Merged cells; only the first one has the text: D4:D5",
    ]);
    expect(done.rejects).toContain("#REF!");
    expect(done.rejects).toContain("beyond the header");
    const german = await room.run(bytes, mapping, { language: "de" });
    expect(german).toMatchObject({ created: 0, skipped: 2, rejected: 2 });
    expect(german.rejects.split("\r\n")[0]).toBe("\uFEFF_line;_reason;No;Title;Made;Note");
    const mended = german.rejects.replace("#REF!", "Boje").replace(/.*beyond the header.*\r\n/, "");
    expect(await room.run(mended, mapping)).toMatchObject({ created: 1, rejected: 0 });
  });

  test("of each sheet and each header creates its own records, and the same ones again only for the same", async () => {
    const rows = (first: string) => [["Title"], [first], ["Net"], ["Title"], ["Bell"]];
    const bytes = workbook({
      sheets: [
        { name: "1990", rows: rows("Boat") },
        { name: "1991", rows: rows("Oar") },
      ],
    });
    const created = async (choices: object) =>
      (await room.run(bytes, { Title: "title" }, { upsertStrategy: "merge", ...choices })).created;
    expect(await created({ sheet: "1990" })).toBe(4);
    expect(await created({ sheet: "1991" })).toBe(4);
    expect(await created({ sheet: "1991", headerRow: 4 })).toBe(1);
    expect(await created({})).toBe(0);
    expect(await created({ sheet: "1991", headerRow: 1 })).toBe(0);
  });

  test("refuses rows with errors and with formulas without a result, and ignores blanks beyond the header", async () => {
    const error = (text: string) => ({ xml: `<c r="R" t="e"><v>${text}</v></c>` });
    const formula = (result: string) => ({ xml: `<c r="R" t="str"><f>A1&amp;"x"</f>${result}</c>` });
    const bytes = list([
      ["No", "Title", "Maker", "Role"],
      ["1", "Boat", null, null, " "],
      ["2", error("#BUSY!")],
      ["3", "#N/A"],
      ["4", formula("")],
      ["5", "Net", formula("<v/>")],
      ["6", "Bell", "Ada", error("#N/A")],
      [{ xml: `<c r="R"><f>A1&amp;"x"</f><v/></c>` }],
    ]);
    expect((await sample(bytes)).rows.at(-1)).toEqual(['=A1&"x"', "", "", ""]);
    const Maker = { target: "__relation:created_by:entity__", role: { column: "Role" } };
    const refused = (text: string) => expect.stringMatching(new RegExp(`^rejected: .*${text}`));
    expect((await room.run(bytes, { ...TITLES, Maker })).lines).toEqual({
      2: "created",
      3: refused("#BUSY!"),
      4: refused("#N/A"),
      5: refused("formula without a result"),
      6: "created",
      7: refused("Role.*#N/A"),
      8: refused("formula without a result"),
    });
    expect(await room.titles()).toEqual(["1 Boat", "5 Net"]);
  });

  test("gives the same catalogue as the same list as CSV", async () => {
    const rows = [
      ["No", "Title"],
      ["1", "  Boat "],
      ["2", 'Net, "old"'],
      ["0042", "Line\nbreak"],
    ];
    await room.run(list(rows), TITLES);
    const fromWorkbook = await room.records();
    await emptied(room.services.sql);
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    await room.run(rows.map((row) => row.map(quoted).join(",")).join("\n"), TITLES);
    expect(await room.records()).toEqual(fromWorkbook);
  });

  test("refuses options of other formats", async () => {
    const bytes = list([["No", "Title"]]);
    const told = async (content: string | Uint8Array, choices: object) =>
      inEnglish((await refusal(room.run(content, TITLES, choices))).told);
    expect(await told(bytes, { encoding: "utf-8" })).toContain("only for CSV");
    expect(await told(bytes, { delimiter: ";" })).toContain("only for CSV");
    expect(await told("No,Title\n", { sheet: "A" })).toContain("not an Excel file");
    expect(await told("No,Title\n", { headerRow: 2 })).toContain("not an Excel file");
  });
});
