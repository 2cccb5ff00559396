import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { runImport } from "../../src/imports/run.ts";
import { inLong, oneOrAll } from "../support/lane/lane.ts";
import { importRoom, MAKERS, SMALL_BATCH, TITLES } from "../support/museum/import-room.ts";
import { catalogue, emptied, everything, type Imported, indexed } from "../support/museum/importing.ts";
import { databases, openMuseum, quickest } from "../support/museum/museum.ts";

describe.each(databases)("an import into the %s database", (database) => {
  const room = importRoom(database, { batch: SMALL_BATCH });
  const { run, records, titles, links } = room;

  describe("in a dry run", () => {
    /** Rows with every outcome, and rows that refer to each other across batches. */
    const objects = () => {
      const rows = [
        "0,Known,1900,Ada,",
        "K1,Also known,1901,New maker,",
        "P1,Part,,Ada,W",
        "1,First,1900,Ada,",
      ];
      for (let n = 0; n < 45; n++)
        rows.push(`F${n},Filler ${n},${n % 10 === 7 ? "bad" : 1900 + (n % 90)},Maker ${n % 5},`);
      rows.push(
        "1,Second,1950,Bea,",
        "W,Whole,,,",
        ",No number,1900,,",
        "P2,Part 2,,,w hole",
        "1,Third,1950,Bea,W",
      );
      rows.push("K1,,,,", "twins,A,,Twin,", "B1,Bad first,bad,,", "B1,Then good,1900,,");
      for (let n = 0; n < 45; n++) rows.push(`G${n},Filler ${n},1900,,`);
      rows.push("P3,Part 3,,,Third", "B1,Again,1900,,", "F0,Filler 0,1900,Maker 0,", "P4,Part 4,,,1");
      return `No,Title,Date,Maker,Whole\n${rows.join("\n")}\n`;
    };
    const mapping = {
      ...MAKERS,
      Date: "date",
      Whole: "__relation:part_of:object__",
    };
    const prepare = async () => {
      await emptied(room.services.sql);
      await run("No,Title,Date,Maker\n0,Known,1900,Ada\nK1,Also known,1890,Ada\n", MAKERS);
      await run("No,Name\nT1,Twin\nT2,twin\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
    };
    const tally = ({ outcomes: _o, importId: _i, lacking: _l, rejects, lines, ...rest }: Imported) => ({
      ...rest,
      lines,
      rejects,
    });

    test.each(oneOrAll(["skip", "replace", "merge"] as const))(
      "predicts exactly what the import does (%s), and changes nothing",
      async (upsertStrategy) => {
        await prepare();
        const before = { ...(await everything(room.services.sql)), ...(await catalogue(room.services.sql)) };
        const preview = await run(objects(), mapping, { upsertStrategy, dryRun: true });
        expect({ ...(await everything(room.services.sql)), ...(await catalogue(room.services.sql)) }).toEqual(
          before,
        );
        const real = await run(objects(), mapping, { upsertStrategy });
        expect(tally(preview)).toEqual(tally(real));
        expect(real.created).toBeGreaterThan(80);
        expect(real.rejected).toBeGreaterThan(5);
        const states = ({ outcomes }: Imported) =>
          outcomes.map(({ row, result }) =>
            "after" in result
              ? { line: row.line, before: result.before, after: result.after }
              : { line: row.line },
          );
        expect(states(preview)).toEqual(states(real));
      },
    );

    inLong(test)("predicts trees", async () => {
      const tree = { No: "__idno__", Title: "title", In: "__parent__" };
      const rows = Array.from(
        { length: 90 },
        (_, n) => `${n},T ${n},${n === 89 ? "" : Math.min(89, n + 1 + Math.floor(n / 3))}`,
      );
      const file = `No,Title,In\n${rows.join("\n")}\nX,X,nowhere\n`;
      const preview = await run(file, tree, { kind: "collection", dryRun: true });
      expect(await records("collection")).toEqual([]);
      const real = await run(file, tree, { kind: "collection" });
      expect(real).toMatchObject({ created: 90, rejected: 1 });
      expect(preview.lines).toEqual(real.lines);
    });

    test("predicts new numbers without using them", async () => {
      const file = `Title\n${Array.from({ length: 50 }, (_, n) => `T ${n}`).join("\n")}\n`;
      const before = await everything(room.services.sql);
      expect(await run(file, { Title: "title" }, { dryRun: true })).toMatchObject({ created: 50 });
      expect(await everything(room.services.sql)).toEqual(before);
    });
  });

  describe("that is interrupted", () => {
    const file = () => {
      const rows = Array.from(
        { length: 130 },
        (_, n) => `${n % 7 === 3 ? n - 1 : n},T ${n},${n % 35 === 12 ? "bad" : 1900},Maker ${n % 30}`,
      );
      return `No,Title,Date,Maker\n${rows.join("\n")}\n`;
    };
    const mapping = { ...MAKERS, Date: "date" };

    const ways = [
      ["skip", "column"],
      ["merge", "column"],
      ["replace", "column"],
      ["skip", "auto"],
    ] as const;
    test.each(database === quickest ? oneOrAll(ways) : ways.slice(0, 1))(
      "ends as if it had not been, once it is repeated (%s, numbers: %s)",
      async (upsertStrategy, idnoStrategy) => {
        const complete = await run(file(), mapping, { upsertStrategy, idnoStrategy });
        const expected = await catalogue(room.services.sql);
        await emptied(room.services.sql);
        const ids = new Set<string>();
        for (const batches of [1, 2]) {
          let left = batches;
          const part = await run(file(), mapping, {
            upsertStrategy,
            idnoStrategy,
            stopped: () => left-- === 0,
          });
          expect(part.finished).toBe(false);
          ids.add(part.importId);
          const [row] = await room.services.sql`select state, rows_done, created, rejected from imports`;
          const { rows_done, created, rejected } = part;
          expect(row).toEqual({ state: "failed", rows_done, created, rejected });
        }
        const last = await run(file(), mapping, { upsertStrategy, idnoStrategy });
        ids.add(last.importId);
        expect(ids.size).toBe(1);
        const makers = await titles("entity");
        expect(last.written).toContainEqual({ record_type: "entity", created: makers.length, changed: 0 });
        expect(last.written).toContainEqual({ record_type: "object", created: complete.created, changed: 0 });
        expect(last.resumed).toBe(true);
        const { created, rejected, rows_done, finished } = complete;
        expect(last).toMatchObject({ created, rejected, rows_done, finished });
        expect(last.rejects).toBe(complete.rejects);
        const now = await catalogue(room.services.sql);
        if (upsertStrategy === "skip") {
          expect(last).toMatchObject({
            updated: complete.updated,
            unchanged: complete.unchanged,
            skipped: complete.skipped,
          });
          expect(now).toEqual(expected);
        } else {
          // rows that are there twice were processed again: the records are the same, with a longer history
          const content = (all: Awaited<ReturnType<typeof catalogue>>) => ({
            records: all.records!.map((row) => ({ ...(row as object), version: 0 })),
            relations: all.relations,
            numbers: all.numbers,
          });
          expect(content(now)).toEqual(content(expected));
        }
        const [row] = await room.services.sql`select state, created, rejected from imports`;
        expect(row).toEqual({ state: "finished", created, rejected });
        const all = await room.services.sql<
          { n: number }[]
        >`select count(*)::int as n from records where deleted_at is null`;
        expect(await indexed(room.services)).toEqual({ records: all[0]!.n, found: all[0]!.n });
      },
    );

    inLong(test)("is another import if it had already finished", async () => {
      const first = await run("No,Title\n1,A\n", TITLES);
      const second = await run("No,Title\n1,A\n", TITLES);
      expect(second.importId).not.toBe(first.importId);
      expect(second.resumed).toBe(false);
    });

    test("does not continue with other options", async () => {
      const stopped = await run("No,Title\n1,A\n", TITLES, { stopped: () => true });
      const other = await run("No,Title\n1,A\n", TITLES, { autoPublish: true });
      expect(other.importId).not.toBe(stopped.importId);
    });
  });

  describe("beside another import", () => {
    const rows = (from: number) =>
      Array.from({ length: 120 }, (_, n) => `${from + n},T ${n},Maker ${n % 40}`).join("\n");

    inLong(test)("of other records is complete, and names in both files create one record", async () => {
      const [a, b] = await Promise.all([
        run(`No,Title,Maker\n${rows(0)}\n`, MAKERS),
        run(`No,Title,Maker\n${rows(5_000)}\n`, MAKERS),
      ]);
      expect([a, b]).toMatchObject([{ created: 120 }, { created: 120 }]);
      expect(await titles("entity")).toHaveLength(40);
      expect(await links()).toHaveLength(240);
    });

    test("of the same numbers creates each record once", async () => {
      const both = await Promise.all([
        run(`No,Title,Maker\n${rows(0)}\n`, MAKERS),
        run(`No,Title,Maker\n${rows(0)}\nmore,X,\n`, MAKERS),
      ]);
      expect(both.map(({ rejected }) => rejected)).toEqual([0, 0]);
      expect(both[0]!.created + both[1]!.created).toBe(121);
      expect(await titles()).toHaveLength(121);
    });

    inLong(test)("of the same file without numbers gives way, and doubles nothing", async () => {
      const file = `Title,Maker\n${rows(0).replaceAll(/^\d+,/gm, "")}\n`;
      const mapping = { Title: "title", Maker: "__relation:created_by:entity__" };
      const both = await Promise.allSettled([run(file, mapping), run(file, mapping)]);
      for (const one of both) {
        if (one.status === "rejected")
          expect(String(one.reason.message)).toMatch(
            /^This (import is running elsewhere|run has ended: the same import was started again)/,
          );
      }
      expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
      await run(file, mapping);
      expect(await titles()).toHaveLength(120);
    });
  });
});

function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

inLong(test)(
  "an import needs no more memory for a long file than for a short one, even if each row names a row far below",
  async () => {
    const ROWS = 6_000;
    const mapping = { ...TITLES, To: "__relation:about:object__" };
    const museum = await openMuseum();
    onTestFinished(() => museum.close());
    const encoder = new TextEncoder();
    const long = "a long remark that would fill the memory if any of it was kept ".repeat(26);
    const source = {
      name: "long.csv",
      bytes: 0,
      open() {
        let n = 0;
        return new ReadableStream<Uint8Array>({
          pull(controller) {
            if (n >= ROWS) return controller.close();
            let text = n === 0 ? "No,Title,To,Remark\n" : "";
            for (const end = n + 200; n < end; n++) {
              const far = (n + ROWS / 2) % ROWS;
              text += `museum-number-${n},Title ${n},museum-number-${far},${n} ${long}\n`;
            }
            controller.enqueue(encoder.encode(text));
          },
        });
      },
    };
    const heap: number[] = [];
    let rows = 0;
    const summary = await runImport(
      museum.services,
      OPERATOR,
      source,
      {
        kind: "object",
        mapping,
        idnoStrategy: "column",
        upsertStrategy: "skip",
        autoPublish: false,
        dryRun: false,
      },
      {
        batch(outcomes) {
          rows += outcomes.length;
          if (rows % 2_000 === 0) heap.push(usedHeap());
        },
      },
    );
    expect(summary.created).toBe(ROWS);
    // the file has 10 MB of text
    expect(Math.max(...heap.slice(1)) - heap[0]!).toBeLessThan(8_000_000);
  },
);
