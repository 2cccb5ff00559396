/** Where objects are and were: whatever moves an object ends its place and leaves one movement in a history without gaps. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { newId } from "../../src/ids.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { listMovements, type Movement } from "../../src/procedures/movements.ts";
import { editPart } from "../../src/records/batch/edit-part.ts";
import { beginImport } from "../../src/records/batch/imports-store.ts";
import { removeRelation } from "../../src/records/links/relation-changes.ts";
import { addRelation } from "../../src/records/links/relations.ts";
import { purgeRecord } from "../../src/records/write/purge.ts";
import { deleteRecord } from "../../src/records/write/trash.ts";
import { inLong } from "../support/lane/lane.ts";
import { read } from "../support/museum/catalogue.ts";
import { importRoom } from "../support/museum/import-room.ts";
import { type Ask, databases } from "../support/museum/museum.ts";

const STORES = { relation_type: "stored_at", to_type: "storage_location" } as const;

describe.each(databases)("moving objects (%s)", (database) => {
  const room = importRoom(database);
  const { run } = room;
  const ids = new Map<string, string>();
  const id = (idno: string): string => ids.get(idno)!;
  let cataloger: Ask;
  let viewer: Ask;
  beforeAll(async () => {
    cataloger = await room.museum.as("cataloger");
    viewer = await room.museum.as("viewer");
  });

  beforeEach(async () => {
    const places = "No,Name\nS1,Shelf\nS2,Drawer\nS3,Box\n";
    await run(places, { No: "__idno__", Name: "name" }, { kind: "storage_location" });
    await run("No,Title\nA,Jug\nB,Bowl\nC,Cup\n", { No: "__idno__", Title: "title" });
    ids.clear();
    for (const { id, idno } of await room.services.sql`select id, idno from records`) ids.set(idno, id);
  });

  const move = (idno: string, to: string, more: Record<string, unknown> = {}, headers = {}) =>
    cataloger(`/v1/objects/${id(idno)}/move`, { json: { to: id(to), ...more }, headers });
  const moveAll = (idnos: string[], to: string, more: Record<string, unknown> = {}) =>
    cataloger("/v1/objects/move", { json: { ids: idnos.map(id), to: id(to), ...more } });
  const historyOf = async (idno: string): Promise<Movement[]> =>
    (await listMovements(room.services.sql, OPERATOR, { object: id(idno) }, { limit: 500, offset: 0 })).items;
  /** `– → Shelf`, the oldest first. */
  const told = async (idno: string): Promise<string[]> =>
    (await historyOf(idno)).map(({ from, to }) => `${from?.title ?? "–"} → ${to?.title ?? "–"}`).reverse();
  const undo = (importId: string) => undoImport(room.services, OPERATOR, importId, { dryRun: false });

  it("ends the old place and says from where, where to, when, why and who", async () => {
    await read(move("A", "S1", { date: "2026-01-30" }));
    const moved = await read<{ moved_by: { email: string } }>(
      move("A", "S2", { date: "2026-01-31", reason: "damp" }, { "If-Match": '"2"' }),
    );
    expect(moved).toMatchObject({
      from: { id: id("S1"), idno: "S1", title: "Shelf" },
      to: { id: id("S2"), idno: "S2", title: "Drawer" },
      ...{ date: "2026-01-31", until: null, reason: "damp", procedure: null, import_id: null },
    });
    expect(moved.moved_by.email).toMatch(/@/);
    const list = await read<{ total: number; items: unknown[] }>(viewer(`/v1/objects/${id("A")}/locations`));
    expect(list).toMatchObject({
      total: 2,
      items: [
        { from: { idno: "S1" }, to: { idno: "S2" } },
        { from: null, to: { idno: "S1" }, until: "2026-01-31" },
      ],
    });
    const stranger = await room.museum.ask(`/v1/objects/${id("A")}/locations`);
    expect(stranger.status).toBe(401);
    expect((await viewer(`/v1/objects/${id("A")}/move`, { json: { to: id("S1") } })).status).toBe(403);
  });

  it("is refused for a place that is no storage location, the same place, and an impossible day", async () => {
    await read(move("A", "S1", { date: "2026-01-30" }));
    const faults = async (answer: Promise<Response>) => {
      const { errors } = await read<{ errors: { pointer: string; code: string }[] }>(answer, 422);
      return errors.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    expect(await faults(move("A", "B"))).toEqual(["/to record.unknown"]);
    expect(await faults(move("A", "S1"))).toEqual(["/to move.there"]);
    expect(await faults(move("A", "S2", { date: "2026-01-29" }))).toEqual(["/date move.later"]);
    expect((await move("A", "S2", { date: "2999-01-01" })).status).toBe(422);
    expect((await move("A", "S2", { date: "2026-02-30" })).status).toBe(422);
    expect((await move("A", "S2", {}, { "If-Match": '"1"' })).status).toBe(412);
    expect(await told("A")).toEqual(["– → Shelf"]);
  });

  it("moves 200 objects in one go, all or none, and an undo takes them back", async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => `N${index}`);
    await run(`No,At\n${numbers.map((no) => `${no},S1`).join("\n")}\n`, {
      No: "__idno__",
      At: "__relation:stored_at:storage_location__",
    });
    for (const { id, idno } of await room.services.sql`select id, idno from records`) ids.set(idno, id);
    await read(move("N7", "S2", { date: "2026-01-30" }));
    const refused = await moveAll([...numbers, "S3"], "S2", { date: "2026-01-29" });
    const { errors } = await read<{ errors: { pointer: string }[] }>(refused, 422);
    expect(errors.map(({ pointer }) => pointer)).toEqual(["/ids/7", "/ids/200"]);
    const done = await read<{ import_id: string; moved: string[]; unchanged: string[] }>(
      moveAll(numbers, "S2", { reason: "new store" }),
    );
    expect([done.moved.length, done.unchanged]).toEqual([199, [id("N7")]]);
    expect(await told("N8")).toEqual(["– → Shelf", "Shelf → Drawer"]);
    await undo(done.import_id);
    expect([await told("N8"), await told("N7")]).toEqual([["– → Shelf"], ["– → Shelf", "Shelf → Drawer"]]);
    const [there] = await room.services
      .sql`select count(*)::int as n from relations where to_id = ${id("S1")}`;
    expect(there!.n).toBe(199);
  });

  it("moves what a search finds, and nothing that it does not find as it was asked", async () => {
    await run("No,Title\nJ,Jug of tin\n", { No: "__idno__", Title: "title" });
    await room.services.changed(
      (await room.services.sql`select id, idno from records`).map(({ id, idno }) => {
        ids.set(idno, id);
        return id;
      }),
    );
    const moveFound = (search: unknown, more = {}) =>
      cataloger("/v1/objects/move", { json: { to: id("S1"), search, ...more } });
    const done = await read<{ moved: string[] }>(moveFound({ q: "jug" }));
    expect(done.moved.sort()).toEqual([id("A"), id("J")].sort());
    expect([await told("A"), await told("B")]).toEqual([["– → Shelf"], []]);
    const faults = async (search: unknown, more = {}) => {
      const { errors } = await read<{ errors: { pointer: string; code: string }[] }>(
        moveFound(search, more),
        422,
      );
      return errors.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    expect(await faults({ q: "bowll" })).toEqual(["/search move.search_none"]);
    for (const nothing of [{}, { q: "" }, { q: " \t" }])
      expect(await faults(nothing)).toEqual(["/search move.search_empty"]);
    expect(await faults({ q: "jug" }, { ids: [id("A")] })).toEqual(["/ids move.ids_or_search"]);
    expect(await faults(undefined)).toEqual(["/ids move.ids_or_search"]);
    expect(await faults({ q: "jug", page: "0" })).toEqual(["/search/page unknown"]);
    expect((await faults({ meta_nothing: "x" }))[0]).toMatch(/^\/search\/meta_nothing /);
    expect(await told("B")).toEqual([]);
  });

  it("a history without gaps stays if an import of places is undone after somebody has moved the object", async () => {
    await read(move("A", "S2"));
    const mapping = { No: "__idno__", Has: "__relation:stores:object__" };
    const places = await run("No,Has\nS1,A\nS1,B\n", mapping, {
      kind: "storage_location",
      upsertStrategy: "merge",
    });
    await read(move("A", "S2"));
    await undo(places.importId);
    expect(await told("A")).toEqual(["– → Drawer", "Drawer → Shelf", "Shelf → Drawer"]);
    expect(await told("B")).toEqual([]);
    await demandSound("A");
  });

  it("an object that somebody has put back where an import put it stays there when the import is undone", async () => {
    const mapping = { No: "__idno__", Has: "__relation:stores:object__" };
    const places = await run("No,Has\nS1,A\nS1,B\n", mapping, {
      kind: "storage_location",
      upsertStrategy: "merge",
    });
    await read(move("A", "S2"));
    await read(move("A", "S1"));
    await undo(places.importId);
    expect(await told("A")).toEqual(["– → Shelf", "Shelf → Drawer", "Drawer → Shelf"]);
    expect(await told("B")).toEqual([]);
    await demandSound("A");
  });

  it("two people who move one object at once: the second is told where it is now", async () => {
    await read(move("A", "S1"));
    const both = await Promise.all([
      move("A", "S2", { from: id("S1") }),
      move("A", "S3", { from: id("S1") }),
    ]);
    const [won, lost] = both[0]!.status === 200 ? both : [both[1]!, both[0]!];
    expect([won!.status, lost!.status]).toEqual([200, 409]);
    const { to } = await read<{ to: { title: string } }>(Promise.resolve(won!));
    const problem = await read<{ code: string; detail: string }>(Promise.resolve(lost!), 409);
    expect(problem.code).toBe("move.elsewhere");
    expect(problem.detail).toContain(`It is now here: ${to.title}`);
    expect(await told("A")).toEqual(["– → Shelf", `Shelf → ${to.title}`]);
    // who does not say where it was moves it, one after the other
    const more = await Promise.all(
      ["S1", "S2", "S3", "S1"].map((place) => moveAll(["A", "B", "C"], place).then(({ status }) => status)),
    );
    expect(more).toEqual([200, 200, 200, 200]);
    for (const idno of ["A", "B", "C"]) await demandSound(idno);
  });

  it("a place that is deleted for good stays in the history by its name", async () => {
    await read(move("A", "S1"));
    await read(move("A", "S2"));
    await read(move("B", "S2"));
    await read(move("B", "S1"));
    await deleteRecord(room.services, OPERATOR, "storage_location", id("S2"), {
      force: true,
      expected: null,
    });
    const admin = { ...OPERATOR, permissions: { ...OPERATOR.permissions, features: ["settings:manage"] } };
    await purgeRecord(room.services, admin, "storage_location", id("S2"));
    expect(await told("A")).toEqual(["– → Shelf", "Shelf → Drawer", "Drawer → –"]);
    expect(await told("B")).toEqual(["– → Drawer", "Drawer → Shelf"]);
    await read(move("A", "S3"));
    await demandSound("A");
    const [newest] = await historyOf("A");
    expect([newest!.from, newest!.to?.title]).toEqual([null, "Box"]);
  });

  /** At most one place, which the last movement leads to; each movement begins where the one before ended, and leads elsewhere. */
  async function demandSound(idno: string): Promise<void> {
    const links = await room.services.sql<{ to_id: string }[]>`
      select to_id from relations where from_id = ${id(idno)} and relation_type = 'stored_at'`;
    expect(links.length).toBeLessThanOrEqual(1);
    const history = await historyOf(idno);
    expect(history[0]?.to?.id ?? null).toBe(links[0]?.to_id ?? null);
    for (const [index, { from, to }] of history.entries()) {
      expect(from).toEqual(history[index + 1]?.to ?? null);
      expect(to).not.toEqual(from);
    }
    const [record] = await room.services.sql`
      select r.version = max(v.version) and r.version = count(*) as complete from revisions v join records r on r.id = v.record_id
      where v.record_id = ${id(idno)} group by r.id`;
    expect(record!.complete).toBe(true);
  }

  /** Any way of moving objects, chosen by a generator with this seed. */
  async function moveInAnyWay(seed: number, steps: number): Promise<void> {
    let state = seed;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const one = <T>(all: readonly T[]): T => all[random(all.length)]!;
    const undoable: string[] = [];
    const refusable = async (work: Promise<unknown>) => {
      await work.catch((error: { code?: string }) => {
        // it has this link already
        if (error.code !== "23505") throw error;
      });
    };
    const STORED = { No: "__idno__", At: "__relation:stored_at:storage_location__" };
    const OBJECTS = ["A", "B", "C"];
    const PLACES = ["S1", "S2", "S3"];
    const ways: Record<string, () => Promise<unknown>> = {
      move: () => move(one(OBJECTS), one(PLACES)),
      moveAll: async () => {
        const answer = await moveAll([one(OBJECTS), one(OBJECTS)], one(PLACES));
        undoable.push((await read<{ import_id: string }>(Promise.resolve(answer))).import_id);
      },
      link: () =>
        refusable(
          addRelation(
            ...([room.services, OPERATOR, "object", id(one(OBJECTS))] as const),
            { ...STORES, to_id: id(one(PLACES)), metadata_: {} },
            null,
          ),
        ),
      unlink: async () => {
        const [link] = await room.services.sql<{ id: string; from_id: string }[]>`
          select id, from_id from relations where relation_type = 'stored_at' order by id limit 1`;
        if (!link) return;
        const place = { kind: "object", id: link.from_id, relationId: link.id, expected: null } as const;
        await removeRelation(room.services, OPERATOR, place);
      },
      importObjects: async () => {
        const upsertStrategy = one(["link", "merge", "replace"] as const);
        const at = upsertStrategy === "link" ? one(PLACES) : one([...PLACES, ""]);
        const done = await run(`No,At\n${one(OBJECTS)},${at}\n${one(OBJECTS)},${one(PLACES)}\n`, STORED, {
          upsertStrategy,
        });
        undoable.push(done.importId);
      },
      importPlaces: async () => {
        const mapping = { No: "__idno__", Has: "__relation:stores:object__" };
        const done = await run(`No,Has\n${one(PLACES)},${one(OBJECTS)}\n`, mapping, {
          kind: "storage_location",
          upsertStrategy: "merge",
        });
        undoable.push(done.importId);
      },
      edit: async () => {
        const importId = newId();
        const edit = { what: "link", ...STORES, to_id: id(one(PLACES)) } as const;
        await beginImport(room.services.sql, {
          ...{ id: importId, source: "edit", record_type: "object", options: {}, actor_id: null },
        });
        const chosen = await room.services.sql<{ id: string; version: number }[]>`
          select id, version from records where id in (${id("A")}, ${id(one(OBJECTS))})`;
        await editPart(room.services, OPERATOR, { id: importId, kind: "object", edit }, chosen);
        undoable.push(importId);
      },
      undo: async () => {
        const last = undoable.pop();
        if (last !== undefined) await undo(last);
      },
    };
    const names = Object.keys(ways);
    for (let step = 0; step < steps; step++) {
      const name = one(names);
      await ways[name]!();
      for (const idno of OBJECTS)
        await demandSound(idno).catch((error) => {
          throw new Error(`seed ${seed}, step ${step} (${name}), ${idno}`, { cause: error });
        });
    }
  }

  it("whatever moves an object, it has one place and a history without gaps", () => moveInAnyWay(7, 12));

  inLong(it)(
    "the same for many orders of moves",
    async () => {
      for (let seed = 1; seed <= 4; seed++) await moveInAnyWay(seed, 40);
    },
    300_000,
  );
});
