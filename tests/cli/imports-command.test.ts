/** The command import-csv as a process: its output, its exit code, and the catalogue after any kind of end. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { bytesOf } from "../../cli/terminal/bytes-of.ts";
import type { Services } from "../../src/services.ts";
import { inLong } from "../support/lane/lane.ts";
import { catalogue, everything, indexed } from "../support/museum/importing.ts";
import { type DatabaseKind, databases, quickest } from "../support/museum/museum.ts";
import { type Ended, endOf, type Office, officeHere, openOffice } from "../support/programs/command.ts";
import { lookInto } from "../support/programs/copied.ts";
import { onServer } from "../support/servers/server.ts";

const ROWS = 1_500;
const DONE =
  "300 people and organisations created because of names in the rows\n1,500 rows in <seconds>: 1,500 created\nImport id: <id>";
/** A command must end in this time after its service has gone. It takes a tenth of a second. */
const LONGEST_END_SECONDS = 10;

/** A list with makers, with lids that name a box further down, and with rows that name each other in a ring. */
const LIST = `No,Title,Date,Maker,Box,Next\n${Array.from({ length: ROWS }, (_, n) =>
  [
    n % 50 === 7 && n + 450 < ROWS
      ? `N ${n},Lid ${n},,,N ${n + 450}`
      : `N ${n},Sketch ${n},${1800 + (n % 150)},Maker ${n % 300},`,
    `N ${(n + 600) % ROWS}`,
  ].join(),
).join("\n")}\n`;
const MAPPING = JSON.stringify({
  No: "__idno__",
  Title: "title",
  Date: "date",
  Maker: "__relation:created_by:entity__",
  Box: "__relation:part_of:object__",
  Next: "__relation:about:object__",
});
const IMPORT = ["import-csv", "list.csv", "--type", "object", "--mapping", "mapping.json"];
/** The same, but with numbers from the catalogue. */
const NUMBERED = [...IMPORT.slice(0, 5), "numbered.json", "--idno-strategy", "auto"];
const NUMBERED_MAPPING = JSON.stringify({ Title: "title", Maker: "__relation:created_by:entity__" });

const records = (least: number) => async (sql: Services["sql"]) => {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from records`;
  return row!.n >= least;
};

const links = (least: number) => async (sql: Services["sql"]) => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from relations where relation_type = 'about'`;
  return row!.n >= least;
};

/** What was imported, after a check that the search finds all of it. */
async function imported({ sql, ...services }: Services): Promise<Record<string, unknown>> {
  const all = await catalogue(sql);
  const states = await sql`select state, created, rejected from imports order by started_at`;
  const found = await indexed({ sql, ...services });
  expect(found).toEqual({ records: all.records!.length, found: all.records!.length });
  return { ...all, states: states.map((row) => ({ ...row })) };
}

/** The output without what differs from run to run. */
function masked(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
      .replace(/in \d+\.\d s(, [\d,]+ a second)?/g, "in <seconds>")
      // progress
      .replace(/^(?: *\d+ % .*|waiting|[\d,]+ rows?)(\n|$)/gm, "")
      .replace(/[\ufeff\r]/g, "")
  );
}

function expectOneSentence({ err, out }: Ended, sentence: RegExp): void {
  const sentences = masked(err);
  expect(out).toBe("");
  expect(sentences).toMatch(sentence);
  expect(sentences).not.toMatch(/\n|^\s+at |node_modules/);
}

/** The catalogues after undisturbed imports. They are the same on both databases. */
let undisturbed: Record<string, unknown>;
let numbered: Record<string, unknown>;

async function preparedOffice(kind?: DatabaseKind): Promise<Office> {
  const office = await openOffice(kind);
  await office.put("list.csv", LIST);
  await office.put("mapping.json", MAPPING);
  await office.put("numbered.json", NUMBERED_MAPPING);
  return office;
}

async function finish(office: Office, args = IMPORT): Promise<Ended> {
  const done = await office.run(...args);
  expect(done.code, done.err).toBe(0);
  return done;
}

