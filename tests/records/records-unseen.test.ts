/** API keys and roles that write, publish or delete records of a kind that they may not read. */
import { describe, expect, it } from "vitest";
import type { Kind } from "../../src/records/kinds.ts";
import {
  bulk,
  create,
  createObject,
  english,
  type Page,
  read,
  samples,
  withKey,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, quickest } from "../support/museum/museum.ts";

type Init = Parameters<Ask>[1];
type Relations = Page<{ id: string; to_id: string }>;

/** Without a version, with one that no record has, and with any. */
const matching: Record<string, string>[] = [{}, { "If-Match": '"99"' }, { "If-Match": "*" }];

const post = (json: unknown): Init => ({ method: "POST", json });
const put = (json: unknown): Init => ({ method: "PUT", json });
const patch = (json: unknown): Init => ({ method: "PATCH", json });

describe.each(databases)("records that a writer does not see, in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const visitor = museum.ask;
  const editor = await museum.as("editor");
  /** An API key that may do everything with records except read them. */
  const blind = await withKey(museum, editor, "records:write", "records:publish", "records:delete");

  const noted = { title: english("Lead seal"), internal_note: english("Found by KESTREL") };
  const published = (more: object = {}) =>
    createObject(editor, "", { status: "public", metadata_: noted, ...more });

  /** The answer without what differs in every request and without the id in the request. */
  async function comparable(ask: Ask, path: string, init: Init, id: string): Promise<[number, string]> {
    const answer = await ask(path, init);
    const headers = [...answer.headers].filter(([name]) => !/^x-request-id$|^ratelimit/.test(name));
    const text = `${await answer.text()} ${JSON.stringify(headers)}`;
    return [answer.status, text.replaceAll(id, "ID")];
  }

  // one status on each database
  describe.each(database === quickest ? ["internal"] : ["draft"])("a record that is %s", (status) => {
    const writes: [string, (other: string) => Init][] = [
      ["", () => put({ metadata_: { title: english("Mine") } })],
      ["", () => patch({})],
      ["", () => patch({ idno: "MINE 1" })],
      ["/status", () => post({ status: "public" })],
      ["/status", () => post({ status: "draft" })],
      ["/publish", () => ({ method: "POST" })],
      ["", () => ({ method: "DELETE" })],
      ["?force=true", () => ({ method: "DELETE" })],
      ["/restore", () => ({ method: "POST" })],
      ["/history/1/restore", () => ({ method: "POST" })],
      ["/relations", (to_id) => post({ relation_type: "related_to", to_type: "object", to_id })],
      [`/relations/${crypto.randomUUID()}`, () => ({ method: "DELETE" })],
    ];

    it("does not exist for such writers, whatever they send, and stays as it is", async () => {
      const hidden = await createObject(editor, "Unfinished sampler", { status });
      const other = await published();
      const before = await read(editor(`/v1/objects/${hidden.id}?include=version`));
      const nobody = crypto.randomUUID();
      for (const [path, init] of writes) {
        for (const headers of matching) {
          const given = { ...init(other.id), headers };
          const answer = await comparable(blind, `/v1/objects/${hidden.id}${path}`, given, hidden.id);
          const shown = `${given.method} ${path} ${JSON.stringify(headers)}`;
          expect(answer[0], shown).toBe(404);
          expect(answer, shown).toEqual(
            await comparable(blind, `/v1/objects/${nobody}${path}`, given, nobody),
          );
        }
      }
      expect(await read(editor(`/v1/objects/${hidden.id}?include=version`))).toEqual(before);
    });

    it("does not reveal its number or version when If-Match is refused", async () => {
      const hidden = await createObject(editor, "Unfinished quilt", { status, idno: `QUILT ${status}` });
      for (const init of [patch({}), put({}), { method: "DELETE" }]) {
        const answer = await blind(`/v1/objects/${hidden.id}`, { ...init, headers: { "If-Match": '"99"' } });
        expect(await answer.text()).not.toMatch(/QUILT|version/);
        expect(answer.status).toBe(404);
      }
    });

    it("is not revealed by a bulk edit", async () => {
      const hidden = await createObject(editor, "Unfinished rug", { status });
      const before = await read(editor(`/v1/objects/${hidden.id}?include=version`));
      for (const upsert of ["", "?upsert=skip", "?upsert=merge", "?upsert=replace"]) {
        const { draft } = samples.object;
        const [number, id, both] = await bulk(blind, `objects${upsert}`, [
          { ...draft, idno: hidden.idno },
          { ...draft, id: hidden.id },
          { ...draft, id: crypto.randomUUID(), idno: hidden.idno },
        ]);
        const taken = [
          {
            pointer: "/idno",
            detail: expect.stringContaining("already taken by another"),
            code: "idno.taken",
          },
        ];
        expect(number).toEqual({ line: 1, outcome: "rejected", errors: taken });
        expect(id).toMatchObject({ outcome: "rejected", errors: [{ pointer: "/id" }] });
        expect(id!.errors![0]!.detail).toContain(`there is no object ${hidden.id}`);
        expect(both).toMatchObject({ outcome: "rejected", errors: taken });
      }
      expect(await read(editor(`/v1/objects/${hidden.id}?include=version`))).toEqual(before);
    });

    it("cannot be an end of a relation: such writers neither add nor remove one", async () => {
      const open = await published();
      const hidden = await createObject(editor, "Unfinished quilt", { status });
      const wish = { relation_type: "related_to", to_type: "object", to_id: hidden.id };
      const path = `/v1/objects/${open.id}/relations`;
      const link = await read(editor(path, { json: wish }), 201);
      expect((await read<Relations>(blind(path))).total).toBe(0);
      const nobody = crypto.randomUUID();
      expect(await comparable(blind, path, post(wish), hidden.id)).toEqual(
        await comparable(blind, path, post({ ...wish, to_id: nobody }), nobody),
      );
      const away = await comparable(blind, `${path}/${link.id}`, { method: "DELETE" }, link.id);
      expect(away[0]).toBe(404);
      expect(away).toEqual(await comparable(blind, `${path}/${nobody}`, { method: "DELETE" }, nobody));
      expect((await read<Relations>(editor(path))).total).toBe(1);
    });

    it("cannot be chosen as a parent, and stays the parent of records whose parent they do not see", async () => {
      const above = await create(editor, "collection", { status });
      const top = await create(editor, "collection", { status: "public" });
      const { draft, plural } = samples.collection;
      const nobody = crypto.randomUUID();
      const shelf = (more: object) => ({ ...draft, idno: undefined, ...more });
      const open = await create(editor, "collection", { status: "public", parent_id: above.id });
      const free = await create(editor, "collection", { status: "public" });
      for (const [path, init] of [
        ["", (parent_id: string) => post(shelf({ parent_id }))],
        [`/${free.id}`, (parent_id: string) => put(shelf({ parent_id }))],
        [`/${free.id}`, (parent_id: string) => patch({ parent_id })],
      ] as const) {
        const answer = await comparable(blind, `/v1/${plural}${path}`, init(above.id), above.id);
        expect(answer[0]).toBe(422);
        expect(answer).toEqual(await comparable(blind, `/v1/${plural}${path}`, init(nobody), nobody));
      }
      const [line] = await bulk(blind, plural, [shelf({ parent_id: above.id })]);
      expect(line).toMatchObject({ outcome: "rejected", errors: [{ pointer: "/parent_id" }] });

      const path = `/v1/${plural}/${open.id}`;
      const parent = async (ask: Ask) => (await read(ask(path))).parent_id;
      expect(await parent(blind)).toBeNull();
      for (const init of [
        put(shelf({})),
        put({ ...draft, parent_id: null }),
        patch({ parent_id: null }),
        patch({}),
        post({ status: "public" }),
      ]) {
        const answer = await read(blind(init!.method === "POST" ? `${path}/status` : path, init));
        expect(answer.parent_id).toBeNull();
        expect(await parent(editor)).toBe(above.id);
      }
      for (const upsert of ["?upsert=merge", "?upsert=replace"]) {
        await bulk(blind, `${plural}${upsert}`, [{ ...draft, id: open.id, parent_id: null }]);
        expect(await parent(editor)).toBe(above.id);
      }
      // they may change a parent that they can see
      expect((await read(blind(path, patch({ parent_id: top.id })))).parent_id).toBe(top.id);
      expect((await read(blind(path, patch({ parent_id: null })))).parent_id).toBeNull();
      expect(await parent(editor)).toBeNull();
    });

    it("is not in the trash that they can open", async () => {
      const hidden = await createObject(editor, "Unfinished lace", { status });
      const open = await published();
      for (const { id } of [hidden, open]) await read(editor(`/v1/objects/${id}`, { method: "DELETE" }), 204);
      const { total, items } = await read<Page>(blind("/v1/objects/trash?page_size=200"));
      expect(items.map(({ id }) => id)).toContain(open.id);
      expect(items.filter((item) => item.status !== "public")).toEqual([]);
      expect(total).toBe(items.length);
      expect(JSON.stringify(items)).not.toContain("KESTREL");
      const nobody = crypto.randomUUID();
      for (const headers of matching) {
        const init = { method: "POST", headers };
        const answer = await comparable(blind, `/v1/objects/${hidden.id}/restore`, init, hidden.id);
        expect(answer[0]).toBe(404);
        expect(answer).toEqual(await comparable(blind, `/v1/objects/${nobody}/restore`, init, nobody));
      }
      expect(await read(blind(`/v1/objects/${open.id}/restore`, { method: "POST" }))).toMatchObject({
        id: open.id,
        status: "public",
      });
      const all = await read<Page>(editor("/v1/objects/trash?page_size=200"));
      expect(all.items.map(({ id }) => id)).toContain(hidden.id);
    });
  });

  it("a storage location does not exist for those who may not read storage locations", async () => {
    const { id } = await create(editor, "storage_location");
    const path = `/v1/storage-locations/${id}`;
    for (const init of [patch({}), { method: "DELETE" }]) await read(blind(path, init), 404);
    await read(editor(path, { method: "DELETE" }), 204);
    expect((await read<Page>(blind("/v1/storage-locations/trash"))).total).toBe(0);
    await read(blind(`${path}/restore`, { method: "POST" }), 404);
  });

  describe("a private field", () => {
    it("is kept when somebody who does not see it replaces or changes the record", async () => {
      const title = english("Lead seal, cleaned");
      const { id, idno } = await published();
      const path = `/v1/objects/${id}`;
      const note = async () => (await read(editor(path))).metadata_.internal_note;
      const draft = { object_type: "painting", metadata_: { title } };
      for (const init of [
        put(draft),
        patch({ metadata_: { title } }),
        patch({ metadata_: { description: null } }),
        put({ ...draft, metadata_: { ...draft.metadata_, description: english("With a KITE on it") } }),
      ]) {
        const answer = await read(blind(path, init));
        expect(answer.metadata_).not.toHaveProperty("internal_note");
        expect(answer.metadata_.title).toEqual(title);
        expect(await note()).toEqual(noted.internal_note);
      }
      for (const upsert of ["merge", "replace"]) {
        const [line] = await bulk(blind, `objects?upsert=${upsert}`, [
          { ...draft, idno, metadata_: { title: english(upsert) } },
        ]);
        expect(line).toMatchObject({ outcome: "updated", id });
        expect(await note()).toEqual(noted.internal_note);
      }
      // they replace what they can see
      expect((await read(editor(path))).metadata_).toEqual({
        title: english("replace"),
        internal_note: noted.internal_note,
      });
      await read(editor(path, put(draft)));
      expect(await note()).toBeUndefined();
    });

    it("is neither overwritten nor revealed by guessing", async () => {
      const { id } = await published();
      const path = `/v1/objects/${id}`;
      const before = await read(editor(`${path}?include=version`));
      const guess = { internal_note: noted.internal_note };
      for (const init of [
        patch({ metadata_: guess }),
        patch({ metadata_: { internal_note: null } }),
        put({ metadata_: { ...noted } }),
      ]) {
        const refused = await read<{ errors: unknown[] }>(blind(path, init), 403);
        expect(refused.errors).toEqual([
          {
            pointer: "/metadata_/internal_note",
            detail: expect.stringContaining("records:read for object"),
            code: "field.hidden",
          },
        ]);
      }
      const [line] = await bulk(blind, "objects?upsert=merge", [{ id, metadata_: guess }]);
      expect(line).toMatchObject({ outcome: "rejected", errors: [{ pointer: "/metadata_/internal_note" }] });
      expect(await read(editor(`${path}?include=version`))).toEqual(before);
      // a new record has no values to hide
      const made = await read(blind("/v1/objects", post({ object_type: "painting", metadata_: noted })), 201);
      expect(made.metadata_).not.toHaveProperty("internal_note");
      expect((await read(editor(`/v1/objects/${made.id}`))).metadata_).toEqual(noted);
    });

    it("with a value that would be refused today is not revealed by an error and does not prevent edits", async () => {
      const { sql } = museum.services;
      const admin = await museum.as("admin");
      const field = { name: "appraisal", label: { en: "Appraisal" }, field_type: "number" };
      await read(admin("/v1/schemas/object", { json: field }), 201);
      const { id } = await published();
      const spoil = sql.json({ appraisal: [{ value: "KESTREL" }] });
      await sql`update records set metadata = metadata || ${spoil}::jsonb where id = ${id}`;
      const path = `/v1/objects/${id}`;
      const description = english("With a kite on it");
      await read(blind(path, patch({ metadata_: { description } })));
      const [line] = await bulk(blind, "objects?upsert=merge", [
        { id, metadata_: { title: english("Seal") } },
      ]);
      expect(line).toMatchObject({ outcome: "updated" });
      await read(blind(path, { method: "DELETE" }), 204);
      await read(blind(`${path}/restore`, { method: "POST" }));
      const whole = await read(editor(path));
      expect(whole.metadata_).toMatchObject({ title: english("Seal"), description });
      expect(whole.metadata_.appraisal).toEqual([{ value: "KESTREL" }]);
      await read(editor(path, patch({ metadata_: { description } })), 422);
    });

    it("of an older version is restored only by those who may read the history", async () => {
      const { id } = await published();
      const path = `/v1/objects/${id}`;
      await read(editor(path, patch({ metadata_: { title: english("Seal of lead") } })));
      await read(blind(`${path}/history`), 403);
      await read(blind(`${path}/history/1/restore`, { method: "POST" }), 403);
      expect((await read(editor(path))).metadata_.title).toEqual(english("Seal of lead"));
      await read(editor(`${path}/history/1/restore`, { method: "POST" }));
    });
  });

  it("a key that may only publish can publish public records; with read permission it can publish drafts", async () => {
    const draft = await createObject(editor, "Harbour at dusk");
    const path = `/v1/objects/${draft.id}`;
    const only = await withKey(museum, editor, "records:publish");
    await read(only(`${path}/publish`, { method: "POST" }), 404);
    expect((await read(editor(path))).status).toBe("draft");
    const open = await published();
    expect(await read(only(`/v1/objects/${open.id}/publish`, { method: "POST" }))).toEqual(
      await read(visitor(`/v1/objects/${open.id}`)),
    );
    await read(only(`${path}/status`, post({ status: "public" })), 403);
    const reading = await withKey(museum, editor, "records:read", "records:publish");
    await read(reading(`${path}/status`, post({ status: "public" })), 403);
    expect((await read(reading(`${path}/publish`, { method: "POST" }))).status).toBe("public");
  });

  it("a writer who may read the kind can edit its drafts", async () => {
    const writer = await withKey(museum, editor, "records:read", "records:write");
    const { id } = await createObject(editor, "", { metadata_: noted });
    expect((await read(writer(`/v1/objects/${id}`, patch({})))).metadata_).toEqual(noted);
    const bare = { object_type: "painting", metadata_: { title: english("Bare") } };
    await read(writer(`/v1/objects/${id}`, put(bare)));
    expect((await read(editor(`/v1/objects/${id}`))).metadata_).toEqual(bare.metadata_);
  });

  it("a key without read permission that asks for drafts sees what visitors see", async () => {
    await createObject(editor, "Unfinished wreath");
    await published();
    const nothing = await withKey(museum, editor, "media:write");
    for (const status of ["draft", "internal", "public"]) {
      for (const path of ["/v1/objects", "/v1/collections", "/v1/search", "/v1/search?type=object"]) {
        const asked = `${path}${path.includes("?") ? "&" : "?"}status=${status}`;
        const seen = await read<Page>(visitor(asked));
        for (const ask of [blind, nothing]) expect(await read<Page>(ask(asked)), asked).toEqual(seen);
        if (path !== "/v1/collections") expect(seen.total, asked).toBeGreaterThan(0);
      }
    }
  });

  it("an import, and undoing one, needs permission to read the records", async () => {
    const importer = await withKey(museum, editor, "import:run", "records:write", "records:delete");
    const hidden = await createObject(editor, "Unfinished net");
    const body = new FormData();
    body.set("type", "object" satisfies Kind);
    body.set("mapping", JSON.stringify({ number: "__idno__", title: "title" }));
    body.set("file", new Blob([`number,title\n${hidden.idno},Mine\n`]), "nets.csv");
    const refused = await importer("/v1/imports", { method: "POST", body });
    expect((await read<{ detail: string }>(refused, 403)).detail).toContain("records:read for object");
    const edit = await editor("/v1/objects/bulk", { ndjson: [samples.object.draft] });
    await edit.text();
    const undo = `/v1/imports/${edit.headers.get("X-Import-Id")}/undo`;
    await read(importer(undo, post({ dry_run: true })), 403);
    await read(editor(undo, post({ dry_run: true })), 202);
  });
});
