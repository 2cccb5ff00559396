import { describe, expect, it } from "vitest";
import {
  create,
  createObject,
  english,
  faults,
  type ProblemJson,
  read,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

const VARY = ["Accept", "Authorization", "X-API-Key", "Cookie"];

describe.each(databases)("versions of records in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const edit = (id: string, edition: string, ifMatch?: string) =>
    editor(`/v1/objects/${id}`, {
      method: "PATCH",
      json: { metadata_: { edition: [{ value: edition }] } },
      headers: ifMatch === undefined ? {} : { "If-Match": ifMatch },
    });
  const stored = async (id: string) => {
    const [row] = await museum.services.sql<{ version: number; revisions: number }[]>`
      select version, (select count(*)::int from revisions where record_id = r.id) as revisions
      from records r where id = ${id}`;
    return row!;
  };

  describe("an edit that changes nothing", () => {
    it("creates no version, no revision and no new time of change", async () => {
      const parent = await create(editor, "collection");
      const child = await create(editor, "collection", { parent_id: parent.id });
      const path = `/v1/collections/${child.id}`;
      for (const [method, json] of [
        ["PUT", child],
        ["PATCH", {}],
        ["PATCH", { metadata_: child.metadata_ }],
        ["PATCH", { parent_id: parent.id.toUpperCase(), id: child.id.toUpperCase() }],
        ["PATCH", { metadata_: { description: null }, created_at: "1999-01-01T00:00:00" }],
        ["PUT", { ...child, metadata_: { ...child.metadata_, description: [] } }],
      ] as const) {
        const answer = await editor(path, { method, json });
        expect(answer.headers.get("ETag")).toBe('"1"');
        expect(await read(answer)).toEqual(child);
      }
      expect(await read(editor(`${path}/status`, { json: { status: "draft" } }))).toEqual(child);
      expect(await stored(child.id)).toEqual({ version: 1, revisions: 1 });
    });

    it("keeps the order of entries: another order is a change", async () => {
      const titles = [...english("One"), { value: "Eins", lang: "de" }];
      const { id } = await create(editor, "object", { metadata_: { title: titles } });
      const json = { metadata_: { title: titles.toReversed() } };
      expect((await read(editor(`/v1/objects/${id}`, { method: "PATCH", json }))).metadata_).toEqual(
        json.metadata_,
      );
      expect(await stored(id)).toEqual({ version: 2, revisions: 2 });
    });
  });

  describe("If-Match", () => {
    it.each(['"2"', "2", "*", 'W/"2"', '"1", "2"', '"abc", "2"', ', "2",', '"a,b","2"', '"2-5"', ' "2" '])(
      "%s matches version 2",
      async (header) => {
        const { id } = await createObject(editor, "Barometer");
        await read(edit(id, "first"));
        const answer = await edit(id, "second", header);
        expect((await read(answer)).metadata_.edition).toEqual([{ value: "second" }]);
        expect(answer.headers.get("ETag")).toBe('"3"');
      },
    );

    it.each(['"1"', "1", '"3"', "0", '"1", "3"', "99999999999"])(
      "%s does not match version 2: 412",
      async (header) => {
        const { id } = await createObject(editor, "Barometer");
        await read(edit(id, "first"));
        const refused = await edit(id, "second", header);
        expect(refused.headers.get("ETag")).toBe('"2"');
        await faults(refused, 412);
        expect(await stored(id)).toEqual({ version: 2, revisions: 2 });
      },
    );

    it.each(['"abc"', 'W/"abc"', '""', '"abc", "1"', '"1,2"', '"1.0"', '"9999999999999999"', '"ä"'])(
      "%s is an ETag, but not of version 2: 412",
      async (header) => {
        const { id } = await createObject(editor, "Barometer");
        await read(edit(id, "first"));
        const refused = await read<ProblemJson>(edit(id, "second", header), 412);
        expect(refused.detail).toMatch(
          /^OBJ-\d+ (is now at version 2, not 1|has the ETag "2", which If-Match does not name): read/,
        );
        expect(await stored(id)).toEqual({ version: 2, revisions: 2 });
      },
    );

    it.each([
      "",
      "abc",
      "-1",
      "1;2",
      "1.0",
      "*, 1",
      '"1',
      '"1" "2"',
      "W/1",
      'w/"1"',
      '"a b"',
      "9999999999999999",
    ])("%s is not an ETag: 422", async (header) => {
      const { id } = await createObject(editor, "Barometer");
      expect(await faults(edit(id, "first", header))).toEqual(["header:If-Match"]);
      expect(await stored(id)).toEqual({ version: 1, revisions: 1 });
    });

    it("accepts every ETag with which the record was sent", async () => {
      const { id } = await createObject(editor, "Telescope", { status: "public" });
      const withMore = await editor(`/v1/objects/${id}?include=title,version,relations`);
      const plain = await editor(`/v1/objects/${id}`);
      for (const answer of [withMore, plain]) {
        const headers = { "If-Match": answer.headers.get("ETag")! };
        await read(editor(`/v1/objects/${id}`, { method: "PATCH", json: {}, headers }));
      }
      await read(edit(id, "other"));
      await faults(edit(id, "late", withMore.headers.get("ETag")!), 412);
    });

    it("is checked by every way of writing", async () => {
      const one = await createObject(editor, "Octant");
      const two = await createObject(editor, "Quadrant");
      await read(edit(one.id, "first"));
      const path = `/v1/objects/${one.id}`;
      const stale = { "If-Match": '"1"' };
      const relation = { relation_type: "related_to", to_type: "object", to_id: two.id };
      const ways: [string, RequestInit & { json?: unknown }][] = [
        [path, { method: "PUT", json: one }],
        [path, { method: "PATCH", json: { idno: "x" } }],
        [path, { method: "DELETE" }],
        [`${path}/status`, { json: { status: "public" } }],
        [`${path}/publish`, { method: "POST" }],
        [`${path}/relations`, { json: relation }],
        [`${path}/history/1/restore`, { method: "POST" }],
      ];
      for (const [way, init] of ways) await faults(editor(way, { ...init, headers: stale }), 412);
      expect(await stored(one.id)).toEqual({ version: 2, revisions: 2 });
      const { id } = await read<{ id: string }>(editor(`${path}/relations`, { json: relation }), 201);
      const removal = { method: "DELETE", headers: { "If-Match": '"2"' } };
      await faults(editor(`${path}/relations/${id}`, removal), 412);
    });

    it("does not matter for a record that does not exist: 404", async () => {
      await faults(edit(crypto.randomUUID(), "x", "*"), 404);
    });

    it("lets exactly one of two simultaneous editors succeed, and nothing is lost", async () => {
      const { id } = await createObject(editor, "Astrolabe");
      for (let version = 1; version <= 5; version++) {
        const answers = await Promise.all([
          edit(id, `a${version}`, `"${version}"`),
          edit(id, `b${version}`, `"${version}"`),
        ]);
        expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412]);
        const winner = answers[0].status === 200 ? "a" : "b";
        const { metadata_ } = await read(editor(`/v1/objects/${id}`));
        expect(metadata_.edition).toEqual([{ value: `${winner}${version}` }]);
        expect(metadata_.title).toEqual(english("Astrolabe"));
      }
      expect(await stored(id)).toEqual({ version: 6, revisions: 6 });
    });

    it("is optional: without it, simultaneous edits of different fields are all kept", async () => {
      const { id } = await createObject(editor, "Globe");
      const fields = ["edition", "provenance", "date_text", "accession_number", "rights_holder"];
      const json = (field: string) => ({ metadata_: { [field]: [{ value: `by ${field}` }] } });
      await Promise.all(
        fields.map(async (field) =>
          read(editor(`/v1/objects/${id}`, { method: "PATCH", json: json(field) })),
        ),
      );
      const { metadata_ } = await read(editor(`/v1/objects/${id}`));
      for (const field of fields) expect(metadata_[field]).toEqual([{ value: `by ${field}` }]);
      expect(await stored(id)).toEqual({ version: 6, revisions: 6 });
    });
  });

  describe("caching", () => {
    it("lets visitors keep a public record for a minute, then ask again with its ETag", async () => {
      const { id } = await createObject(editor, "Ship's bell", { status: "public" });
      const first = await museum.ask(`/v1/objects/${id}`);
      const { updated_at } = await read(first.clone());
      const tag = first.headers.get("ETag")!;
      expect(first.headers.get("Cache-Control")).toBe("public, max-age=60");
      expect(first.headers.get("Vary")!.split(", ")).toEqual(expect.arrayContaining(VARY));
      const modified = new Date(first.headers.get("Last-Modified")!).toISOString();
      expect(modified).toBe(`${updated_at.slice(0, 19)}.000Z`);

      for (const header of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
        const again = await museum.ask(`/v1/objects/${id}`, { headers: { "If-None-Match": header } });
        expect(again.status).toBe(304);
        expect(await again.text()).toBe("");
        expect(again.headers.get("ETag")).toBe(tag);
        expect(again.headers.get("Vary")!.split(", ")).toEqual(expect.arrayContaining(VARY));
      }
      for (const header of ['"0"', "", tag.replaceAll('"', "")]) {
        expect((await museum.ask(`/v1/objects/${id}`, { headers: { "If-None-Match": header } })).status).toBe(
          200,
        );
      }
      await read(edit(id, "second"));
      const changed = await museum.ask(`/v1/objects/${id}`, { headers: { "If-None-Match": tag } });
      expect((await read(changed)).metadata_.edition).toEqual([{ value: "second" }]);
      expect(changed.headers.get("ETag")).not.toBe(tag);
    });

    it("has tags, dates and versions for visitors that move with public changes only", async () => {
      const { id } = await createObject(editor, "Barometer", { status: "public" });
      const state = async () => {
        const paths = [`/v1/objects/${id}`, `/v1/objects/${id}?include=version`, `/v1/objects/${id}/export`];
        const answers = await Promise.all(paths.map((path) => museum.ask(path)));
        const { updated_at, version } = await read(answers[1]!);
        const tags = answers.flatMap(({ headers }) => [headers.get("ETag"), headers.get("Last-Modified")]);
        return JSON.stringify([tags, updated_at, version]);
      };
      const patch = (metadata_: object) =>
        read(editor(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_ } }));
      const first = await state();
      await patch({ internal_note: english("Fragile") });
      expect(await state()).toBe(first);
      await patch({ description: english("Brass") });
      expect(await state()).not.toBe(first);
    });

    it("tells visitors what has publicly changed since a time, and staff what has changed at all", async () => {
      const { id, idno } = await createObject(editor, "Barometer", { status: "public" });
      await museum.services
        .sql`update public_dates set datestamp = datestamp - interval '1 hour' where record_id = ${id}`;
      const since = new Date(Date.now() - 1_800_000).toISOString().slice(0, 19);
      const changed = async (ask: Ask) =>
        (await read<{ total: number }>(ask(`/v1/objects?idno=${idno}&updated_since=${since}`))).total;
      const patch = (metadata_: object) =>
        read(editor(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_ } }));
      await patch({ internal_note: english("Fragile") });
      expect([await changed(museum.ask), await changed(editor)]).toEqual([0, 1]);
      await patch({ description: english("Brass") });
      expect([await changed(museum.ask), await changed(editor)]).toEqual([1, 1]);
    });

    it("is forbidden for staff, who still get 304", async () => {
      const { id } = await createObject(editor, "Ship's biscuit");
      const first = await editor(`/v1/objects/${id}`);
      expect(first.headers.get("ETag")).toBe('"1"');
      expect(first.headers.get("Cache-Control")).toBe("private, no-store");
      const again = await editor(`/v1/objects/${id}`, { headers: { "If-None-Match": '"1"' } });
      expect(again.status).toBe(304);
    });

    it.each(["", "?include=relations", "?include=title"])("works for the list and for %s", async (query) => {
      const { id } = await createObject(editor, "Lantern", { status: "public" });
      for (const path of [`/v1/objects/${id}${query}`, "/v1/objects?page_size=1"]) {
        const tag = (await museum.ask(path)).headers.get("ETag")!;
        const same = await museum.ask(path, { headers: { "If-None-Match": tag } });
        expect(same.status).toBe(304);
        await read(edit(id, crypto.randomUUID()));
        const other = await museum.ask(path, { headers: { "If-None-Match": tag } });
        expect(other.status).toBe(200);
        expect(other.headers.get("Cache-Control")).toBe("public, max-age=60");
      }
    });

    it("works with HEAD, which answers the same without a body", async () => {
      const { id } = await createObject(editor, "Rudder", { status: "public" });
      const get = await museum.ask(`/v1/objects/${id}`);
      const head = await museum.ask(`/v1/objects/${id}`, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(await head.text()).toBe("");
      expect(head.headers.get("ETag")).toBe(get.headers.get("ETag"));
    });

    it("is forbidden for problems", async () => {
      const answer = await museum.ask(`/v1/objects/${crypto.randomUUID()}`);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      await faults(answer, 404);
    });
  });
});
