import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { create, createObject, english, type ProblemJson, read } from "./support/catalogue.ts";
import { type Ask, databases, type Museum, openMuseum } from "./support/museum.ts";

describe.each(databases)("values in the %s database", (database) => {
  let museum: Museum;
  let editor: Ask;

  beforeAll(async () => {
    museum = await openMuseum({ database });
    editor = await museum.as("editor");
    const admin = await museum.as("admin");
    for (const [name, field_type] of [
      ["maker_gnd", "authority"],
      ["isil", "authority"],
    ]) {
      await read(
        admin("/v1/schemas/entity", { json: { name, field_type, label: { en: name }, is_repeatable: true } }),
        201,
      );
    }
  });
  afterAll(() => museum.close());

  const patch = (path: string, json: unknown) => editor(path, { method: "PATCH", json });
  const fault = async (answer: Promise<Response>) => {
    const { errors } = await read<ProblemJson>(answer, 422);
    expect(errors).toHaveLength(1);
    return errors![0]!;
  };

  describe("that a patch takes away with null (RFC 7396)", () => {
    const KEPT = "cannot be removed; left out, it stays as it is";

    it.each(["idno", "object_type", "status", "collection_status", "id", "created_at", "updated_at"])(
      "%s is not one: every object has it",
      async (name) => {
        const object = await createObject(editor, "Sextant");
        expect(await fault(patch(`/v1/objects/${object.id}`, { [name]: null }))).toEqual({
          pointer: `/${name}`,
          detail: KEPT,
        });
        expect(await read(editor(`/v1/objects/${object.id}`))).toEqual(object);
      },
    );

    it("the subtype of any other kind is not one either", async () => {
      const place = await create(editor, "place");
      expect((await fault(patch(`/v1/places/${place.id}`, { place_type: null }))).detail).toBe(KEPT);
    });

    it("nothing that there cannot be is one, and near names are told", async () => {
      const { id } = await createObject(editor, "Octant");
      const json = { lat: null, metadata_: { titel: null, title: null } };
      const { errors } = await read<ProblemJson>(
        patch(`/v1/objects/${id}`, { ...json, collection_statu: null }),
        422,
      );
      expect(errors).toEqual([
        { pointer: "/lat", detail: "is not known here" },
        { pointer: "/collection_statu", detail: 'is not known here; did you mean "collection_status"?' },
        { pointer: "/metadata_/titel", detail: 'an object has no field "titel"; did you mean "title"?' },
      ]);
    });

    it("fields, all fields at once, places and dates are", async () => {
      const { id } = await createObject(editor, "Barograph");
      expect(
        (await read(patch(`/v1/objects/${id}`, { metadata_: { title: null, date: null } }))).metadata_,
      ).toEqual({});
      await read(patch(`/v1/objects/${id}`, { metadata_: { title: english("Again") } }));
      expect((await read(patch(`/v1/objects/${id}`, { metadata_: null }))).metadata_).toEqual({});
      const place = await create(editor, "place");
      expect(await read(patch(`/v1/places/${place.id}`, { lat: null, lon: null }))).toMatchObject({
        lat: null,
      });
      const procedure = await create(editor, "procedure");
      const emptied = await read(
        patch(`/v1/procedures/${procedure.id}`, { start_date: null, end_date: null, reference_number: null }),
      );
      expect(emptied).toMatchObject({ start_date: null, reference_number: null });
    });
  });

  describe("are kept without blanks around them", () => {
    it("the number first of all, so that nobody has to guess them", async () => {
      const { id, idno } = await create(editor, "object", { idno: " \t1998.4.2\u00a0\n" });
      expect(idno).toBe("1998.4.2");
      const twin = { object_type: "coin", idno: "1998.4.2 ", metadata_: { title: english("Twin") } };
      await read(editor("/v1/objects", { json: twin }), 409);
      const found = await read<{ items: { id: string }[] }>(editor("/v1/objects?idno=%201998.4.2"));
      expect(found.items.map((item) => item.id)).toEqual([id]);
      expect(await read(patch(`/v1/objects/${id}`, { idno: " 1998.4.3" }))).toMatchObject({
        idno: "1998.4.3",
      });
    });

    it("text, dates, numbers and terms, but not rich text", async () => {
      const description = "\n\n    From the estate.\n";
      const object = await create(editor, "object", {
        metadata_: {
          title: [{ value: "  Harbour  at dusk\n", lang: "en" }],
          date: [{ value: " 1887~ " }],
          number_of_parts: [{ value: "3\t" }],
          material: [{ value: " oil paint " }],
          description: [{ value: description, lang: "en" }],
        },
      });
      expect(object.metadata_).toEqual({
        title: [{ value: "Harbour  at dusk", lang: "en" }],
        date: [{ value: "1887~" }],
        number_of_parts: [{ value: "3" }],
        material: [{ value: "oil paint" }],
        description: [{ value: description, lang: "en" }],
      });
      expect(await read(editor(`/v1/objects/${object.id}`))).toEqual(object);
      const found = await read(editor(`/v1/search?meta_material=oil%20paint&q=${object.idno}`));
      expect(found.total).toBe(1);
      expect(
        (await patch(`/v1/objects/${object.id}`, { metadata_: object.metadata_ })).headers.get("ETag"),
      ).toBe('"1"');
    });

    it("columns and the notes of a link too", async () => {
      const { start_date, reference_number } = await create(editor, "procedure", {
        start_date: " 2026-01-31 ",
        reference_number: "\tINV 2026/1 ",
      });
      expect([start_date, reference_number]).toEqual(["2026-01-31", "INV 2026/1"]);
      const [object, maker] = [await createObject(editor, "Harbour"), await create(editor, "entity")];
      const wish = (value: string) =>
        editor(`/v1/objects/${object.id}/relations`, {
          json: {
            relation_type: "created_by",
            to_type: "entity",
            to_id: maker.id,
            metadata_: { role: [{ value }] },
          },
        });
      expect(await fault(wish("  "))).toEqual({
        pointer: "/metadata_/role/0/value",
        detail: "is empty; leave the entry out",
      });
      expect(await read(wish(" painter "), 201)).toMatchObject({
        metadata_: { role: [{ value: "painter" }] },
      });
    });

    it("and a value of nothing but blanks is empty, whatever the field", async () => {
      const { id } = await createObject(editor, "Harbour");
      for (const field of ["title", "description", "date", "number_of_parts", "material"]) {
        for (const value of ["", "   ", "\n\t", "\u00a0\u2003"]) {
          expect(await fault(patch(`/v1/objects/${id}`, { metadata_: { [field]: [{ value }] } }))).toEqual({
            pointer: `/metadata_/${field}/0/value`,
            detail: "is empty; leave the entry out",
          });
        }
      }
      expect(await fault(patch(`/v1/objects/${id}`, { idno: " \u00a0" }))).toMatchObject({
        pointer: "/idno",
      });
    });
  });

  describe("of authorities", () => {
    const entity = (field: string, value: string) =>
      editor("/v1/entities", {
        json: { entity_type: "person", metadata_: { name: english("Ida Brandt"), [field]: [{ value }] } },
      });
    const place = (field: string, value: string) =>
      editor("/v1/places", {
        json: { place_type: "settlement", metadata_: { name: english("Sternhöft"), [field]: [{ value }] } },
      });

    it.each([
      ["gnd", "118540238"],
      ["gnd", "4079163-4"],
      ["gnd", "1089894802"],
      ["gnd", "11854023X"],
      ["gnd", "gnd:118540238"],
      ["gnd", "https://d-nb.info/gnd/118540238"],
      ["maker_gnd", "118540238"],
      ["ulan", "500115588"],
      ["ulan", "http://vocab.getty.edu/ulan/500115588"],
      ["viaf", "24602065"],
      ["wikidata", "Q5582"],
      ["wikidata", "http://www.wikidata.org/entity/Q5582"],
      ["isil", "https://ld.zdb-services.de/resource/organisations/DE-1"],
      ["isil", "isil:DE-1"],
      ["isil", "urn:nbn:de:101:1-201102033592"],
      ["isil", "gnd:118540238"],
    ])("%s takes %s", async (field, value) => {
      expect((await read<{ metadata_: object }>(entity(field, value), 201)).metadata_).toMatchObject({
        [field]: [{ value }],
      });
    });

    it.each([
      [
        "gnd",
        "Brandt, Ida",
        '"Brandt, Ida" is no GND number, for example 118540238, and no http or https address',
      ],
      ["gnd", "Q5582", "is no GND number"],
      ["gnd", "wikidata:Q5582", "is no GND number"],
      ["gnd", "https://", "is no GND number"],
      ["maker_gnd", "unknown", "is no GND number"],
      ["ulan", "118540238", "is no ULAN number, for example 500115588"],
      ["viaf", "0", "is no VIAF number"],
      ["wikidata", "5582", "is no Wikidata item, for example Q5582"],
      ["wikidata", "http://www.wikidata.org/entity/Q5582 ?", "is no Wikidata item"],
      [
        "isil",
        "DE-1",
        "is no http or https address and no identifier with its scheme, for example isil:DE-1",
      ],
      ["isil", "http:DE-1", "is no http or https address"],
      ["isil", "gnd:Brandt", "is no GND number"],
      ["isil", "see: the card index", "is no http or https address"],
    ])("%s does not take %s", async (field, value, detail) => {
      const { pointer, detail: told } = await fault(entity(field, value));
      expect(pointer).toBe(`/metadata_/${field}/0/value`);
      expect(told).toContain(detail);
    });

    it("are numbers of places too", async () => {
      await read(place("geonames", "2988507"), 201);
      await read(place("tgn", "7006952"), 201);
      expect((await fault(place("geonames", "Sternhöft"))).detail).toContain("is no GeoNames number");
      expect((await fault(place("tgn", "2988507000"))).detail).toContain("is no TGN number");
    });
  });
});
