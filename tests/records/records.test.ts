import { describe, expect, it } from "vitest";
import { KINDS, type Kind } from "../../src/records/kinds.ts";
import {
  create,
  createObject,
  english,
  faults,
  type Page,
  type ProblemJson,
  type RecordJson,
  read,
  samples,
} from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

type Shapes = Record<string, { properties: Record<string, { description: string }> }>;

const keys = (own: string): string[] => `id idno ${own} metadata_ created_at updated_at`.split(" ");
const KEYS: Record<Kind, string[]> = {
  object: keys("object_type collection_status status"),
  entity: keys("entity_type status"),
  place: keys("place_type status lat lon"),
  occurrence: keys("occurrence_type status"),
  procedure: keys("procedure_type status start_date end_date due_date reference_number"),
  collection: keys("collection_type status parent_id"),
  storage_location: keys("storage_location_type status parent_id"),
};

describe.each(databases)("records in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const patch = (path: string, json: unknown) => editor(path, { method: "PATCH", json });
  const put = (path: string, json: unknown) => editor(path, { method: "PUT", json });
  const versionOf = async (id: string) => {
    const [row] = await museum.services.sql<
      { version: number }[]
    >`select version from records where id = ${id}`;
    return row!.version;
  };

  describe("an object", () => {
    it("has exactly the eight fields of the contract, in order", async () => {
      const object = await createObject(editor, "Ketch in a calm", { status: "public" });
      expect(Object.keys(object)).toEqual(KEYS.object);
      const text = await (await museum.ask(`/v1/objects/${object.id}`)).text();
      expect(JSON.parse(text)).toEqual({ ...object, updated_at: expect.stringMatching(/:\d\d\.000000$/) });
      expect(Object.keys(JSON.parse(text))).toEqual(KEYS.object);
      expect(object).toMatchObject({
        object_type: "painting",
        collection_status: "active",
        status: "public",
        metadata_: { title: [{ value: "Ketch in a calm", lang: "en" }] },
      });
      expect(object.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(object.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
      expect(object.updated_at).toBe(object.created_at);
    });

    it("is the same in a list as on its own", async () => {
      const object = await createObject(editor, "Brig off the mole");
      const list = await read<Page>(editor(`/v1/objects?idno=${object.idno}`));
      expect(list).toEqual({ total: 1, page: 1, page_size: 50, items: [object] });
      expect(Object.keys(list)).toEqual(["total", "page", "page_size", "items"]);
      expect(Object.keys(list.items[0]!)).toEqual(KEYS.object);
    });

    it("keeps its entries in order, with value before lang, and fields in the order of the schema", async () => {
      const entries = [{ lang: "de", value: "Hafen" }, { value: "Harbour", lang: "en" }, { value: "Havn" }];
      const { id } = await create(editor, "object", {
        metadata_: { material: [{ value: "oil" }], title: entries, description: [] },
      });
      const text = await (await editor(`/v1/objects/${id}`)).text();
      expect(text).toContain(
        '"metadata_":{"title":[{"value":"Hafen","lang":"de"},{"value":"Harbour","lang":"en"},{"value":"Havn"}],"material":[{"value":"oil"}]}',
      );
    });

    it("is also available under /api/v1, and Location then says so", async () => {
      const answer = await editor("/api/v1/objects", { json: samples.object.draft });
      const object = await read(answer, 201);
      expect(answer.headers.get("Location")).toBe(`/api/v1/objects/${object.id}`);
      expect(await read(editor(`/api/v1/objects/${object.id}`))).toEqual(object);
      expect(await faults(editor("/api/v1/objects/x"))).toEqual(["path:id"]);
    });

    it("includes what `include` asks for, and refuses unknown names", async () => {
      const { id } = await create(editor, "object", {
        metadata_: { title: [...english("Night ferry"), { value: "Nachtfähre", lang: "de" }] },
      });
      const german = { headers: { "Accept-Language": "fr;q=0.2, de-CH" } };
      const withMore = await read(editor(`/v1/objects/${id}?include=title,version,relations`, german));
      expect(withMore).toMatchObject({ title: "Nachtfähre", version: 1, relations: [] });
      const extra = ["title", "version", "relations", "relations_total", "relations_url"];
      expect(Object.keys(withMore)).toEqual([...KEYS.object, ...extra]);
      expect(await faults(editor(`/v1/objects/${id}?include=title,secrets`))).toEqual(["query:include"]);
    });

    it.each(["active", "pending", "on_loan_in", "on_loan_out", "deaccessioned", "returned"])(
      "can have the collection status %s",
      async (collection_status) => {
        const object = await createObject(editor, "Sextant", { collection_status });
        expect(object.collection_status).toBe(collection_status);
        const path = `/v1/objects?collection_status=${collection_status}&page_size=200`;
        const { items } = await read<Page>(editor(path));
        expect(items.map((item) => item.id)).toContain(object.id);
        expect(new Set(items.map((item) => item.collection_status))).toEqual(new Set([collection_status]));
      },
    );

    it("cannot have another collection status, and records of other kinds have none", async () => {
      const lost = { ...samples.object.draft, collection_status: "lost" };
      expect(await faults(editor("/v1/objects", { json: lost }))).toEqual(["/collection_status"]);
      const place = { ...samples.place.draft, collection_status: "active" };
      expect(await faults(editor("/v1/places", { json: place }))).toEqual(["/collection_status"]);
    });
  });

  describe.each(KINDS)("a record of the kind %s", (kind) => {
    const { plural, prefix, draft } = samples[kind];
    const titleField = "title" in (draft.metadata_ as object) ? "title" : "name";
    let record: RecordJson;

    it("is created with its own fields and a number", async () => {
      const answer = await editor(`/v1/${plural}`, { json: draft });
      record = await read(answer, 201);
      expect(Object.keys(record)).toEqual(KEYS[kind]);
      expect(record).toMatchObject({ ...draft, status: "draft" });
      expect(record.idno).toMatch(new RegExp(`^${prefix}\\d{6}$`));
      expect(answer.headers.get("Location")).toBe(`/v1/${plural}/${record.id}`);
      expect(answer.headers.get("ETag")).toBe('"1"');
      expect(await read(editor(`/v1/${plural}/${record.id}`))).toEqual(record);
    });

    it("stays as it is when its own answer is sent back", async () => {
      const again = await read(put(`/v1/${plural}/${record.id}`, record));
      expect(again).toEqual(record);
      expect(await versionOf(record.id)).toBe(1);
    });

    it("can be replaced: what is left out is emptied, number, type and statuses stay", async () => {
      const metadata_ = { [titleField]: english("Another name") };
      const replaced = await read(put(`/v1/${plural}/${record.id}`, { metadata_ }));
      const { created_at, idno, id, status } = record;
      expect(replaced).toMatchObject({ id, idno, status, created_at, metadata_ });
      expect(replaced[`${kind}_type`]).toBe(record[`${kind}_type`]);
      for (const column of ["lat", "lon", "start_date", "reference_number"]) {
        if (column in replaced) expect(replaced[column]).toBeNull();
      }
      expect(replaced.updated_at > record.updated_at).toBe(true);
    });

    it("can be changed with a merge patch", async () => {
      const metadata_ = { [titleField]: english("A third name") };
      const changed = await read(patch(`/v1/${plural}/${record.id}`, { metadata_ }));
      expect(changed.metadata_).toEqual(metadata_);
      expect(await versionOf(record.id)).toBe(3);
    });

    it("can be deleted and restored", async () => {
      expect((await editor(`/v1/${plural}/${record.id}`, { method: "DELETE" })).status).toBe(204);
      await faults(editor(`/v1/${plural}/${record.id}`), 404);
      const trash = await read<Page>(editor(`/v1/${plural}/trash`));
      expect(trash.items.map((item) => item.id)).toEqual([record.id]);
      const restored = await read(editor(`/v1/${plural}/${record.id}/restore`, { method: "POST" }));
      expect(restored.metadata_).toEqual({ [titleField]: english("A third name") });
      expect(await read(editor(`/v1/${plural}/${record.id}`))).toEqual(restored);
      expect((await read<Page>(editor(`/v1/${plural}/trash`))).total).toBe(0);
    });

    it("is not found under the address of another kind", async () => {
      const other = kind === "object" ? "entities" : "objects";
      await faults(editor(`/v1/${other}/${record.id}`), 404);
      await faults(patch(`/v1/${other}/${record.id}`, {}), 404);
    });
  });

  describe("a merge patch", () => {
    it("removes what is null, merges objects and replaces lists", async () => {
      const before = { material: [{ value: "paper" }], edition: [{ value: "2nd" }] };
      const { id } = await createObject(editor, "Log book", { metadata_: before });
      const after = { material: null, edition: [{ value: "3rd" }], technique: [{ value: "printing" }] };
      const changed = await read(patch(`/v1/objects/${id}`, { object_type: "book", metadata_: after }));
      expect(changed.object_type).toBe("book");
      expect(changed.metadata_).toEqual({
        title: english("Log book"),
        edition: [{ value: "3rd" }],
        technique: [{ value: "printing" }],
      });
      expect((await read(patch(`/v1/objects/${id}`, { metadata_: null }))).metadata_).toEqual({});
    });

    it("may also be sent as application/merge-patch+json", async () => {
      const { id } = await createObject(editor, "Compass");
      const { metadata_ } = await read(
        editor(`/v1/objects/${id}`, {
          method: "PATCH",
          body: '{"metadata_":{"edition":[{"value":"1st"}]}}',
          headers: { "Content-Type": "application/merge-patch+json; charset=utf-8" },
        }),
      );
      expect(metadata_).toEqual({ title: english("Compass"), edition: [{ value: "1st" }] });
    });

    it("removes coordinates only in pairs", async () => {
      const { id } = await create(editor, "place");
      expect(await faults(patch(`/v1/places/${id}`, { lat: null }))).toEqual(["/lat"]);
      const nowhere = { lat: null, lon: null };
      expect(await read(patch(`/v1/places/${id}`, nowhere))).toMatchObject(nowhere);
    });

    it("can be sent as an answer of its own, but a new record cannot, because it is given another id", async () => {
      const { id } = await createObject(editor, "Anchor");
      const answer = await read(editor(`/v1/objects/${id}`));
      expect((await put(`/v1/objects/${id}`, answer)).status).toBe(200);
      const { idno: _, ...copy } = answer;
      expect((await read<ProblemJson>(editor("/v1/objects", { json: copy }), 422)).errors).toEqual([
        { pointer: "/id", detail: "must be left out: POST gives a new id", code: "id.given" },
      ]);
      const { id: __, ...fresh } = copy;
      expect((await read(editor("/v1/objects", { json: fresh }), 201)).id).not.toBe(id);
      const { components } = await read<{ components: { schemas: Shapes } }>(museum.ask("/openapi.json"));
      const saidOf = (shape: string, member: string) =>
        components.schemas[shape]!.properties[member]!.description;
      for (const shape of ["NewObject", "ObjectDraft"])
        expect(saidOf(shape, "created_at")).toBe("Ignored: the service sets it");
      expect(saidOf("NewObject", "id")).toBe("Left out: a new record is given an id");
      expect(saidOf("ObjectDraft", "id")).toBe(
        "The id of this record, so that you can send an answer back; it cannot be changed",
      );
    });

    it("cannot change the id", async () => {
      const { id } = await createObject(editor, "Anchor");
      expect(await faults(patch(`/v1/objects/${id}`, { id: crypto.randomUUID() }))).toEqual(["/id"]);
      expect(await faults(put(`/v1/objects/${id}`, { id: crypto.randomUUID() }))).toEqual(["/id"]);
    });
  });

  describe("kinds with additional columns", () => {
    it.each([
      [{ lat: 90, lon: -180 }, []],
      [{ lat: -90, lon: 180 }, []],
      [{ lat: 90.01, lon: 0 }, ["/lat"]],
      [{ lat: 0, lon: 180.5 }, ["/lon"]],
      [{ lat: 10, lon: null }, ["/lon"]],
      [{ lat: "54.8", lon: 9.4 }, ["/lat"]],
    ])("a place at %j has faults at %j", async (position, expected) => {
      const answer = await editor("/v1/places", { json: { ...samples.place.draft, ...position } });
      if (expected.length === 0) expect(await read(answer, 201)).toMatchObject(position);
      else expect(await faults(answer)).toEqual(expected);
    });

    it("a procedure has dates, and does not end before it begins", async () => {
      const dates = { start_date: "2024-02-29", end_date: "2024-02-29", due_date: "9999-12-31" };
      const procedure = await create(editor, "procedure", dates);
      expect(procedure).toMatchObject({ ...dates, reference_number: "INV 2026/1" });
      const { id } = procedure;
      expect(await faults(patch(`/v1/procedures/${id}`, { end_date: "2024-02-28" }))).toEqual(["/end_date"]);
      for (const due_date of ["2023-02-29", "2024-1-1", "0000-01-01", "1887~", 20240101]) {
        expect(await faults(patch(`/v1/procedures/${id}`, { due_date }))).toEqual(["/due_date"]);
      }
      expect(await read(patch(`/v1/procedures/${id}`, { due_date: null }))).toMatchObject({ due_date: null });
    });
  });
});