beforeAll(async () => {
  const [one, other] = await Promise.all([preparedOffice(quickest), preparedOffice(quickest)]);
  const done = await finish(one);
  expect(masked(done.out)).toBe(DONE);
  expect(masked(done.err)).toBe("");
  undisturbed = await one.look(imported);
  await finish(other, NUMBERED);
  numbered = await other.look(imported);
  await Promise.all([one.close(), other.close()]);
});

inLong(describe)("the command import-csv", () => {
  let office: Office;
  beforeEach(async () => {
    office = await preparedOffice(quickest);
  });
  afterEach(() => office.close());

  test("keeps what was imported at Ctrl-C, and continues to the same catalogue when it is repeated", async () => {
    const command = office.begin(...NUMBERED);
    await office.until(command, records(500));
    // npm repeats the signal that its program has already received from the terminal
    command.child.kill("SIGINT");
    command.child.kill("SIGINT");
    const { code, out, err } = await endOf(command);
    expect({ code, out }).toEqual({ code: 130, out: "" });
    const [objects, entities] = await office.look(async ({ sql }) => {
      const rows = await sql<{ n: number }[]>`
        select count(*)::int as n from records group by record_type order by record_type desc`;
      return rows.map(({ n }) => n.toLocaleString("en"));
    });
    expect(masked(err)).toBe(
      [
        "Columns that the mapping does not use: No, Date, Box, Next",
        "Stopping after this batch; press Ctrl-C again to stop at once",
        `Stopped after ${objects} rows in <seconds>; so far ${objects} objects created, ${entities} people and organisations created`,
        "Import id: <id>",
        "Interrupted: run the same command again to continue",
      ].join("\n"),
    );
    const again = await finish(office, NUMBERED);
    expect(masked(again.err)).toMatch(/^Continuing import <id>, which was interrupted\n/);
    expect(masked(again.out)).toBe(DONE);
    expect(await office.look(imported)).toEqual(numbered);
  });

  test("ends with the same catalogue after being killed and repeated three times", async () => {
    // at the very beginning, in the middle, and while links are made
    const moments = [...[0, 500].map(records), links(1)];
    for (const moment of moments) {
      const command = office.begin(...IMPORT);
      await office.until(command, moment);
      await command.kill("SIGKILL");
    }
    const last = await finish(office);
    expect(masked(last.out)).toBe(DONE);
    expect(await office.look(imported)).toEqual(undisturbed);
  });
});

const LOST =
  /^The (?:database can no longer be reached|service that had the data directory open has stopped) \(.+\): what was imported stays; run the same command again$/;

inLong(describe.each(databases.filter((kind) => kind === "external")))(
  "the command import-csv and the server of the %s database",
  (kind) => {
    test("ends with one sentence if the server ends its connection, and finishes when it is repeated", async () => {
      const office = await preparedOffice(kind);
      onTestFinished(() => office.close());
      const command = office.begin(...IMPORT);
      const name = new URL(office.url!).pathname.slice(1);
      await onServer(async (sql) => {
        await office.until(command, records(500));
        // again and again, because a connection that is ended while it is idle is just replaced
        while (command.child.exitCode === null)
          await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
      });
      const ended = await endOf(command);
      expect(ended.code).toBe(1);
      expectOneSentence(ended, LOST);
      await finish(office);
      expect(await office.look(imported)).toEqual(undisturbed);
    });
  },
);

