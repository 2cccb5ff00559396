import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "../src/problem.ts";
import type { Services } from "../src/services.ts";
import {
  type Choices,
  catalogue,
  emptied,
  everything,
  type Imported,
  importCsv,
  indexed,
} from "./support/importing.ts";
import { databases, type Museum, openMuseum } from "./support/museum.ts";

const TITLES = { No: "__idno__", Title: "title" };
const MAKERS = { ...TITLES, Maker: "__relation:created_by:entity__" };

describe.each(databases)("an import into the %s database", (database) => {
  let museum: Museum;
  let services: Services;

  beforeAll(async () => {
    museum = await openMuseum({ database });
    services = museum.services;
  });
  beforeEach(() => emptied(services.sql));
  afterAll(() => museum.close());

  const run = (content: string | Uint8Array, mapping: Record<string, unknown>, choices?: Choices) =>
    importCsv(services, content, mapping, choices);
  const records = async (kind = "object") => {
    const rows = await services.sql<Record<string, unknown>[]>`
      select idno, title, status, subtype, metadata, version from records
      where record_type = ${kind} and deleted_at is null order by idno`;
    return rows.map((row) => ({ ...row }));
  };
  const titles = async (kind?: string) => (await records(kind)).map(({ idno, title }) => `${idno} ${title}`);
  const links = async () => {
    const rows = await services.sql<{ text: string }[]>`
      select f.idno || ' ' || l.relation_type || ' ' || t.title as text
      from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id order by 1`;
    return rows.map(({ text }) => text);
  };
  const refusal = (work: Promise<unknown>): Promise<Problem> =>
    work.then(
      () => expect.fail("was not refused"),
      (error) => (error instanceof Problem ? error : Promise.reject(error)),
    );

  describe("gives numbers", () => {
    test("auto: every row has the next one, and the same file again makes nothing more", async () => {
      const file = "Title\nHarbour\nHarbour\nMill\n";
      const first = await run(file, { Title: "title" });
      expect(first).toMatchObject({ rows_done: 3, created: 3, rejected: 0, finished: true });
      expect(await titles()).toEqual(["OBJ-000001 Harbour", "OBJ-000002 Harbour", "OBJ-000003 Mill"]);
      const again = await run(file, { Title: "title" });
      expect(again).toMatchObject({ created: 0, skipped: 3 });
      // another mapping of the same file speaks of the same records
      const more = await run(file, { Title: ["title", "description"] }, { upsertStrategy: "merge" });
      expect(more).toMatchObject({ created: 0, updated: 3 });
      expect(await titles()).toHaveLength(3);
    });

    test("auto: a column mapped to __idno__ is left out", async () => {
      await run("No,Title\nX 1,Harbour\n", TITLES, { idnoStrategy: "auto" });
      expect(await titles()).toEqual(["OBJ-000001 Harbour"]);
    });

    test("column: rows without a number are refused", async () => {
      const done = await run("No,Title\n1,Harbour\n,Mill\n  ,Bridge\n2,Tower\n", TITLES);
      expect(done.lines).toEqual({
        2: "created",
        3: "rejected: idno: has no identification number in the column mapped to __idno__",
        4: "rejected: idno: has no identification number in the column mapped to __idno__",
        5: "created",
      });
      expect(await titles()).toEqual(["1 Harbour", "2 Tower"]);
    });

    test("skip: rows without a number are left out", async () => {
      const done = await run("No,Title\n1,Harbour\n,Mill\n", TITLES, { idnoStrategy: "skip" });
      expect(done.lines).toEqual({ 2: "created", 3: "skipped" });
      expect(await titles()).toEqual(["1 Harbour"]);
    });

    test("numbers given by the file are left out when more are given", async () => {
      await run("No,Title\nOBJ-000001,One\nOBJ-000003,Three\n", TITLES);
      await run("Title\nA\nB\n", { Title: "title" });
      expect((await titles()).sort()).toEqual([
        "OBJ-000001 One",
        "OBJ-000002 A",
        "OBJ-000003 Three",
        "OBJ-000004 B",
      ]);
    });

    test("one that is too long, or holds a line end, is refused alone", async () => {
      const done = await run(`No,Title\n${"9".repeat(201)},A\n"1\n2",B\n3,C\n`, TITLES);
      expect(done.lines[2]).toBe("rejected: idno: is longer than 200 characters");
      expect(done.lines[3]).toMatch(/^rejected: idno: contains control characters/);
      expect(await titles()).toEqual(["3 C"]);
    });
  });

  describe("meets records that exist", () => {
    const before = "No,Title,Note\n1,Harbour,old\n2,Mill,old\n";
    const after = "No,Title,Material\n1,The harbour,oil\n2,Mill,oil\n3,Bridge,oil\n";
    const first = { ...TITLES, Note: "internal_note" };
    const second = { ...TITLES, Material: "material" };

    test("skip: they stay as they are, twice", async () => {
      await run(before, first);
      const done = await run(after, second);
      expect(done).toMatchObject({ created: 1, skipped: 2 });
      expect(await titles()).toEqual(["1 Harbour", "2 Mill", "3 Bridge"]);
      expect(await run(after, second)).toMatchObject({ created: 0, skipped: 3 });
    });

    test("merge: fields of the row replace theirs, all others stay; twice changes nothing more", async () => {
      await run(before, first);
      const done = await run(after, second, { upsertStrategy: "merge" });
      expect(done).toMatchObject({ created: 1, updated: 2 });
      expect(await records()).toMatchObject([
        {
          metadata: {
            title: [{ value: "The harbour" }],
            internal_note: [{ value: "old" }],
            material: [{ value: "oil" }],
          },
        },
        {
          metadata: {
            title: [{ value: "Mill" }],
            internal_note: [{ value: "old" }],
            material: [{ value: "oil" }],
          },
        },
        { idno: "3", version: 1 },
      ]);
      const once = await catalogue(services.sql);
      const again = await run(after, second, { upsertStrategy: "merge" });
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
      expect(await catalogue(services.sql)).toEqual(once);
    });

    test("replace: only what the row gives is left; twice changes nothing more", async () => {
      await run(before, first, { autoPublish: true });
      const done = await run(after, second, { upsertStrategy: "replace" });
      expect(done).toMatchObject({ created: 1, updated: 2 });
      const [one] = await records();
      expect(one).toMatchObject({
        status: "public",
        metadata: { title: [{ value: "The harbour" }], material: [{ value: "oil" }] },
      });
      expect(Object.keys(one!.metadata as object)).toEqual(["title", "material"]);
      const once = await catalogue(services.sql);
      const again = await run(after, second, { upsertStrategy: "replace" });
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
      expect(await catalogue(services.sql)).toEqual(once);
    });

    test.each(["skip", "merge", "replace"] as const)(
      "%s: the same file twice is the file once",
      async (upsertStrategy) => {
        const file = "No,Title,Maker\n1,A,Ada\n2,B,Bea\n3,C,Ada\n";
        await run(file, MAKERS, { upsertStrategy });
        const once = await catalogue(services.sql);
        expect(await run(file, MAKERS, { upsertStrategy })).toMatchObject({ created: 0, updated: 0 });
        expect(await catalogue(services.sql)).toEqual(once);
      },
    );

    test("a number from the trash is free", async () => {
      await run("No,Title\n1,Harbour\n", TITLES);
      await services.sql`update records set deleted_at = now()`;
      expect(await run("No,Title\n1,Mill\n", TITLES)).toMatchObject({ created: 1 });
      expect(await titles()).toEqual(["1 Mill"]);
    });
  });

  describe("knows the kinds", () => {
    test("of a subtype: the row's, else the option's, else the default; an unknown one is refused", async () => {
      const mapping = { ...TITLES, Kind: "__type__" };
      const done = await run("No,Title,Kind\n1,A,print\n2,B,\n3,C,ufo\n", mapping, { subtype: "painting" });
      expect((await records()).map(({ subtype }) => subtype)).toEqual(["print", "painting"]);
      expect(done.lines[4]).toMatch(/^rejected: object_type: "ufo" is no object_type; there are: painting, /);
      await run("No,Title,Kind\n4,D,\n", mapping);
      expect(await records()).toContainEqual(expect.objectContaining({ idno: "4", subtype: "other" }));
    });

    test.each([
      ["entity", "name", "entities"],
      ["place", "name", "places"],
      ["occurrence", "title", "occurrences"],
      ["procedure", "title", "procedures"],
      ["collection", "title", "collections"],
      ["storage_location", "name", "storage-locations"],
    ] as const)("%s", async (kind, field, plural) => {
      const subtype = kind === "procedure" ? "loan_in" : undefined;
      await run("No,Name\nA 1,First\n", { No: "__idno__", Name: field }, { kind, subtype });
      expect(await titles(kind)).toEqual(["A 1 First"]);
      const found = await (await museum.as("viewer"))(`/v1/${plural}`);
      expect((await found.json()).items).toMatchObject([{ idno: "A 1" }]);
    });

    test("of columns: places have coordinates, procedures have days, a wrong one is refused alone", async () => {
      const places = await run(
        'No,Name,Lat,Lon\n1,Pier,"53,5",9.97\n2,Moor,53.5,\n3,Nowhere,91,0\n',
        { No: "__idno__", Name: "name", Lat: "__lat__", Lon: "__lon__" },
        { kind: "place" },
      );
      expect(places.lines).toEqual({
        2: "created",
        3: "rejected: has only one of latitude and longitude",
        4: 'rejected: column "Lat": "91" is no decimal degree between -90 and 90',
      });
      const procedures = await run(
        `No,Title,From,To,Ref\n1,Loan,2026-02-01,2026-01-01,\n2,Loan,0000-01-01,,\n3,Loan,,,${"r".repeat(201)}\n4,Loan,2026-01-01,,L 7\n`,
        {
          No: "__idno__",
          Title: "title",
          From: "__start_date__",
          To: "__end_date__",
          Ref: "__reference_number__",
        },
        { kind: "procedure", subtype: "loan_in" },
      );
      expect(procedures.lines).toEqual({
        2: "rejected: end_date: is before start_date",
        3: 'rejected: column "From": "0000-01-01" is no day such as 2026-01-31',
        4: 'rejected: column "Ref": is longer than 200 characters',
        5: "created",
      });
    });
  });

  describe("publishes", () => {
    test("rows that have what is required, and refuses the others", async () => {
      const file = "No,Title,Date\n1,Harbour lights,1887\n2,,1888\n3,Mill,\n";
      const done = await run(file, { ...TITLES, Date: "date" }, { autoPublish: true });
      expect(done.lines).toEqual({
        2: "created",
        3: "rejected: title is required for publication",
        4: "created",
      });
      const found = await museum.ask("/v1/search?q=harbour");
      expect(await found.json()).toMatchObject({ total: 1, items: [{ title: "Harbour lights" }] });
    });

    test("not without being asked", async () => {
      await run("No,Title\n1,Harbour lights\n", TITLES);
      expect(await records()).toMatchObject([{ status: "draft" }]);
      expect(await (await museum.ask("/v1/search?q=harbour")).json()).toMatchObject({ total: 0 });
      const staff = await museum.as("editor");
      expect(await (await staff("/v1/search?q=harbour")).json()).toMatchObject({ total: 1 });
    });

    test("drafts that a merge meets; a status of the row's own goes first", async () => {
      await run("No,Title\n1,A\n2,B\n", TITLES);
      await run(
        "No,Title,Status\n1,A,\n2,B,Internal\n",
        { ...TITLES, Status: "__status__" },
        { autoPublish: true, upsertStrategy: "merge" },
      );
      expect((await records()).map(({ status }) => status)).toEqual(["public", "internal"]);
    });

    test("makers that rows name, but never storage locations, and nothing that lacks a required field", async () => {
      const mapping = { ...MAKERS, Room: "__relation:stored_at:storage_location__" };
      const file = "No,Title,Maker,Room\n1,A,Ada,Room 7\n";
      expect(await run(file, mapping, { autoPublish: true })).toMatchObject({ created: 1 });
      expect(await records("entity")).toMatchObject([{ title: "Ada", status: "public" }]);
      expect(await records("storage_location")).toMatchObject([{ title: "Room 7", status: "internal" }]);
      await services.sql`update schema_fields set is_required = true where record_type = 'entity' and name = 'biography'`;
      try {
        await run("No,Title,Maker\n2,B,Bea\n", MAKERS, { autoPublish: true });
        expect(await records("entity")).toContainEqual(
          expect.objectContaining({ title: "Bea", status: "draft" }),
        );
      } finally {
        await services.sql`update schema_fields set is_required = false where record_type = 'entity' and name = 'biography'`;
      }
    });
  });

  describe("links records", () => {
    test("that are found by number, else by title whatever its case and accents", async () => {
      await run("No,Name\nE7,Béla Bartók\nE8,Ada\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      const done = await run("No,Title,Maker\n1,A,E7\n2,B,BELA BARTOK\n3,C,ada\n", MAKERS);
      expect(done).toMatchObject({ created: 3, rejected: 0 });
      expect(await links()).toEqual([
        "1 created_by Béla Bartók",
        "2 created_by Béla Bartók",
        "3 created_by Ada",
      ]);
      expect(await titles("entity")).toHaveLength(2);
    });

    test("that are made once, however often and however they are written", async () => {
      const mapping = {
        ...TITLES,
        Maker: { target: "__relation:created_by:entity__", transforms: [{ type: "split", delimiter: "|" }] },
      };
      const rows = Array.from(
        { length: 900 },
        (_, n) => `${n},T ${n},${["Zoë Müller|Ada", "zoe muller", "Ada"][n % 3]}`,
      );
      const done = await run(`No,Title,Maker\n${rows.join("\n")}\n`, mapping);
      expect(done).toMatchObject({ created: 900, rejected: 0 });
      expect(await titles("entity")).toEqual(["ENT-000001 Zoë Müller", "ENT-000002 Ada"]);
      expect(await links()).toHaveLength(1_200);
      const made = done.outcomes.flatMap(({ result }) => ("made" in result ? (result.made ?? []) : []));
      expect(made).toEqual([
        { record_type: "entity", title: "Zoë Müller" },
        { record_type: "entity", title: "Ada" },
      ]);
    });

    test("but not by names without a letter: each is a record of its own", async () => {
      await run("No,Title,Maker\n1,A,★\n2,B,☆\n3,C,★\n", MAKERS);
      expect(await links()).toEqual(["1 created_by ★", "2 created_by ☆", "3 created_by ★"]);
      expect(await titles("entity")).toHaveLength(2);
    });

    test("and refuses a title that two records have, alone", async () => {
      await run("No,Name\nE1,Ada\nE2,ADA\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      const done = await run("No,Title,Maker\n1,A,Bea\n2,B,Ada\n3,C,Cleo\n", MAKERS);
      expect(done.lines).toEqual({
        2: "created",
        3: 'rejected: "Ada" is the title of 2 entities; give the identification number instead',
        4: "created",
      });
      expect(await links()).toEqual(["1 created_by Bea", "3 created_by Cleo"]);
    });

    test("by the inverse name too", async () => {
      await run("No,Title\n1,Harbour\n", TITLES);
      const done = await run(
        "No,Name,Works\nE1,Ada,1\n",
        { No: "__idno__", Name: "name", Works: "__relation:created:object__" },
        { kind: "entity" },
      );
      expect(done).toMatchObject({ created: 1 });
      expect(await links()).toEqual(["1 created_by Ada"]);
    });

    test("of their own type, wherever in the file the other one stands", async () => {
      const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
      const filler = Array.from({ length: 900 }, (_, n) => `F${n},Filler ${n},`).join("\n");
      const file = `No,Title,Whole\n1.1,Sleeve,1\n1.2,Button,The Coat\n${filler}\n1,The coat,\n2.1,Lid,2\n2,Box,\n`;
      const done = await run(file, mapping);
      expect(done).toMatchObject({ created: 905, rejected: 0 });
      expect(await links()).toEqual(["1.1 part_of The coat", "1.2 part_of The coat", "2.1 part_of Box"]);
      expect(await titles()).toHaveLength(905);
      expect(done.outcomes.slice(-2).map(({ row }) => row.line)).toEqual([2, 3]);
      const once = await catalogue(services.sql);
      expect(await run(file, mapping)).toMatchObject({ created: 0, skipped: 905 });
      expect(await catalogue(services.sql)).toEqual(once);
    });

    test("that name each other", async () => {
      const mapping = { ...TITLES, Pair: "__relation:about:object__" };
      const done = await run("No,Title,Pair\n1,Left,2\n2,Right,1\n", mapping);
      expect(done).toMatchObject({ created: 2 });
      expect(await links()).toEqual(["1 about Right", "2 about Left"]);
    });

    test("that name each other, more of them than a batch takes: nothing is made of their numbers", async () => {
      const mapping = { ...TITLES, Pair: "__relation:about:object__" };
      const far = 450;
      const pairs = Array.from({ length: 2 * far }, (_, n) => `P${n},Glove ${n},P${(n + far) % (2 * far)}`);
      const file = `No,Title,Pair\n${pairs.join("\n")}\n`;
      const foretold = await run(file, mapping, { dryRun: true });
      const done = await run(file, mapping);
      expect(done).toMatchObject({ created: 2 * far, rejected: 0 });
      expect(foretold.lines).toEqual(done.lines);
      expect((await titles()).filter((title) => !title.includes("Glove"))).toEqual([]);
      expect(await titles()).toHaveLength(2 * far);
      expect(await links()).toHaveLength(2 * far);
    });

    test("but in no circle: rows that say they are parts of each other are refused, and nothing is made of their names", async () => {
      const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
      const file = "No,Title,Whole\n1,Left,2\n2,Middle,3\n4,Foot,\n3,Right,1\n5,Toe,4\n";
      const foretold = await run(file, mapping, { dryRun: true });
      const done = await run(file, mapping);
      expect(foretold.lines).toEqual(done.lines);
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
      const turned = await run("No,Title,Whole\n5,Toe,\n4,Foot,5\n", mapping, { upsertStrategy: "replace" });
      expect(turned.lines).toEqual({ 2: "updated", 3: "updated" });
      expect(await links()).toEqual(["4 part_of Toe", "6 part_of Foot"]);
    });

    test("but none to itself", async () => {
      const done = await run("No,Title,Whole\n1,A,1\n2,B,\n", {
        ...TITLES,
        Whole: "__relation:part_of:object__",
      });
      expect(done.lines).toEqual({ 2: "rejected: A record has no relation to itself", 3: "created" });
    });

    test("merge adds links, replace leaves those that the row names, and others' links alone", async () => {
      await run("No,Title,Maker\n1,A,Ada\n2,B,Ada\n3,C,Ada\n4,D,Ada\n", MAKERS);
      const merged = await run("No,Title,Maker\n1,A,Bea\n2,B,\n", MAKERS, { upsertStrategy: "merge" });
      expect(merged.lines).toEqual({ 2: "updated", 3: "unchanged" });
      expect(await links()).toEqual([
        "1 created_by Ada",
        "1 created_by Bea",
        "2 created_by Ada",
        "3 created_by Ada",
        "4 created_by Ada",
      ]);
      const replaced = await run("No,Title,Maker\n1,A,Bea\n2,B,\n3,C,Ada\n", MAKERS, {
        upsertStrategy: "replace",
      });
      expect(replaced.lines).toEqual({ 2: "updated", 3: "updated", 4: "unchanged" });
      expect(await links()).toEqual(["1 created_by Bea", "3 created_by Ada", "4 created_by Ada"]);
      const history = await services.sql<{ idno: string; actions: string[] }[]>`
        select r.idno, array_agg(v.action order by v.version) as actions
        from revisions v join records r on r.id = v.record_id where r.record_type = 'object' group by 1 order by 1`;
      expect(history.map(({ actions }) => actions)).toEqual([
        ["created", "relation_added", "relation_removed"],
        ["created", "relation_removed"],
        ["created"],
        ["created"],
      ]);
    });

    test("replace keeps links of its type that lead from other records to the same one", async () => {
      const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
      await run("No,Title,Whole\n1,Set,\n2,Cup,1\n3,Saucer,1\n", mapping);
      await run("No,Title,Whole\n1,Set,\n3,Saucer,1\n", mapping, { upsertStrategy: "replace" });
      expect(await links()).toEqual(["2 part_of Set", "3 part_of Set"]);
    });

    test("and says what cannot be made of a value", async () => {
      const done = await run(`No,Title,Maker\n1,A,${"x".repeat(100_001)}\n2,B,Ada\n`, MAKERS);
      expect(done.lines[2]).toMatch(/^rejected: no entity can be made of "xxx.*…": has 100001 characters/);
      expect(done.lines[3]).toBe("created");
    });
  });

  describe("builds trees", () => {
    const mapping = { No: "__idno__", Title: "title", In: "__parent__" };
    const parents = async () => {
      const rows = await services.sql<{ text: string }[]>`
        select r.idno || ' in ' || coalesce(p.idno, '-') as text
        from records r left join records p on p.id = r.parent_id order by 1`;
      return rows.map(({ text }) => text);
    };

    test("parents stand anywhere in the file", async () => {
      const filler = Array.from({ length: 800 }, (_, n) => `F${String(n).padStart(3, "0")},Filler,A`).join(
        "\n",
      );
      const file = `No,Title,In\nC,Leaf,B\nB,Branch,A\n${filler}\nA,Root,\nD,Other,E\n`;
      const done = await run(file, mapping, { kind: "collection" });
      expect(done).toMatchObject({ created: 803, rejected: 1 });
      expect(done.lines[805]).toBe('rejected: parent: there is no collection "E" to be its parent');
      const all = await parents();
      expect(all.slice(0, 3)).toEqual(["A in -", "B in A", "C in B"]);
      expect(all.filter((text) => text.startsWith("F")).every((text) => text.endsWith("in A"))).toBe(true);
    });

    test("a circle is refused, and nothing else", async () => {
      await run("No,Title,In\nA,A,\nB,B,A\nC,C,\n", mapping, { kind: "collection" });
      const done = await run("No,Title,In\nC,New title,\nA,A,B\nD,D,A\n", mapping, {
        kind: "collection",
        upsertStrategy: "merge",
      });
      expect(done.lines).toEqual({
        2: "updated",
        3: "rejected: parent: would make a circle: the parent lies below this record",
        4: "created",
      });
      const both = await run("No,Title,In\nA,A,D\nC,C,\n", mapping, {
        kind: "collection",
        upsertStrategy: "merge",
      });
      expect(both.lines[2]).toMatch(/^rejected: parent: would make a circle/);
    });

    test("two moves of one file that make a circle together: one of them is refused", async () => {
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

  describe("remembers media", () => {
    const media = async () =>
      (await services.sql`select filename from media_names order by filename`).map(
        ({ filename }) => filename,
      );
    const mapping = {
      ...TITLES,
      Files: { target: "__media__", transforms: [{ type: "split", delimiter: "|" }] },
    };

    test("the names, by the mapping or the selector, once", async () => {
      const file = "No,Title,Files\n1,A,a1.tif|a2.tif\n2,B,\n";
      await run(file, mapping);
      expect(await media()).toEqual(["a1.tif", "a2.tif"]);
      await run(file, mapping, { upsertStrategy: "merge" });
      await run("No,Title,Photo\n3,C,c.tif\n", TITLES, { mediaSelector: "Photo" });
      expect(await media()).toEqual(["a1.tif", "a2.tif", "c.tif"]);
    });

    test("not of records that are left alone", async () => {
      await run("No,Title\n1,A\n", TITLES);
      await run("No,Title,Files\n1,A,a1.tif\n", mapping);
      expect(await media()).toEqual([]);
    });

    test("a name that the database cannot keep is refused alone", async () => {
      const long = Array.from({ length: 4_000 }, (_, n) => ((n * 7919) % 65_521).toString(36)).join("");
      const done = await run(`No,Title,Files\n1,A,a\n2,B,${long}\n3,C,c\n`, mapping);
      expect(done.lines).toEqual({
        2: "created",
        3: expect.stringMatching(/^rejected: the database does not take it/),
        4: "created",
      });
      expect(await media()).toEqual(["a", "c"]);
    });
  });

  describe("reads", () => {
    const text = "No;Title\r\n1;Müller, Zoë: Häuser\r\n2;“Œuvre” – 5 €\r\n";
    const utf16 = (big: boolean, mark: boolean) => {
      const bytes = Buffer.from(`${mark ? "\uFEFF" : ""}${text}`, "utf16le");
      return new Uint8Array(big ? bytes.swap16() : bytes);
    };
    const windows = () => {
      const special: Record<string, number> = { "“": 0x93, "”": 0x94, "–": 0x96, "€": 0x80, Œ: 0x8c };
      return Uint8Array.from(text, (letter) => special[letter] ?? letter.charCodeAt(0));
    };

    test.each<[string, () => string | Uint8Array, Choices]>([
      ["UTF-8", () => text, {}],
      ["UTF-8 with a byte order mark", () => `\uFEFF${text}`, {}],
      ["UTF-16 little-endian", () => utf16(false, true), {}],
      ["UTF-16 big-endian", () => utf16(true, true), {}],
      ["UTF-16 without a mark", () => utf16(false, false), {}],
      ["Windows-1252", windows, {}],
      ["Windows-1252 by its name", windows, { encoding: "ANSI" }],
    ])("%s", async (_, content, choices) => {
      expect(await run(content(), TITLES, choices)).toMatchObject({ created: 2 });
      expect(await titles()).toEqual(["1 Müller, Zoë: Häuser", "2 “Œuvre” – 5 €"]);
    });

    test.each([
      ["commas", ",", {}],
      ["semicolons", ";", {}],
      ["tabs", "\t", {}],
      ["bars", "|", {}],
      ["a delimiter that is named", "^", { delimiter: "^" }],
    ])("%s", async (_, delimiter, choices) => {
      await run(`No${delimiter}Title\n1${delimiter}A\n`, TITLES, choices);
      expect(await titles()).toEqual(["1 A"]);
    });

    test.each([
      ["CRLF", "\r\n"],
      ["LF", "\n"],
      ["CR", "\r"],
    ])("lines that end in %s, and quoted ones that go on, counted as they stand", async (_, end) => {
      const file = ["No,Title", '1,"first', 'second ""line""', 'third"', ",B", "3,C", ""].join(end);
      const done = await run(file, TITLES);
      expect(Object.keys(done.lines)).toEqual(["2", "5", "6"]);
      expect(done.lines[5]).toMatch(/^rejected/);
      expect((await records())[0]).toMatchObject({
        metadata: { title: [{ value: `first${end}second "line"${end}third` }] },
      });
    });

    test("nothing, when the bytes are not what was named", async () => {
      const problem = await refusal(run(windows(), TITLES, { encoding: "utf-8" }));
      expect(problem.message).toMatch(/^The file is not utf-8 text/);
      expect(await records()).toEqual([]);
    });
  });

  describe("does not begin", () => {
    const refused = async (
      file: string | Uint8Array,
      mapping: Record<string, unknown>,
      choices?: Choices,
    ) => {
      const before = await everything(services.sql);
      const problem = await refusal(run(file, mapping, choices));
      expect(await everything(services.sql)).toEqual(before);
      return {
        message: problem.message,
        details: problem.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`),
      };
    };
    const file = "No,Title\n1,A\n";

    test("when the catalogue has no such fields: all are named, each with the nearest that there is", async () => {
      const { message, details } = await refused(file, {
        No: "__idno__",
        Title: ["titel", { target: "materials", lang: "en" }, "zzzzzz", "title"],
      });
      expect(message).toBe("The import cannot begin for 3 reasons, listed in errors");
      expect(details).toEqual([
        '/Title/0: objects have no field "titel"; did you mean "title"?',
        '/Title/1: objects have no field "materials"; did you mean "material"?',
        '/Title/2: objects have no field "zzzzzz" (GET /v1/schemas/object lists those there are)',
      ]);
    });

    test("when fields belong to another type", async () => {
      const { message } = await refused(file, { Title: "title" }, { kind: "entity", idnoStrategy: "auto" });
      expect(message).toBe(
        'The import cannot begin: /Title entities have no field "title" (GET /v1/schemas/entity lists those there are)',
      );
    });

    test("when there is no such relation type, or it leads elsewhere", async () => {
      const { details } = await refused(file, {
        Title: [
          "__relation:creatd_by:entity__",
          "__relation:made_at:entity__",
          "__relation:created:entity__",
          "__relation:zzzzzzz:place__",
        ],
      });
      expect(details).toEqual([
        '/Title/0: there is no relation type "creatd_by"; did you mean "created_by"?',
        expect.stringMatching(
          /^\/Title\/1: made_at leads from object to place, not from object to entity; those that lead from object to entity: created_by, /,
        ),
        expect.stringMatching(
          /^\/Title\/2: created_by leads from object to entity, not from entity to object; /,
        ),
        expect.stringMatching(
          /^\/Title\/3: there is no relation type "zzzzzzz"; those that lead from object to place: made_at, /,
        ),
      ]);
    });

    test("when the file lacks columns: said together with what the catalogue lacks", async () => {
      const { details } = await refused(file, { Nmber: "__idno__", Title: "titel" });
      expect(details).toHaveLength(2);
    });

    test("without a column for the numbers that the strategy asks for", async () => {
      for (const idnoStrategy of ["column", "skip"] as const) {
        const { message } = await refused(file, { Title: "title" }, { idnoStrategy });
        expect(message).toContain(
          `the idno strategy ${idnoStrategy} needs a column that is mapped to __idno__`,
        );
      }
    });

    test("with an unknown subtype, or storage locations to be published", async () => {
      expect((await refused(file, TITLES, { subtype: "ufo" })).message).toContain(
        '"ufo" is no object_type; there are painting, ',
      );
      const places = { No: "__idno__", Title: "name" };
      expect(
        (await refused(file, places, { kind: "storage_location", autoPublish: true })).message,
      ).toContain("storage locations are never public");
    });

    test.each<[string, string | Uint8Array, RegExp]>([
      ["an empty file", "", /^objects.csv is empty$/],
      ["a picture", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70]), /JPEG image/],
      ["a workbook", Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0]), /save the sheet as CSV UTF-8/],
      ["a header without names", ",\n1,2\n", /^The header has 2 faults, listed in errors$/],
    ])("with %s", async (_, content, sentence) => {
      expect((await refused(content, TITLES)).message).toMatch(sentence);
    });

    test("but a file of a header alone is an import of nothing", async () => {
      expect(await run("No,Title\n", TITLES)).toMatchObject({ rows_done: 0, finished: true });
    });
  });

  describe("refuses rows", () => {
    test("with line and reason, in the middle of a batch, and takes all others", async () => {
      const rows = Array.from({ length: 1_000 }, (_, n) => {
        if (n % 97 === 50) return `${n},T ${n},sometime`;
        if (n % 97 === 60) return `,T ${n},1900`;
        if (n % 97 === 70) return `${n},T ${n},1900,too many`;
        return `${n},T ${n},1900`;
      });
      const done = await run(`No,Title,Date\n${rows.join("\n")}\n`, { ...TITLES, Date: "date" });
      const bad = rows.filter((_, n) => [50, 60, 70].includes(n % 97)).length;
      expect(done).toMatchObject({ rows_done: 1_000, created: 1_000 - bad, rejected: bad });
      expect(done.lines[52]).toMatch(/^rejected: date: "sometime" is no EDTF date/);
      expect(done.lines[62]).toBe(
        "rejected: idno: has no identification number in the column mapped to __idno__",
      );
      expect(done.lines[72]).toBe("rejected: has 4 cells, the header has 3");
      expect(await records()).toHaveLength(1_000 - bad);
    });

    test("that a mended rejects file brings in, and only those", async () => {
      const mapping = { ...TITLES, Date: { target: "date", transforms: [{ type: "edtf", strict: true }] } };
      const file = 'No;Title;Date\n1;A;1900\n2;"B; b";whenever\n3;C;1950s\n4;D;x\n';
      const first = await run(file, mapping);
      expect(first).toMatchObject({ created: 2, rejected: 2 });
      expect(first.rejects).toBe(
        '\uFEFF_line;_reason;No;Title;Date\r\n3;"column ""Date"": ""whenever"" is not understood as a date";2;"B; b";whenever\r\n' +
          '5;"column ""Date"": ""x"" is not understood as a date";4;D;x\r\n',
      );
      const mended = first.rejects.replace('b";whenever', 'b";1901');
      const second = await run(mended, mapping);
      expect(second).toMatchObject({ created: 1, rejected: 1 });
      const third = await run(second.rejects.replace(";D;x", ";D;1902"), mapping);
      expect(third).toMatchObject({ created: 1, rejected: 0 });
      expect(await titles()).toEqual(["1 A", "2 B; b", "3 C", "4 D"]);
      expect(await run(file, mapping)).toMatchObject({ created: 0, skipped: 4 - 2, rejected: 2 });
    });

    test("of every kind, and each stays refused in the rejects file until it is mended", async () => {
      const mapping = { ...TITLES, Date: "date" };
      // a quote inside, a line that goes on without its first half, two cells too many, a bad date, a row cut short
      const file = 'No,Title,Date\n1,A,1900\n2,"B" b,1901\n3\n4,D,,1903,\n5,E,soon\n6,F,1905\n7,"G\n';
      const first = await run(file, mapping);
      expect(first).toMatchObject({ created: 2, rejected: 5 });
      expect(first.rejects.replaceAll(/^(\d+),("(?:[^"]|"")*"|[^,]*)/gm, "$1,…")).toBe(
        [
          "\uFEFF_line,_reason,No,Title,Date",
          '3,…,2,"""B"" b,1901"',
          "4,…,3",
          "5,…,4,D,,1903,",
          "6,…,5,E,soon",
          '8,…,7,"""G"',
          "",
        ].join("\r\n"),
      );
      const again = await run(first.rejects, mapping);
      expect(again).toMatchObject({ created: 0, rejected: 5 });
      const mended = again.rejects
        .replace('"""B"" b,1901"', '"""B"" b",1901')
        .replace(/,3\r/, ",3,C,1902\r")
        .replace(",4,D,,1903,", ",4,D,1903")
        .replace(/soon\r/, "1904\r")
        .replace('7,"""G"', "7,G,1906");
      expect(await run(mended, mapping)).toMatchObject({ created: 5, rejected: 0 });
      expect(await titles()).toEqual(["1 A", '2 "B" b', "3 C", "4 D", "5 E", "6 F", "7 G"]);
    });

    test("and a rejects file that a spreadsheet has saved is read, with the empty columns that it adds", async () => {
      const first = await run("No;Title\n1;A;x\n;B\n", TITLES);
      const saved = '_line;_reason;No;Title;\r\n2;"has 3 cells";1;A;\r\n3;idno;2;B;\r\n';
      expect(first.rejected).toBe(2);
      expect(await run(saved, TITLES)).toMatchObject({ created: 2, rejected: 0 });
      const forgotten = await run(saved.replace("1;A;", "9;A;x"), TITLES);
      expect(forgotten.lines[2]).toBe("rejected: has 5 cells, the header has 4");
    });

    test("of a broken line, and finds the next whole one", async () => {
      const done = await run('No,Title\n1,A\n2,"B\n3,C\n,E,F\n6,G\n', TITLES);
      expect(done.lines).toEqual({
        2: "created",
        3: "rejected: the quote that opens cell 2 is never closed",
        4: "created",
        5: "rejected: has 3 cells, the header has 2",
        6: "created",
      });
      expect(await titles()).toEqual(["1 A", "3 C", "6 G"]);
    });

    test("for the true reason only: a number that cannot be used is not missing as well", async () => {
      const split = { target: "__idno__", transforms: [{ type: "split", delimiter: "|" }] };
      const done = await run("No,Title\n1|2,A\n,B\n", { ...TITLES, No: split });
      expect(done.lines).toEqual({
        2: 'rejected: column "No": gives 2 values ("1", "2") where there can be one',
        3: "rejected: idno: has no identification number in the column mapped to __idno__",
      });
    });

    test("whose text no database can keep", async () => {
      const done = await run(`No,Title\n1,A\n2,${"x".repeat(100_001)}\n3,C\n`, TITLES);
      expect(done.lines[3]).toBe("rejected: title: has 100001 characters, the limit is 100000");
      expect(await titles()).toEqual(["1 A", "3 C"]);
    });
  });

  describe("meets the same number twice in the file", () => {
    const file = "No,Title\n1,First\n2,Other\n1,Second\n";

    test("skip keeps the first", async () => {
      expect((await run(file, TITLES)).lines).toEqual({ 2: "created", 3: "created", 4: "skipped again" });
      expect(await titles()).toEqual(["1 First", "2 Other"]);
    });

    test("merge takes the last", async () => {
      const done = await run(file, TITLES, { upsertStrategy: "merge" });
      expect(done.lines).toEqual({ 2: "created", 3: "created", 4: "updated again" });
      expect(await titles()).toEqual(["1 Second", "2 Other"]);
    });

    test("a thousand rows apart too, but not a record of another file", async () => {
      await run("No,Title\nX,Was there\n", TITLES);
      const filler = Array.from({ length: 1_000 }, (_, n) => `F${n},Filler`).join("\n");
      const done = await run(`No,Title\n1,First\n${filler}\nX,Known\n1,Second\n`, TITLES, {
        upsertStrategy: "merge",
      });
      expect([done.lines[1_003], done.lines[1_004]]).toEqual(["updated", "updated again"]);
    });

    test("when the first is refused, the second is taken", async () => {
      const done = await run("No,Title,Date\n1,First,bad\n1,Second,1900\n", { ...TITLES, Date: "date" });
      expect(done.lines).toEqual({ 2: expect.stringMatching(/^rejected/), 3: "created" });
    });
  });

  describe("as a dry run", () => {
    /** Rows of every fate, and rows that speak of each other over batches. */
    const objects = () => {
      const rows = [
        "0,Known,1900,Ada,",
        "K1,Also known,1901,New maker,",
        "P1,Part,,Ada,W",
        "1,First,1900,Ada,",
      ];
      for (let n = 0; n < 450; n++)
        rows.push(`F${n},Filler ${n},${n % 50 === 7 ? "bad" : 1900 + (n % 90)},Maker ${n % 5},`);
      rows.push(
        "1,Second,1950,Bea,",
        "W,Whole,,,",
        ",No number,1900,,",
        "P2,Part 2,,,w hole",
        "1,Third,1950,Bea,W",
      );
      rows.push("K1,,,,", "twins,A,,Twin,", "B1,Bad first,bad,,", "B1,Then good,1900,,");
      for (let n = 0; n < 450; n++) rows.push(`G${n},Filler ${n},1900,,`);
      rows.push("P3,Part 3,,,Third", "B1,Again,1900,,", "F0,Filler 0,1900,Maker 0,", "P4,Part 4,,,1");
      return `No,Title,Date,Maker,Whole\n${rows.join("\n")}\n`;
    };
    const mapping = {
      ...MAKERS,
      Date: "date",
      Whole: "__relation:part_of:object__",
    };
    const prepare = async () => {
      await emptied(services.sql);
      await run("No,Title,Date,Maker\n0,Known,1900,Ada\nK1,Also known,1890,Ada\n", MAKERS);
      await run("No,Name\nT1,Twin\nT2,twin\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
    };
    const tally = ({ outcomes: _o, importId: _i, rejects, lines, ...rest }: Imported) => ({
      ...rest,
      lines,
      rejects,
    });

    test.each(["skip", "merge", "replace"] as const)(
      "it foretells exactly what the real one does (%s), and changes nothing",
      async (upsertStrategy) => {
        await prepare();
        const before = { ...(await everything(services.sql)), ...(await catalogue(services.sql)) };
        const foretold = await run(objects(), mapping, { upsertStrategy, dryRun: true });
        expect({ ...(await everything(services.sql)), ...(await catalogue(services.sql)) }).toEqual(before);
        const real = await run(objects(), mapping, { upsertStrategy });
        expect(tally(foretold)).toEqual(tally(real));
        expect(real.created).toBeGreaterThan(800);
        expect(real.rejected).toBeGreaterThan(5);
        const states = ({ outcomes }: Imported) =>
          outcomes.map(({ row, result }) =>
            "after" in result
              ? { line: row.line, before: result.before, after: result.after }
              : { line: row.line },
          );
        expect(states(foretold)).toEqual(states(real));
      },
    );

    test("with trees", async () => {
      const tree = { No: "__idno__", Title: "title", In: "__parent__" };
      const rows = Array.from(
        { length: 900 },
        (_, n) => `${n},T ${n},${n === 899 ? "" : Math.min(899, n + 1 + Math.floor(n / 3))}`,
      );
      const file = `No,Title,In\n${rows.join("\n")}\nX,X,nowhere\n`;
      const foretold = await run(file, tree, { kind: "collection", dryRun: true });
      expect(await records("collection")).toEqual([]);
      const real = await run(file, tree, { kind: "collection" });
      expect(real).toMatchObject({ created: 900, rejected: 1 });
      expect(foretold.lines).toEqual(real.lines);
    });

    test("of numbers that would be given", async () => {
      const file = `Title\n${Array.from({ length: 500 }, (_, n) => `T ${n}`).join("\n")}\n`;
      const before = await everything(services.sql);
      expect(await run(file, { Title: "title" }, { dryRun: true })).toMatchObject({ created: 500 });
      expect(await everything(services.sql)).toEqual(before);
    });
  });

  describe("is remembered", () => {
    test("every revision carries its id, also those of records that were made for its links", async () => {
      const file = "No,Title,Maker\n1,A,Ada\n2,B,Bea\n";
      const first = await run(file, MAKERS);
      const second = await run("No,Title,Maker\n1,A2,Cleo\n", MAKERS, { upsertStrategy: "merge" });
      const rows = await services.sql<{ import_id: string; title: string; action: string }[]>`
        select v.import_id, r.title, v.action from revisions v join records r on r.id = v.record_id
        order by v.at, r.title, v.version`;
      const of = (id: string) =>
        rows.filter((row) => row.import_id === id).map(({ title, action }) => `${title} ${action}`);
      expect(of(first.importId).sort()).toEqual(["A2 created", "Ada created", "B created", "Bea created"]);
      expect(of(second.importId).sort()).toEqual(["A2 relation_added", "A2 updated", "Cleo created"]);
      expect(rows).toHaveLength(7);
    });

    test("with its counts, file, mapping and options", async () => {
      const done = await run("No,Title\n1,A\n,B\n", TITLES, { autoPublish: true });
      const [row] = await services.sql`select * from imports`;
      expect(row).toMatchObject({
        id: done.importId,
        source: "csv",
        filename: "objects.csv",
        record_type: "object",
        mapping: TITLES,
        options: { autoPublish: true, upsertStrategy: "skip", idnoStrategy: "column" },
        state: "finished",
        rows_done: 2,
        created: 1,
        rejected: 1,
      });
    });
  });

  describe("that is interrupted", () => {
    const file = () => {
      const rows = Array.from(
        { length: 1_300 },
        (_, n) => `${n % 7 === 3 ? n - 1 : n},T ${n},${n % 70 === 12 ? "bad" : 1900},Maker ${n % 300}`,
      );
      return `No,Title,Date,Maker\n${rows.join("\n")}\n`;
    };
    const mapping = { ...MAKERS, Date: "date" };

    test.each([
      ["skip", "column"],
      ["merge", "column"],
      ["replace", "column"],
      ["skip", "auto"],
    ] as const)(
      "and run again ends as if it had not been (%s, numbers: %s)",
      async (upsertStrategy, idnoStrategy) => {
        const whole = await run(file(), mapping, { upsertStrategy, idnoStrategy });
        const expected = await catalogue(services.sql);
        await emptied(services.sql);
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
          const [row] = await services.sql`select state, rows_done, created, rejected from imports`;
          const { rows_done, created, rejected } = part;
          expect(row).toEqual({ state: "failed", rows_done, created, rejected });
        }
        const last = await run(file(), mapping, { upsertStrategy, idnoStrategy });
        ids.add(last.importId);
        expect(ids.size).toBe(1);
        const makers = await titles("entity");
        expect(last.written).toContainEqual({ record_type: "entity", created: makers.length, changed: 0 });
        expect(last.written).toContainEqual({ record_type: "object", created: whole.created, changed: 0 });
        expect(last.resumed).toBe(true);
        const { created, rejected, rows_done, finished } = whole;
        expect(last).toMatchObject({ created, rejected, rows_done, finished });
        expect(last.rejects).toBe(whole.rejects);
        const now = await catalogue(services.sql);
        if (upsertStrategy === "skip") {
          expect(last).toMatchObject({
            updated: whole.updated,
            unchanged: whole.unchanged,
            skipped: whole.skipped,
          });
          expect(now).toEqual(expected);
        } else {
          // rows that stand twice were gone through once more: the records are the same, their history is longer
          const content = (all: Awaited<ReturnType<typeof catalogue>>) => ({
            records: all.records!.map((row) => ({ ...(row as object), version: 0 })),
            relations: all.relations,
            numbers: all.numbers,
          });
          expect(content(now)).toEqual(content(expected));
        }
        const [row] = await services.sql`select state, created, rejected from imports`;
        expect(row).toEqual({ state: "finished", created, rejected });
        const all = await services.sql<
          { n: number }[]
        >`select count(*)::int as n from records where deleted_at is null`;
        expect(await indexed(services)).toEqual({ records: all[0]!.n, counted: all[0]!.n });
      },
    );

    test("a finished one, run again, is another import", async () => {
      const first = await run("No,Title\n1,A\n", TITLES);
      const second = await run("No,Title\n1,A\n", TITLES);
      expect(second.importId).not.toBe(first.importId);
      expect(second.resumed).toBe(false);
    });

    test("and with other options it is not gone on with", async () => {
      const stopped = await run("No,Title\n1,A\n", TITLES, { stopped: () => true });
      const other = await run("No,Title\n1,A\n", TITLES, { autoPublish: true });
      expect(other.importId).not.toBe(stopped.importId);
    });
  });

  describe("beside another", () => {
    const rows = (from: number) =>
      Array.from({ length: 1_200 }, (_, n) => `${from + n},T ${n},Maker ${n % 40}`).join("\n");

    test("of other records: both are whole, and what both name is made once", async () => {
      const [a, b] = await Promise.all([
        run(`No,Title,Maker\n${rows(0)}\n`, MAKERS),
        run(`No,Title,Maker\n${rows(5_000)}\n`, MAKERS),
      ]);
      expect([a, b]).toMatchObject([{ created: 1_200 }, { created: 1_200 }]);
      expect(await titles("entity")).toHaveLength(40);
      expect(await links()).toHaveLength(2_400);
    });

    test("of the same numbers: each record is made once", async () => {
      const both = await Promise.all([
        run(`No,Title,Maker\n${rows(0)}\n`, MAKERS),
        run(`No,Title,Maker\n${rows(0)}\nmore,X,\n`, MAKERS),
      ]);
      expect(both.map(({ rejected }) => rejected)).toEqual([0, 0]);
      expect(both[0]!.created + both[1]!.created).toBe(1_201);
      expect(await titles()).toHaveLength(1_201);
    });

    test("of the same file without numbers: one of the two gives way, nothing is doubled", async () => {
      const file = `Title,Maker\n${rows(0).replaceAll(/^\d+,/gm, "")}\n`;
      const mapping = { Title: "title", Maker: "__relation:created_by:entity__" };
      const both = await Promise.allSettled([run(file, mapping), run(file, mapping)]);
      for (const one of both) {
        if (one.status === "rejected")
          expect(String(one.reason.message)).toMatch(/^This import runs elsewhere/);
      }
      expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
      await run(file, mapping);
      expect(await titles()).toHaveLength(1_200);
    });
  });
});

function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

test("an import holds no more of a long file in memory than of a short one", async () => {
  const museum = await openMuseum({ database: databases.at(-1)! });
  try {
    const ROWS = 20_000;
    const encoder = new TextEncoder();
    const long = "a long remark that would fill the memory if any of it was kept ".repeat(26);
    const source = {
      name: "long.csv",
      open() {
        let n = 0;
        return new ReadableStream<Uint8Array>({
          pull(controller) {
            if (n >= ROWS) return controller.close();
            let text = n === 0 ? "No,Title,Remark\n" : "";
            for (const end = n + 200; n < end; n++) text += `museum-number-${n},Title ${n},${n} ${long}\n`;
            controller.enqueue(encoder.encode(text));
          },
        });
      },
    };
    const heap: number[] = [];
    let rows = 0;
    const { runCsvImport } = await import("../src/imports/run.ts");
    const { OPERATOR } = await import("../src/accounts/caller.ts");
    const summary = await runCsvImport(
      museum.services,
      OPERATOR,
      source,
      {
        kind: "object",
        mapping: TITLES,
        idnoStrategy: "column",
        upsertStrategy: "skip",
        autoPublish: false,
        dryRun: false,
      },
      {
        batch(outcomes) {
          rows += outcomes.length;
          if (rows % 4_000 === 0) heap.push(usedHeap());
        },
      },
    );
    expect(summary.created).toBe(ROWS);
    // the file is 34 MB of text
    expect(Math.max(...heap.slice(1)) - heap[0]!).toBeLessThan(12_000_000);
  } finally {
    await museum.close();
  }
}, 120_000);
