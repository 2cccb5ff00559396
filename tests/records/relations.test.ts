import { describe, expect, it } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import {
  create,
  createObject,
  english,
  faults,
  type Page,
  type ProblemJson,
  type RecordJson,
  read,
} from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

type Relation = {
  id: string;
  relation_type: string;
  label: Record<string, string>;
  to_type: string;
  to_id: string;
  to_idno: string;
  to_title: string;
  metadata_: object;
  created_at: string;
};

describe.each(databases)("relations in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const pair = async (status = "draft") => {
    const [object, maker] = await Promise.all([
      createObject(editor, "Harbour at dusk", { status }),
      create(editor, "entity", { status }),
    ]);
    return { object, maker, at: `/v1/objects/${object.id}`, from: `/v1/entities/${maker.id}` };
  };
  const made = (to_id: string, more = {}) => {
    return { relation_type: "created_by", to_type: "entity", to_id, ...more };
  };
  const link = (at: string, wish: object, ask = editor) =>
    read<Relation>(ask(`${at}/relations`, { json: wish }), 201);
  const list = (at: string, ask = editor, query = "") => read<Page<Relation>>(ask(`${at}/relations${query}`));
  const versions = async (...ids: string[]) => {
    const rows = await museum.services.sql<{ id: string; version: number }[]>`
      select id, version from records where id = any(${ids})`;
    return ids.map((id) => rows.find((row) => row.id === id)!.version);
  };

  describe("the role and the type of a relation", () => {
    it("a different role makes a separate relation, with its own history", async () => {
      const { object, maker, at } = await pair();
      const role = (value: string) => ({ metadata_: { role: [{ value }] } });
      const painter = await link(at, made(maker.id, role("painter")));
      const framer = await link(at, made(maker.id, role("frame maker")));
      await faults(editor(`${at}/relations`, { json: made(maker.id, role("painter")) }), 409);
      const patch = (json: object, id = framer.id) =>
        editor(`${at}/relations/${id}`, { method: "PATCH", json });
      await faults(patch(role("painter")), 409);
      const dated = await read<Relation>(patch({ metadata_: { date: [{ value: " 1887 " }] } }));
      expect(dated.id).toBe(framer.id);
      expect(dated.metadata_).toMatchObject({ ...role("frame maker").metadata_, date: [{ value: "1887" }] });
      const plain = await read<Relation>(patch({ metadata_: { role: null } }));
      expect(plain.metadata_).toEqual({ date: [{ value: "1887" }] });
      const [before] = await versions(object.id);
      expect((await patch({ metadata_: { role: null } })).status).toBe(200);
      expect(await versions(object.id)).toEqual([before]);
      expect(await faults(patch({ metadata_: { role: [{ value: "" }] } }))).toEqual([
        "/metadata_/role/0/value",
      ]);
      await faults(patch({ metadata_: {} }, crypto.randomUUID()), 404);
      const { items } = await read<{ items: { action: string; note: object }[] }>(editor(`${at}/history`));
      expect(items[0]).toMatchObject({
        action: "relation_changed",
        note: { relation_id: framer.id, metadata: dated.metadata_, now: plain.metadata_ },
      });
      await read(editor(`${at}/relations/${painter.id}`, { method: "DELETE" }), 204);
      expect((await list(at)).items.map(({ id }) => id)).toEqual([framer.id]);
    });

    it("a maker can be qualified, beside a link to the same maker that is not", async () => {
      const { maker, at } = await pair();
      const by = (metadata_: object) => made(maker.id, { metadata_ });
      const qualifier = (value: string) => ({ qualifier: [{ value }] });
      const workshop = await link(at, by({ ...qualifier("workshop_of"), role: [{ value: "painter" }] }));
      const master = await link(at, by({ role: [{ value: "painter" }] }));
      await link(at, by({ qualifier_text: [{ value: "Hand des", lang: "de" }] }));
      const again = by({ ...workshop.metadata_, note: [{ value: "?" }] });
      await faults(editor(`${at}/relations`, { json: again }), 409);
      const patch = (metadata_: object) =>
        editor(`${at}/relations/${master.id}`, { method: "PATCH", json: { metadata_ } });
      await faults(patch(qualifier("workshop_of")), 409);
      const copy = await read<Relation>(patch(qualifier("copy_after")));
      expect(copy.metadata_).toEqual({ ...qualifier("copy_after"), role: [{ value: "painter" }] });
      const plain = await read<Relation>(patch({ qualifier: [] }));
      expect(plain.metadata_).toEqual({ role: [{ value: "painter" }] });
      expect((await list(at)).total).toBe(3);
    });

    it("a qualifier is one term of its vocabulary, of a link to a maker", async () => {
      const { object, maker, at, from } = await pair();
      const place = await create(editor, "place");
      const refused = (wish: object, path = at) => faults(editor(`${path}/relations`, { json: wish }));
      const by = (qualifier: object[]) => made(maker.id, { metadata_: { qualifier } });
      expect(await refused(by([{ value: "workshop" }]))).toEqual(["/metadata_/qualifier/0/value"]);
      expect(await refused(by([{ value: "copy_after" }, { value: "possibly" }]))).toEqual([
        "/metadata_/qualifier",
      ]);
      expect(await refused(by([{ value: "possibly", lang: "en" }]))).toEqual(["/metadata_/qualifier/0/lang"]);
      for (const [name, value] of [
        ["qualifier", "possibly"],
        ["qualifier_text", "perhaps"],
      ] as const) {
        const metadata_ = { [name]: [{ value }] };
        const elsewhere = [
          made(maker.id, { relation_type: "owned_by", metadata_ }),
          { relation_type: "made_at", to_type: "place", to_id: place.id, metadata_ },
        ];
        for (const wish of elsewhere) expect(await refused(wish)).toEqual([`/metadata_/${name}`]);
      }
      // from the other end
      const wish = { relation_type: "created", to_type: "object", to_id: object.id };
      await link(from, { ...wish, metadata_: { qualifier: [{ value: "possibly" }] } });
      const [{ id, metadata_ }] = (await list(at)).items as [Relation];
      expect(metadata_).toEqual({ qualifier: [{ value: "possibly" }] });
      const owned = await link(at, made(maker.id, { relation_type: "owned_by" }));
      const changed = (relation: string, json: object) =>
        editor(`${at}/relations/${relation}`, { method: "PATCH", json: { metadata_: json } });
      expect(await faults(changed(owned.id, { qualifier: [{ value: "possibly" }] }))).toEqual([
        "/metadata_/qualifier",
      ]);
      expect(await faults(changed(id, { qualifier: [{ value: "by" }] }))).toEqual([
        "/metadata_/qualifier/0/value",
      ]);
    });

    it("the type can be used as a filter, as seen from each end", async () => {
      const { object, maker, at, from } = await pair();
      const owner = await create(editor, "entity");
      await link(at, made(maker.id));
      await link(at, made(owner.id, { relation_type: "owned_by" }));
      const names = async (path: string, query: string) =>
        (await list(path, editor, query)).items.map(({ to_id }) => to_id);
      expect(await names(at, "?relation_type=created_by")).toEqual([maker.id]);
      expect(await names(from, "?relation_type=created")).toEqual([object.id]);
      expect(await names(from, "?relation_type=created_by")).toEqual([]);
      expect((await names(at, "?to_type=entity")).length).toBe(2);
      expect(await names(at, "?to_type=place")).toEqual([]);
      expect(await faults(editor(`${at}/relations?relation_type=creatd_by`))).toEqual([
        "query:relation_type",
      ]);
      // types that visitors cannot see do not exist for them
      const open = (await pair("public")).at;
      expect(await faults(museum.ask(`${open}/relations?relation_type=stored_at`))).toEqual([
        "query:relation_type",
      ]);
      expect((await editor(`${open}/relations?relation_type=stored_at`)).status).toBe(200);
    });
  });

  describe("a relation", () => {
    it("can be read from both ends, each with its own name, label and other end", async () => {
      const { object, maker, at, from } = await pair();
      const metadata_ = { role: [{ value: "painter", lang: "en" }] };
      const answer = await editor(`${at}/relations`, { json: made(maker.id, { metadata_ }) });
      const relation = await read<Relation>(answer, 201);
      expect(answer.headers.get("Location")).toBe(`${at}/relations/${relation.id}`);
      expect(Object.keys(relation)).toEqual(
        "id relation_type label to_type to_id to_idno to_title metadata_ created_at".split(" "),
      );
      expect(relation).toMatchObject({
        ...{ relation_type: "created_by", metadata_ },
        ...{ to_type: "entity", to_id: maker.id, to_idno: maker.idno, to_title: "Ida Brandt" },
      });
      expect(await list(at)).toEqual({ total: 1, page: 1, page_size: 50, items: [relation] });
      expect(await read(editor(`${at}/relations/${relation.id}`))).toEqual(relation);

      const [back] = (await list(from)).items;
      expect(back).toMatchObject({
        ...{ id: relation.id, relation_type: "created", metadata_ },
        ...{ to_type: "object", to_id: object.id, to_idno: object.idno, to_title: "Harbour at dusk" },
      });
      expect(await read(editor(`${from}/relations/${relation.id}`))).toEqual(back);
      const types = await read<{ items: { name: string; label: object; inverse_label: object }[] }>(
        editor("/v1/relation-types"),
      );
      const type = types.items.find((item) => item.name === "created_by")!;
      expect(relation.label).toEqual(type.label);
      expect(back!.label).toEqual(type.inverse_label);
      expect(relation.label).not.toEqual(back!.label);
    });

    it("can be made from the other end with the inverse name", async () => {
      const { object, maker, at, from } = await pair();
      const wish = { relation_type: "created", to_type: "object", to_id: object.id.toUpperCase() };
      const relation = await link(from, wish);
      expect(relation).toMatchObject({ relation_type: "created", to_id: object.id });
      expect((await list(at)).items).toMatchObject([
        { id: relation.id, relation_type: "created_by", to_id: maker.id },
      ]);
      await faults(editor(`${at}/relations`, { json: made(maker.id) }), 409);
    });

    it("gives a new version only to the record at its first end", async () => {
      const { object, maker, at, from } = await pair();
      const { id } = await link(at, made(maker.id));
      expect(await versions(object.id, maker.id)).toEqual([2, 1]);
      expect((await editor(at)).headers.get("ETag")).toBe('"2"');
      expect((await editor(`${from}/relations/${id}`, { method: "DELETE" })).status).toBe(204);
      expect(await versions(object.id, maker.id)).toEqual([3, 1]);
      await link(from, { relation_type: "created", to_type: "object", to_id: object.id });
      expect(await versions(object.id, maker.id)).toEqual([4, 1]);
    });

    it("compares If-Match with the record in the address", async () => {
      const { maker, at, from } = await pair();
      const stale = { headers: { "If-Match": '"2"' } };
      await faults(editor(`${at}/relations`, { json: made(maker.id), ...stale }), 412);
      const fresh = { json: made(maker.id), headers: { "If-Match": '"1"' } };
      const { id } = await read<Relation>(editor(`${at}/relations`, fresh), 201);
      await faults(editor(`${from}/relations/${id}`, { method: "DELETE", ...stale }), 412);
      expect((await editor(`${at}/relations/${id}`, { method: "DELETE", ...stale })).status).toBe(204);
    });

    it("is removed once, and only through its own records", async () => {
      const { maker, at, from } = await pair();
      const other = await pair();
      const { id } = await link(at, made(maker.id));
      for (const method of ["GET", "DELETE"]) {
        await faults(editor(`${other.at}/relations/${id}`, { method }), 404);
        await faults(editor(`${at}/relations/${crypto.randomUUID()}`, { method }), 404);
        await faults(editor(`/v1/objects/${crypto.randomUUID()}/relations/${id}`, { method }), 404);
      }
      const answers = await Promise.all(
        [at, from, at].map((path) => editor(`${path}/relations/${id}`, { method: "DELETE" })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404, 404]);
      expect((await list(at)).items).toEqual([]);
    });
  });

  describe("a relation is refused", () => {
    it("with an end of the wrong kind, an unknown type, an unknown record or the record itself", async () => {
      const { object, maker, at } = await pair();
      const place = await create(editor, "place");
      const wishes: [object, string[]][] = [
        [{ relation_type: "created_by", to_type: "place", to_id: place.id }, ["/relation_type"]],
        [{ relation_type: "created", to_type: "entity", to_id: maker.id }, ["/relation_type"]],
        [{ relation_type: "stolen_by", to_type: "entity", to_id: maker.id }, ["/relation_type"]],
        [made(crypto.randomUUID()), ["/to_id"]],
        [made(place.id), ["/to_id"]],
        [made("nobody"), ["/to_id"]],
        [{ relation_type: "related_to", to_type: "object", to_id: object.id }, ["/to_id"]],
        [{ relation_type: "created_by", to_type: "person", to_id: maker.id }, ["/to_type"]],
        [{ relation_type: "created_by" }, ["/to_type", "/to_id"]],
        [made(maker.id, { note: "x" }), ["/note"]],
        [made(maker.id, { metadata_: { Role: [{ value: "x" }] } }), ["/metadata_/Role"]],
        [made(maker.id, { metadata_: { role: "painter" } }), ["/metadata_/role"]],
        [made(maker.id, { metadata_: { role: [{ value: "a\u0000" }] } }), ["/metadata_/role/0/value"]],
        [
          made(maker.id, { metadata_: { role: [{ value: "x".repeat(5_001) }] } }),
          ["/metadata_/role/0/value"],
        ],
      ];
      for (const [json, expected] of wishes)
        expect(await faults(editor(`${at}/relations`, { json })), JSON.stringify(json)).toEqual(expected);
      expect((await list(at)).total).toBe(0);
      expect(await versions(object.id)).toEqual([1]);
      await faults(editor(`/v1/objects/${crypto.randomUUID()}/relations`, { json: made(maker.id) }), 404);
    });

    it("when it exists already, also when both are made at the same time", async () => {
      const { object, maker, at, from } = await pair();
      const back = { relation_type: "created", to_type: "object", to_id: object.id };
      const wishes = [
        editor(`${at}/relations`, { json: made(maker.id) }),
        editor(`${from}/relations`, { json: back }),
        editor(`${at}/relations`, { json: made(maker.id) }),
      ];
      expect((await Promise.all(wishes)).map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
      expect((await list(at)).total).toBe(1);
      expect((await link(at, made(maker.id, { relation_type: "acquired_from" }))).to_id).toBe(maker.id);
    });

    it("when a symmetric one exists from the other end", async () => {
      const one = await createObject(editor, "Pair of buckles, left");
      const two = await createObject(editor, "Pair of buckles, right");
      const wish = (to_id: string) => ({ relation_type: "related_to", to_type: "object", to_id });
      await link(`/v1/objects/${one.id}`, wish(two.id));
      await faults(editor(`/v1/objects/${two.id}/relations`, { json: wish(one.id) }), 409);
      expect((await list(`/v1/objects/${two.id}`)).items).toMatchObject([
        { relation_type: "related_to", to_id: one.id },
      ]);
    });

    it("to a record in the trash", async () => {
      const { maker, at, from } = await pair();
      await editor(from, { method: "DELETE" });
      expect(await faults(editor(`${at}/relations`, { json: made(maker.id) }))).toEqual(["/to_id"]);
    });

    it("from visitors and from those who may only read", async () => {
      const { maker, at } = await pair("public");
      const { id } = await link(at, made(maker.id));
      const viewer = await museum.as("viewer");
      for (const [ask, status] of [
        [museum.ask, 401],
        [viewer, 403],
      ] as const) {
        await faults(ask(`${at}/relations`, { json: made(maker.id) }), status);
        await faults(ask(`${at}/relations/${id}`, { method: "DELETE" }), status);
      }
      expect((await list(at, viewer)).total).toBe(1);
    });
  });

  describe("a hierarchical relation", () => {
    const part = (to_id: string, relation_type = "part_of") => ({ relation_type, to_type: "object", to_id });
    const objects = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => createObject(editor, `Panel ${n}`)));
    const wish = (from: { id: string }, to: { id: string }, type?: string) =>
      editor(`/v1/objects/${from.id}/relations`, { json: part(to.id, type) });
    const circle = async (answer: Promise<Response>) => {
      const { errors } = await read<ProblemJson>(answer, 422);
      expect(errors).toMatchObject([{ pointer: "/to_id" }]);
      return errors![0]!.detail;
    };

    it("forms no circle, whichever end it is made from", async () => {
      const [a, b, c] = (await objects(3)) as [RecordJson, RecordJson, RecordJson];
      await read(wish(a, b), 201);
      const short = `would make a circle: ${b.idno} part_of ${a.idno} part_of ${b.idno}`;
      expect(await circle(wish(b, a))).toBe(short);
      expect(await circle(wish(a, b, "has_part"))).toContain("would make a circle");
      await read(wish(c, b, "has_part"), 201);
      const refusal = `would make a circle: ${c.idno} part_of ${a.idno} part_of ${b.idno} part_of ${c.idno}`;
      expect(await circle(wish(c, a))).toBe(refusal);
      expect(await circle(wish(a, c, "has_part"))).toBe(refusal);
      await read(wish(a, c), 201);
      expect(await versions(a.id, b.id, c.id)).toEqual([3, 2, 1]);
    });

    it("can also be between places or members of groups; relations of other types may form circles", async () => {
      const [inner, outer] = [await create(editor, "place"), await create(editor, "place")];
      const within = (to_id: string) => ({ relation_type: "falls_within", to_type: "place", to_id });
      await link(`/v1/places/${inner.id}`, within(outer.id));
      expect(await faults(editor(`/v1/places/${outer.id}/relations`, { json: within(inner.id) }))).toEqual([
        "/to_id",
      ]);
      const [one, two] = (await objects(2)) as [RecordJson, RecordJson];
      for (const type of ["depicts", "about"]) {
        await read(wish(one, two, type), 201);
        await read(wish(two, one, type), 201);
      }
    });

    inLong(it)("that would form a long circle is refused with the beginning and end of it", async () => {
      const all = await objects(20);
      for (let n = 1; n < 20; n++) await read(wish(all[n - 1]!, all[n]!), 201);
      const detail = await circle(wish(all[19]!, all[0]!));
      expect(detail).toMatch(
        new RegExp(`: ${all[19]!.idno} part_of ${all[0]!.idno} part_of .* … .*${all[19]!.idno}$`),
      );
      expect(detail.split(" part_of ")).toHaveLength(13);
    });

    it("forms no circle through the trash either, because records can be restored", async () => {
      const [a, b] = (await objects(2)) as [RecordJson, RecordJson];
      const c = await createObject(editor, "Predella");
      await read(wish(a, b), 201);
      await read(wish(b, c), 201);
      await editor(`/v1/objects/${b.id}?force=true`, { method: "DELETE" });
      expect(await circle(wish(c, a))).toContain(`${b.idno} (in the trash)`);
      const german = editor(`/v1/objects/${c.id}/relations`, {
        ...{ json: part(a.id), headers: { "Accept-Language": "de" } },
      });
      expect(await circle(german)).toContain(`${b.idno} (im Papierkorb)`);
      await read(editor(`/v1/objects/${b.id}/restore`, { method: "POST" }));
      expect((await list(`/v1/objects/${b.id}`)).total).toBe(2);
    });

    inLong(it)("forms no circle when several are made at the same moment", async () => {
      for (let round = 0; round < 6; round++) {
        const ring = await objects(5);
        const answers = await Promise.all(ring.map((one, n) => wish(one, ring[(n + 1) % 5]!)));
        expect(answers.map((answer) => answer.status).sort()).toEqual([201, 201, 201, 201, 422]);
      }
    });

    it("can be defined by the museum, unless relations of its type form a circle", async () => {
      const admin = await museum.as("admin");
      const [a, b] = (await objects(2)) as [RecordJson, RecordJson];
      const path = "/v1/relation-types/copied_from";
      const json = {
        ...{ name: "copied_from", label: { en: "copied from" }, from_types: ["object"] },
        ...{ inverse: "copied_as", inverse_label: { en: "copied as" }, to_types: ["object"] },
      };
      const made = await read<Record<string, unknown>>(admin("/v1/relation-types", { json }), 201);
      expect(made.is_hierarchical).toBe(false);
      await read(wish(a, b, "copied_from"), 201);
      const { id } = await read<Relation>(wish(b, a, "copied_from"), 201);
      const turnOn = () => admin(path, { method: "PATCH", json: { is_hierarchical: true } });
      const refused = await read<ProblemJson>(turnOn(), 409);
      expect(refused.detail).toMatch(/make a circle: OBJ-\d+ copied_from OBJ-\d+ copied_from OBJ-\d+;/);
      await editor(`/v1/objects/${b.id}/relations/${id}`, { method: "DELETE" });
      expect(await read(turnOn())).toMatchObject({ is_hierarchical: true });
      expect(await circle(wish(b, a, "copied_from"))).toContain("copied_from");
      const alike = { method: "PATCH", json: { is_hierarchical: true } };
      expect(await faults(admin("/v1/relation-types/related_to", alike))).toEqual(["/is_hierarchical"]);
    });
  });

  describe("the relations that visitors see", () => {
    it("are only those between public records, from either end", async () => {
      const { object, maker, at, from } = await pair("public");
      const draft = await create(editor, "entity", { metadata_: { name: english("Secret buyer") } });
      const shown = await link(at, made(maker.id));
      const hidden = await link(at, { relation_type: "acquired_from", to_type: "entity", to_id: draft.id });
      expect((await list(at)).total).toBe(2);
      expect(await list(at, museum.ask)).toMatchObject({ total: 1, items: [shown] });
      for (const path of [`${at}/relations`, `${at}/relations/${shown.id}`]) {
        const tag = { "If-None-Match": (await museum.ask(path)).headers.get("ETag")! };
        expect((await museum.ask(path, { headers: tag })).status).toBe(304);
        expect((await editor(path)).headers.get("Cache-Control")).toBe("private, no-store");
      }
      await faults(museum.ask(`${at}/relations/${hidden.id}`), 404);
      await faults(museum.ask(`/v1/entities/${draft.id}/relations`), 404);
      await faults(museum.ask(`/v1/entities/${draft.id}/relations/${hidden.id}`), 404);
      const included = await read(museum.ask(`${at}?include=relations`));
      expect(included.relations).toEqual([shown]);

      await read(editor(`${at}/status`, { json: { status: "internal" } }));
      expect(await list(from, museum.ask)).toMatchObject({ total: 0, items: [] });
      expect((await list(from)).items.map((item) => item.to_id)).toEqual([object.id]);
    });

    it("never show where an object is stored", async () => {
      const { at } = await pair("public");
      const room = await create(editor, "storage_location", { metadata_: { name: english("Strong room") } });
      const stored = { relation_type: "stored_at", to_type: "storage_location", to_id: room.id };
      const { id } = await link(at, stored);
      const text = await (await museum.ask(`${at}?include=relations`)).text();
      expect(text).not.toContain("Strong room");
      expect((await list(at, museum.ask)).total).toBe(0);
      await faults(museum.ask(`${at}/relations/${id}`), 404);
      await faults(museum.ask(`/v1/storage-locations/${room.id}/relations`), 404);
    });

    it("include none of a hidden type, from the moment it is hidden", async () => {
      const { maker, at } = await pair("public");
      await link(at, { relation_type: "owned_by", to_type: "entity", to_id: maker.id });
      expect((await list(at, museum.ask)).total).toBe(1);
      const admin = await museum.as("admin");
      const hide = (is_public: boolean) =>
        admin("/v1/relation-types/owned_by", { method: "PATCH", json: { is_public } });
      await read(hide(false));
      expect((await list(at, museum.ask)).total).toBe(0);
      expect((await list(at)).total).toBe(1);
      await read(hide(true));
      expect((await list(at, museum.ask)).total).toBe(1);
    });
  });

  describe("many relations", () => {
    it("have pages, with each relation on one of them and the same total on all", async () => {
      const { object, at } = await pair();
      for (let n = 0; n < 7; n++) {
        const { id } = await create(editor, "entity", { metadata_: { name: english(`Sailor ${n}`) } });
        await link(at, made(id));
      }
      const seen: string[] = [];
      for (let page = 1; page <= 3; page++) {
        const answer = await list(at, editor, `?page=${page}&page_size=3`);
        expect(answer).toMatchObject({ total: 7, page, page_size: 3 });
        seen.push(...answer.items.map((item) => item.to_title));
      }
      expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `Sailor ${n}`));
      expect(await list(at, editor, "?page=4&page_size=3")).toMatchObject({ total: 7, items: [] });
      expect(await versions(object.id)).toEqual([8]);
      for (const query of ["?page=0", "?page_size=201", "?cursor=x"])
        await faults(editor(`${at}/relations${query}`));
    });

    it("can be made and removed from both ends at the same time without a deadlock", async () => {
      const { object, maker, at, from } = await pair();
      const types = ["created_by", "acquired_from", "depicts", "about", "owned_by", "kept_by"];
      const relations = await Promise.all(
        types.map((relation_type) => link(at, { relation_type, to_type: "entity", to_id: maker.id })),
      );
      expect(await versions(object.id, maker.id)).toEqual([7, 1]);
      const work = relations.flatMap(({ id }, index) => {
        const json = { metadata_: { website: [{ value: `https://x.org/${index}` }] } };
        const removing = editor(`${index % 2 ? at : from}/relations/${id}`, { method: "DELETE" });
        return [removing, editor(from, { method: "PATCH", json })];
      });
      const statuses = (await Promise.all(work)).map(({ status }) => status);
      expect(statuses).toEqual(types.flatMap(() => [204, 200]));
      expect((await list(at)).total).toBe(0);
    });
  });
});
