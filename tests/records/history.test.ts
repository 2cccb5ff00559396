import { describe, expect, it } from "vitest";
import {
  bulk,
  create,
  createObject,
  english,
  faults,
  type Page,
  type RecordJson,
  read,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

type Revision = {
  version: number;
  at: string;
  action: string;
  actor: { id: string; email: string } | null;
  import_id: string | null;
  changes: { pointer: string; from: unknown; to: unknown }[];
  note: Record<string, unknown> | null;
};

describe.each(databases)("history in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const cataloger = await museum.as("cataloger");

  const history = (path: string, query = "") => read<Page<Revision>>(editor(`${path}/history${query}`));
  const patch = (path: string, json: unknown, ask = editor) => read(ask(path, { method: "PATCH", json }));
  const restore = (path: string, version: number, ask = editor) =>
    ask(`${path}/history/${version}/restore`, { method: "POST" });
  const me = (ask: Ask) => read<{ account?: { id: string; email: string } }>(ask("/v1/auth/me"));

  /** An object after four changes. */
  async function objectWithHistory() {
    const object = await createObject(editor, "Chronometer");
    const path = `/v1/objects/${object.id}`;
    await patch(path, { metadata_: { title: [{ value: "Ship's chronometer", lang: "en" }] } }, cataloger);
    await patch(path, { object_type: "scientific_instrument", metadata_: { edition: [{ value: "No. 7" }] } });
    await read(editor(`${path}/publish`, { method: "POST" }));
    const idno = `CHR-${object.idno}`;
    await patch(path, { metadata_: { edition: null }, collection_status: "on_loan_out", idno });
    return { object, path };
  }

  describe("a history", () => {
    it("shows who did what, when, and with what result, newest first", async () => {
      const { object, path } = await objectWithHistory();
      const before = await read(editor(path));
      const page = await history(path);
      expect(page).toMatchObject({ total: 5, page: 1, page_size: 50 });
      expect(page.items.map(({ version, action }) => [version, action])).toEqual([
        [5, "updated"],
        [4, "status_changed"],
        [3, "updated"],
        [2, "updated"],
        [1, "created"],
      ]);
      expect(Object.keys(page.items[0]!)).toEqual(
        "version at action actor import_id changes links note".split(" "),
      );
      expect(page.items.map(({ changes }) => changes)).toEqual([
        [
          { pointer: "/idno", from: object.idno, to: `CHR-${object.idno}` },
          { pointer: "/collection_status", from: "active", to: "on_loan_out" },
          { pointer: "/metadata_/edition", from: [{ value: "No. 7" }], to: null },
        ],
        [{ pointer: "/status", from: "draft", to: "public" }],
        [
          { pointer: "/object_type", from: "painting", to: "scientific_instrument" },
          { pointer: "/metadata_/edition", from: null, to: [{ value: "No. 7" }] },
        ],
        [{ pointer: "/metadata_/title", from: english("Chronometer"), to: english("Ship's chronometer") }],
        [
          { pointer: "/idno", from: null, to: object.idno },
          { pointer: "/object_type", from: null, to: "painting" },
          { pointer: "/status", from: null, to: "draft" },
          { pointer: "/collection_status", from: null, to: "active" },
          { pointer: "/metadata_/title", from: null, to: english("Chronometer") },
        ],
      ]);
      const times = page.items.map(({ at }) => at);
      expect(times).toEqual([...times].sort().toReversed());
      for (const at of times) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      expect(Math.abs(Date.parse(`${times[0]!}Z`) - Date.parse(`${before.updated_at}Z`))).toBeLessThan(1_000);

      const emails = page.items.map(({ actor }) => actor!.email.split("-")[0]);
      expect(emails).toEqual(["editor", "editor", "editor", "cataloger", "editor"]);
      expect(JSON.stringify(await me(editor))).toContain(page.items[0]!.actor!.id);
      expect(JSON.stringify(await me(cataloger))).toContain(page.items[3]!.actor!.id);
      expect(page.items.every(({ import_id, note }) => import_id === null && note === null)).toBe(true);
    });

    it("shows changes in columns of places and procedures", async () => {
      const place = await create(editor, "place");
      await patch(`/v1/places/${place.id}`, { lat: null, lon: null });
      expect((await history(`/v1/places/${place.id}`)).items[0]!.changes).toEqual([
        { pointer: "/lat", from: 54.8, to: null },
        { pointer: "/lon", from: 9.4, to: null },
      ]);
      const procedure = await create(editor, "procedure");
      await patch(`/v1/procedures/${procedure.id}`, { end_date: "2026-02-01", reference_number: null });
      expect((await history(`/v1/procedures/${procedure.id}`)).items[0]!.changes).toEqual([
        { pointer: "/end_date", from: null, to: "2026-02-01" },
        { pointer: "/reference_number", from: "INV 2026/1", to: null },
      ]);
    });

    it("shows deletions, restorations and links, with the linked record", async () => {
      const { id } = await createObject(editor, "Buoy");
      const maker = await create(editor, "entity");
      const path = `/v1/objects/${id}`;
      await editor(path, { method: "DELETE" });
      await read(editor(`${path}/restore`, { method: "POST" }));
      const wish = { relation_type: "created_by", to_type: "entity", to_id: maker.id };
      const relation = await read(editor(`${path}/relations`, { json: wish }), 201);
      await editor(`${path}/relations/${relation.id}`, { method: "DELETE" });
      const { items } = await history(path);
      const actions = items.map(({ action }) => action).join();
      expect(actions).toBe("relation_removed,relation_added,restored,deleted,created");
      expect(items.slice(0, 4).every(({ changes }) => changes.length === 0)).toBe(true);
      const about = { relation_id: relation.id, relation_type: "created_by", to_id: maker.id };
      for (const { note } of items.slice(0, 2)) expect(note).toMatchObject(about);
    });

    it("names the import that made a version, whose counts are kept", async () => {
      const { id, idno } = await createObject(editor, "Signal flag");
      const object_type = "textile";
      const lines = [{ idno, object_type }, { object_type }, { object_type: "nonsense" }];
      const results = await bulk(editor, "objects?upsert=merge", lines);
      expect(results.map(({ outcome }) => outcome)).toEqual(["updated", "created", "rejected"]);
      const [changed] = (await history(`/v1/objects/${id}`)).items;
      const [made] = (await history(`/v1/objects/${results[1]!.id}`)).items;
      expect(changed).toMatchObject({ version: 2, action: "updated", import_id: expect.any(String) });
      expect(made).toMatchObject({ version: 1, action: "created", import_id: changed!.import_id });
      const [row] = await museum.services.sql`
        select source, record_type, state, rows_done, created, updated, rejected, actor_id
        from imports where id = ${changed!.import_id}`;
      expect(row).toEqual({
        ...{ source: "bulk", record_type: "object", state: "finished", actor_id: changed!.actor!.id },
        ...{ rows_done: 3, created: 1, updated: 1, rejected: 1 },
      });
    });

    it("can show the record at each version", async () => {
      const { path } = await objectWithHistory();
      const { items } = await history(path);
      const first = await read<RecordJson>(editor(`${path}/history/1`));
      const now = await read<RecordJson>(editor(path));
      expect(Object.keys(first)).toEqual(Object.keys(now));
      expect(first).toMatchObject({ id: now.id, created_at: now.created_at, updated_at: items.at(-1)!.at });
      expect(first.metadata_).not.toEqual(now.metadata_);
      const last = await read(editor(`${path}/history/${items.length}`));
      expect({ ...last, updated_at: now.updated_at }).toEqual(now);
      await faults(editor(`${path}/history/99`), 404);
      await faults(museum.ask(`${path}/history/1`), 401);
    });

    it("is paged, with a constant total", async () => {
      const { path } = await objectWithHistory();
      const pages = [1, 2, 3, 4].map((page) => history(path, `?page=${page}&page_size=2`));
      const read = await Promise.all(pages);
      expect(read.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
      expect(read.map(({ items }) => items.map(({ version }) => version))).toEqual([[5, 4], [3, 2], [1], []]);
      expect(read.flatMap(({ items }) => items)).toEqual((await history(path)).items);
      for (const query of ["?page=0", "?page_size=1000", "?since=1"])
        await faults(editor(`${path}/history${query}`));
    });

    it("is for staff only", async () => {
      const { path } = await objectWithHistory();
      await faults(museum.ask(`${path}/history`), 401);
      await faults(restore(path, 1, museum.ask), 401);
      const viewer = await museum.as("viewer");
      expect((await viewer(`${path}/history`)).headers.get("Cache-Control")).toBe("private, no-store");
      await faults(restore(path, 1, viewer), 403);
    });
  });

  describe("restoring a version", () => {
    it("writes the state of the older version as a new version", async () => {
      const { object, path } = await objectWithHistory();
      await read(editor(`${path}/status`, { json: { status: "draft" } }));
      const answer = await restore(path, 1);
      expect(answer.headers.get("ETag")).toBe('"7"');
      const restored = await read(answer);
      expect(restored).toEqual({ ...object, updated_at: restored.updated_at });
      const { items } = await history(path);
      expect(items[0]).toMatchObject({ version: 7, action: "reverted" });
      const pointers = items[0]!.changes.map(({ pointer }) => pointer).join();
      expect(pointers).toBe("/idno,/object_type,/collection_status,/metadata_/title");
      expect((await read(restore(path, 3))).metadata_.edition).toEqual([{ value: "No. 7" }]);
    });

    it("changes nothing if it is the current one", async () => {
      const { path } = await objectWithHistory();
      const present = await read(editor(path));
      expect(await read(restore(path, 5))).toEqual(present);
      expect((await history(path)).total).toBe(5);
    });

    it("keeps the status: it neither publishes nor withdraws the record", async () => {
      const { object, path } = await objectWithHistory();
      const asDraft = await read(restore(path, 1, cataloger));
      expect(asDraft).toEqual({ ...object, status: "public", updated_at: asDraft.updated_at });
      const [latest] = (await history(path)).items;
      expect(latest!.changes.map(({ pointer }) => pointer)).not.toContain("/status");
      await read(museum.ask(path));

      await read(editor(`${path}/status`, { json: { status: "internal" } }));
      const asPublic = await read(restore(path, 4, cataloger));
      expect(asPublic).toMatchObject({ status: "internal", object_type: "scientific_instrument" });
      await faults(museum.ask(path), 404);
    });

    it("changes nothing if it differs only in its status", async () => {
      const object = await createObject(editor, "Sextant");
      const path = `/v1/objects/${object.id}`;
      await read(editor(`${path}/publish`, { method: "POST" }));
      expect((await restore(path, 1)).headers.get("ETag")).toBe('"2"');
      expect((await history(path)).total).toBe(2);
    });

    it("is refused if a public record would lack what publication requires", async () => {
      const { id } = await create(editor, "object", { metadata_: { edition: [{ value: "No. 7" }] } });
      const path = `/v1/objects/${id}`;
      await patch(path, { metadata_: { title: english("Chronometer"), edition: null } });
      await read(editor(`${path}/publish`, { method: "POST" }));
      expect(await faults(restore(path, 1))).toEqual(["/metadata_/title"]);
      expect((await history(path)).total).toBe(3);
      await read(editor(`${path}/status`, { json: { status: "draft" } }));
      expect((await read(restore(path, 1))).metadata_).toEqual({ edition: [{ value: "No. 7" }] });
    });

    it("fails with 404 if there is no such version", async () => {
      const { path } = await objectWithHistory();
      for (const version of [6, 999_999_999]) await faults(restore(path, version), 404);
      for (const version of [0, -1, 1.5, 1e12])
        expect(await faults(restore(path, version))).toEqual(["path:version"]);
      await faults(restore(`/v1/objects/${crypto.randomUUID()}`, 1), 404);
    });

    it("is a conflict if another record has its number by now", async () => {
      const { object, path } = await objectWithHistory();
      await createObject(editor, "Takes the number", { idno: object.idno });
      await faults(restore(path, 1), 409);
      expect((await history(path)).total).toBe(5);
    });

    it("is refused if its parent has been deleted", async () => {
      const parent = await create(editor, "collection");
      const child = await create(editor, "collection", { parent_id: parent.id });
      await editor(`/v1/collections/${parent.id}?force=true`, { method: "DELETE" });
      expect(await faults(restore(`/v1/collections/${child.id}`, 1))).toEqual(["/parent_id"]);
    });
  });

  describe("the revisions", () => {
    it("are never changed, not even in SQL", async () => {
      const { object, path } = await objectWithHistory();
      const { sql } = museum.services;
      const before = await history(path);
      const one = sql`update revisions set action = 'deleted' where record_id = ${object.id}`;
      await expect(one).rejects.toMatchObject({ code: "23001" });
      const all = sql`update revisions set at = now() where false or version = 1`;
      await expect(all).rejects.toThrow("never changed");
      expect(await history(path)).toEqual(before);
    });

    it("cover every version of every record, without gaps", async () => {
      const rows = await museum.services.sql`
        select r.id from records r
        where r.version <> (select count(*) from revisions v where v.record_id = r.id)
          or r.version <> (select max(version) from revisions v where v.record_id = r.id)`;
      expect(rows).toHaveLength(0);
      const [all] = await museum.services.sql<{ n: number }[]>`select count(*)::int as n from records`;
      expect(all!.n).toBeGreaterThan(10);
    });
  });
});
