import { describe, expect, test } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { inLong } from "../support/lane/lane.ts";
import { importRoom, TITLES } from "../support/museum/import-room.ts";
import { catalogue } from "../support/museum/importing.ts";
import { databases } from "../support/museum/museum.ts";

const WHOLES = { ...TITLES, Date: "date", Whole: "__relation:part_of:object__" };

/** Before each merge, the lid is part of the old box. In the merged file, each row is a batch of its own. */
describe.each(databases)("a merge into the %s database", (database) => {
  const room = importRoom(database, { batch: 1 });
  const { run, titles, links } = room;
  const merge = { upsertStrategy: "merge" } as const;
  const file = (...rows: string[]) => `No,Title,Date,Whole\n${rows.join("\n")}\n`;
  const prepare = () => run(file("L,Lid,,O", "O,Old box,,"), WHOLES);
  const present = async () => {
    const { records, relations } = await catalogue(room.services.sql);
    return { records: records!.map((row) => ({ ...(row as object), version: 0 })), relations };
  };

  test.each([
    ["is refused keeps the old link", "N,New box,no date,", ["L part_of Old box"], "updated: 0"],
    ["is imported has only the new link", "N,New box,,", ["L part_of New box"], "updated: 1"],
  ])(
    "with a link to a later row that %s, and its undo restores what was there",
    async (_, row, after, count) => {
      await prepare();
      const before = await present();
      const rows = file("L,,,N", row);
      const preview = await run(rows, WHOLES, { ...merge, dryRun: true });
      const done = await run(rows, WHOLES, merge);
      expect(`updated: ${done.updated}`).toBe(count);
      expect([preview.updated, preview.without]).toEqual([done.updated, done.without]);
      expect(await links()).toEqual(after);
      await undoImport(room.services, OPERATOR, done.importId, { dryRun: false });
      expect(await present()).toEqual(before);
      expect(await titles()).toEqual(["L Lid", "O Old box"]);
    },
  );

  inLong(test)("always keeps the lid in a box, wherever it is stopped before it continues", async () => {
    const rows = file("L,,,N", "X,Something else,,", "N,New box,,");
    for (let batches = 0; ; batches++) {
      await room.services.sql`delete from relations`;
      await room.services.sql`delete from records`;
      await room.services.sql`delete from imports`;
      await prepare();
      let left = batches;
      const part = await run(rows, WHOLES, { ...merge, stopped: () => left-- === 0 });
      if (part.finished) break;
      expect(await links()).toEqual(["L part_of Old box"]);
      expect(await run(rows, WHOLES, merge)).toMatchObject({ resumed: true, finished: true, unlinked: 0 });
      expect(await links()).toEqual(["L part_of New box"]);
    }
    expect(await links()).toEqual(["L part_of New box"]);
  });

  const RELATED = {
    ...TITLES,
    Other: { target: "__relation:related_to:object__", role: { column: "Role" } },
  };
  const related = (...rows: string[]) => `No,Title,Other,Role\n${rows.join("\n")}\n`;
  const roles = async () => {
    const rows = await room.services.sql<{ text: string }[]>`
      select concat_ws(' ', least(f.idno, t.idno), l.relation_type, greatest(f.idno, t.idno), e ->> 'value') as text
      from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id
        left join jsonb_array_elements(l.metadata -> 'role') e on true order by 1`;
    return rows.map(({ text }) => text);
  };

  test.each(["merge", "replace"] as const)(
    "keeps what the row of the other record gives, however far away (%s)",
    async (upsertStrategy) => {
      const files: [mapping: object, file: string, links: string[]][] = [
        [RELATED, related("C,,D,kin", "P,,,", "D,,C,owner"), ["C related_to D kin", "C related_to D owner"]],
        [RELATED, related("C,,D,kin", "P,,,", "D,,,"), ["C related_to D kin"]],
        [PARTS, parts("C,,D,", "P,,,", "D,,,P"), ["C part_of D", "D part_of P"]],
        [PARTS, parts("D,,,C", "P,,,", "C,,P,"), ["C part_of D", "C part_of P"]],
      ];
      for (const [mapping, file, expected] of files) {
        for (const batch of [1, 100]) {
          await room.services.sql`delete from relations`;
          await room.services.sql`delete from records`;
          await run("No,Title\nC,Cup\nD,Dish\nP,Pot\n", TITLES);
          await run(file, mapping as Record<string, unknown>, { upsertStrategy, batch });
          expect({ file, batch, links: await roles() }).toEqual({ file, batch, links: expected });
        }
      }
    },
  );

  test("replaces nothing that an earlier row of the same record gives", async () => {
    await run("No,Title\nC,Cup\nD,Dish\nP,Pot\n", TITLES);
    for (const other of ["C,,D,owner", "C,,P,"]) {
      const done = await run(related("C,,D,kin", "P,,,", other), RELATED, { upsertStrategy: "replace" });
      expect(done.rejected).toBe(1);
      expect(await roles()).toEqual(["C related_to D kin"]);
    }
  });

  const PARTS = {
    ...TITLES,
    Whole: WHOLES.Whole,
    Parts: { target: "__relation:has_part:object__", transforms: [{ type: "split", delimiter: "|" }] },
  };
  const parts = (...rows: string[]) => `No,Title,Whole,Parts\n${rows.join("\n")}\n`;

  test("removes no link that another row gives, whether old or new", async () => {
    await run(parts("S,Set,,", "C,Cup,S,", "P,Pot,S,"), PARTS);
    const done = await run(parts("S,,,C|N", "P,,S,", "T,Tray,S,", "N,New cup,,"), PARTS, merge);
    expect(done).toMatchObject({ rejected: 0, unlinked: 0 });
    expect(await links()).toEqual(["C part_of Set", "N part_of Set", "P part_of Set", "T part_of Set"]);
  });

  test("with several new links keeps the old ones as well if one cannot be made", async () => {
    await prepare();
    const both = { ...WHOLES, Whole: { target: WHOLES.Whole, transforms: [{ type: "split" }] } };
    const done = await run(file("L,,,N;M", "N,New box,,", "M,More,no date,"), both, merge);
    expect(done).toMatchObject({ rejected: 1, unlinked: 1, updated: 1 });
    expect(await links()).toEqual(["L part_of New box", "L part_of Old box"]);
  });

  test("replaces the old link by a name that only another row may create", async () => {
    const linkOnly = { ...TITLES, Maker: "__relation:created_by:entity__" };
    await run("No,Title,Maker\n1,A,Ada\n", linkOnly);
    const mapping = {
      ...TITLES,
      Owner: "__relation:owned_by:entity__",
      Maker: { target: "__relation:created_by:entity__", create: false },
    };
    await run("No,Title,Maker,Owner\n1,,Bea,\n2,B,,Bea\n", mapping, merge);
    expect((await links()).filter((text) => text.startsWith("1"))).toEqual(["1 created_by Bea"]);
  });
});
