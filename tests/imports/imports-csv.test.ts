import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CsvRow, readCsv } from "../../src/imports/csv/csv.ts";
import { decode } from "../../src/imports/csv/decode.ts";
import {
  chooseEncoding,
  type Detection,
  EncodingDetector,
  parseEncodingName,
} from "../../src/imports/csv/encoding.ts";
import { rejectsWriter } from "../../src/imports/csv/rejects.ts";
import { MAX_ROW } from "../../src/imports/csv/row-scanner.ts";
import { csvTable, type TableRow } from "../../src/imports/csv/table.ts";
import { said } from "../../src/messages/said.ts";
import { Problem } from "../../src/problem.ts";
import { writeCsvRow } from "../../src/text/csv-cells.ts";
import { inEnglish } from "../support/lane/in-english.ts";
import { inLong } from "../support/lane/lane.ts";

async function* chunks<T>(...parts: T[]): AsyncGenerator<T> {
  yield* parts;
}

function stream<T>(...parts: T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

async function read(text: string | string[], options: { delimiter?: string } = {}): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const batch of readCsv(chunks(...[text].flat()), options)) rows.push(...batch);
  return rows;
}

async function cellsOf(text: string, options: { delimiter?: string } = {}): Promise<string[][]> {
  return (await read(text, options)).map(({ cells }) => cells);
}

async function table(text: string): Promise<{ header: string[]; rows: TableRow[] }> {
  const { header, rows } = await csvTable(readCsv(chunks(text)));
  const all: TableRow[] = [];
  for await (const batch of rows) all.push(...batch);
  return { header, rows: all };
}

async function joined(text: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const chunk of text) all += chunk;
  return all;
}

async function detectEncoding(stream: ReadableStream<Uint8Array>): Promise<Detection> {
  const detector = new EncodingDetector();
  for await (const chunk of stream) detector.add(chunk);
  return detector.end();
}

function bytes(text: string, encoding: "utf8" | "utf16le" | "latin1" = "utf8"): Uint8Array {
  return Uint8Array.from(Buffer.from(text, encoding));
}

function swapped(even: Uint8Array): Uint8Array {
  return Uint8Array.from(even, (_, index) => even[index ^ 1]!);
}

