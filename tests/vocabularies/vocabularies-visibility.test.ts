/** Who sees private parts of the configuration: fields, relation types, terms. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  createObject,
  english,
  faults,
  type Page,
  posted,
  read,
  withKey,
  withRole,
} from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere } from "../support/museum/museum.ts";

type Term = { id: string; value: string };
type Field = { is_public: boolean };
const label = (text: string) => ({ en: text });

describe.each(databases)("private configuration in the %s database", async (database) => {
  let admin: Ask;
  let editor: Ask;
  let viewer: Ask;
  /** API keys of an administrator. */
  let configurer: Ask;
  let keeper: Ask;
  /** May read objects only, and make fields. */
  let arranger: Ask;
  /** May read entities, but no objects. */
  let genealogist: Ask;

  const museum = await museumHere({ database });
  const visitor = museum.ask;
  beforeAll(async () => {
    [admin, editor, viewer] = [
      await museum.as("admin"),
      await museum.as("editor"),
      await museum.as("viewer"),
    ];
    configurer = await withKey(museum, admin, "schemas:manage");
    keeper = await withKey(museum, admin, "schemas:manage", "records:read");
    arranger = await withRole(museum, "arranger", { object: ["read"] }, ["schemas:manage"]);
    genealogist = await withRole(museum, "genealogist", { entity: ["read"] });
  });

  const patch = (json: unknown) => ({ method: "PATCH", json });

  describe("a private field", () => {
    const NOTE = "/v1/schemas/object/internal_note";

    it("can be made public only by those who may read the records that have it", async () => {
      const metadata_ = { title: english("Casket"), internal_note: english("Found by KESTREL") };
      const { id } = await createObject(editor, "", { status: "public", metadata_ });
      const { is_public: _, ...definition } = await read<Field>(editor(NOTE));
      for (const init of [
        patch({ is_public: true }),
        { method: "PUT", json: { ...definition, is_public: true } },
      ]) {
        const refused = await read<{ detail: string }>(configurer(NOTE, init), 403);
        expect(refused.detail).toContain("records:read for object");
      }
      expect(await (await visitor(`/v1/objects/${id}`)).text()).not.toContain("KESTREL");
      expect((await read<Field>(editor(NOTE))).is_public).toBe(false);

      expect((await read<Field>(keeper(NOTE, patch({ is_public: true })))).is_public).toBe(true);
      expect(await (await visitor(`/v1/objects/${id}`)).text()).toContain("KESTREL");
      // a public field can be changed and hidden without permission to read
      await read(configurer(NOTE, patch({ label: label("Note") })));
      await read(configurer(NOTE, patch({ is_public: false })));
      expect(await (await visitor(`/v1/objects/${id}`)).text()).not.toContain("KESTREL");
    });

    it("can be created as a public one only by those who may read records of that kind", async () => {
      const field = { label: label("Watermark"), field_type: "text" };
      const make = (ask: Ask, kind: string, name: string, is_public: boolean) =>
        ask(`/v1/schemas/${kind}`, { json: { ...field, name, is_public } });
      await faults(make(configurer, "object", "watermark", true), 403);
      await faults(make(arranger, "entity", "seal", true), 403);
      await read(make(configurer, "object", "watermark", false), 201);
      await read(make(arranger, "object", "paper", true), 201);
      await faults(arranger("/v1/schemas/entity/note", patch({ is_public: true })), 404);
      await read(make(admin, "entity", "rumour", false), 201);
      await faults(arranger("/v1/schemas/entity/rumour", patch({ is_public: true })), 403);
      await read(admin("/v1/schemas/entity/rumour", patch({ is_public: true })));
    });
  });

  it("a private relation type can be made public only by those who may read the records it belongs to", async () => {
    const type = {
      name: "valued_by",
      inverse: "valued",
      from_types: ["object"],
      to_types: ["entity"],
      label: label("valued by"),
      inverse_label: label("valued"),
      is_public: false,
    };
    await read(configurer("/v1/relation-types", { json: type }), 201);
    const path = "/v1/relation-types/valued_by";
    await faults(configurer(path, patch({ is_public: true })), 403);
    await faults(visitor(path), 404);
    expect((await read<Field>(arranger(path, patch({ is_public: true })))).is_public).toBe(true);
    await read(visitor(path));
    await read(configurer(path, patch({ is_public: false })));
  });

  describe("a vocabulary", () => {
    /** A vocabulary with one term, and a field of objects that uses it. */
    async function vocabulary(name: string, kind: string, is_public: boolean): Promise<Term> {
      await read(admin("/v1/vocabularies", { json: { name, label: label(name) } }), 201);
      const term = await posted<Term>(admin, `/v1/vocabularies/${name}/terms`, {
        value: `Secret of ${name}`,
      });
      const field = { name, label: label(name), field_type: "vocab_free", vocabulary: name, is_public };
      await read(admin(`/v1/schemas/${kind}`, { json: { ...field, is_facet: true } }), 201);
      return term;
    }
    const places = (name: string, id: string) =>
      ["", "/terms", "/terms?q=secret", `/terms/${id}`].map((rest) => `/v1/vocabularies/${name}${rest}`);

    it("that only private fields use does not exist for visitors and for those who may not read such records", async () => {
      const { id } = await vocabulary("grudges", "object", false);
      const everything = async (ask: Ask) => (await ask("/v1/vocabularies")).text();
      for (const [who, ask, seen] of [
        ["visitor", visitor, false],
        ["genealogist", genealogist, false],
        ["viewer", viewer, true],
        ["arranger", arranger, true],
        ["configurer", configurer, true],
      ] as const) {
        expect((await everything(ask)).includes("grudges"), who).toBe(seen);
        for (const path of places("grudges", id)) {
          const answer = await ask(path);
          expect(answer.status, `${who} ${path}`).toBe(seen ? 200 : 404);
          const text = await answer.text();
          expect(text.includes("Secret of grudges"), path).toBe(seen && path !== places("grudges", id)[0]);
          if (seen) continue;
          const nothing = await (await ask(path.replace("grudges", "no_such"))).text();
          expect(text.replaceAll("grudges", "no_such")).toBe(nothing);
          // nor does a 304 give it away
          expect((await ask(path, { headers: { "If-None-Match": "*" } })).status).toBe(404);
        }
      }
    });

    it("appears and disappears with the fields that use it", async () => {
      const { id } = await vocabulary("temper", "object", false);
      const seen = async () => {
        const all = await Promise.all(places("temper", id).map(async (path) => (await visitor(path)).status));
        return [...new Set(all)];
      };
      expect(await seen()).toEqual([404]);
      const field = { name: "temper", label: label("Temper"), field_type: "vocab", vocabulary: "temper" };
      await read(admin("/v1/schemas/entity", { json: { ...field, is_public: true } }), 201);
      expect(await seen()).toEqual([200]);
      await read(admin("/v1/schemas/entity/temper", patch({ is_public: false })));
      expect(await seen()).toEqual([404]);
      await read(admin("/v1/schemas/object/temper", patch({ is_public: true })));
      expect(await seen()).toEqual([200]);
    });

    it("can be made public only by those who may read the records of the private fields that use it", async () => {
      const { id } = await vocabulary("quarrels", "object", false);
      const field = "/v1/schemas/object/quarrels";
      const open = { ...(await read<object>(admin(field))), name: "openly", is_public: true };
      const { record_type: _, ...entity } = open as { record_type?: string };
      for (const [path, init] of [
        [field, patch({ vocabulary: "material" })],
        [field, { method: "DELETE" }],
        ["/v1/schemas/object/material", patch({ vocabulary: "quarrels" })],
        ["/v1/schemas/entity", { json: entity }],
      ] as const) {
        expect([path, (await configurer(path, init)).status]).toEqual([path, 403]);
        expect((await visitor(`/v1/vocabularies/quarrels/terms/${id}`)).status).toBe(404);
      }
      expect((await keeper(field, patch({ vocabulary: "material" }))).status).toBe(200);
    });

    it("that is private is not revealed by a search, facet or suggestion", async () => {
      await vocabulary("feuds", "object", false);
      const metadata_ = { title: english("Chest"), feuds: [{ value: "Secret of feuds" }] };
      await createObject(editor, "", { status: "public", metadata_ });
      const suggested = async (ask: Ask, path: string) =>
        (await read<{ terms: Term[] }>(ask(`${path}?q=secret`))).terms.map(({ value }) => value);
      expect(await suggested(viewer, "/v1/search/suggest")).toContain("Secret of feuds");
      for (const [ask, prefix] of [
        [visitor, "/v1"],
        [genealogist, "/v1"],
        [configurer, "/v1"],
        [viewer, "/portal/v1"],
      ] as const) {
        expect(await suggested(ask, `${prefix}/search/suggest`)).toEqual([]);
        expect((await read<Page>(ask(`${prefix}/search?q=%22secret+of+feuds%22`))).total).toBe(0);
        expect(await faults(ask(`${prefix}/search?facets=feuds`))).toEqual(["query:facets"]);
        expect(await faults(ask(`${prefix}/search?meta_feuds=Secret`))).toEqual(["query:meta_feuds"]);
      }
    });
  });
});
