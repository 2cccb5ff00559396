/** Names with levels: "Depot 1, Shelf 3" is Shelf 3 in Depot 1. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { parseMapping } from "../../src/imports/mapping/mapping.ts";
import { createNewNames } from "../../src/imports/report/new-names.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { importRoom, TITLES } from "../support/museum/import-room.ts";
import { emptied } from "../support/museum/importing.ts";
import { quickest } from "../support/museum/museum.ts";

const STORED = "__relation:stored_at:storage_location__";
const inLevels = (levels: string, more = {}) => ({ ...TITLES, Place: { target: STORED, levels, ...more } });

describe("names with levels", () => {
  const room = importRoom(quickest);
  const { run } = room;
  /** `1: Depot 1 › Shelf 3`: each object and where it is. */
  const placed = async (): Promise<string[]> => {
    const rows = await room.services.sql<{ text: string }[]>`
      with recursive tree as (
        select id, title from records where record_type = 'storage_location' and parent_id is null
        union all
        select r.id, t.title || ' › ' || r.title from records r join tree t on r.parent_id = t.id)
      select o.idno || ': ' || tree.title as text
      from records o join relations l on l.from_id = o.id and l.relation_type = 'stored_at' join tree on tree.id = l.to_id
      order by o.idno::int`;
    return rows.map(({ text }) => text);
  };
  const locations = () => room.records("storage_location");

  test("become a tree, once", async () => {
    const list =
      'No,Title,Place\n1,A,"Depot 1, Shelf 3"\n2,B,"Depot 2,Shelf 3"\n3,C,"depot 1 , shelf 3"\n4,D,Depot 1\n5,E,", Depot 1,, Shelf 4,"\n';
    const first = await run(list, inLevels(","), { batch: 2 });
    expect(await placed()).toEqual([
      "1: Depot 1 › Shelf 3",
      "2: Depot 2 › Shelf 3",
      "3: Depot 1 › Shelf 3",
      "4: Depot 1",
      "5: Depot 1 › Shelf 4",
    ]);
    expect(await locations()).toHaveLength(5);
    await run(list, inLevels(","), { upsertStrategy: "replace" });
    expect(await locations()).toHaveLength(5);
    await undoImport(room.services, OPERATOR, first.importId, { dryRun: false });
    expect(await locations()).toEqual([]);
  });

  test("mean a record that has the whole text as its name or number", async () => {
    await run(
      'No,Name\nL1,"Depot 1, Shelf 3"\n',
      { No: "__idno__", Name: "name" },
      { kind: "storage_location" },
    );
    await run('No,Title,Place\n1,A,"Depot 1, Shelf 3"\n2,B,L1\n', inLevels(","));
    expect(await placed()).toEqual(["1: Depot 1, Shelf 3", "2: Depot 1, Shelf 3"]);
  });

  test("begin at a record that is in no other, and are not made where that is not allowed", async () => {
    await run("No,Title,Place\n1,A,House/Depot\n2,B,Depot\n", inLevels("/"));
    const more = "No,Title,Place\n3,C,Depot/Shelf\n4,D,House/None\n";
    expect((await run(more, inLevels("/", { create: false }))).lacking).toHaveLength(2);
    await run("No,Title,Place\n3,C,Depot/Shelf\n", inLevels("/"), { upsertStrategy: "merge" });
    expect(await placed()).toEqual(["1: House › Depot", "2: Depot", "3: Depot › Shelf"]);
  });

  test("refuse the row if several records have the name of a level", async () => {
    const depots = "No,Name\nL1,Depot\nL2,Depot\n";
    await run(depots, { No: "__idno__", Name: "name" }, { kind: "storage_location" });
    const done = await run("No,Title,Place\n1,A,Depot/Shelf\n2,B,L2/Shelf\n", inLevels("/"));
    expect(done.lines[2]).toMatch(/^rejected: "Depot\/Shelf" may be any of 2 storage locations/);
    expect(await placed()).toEqual(["2: Depot › Shelf"]);
  });

  test("stand in the test run with the levels around them", async () => {
    const done = await run(
      'No,Title,Place\n1,A,"Depot 1, Shelf 3"\n2,B,"Depot 1, Shelf 4"\n3,C,"Depot 1, Shelf 3"\n',
      inLevels(","),
      {
        dryRun: true,
      },
    );
    const names = createNewNames();
    names.take(done.outcomes);
    expect(names.names().map(({ name, lines }) => `${name}: ${lines}`)).toEqual([
      "Depot 1: 2,3,4",
      "Depot 1 › Shelf 3: 2,4",
      "Depot 1 › Shelf 4: 3",
    ]);
  });

  test("are only for records with parents", () => {
    const mapping = { Maker: { target: "__relation:created_by:entity__", levels: "," } };
    expect(() => parseMapping(mapping)).toThrow("people and organisations have no parent_id");
    const mixed = { A: { target: STORED, levels: "," }, B: STORED.replace("stored_at", "kept_at") };
    expect(() => parseMapping(mixed)).toThrow('that of "B" differs');
  });

  test("lose nothing, whatever they are, and a second import changes nothing", async () => {
    const name = fc.constantFrom("Depot", "depot", "Regal", "Fach 1", "Fach 2", "A", "Ä");
    const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(paths, async (all) => {
        await emptied(room.services.sql);
        const list = `No,Title,Place\n${all.map((path, n) => `${n},T,${path.join("/")}`).join("\n")}\n`;
        await run(list, inLevels("/"), { batch: 3 });
        const written = await placed();
        const before = await locations();
        await run(list, inLevels("/"), { upsertStrategy: "replace" });
        expect(await placed()).toEqual(written);
        expect(await locations()).toEqual(before);
        const wanted = all.map((path, n) => `${n}: ${path.join(path.length > 10 ? "/" : " › ")}`);
        expect(written.map((text) => text.toLowerCase())).toEqual(wanted.map((text) => text.toLowerCase()));
      }),
      { numRuns: 15 },
    );
  });
});
