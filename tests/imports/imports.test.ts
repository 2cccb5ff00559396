import { describe, expect, test } from "vitest";
import { inEnglish } from "../support/lane/in-english.ts";
import { importRoom, MAKERS, refusal, TITLES } from "../support/museum/import-room.ts";
import { type Choices, catalogue, everything } from "../support/museum/importing.ts";
import { databases } from "../support/museum/museum.ts";

describe.each(databases)("an import into the %s database", (database) => {
  const room = importRoom(database);
  const { run, records, titles } = room;

  describe("gives numbers", () => {
    test("with auto: each row gets the next one, and the same file again creates nothing more", async () => {
      const file = "Title\nHarbour\nHarbour\nMill\n";
      const first = await run(file, { Title: "title" });
      expect(first).toMatchObject({ rows_done: 3, created: 3, rejected: 0, finished: true });
      expect(await titles()).toEqual(["OBJ-000001 Harbour", "OBJ-000002 Harbour", "OBJ-000003 Mill"]);
      const again = await run(file, { Title: "title" });
      expect(again).toMatchObject({ created: 0, skipped: 3 });
      // another mapping of the same file means the same records
      const more = await run(file, { Title: ["title", "description"] }, { upsertStrategy: "merge" });
      expect(more).toMatchObject({ created: 0, updated: 3 });
      expect(await titles()).toHaveLength(3);
    });

    test("with auto: a column mapped to __idno__ is ignored, with a warning", async () => {
      const done = await run("No,Title\nX 1,Harbour\n", TITLES, { idnoStrategy: "auto" });
      expect(done.warnings).toEqual([expect.stringContaining("The numbers in the file are ignored")]);
      expect(await titles()).toEqual(["OBJ-000001 Harbour"]);
    });

    test("with column: rows without a number are refused", async () => {
      const done = await run("No,Title\n1,Harbour\n,Mill\n  ,Bridge\n2,Tower\n", TITLES);
      expect(done.lines).toEqual({
        2: "created",
        3: "rejected: no identification number",
        4: "rejected: no identification number",
        5: "created",
      });
      expect(await titles()).toEqual(["1 Harbour", "2 Tower"]);
    });

    test("with skip: rows without a number are left out", async () => {
      const done = await run("No,Title\n1,Harbour\n,Mill\n", TITLES, { idnoStrategy: "skip" });
      expect(done.lines).toEqual({ 2: "created", 3: "skipped" });
      expect(await titles()).toEqual(["1 Harbour"]);
    });

    test("that are not in use, leaving out those that a file has given", async () => {
      await run("No,Title\nOBJ-000001,One\nOBJ-000003,Three\n", TITLES);
      await run("Title\nA\nB\n", { Title: "title" });
      expect((await titles()).sort()).toEqual([
        "OBJ-000001 One",
        "OBJ-000002 A",
        "OBJ-000003 Three",
        "OBJ-000004 B",
      ]);
    });

    test("but refuses a row whose own number is too long, or contains a line end", async () => {
      const done = await run(`No,Title\n${"9".repeat(201)},A\n"1\n2",B\n3,C\n`, TITLES);
      expect(done.lines[2]).toBe("rejected: idno: is longer than 200 characters");
      expect(done.lines[3]).toMatch(
        /^rejected: idno: contains U\+000A \(line feed\) as character 2, which is invisible$/,
      );
      expect(await titles()).toEqual(["3 C"]);
    });
  });

  describe("treats existing records", () => {
    const before = "No,Title,Note\n1,Harbour,old\n2,Mill,old\n";
    const after = "No,Title,Material\n1,The harbour,oil\n2,Mill,oil\n3,Bridge,oil\n";
    const first = { ...TITLES, Note: "internal_note" };
    const second = { ...TITLES, Material: "material" };

    test("with skip by leaving them unchanged, twice", async () => {
      await run(before, first);
      const done = await run(after, second);
      expect(done).toMatchObject({ created: 1, skipped: 2 });
      expect(await titles()).toEqual(["1 Harbour", "2 Mill", "3 Bridge"]);
      expect(await run(after, second)).toMatchObject({ created: 0, skipped: 3 });
    });

    test("with merge by replacing the fields of the row and keeping all others, with no change the second time", async () => {
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
      const once = await catalogue(room.services.sql);
      const again = await run(after, second, { upsertStrategy: "merge" });
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
      expect(await catalogue(room.services.sql)).toEqual(once);
    });

    test("with replace by keeping only what the row gives, with no change the second time", async () => {
      await run(before, first, { autoPublish: true });
      const done = await run(after, second, { upsertStrategy: "replace" });
      expect(done).toMatchObject({ created: 1, updated: 2 });
      const [one] = await records();
      expect(one).toMatchObject({
        status: "public",
        metadata: { title: [{ value: "The harbour" }], material: [{ value: "oil" }] },
      });
      expect(Object.keys(one!.metadata as object)).toEqual(["title", "material"]);
      const once = await catalogue(room.services.sql);
      const again = await run(after, second, { upsertStrategy: "replace" });
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
      expect(await catalogue(room.services.sql)).toEqual(once);
    });

    test.each(["skip", "merge", "replace"] as const)(
      "with %s so that the same file twice is the same as once",
      async (upsertStrategy) => {
        const file = "No,Title,Maker\n1,A,Ada\n2,B,Bea\n3,C,Ada\n";
        await run(file, MAKERS, { upsertStrategy });
        const once = await catalogue(room.services.sql);
        expect(await run(file, MAKERS, { upsertStrategy })).toMatchObject({ created: 0, updated: 0 });
        expect(await catalogue(room.services.sql)).toEqual(once);
      },
    );

    test("in the trash as deleted, so that their numbers are free", async () => {
      await run("No,Title\n1,Harbour\n", TITLES);
      await room.services.sql`update records set deleted_at = now()`;
      expect(await run("No,Title\n1,Mill\n", TITLES)).toMatchObject({ created: 1 });
      expect(await titles()).toEqual(["1 Mill"]);
    });
  });

  describe("knows kinds and subtypes", () => {
    test("takes the subtype from the row, the option or the default, and refuses an unknown one", async () => {
      const mapping = { ...TITLES, Kind: "__type__" };
      const done = await run("No,Title,Kind\n1,A,print\n2,B,\n3,C,ufo\n", mapping, { subtype: "painting" });
      expect((await records()).map(({ subtype }) => subtype)).toEqual(["print", "painting"]);
      expect(done.lines[4]).toMatch(/^rejected: "ufo" is not a valid object_type; choose one of: painting, /);
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
    ] as const)("for the kind %s", async (kind, field, plural) => {
      const subtype = kind === "procedure" ? "loan_in" : undefined;
      await run("No,Name\nA 1,First\n", { No: "__idno__", Name: field }, { kind, subtype });
      expect(await titles(kind)).toEqual(["A 1 First"]);
      const found = await (await room.museum.as("viewer"))(`/v1/${plural}`);
      expect((await found.json()).items).toMatchObject([{ idno: "A 1" }]);
    });

    test("with columns of their own: coordinates of places, days of procedures; a wrong one is refused alone", async () => {
      const places = await run(
        'No,Name,Lat,Lon\n1,Pier,"53,5",9.97\n2,Moor,53.5,\n3,Nowhere,91,0\n',
        { No: "__idno__", Name: "name", Lat: "__lat__", Lon: "__lon__" },
        { kind: "place" },
      );
      expect(places.lines).toEqual({
        2: "created",
        3: "rejected: has only one of latitude and longitude",
        4: 'rejected: column "Lat": "91" is not a number of decimal degrees between -90 and 90',
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
        3: 'rejected: column "From": "0000-01-01" is not a day such as 2026-01-31',
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
      const found = await room.museum.ask("/v1/search?q=harbour");
      expect(await found.json()).toMatchObject({ total: 1, items: [{ title: "Harbour lights" }] });
    });

    test("nothing unless requested", async () => {
      await run("No,Title\n1,Harbour lights\n", TITLES);
      expect(await records()).toMatchObject([{ status: "draft" }]);
      expect(await (await room.museum.ask("/v1/search?q=harbour")).json()).toMatchObject({ total: 0 });
      const staff = await room.museum.as("editor");
      expect(await (await staff("/v1/search?q=harbour")).json()).toMatchObject({ total: 1 });
    });

    test("drafts that a merge finds, unless the row has its own status", async () => {
      await run("No,Title\n1,A\n2,B\n", TITLES);
      await run(
        "No,Title,Status\n1,A,\n2,B,Internal\n",
        { ...TITLES, Status: "__status__" },
        { autoPublish: true, upsertStrategy: "merge" },
      );
      expect((await records()).map(({ status }) => status)).toEqual(["public", "internal"]);
    });

    test("makers that rows name, but no storage locations, and nothing that lacks a required field", async () => {
      const mapping = { ...MAKERS, Room: "__relation:stored_at:storage_location__" };
      const file = "No,Title,Maker,Room\n1,A,Ada,Room 7\n";
      expect(await run(file, mapping, { autoPublish: true })).toMatchObject({ created: 1 });
      expect(await records("entity")).toMatchObject([{ title: "Ada", status: "public" }]);
      expect(await records("storage_location")).toMatchObject([{ title: "Room 7", status: "internal" }]);
      await room.services
        .sql`update schema_fields set is_required = true where record_type = 'entity' and name = 'biography'`;
      try {
        await run("No,Title,Maker\n2,B,Bea\n", MAKERS, { autoPublish: true });
        expect(await records("entity")).toContainEqual(
          expect.objectContaining({ title: "Bea", status: "draft" }),
        );
      } finally {
        await room.services
          .sql`update schema_fields set is_required = false where record_type = 'entity' and name = 'biography'`;
      }
    });
  });

  describe("remembers media", () => {
    const media = async () =>
      (await room.services.sql`select filename from media_names order by filename`).map(
        ({ filename }) => filename,
      );
    const mapping = {
      ...TITLES,
      Files: { target: "__media__", transforms: [{ type: "split", delimiter: "|" }] },
    };

    test("names from the mapping or the selector, once each", async () => {
      const file = "No,Title,Files\n1,A,a1.tif|a2.tif\n2,B,\n";
      await run(file, mapping);
      expect(await media()).toEqual(["a1.tif", "a2.tif"]);
      await run(file, mapping, { upsertStrategy: "merge" });
      await run("No,Title,Photo\n3,C,c.tif\n", TITLES, { mediaSelector: "Photo" });
      expect(await media()).toEqual(["a1.tif", "a2.tif", "c.tif"]);
    });

    test("but none of records that are skipped", async () => {
      await run("No,Title\n1,A\n", TITLES);
      await run("No,Title,Files\n1,A,a1.tif\n", mapping);
      expect(await media()).toEqual([]);
    });

    test("but refuses a row with a name that the database cannot store", async () => {
      const long = Array.from({ length: 4_000 }, (_, n) => ((n * 7919) % 65_521).toString(36)).join("");
      const done = await run(`No,Title,Files\n1,A,a\n2,B,${long}\n3,C,c\n`, mapping);
      expect(done.lines).toEqual({
        2: "created",
        3: expect.stringMatching(/^rejected: the database refuses it/),
        4: "created",
      });
      expect(await media()).toEqual(["a", "c"]);
    });
  });

  describe("does not start", () => {
    const refused = async (
      file: string | Uint8Array,
      mapping: Record<string, unknown>,
      choices?: Choices,
    ) => {
      const before = await everything(room.services.sql);
      const problem = await refusal(run(file, mapping, choices));
      expect(await everything(room.services.sql)).toEqual(before);
      return {
        message: problem.message,
        details: problem.errors.map(({ pointer, detail }) => `${pointer}: ${inEnglish(detail)}`),
      };
    };
    const file = "No,Title\n1,A\n";

    test("with unknown fields: all are reported, each with the nearest name", async () => {
      const { message, details } = await refused(file, {
        No: "__idno__",
        Title: ["titel", { target: "materials", lang: "en" }, "zzzzzz", "title"],
      });
      expect(message).toBe("The import cannot begin for 3 reasons");
      expect(details).toEqual([
        '/Title/0: objects have no field "titel"; did you mean "title"?',
        '/Title/1: objects have no field "materials"; did you mean "material"?',
        '/Title/2: objects have no field "zzzzzz" (GET /v1/schemas/object lists those there are)',
      ]);
    });

    test("with fields of another kind", async () => {
      const { message } = await refused(file, { Title: "title" }, { kind: "entity", idnoStrategy: "auto" });
      expect(message).toBe(
        'The import cannot begin: /Title people and organisations have no field "title" (GET /v1/schemas/entity lists those there are)',
      );
    });

    test("with unknown relation types, or with those of other kinds", async () => {
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
          /^\/Title\/1: made_at leads from object to place, not from object to person or organisation; those that lead from object to person or organisation: created_by, /,
        ),
        expect.stringMatching(
          /^\/Title\/2: created_by leads from object to person or organisation, not from person or organisation to object; /,
        ),
        expect.stringMatching(
          /^\/Title\/3: there is no relation type "zzzzzzz"; those that lead from object to place: made_at, /,
        ),
      ]);
    });

    test("with missing columns, which are reported together with unknown fields", async () => {
      const { details } = await refused(file, { Nmber: "__idno__", Title: "titel" });
      expect(details).toHaveLength(2);
    });

    test("without a column for the numbers that the strategy needs", async () => {
      for (const idnoStrategy of ["column", "skip"] as const) {
        const { message } = await refused(file, { Title: "title" }, { idnoStrategy });
        expect(message).toContain(
          `the idno strategy ${idnoStrategy} needs a column that is mapped to __idno__`,
        );
      }
    });

    test("with an unknown subtype, or to publish storage locations", async () => {
      expect((await refused(file, TITLES, { subtype: "ufo" })).message).toContain(
        '"ufo" is not a valid object_type; the valid ones are painting, ',
      );
      const places = { No: "__idno__", Title: "name" };
      expect(
        (await refused(file, places, { kind: "storage_location", autoPublish: true })).message,
      ).toContain("storage locations are never public");
    });

    test.each<[string, string | Uint8Array, RegExp]>([
      ["an empty file", "", /^objects.csv is empty$/],
      ["a picture", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70]), /JPEG image/],
      ["a workbook", Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0]), /is damaged.*: open it in Excel/],
      ["a header without names", ",\n1,2\n", /^The import cannot begin for 2 reasons$/],
    ])("with %s", async (_, content, sentence) => {
      expect((await refused(content, TITLES)).message).toMatch(sentence);
    });

    test("for a file with only a header, but ends as an empty import", async () => {
      expect(await run("No,Title\n", TITLES)).toMatchObject({ rows_done: 0, finished: true });
    });
  });

  describe("is recorded", () => {
    test("in every revision by its id, also in those of records that links created", async () => {
      const file = "No,Title,Maker\n1,A,Ada\n2,B,Bea\n";
      const first = await run(file, MAKERS);
      const second = await run("No,Title,Maker\n1,A2,Cleo\n", MAKERS, { upsertStrategy: "merge" });
      const rows = await room.services.sql<{ import_id: string; title: string; action: string }[]>`
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
      const [row] = await room.services.sql`select * from imports`;
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
});
