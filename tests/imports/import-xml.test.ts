/** The commands import-xml, imports and import-undo: an operator may kill them at any moment. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Services } from "../../src/services.ts";
import { inLong } from "../support/lane/lane.ts";
import { catalogue, everything, indexed } from "../support/museum/importing.ts";
import { LIDO, lidoMapping, lidoText } from "../support/museum/lido-file.ts";
import { quickest } from "../support/museum/museum.ts";
import { type Ended, endOf, type Office, officeHere, openOffice } from "../support/programs/command.ts";
import { lookInto } from "../support/programs/copied.ts";

const RECORDS = 900;
const MAPPING = ["--type", "object", "--mapping", "lido.json"];
const IMPORT = ["import-xml", "lido.xml", ...MAPPING, "--record-xpath", `/{${LIDO}}lidoWrap/{${LIDO}}lido`];

const living = async ({ sql }: Pick<Services, "sql">) => {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from records where deleted_at is null`;
  return row!.n;
};

function masked(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replace(/in \d+\.\d s(, [\d,]+ a second)?/g, "in <seconds>")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "<moment>")
    .replace(/^ *\d+ % .*\n?/gm, "");
}

function expectOneSentence({ err, out }: Ended, sentence: RegExp): void {
  expect(out).toBe("");
  expect(masked(err)).toMatch(sentence);
  expect(masked(err).trim()).not.toMatch(/\n|^\s+at |node_modules/);
}

inLong(describe.each([quickest]))("the commands for imports (%s)", (kind) => {
  let office: Office;

  beforeEach(async () => {
    office = await openOffice(kind);
    await office.put("lido.xml", lidoText(RECORDS));
    await office.put("lido.json", JSON.stringify(lidoMapping()));
  });
  afterEach(() => office.close());

  test("leave nothing behind if import-xml is killed and repeated, and then import-undo as well", async () => {
    for (const least of [1, 450]) {
      const command = office.begin(...IMPORT);
      await office.until(command, async (sql) => (await living({ sql })) >= least);
      await command.kill("SIGKILL");
    }
    const done = await office.run(...IMPORT);
    expect(done.code, done.err).toBe(0);
    expect(masked(done.out)).toMatch(
      /^300 people and organisations created because of names in the records\n900 records in <seconds>: 900 created\n/,
    );
    expect(masked(done.err).trim()).toBe("Continuing import <id>, which was interrupted");
    const all = await office.look(async (services) => {
      const { records, relations } = await catalogue(services.sql);
      expect(relations).toHaveLength(RECORDS);
      expect(await indexed(services)).toEqual({ records: records!.length, found: records!.length });
      return records!.length;
    });
    const [one] = JSON.parse((await office.run("imports", "--json")).out);
    expect(one).toMatchObject({ source: "xml", state: "finished", created: RECORDS, rows_done: RECORDS });

    for (const most of [all, all - 400]) {
      const command = office.begin("import-undo", one.id, "--yes");
      await office.until(command, async (sql) => (await living({ sql })) < most);
      await command.kill("SIGKILL");
    }
    const listed = await office.run("imports");
    expect(masked(listed.out)).toBe("<id>  <moment>  lido.xml (xml, objects)  partly undone: 900 created");
    const undone = await office.run("import-undo", one.id, "--yes");
    expect(undone.code, undone.err).toBe(0);
    expect(masked(undone.out)).toMatch(
      /^[\d,]+ records that it created were moved to the trash\n[\d,]+ records had already been undone$/,
    );
    await office.look(async (services) => {
      expect(await living(services)).toBe(0);
      expect(await indexed(services)).toEqual({ records: 0, found: 0 });
      const [row] = await services.sql`
        select count(*)::int as n from revisions where note ->> 'import_undone' = ${one.id}`;
      expect(row!.n).toBe(all);
    });
  });

  test("stop import-undo at Ctrl-C after a batch, and continue it when it is repeated", async () => {
    expect((await office.run(...IMPORT)).code).toBe(0);
    const [{ id }] = JSON.parse((await office.run("imports", "--json")).out);
    const before = await office.look(living);
    const command = office.begin("import-undo", id, "--yes");
    await office.until(command, async (sql) => (await living({ sql })) < before);
    command.child.kill("SIGINT");
    const ended = await endOf(command);
    expect(ended.code, ended.err).toBe(130);
    expect(masked(ended.err)).toContain("Interrupted: run the same command again to continue");
    expect(await office.look(living)).toBeGreaterThan(0);
    expect((await office.run("import-undo", id, "--yes")).code).toBe(0);
    expect(await office.look(living)).toBe(0);
  });
});

describe("the commands for imports", async () => {
  const office = await officeHere();
  const works = '<list>\n<work no="1"><t>A</t></work>\n<work no="2"><t>B</t></work>\n';

  beforeAll(async () => {
    await office.put("map.json", JSON.stringify({ "@no": "__idno__", t: "title", u: "description" }));
    await office.put("works.xml", `${works}</list>`);
    await office.put("broken.xml", `${works}<work no="3"><t>C</work></list>`);
    await office.put("empty.xml", "");
    await office.put("table.xml", "No,Title\n1,A\n");
    await office.put(
      "laughs.xml",
      '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><list><work no="1"><t>&b;</t></work></list>',
    );
    await office.put("bad.json", JSON.stringify({ "t[": "title" }));
    await office.serve();
  });

  const args = (file: string, mapping = "map.json", path = "/list/work") => [
    ...["import-xml", file, "--type", "object", "--mapping", mapping, "--record-xpath", path],
  ];

  inLong(test)(
    "show in a dry run what each XPath finds, change nothing, and name XPaths that find nothing",
    async () => {
      const before = await lookInto(office.settings.SVC_DATA_DIR!, (sql) => everything(sql));
      const dry = await office.run(...args("works.xml"), "--dry-run");
      expect(dry.code).toBe(0);
      expect(dry.out).toContain("Line 2 would create 1\n");
      expect(dry.out).toContain("Records  have something at\n      2  @no\n      2  t\n      0  u\n");
      expect(await lookInto(office.settings.SVC_DATA_DIR!, (sql) => everything(sql))).toEqual(before);
      const done = await office.run(...args("works.xml"), "--json");
      expect(JSON.parse(done.out)).toMatchObject({ created: 2, found: { "@no": 2, t: 2, u: 0 } });
      const again = await office.run(...args("works.xml"));
      expect(masked(again.out)).toBe(
        "2 records in <seconds>: 2 skipped (already there)\nFound in no record:\n  u\nImport id: <id>",
      );
    },
  );

  inLong(test)(
    "import a broken file up to the fault, and report its line, column and an exit code",
    async () => {
      const ended = await office.run(...args("broken.xml"));
      expect(ended.code).toBe(1);
      expect(ended.out).toContain("2 skipped");
      expect(ended.err).toMatch(
        /^broken\.xml cannot be read to its end: line 4, column \d+: unexpected close tag\. Everything/m,
      );
    },
  );

  inLong(test)(
    "ask before an undo: without a terminal, they show what it would do and change nothing",
    async () => {
      await office.put("more.xml", '<list><work no="m 1"><t>More</t></work></list>');
      const done = JSON.parse((await office.run(...args("more.xml"), "--json")).out);
      const asked = await office.run("import-undo", done.import_id);
      expect(asked.code).toBe(1);
      expect(asked.out).toBe("1 record that it created would be moved to the trash\nNothing was changed.");
      expect(asked.err).toContain("add --yes to apply it");
      const dry = await office.run("import-undo", done.import_id, "--dry-run", "--json");
      expect(JSON.parse(dry.out)).toMatchObject({ dry_run: true, trashed: 1 });
      const told = await office.run("import-undo", done.import_id, "--yes");
      expect(told).toMatchObject({ code: 0, out: "1 record that it created was moved to the trash" });
      const again = await office.run("import-undo", done.import_id, "--yes");
      expect(again.out).toBe("Nothing to undo\n1 record had already been undone");
    },
  );

  test.concurrent.each<[string, string[], number, RegExp]>([
    ["no such file", args("none.xml"), 1, /^none\.xml cannot be read: there is no such file$/],
    ["an empty file", args("empty.xml"), 1, /^empty\.xml is empty$/],
    ["a table", args("table.xml"), 1, /^table\.xml is not XML: it does not begin with <$/],
    [
      "entities",
      args("laughs.xml"),
      1,
      /^laughs\.xml cannot be read: line 1: the file has a document type declaration .* remove the <!DOCTYPE …>$/,
    ],
    ["no record", args("works.xml", "map.json", "//item"), 1, /selects nothing in works\.xml$/],
    [
      "no LIDO",
      ["import-lido", "works.xml"],
      1,
      /^works\.xml contains no LIDO record, which is an element lido:lido$/,
    ],
    [
      "a misspelt type",
      [...args("works.xml"), "--type", "objekt"],
      2,
      /^There is no record type "objekt"; the types are object, .*did you mean "?object"?\?$/,
    ],
    [
      "no XPath for the records",
      args("works.xml", "map.json", "//work["),
      1,
      /^The record XPath "\/\/work\[" is not a valid XPath/,
    ],
    [
      "no XPath in the mapping",
      args("works.xml", "bad.json"),
      1,
      /"t\[" is not a valid XPath: see character \d$/,
    ],
    ["no --record-xpath", args("works.xml").slice(0, -2), 2, /record-xpath/],
    [
      "no import id",
      ["import-undo", "latest"],
      2,
      /^"latest" is not the id of an import or batch edit; svc-manage imports lists them$/,
    ],
    [
      "an id that no import has",
      ["import-undo", "00000000-0000-7000-8000-000000000000", "--yes"],
      1,
      /^There is no import <id>$/,
    ],
    ["no number of imports", ["imports", "--limit", "0"], 2, /^--limit must be a number from 1 to 10000/],
  ])("say in one sentence what is wrong: %s", async (_, command, code, sentence) => {
    const ended = await office.run(...command);
    expect(ended.code, ended.err).toBe(code);
    expectOneSentence(ended, sentence);
  });
});
