/** An import reads its file once, and keeps its rows in the database until it ends. */
import { describe, expect, test } from "vitest";
import { joinBytes } from "../../src/bytes.ts";
import { OPERATOR } from "../../src/caller.ts";
import { csvSample } from "../../src/imports/csv/file.ts";
import { checkImport } from "../../src/imports/run.ts";
import { Problem } from "../../src/problem.ts";
import { housekeep } from "../../workers/housekeeping.ts";
import { inLong } from "../support/lane/lane.ts";
import { importRoom, refusal, SMALL_BATCH, TITLES } from "../support/museum/import-room.ts";
import { type Choices, everything } from "../support/museum/importing.ts";
import { quickest } from "../support/museum/museum.ts";

const ABOUT = { ...TITLES, About: "__relation:about:object__" };
const XML_TITLES = { "no/text()": "__idno__", "title/text()": "title" };
const XML_ABOUT = {
  ...XML_TITLES,
  "about/text()": "__relation:about:object__",
};

/** A file that counts its readings, how many of them are open now, and the bytes that were read. */
function countedSource(content: string | Uint8Array, name = "objects.csv") {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const counts = { readings: 0, open: 0, bytes: 0 };
  const open = (): ReadableStream<Uint8Array> => {
    counts.readings += 1;
    counts.open += 1;
    let at = 0;
    return new ReadableStream(
      {
        pull(controller) {
          const chunk = bytes.slice(at, at + 65_536);
          at += chunk.length;
          counts.bytes += chunk.length;
          if (chunk.length > 0) return controller.enqueue(chunk);
          counts.open -= 1;
          controller.close();
        },
        cancel() {
          counts.open -= 1;
        },
      },
      { highWaterMark: 0 },
    );
  };
  return { counts, source: { name, bytes: bytes.length, open } };
}

/** Pairs of rows, far apart, that name each other by title, so that links of the first half must wait. */
const pairs = (size: number, title = (n: number) => `Row ${n}`) =>
  `No,Title,About,Note\n${Array.from({ length: size }, (_, n) => `${n},${title(n)},${title((n + size / 2) % size)},\n`).join("")}`;

const filler = (rows: number) => `x,,,${"x".repeat(50_000)}\n`.repeat(rows);

const ONES = { recordXPath: "//one" };

