import { describe, expect, test } from "vitest";
import { type Account, OPERATOR } from "../../src/caller.ts";
import { type UndoSummary, undoImport } from "../../src/imports/undo/undo.ts";
import { addRelation } from "../../src/records/links/relations.ts";
import { deleteRecord, restoreRecord } from "../../src/records/write/trash.ts";
import { changeStatus, createRecord, patchRecord } from "../../src/records/write/write.ts";
import { inEnglish } from "../support/lane/in-english.ts";
import { inLong } from "../support/lane/lane.ts";
import { importRoom, MAKERS, SMALL_BATCH, TITLES } from "../support/museum/import-room.ts";
import { catalogue, everything, indexed } from "../support/museum/importing.ts";
import { databases } from "../support/museum/museum.ts";

const ANY = null;

describe.each(databases)("the undo of an import into the %s database", (database) => {
  const room = importRoom(database, { batch: SMALL_BATCH });
  const { run } = room;
  const undo = (
    importId: string,
    options: Partial<Parameters<typeof undoImport>[3]> = {},
    caller: Account = OPERATOR,
  ) => undoImport(room.services, caller, importId, { dryRun: false, batch: SMALL_BATCH, ...options });
  /** The records, without their history, and what belongs to those outside the trash. */
  const content = async () => {
    const { records } = await catalogue(room.services.sql);
    const relations = await room.services.sql`
      select l.relation_type, f.idno as from_idno, t.idno as to_idno, l.metadata
      from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id
      where f.deleted_at is null and t.deleted_at is null order by 1, 2, 3`;
    const media = await room.services.sql`
      select r.idno, m.filename from media_names m join records r on r.id = m.record_id
      where r.deleted_at is null order by 1, 2`;
    return {
      records: records!.map((row) => ({ ...(row as object), version: 0, published: 0 })),
      relations: [...relations],
      media: [...media],
    };
  };
  const idOf = async (idno: string, kind = "object") => {
    const [row] = await room.services.sql<{ id: string }[]>`
      select id from records where (idno = ${idno} or title = ${idno}) and record_type = ${kind}
      order by deleted_at nulls first limit 1`;
    return row!.id;
  };
  const named = ({ named }: UndoSummary) =>
    named.map(({ idno, title, reason }) => `${idno} ${title}: ${inEnglish(reason)}`);
  const state = async (id: string) =>
    (await room.services.sql`select state from imports where id = ${id}`)[0]!.state;
  /** Checks that the search finds exactly the present records. */
  const expectIndexed = async () => {
    const [row] = await room.services.sql<
      { n: number }[]
    >`select count(*)::int as n from records where deleted_at is null`;
    expect(await indexed(room.services)).toEqual({ records: row!.n, found: row!.n });
  };

  inLong(test)(
    "restores the catalogue: new records go to the trash, changed ones get their former values",
    async () => {
      await run("No,Title,Maker\n1,Harbour,Ada\n2,Mill,Bea\n", MAKERS);
      const before = await content();
      const mapping = { ...MAKERS, Date: "date", Pic: "__media__" };
      const file =
        "No,Title,Maker,Date,Pic\n1,Port,Ada,1900,a.jpg\n2,Mill,Cleo,,\n3,Bridge,Dora,1901,b.jpg\n";
      const done = await run(file, mapping, { upsertStrategy: "merge", autoPublish: true });
      const summary = await undo(done.importId);
      // Bridge, Cleo and Dora; Harbour; and Mill with its link to Cleo
      expect(summary).toMatchObject({ finished: true, trashed: 3, restored: 2, links: 1, left: 0 });
      expect(await content()).toEqual(before);
      expect(await state(done.importId)).toBe("undone");
      await expectIndexed();
      const history = await room.services.sql`
      select v.action, v.import_id, v.note ->> 'import_undone' as undone from revisions v
      where v.record_id = ${await idOf("1")} order by v.version`;
      expect(history.map(({ action, undone }) => [action, undone])).toEqual([
        ["created", null],
        ["updated", null],
        ["reverted", done.importId],
      ]);
      const trash = await room.services
        .sql`select title from records where deleted_at is not null order by title`;
      expect(trash.map(({ title }) => title)).toEqual(["Bridge", "Cleo", "Dora"]);
    },
  );

  test("does nothing the second time, and the file can be imported again, with new numbers", async () => {
    const file = "Title,Maker\nHarbour,Ada\nMill,Bea\n";
    const mapping = { Title: "title", Maker: "__relation:created_by:entity__" };
    const done = await run(file, mapping);
    expect(await undo(done.importId)).toMatchObject({ trashed: 4, restored: 0, left: 0 });
    const before = await everything(room.services.sql);
    expect(await undo(done.importId)).toMatchObject({
      finished: true,
      trashed: 0,
      restored: 0,
      done: 4,
      left: 0,
    });
    expect(await everything(room.services.sql)).toEqual(before);
    const again = await run(file, mapping);
    expect(again).toMatchObject({ created: 2, resumed: false });
    const rows = await room.services.sql`select idno from records where deleted_at is null order by 1`;
    expect(rows.map(({ idno }) => idno)).toEqual(["ENT-000003", "ENT-000004", "OBJ-000003", "OBJ-000004"]);
  });

  test("works after a later import was undone, as if that had never happened", async () => {
    const mapping = { ...MAKERS, Date: "date" };
    const first = await run("No,Title,Maker,Date\n1,A,Ada,1900\n2,B,Bea,1901\n", mapping);
    const before = await content();
    const second = await run("No,Title,Maker,Date\n1,A2,Ada,1902\n3,C,Bea,\n", mapping, {
      upsertStrategy: "merge",
    });
    const between = await undo(first.importId, { dryRun: true });
    // both makers are needed, one by the record that was changed, one by the record of the other import
    expect(between).toMatchObject({ trashed: 1, left: 3 });
    expect(await undo(second.importId)).toMatchObject({ trashed: 1, restored: 1, left: 0 });
    expect(await content()).toEqual(before);
    expect(await undo(first.importId)).toMatchObject({ trashed: 4, restored: 0, left: 0 });
    expect(await content()).toMatchObject({ records: [], relations: [] });
    await expectIndexed();
  });

  test("restores the links that a replacement removed, with their content", async () => {
    await run("No,Title,Maker\n1,Harbour,Ada\n", MAKERS);
    await room.services.sql`update relations set metadata = '{"role": [{"value": "printer"}]}'`;
    const before = await content();
    const done = await run("No,Title,Maker\n1,Harbour,Bea\n", MAKERS, { upsertStrategy: "replace" });
    expect(await undo(done.importId)).toMatchObject({ trashed: 1, restored: 1, links: 1, left: 0 });
    expect(await content()).toEqual(before);
    const [link] = await room.services.sql`select metadata from relations`;
    expect(link!.metadata).toEqual({ role: [{ value: "printer" }] });
    await expectIndexed();
  });

  test("does not return an object to a loan while it is on another one", async () => {
    const LOANS = { ...TITLES, Loan: { target: "__relation:subject_of_procedure:procedure__" } };
    const { services } = room;
    const loan = (idno: string, end_date: string | null) =>
      createRecord(services, OPERATOR, "procedure", { idno, subtype: "loan_out", end_date });
    await loan("L-1", null);
    const second = await loan("L-2", "2026-01-31");
    await run("No,Title,Loan\n1,Harbour,L-1\n", LOANS);
    const id = await idOf("1");
    await addRelation(
      services,
      OPERATOR,
      "object",
      id,
      {
        relation_type: "subject_of_procedure",
        to_type: "procedure",
        to_id: second.id,
        metadata_: {},
      },
      ANY,
    );
    const done = await run("No,Title,Loan\n1,Harbour,L-2\n", LOANS, { upsertStrategy: "replace" });
    await patchRecord(services, OPERATOR, "procedure", second.id, { end_date: null }, ANY);
    const summary = await undo(done.importId);
    expect(summary).toMatchObject({ restored: 0, links: 0, left: 1 });
    expect(named(summary)).toEqual([expect.stringContaining("1 is on another outgoing loan")]);
  });

  test("leaves what somebody has edited since, and what that needs, and names both", async () => {
    await run("No,Title\n5,Old\n", TITLES);
    const done = await run(
      "No,Title,Maker\n1,Harbour,Ada\n2,Mill,Bea\n3,Bridge,Bea\n4,Quay,Cleo\n5,New,Dora\n",
      MAKERS,
      {
        upsertStrategy: "merge",
      },
    );
    await changeStatus(room.services, OPERATOR, "object", await idOf("2"), "public", ANY);
    await patchRecord(
      room.services,
      OPERATOR,
      "object",
      await idOf("5"),
      { metadata_: { title: [{ value: "Newer" }] } },
      ANY,
    );
    const performance = { metadata: { title: [{ value: "Pageant" }] }, subtype: "performance" };
    const { id } = await createRecord(room.services, OPERATOR, "occurrence", performance);
    const wish = { relation_type: "exemplified_by", to_type: "object" as const, metadata_: {} };
    await addRelation(room.services, OPERATOR, "occurrence", id, { ...wish, to_id: await idOf("4") }, ANY);
    const dry = await undo(done.importId, { dryRun: true });
    const real = await undo(done.importId);
    expect({ ...dry, named: [] }).toEqual({ ...real, named: [] });
    expect(real.undone.trashed.map(({ idno }) => idno)).toEqual(["1", "3", "ENT-000001"]);
    expect(named(dry).sort()).toEqual(named(real).sort());
    const reasons = named(real)
      .sort()
      .map((line) => line.replace(/\(\d+ \w+ \d{4}\)/, "(day)"));
    expect(reasons).toEqual([
      "2 Mill: published since by somebody at the command line (day)",
      "4 Quay: OCC-000001 is linked to it or lies below it, and stays",
      "5 Newer: edited since by somebody at the command line (day)",
      "ENT-000002 Bea: 2 is linked to it or lies below it, and stays",
      "ENT-000003 Cleo: 4 is linked to it or lies below it, and stays",
      "ENT-000004 Dora: 5 is linked to it or lies below it, and stays",
    ]);
    const rows = await room.services
      .sql`select idno from records where deleted_at is null and record_type = 'object' order by 1`;
    expect(rows.map(({ idno }) => idno)).toEqual(["2", "4", "5"]);
    await expectIndexed();
  });

  test("removes trees from below, and leaves a tree in which somebody has put something", async () => {
    const mapping = { No: "__idno__", Name: "name", Up: "__parent__" };
    const file = "No,Name,Up\n1,House,\n2,Floor,1\n3,Room,2\n4,Shed,\n5,Shelf,4\n";
    const kind = { kind: "storage_location" as const };
    const done = await run(file, mapping, kind);
    const box = await createRecord(room.services, OPERATOR, "storage_location", {
      metadata: { name: [{ value: "Box" }] },
      parent_id: await idOf("5", "storage_location"),
    });
    const summary = await undo(done.importId);
    expect(summary).toMatchObject({ trashed: 3, left: 2 });
    expect(named(summary).sort()).toEqual([
      "4 Shed: 5 is linked to it or lies below it, and stays",
      `5 Shelf: ${box.idno} is linked to it or lies below it, and stays`,
    ]);
  });

  test("touches neither what was deleted since nor what was restored from the trash", async () => {
    const done = await run("No,Title\n1,A\n2,B\n3,C\n", TITLES);
    const force = { force: true, expected: ANY };
    await deleteRecord(room.services, OPERATOR, "object", await idOf("1"), force);
    expect(await undo(done.importId)).toMatchObject({ trashed: 2, gone: 1, left: 0 });
    await restoreRecord(room.services, OPERATOR, "object", await idOf("2"), ANY);
    expect(await undo(done.importId)).toMatchObject({ trashed: 0, done: 2, gone: 1, left: 0 });
    const rows = await room.services.sql`select idno from records where deleted_at is null`;
    expect(rows.map(({ idno }) => idno)).toEqual(["2"]);
  });

  inLong(test)("ends with the same catalogue if it is stopped after each batch and repeated", async () => {
    const list = (title: string, from: number) =>
      `No,Title,Maker\n${Array.from({ length: 100 }, (_, n) => `${n + from},${title} ${n},Maker ${n % 40}`).join("\n")}\n`;
    await run(list("Old", 0), MAKERS);
    const before = await content();
    const done = await run(list("New", 50), { ...MAKERS }, { upsertStrategy: "merge" });
    const counts = { trashed: 0, restored: 0 };
    let finished = false;
    for (let most = 1; !finished; most += 1) {
      let left = most;
      const part = await undo(done.importId, { stopped: () => left-- === 0 });
      counts.trashed += part.trashed;
      counts.restored += part.restored;
      finished = part.finished;
      expect(await state(done.importId)).toBe(finished ? "undone" : "undoing");
    }
    expect(counts).toEqual({ trashed: 50, restored: 50 });
    expect(await content()).toEqual(before);
    await expectIndexed();
  });

  inLong(test)("ends an import that still runs, and removes all that it wrote", async () => {
    const file = `No,Title\n${Array.from({ length: 600 }, (_, n) => `${n},T ${n}`).join("\n")}\n`;
    let undone: Promise<UndoSummary> | undefined;
    const importing = run(file, TITLES, {
      stopped() {
        undone ??= room.services.sql<{ id: string }[]>`select id from imports`.then(([row]) => undo(row!.id));
        return false;
      },
    });
    await expect(importing).rejects.toThrow("This import was undone, so it does not continue");
    const { importId } = await undone!;
    await undo(importId);
    const [left] = await room.services.sql`select count(*)::int as n from records where deleted_at is null`;
    expect(left!.n).toBe(0);
    expect(await state(importId)).toBe("undone");
    // it does not continue either
    expect(await run(file, TITLES)).toMatchObject({ resumed: false, created: 600 });
  });

  test("does not take an old number from a record that has it by now", async () => {
    await run("No,Title\n1,A\n", TITLES);
    const id = await idOf("1");
    const answer = await bulk([{ id, idno: "2" }], "?upsert=merge");
    expect(await answer.text()).toContain('"outcome":"updated"');
    await run("No,Title\n1,B\n", TITLES);
    const summary = await undo(answer.headers.get("X-Import-Id")!);
    expect(named(summary)).toEqual(["2 A: cannot be undone: another record has the number 1 now"]);
  });

  const bulk = async (ndjson: unknown[], query = "") =>
    (await room.museum.as("admin"))(`/v1/objects/bulk${query}`, { ndjson });

  test("works for a bulk write over the API, by the id in its answer", async () => {
    const lines = [1, 2, 3].map((n) => ({ idno: `B ${n}`, metadata_: { title: [{ value: `T ${n}` }] } }));
    const answer = await bulk([...lines, { idno: 4 }]);
    await answer.text();
    const importId = answer.headers.get("X-Import-Id")!;
    const [row] = await room.services.sql`select source, state, created from imports where id = ${importId}`;
    expect(row).toMatchObject({ source: "bulk", state: "finished", created: 3 });
    expect(await undo(importId, { dryRun: true })).toMatchObject({ trashed: 3, left: 0 });
    expect(await undo(importId)).toMatchObject({ trashed: 3, left: 0 });
  });

  test("leaves records that the caller may not delete, and says why", async () => {
    const mapping = { ...TITLES, Maker: "__relation:created_by:entity__" };
    const done = await run("No,Title,Maker\n1,A,Ada Smith\n", mapping);
    const object = ["read", "create", "update", "delete"] as const;
    const permissions = { records: { object, entity: ["read"] as const }, features: ["import:run"] };
    const clerk = { ...OPERATOR, role: "clerk", permissions } as unknown as Account;
    const summary = await undo(done.importId, {}, clerk);
    expect(named(summary)).toEqual([
      expect.stringMatching(
        /^ENT-\d+ Ada Smith: The role “clerk” lacks the permission records:delete for person or organisation$/,
      ),
    ]);
    expect(summary.trashed).toBe(1);
  });

  test("is refused to a caller who may not delete what was imported", async () => {
    const done = await run("No,Title\n1,A\n", TITLES);
    const permissions = { records: { object: ["read", "update"] as const }, features: ["import:run"] };
    const clerk = { ...OPERATOR, role: "clerk", permissions } as unknown as Account;
    await expect(undo(done.importId, {}, clerk)).rejects.toThrow("records:delete for object");
    expect(await undo(done.importId, {})).toMatchObject({ trashed: 1, left: 0 });
  });

  test("is refused for an unknown import", async () => {
    await expect(undo("00000000-0000-7000-8000-000000000000")).rejects.toThrow("There is no import");
  });
});