inLong(describe)("the command import-csv beside a running service", () => {
  let office: Office;

  beforeEach(async () => {
    office = await preparedOffice();
  });
  afterEach(() => office.close());

  test("works through the service's socket, while visitors read and staff write", async () => {
    const { service, token } = await office.serve();
    const command = office.begin(...IMPORT);
    let over = false;
    void command.ended.then(() => {
      over = true;
    });
    const written: string[] = [];
    while (!over) {
      const title = `Found today ${written.length}`;
      const json = { status: "public", metadata_: { title: [{ value: title }] } };
      const made = await service.ask("/v1/objects", { token, json });
      expect(made.status, made.text).toBe(201);
      written.push(made.json.id);
      const answers = await Promise.all([
        service.ask(`/v1/objects/${made.json.id}`),
        service.ask(`/v1/search?q=${encodeURIComponent(`"${title}"`)}`),
        service.ask("/v1/objects?q=sketch&page_size=5", { token }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers[1]!.json.items).toMatchObject([{ id: made.json.id, title }]);
    }
    const ended = await endOf(command);
    expect(ended.code, ended.err).toBe(0);
    expect(written.length).toBeGreaterThan(3);
    const { json } = await service.ask("/v1/search?page_size=1", { token });
    expect(json.total).toBe(ROWS + 300 + written.length);
    expect((await service.stop()).code).toBe(0);
    const all = await office.look(imported);
    const own = (row: unknown) => !(row as { idno: string }).idno.startsWith("OBJ-");
    const without = Object.fromEntries(
      Object.entries(all as Record<string, unknown[]>).map(([part, rows]) => [
        part,
        ["records", "revisions"].includes(part) ? rows.filter(own) : rows,
      ]),
    );
    expect((all.records as unknown[]).length).toBe(ROWS + 300 + written.length);
    expect({ ...without, numbers: [] }).toEqual({ ...undisturbed, numbers: [] });
  });

  test("says so at once if the service is killed, and finishes when it is repeated", async () => {
    const { service, token } = await office.serve();
    const command = office.begin(...IMPORT);
    while ((await service.ask("/v1/search?page_size=1", { token })).json.total < 500) await setTimeout(50);
    const killed = performance.now();
    await service.kill("SIGKILL");
    const ended = await endOf(command);
    expect((performance.now() - killed) / 1000).toBeLessThan(LONGEST_END_SECONDS);
    expect(ended.code).toBe(1);
    expectOneSentence(ended, LOST);
    await finish(office);
    expect(await office.look(imported)).toEqual(undisturbed);
  });
});

describe("the command import-csv for an operator", async () => {
  const office = await officeHere();

  beforeAll(async () => {
    await office.put("good.csv", "No,Title,Date\n1,Harbour,1887\n");
    await office.put("good.json", JSON.stringify({ No: "__idno__", Title: "title" }));
    await office.put("empty.csv", "");
    await office.put("picture.csv", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70]));
    await office.put("tape.csv", `No,Title\n1,Har${"\0".repeat(40)}bour\n2,Mill\n`);
    await office.put("broken.json", '{"No": ');
    await office.put("twice.json", '{"No": "__idno__", "Title": "title", "No": "title"}');
    await office.put("list.json", "[]");
    await office.put("target.json", JSON.stringify({ No: "__idno__", Title: "__titel__" }));
    await office.put("field.json", JSON.stringify({ No: "__idno__", Title: "titel" }));
    await office.put("column.json", JSON.stringify({ Number: "__idno__" }));
    await office.serve();
  });

  inLong(test)(
    "writes refused rows to a file with line and reason, and imports them once they are corrected",
    async () => {
      const list = 'No,Title,Date\n1,Harbour,1887\n,Mill,1888\n3,"Bridge,1889\n4,Quay,1890,,\n5,Pier,soon\n';
      await office.put("works.csv", list);
      await office.put("works.json", JSON.stringify({ No: "__idno__", Title: "title", Date: "date" }));
      const args = ["import-csv", "works.csv", "--type", "object", "--mapping", "works.json"];
      const first = await office.run(...args);
      expect(first.code).toBe(3);
      expect(masked(first.out)).toBe("5 rows in <seconds>: 1 created, 4 rejected\nImport id: <id>");
      expect(first.err).toMatch(
        /^In \S+works\.rejects\.csv, correct the rejected rows and import that file with the same mapping$/,
      );
      const rejects = masked(await office.read("works.rejects.csv"));
      expect(rejects).toBe(
        [
          "_line,_reason,No,Title,Date",
          "3,no identification number,,Mill,1888",
          '4,the quote that opens cell 2 is never closed,3,"""Bridge,1889"',
          '5,"has 5 cells, the header has 3",4,Quay,1890,,',
          '6,"date: ""soon"" is not an EDTF date; write, for example, 1887, 1887~ (about), 188X or 1880/1890",5,Pier,soon',
          "",
        ].join("\n"),
      );
      const mended = rejects
        .replace(",,Mill", ",2,Mill")
        .replace('"""Bridge,1889"', "Bridge,1889")
        .replace(/,,$/m, "")
        .replace(/soon$/m, "1891");
      await office.put("mended.csv", mended);
      const second = await office.run("import-csv", "mended.csv", ...args.slice(2));
      expect(masked(second.out)).toBe("4 rows in <seconds>: 4 created\nImport id: <id>");
      expect(second).toMatchObject({ code: 0, err: "" });
      const titles = await lookInto(
        office.settings.SVC_DATA_DIR!,
        (sql) => sql`select title from records order by idno`,
      );
      expect(titles.map(({ title }) => title)).toEqual(["Harbour", "Mill", "Bridge", "Quay", "Pier"]);
    },
  );

  inLong(test)("names each row that was imported without a link or parent, and says what to do", async () => {
    await office.put("parts.csv", "No,Title,Date,Of\nX 1,Lid,1900,X 2\nX 2,Box,soon,\n");
    const mapping = { No: "__idno__", Title: "title", Date: "date", Of: "__relation:part_of:object__" };
    await office.put("parts.json", JSON.stringify(mapping));
    const args = ["--type", "object", "--mapping", "parts.json"];
    const first = await office.run("import-csv", "parts.csv", ...args);
    expect(first.code).toBe(3);
    expect(masked(first.out)).toBe(
      "2 rows in <seconds>: 1 created, 1 rejected\n1 row imported without a link or parent that the file names:\n" +
        '  line 2: there is no object "X 2", which it names\nImport id: <id>',
    );
    expect(first.err).toMatch(/import that file with the same mapping and --upsert-strategy merge$/);
    await office.put("mended.csv", (await office.read("parts.rejects.csv")).replace(/soon,\r?$/m, "1900,"));
    const second = await office.run("import-csv", "mended.csv", ...args, "--upsert-strategy", "merge");
    expect(masked(second.out)).toBe("2 rows in <seconds>: 1 created, 1 changed\nImport id: <id>");
    expect(second.code).toBe(0);
  });

  test("names each row that says the same as an earlier one, in the dry run and in the import", async () => {
    await office.put("twice.csv", "No,Title\nT 1,A\nT 2,B\nT 1,A\nT 3,D\nT 2,B\nT 1,A\n");
    const args = ["import-csv", "twice.csv", "--type", "object", "--mapping", "good.json"];
    const named =
      "3 rows left out: they have the number or key of an earlier row and nothing new:\n  line 4: T 1\n  line 6: T 2\n  line 7: T 1\n";
    expect((await office.run(...args, "--dry-run")).out).toContain(named);
    expect((await office.run(...args)).out).toContain(named);
    const { out } = await office.run(...args, "--json");
    expect(JSON.parse(out)).toMatchObject({
      repeated: 3,
      repeated_lines: [{ line: 4, idno: "T 1" }, {}, {}],
    });
  });

  inLong(test)(
    "names dates that it does not understand, in the dry run and in the import, and imports their rows",
    async () => {
      const dates = ["c. 1887", "soon", " 1890 ", "after the flood", "1X", "hm", "n/k", "once", "lost"];
      const rows = dates.map((date, n) => `D ${n + 1},Sketch ${n + 1},${date}`);
      await office.put("dated.csv", `No,Title,Date\n${rows.join("\n")}\n`);
      const date = { target: "date", transforms: [{ type: "edtf" }] };
      await office.put("dated.json", JSON.stringify({ No: "__idno__", Title: "title", Date: date }));
      const args = ["import-csv", "dated.csv", "--type", "object", "--mapping", "dated.json"];
      const shown = [
        ...['  line 3, Date: "soon"', '  line 5, Date: "after the flood"', '  line 6, Date: "1X"'],
        ...['  line 7, Date: "hm"', '  line 8, Date: "n/k"', "  … and 2 more"],
      ];
      const kept = "the text is kept in another field";
      const before = await lookInto(office.settings.SVC_DATA_DIR!, (sql) => everything(sql));
      const dry = await office.run(...args, "--dry-run");
      expect(dry.code).toBe(0);
      expect(dry.out).toContain(
        `\n7 dates were not understood and would be left out (${kept}):\n${shown.join("\n")}\nNothing was written.`,
      );
      expect(await lookInto(office.settings.SVC_DATA_DIR!, (sql) => everything(sql))).toEqual(before);
      const done = await office.run(...args);
      expect(done.code).toBe(0);
      expect(masked(done.out)).toBe(
        `9 rows in <seconds>: 9 created\n7 dates were not understood and left out (${kept}):\n${shown.join("\n")}\nImport id: <id>`,
      );
      const found = await lookInto(
        office.settings.SVC_DATA_DIR!,
        (sql) => sql`
          select metadata -> 'date' -> 0 ->> 'value' as date, metadata -> 'date_text' -> 0 ->> 'value' as words
          from records where idno like 'D%' order by idno limit 3`,
      );
      expect(found.map(({ date, words }) => [date, words])).toEqual([
        ["1887~", "c. 1887"],
        [null, "soon"],
        ["1890", null],
      ]);
      const acquired = { ...date, target: "acquisition_date" };
      await office.put("acquired.json", JSON.stringify({ No: "__idno__", Date: acquired }));
      const lost = await office.run(
        ...args.slice(0, 5),
        "acquired.json",
        "--upsert-strategy",
        "merge",
        "--dry-run",
      );
      const advice = 'map the column to a text field too, or refuse such rows with "strict": true';
      expect(lost.out).toContain(`7 dates were not understood and would be left out (${advice}):`);
    },
  );

  const runImport = (file: string, mapping: string, ...more: string[]) =>
    office.run("import-csv", file, "--mapping", mapping, "--type", "object", ...more);

  test.concurrent.each<[string, string, string, string[], number, RegExp]>([
    ["no such file", "none.csv", "good.json", [], 1, /^none\.csv cannot be read: there is no such file$/],
    ["a directory", "data", "good.json", [], 1, /^data is not a file$/],
    ["an empty file", "empty.csv", "good.json", [], 1, /^empty\.csv is empty$/],
    ["a picture", "picture.csv", "good.json", [], 1, /^picture\.csv: .*JPEG image/],
    [
      "a damaged file",
      "tape.csv",
      "good.json",
      [],
      1,
      /^tape\.csv: This holds bytes that do not occur in text, the first in line 2, column 6: U\+0000 \(NUL\)\. /,
    ],
    [
      "no mapping",
      "good.csv",
      "none.json",
      [],
      1,
      /^The mapping none\.json cannot be read: there is no such/,
    ],
    ["half a mapping", "good.csv", "broken.json", [], 1, /^The mapping broken\.json is not valid JSON/],
    [
      "a column twice",
      "good.csv",
      "twice.json",
      [],
      1,
      /\bNo"?:? is there twice; JSON keeps only the last one$/,
    ],
    ["a list as mapping", "good.csv", "list.json", [], 1, /^A mapping is a JSON object from columns to/],
    [
      "an unknown target",
      "good.csv",
      "target.json",
      [],
      1,
      /"__titel__" is not a target; the targets are __idno__, /,
    ],
    ["an unknown field", "good.csv", "field.json", [], 1, /no field "titel"; did you mean "title"\?$/],
    ["a missing column", "good.csv", "column.json", [], 1, /the file has no column "Number"/],
    [
      "an unknown type",
      "good.csv",
      "good.json",
      ["--type", "painting"],
      2,
      /^There is no record type "painting"/,
    ],
    ["an unknown option", "good.csv", "good.json", ["--dryrun"], 2, /--dryrun; did you mean "--dry-run"\?$/],
    [
      "an unknown encoding",
      "good.csv",
      "good.json",
      ["--encoding", "x"],
      2,
      /^"x" is not a known encoding; use a name such as utf-8 or windows-1252$/,
    ],
    [
      "a delimiter of two characters",
      "good.csv",
      "good.json",
      ["--delimiter", ";;"],
      2,
      /^The delimiter must be one character, and not a quote or a line end\.$/,
    ],
    [
      "no place for rejects",
      "good.csv",
      "good.json",
      ["--rejects", "no/r.csv"],
      1,
      /there is no such directory$/,
    ],
  ])("says in one sentence what is wrong: %s", async (_, file, mapping, more, code, sentence) => {
    const ended = await runImport(file, mapping, ...more);
    expect(ended.code, ended.err).toBe(code);
    expectOneSentence(ended, sentence);
  });
});