/** The text, cut into pieces at these places. */
function cut(text: string, places: number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

/** The lines that have a fault. */
const faulty = (rows: readonly { line: number; fault?: unknown }[]): number[] =>
  rows.filter(({ fault }) => fault !== undefined).map(({ line }) => line);

describe("reading CSV", () => {
  test("a quoted cell may contain delimiters, line ends and doubled quotes", async () => {
    const text = 'a,b\r\n"x, y","says ""no""\r\nand goes"\r\n"","""",\r\n';
    expect(await read(text)).toEqual([
      { line: 1, cells: ["a", "b"] },
      { line: 2, cells: ["x, y", 'says "no"\r\nand goes'] },
      { line: 4, cells: ["", '"', ""] },
    ]);
  });

  test("CRLF, LF and CR may be mixed, and each counts as one physical line", async () => {
    const text = 'a,b\r\n1,2\n3,4\r5,6\r\n"x\ry\r\nz\n",7\n8,9';
    const seen = (await read(text)).map(({ line, cells }) => `${line} ${cells[1]}`);
    expect(seen).toEqual(["1 b", "2 2", "3 4", "4 6", "5 7", "9 9"]);
  });

  test("empty lines are skipped but counted, and a quoted empty cell is a row", async () => {
    expect(await read('a\n\n\r\n""\nb\n\n')).toEqual([
      { line: 1, cells: ["a"] },
      { line: 4, cells: [""] },
      { line: 5, cells: ["b"] },
    ]);
  });

  test("an empty file and a file of empty lines have no rows", async () => {
    expect(await read("")).toEqual([]);
    expect(await read([])).toEqual([]);
    expect(await read("\r\n\n\r")).toEqual([]);
  });

  test("a stray quote inside an unquoted cell is an ordinary character", async () => {
    expect(await cellsOf('a,b\n5" x 7",Charles "Teenie" Harris\n')).toEqual([
      ["a", "b"],
      ['5" x 7"', 'Charles "Teenie" Harris'],
    ]);
  });

  test("blanks between a closing quote and the delimiter are dropped", async () => {
    expect(await cellsOf('"a" ,"b"  \n"c" ')).toEqual([["a", "b"], ["c"]]);
  });

  test.each([
    [",", "a,b;c,d\n1,2;3,4\n"],
    [";", "a;b,c;d\n1,5;2;3\n7;8;9\n"],
    ["\t", "a\tb\n1,5\t2\n"],
    ["|", "a|b\n1;x|2\n"],
    [",", "only one column\nrow\n"],
    [";", '"a,a,a,a";b\n"c\n;";d\n'],
    [",", 'x,"a""","b""","c""",";"\n'],
  ])("the delimiter %j is detected from the first rows", async (delimiter, text) => {
    expect(await read(text)).toEqual(await read(text, { delimiter }));
  });

  test("Excel's first line sep=; names the delimiter and is not a row", async () => {
    expect(await read("sep=;\r\na,b;c\r\n1;2\r\n")).toEqual([
      { line: 2, cells: ["a,b", "c"] },
      { line: 3, cells: ["1", "2"] },
    ]);
    expect(await read("sep=;\na,b;c\n", { delimiter: "," })).toEqual([{ line: 2, cells: ["a", "b;c"] }]);
  });

  test.each(["", ",,", '"', "\n"])("%j cannot be a delimiter", async (delimiter) => {
    await expect(read("a,b", { delimiter })).rejects.toThrow(Problem);
  });

  test("a byte order mark before a quoted first cell is dropped", async () => {
    expect(await cellsOf('\u{feff}"id",b\n')).toEqual([["id", "b"]]);
  });

  test("a quote that is never closed spoils only its own line", async () => {
    expect(await read('a,b\n1,"never closed\n2,x\n3,y')).toEqual([
      { line: 1, cells: ["a", "b"] },
      { line: 2, cells: ["1", '"never closed'], fault: said("fault.row.quote_open", { cell: "2" }) },
      { line: 3, cells: ["2", "x"] },
      { line: 4, cells: ["3", "y"] },
    ]);
  });

  test("a quote that seems to be closed by a later row is a fault of the line where it opened", async () => {
    const rows = await read('a,b\n1,"open\n2,"x"\n3,"y"\n');
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect(faulty(rows)).toEqual([2]);
    expect(rows[2]!.cells).toEqual(["2", "x"]);
  });

  test("an undoubled quote inside a quoted cell is a fault that keeps the text", async () => {
    const rows = await read('a,b,c\n1,"the "good" cup",3\n4,5,6\n');
    const fault = said("fault.row.quote_early", { cell: "2" });
    expect(rows[1]).toEqual({ line: 2, cells: ["1", '"the "good" cup",3'], fault });
    expect(rows[2]!.cells).toEqual(["4", "5", "6"]);
  });

  test("a quote that is never closed in a long file is given up after 1 MiB, and all other rows are read", async () => {
    const more = `${"2,some plain text\n".repeat(200_000)}`;
    const rows = await read(cut(`a,b\n1,"open\n${more}`, [5, 70_000, 1_000_000, 1_500_000]));
    expect(rows.length).toBe(200_002);
    expect(rows[1]).toMatchObject({ line: 2, cells: ["1", '"open'] });
    expect(rows[1]!.fault).toEqual(said("fault.row.too_long"));
    expect(rows.at(-1)).toEqual({ line: 200_002, cells: ["2", "some plain text"] });
  });

  test.each([1_000, 65_536, 9_999_999])(
    "a line of more than 1 MiB is one fault, in pieces of any size (%i)",
    async (size) => {
      const long = "x".repeat(MAX_ROW + 10);
      const text = `a,b\n1,${long}\r\n2,y\n3,${"z".repeat(MAX_ROW - 2)}\n4,"${long}\n5,w`;
      const piece = (n: number) => text.slice(n * size, (n + 1) * size);
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => piece(n));
      const rows = await read(parts, { delimiter: "," });
      expect(rows.map(({ line, cells, fault }) => [line, cells[0], fault?.key])).toEqual([
        [1, "a", undefined],
        [2, undefined, "fault.row.too_long"],
        [3, "2", undefined],
        [4, "3", undefined],
        [5, undefined, "fault.row.too_long"],
        [6, "5", undefined],
      ]);
    },
  );

  test("a row of more than 2,003 cells is a fault: 2,000, and three that a rejects file may add", async () => {
    const rows = await read(`${",".repeat(2_002)}\n${",".repeat(2_003)}\n1,2\n`, { delimiter: "," });
    expect(rows.map(({ cells, fault }) => [cells.length, fault])).toEqual([
      [2_003, undefined],
      [2_003, said("fault.row.many_cells", { count: 2_004, most: 2_000 })],
      [2, undefined],
    ]);
  });

  test("the result does not depend on how the text was cut, even if the text is broken", async () => {
    const piece = fc.constantFrom('"', '""', ",", ";", "\n", "\r", "\r\n", " ", "a", "é", "sep=", "\u{feff}");
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(undefined, ",", ";"),
        async (pieces, places, delimiter) => {
          const text = pieces.join("");
          expect(await read(cut(text, places), { delimiter })).toEqual(await read(text, { delimiter }));
          expect(await read([...text], { delimiter })).toEqual(await read(text, { delimiter }));
        },
      ),
      { numRuns: 500 },
    );
  });

  inLong(test)("the result does not depend on how a long text was cut", async () => {
    const line = fc.constantFrom("1,2,3\n", '4,"a\r\nb",6\r\n', '7,"open,9\n', "\n", '"""",",",\r');
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 9 }),
        fc.array(fc.nat()),
        async (lines, places) => {
          const text = lines.join("").repeat(6_000);
          expect(await read(cut(text, places))).toEqual(await read(text));
        },
      ),
      { numRuns: 10 },
    );
  });

  test("rows arrive while the source is still open, and giving up the rows closes the source", async () => {
    let cancelled = false;
    let pulled = 0;
    const source = new ReadableStream<string>({
      pull(controller) {
        pulled++;
        controller.enqueue("some,text\n".repeat(10_000));
      },
      cancel() {
        cancelled = true;
      },
    });
    for await (const batch of readCsv(source)) {
      expect(batch.length).toBeLessThanOrEqual(500);
      break;
    }
    expect(cancelled).toBe(true);
    expect(pulled).toBeLessThan(4);
  });
});