const OPTIONS = {
  kind: "object",
  idnoStrategy: "column",
  upsertStrategy: "skip",
  autoPublish: false,
  dryRun: false,
} as const;

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("an import reads its file", () => {
  const room = importRoom(quickest, { batch: SMALL_BATCH });
  const SIZE = 3 * SMALL_BATCH;
  const stagedRows = () =>
    room.services.sql`select number from staged_rows union all select number from staged_names`;

  test.each(["skip", "merge", "replace"] as const)(
    "once with links to rows further down (%s), and leaves no staged row behind",
    async (upsertStrategy) => {
      const { counts, source } = countedSource(pairs(SIZE));
      let most = 0;
      const done = await room.run(source, ABOUT, {
        upsertStrategy,
        async currentAccount() {
          const [row] = await room.services.sql`
            select count(*)::int as n from staged_rows where waiting is not null`;
          most = Math.max(most, row!.n as number);
          return OPERATOR;
        },
      });
      expect(done).toMatchObject({ created: SIZE, unlinked: 0 });
      expect(await room.links()).toHaveLength(SIZE);
      expect(counts.readings).toBe(1);
      expect(most).toBeGreaterThan(0);
      expect(await stagedRows()).toHaveLength(0);
    },
  );

  test("once in a dry run, which leaves no staged row behind either", async () => {
    const before = await everything(room.services.sql);
    const { counts, source } = countedSource(pairs(SIZE));
    expect(await room.run(source, ABOUT, { dryRun: true })).toMatchObject({ created: SIZE, unlinked: 0 });
    expect(counts.readings).toBe(1);
    expect(await everything(room.services.sql)).toEqual(before);
  });

  test("once if no row has a link", async () => {
    const { counts, source } = countedSource("No,Title\n1,Boat\n");
    await room.run(source, TITLES);
    expect(counts.readings).toBe(1);
  });

  test.each(["//one", "/list/*[no]"])("once if it is XML (%s)", async (recordXPath) => {
    const one = (n: number) =>
      `<one><no>${n}</no><title>Row ${n}</title><about>Row ${(n + SIZE / 2) % SIZE}</about></one>`;
    const xml = `<list>${Array.from({ length: SIZE }, (_, n) => one(n)).join("")}</list>`;
    const { counts, source } = countedSource(xml, "objects.xml");
    const done = await room.run(source, XML_ABOUT, { recordXPath });
    expect(done).toMatchObject({ created: SIZE, unlinked: 0 });
    expect(await room.links()).toHaveLength(SIZE);
    expect(counts.readings).toBe(1);
  });

  test("once if its encoding must be detected", async () => {
    const text = pairs(SIZE, (n) => `Kröte ${n}`);
    const utf16 = new Uint8Array(Buffer.from(text.replaceAll("ö", "oe"), "utf16le"));
    for (const bytes of [latin1(text), utf16]) {
      const { counts, source } = countedSource(bytes);
      expect(await room.run(source, ABOUT, { upsertStrategy: "merge" })).toMatchObject({ unlinked: 0 });
      expect(await room.records()).toHaveLength(SIZE);
      expect(counts.readings).toBe(1);
    }
  });

  const isReadOnce = async (beginning: string) => {
    const text = pairs(SIZE, (n) => `Kröte ${n}`).replace("\n", `\n${beginning}`);
    const check = countedSource(latin1(text));
    await checkImport(room.services, OPERATOR, check.source, { ...OPTIONS, mapping: ABOUT });
    expect(check.counts.readings).toBe(1);
    for (const dryRun of [true, false]) {
      const { counts, source } = countedSource(latin1(text));
      const done = await room.run(source, ABOUT, { upsertStrategy: "merge", dryRun });
      expect(done).toMatchObject({ rejected: 0, unlinked: 0 });
      expect(counts.readings).toBe(1);
    }
    const titles = await room.titles();
    expect(titles.filter((title) => title.includes("Kröte"))).toHaveLength(SIZE);
    expect(titles).toContain("7 Kröte 7");
    expect(await room.links()).toHaveLength(SIZE);
  };

  test("once when Windows-1252 begins with accents that happen to be UTF-8, also in a check and a dry run", () =>
    isReadOnce(`x,,,Stra\u{c3}\u{9f}e\n${filler(2)}`));

  inLong(test)("once when Windows-1252 has no accent in 4 MiB, also in a check and a dry run", () =>
    isReadOnce(filler(85)),
  );

  test("twice, to refuse it, when other bytes follow a hundred characters of UTF-8", async () => {
    const text = new TextEncoder().encode(pairs(SIZE, (n) => `Kröte ${n}`));
    const rest = latin1(filler(2) + "A,Ö,\n".repeat(20 * SIZE));
    const { counts, source } = countedSource(joinBytes([text, rest]));
    const problem = await refusal(room.run(source, ABOUT));
    expect(problem.message).toMatch(/^The file is not utf-8 text: line 124, column 3,/);
    expect(problem.message).toMatch(/name the file's encoding/);
    expect(counts.readings).toBe(2);
    expect(await room.titles()).toEqual([]);
    expect(await stagedRows()).toHaveLength(0);
  });

  test("once to refuse it, and once more to locate a damaged byte", async () => {
    const faulty = countedSource(pairs(2));
    const problem = await refusal(room.run(faulty.source, { Nr: "__idno__" }));
    expect(problem.message).toMatch(/the file has no column "Nr"/);
    expect(faulty.counts.readings).toBe(1);
    const damaged = countedSource(
      Uint8Array.from([...new TextEncoder().encode("No,Title\n1,Zoë Zoë "), 0xff]),
    );
    expect((await refusal(room.run(damaged.source, TITLES))).message).toMatch(
      /^The file is utf-8 except for/,
    );
    expect(damaged.counts.readings).toBe(2);
    // a wrong encoding is reported first, as it may be why a column is missing
    const misnamed = countedSource(latin1("No,Títle\n1,Zo\u{ff}\n"));
    const choices = { encoding: "shift_jis" };
    const garbled = await refusal(room.run(misnamed.source, { No: "__idno__", Títle: "title" }, choices));
    expect(garbled.message).toMatch(/^The file is not shift_jis text/);
  });

  test("to its end before the first row if its encoding has no character for a byte", async () => {
    const file = latin1(`No,Title,About\n1,Lid \u{e1},\n${filler(3)}2,\u{d2},\n`);
    const problem = await refusal(room.run(file, ABOUT, { encoding: "windows-1253" }));
    expect(problem.message).toMatch(/^The file is not windows-1253 text/);
    expect(await room.titles()).toEqual([]);
  });

  test.each<[string, string, Record<string, string>, Choices]>([
    ["a table with a cell too many", "No,Title\n1,Boat,2\n", TITLES, {}],
    ["a table with two columns of one name", "No,No\n1,2\n", TITLES, {}],
    ["a table without a column of the mapping", "No,Title\n1,Boat\n", { Nr: "__idno__" }, {}],
    ["XML with entities", '<!DOCTYPE l [<!ENTITY a "ha">]><l><one><no>1</no></one></l>', XML_TITLES, ONES],
    ["XML that ends too early", "<l><one><no>1</no></one><one>", XML_TITLES, ONES],
    ["XML without a record", "<l><two/></l>", XML_TITLES, ONES],
    ["XML that is read whole and is broken", "<l><one></l>", XML_TITLES, { recordXPath: "/l/*[no]" }],
  ])("and closes it, even if it refuses %s", async (_what, content, mapping, choices) => {
    for (const longer of ["", "<!-- -->".repeat(20_000)]) {
      const { counts, source } = countedSource(content + longer, "objects");
      await room.run(source, mapping, choices).catch((error) => expect(error).toBeInstanceOf(Problem));
      expect(counts.readings).toBeGreaterThan(0);
      expect(counts.open).toBe(0);
    }
  });

  test("once for a check, XML only up to its declaration, and once for a sample of rows", async () => {
    const table = countedSource(pairs(SIZE));
    await checkImport(room.services, OPERATOR, table.source, { ...OPTIONS, mapping: ABOUT });
    expect(table.counts.readings).toBe(1);
    const xml = countedSource(`<list><!-- ö -->${"<one/>".repeat(100_000)}</list>`, "objects.xml");
    const recordXPath = "//one";
    await checkImport(room.services, OPERATOR, xml.source, { ...OPTIONS, mapping: XML_ABOUT, recordXPath });
    expect(xml.counts).toMatchObject({ readings: 1 });
    expect(xml.counts.bytes).toBeLessThan(200_000);
    const sampled = countedSource(latin1(pairs(SIZE, (n) => `Kröte ${n}`)));
    expect(await csvSample(sampled.source, 2)).toEqual({
      encoding: "windows-1252",
      header: ["No", "Title", "About", "Note"],
      rows: [
        ["0", "Kröte 0", "Kröte 60", ""],
        ["1", "Kröte 1", "Kröte 61", ""],
      ],
    });
    expect(sampled.counts.readings).toBe(1);
  });
});

describe("links that wait for the end of an import", () => {
  const room = importRoom(quickest, { batch: SMALL_BATCH });

  test("are deleted after a week, with the other rows, if the process was killed", async () => {
    const { sql } = room.services;
    const now = Date.now();
    const idOf = (days: number) => {
      const time = (now - days * 86_400_000).toString(16).padStart(12, "0");
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
    };
    for (const days of [8, 6]) {
      await sql`insert into staged_rows (run_id, number, content) values (${idOf(days)}, 1, '{}')`;
      await sql`insert into staged_names (run_id, name, number) values (${idOf(days)}, gen_random_uuid(), 1)`;
    }
    await housekeep(room.services);
    expect(await sql`delete from staged_rows returning run_id`).toEqual([{ run_id: idOf(6) }]);
    expect(await sql`delete from staged_names returning run_id`).toEqual([{ run_id: idOf(6) }]);
  });

  test("are not made for a record that was deleted meanwhile", async () => {
    const { source } = countedSource(pairs(3 * SMALL_BATCH));
    const done = await room.run(source, ABOUT, {
      async currentAccount() {
        await room.services.sql`update records set deleted_at = now() where idno = '7'`;
        return OPERATOR;
      },
    });
    expect(done).toMatchObject({ created: 3 * SMALL_BATCH, finished: true });
    const links = await room.links();
    expect(links).toContain("8 about Row 68");
    expect(links).not.toContain("7 about Row 67");
  });
});
