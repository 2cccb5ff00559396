import { describe, expect, test } from "vitest";
import { OPERATOR } from "../../../src/caller.ts";
import { undoImport } from "../../../src/imports/undo/undo.ts";
import { importRoom, SMALL_BATCH, TITLES } from "../../support/museum/import-room.ts";
import { type Choices, catalogue, emptied, everything } from "../../support/museum/importing.ts";
import { databases, quickest } from "../../support/museum/museum.ts";

const PAIRS = { ...TITLES, To: "__relation:about:object__" };
const PARTS = { ...TITLES, To: "__relation:part_of:object__" };
const TREE = { ...TITLES, To: "__parent__" };

/** Rows that name each other: `to` gives the position of the other row, or null. */
const table = (size: number, to: (n: number) => number | null) =>
  `No,Title,To\n${Array.from({ length: size }, (_, n) => `R${n},Row ${n},${to(n) === null ? "" : `R${to(n)}`}`).join("\n")}\n`;

/** The same numbers in random order. */
function shuffled(size: number): number[] {
  const all = Array.from({ length: size }, (_, n) => n);
  let seed = 42;
  for (let n = size - 1; n > 0; n--) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const other = seed % (n + 1);
    [all[n], all[other]] = [all[other]!, all[n]!];
  }
  return all;
}