describe("writing CSV", () => {
  test("rows are read back exactly as written, whatever their cells contain and however the text is cut", async () => {
    const signs = ["", " ", '"', ",", "\r", "\n", "\r\n", ";", "\t"];
    const awkward = fc.constantFrom(...signs, "=1+1", "sep=;", "\u{feff}x");
    const several = fc.array(awkward).map((a) => a.join(""));
    const cell = fc.oneof(awkward, fc.string({ unit: "binary" }), fc.string(), several);
    const tables = fc
      .integer({ min: 1, max: 6 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(tables, fc.array(fc.nat(), { maxLength: 10 }), async (rows, places) => {
        const back = await read(cut(rows.map((cells) => writeCsvRow(cells)).join(""), places));
        expect(back.map(({ cells }) => cells)).toEqual(rows);
        expect(back.every(({ fault }) => fault === undefined)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a cell that looks like a formula is not changed", () => {
    expect(writeCsvRow(["=SUM(A1)", "-5", 'a "b"', "x,y"])).toBe('=SUM(A1),-5,"a ""b""","x,y"\r\n');
  });
});

describe("a CSV file as a table", () => {
  test("rows are read by the trimmed names of the header", async () => {
    const { header, rows } = await table("\u{feff} id ,Titel\n1,Krug\n2\n");
    expect(header).toEqual(["id", "Titel"]);
    expect(rows.map(({ line, values }) => [line, Object.fromEntries(values)])).toEqual([
      [2, { id: "1", Titel: "Krug" }],
      [3, { id: "2", Titel: "" }],
    ]);
    expect(rows[1]!.cells).toEqual(["2"]);
  });

  test("a name with decomposed accents, as from a Mac, is the same name", async () => {
    expect((await table("Gro\u{308}\u{df}e\n5\n")).header).toEqual(["Gr\u{f6}\u{df}e"]);
  });

  test("a row with more cells than the header is a fault that keeps its cells", async () => {
    const { rows } = await table("a,b\n1,2,3\n4,5\n");
    const fault = said("fault.row.cells", { count: 3, header: 2 });
    expect(rows[0]).toMatchObject({ line: 2, cells: ["1", "2", "3"], fault });
    expect(rows[0]!.values.size).toBe(0);
    expect(rows[1]!.fault).toBeUndefined();
  });

  test("rows without any text, as spreadsheets leave them, are skipped", async () => {
    expect((await table("a,b\n,\n , \n1,2\n,,\n")).rows.map(({ line, fault }) => [line, fault])).toEqual([
      [4, undefined],
      [5, said("fault.row.cells", { count: 3, header: 2 })],
    ]);
  });

  test("the rest of a broken row does not become a record", async () => {
    const { rows } = await table('id,text,n\n1,"never closed\nsecond sentence\nthird\n2,whole,3\n4,short\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect(faulty(rows)).toEqual([2, 3, 4]);
    expect(inEnglish(rows[1]!.fault!)).toBe(
      "has 1 cell, the header has 3; it may be the rest of the broken row in line 2",
    );
  });

  test.each([
    ["", ["/header"]],
    ["a,,b,a, \n1,2,3,4,5\n", ["/header/3"]],
    ['a,"b\n1,2\n', ["/header"]],
  ])("a header such as %j is a problem that locates each fault", async (text, pointers) => {
    const problem = await table(text).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(Problem);
    expect((problem as Problem).code).toBe("invalid");
    expect((problem as Problem).errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

describe("the rejects file", () => {
  test("has the original cells with line and reason, and can be read again with the same header", async () => {
    const { header, rows } = await table('id,"a, b"\n1,"x\ny",surplus\n2, z \n3\n');
    const { head, row } = rejectsWriter(header);
    const text = head + rows.map((reject) => row(reject, ["too bad", "so sad"], inEnglish)).join("");
    expect(await cellsOf(text)).toEqual([
      ["_line", "_reason", "id", "a, b"],
      ["2", "too bad; so sad", "1", "x\ny", "surplus"],
      ["4", "too bad; so sad", "2", " z "],
      ["5", "too bad; so sad", "3", ""],
    ]);
    const again = await table(text);
    expect(again.rows.map(({ fault }) => fault !== undefined)).toEqual([true, false, false]);
    const second = rejectsWriter(again.header);
    expect(second.head).toBe(head);
    expect(second.row(again.rows[0]!, ["still bad"], inEnglish)).toBe('2,still bad,1,"x\ny",surplus\r\n');
  });

  /** The faults of a file, then those of its rejects file if nobody corrects it, three times. */
  const rounds = async (text: string) => {
    const texts = [text];
    const faults = [];
    for (let round = 0; round < 3; round++) {
      const { header, rows } = await table(texts.at(-1)!);
      const { head, row } = rejectsWriter(header);
      const refused = rows.filter(({ fault }) => fault !== undefined);
      faults.push(refused.map(({ fault }) => inEnglish(fault!)));
      texts.push(head + refused.map((reject) => row(reject, [reject.fault!], inEnglish)).join(""));
    }
    return { faults, cells: await Promise.all(texts.slice(1).map((each) => cellsOf(each))) };
  };
  const own = (cells: string[][]) => cells.map((row) => row.slice(2));

  test("counts cells without line and reason, in each round", async () => {
    const { faults, cells } = await rounds("a,b,c\n1,2,3,4\n1,2,3,,\n");
    for (const round of faults)
      expect(round).toEqual(["has 4 cells, the header has 3", "has 5 cells, the header has 3"]);
    for (const round of cells)
      expect(own(round)).toEqual([
        ["a", "b", "c"],
        ["1", "2", "3", "4"],
        ["1", "2", "3", "", ""],
      ]);
  });

  test("refuses a broken row with the same number of cells as the header until it is corrected", async () => {
    const { faults, cells } = await rounds('No,Title\n1,Boat\n2,"Bridge\n');
    expect(faults).toEqual([
      ["the quote that opens cell 2 is never closed"],
      ["has 3 cells, the header has 2"],
      ["has 3 cells, the header has 2"],
    ]);
    for (const round of cells)
      expect(own(round)[1]).toEqual(["2", '"Bridge', "correct this row and delete this cell"]);
  });

  test("loses nothing of what somebody broke while correcting it", async () => {
    const broken =
      '_line,_reason,No,Title\n3,"the quote,2,Mill\n4,too short,3,first\nsecond sentence\n' +
      '5,fine,4,Tower\n6,why,"5,Gate';
    const { faults, cells } = await rounds(broken);
    expect(faults[0]).toEqual([
      "cell 2 goes on after its closing quote; a quote inside a quoted cell is written twice",
      "has 1 cell, the header has 2",
      "the quote that opens cell 3 is never closed",
    ]);
    for (const round of cells)
      expect(own(round)).toEqual([["No", "Title"], ['"the quote,2,Mill'], ["second sentence"], ['"5,Gate']]);
  });

  test("can be read if the table has the maximum number of columns", async () => {
    const names = Array.from({ length: 2_000 }, (_, n) => `c${n}`).join(",");
    const { faults, cells } = await rounds(`${names}\n${"x,".repeat(2_500)}x\n${"y,".repeat(2_000)}y\n`);
    expect(faults.map((round) => round.length)).toEqual([2, 2, 2]);
    expect(own(cells[2]!)[2]).toHaveLength(2_001);
    await expect(table(`${names},more\n1\n`)).rejects.toThrow("The header has 2,001 cells, more than 2,000");
  });
});

describe("the encoding of a file", () => {
  const text = "id;Größe\n1;groß – 5 €\n";

  test.each([
    ["utf-8", false, [bytes(text)]],
    ["utf-8", true, [bytes(`\u{feff}${text}`)]],
    ["utf-8", false, [bytes("plain ascii\n")]],
    ["utf-8", false, []],
    ["utf-16le", true, [bytes(`\u{feff}${text}`, "utf16le")]],
    ["utf-16le", false, [bytes(text, "utf16le")]],
    ["utf-16be", true, [swapped(bytes(`\u{feff}${text}`, "utf16le"))]],
    ["utf-16be", false, [swapped(bytes(text, "utf16le"))]],
    ["windows-1252", false, [bytes("id;Gr\u{f6}\u{df}e\n", "latin1")]],
  ] as const)("%s (byte order mark: %s) is recognised", async (encoding, bom, parts) => {
    const found = await detectEncoding(stream<Uint8Array>(...parts));
    expect(found).toMatchObject({ encoding, bom });
    expect(found.format).toBeUndefined();
    expect(found.bytes).toBe(parts.reduce((sum, part) => sum + part.length, 0));
  });

  test("a long file with one wrong byte at the end is damaged UTF-8", async () => {
    const good = bytes("Größe\n".repeat(50_000));
    const damaged = { encoding: "utf-8", valid: false };
    expect(await detectEncoding(stream(good, bytes("\u{e9}", "latin1")))).toMatchObject(damaged);
    expect(await detectEncoding(stream(good, good.subarray(0, 3)))).toMatchObject(damaged);
    const cut = stream(good.subarray(0, 3), good.subarray(3));
    expect(await detectEncoding(cut)).toMatchObject({ valid: true });
  });

  test("a long list in windows-1252 stays so if one pair of its bytes is UTF-8 by chance", async () => {
    const german = Uint8Array.from([...bytes("gr\u{fc}n\n".repeat(10), "latin1"), 0xdf, 0x93]);
    expect(await detectEncoding(stream(german))).toMatchObject({ encoding: "windows-1252", valid: false });
  });

  test.each([
    ["png", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]],
    ["zip", [0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0, 0, 0]],
    ["bytes", [1, 2, 3, 0, 0, 7, 65, 66, 67, 0, 0, 0, 1]],
  ])("%s is recognised as not being text", async (format, content) => {
    const found = await detectEncoding(stream(Uint8Array.from(content)));
    expect(found.format).toBe(format);
  });

  test.each(["utf-8", "utf-16le", "utf-16be"] as const)(
    "%s text is decoded the same however its bytes are cut",
    async (encoding) => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: "grapheme", minLength: 1 }),
          fc.boolean(),
          fc.nat(),
          fc.nat(),
          async (value, bom, a, b) => {
            const marked = `${bom ? "\u{feff}" : ""}x${value}`;
            const encoded = encoding === "utf-8" ? bytes(marked) : bytes(marked, "utf16le");
            const all = encoding === "utf-16be" ? swapped(encoded) : encoded;
            const [from, to] = [a % all.length, b % all.length].sort((x, y) => x - y) as [number, number];
            const parts = [all.subarray(0, from), all.subarray(from, to), all.subarray(to)];
            expect(await joined(decode(stream(...parts), encoding))).toBe(`x${value}`);
          },
        ),
      );
    },
  );

  test("bytes that are invalid in the given encoding are refused", async () => {
    const latin = () => stream(bytes("abc\n"), bytes("Gr\u{f6}\u{df}e", "latin1"));
    expect(await joined(decode(latin(), "windows-1252"))).toBe("abc\nGröße");
    await expect(joined(decode(latin(), "utf-8"))).rejects.toThrow(
      /^The file is not utf-8 text: line 2, column 3, the byte 0xF6 \(number 7\)\. Correct it, or name the file's encoding$/,
    );
  });

  // where: line, column and number of the byte
  test.each<[string, string, number[], [number, number, number]]>([
    ["a lone byte", "utf-8", [97, 10, 98, 13, 10, 99, 13, 0xe9, 97], [4, 1, 8]],
    ["a lone trail", "utf-8", [0xc3, 0xa9, 10, 0xa9, 97], [2, 1, 4]],
    ["a character without its end", "utf-8", [97, 10, 0xe2, 0x82], [2, 1, 3]],
    ["a character without its middle", "utf-8", [97, 10, 0xe2, 0x82, 10, 97], [2, 1, 3]],
    ["half a pair", "utf-16le", [97, 0, 10, 0, 0x3d, 0xd8, 98, 0], [2, 1, 5]],
    ["half a pair after a pair", "utf-16be", [0xd8, 0x3d, 0xde, 0, 0, 10, 0xde, 0, 0, 98], [2, 1, 7]],
    ["an odd byte", "utf-16be", [0, 97, 0, 10, 0], [2, 1, 5]],
    ["a lead without its trail", "shift_jis", [97, 10, 0x83, 0x5c, 0x83, 0x7f, 10], [2, 2, 5]],
  ])(
    "%s (%s) is located by line, however the bytes are cut",
    async (_what, encoding, all, [line, column, number]) => {
      const byte = `0x${all[number - 1]!.toString(16).toUpperCase().padStart(2, "0")}`;
      const said = `line ${line}, column ${column}, the byte ${byte} (number ${number})`;
      for (let from = 0; from <= all.length; from++) {
        for (let to = from; to <= all.length; to++) {
          const cuts = [all.slice(0, from), all.slice(from, to), all.slice(to)];
          const parts = cuts.map((part) => Uint8Array.from(part));
          await expect(joined(decode(stream(...parts), encoding)), `${from} ${to}`).rejects.toThrow(said);
        }
      }
    },
  );

  test.each([
    ["utf-8", "utf8,UTF-8,UTF-8-SIG, utf_8 "],
    ["utf-16le", "utf-16,UTF-16 LE"],
    ["utf-16be", "utf16be"],
    ["windows-1252", "latin1,Latin-1,ISO-8859-1,iso8859_1,cp1252,Windows-1252,win1252,ansi"],
    ["windows-1250", "Windows 1250"],
    ["macintosh", "Mac Roman"],
    ["shift_jis", "shift_jis"],
    [null, "klingon,"],
  ])("%s is meant by the names %j", (encoding, names) => {
    for (const name of names.split(",")) expect([name, parseEncodingName(name)]).toEqual([name, encoding]);
  });

  test("a byte order mark takes precedence over the name that the caller gave", () => {
    const found = { encoding: "utf-16be", valid: false, bytes: 10 } as const;
    expect(chooseEncoding({ ...found, bom: true }, "utf-16le")).toBe("utf-16be");
    expect(chooseEncoding({ ...found, bom: false }, "utf-16le")).toBe("utf-16le");
    expect(chooseEncoding({ ...found, bom: false }, null)).toBe("utf-16be");
  });
});

inLong(describe)("real museum data", () => {
  const python = hasPython();
  const files = [
    ["wcma/objects.csv", 3_600],
    ["wcma/events.csv", 1_948],
    ["wcma/exhibitions.csv", 1_852],
    ["teenie/teenie.csv", 59_031],
  ] as const;

  for (const [name, records] of files) {
    const path = fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url));
    const source = () => Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>;

    test.skipIf(!existsSync(path))(`${name} has ${records} records and no fault`, async () => {
      expect(await detectEncoding(source())).toMatchObject({ encoding: "utf-8" });
      const { rows } = await csvTable(readCsv(decode(source(), "utf-8")));
      let count = 0;
      for await (const batch of rows) {
        count += batch.length;
        expect(batch.filter(({ fault }) => fault !== undefined)).toEqual([]);
      }
      expect(count).toBe(records);
    });

    test.skipIf(!existsSync(path) || !python)(
      `${name} is read as by Python's csv module, cell by cell and line by line`,
      async () => {
        const sum = createHash("sha256");
        for await (const batch of readCsv(decode(source(), "utf-8"))) {
          for (const { line, cells } of batch) sum.update(`${line}\u001f${cells.join("\u001f")}\u001e`);
        }
        expect(sum.digest("hex")).toBe(pythonDigest(path));
      },
    );
  }
});

const hasPython = (): boolean => spawnSync("python3", ["-c", "import csv"]).status === 0;

function pythonDigest(path: string): string {
  const script = `
import csv, hashlib, sys
csv.field_size_limit(1 << 30)
digest = hashlib.sha256()
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    reader = csv.reader(file)
    line = 1
    for row in reader:
        if row:
            digest.update((str(line) + "\\x1f" + "\\x1f".join(row) + "\\x1e").encode())
        line = reader.line_num + 1
print(digest.hexdigest())
`;
  return execFileSync("python3", ["-c", script, path], { encoding: "utf8" }).trim();
}
