/** An object is in one place. Setting another place ends the first, which stays in the history of the object. */
import { beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../../src/adapters/database/migrate/migrate.ts";
import { OPERATOR } from "../../src/caller.ts";
import { headerLine, readHeader } from "../../src/exports/format.ts";
import { load } from "../../src/exports/load.ts";
import { withReading } from "../../src/exports/read.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { addRelation } from "../../src/records/links/relations.ts";
import { importRoom } from "../support/museum/import-room.ts";
import { databases, openMuseum } from "../support/museum/museum.ts";

describe.each(databases)("the place of an object (%s)", (database) => {
  const room = importRoom(database);
  const { run, links } = room;
  const PLACES = { No: "__idno__", Name: "name" };
  const STORED = { No: "__idno__", At: "__relation:stored_at:storage_location__" };
  const ids = new Map<string, string>();

  beforeEach(async () => {
    await run("No,Name\nS1,Shelf\nS2,Drawer\nS3,Box\n", PLACES, { kind: "storage_location" });
    await run("No,At\nA,S1\nB,S1\n", STORED);
    for (const { id, idno } of await room.services.sql`select id, idno from records`) ids.set(idno, id);
  });

  /** The places that the history of an object says it left, in their order. */
  const left = async (idno: string): Promise<string[]> => {
    const rows = await room.services.sql<{ title: string }[]>`
      select p.title from revisions v cross join jsonb_array_elements(v.note -> 'removed') r
        join records p on p.id = (r ->> 'to_id')::uuid
      where v.record_id = ${ids.get(idno)!} order by v.version, p.title`;
    return rows.map(({ title }) => title);
  };
  const versions = async (idno: string): Promise<unknown> => {
    const [row] = await room.services.sql`
      select r.version = count(v.version) as complete from records r join revisions v on v.record_id = r.id
      where r.id = ${ids.get(idno)!} group by r.id`;
    return row!.complete;
  };
  const store = (idno: string, at: string) =>
    addRelation(
      room.services,
      OPERATOR,
      "object",
      ids.get(idno)!,
      {
        ...{ relation_type: "stored_at", to_type: "storage_location", to_id: ids.get(at)! },
        metadata_: {},
      },
      null,
    );

  test.each(["link", "merge", "replace"] as const)(
    "is set by an import (%s), which an undo takes back",
    async (upsertStrategy) => {
      const done = await run("No,At\nA,S2\n", STORED, { upsertStrategy });
      expect(done.updated).toBe(1);
      expect(await links()).toEqual(["A stored_at Drawer", "B stored_at Shelf"]);
      expect(await left("A")).toEqual(["Shelf"]);
      await undoImport(room.services, OPERATOR, done.importId, { dryRun: false });
      expect(await links()).toEqual(["A stored_at Shelf", "B stored_at Shelf"]);
      expect(await versions("A")).toBe(true);
    },
  );

  test("is set by an import of places, and the object notes it", async () => {
    const stores = { ...PLACES, Has: "__relation:stores:object__" };
    await run("No,Name,Has\nS9,Attic,A\n", stores, { kind: "storage_location", upsertStrategy: "merge" });
    expect(await links()).toEqual(["A stored_at Attic", "B stored_at Shelf"]);
    expect([await left("A"), await versions("A")]).toEqual([["Shelf"], true]);
  });

  test("is refused where a list names two, and the other rows are saved", async () => {
    const mapping = { ...STORED, At: { target: STORED.At, transforms: [{ type: "split", delimiter: "|" }] } };
    const done = await run("No,At\nA,S2|S3\nB,S2\n", mapping, { upsertStrategy: "link" });
    expect(done.lines).toEqual({
      2: expect.stringMatching(/^rejected: An object has only one location/),
      3: "updated",
    });
    expect(await links()).toEqual(["A stored_at Shelf", "B stored_at Drawer"]);
  });

  test("keeps the role that a list gives", async () => {
    const mapping = { ...STORED, At: { target: STORED.At, role: { column: "As" } } };
    await run("No,At,As\nA,S1,loan store\n", mapping, { upsertStrategy: "link" });
    const rows = await room.services.sql`select metadata from relations where from_id = ${ids.get("A")!}`;
    expect(rows.map(({ metadata }) => metadata)).toEqual([{ role: [{ value: "loan store" }] }]);
  });

  test("is set by the API; the same place again is a conflict", async () => {
    await store("A", "S3");
    expect(await links()).toEqual(["A stored_at Box", "B stored_at Shelf"]);
    expect([await left("A"), await versions("A")]).toEqual([["Shelf"], true]);
    const editor = await room.museum.as("editor");
    const again = await editor(`/v1/objects/${ids.get("A")}/relations`, {
      json: {
        ...{ relation_type: "stored_at", to_type: "storage_location", to_id: ids.get("S3") },
        metadata_: { role: [{ value: "for now" }] },
      },
    });
    expect(again.status).toBe(409);
  });

  /** As catalogues were before the rule. */
  async function severalPlaces() {
    const { sql } = room.services;
    await sql`drop index relations_one_place`;
    await sql`
      insert into relations (id, relation_type, from_id, to_id, created_at)
      values (gen_random_uuid(), 'stored_at', ${ids.get("A")!}, ${ids.get("S3")!}, now()),
        (gen_random_uuid(), 'stored_at', ${ids.get("A")!}, ${ids.get("S2")!}, now() - interval '1 year')`;
  }

  /** `Shelf → Drawer, 2026-01-31, reason, actor`: each movement of an object, oldest first. */
  const history = async (idno: string): Promise<string[]> => {
    const rows = await room.services.sql<{ told: string }[]>`
      select concat_ws(', ', coalesce(lag(to_name) over (order by at), '–') || ' → ' || coalesce(to_name, '–'), day, reason,
        case when actor_id is not null then 'actor' end, case when import_id is not null then 'import' end) as told
      from movements where object_id = ${ids.get(idno)!} order by at`;
    return rows.map(({ told }) => told);
  };

  test("becomes one when a catalogue is migrated, and the history has the others", async () => {
    const { sql } = room.services;
    await severalPlaces();
    await sql`drop function end_earlier_places`;
    await sql`drop function trace_movements`;
    await sql`drop function note_movements`;
    await sql`drop table movements`;
    await sql`delete from schema_migrations where name in ('0056_one_current_place.sql', '0067_movements.sql')`;
    await migrate(sql);
    expect(await links()).toEqual(["A stored_at Box", "B stored_at Shelf"]);
    expect([await left("A"), await versions("A")]).toEqual([["Drawer", "Shelf"], true]);
    expect(await history("A")).toEqual(["– → Drawer", "Drawer → Shelf", "Shelf → Box"]);
    expect(await history("B")).toEqual(["– → Shelf, import"]);
    await expect(sql`
      insert into relations (id, relation_type, from_id, to_id)
      values (gen_random_uuid(), 'stored_at', ${ids.get("A")!}, ${ids.get("S2")!})`).rejects.toThrow(
      "relations_one_place",
    );
  });

  test("becomes one when an older export is read", async () => {
    await severalPlaces();
    const lines = await withReading(room.services, true, async ({ pages }) => {
      const all: string[] = [];
      for await (const page of pages) all.push(...page);
      return all;
    });
    await room.services.sql`delete from relations where to_id <> ${ids.get("S1")!}`;
    await room.services
      .sql`create unique index relations_one_place on relations (from_id) where relation_type = 'stored_at'`;
    const other = await openMuseum({ database });
    const header = readHeader(headerLine(true, new Date()));
    await load(
      other.services,
      header,
      (async function* () {
        yield* lines;
      })(),
    );
    const rows = await other.services.sql`
      select t.title from relations l join records t on t.id = l.to_id where l.from_id = ${ids.get("A")!}`;
    expect(rows.map(({ title }) => title)).toEqual(["Box"]);
    await other.close();
  });
});
