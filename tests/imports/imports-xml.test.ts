import { describe, expect, test } from "vitest";
import { createReport } from "../../src/imports/report/report.ts";
import { parseRecordPath } from "../../src/imports/xml/clark.ts";
import { RecordReader } from "../../src/imports/xml/records.ts";
import { compileXPath } from "../../src/imports/xml/xpath.ts";
import { allInEnglish, inEnglish } from "../support/lane/in-english.ts";
import { importRoom, refusal, SMALL_BATCH } from "../support/museum/import-room.ts";
import { type Choices, catalogue, emptied, everything } from "../support/museum/importing.ts";
import { LIDO, lidoMapping, lidoText } from "../support/museum/lido-file.ts";
import { databases } from "../support/museum/museum.ts";

const WORKS = { "@no": "__idno__", title: "title", year: "date" };
const workList = (...records: string[]) => `<list>\n${records.join("\n")}\n</list>\n`;
const work = (no: string, title = `Work ${no}`, year = "1900") =>
  `<work no="${no}"><title>${title}</title><year>${year}</year></work>`;

/** UTF-16 with a byte order mark. */
function wide(text: string, bigEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  for (const [n, code] of [0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))].entries())
    view.setUint16(2 * n, code, !bigEndian);
  return bytes;
}

describe.each(databases)("an import of XML into the %s database", (database) => {
  const room = importRoom(database);
  const select = (
    content: string | Uint8Array,
    recordXPath: string,
    mapping: Record<string, unknown>,
    choices?: Choices,
  ) => room.run(content, mapping, { ...choices, recordXPath });
  const run = (content: string | Uint8Array, mapping: Record<string, unknown> = WORKS, choices?: Choices) =>
    select(content, "/list/work", mapping, choices);
  const titles = () => room.titles();
  const metadata = async () =>
    (await room.services.sql`select metadata from records where record_type = 'object' order by idno`).map(
      (row) => row.metadata,
    );

  test("several nodes become several values, each in the language of its xml:lang", async () => {
    const file = `<list xml:lang="de"><work no="1">
      <title xml:lang="en">Harbour &amp; sea</title><title>Hafen
        am <b>Meer</b></title><title xml:lang="">Port</title>
      <year>1887</year><stuff>oil paint</stuff><stuff>canvas</stuff>
      <note xml:lang="en"><![CDATA[First <line>

      and another]]> one</note>
    </work></list>`;
    const done = await run(file, {
      ...WORKS,
      stuff: "material",
      note: ["description", { target: "credit_line", lang: "fr" }],
    });
    expect(done).toMatchObject({ created: 1, rejected: 0 });
    expect(await metadata()).toEqual([
      {
        title: [
          { value: "Harbour & sea", lang: "en" },
          { value: "Hafen am Meer", lang: "de" },
          { value: "Port" },
        ],
        // dates and materials have no language
        date: [{ value: "1887" }],
        material: [{ value: "oil paint" }, { value: "canvas" }],
        description: [{ value: "First <line>\n\nand another one", lang: "en" }],
        credit_line: [{ value: "First <line>\n\nand another one", lang: "fr" }],
      },
    ]);
  });

  test("languages that are none are left out, and the report says which", async () => {
    const file = workList(
      '<work no="1"><title xml:lang="sv-1">Fyr</title><title xml:lang="sv">Båk</title></work>',
    );
    const done = await run(file, { "@no": "__idno__", title: "title" });
    expect(done.outcomes[0]!.mapped.fields).toMatchObject({
      title: [{ value: "Fyr" }, { value: "Båk", lang: "sv" }],
    });
    const report = createReport({ kind: "object", unit: "record", dryRun: false });
    report.take(done.outcomes);
    expect(report.json(done).untagged).toMatchObject([{ value: "sv-1", records: 1 }]);
  });

  test("elements and attributes that no XPath reads are listed, like unused columns", async () => {
    const file = workList(
      '<work no="1" xml:lang="en"><title>A</title><maker role="painter">Ada<b>!</b></maker><size u="cm"><h>1</h></size></work>',
      '<work no="2"><title>B</title><maker role="donor" id="7">Bea</maker><note/><size><h> </h><h>2</h></size></work>',
    );
    const mapping = { "@no": "__idno__", title: "title", "maker[@role='painter']": "creator_text" };
    for (const dryRun of [true, false]) {
      const done = await run(file, { ...mapping, "concat(size/@u, '')": "edition" }, { dryRun });
      const report = createReport({ kind: "object", unit: "record", dryRun });
      report.take(done.outcomes);
      expect(report.json(done).unmapped).toEqual({ "size/h": 2, maker: 1, "maker/@id": 1 });
      expect(allInEnglish(report.lines(done)).join("\n")).toContain(
        "Elements and attributes that the mapping does not use, and how many records have them: size/h (2), maker",
      );
    }
  });

  test("namespaces are those of the file, whatever its prefixes; attributes, predicates and functions work", async () => {
    const file = `<l:list xmlns:l="urn:l" xmlns="urn:other" xmlns:a="urn:a">
      <l:work a:no="A 1"><l:title type="short">T</l:title><l:title type="full">Title</l:title><title>Other</title>
        <l:size u="cm">12</l:size><l:maker>Ada</l:maker><l:maker>Bea</l:maker></l:work></l:list>`;
    const done = await select(file, "/{urn:l}list/{urn:l}work", {
      "@{urn:a}no": "__idno__",
      "{urn:l}title[@type = 'full']/text()": "title",
      "{urn:l}title[not(@type)] | {urn:l}nothing": "alternative_title",
      "{urn:l}size": {
        target: "dimensions",
        transforms: [{ type: "template", template: "height: {value} { {urn:l}size/@u }" }],
      },
      "{urn:l}maker": "__relation:created_by:entity__",
      "count({urn:l}maker)": "number_of_parts",
      "{urn:other}title": "description",
    });
    expect(done).toMatchObject({ created: 1, rejected: 0 });
    expect(await metadata()).toEqual([
      {
        title: [{ value: "Title" }],
        dimensions: [{ value: "height: 12 cm" }],
        number_of_parts: [{ value: "2" }],
        description: [{ value: "Other" }],
      },
    ]);
    const makers = await room.services.sql`select title from records where record_type = 'entity' order by 1`;
    expect(makers.map(({ title }) => title)).toEqual(["Ada", "Bea"]);
  });

  test("a record in which nothing is found is refused, not created empty", async () => {
    const file = "<list><work><t>Jug</t></work><work><other>Pan</other></work></list>";
    const done = await select(file, "/list/work", { t: "title" });
    expect(done).toMatchObject({ created: 1, rejected: 1 });
    expect(done.rejects).toContain("has no value for anything in the mapping");
    expect(done.rejects).toContain("<work><other>Pan</other></work>");
  });

  test("a dry run shows what each XPath finds, and leaves no trace", async () => {
    const before = await everything(room.services.sql);
    const done = await run(
      workList(work("1"), work("2", "", "")),
      { ...WORKS, maker: "creator_text" },
      { dryRun: true },
    );
    expect(done).toMatchObject({ created: 2, finished: true });
    const found = done.outcomes.map(({ row }) =>
      [...row.values].map(([xpath, said]) => `${xpath} ${said.length}`),
    );
    expect(found).toEqual([
      ["@no 1", "title 1", "year 1", "maker 0"],
      ["@no 1", "title 0", "year 0", "maker 0"],
    ]);
    expect(await everything(room.services.sql)).toEqual(before);
  });

  test("refused records go to an XML file of the same structure, which can be corrected and imported", async () => {
    const file = `<?xml version="1.0" encoding="ISO-8859-1"?>
<x:list xmlns:x="urn:x" xml:lang="de">
  <group name="a &amp; b">
    <x:work no="1"><x:title>Ä</x:title></x:work>
    <x:work><x:title>Ö -- <i>&#252;</i></x:title></x:work>
  </group>
  <group name="c"><x:work no="3"><x:title>C</x:title><x:year>soon</x:year></x:work></group>
</x:list>`;
    const latin = Uint8Array.from(file, (char) => char.charCodeAt(0));
    const mapping = { "@no": "__idno__", "{urn:x}title": "title", "{urn:x}year": "date" };
    const path = "/{urn:x}list/group/{urn:x}work";
    const first = await select(latin, path, mapping);
    expect(first).toMatchObject({ created: 1, rejected: 2 });
    expect(first.rejects.replace(/(date: ).*(?= -->)/, "$1…")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<x:list xmlns:x="urn:x" xml:lang="de">
<group name="a &amp; b">
<!-- line 5: no identification number -->
<x:work><x:title>Ö -- <i>&#252;</i></x:title></x:work>
</group>
<group name="c">
<!-- line 7: date: … -->
<x:work no="3"><x:title>C</x:title><x:year>soon</x:year></x:work>
</group>
</x:list>
`);
    const again = await select(first.rejects, path, mapping);
    expect(again).toMatchObject({ created: 0, rejected: 2 });
    const mended = again.rejects.replace("<x:work>", '<x:work no="2">').replace(">soon<", ">1900<");
    expect(await select(mended, path, mapping)).toMatchObject({ created: 2, rejected: 0 });
    expect(await titles()).toEqual(["1 Ä", "2 Ö -- ü", "3 C"]);
    const [one] = await metadata();
    expect(one.title).toEqual([{ value: "Ä", lang: "de" }]);
  });

  test("a file that is broken in the middle is imported up to there, and the place is reported", async () => {
    const done = await run(
      `<list>${work("1")}\n${work("2")}\n<work no="3"><title>C</work>\n${work("4")}</list>`,
    );
    expect(done).toMatchObject({
      created: 2,
      finished: true,
      broken: "line 3, column 28: unexpected close tag",
    });
    expect(await titles()).toEqual(["1 Work 1", "2 Work 2"]);
    const [row] = await room.services.sql`select state, source, created, options from imports`;
    expect(row).toMatchObject({
      state: "failed",
      source: "xml",
      created: 2,
      options: { recordXPath: "/list/work" },
    });
    const mended = await run(workList(...["1", "2", "3", "4"].map((no) => work(no))));
    expect(mended).toMatchObject({ created: 2, skipped: 2 });
  });

  test("a file that ends too early, or has bytes of another encoding, is also imported up to there", async () => {
    expect((await run(`<list>${work("1")}<work no="2">`)).broken).toMatch(
      /^line 1, column \d+: unclosed tag: work/,
    );
    const latin = Uint8Array.from(
      `<list>${work("5")}${" ".repeat(20_000)}${work("6", "Gr\xf6\xdfe")}</list>`,
      (c) => c.charCodeAt(0),
    );
    expect(await run(latin)).toMatchObject({
      created: 1,
      broken: expect.stringMatching(
        /^The file is not utf-8 text: line \d+, column \d+, the byte 0x[0-9A-F]{2} \(number \d+\)/,
      ),
    });
    // with the right encoding, the import continues from there
    expect(await run(latin, WORKS, { encoding: "latin1" })).toMatchObject({ created: 2, resumed: true });
    expect(await titles()).toEqual(["1 Work 1", "5 Work 5", "6 Größe"]);
  });

  test("an interrupted import ends as if it had not been, once it is repeated", async () => {
    const file = lidoText(90);
    const path = `//{${LIDO}}lido`;
    const choices = { batch: SMALL_BATCH };
    const complete = await select(file, path, lidoMapping(), choices);
    expect(complete).toMatchObject({ rows_done: 90, created: 90, rejected: 0 });
    const expected = await catalogue(room.services.sql);
    await emptied(room.services.sql);
    let left = 1;
    const part = await select(file, path, lidoMapping(), { ...choices, stopped: () => left-- === 0 });
    expect(part).toMatchObject({ finished: false, rows_done: SMALL_BATCH });
    const rest = await select(file, path, lidoMapping(), choices);
    expect(rest).toMatchObject({ importId: part.importId, resumed: true, created: 90, finished: true });
    expect(await catalogue(room.services.sql)).toEqual(expected);
  });

  test("records without numbers are recognised by their place, even if others are selected first", async () => {
    const mapping = { title: "title" };
    const file = workList(work("1"), work("2"));
    await run(file, mapping);
    expect(await run(file, mapping)).toMatchObject({ created: 0, skipped: 2 });
    // other elements of the same file are other records
    const other = await select(file, "//title", { ".": "title" });
    expect(other).toMatchObject({ created: 2 });
  });

  test("the media selector is an XPath", async () => {
    const file = workList('<work no="1"><title>A</title><pic src="a.jpg"/><pic src="b.jpg"/></work>');
    await run(file, WORKS, { mediaSelector: "pic/@src" });
    const media = await room.services.sql`select filename from media_names order by position`;
    expect(media.map(({ filename }) => filename)).toEqual(["a.jpg", "b.jpg"]);
  });

  test("a file is read as a whole for an XPath that a stream cannot evaluate, with the same outcome", async () => {
    const file = workList(work("1"), work("2", "B", "bad"), '<work no="3" draft=""><title>C</title></work>');
    const done = await select(file, "/list/work[not(@draft)]", {
      ...WORKS,
      "../@none": "description",
    });
    expect(done.lines).toMatchObject({ 2: "created", 3: expect.stringMatching(/^rejected: date/) });
    expect(done.rejects).toContain('<list>\n<!-- line 3: date: "bad"');
    expect(done.rejects).toMatch(/-->\n<work no="2"><title>B<\/title><year>bad<\/year><\/work>\n<\/list>\n$/);
    const sideways = await select(
      file,
      "/list/work",
      {
        ...WORKS,
        "preceding-sibling::work[1]/@no": "description",
      },
      { upsertStrategy: "merge" },
    );
    expect(sideways).toMatchObject({ created: 1, rejected: 1 });
    expect((await metadata()).map((each) => each.description)).toEqual([undefined, [{ value: "2" }]]);
  });

  test.each(["/list/part/work", "/list/part/work[@no]"])(
    "a record inherits the language of its ancestors, in a stream and in a whole file: %s",
    async (path) => {
      const title = "<title>Hafen</title>";
      const file = `<list xml:lang="en"><part xml:lang="de"><work no="1">${title}</work></part></list>`;
      await select(file, path, WORKS);
      expect((await metadata())[0]!.title).toEqual([{ value: "Hafen", lang: "de" }]);
    },
  );

  test("a record inside another is refused with its line, in a stream and in a whole file", async () => {
    const file = `<list><work no="1"><title>A</title>\n<work no="2"><title>B</title></work></work>${work("3")}</list>`;
    for (const path of ["//work", "//work[@no]"]) {
      await emptied(room.services.sql);
      const done = await select(file, path, WORKS);
      const outer = done.outcomes[0]!;
      expect(outer.result).toMatchObject({
        outcome: "rejected",
        faults: [{ detail: { key: "fault.row.nested_record", values: { line: "2" } } }],
      });
      expect(await titles()).toContain("3 Work 3");
    }
  });

  describe("does not start", () => {
    const refusedWithoutTrace = async (doing: Promise<unknown>) => {
      const problem = await refusal(doing);
      expect(problem.code).toBe("invalid");
      const [row] = await room.services
        .sql`select (select count(*)::int from imports) + (select count(*)::int from records) as n`;
      expect(row!.n).toBe(0);
      return problem;
    };
    const bytes = (...codes: number[]) => Uint8Array.from(codes);
    const LAUGHS = `<?xml version="1.0"?>\n<!DOCTYPE list [\n<!ENTITY a "ha">${Array.from(
      { length: 20 },
      (_, n) =>
        `<!ENTITY ${String.fromCharCode(98 + n)} "&${String.fromCharCode(97 + n)};&${String.fromCharCode(97 + n)};">`,
    ).join("")}]>\n<list><work no="1"><title>&u;</title></work></list>`;

    test.each<[string, string | Uint8Array, RegExp]>([
      ["an empty file", "", /^objects\.xml is empty$/],
      ["blanks", " \n ", /is not XML: it holds blanks only$/],
      ["a CSV file", "No,Title\n1,A\n", /is not XML: it does not begin with <$/],
      ["a ZIP archive", bytes(0x50, 0x4b, 3, 4, 20), /is not XML but a ZIP archive/],
      ["a picture", bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16), /is not XML but a JPEG image$/],
      ["bytes", bytes(1, 2, 3, 0, 0, 7), /is not XML: it does not begin with <$/],
      [
        "an entity that grows (billion laughs)",
        LAUGHS,
        /^objects\.xml cannot be read: line \d+: the file has a document type declaration .*remove/,
      ],
      [
        "an entity from a file (XXE)",
        '<!DOCTYPE list [<!ENTITY x SYSTEM "file:///etc/passwd">]><list><work no="1"><title>&x;</title></work></list>',
        /^objects\.xml cannot be read: line 1: the file has a document type declaration/,
      ],
      [
        "a DTD from elsewhere",
        '<!DOCTYPE list SYSTEM "http://127.0.0.1:9/x.dtd"><list/>',
        /^objects\.xml cannot be read: line 1: the file has/,
      ],
      [
        "an entity that is not declared",
        "<list><work no='1'><title>&uuml;</title></work></list>",
        /^objects\.xml cannot be read: line 1, column 32: undefined entity/,
      ],
      ["no record", "<list><other/></list>", /"\/list\/work" selects nothing in objects\.xml$/],
      [
        "records in a namespace",
        '<list><work xmlns="urn:w"/></list>',
        /selects nothing in objects\.xml; did you mean "\/\/\{urn:w\}work"\?$/,
      ],
      [
        "two roots",
        "<list/><list/>",
        /^objects\.xml cannot be read: line 1, column \d+: documents may contain only one root/,
      ],
      [
        "an unknown encoding",
        '<?xml version="1.0" encoding="KOI8-R"?><list/>',
        /encoding "KOI8-R"; UTF-8, UTF-16, ISO-8859-1 and windows-1252 are read/,
      ],
      [
        "an encoding that is not its own",
        '<?xml version="1.0" encoding="UTF-16"?><list/>',
        /"UTF-16" but is not written in it/,
      ],
      ["UTF-32", bytes(0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0), /UTF-32 text/],
    ])("with %s", async (_, content, sentence) => {
      expect((await refusedWithoutTrace(run(content))).message).toMatch(sentence);
    });

    test("with invalid XPaths and unknown fields, which are all reported at once", async () => {
      const problem = await refusedWithoutTrace(
        run(workList(work("1")), {
          "@no": "__idno__",
          "title[": "title",
          "x:title": "title",
          "unknown(title)": "title",
          year: "daet",
          "doc('file:///etc/passwd')": "description",
          note: { target: "description", transforms: [{ type: "template", template: "{value} {a/}" }] },
        }),
      );
      expect(problem.errors.map(({ detail }) => inEnglish(detail))).toEqual([
        '"title[" is not a valid XPath: see character 6',
        '"x:title" has the unknown prefix x: write the namespace out, as {namespace}name',
        '"unknown(title)" uses the function "unknown", which is not supported in a mapping',
        expect.stringMatching(/^"doc\('file.*uses the function "doc", which is not supported in a mapping/),
        expect.stringMatching(/^"a\/" is not a valid XPath/),
        'objects have no field "daet"; did you mean "date"?',
      ]);
    });

    test.each([
      ["//work[", /^The record XPath "\/\/work\[" is not a valid XPath/],
      ["//l:work", /has the unknown prefix l: write the namespace out/],
      ["//work/@no", /must select elements/],
      ["1 + 1", /./],
    ])("with %s to select records", async (path, sentence) => {
      expect((await refusedWithoutTrace(select(workList(work("1")), path, WORKS))).message).toMatch(sentence);
    });
  });

  test.each<[string, Uint8Array | string]>([
    ["UTF-8 that says nothing", workList(work("1", "Größe – 5 €"))],
    [
      "UTF-8 with a byte order mark",
      `\uFEFF<?xml version="1.0" encoding="utf-8"?>${workList(work("1", "Größe – 5 €"))}`,
    ],
    [
      "UTF-16, little end first",
      wide(`<?xml version="1.0" encoding="UTF-16"?>${workList(work("1", "Größe – 5 €"))}`, false),
    ],
    ["UTF-16, big end first", wide(workList(work("1", "Größe – 5 €")), true)],
    [
      "windows-1252",
      Uint8Array.from(
        `<?xml version='1.0' encoding='Windows-1252'?>${workList(work("1", "Gr\xf6\xdfe \x96 5 \x80"))}`,
        (char) => char.charCodeAt(0),
      ),
    ],
    ["references to characters", workList(work("1", "Gr&#xF6;&#223;e &#8211; 5 &#x20AC;"))],
  ])("reads %s", async (_, content) => {
    expect(await run(content)).toMatchObject({ created: 1 });
    expect(await titles()).toEqual(["1 Größe – 5 €"]);
  });
});

describe("the records of an XML text", () => {
  const TEXT = `<?xml version="1.0"?>\r\n<!-- <work> --><list a=">"><work no="1">x<![CDATA[</work>]]>&amp;</work>\n<work\n no='2'/>
<deep><work no="3"><work2/>🐟</work></deep></list>`;
  const read = (size: number) => {
    const reader = new RecordReader(parseRecordPath("//work")!);
    const records = [];
    for (let at = 0; at < TEXT.length; at += size) {
      const { records: some, fault } = reader.take(TEXT.slice(at, at + size));
      if (fault) throw fault;
      records.push(...some);
    }
    records.push(...reader.end().records);
    return records.map(({ line, raw, ancestors, element }) => ({
      line,
      raw,
      ancestors,
      text: element.textContent,
    }));
  };

  test("are the same however the text is cut, unchanged from the file", () => {
    const complete = read(TEXT.length);
    expect(complete).toEqual([
      {
        line: 2,
        raw: '<work no="1">x<![CDATA[</work>]]>&amp;</work>',
        ancestors: ['<list a=">">'],
        text: "x</work>&",
      },
      { line: 3, raw: "<work\n no='2'/>", ancestors: ['<list a=">">'], text: "" },
      { line: 5, raw: '<work no="3"><work2/>🐟</work>', ancestors: ['<list a=">">', "<deep>"], text: "🐟" },
    ]);
    for (let size = 1; size < 40; size++) expect(read(size), `pieces of ${size}`).toEqual(complete);
  });

  test("are refused if they never end, or are nested too deeply", () => {
    const long = new RecordReader(parseRecordPath("//work")!, { longest: 1_000 });
    let fault = long.take("<list>\n<work>").fault;
    for (let n = 0; n < 20 && !fault; n++) fault = long.take("y".repeat(100)).fault;
    expect(fault?.message).toMatch(/^line 2: what begins here is longer than/);
    const deep = new RecordReader(parseRecordPath("//work")!);
    expect(deep.take("<a>".repeat(600)).fault?.message).toMatch(/elements are nested more than 500 deep/);
  });
});

describe("a path to records", () => {
  const reaches = (path: string, ...names: string[]) => {
    const parsed = parseRecordPath(path)!;
    const reached = names.reduce((before, name) => {
      const [, uri = "", local] = /^(?:\{(.*)\})?(.*)$/.exec(name)!;
      return parsed.at(before, uri, local!);
    }, parsed.begin);
    return parsed.isRecord(reached);
  };

  test.each<[string, string[], boolean]>([
    ["/a/b", ["a", "b"], true],
    ["a/b", ["a", "b"], true],
    ["/a/b", ["a", "x", "b"], false],
    ["/a/b", ["b"], false],
    ["//b", ["b"], true],
    ["//b", ["a", "x", "b"], true],
    ["//b", ["{u}b"], false],
    ["//{u}b", ["a", "{u}b"], true],
    ["//Q{u}b", ["a", "{u}b"], true],
    ["//*:b", ["a", "{u}b"], true],
    ["/a//b/c", ["a", "x", "b", "c"], true],
    ["/a//b/c", ["a", "b", "b", "c"], true],
    ["/a//b/c", ["a", "b", "x", "c"], false],
    ["/*/*", ["{u}a", "b"], true],
    ["/*/*", ["a"], false],
    ["/a/{u}*", ["a", "{u}x"], true],
    ["/a/{u}*", ["a", "x"], false],
  ])("%s at %j: %s", (path, names, expected) => {
    expect(reaches(path, ...names)).toBe(expected);
  });

  test.each(["/a/b[1]", "//b[@x]", "/a/@b", "//l:b", "", "/", "//a | //b", ".//b", "/a/text()"])(
    "rejects %j, which a stream cannot evaluate",
    (path) => {
      expect(parseRecordPath(path)).toBeNull();
    },
  );
});

test.each([
  ["title", false],
  ["a/../b", false],
  ["a/b[../../c]", false],
  ["a[preceding-sibling::a]", false],
  ["x/a[preceding-sibling::a]", false],
  ["..", true],
  ["a/../..", true],
  ["ancestor::x/@y", true],
  ["/list/head", true],
  ["//head", true],
  [".//head", false],
  ["root()/list", true],
  ["preceding-sibling::x", true],
  ["a[. = /list/@a]", true],
  ["'{x}'", false],
])("whether %s looks outside its record: %s", (xpath, outside) => {
  expect(compileXPath(xpath)).toMatchObject({ looksOutside: outside });
});