inLong(describe)("the command import-csv without a service", () => {
  let office: Office;

  beforeEach(async () => {
    office = await preparedOffice(quickest);
  });
  afterEach(() => office.close());

  test("goes on if nobody reads its output", async () => {
    const command = office.begin(...IMPORT);
    command.child.stdout!.destroy();
    command.child.stderr!.destroy();
    expect(await command.ended).toBe(0);
    const { created } = await office.look(async ({ sql }) => (await sql`select created from imports`)[0]!);
    expect(created).toBe(ROWS);
  });

  test("says when it guesses the encoding, and refuses UTF-8 with one damaged byte", async () => {
    const accents = Buffer.from("No,Title\n1,Caf\u00e9\n");
    const damaged = Buffer.concat([accents, Buffer.from("2,Z\u00fcrich\n", "latin1")]);
    await office.put("good.csv", accents);
    await office.put("damaged.csv", damaged);
    await office.put("latin.csv", Buffer.from("No,Title\n2,Z\u00fcrich\n", "latin1"));
    await office.put("short.json", JSON.stringify({ No: "__idno__", Title: "title" }));
    const run = (file: string, ...more: string[]) =>
      office.run("import-csv", file, "--type", "object", "--mapping", "short.json", "--dry-run", ...more);
    expect(masked((await run("good.csv")).err)).toBe("");
    expect((await run("latin.csv")).err).toMatch(/^The file is not UTF-8; it is read as windows-1252/m);
    const refused = await office.run(
      ...IMPORT.slice(0, 1),
      "damaged.csv",
      ...IMPORT.slice(2, 5),
      "short.json",
    );
    expect(refused.code).toBe(1);
    expectOneSentence(
      refused,
      /^The file is not utf-8 text: line 3, column 4, the byte 0xFC \(number 21\)\. Correct it, or name the file's encoding$/,
    );
    expect(masked((await run("damaged.csv", "--encoding", "latin1")).err)).toBe("");
  });

  test("has written nothing if it is interrupted before the first row", async () => {
    // its socket opens before it reads
    const embedded = await preparedOffice("embedded");
    onTestFinished(() => embedded.close());
    const command = embedded.begin(...IMPORT);
    await embedded.until(command, async () => true);
    command.child.kill("SIGINT");
    const { code, err } = await endOf(command);
    expect(code).toBe(130);
    expect(err).toMatch(
      /^Interrupted before the first row: this run has written nothing$|Interrupted: run the/,
    );
  });

  test("says that no database answers, by address and by name", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      office.settings.DATABASE_URL = `postgres://nobody@${host}:1/nothing`;
      const ended = await office.run(...IMPORT);
      expect(ended.code).toBe(1);
      expectOneSentence(
        ended,
        /^The database nothing at \S+:1 \(DATABASE_URL\) cannot be used: nothing listens there/,
      );
    }
  });
});

describe("the stream of a file", () => {
  test.each([0, 1, 65_536, 200_000])(
    "gives its %i bytes, and can be cancelled at any moment",
    async (size) => {
      const directory = await mkdtemp(join(tmpdir(), "svc-bytes-"));
      try {
        const path = join(directory, "list.csv");
        const content = Uint8Array.from({ length: size }, (_, n) => n % 251);
        await writeFile(path, content);
        expect(new Uint8Array(await new Response(bytesOf(path)).arrayBuffer())).toEqual(content);
        await bytesOf(path).cancel();
        const reader = bytesOf(path).getReader();
        const reading = reader.read();
        await reader.cancel();
        expect((await reading).done).toBe(true);
        const second = bytesOf(path).getReader();
        await second.read();
        await Promise.all([second.read(), second.cancel()]);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  );

  test("fails when it is read if the file is missing", async () => {
    await expect(bytesOf("/no/such/list.csv").getReader().read()).rejects.toThrow("ENOENT");
  });
});
