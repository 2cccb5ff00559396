/** What becomes of links: the histories of both ends tell who made, changed and removed them, and removed ones come back. */
import { describe, expect, it } from "vitest";
import { create, createObject, type Page, read, withRole } from "../../support/museum/catalogue.ts";
import { databases, museumHere } from "../../support/museum/museum.ts";

type Link = {
  relation_id: string | null;
  relation_type: string;
  to_idno: string;
  from: unknown;
  to: unknown;
};
type Revision = { version: number; action: string; links: Link[]; note: unknown };
type Relation = { id: string; relation_type: string; to_id: string; metadata_: unknown; created_at: string };

describe.each(databases)("the history of links in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const maker = await create(editor, "entity", { metadata_: { name: [{ value: "Greta Lindqvist" }] } });
  // reads objects, but nobody's drafts of people
  const limited = await withRole(museum, "objects_only", { object: ["read", "update"] });

  const history = async (path: string, ask = editor) =>
    (await read<Page<Revision>>(ask(`${path}/history`))).items;
  const relations = async (path: string) => (await read<Page<Relation>>(editor(`${path}/relations`))).items;
  const created = { relation_type: "created_by", to_type: "entity" } as const;
  const link = (path: string, more: Record<string, unknown> = {}) =>
    read<Relation>(editor(`${path}/relations`, { json: { ...created, to_id: maker.id, ...more } }), 201);
  const objectPath = async (title: string) => `/v1/objects/${(await createObject(editor, title)).id}`;

  it("tells what came, changed and went, between what", async () => {
    const path = await objectPath("Bowl");
    const { id } = await link(path, { metadata_: { role: [{ value: "potter" }] } });
    const json = { metadata_: { role: [{ value: "thrower" }] } };
    await read(editor(`${path}/relations/${id}`, { method: "PATCH", json }));
    expect((await editor(`${path}/relations/${id}`, { method: "DELETE" })).status).toBe(204);
    const told = (await history(path)).flatMap(({ links }) => links);
    const made = { relation_id: id, relation_type: "created_by", to_type: "entity", to_id: maker.id };
    const role = (value: string) => ({ role: [{ value }] });
    expect(told).toMatchObject([
      { ...made, from: role("thrower"), to: null },
      {
        ...made,
        to_idno: maker.idno,
        to_title: "Greta Lindqvist",
        from: role("potter"),
        to: role("thrower"),
      },
      { ...made, from: null, to: role("potter") },
    ]);
  });

  it("does not tell of a record that the reader may not see", async () => {
    const path = await objectPath("Cup");
    await link(path);
    const [newest] = await history(path, limited);
    expect(newest).toMatchObject({ action: "relation_added", links: [], note: null });
    await read(editor(`/v1/entities/${maker.id}/publish`, { method: "POST" }));
    expect((await history(path, limited))[0]!.links).toMatchObject([{ to_idno: maker.idno }]);
    await read(editor(`/v1/entities/${maker.id}/status`, { json: { status: "draft" } }));
  });

  it("tells that the other record was deleted for good", async () => {
    const path = await objectPath("Plate");
    const gone = await create(editor, "entity");
    await link(path, { to_id: gone.id });
    const superuser = await museum.as("superuser");
    expect((await editor(`/v1/entities/${gone.id}?force=true`, { method: "DELETE" })).status).toBe(204);
    expect((await history(path))[0]!.links).toMatchObject([{ to_type: "entity", to_idno: gone.idno }]);
    expect((await superuser(`/v1/entities/${gone.id}/purge`, { method: "POST" })).status).toBe(204);
    expect((await history(path))[0]!.links).toMatchObject([{ to_type: null, to_id: gone.id, to_idno: null }]);
  });

  it("puts a removed link back as it was, at its place, from either end", async () => {
    const path = await objectPath("Jug");
    const metadata_ = {
      role: [{ value: "potter", lang: "en" }],
      qualifier: [{ value: "workshop_of" }],
      since: [{ value: "1650" }],
    };
    const { id } = await link(path, { metadata_ });
    await link(path, { to_id: (await create(editor, "entity")).id });
    const before = await relations(path);
    for (const end of [path, `/v1/entities/${maker.id}`]) {
      expect((await editor(`${path}/relations/${id}`, { method: "DELETE" })).status).toBe(204);
      expect(await relations(path)).toHaveLength(1);
      const back = await read<Relation>(editor(`${end}/relations/${id}/restore`, { method: "POST" }));
      expect(back).toMatchObject({ id, metadata_ });
      expect(await relations(path)).toEqual(before);
    }
    expect((await history(path)).map(({ action }) => action).slice(0, 2)).toEqual([
      "relation_added",
      "relation_removed",
    ]);
    const version = (await history(path))[0]!.version;
    await read(editor(`${path}/relations/${id}/restore`, { method: "POST" }));
    expect((await history(path))[0]!.version, "it is there already").toBe(version);
  });

  it("refuses to put back what never was, what the reader may not see, and what another link says by now", async () => {
    const path = await objectPath("Vase");
    const other = await objectPath("Pot");
    const put = (at: string, id: string, ask = editor) =>
      ask(`${at}/relations/${id}/restore`, { method: "POST" });
    const { id } = await link(path);
    await editor(`${path}/relations/${id}`, { method: "DELETE" });
    expect((await put(path, crypto.randomUUID())).status).toBe(404);
    expect((await put(other, id)).status).toBe(404);
    expect((await put(path, id, limited)).status).toBe(404);
    expect((await put(path, id, await museum.as("viewer"))).status).toBe(403);
    await link(path);
    expect((await put(path, id)).status).toBe(409);
  });

  it("restores the fields of a version, its links, or both, and lists links that cannot come back", async () => {
    const path = await objectPath("Dish");
    const title = async (value: string) =>
      read(editor(path, { method: "PATCH", json: { metadata_: { title: [{ value, lang: "en" }] } } }));
    const [kept, lost, later] = [
      await create(editor, "entity"),
      await create(editor, "entity"),
      await create(editor, "entity"),
    ];
    const first = await link(path, { to_id: kept.id, metadata_: { role: [{ value: "potter" }] } });
    const second = await link(path, { to_id: lost.id });
    const place = await create(editor, "storage_location");
    const { version } = (await history(path))[0]!;
    const before = await relations(path);
    await editor(`${path}/relations`, {
      json: { relation_type: "stored_at", to_type: "storage_location", to_id: place.id },
    });
    await editor(`${path}/relations/${first.id}`, {
      method: "PATCH",
      json: { metadata_: { role: [{ value: "owner" }] } },
    });
    await editor(`${path}/relations/${second.id}`, { method: "DELETE" });
    await link(path, { to_id: later.id });
    await title("Another name");
    const restore = (part: string) =>
      read(editor(`${path}/history/${version}/restore?part=${part}`, { method: "POST" }));
    const makers = async () =>
      (await relations(path)).filter(({ relation_type }) => relation_type === "created_by");
    await editor(`/v1/entities/${lost.id}?force=true`, { method: "DELETE" });
    await restore("links");
    expect(await makers()).toEqual(before.filter(({ to_id }) => to_id === kept.id));
    const [newest] = await history(path);
    expect(newest).toMatchObject({ action: "reverted", changes: [] });
    expect(newest!.links).toContainEqual(
      expect.objectContaining({ to_idno: lost.idno, from: null, to: null }),
    );
    expect((await read(editor(path))).metadata_.title).toEqual([{ value: "Another name", lang: "en" }]);
    await read(editor(`/v1/entities/${lost.id}/restore`, { method: "POST" }));
    await restore("all");
    expect(await makers()).toEqual(before);
    expect((await read(editor(path))).metadata_.title).toEqual([{ value: "Dish", lang: "en" }]);
    expect((await relations(path)).filter(({ relation_type }) => relation_type === "stored_at")).toHaveLength(
      1,
    );
    // and there again, from before
    await read(editor(`${path}/history/1/restore?part=links`, { method: "POST" }));
    expect(await makers()).toEqual([]);
    await restore("links");
    expect(await makers()).toEqual(before);
  });
});
