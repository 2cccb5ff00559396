import { describe, expect, test } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import { importRoom, MAKERS, SMALL_BATCH, TITLES } from "../support/museum/import-room.ts";
import { catalogue } from "../support/museum/importing.ts";
import { databases } from "../support/museum/museum.ts";

describe.each(databases)("an import into the %s database", (database) => {
  const room = importRoom(database, { batch: SMALL_BATCH });
  const { run, titles, links } = room;

  describe("links a row", () => {
    test("to records found by number, or else by title in any case, with the same accents", async () => {
      await run("No,Name\nE7,Béla Bartók\nE8,Ada\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      const done = await run("No,Title,Maker\n1,A,E7\n2,B,BÉLA  BARTÓK\n3,C,ada\n", MAKERS);
      expect(done).toMatchObject({ created: 3, rejected: 0 });
      expect(await links()).toEqual([
        "1 created_by Béla Bartók",
        "2 created_by Béla Bartók",
        "3 created_by Ada",
      ]);
      expect(await titles("entity")).toHaveLength(2);
    });

    test("to a new record that is created once, however often and in whatever case it is named", async () => {
      const mapping = {
        ...TITLES,
        Maker: { target: "__relation:created_by:entity__", transforms: [{ type: "split", delimiter: "|" }] },
      };
      const rows = Array.from(
        { length: 90 },
        (_, n) => `${n},T ${n},${["Zoë Müller|Ada", "zoë müller", "Ada"][n % 3]}`,
      );
      const done = await run(`No,Title,Maker\n${rows.join("\n")}\n`, mapping);
      expect(done).toMatchObject({ created: 90, rejected: 0 });
      expect(await titles("entity")).toEqual(["ENT-000001 Zoë Müller", "ENT-000002 Ada"]);
      expect(await links()).toHaveLength(120);
      const made = done.outcomes.flatMap(({ result }) =>
        "createdEnds" in result ? (result.createdEnds ?? []) : [],
      );
      expect(made).toEqual([
        { record_type: "entity", title: "Zoë Müller", idno: "ENT-000001", key: "zoë müller" },
        { record_type: "entity", title: "Ada", idno: "ENT-000002", key: "ada" },
      ]);
    });

    inLong(test)("to names without a letter, each with its own record", async () => {
      await run("No,Title,Maker\n1,A,★\n2,B,☆\n3,C,★\n", MAKERS);
      expect(await links()).toEqual(["1 created_by ★", "2 created_by ☆", "3 created_by ★"]);
      expect(await titles("entity")).toHaveLength(2);
    });

    test("to one of two records with the same title only if it is spelled exactly the same", async () => {
      await run("No,Name\nE1,Ada\nE2,ADA\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      const done = await run("No,Title,Maker\n1,A,Bea\n2,B,ada\n3,C,Cleo\n4,D,ADA\n", MAKERS);
      expect(done.lines).toEqual({
        2: "created",
        3:
          'rejected: "ada" may be any of 2 people and organisations (E1 "Ada", E2 "ADA"); write its number in the cell instead of the name, ' +
          "or merge the records if they are the same",
        4: "created",
        5: "created",
      });
      expect(await links()).toEqual(["1 created_by Bea", "3 created_by Cleo", "4 created_by ADA"]);
    });

    test("by the inverse name of a relation type", async () => {
      await run("No,Title\n1,Harbour\n", TITLES);
      const done = await run(
        "No,Name,Works\nE1,Ada,1\n",
        { No: "__idno__", Name: "name", Works: "__relation:created:object__" },
        { kind: "entity" },
      );
      expect(done).toMatchObject({ created: 1 });
      expect(await links()).toEqual(["1 created_by Ada"]);
    });

    inLong(test)("to a record of its own type, wherever that is in the file", async () => {
      const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
      const filler = Array.from({ length: 90 }, (_, n) => `F${n},Filler ${n},`).join("\n");
      const file = `No,Title,Whole\n1.1,Sleeve,1\n1.2,Button,The Coat\n${filler}\n1,The coat,\n2.1,Lid,2\n2,Box,\n`;
      const done = await run(file, mapping);
      expect(done).toMatchObject({ created: 95, rejected: 0 });
      expect(await links()).toEqual(["1.1 part_of The coat", "1.2 part_of The coat", "2.1 part_of Box"]);
      expect(await titles()).toHaveLength(95);
      const once = await catalogue(room.services.sql);
      expect(await run(file, mapping)).toMatchObject({ created: 0, skipped: 95 });
      expect(await catalogue(room.services.sql)).toEqual(once);
    });

    test("to a row that links back to it", async () => {
      const mapping = { ...TITLES, Pair: "__relation:about:object__" };
      const done = await run("No,Title,Pair\n1,Left,2\n2,Right,1\n", mapping);
      expect(done).toMatchObject({ created: 2 });
      expect(await links()).toEqual(["1 about Right", "2 about Left"]);
    });

    inLong(test)(
      "to a row far away that links back to it, without creating records from the numbers",
      async () => {
        const mapping = { ...TITLES, Pair: "__relation:about:object__" };
        const far = 45;
        const pairs = Array.from({ length: 2 * far }, (_, n) => `P${n},Glove ${n},P${(n + far) % (2 * far)}`);
        const file = `No,Title,Pair\n${pairs.join("\n")}\n`;
        const preview = await run(file, mapping, { dryRun: true });
        const done = await run(file, mapping);
        expect(done).toMatchObject({ created: 2 * far, rejected: 0 });
        expect(preview.lines).toEqual(done.lines);
        expect((await titles()).filter((title) => !title.includes("Glove"))).toEqual([]);
        expect(await titles()).toHaveLength(2 * far);
        expect(await links()).toHaveLength(2 * far);
      },
    );

    inLong(test)(
      "in no circle: parts of each other are refused, and no records are created from their names",
      async () => {
        const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
        const file = "No,Title,Whole\n1,Left,2\n2,Middle,3\n4,Foot,\n3,Right,1\n5,Toe,4\n";
        const preview = await run(file, mapping, { dryRun: true });
        const done = await run(file, mapping);
        expect(preview.lines).toEqual(done.lines);
        expect(done).toMatchObject({ created: 2, rejected: 3 });
        for (const line of [2, 3, 5])
          expect(done.lines[line]).toMatch(
            /^rejected: would make a circle: (\d) part_of \d part_of \d part_of \1$/,
          );
        expect(await titles()).toEqual(["4 Foot", "5 Toe"]);

        const merge = { upsertStrategy: "merge" } as const;
        const again = await run("No,Title,Whole\n4,Foot,5\n6,Heel,4\n", mapping, merge);
        expect(again.lines).toEqual({
          2: "rejected: would make a circle: 4 part_of 5 part_of 4",
          3: "created",
        });
        const turned = await run("No,Title,Whole\n5,Toe,\n4,Foot,5\n", mapping, {
          upsertStrategy: "replace",
        });
        expect(turned.lines).toEqual({ 2: "updated", 3: "updated" });
        expect(await links()).toEqual(["4 part_of Toe", "6 part_of Foot"]);
      },
    );

    test("never to itself", async () => {
      const done = await run("No,Title,Whole\n1,A,1\n2,B,\n", {
        ...TITLES,
        Whole: "__relation:part_of:object__",
      });
      expect(done.lines).toEqual({ 2: "rejected: a record cannot be linked to itself", 3: "created" });
    });

    test("so that merge replaces links of the same kind, and replace links of all kinds, but none of other records", async () => {
      await run("No,Title,Maker\n1,A,Ada\n2,B,Ada\n3,C,Ada\n4,D,Ada\n", MAKERS);
      const merged = await run("No,Title,Maker\n1,A,Bea\n2,B,\n", MAKERS, { upsertStrategy: "merge" });
      expect(merged.lines).toEqual({ 2: "updated", 3: "unchanged" });
      expect(await links()).toEqual([
        "1 created_by Bea",
        "2 created_by Ada",
        "3 created_by Ada",
        "4 created_by Ada",
      ]);
      const replaced = await run("No,Title,Maker\n1,A,Bea\n2,B,\n3,C,Ada\n", MAKERS, {
        upsertStrategy: "replace",
      });
      expect(replaced.lines).toEqual({ 2: "unchanged", 3: "updated", 4: "unchanged" });
      expect(await links()).toEqual(["1 created_by Bea", "3 created_by Ada", "4 created_by Ada"]);
      const history = await room.services.sql<{ idno: string; actions: string[] }[]>`
        select r.idno, array_agg(v.action order by v.version) as actions
        from revisions v join records r on r.id = v.record_id where r.record_type = 'object' group by 1 order by 1`;
      expect(history.map(({ actions }) => actions)).toEqual([
        ["created", "relation_added"],
        ["created", "relation_removed"],
        ["created"],
        ["created"],
      ]);
    });

    test("so that replace keeps links from other records to the same one", async () => {
      const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
      await run("No,Title,Whole\n1,Set,\n2,Cup,1\n3,Saucer,1\n", mapping);
      await run("No,Title,Whole\n1,Set,\n3,Saucer,1\n", mapping, { upsertStrategy: "replace" });
      expect(await links()).toEqual(["2 part_of Set", "3 part_of Set"]);
    });

    test("and says why no record can be created from a value", async () => {
      const done = await run(`No,Title,Maker\n1,A,${"x".repeat(100_001)}\n2,B,Ada\n`, MAKERS);
      expect(done.lines[2]).toMatch(
        /^rejected: no person or organisation can be made from "xxx.*…": has 100,001 characters/,
      );
      expect(done.lines[3]).toBe("created");
    });
  });

  inLong(describe)("builds trees", () => {
    const mapping = { No: "__idno__", Title: "title", In: "__parent__" };
    const parents = async () => {
      const rows = await room.services.sql<{ text: string }[]>`
        select r.idno || ' in ' || coalesce(p.idno, '-') as text
        from records r left join records p on p.id = r.parent_id order by 1`;
      return rows.map(({ text }) => text);
    };

    test("with parents anywhere in the file", async () => {
      const filler = Array.from({ length: 80 }, (_, n) => `F${String(n).padStart(3, "0")},Filler,A`).join(
        "\n",
      );
      const file = `No,Title,In\nC,Leaf,B\nB,Branch,A\n${filler}\nA,Root,\nD,Other,E\n`;
      const done = await run(file, mapping, { kind: "collection" });
      expect(done).toMatchObject({ created: 83, rejected: 1 });
      expect(done.lines[85]).toBe('rejected: parent: there is no collection "E" to be its parent');
      const all = await parents();
      expect(all.slice(0, 3)).toEqual(["A in -", "B in A", "C in B"]);
      expect(all.filter((text) => text.startsWith("F")).every((text) => text.endsWith("in A"))).toBe(true);
    });

    test("and refuses only the row that would make a circle", async () => {
      await run("No,Title,In\nA,A,\nB,B,A\nC,C,\n", mapping, { kind: "collection" });
      const done = await run("No,Title,In\nC,New title,\nA,A,B\nD,D,A\n", mapping, {
        kind: "collection",
        upsertStrategy: "merge",
      });
      expect(done.lines).toEqual({
        2: "updated",
        3: "rejected: parent: would make a circle: the parent is below this record",
        4: "created",
      });
      const both = await run("No,Title,In\nA,A,D\nC,C,\n", mapping, {
        kind: "collection",
        upsertStrategy: "merge",
      });
      expect(both.lines[2]).toMatch(/^rejected: parent: would make a circle/);
    });

    test("and refuses one of two moves in a file that together make a circle", async () => {
      await run("No,Title,In\nA,A,\nB,B,\nC,C,\n", mapping, { kind: "collection" });
      const done = await run("No,Title,In\nA,A,B\nB,B,A\nC,C,A\n", mapping, {
        kind: "collection",
        upsertStrategy: "merge",
      });
      expect(
        Object.values(done.lines).filter((line) => line.startsWith("rejected: parent: would make")),
      ).toHaveLength(1);
      expect(done).toMatchObject({ updated: 2, rejected: 1 });
    });
  });
});