describe.each(databases)("rows that name rows of their own file, in the %s database,", (database) => {
  const room = importRoom(database, { batch: SMALL_BATCH });
  const { run } = room;
  const numbers = async (kind = "object") => {
    const rows = await room.services.sql<{ idno: string }[]>`
      select idno from records where record_type = ${kind} and deleted_at is null order by idno`;
    return rows.map(({ idno }) => idno);
  };
  const links = async () => {
    const rows = await room.services.sql<{ text: string }[]>`
      select f.idno || ' ' || t.idno as text
      from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id`;
    return rows.map(({ text }) => text).sort();
  };
  const parents = async () => {
    const rows = await room.services.sql<{ text: string }[]>`
      select r.idno || ' ' || p.idno as text from records r join records p on p.id = r.parent_id`;
    return rows.map(({ text }) => text).sort();
  };
  const named = (size: number, to: (n: number) => number | null) =>
    Array.from({ length: size }, (_, n) => (to(n) === null ? [] : [`R${n} R${to(n)}`]))
      .flat()
      .sort();
  const rows = (size: number) => Array.from({ length: size }, (_, n) => `R${n}`).sort();

  const SIZE = 90;
  const DEEP = 600;
  const order = shuffled(SIZE);
  const FURTHER: [string, (n: number) => number | null][] = [
    ["in a backward ring", (n) => (n + SIZE - 1) % SIZE],
    ["in distant pairs", (n) => (n + SIZE / 2) % SIZE],
    ["all naming the last one", (n) => (n === SIZE - 1 ? null : SIZE - 1)],
  ];
  test.each<[string, (n: number) => number | null]>([
    ["in a ring", (n) => (n + 1) % SIZE],
    ["in random rings", (n) => order[n]!],
    ...(database === quickest ? FURTHER : []),
  ])(
    "%s, give exactly these records and links, as a dry run predicts, and no more when repeated",
    async (_what, to) => {
      const notSelf = (n: number) => (to(n) === n ? null : to(n));
      const file = table(SIZE, notSelf);
      const before = await everything(room.services.sql);
      const preview = await run(file, PAIRS, { dryRun: true });
      expect(await everything(room.services.sql)).toEqual(before);
      const done = await run(file, PAIRS);
      expect(done).toMatchObject({ rows_done: SIZE, created: SIZE, rejected: 0, unlinked: 0, rejects: "" });
      expect(preview.lines).toEqual(done.lines);
      expect(preview.without).toEqual({});
      expect(await numbers()).toEqual(rows(SIZE));
      expect(await links()).toEqual(named(SIZE, notSelf));

      const once = await catalogue(room.services.sql);
      expect(await run(file, PAIRS)).toMatchObject({ created: 0, skipped: SIZE, unlinked: 0 });
      expect(await run(file, PAIRS, { upsertStrategy: "merge" })).toMatchObject({
        unchanged: SIZE,
        unlinked: 0,
      });
      expect(await run(file, PAIRS, { upsertStrategy: "replace" })).toMatchObject({ unchanged: SIZE });
      expect(await catalogue(room.services.sql)).toEqual(once);
    },
  );

  test.each<[string, (n: number) => number | null]>([
    ["forwards", (n) => (n === DEEP - 1 ? null : n + 1)],
    ["backwards", (n) => (n === 0 ? null : n - 1)],
  ])(`as parts of parts, ${DEEP} deep, %s`, async (_what, to) => {
    const file = table(DEEP, to);
    expect(await run(file, PARTS, { batch: DEEP / 5 })).toMatchObject({
      created: DEEP,
      rejected: 0,
      unlinked: 0,
    });
    expect(await numbers()).toEqual(rows(DEEP));
    expect(await links()).toEqual(named(DEEP, to));
  });

  test.each<[string, (n: number) => number | null]>([
    ["forwards", (n) => (n === DEEP - 1 ? null : n + 1)],
    ["backwards", (n) => (n === 0 ? null : n - 1)],
  ])(`as trees ${DEEP} deep, %s`, async (_what, to) => {
    const file = table(DEEP, to);
    const kind = { kind: "collection", batch: DEEP / 5 } as const;
    const preview = await run(file, TREE, { ...kind, dryRun: true });
    const done = await run(file, TREE, kind);
    expect(done).toMatchObject({ created: DEEP, rejected: 0, unlinked: 0 });
    expect(preview.lines).toEqual(done.lines);
    expect(preview.without).toEqual({});
    expect(await parents()).toEqual(named(DEEP, to));
  });

  test("in random order make the right tree", async () => {
    const place = shuffled(150);
    // the parent of the nth row of the tree, wherever both are in the file
    const at = new Map(place.map((row, n) => [row, n]));
    const to = (row: number) => {
      const n = at.get(row)!;
      return n === 0 ? null : place[Math.floor((n - 1) / 3)]!;
    };
    expect(await run(table(150, to), TREE, { kind: "collection" })).toMatchObject({
      created: 150,
      unlinked: 0,
    });
    expect(await parents()).toEqual(named(150, to));
  });

  test("by title make the right links if the catalogue gives the numbers", async () => {
    const size = SIZE;
    const titles = Array.from({ length: size }, (_, n) => `Row ${n},ROW ${(n + 1) % size}`);
    const file = `Title,To\n${titles.join("\n")}\n`;
    const mapping = { Title: "title", To: "__relation:about:object__" };
    expect(await run(file, mapping)).toMatchObject({ created: size, unlinked: 0 });
    expect(await numbers()).toHaveLength(size);
    expect(await links()).toHaveLength(size);
    const once = await catalogue(room.services.sql);
    expect(await run(file, mapping)).toMatchObject({ created: 0, skipped: size });
    expect(await catalogue(room.services.sql)).toEqual(once);
  });

  describe("to a row that is refused", () => {
    const file = (date: string) => {
      const filler = Array.from({ length: 90 }, (_, n) => `F${n},Filler ${n},,1900`).join("\n");
      return `No,Title,To,Date\n1,Lid,Z,1900\n2,Foot,Filler 7,1900\n${filler}\nZ,Box,,${date}\n3,Label,Z,1900\n`;
    };
    const mapping = { ...PARTS, Date: "date" };

    test("are reported, create nothing from its name, and are linked once it is corrected", async () => {
      const preview = await run(file("long ago"), mapping, { dryRun: true });
      const done = await run(file("long ago"), mapping);
      expect(done).toMatchObject({ created: 93, rejected: 1, unlinked: 2 });
      const reason =
        'there is no object "Z", which it names; the row is imported without it; ' +
        "correct this and import the row again, with the upsert strategy merge";
      expect(done.without).toEqual({ 2: reason, 95: reason });
      expect(preview.without).toEqual(done.without);
      expect(preview.lines).toEqual(done.lines);
      expect(preview.rejects).toBe(done.rejects);
      expect(await links()).toEqual(["2 F7"]);
      expect(await numbers()).toHaveLength(93);

      const mended = done.rejects.replace(",,long ago", ",,1900");
      const last = await run(mended, mapping, { upsertStrategy: "merge" });
      expect(last).toMatchObject({ created: 1, updated: 2, rejected: 0, unlinked: 0 });
      expect(await links()).toEqual(["1 Z", "2 F7", "3 Z"]);
    });

    test("as the parent of a record leave that record at the top until then", async () => {
      const mapping = { ...TREE, Kind: "__type__" };
      const rows = "No,Title,To,Kind\nA,A,B,\nB,B,,nonsense\nC,C,A,\nD,D,nowhere,\n";
      const real = await run(rows, mapping, { kind: "collection" });
      expect(real).toMatchObject({ created: 2, rejected: 2, unlinked: 1 });
      expect(real.without[2]).toMatch(
        /^parent: there is no collection "B" to be its parent; the row is imported without it;/,
      );
      expect(await parents()).toEqual(["C A"]);
    });
  });

  test("are all imported if parts make a circle across batches, and the links that close it are reported", async () => {
    const size = SIZE;
    const done = await run(
      table(size, (n) => (n + 1) % size),
      PARTS,
    );
    expect(done).toMatchObject({ created: size, rejected: 0 });
    expect(await numbers()).toEqual(rows(size));
    const reasons = Object.values(done.without);
    expect(reasons.length).toBe(done.unlinked);
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons)
      expect(reason).toMatch(/^would make a circle: R\d+ part_of R\d+ part_of .*R\d+;/);
    expect(await links()).toHaveLength(size - done.unlinked);
  });

  test("with one bad link keep the others", async () => {
    const mapping = {
      ...TITLES,
      To: { target: "__relation:about:object__", transforms: [{ type: "split", delimiter: "|" }] },
    };
    await run("No,Title\nT1,Twin\n", TITLES);
    const filler = Array.from({ length: 45 }, (_, n) => `F${n},Filler ${n},`).join("\n");
    const done = await run(`No,Title,To\n1,A,TWIN B|Z|B\n${filler}\nB,Twin B,\nC,Twin b,\nZ,Zed,\n`, mapping);
    expect(done.without[2]).toMatch(
      /^"TWIN B" may be any of 2 objects \(B "Twin B", C "Twin b"\); write its number in the cell/,
    );
    expect(done).toMatchObject({ created: 49, unlinked: 1 });
    expect(await links()).toEqual(["1 B", "1 Z"]);
  });

  test("count as an update if only a link changes an existing record, in a dry run too", async () => {
    await run("No,Title\n1,A\n2,B\n", TITLES);
    const filler = Array.from({ length: 45 }, (_, n) => `F${n},Filler ${n},`).join("\n");
    const file = `No,Title,To\n1,A,Z\n2,B,\n${filler}\nZ,Zed,\n`;
    const preview = await run(file, PAIRS, { upsertStrategy: "merge", dryRun: true });
    const done = await run(file, PAIRS, { upsertStrategy: "merge" });
    for (const one of [preview, done]) expect(one).toMatchObject({ created: 46, updated: 1, unchanged: 1 });
    expect(await links()).toEqual(["1 Z"]);
  });

  test("with a repeated number, or title as the key, have the links of the first one, also if it replaces", async () => {
    await run("No,Title,To\n1,A,Y\n1,A,Z\nY,Wye,\nZ,Zed,\n", PAIRS, { upsertStrategy: "replace", batch: 1 });
    expect(await links()).toEqual(["1 Y"]);
    const mapping = { Name: { target: "title", key: true }, To: "__relation:about:object__" };
    const keyed = await run("Name,To\nB,C\nB,\nC,\n", mapping, { upsertStrategy: "replace", batch: 1 });
    expect(keyed.lines).toEqual({ 2: "created", 3: "skipped again", 4: "created" });
    expect(await links()).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>, Choices, (n: number) => number | null]>([
    ["in a ring", PAIRS, {}, (n) => (n + 1) % SIZE],
    ["in a tree", TREE, { kind: "collection" }, (n) => (n === SIZE - 1 ? null : n + 1)],
  ])("%s, leave nothing after an undo", async (_what, mapping, choices, to) => {
    const { importId } = await run(table(SIZE, to), mapping, choices);
    const done = await undoImport(room.services, OPERATOR, importId, { dryRun: false, batch: SMALL_BATCH });
    expect(done.finished).toBe(true);
    expect(await numbers(choices.kind)).toEqual([]);
    const [{ n }] = (await room.services.sql`
      select count(*)::int as n from relations l join records f on f.id = l.from_id
      where f.deleted_at is null`) as unknown as [{ n: number }];
    expect(n).toBe(0);
  });

  describe("in an interrupted import", () => {
    const size = SIZE;
    const ring: [string, Record<string, unknown>, Choices] = [
      "in a ring (skip)",
      PAIRS,
      { upsertStrategy: "skip" },
    ];
    const tree: typeof ring = ["in a tree (merge)", TREE, { upsertStrategy: "merge", kind: "collection" }];
    test.each(database === quickest ? [ring, tree] : [tree])(
      "%s, end as if it had not been interrupted, once it is repeated",
      async (_what, mapping, choices) => {
        const up = (n: number) => (n === size - 1 ? null : Math.min(size - 1, n + 1 + (n % 5) * 9));
        const file = table(size, mapping === TREE ? up : (n) => (n + 1) % size);
        const complete = await run(file, mapping, choices);
        const expected = await catalogue(room.services.sql);
        // before every batch, and before the final ones that make waiting links
        for (let batches = 1; ; batches++) {
          await emptied(room.services.sql);
          let left = batches;
          const part = await run(file, mapping, { ...choices, stopped: () => left-- === 0 });
          if (part.finished) break;
          const last = await run(file, mapping, choices);
          expect(last).toMatchObject({
            resumed: true,
            finished: true,
            created: complete.created,
            unlinked: 0,
          });
          const now = await catalogue(room.services.sql);
          expect({ ...now, revisions: [], records: bare(now.records) }).toEqual({
            ...expected,
            revisions: [],
            records: bare(expected.records),
          });
        }
      },
    );
  });
});

/** Without the version, because a link that the repeated run could write at once made none. */
const bare = (records: readonly unknown[] = []) => records.map((row) => ({ ...(row as object), version: 0 }));
