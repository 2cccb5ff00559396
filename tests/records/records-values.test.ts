import { beforeAll, describe, expect, it } from "vitest";
import { bulk, create, createObject, english, type ProblemJson, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

describe.each(databases)("values in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  beforeAll(async () => {
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

  const patch = (path: string, json: unknown) => editor(path, { method: "PATCH", json });
  const fault = async (answer: Promise<Response>) => {
    const { errors } = await read<ProblemJson>(answer, 422);
    expect(errors).toHaveLength(1);
    return errors![0]!;
  };

  describe("removing values with null in a patch (RFC 7396)", () => {
    it.each(["idno", "object_type", "status", "collection_status", "id", "created_at", "updated_at"])(
      "is refused for %s, which every object has",
      async (name) => {
        const object = await createObject(editor, "Sextant");
        expect(await fault(patch(`/v1/objects/${object.id}`, { [name]: null }))).toMatchObject({
          pointer: `/${name}`,
          code: "not_removable",
        });
        expect(await read(editor(`/v1/objects/${object.id}`))).toEqual(object);
      },
    );

    it("is refused for the subtype of any other kind", async () => {
      const place = await create(editor, "place");
      expect((await fault(patch(`/v1/places/${place.id}`, { place_type: null }))).code).toBe("not_removable");
    });

    it("is refused for unknown names, and suggests similar ones", async () => {
      const { id } = await createObject(editor, "Octant");
      const json = { lat: null, metadata_: { titel: null, title: null } };
      const { errors } = await read<ProblemJson>(
        patch(`/v1/objects/${id}`, { ...json, collection_statu: null }),
        422,
      );
      expect(errors).toEqual([
        { pointer: "/lat", detail: "is unknown", code: "unknown" },
        {
          pointer: "/collection_statu",
          detail: 'is unknown; did you mean "collection_status"?',
          code: "unknown",
        },
        {
          pointer: "/metadata_/titel",
          detail: 'there is no field "titel"; did you mean "title"?',
          code: "field.unknown",
        },
      ]);
    });

    it("is possible for fields, all fields at once, coordinates and dates", async () => {
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

  it("a date that is not EDTF is refused with a suggestion, or with two if it is ambiguous", async () => {
    const detailFor = async (value: string) =>
      (
        await fault(
          editor("/v1/objects", { json: { object_type: "coin", metadata_: { date: [{ value }] } } }),
        )
      ).detail;
    expect(await detailFor("c. 1887")).toBe('"c. 1887" is not an EDTF date; did you mean "1887~"?');
    expect(await detailFor("03/04/1920")).toBe(
      '"03/04/1920" is not an EDTF date; did you mean "1920-04-03" or "1920-03-04"?',
    );
    expect(await detailFor("3/4/20")).toMatch(/^"3\/4\/20" is not an EDTF date; write, for example/);
  });

  describe("characters in values", () => {
    const refused: [string, string, number][] = [
      ["NUL", "\u0000", 0x00],
      ["a vertical tab", "\u000b", 0x0b],
      ["a form feed", "\u000c", 0x0c],
      ["escape", "\u001b", 0x1b],
      ["a group separator", "\u001d", 0x1d],
      ["U+FFFE", "\ufffe", 0xfffe],
      ["U+FFFF", "\uffff", 0xffff],
      ["half of a surrogate pair", "\ud83d", 0xd83d],
      ["the other half of one", "\ude00", 0xde00],
    ];
    const says = (code: number) =>
      new RegExp(
        `^contains U\\+${code.toString(16).toUpperCase().padStart(4, "0")} ?(\\(.*\\))? as character 3, which XML cannot contain$`,
      );

    it.each(refused)(
      "%s is refused in a field, a number, a reference and the note of a relation",
      async (_what, sign, code) => {
        const text = `😀a${sign}b`;
        const pointers = async (answer: Promise<Response>) => {
          const { errors = [] } = await read<ProblemJson>(answer, 422);
          for (const { detail } of errors) expect(detail).toMatch(says(code));
          return errors.map(({ pointer }) => pointer);
        };
        const before = await museum.services.sql`select count(*)::int as n from records`;
        const metadata_ = {
          title: [...english("Fine"), { value: text, lang: "de" }],
          description: [{ value: text }],
        };
        expect(await pointers(editor("/v1/objects", { json: { object_type: "coin", metadata_ } }))).toEqual([
          "/metadata_/title/1/value",
          "/metadata_/description/0/value",
        ]);
        expect(await pointers(editor("/v1/objects", { json: { object_type: "coin", idno: text } }))).toEqual([
          "/idno",
        ]);
        expect(
          await pointers(
            editor("/v1/procedures", { json: { procedure_type: "loan_in", reference_number: text } }),
          ),
        ).toContain("/reference_number");
        expect(await museum.services.sql`select count(*)::int as n from records`).toEqual(before);

        const object = await createObject(editor, "Telegraph");
        expect(
          await pointers(patch(`/v1/objects/${object.id}`, { metadata_: { title: [{ value: text }] } })),
        ).toEqual(["/metadata_/title/0/value"]);
        const maker = await create(editor, "entity");
        const link = {
          relation_type: "created_by",
          to_type: "entity",
          to_id: maker.id,
          metadata_: { role: [{ value: text }] },
        };
        expect(await pointers(editor(`/v1/objects/${object.id}/relations`, { json: link }))).toEqual([
          "/metadata_/role/0/value",
        ]);
        const line = { object_type: "coin", metadata_: { title: [{ value: text }] } };
        const [result] = await bulk(editor, "objects", [line]);
        expect(JSON.stringify(result)).toContain("/metadata_/title/0/value");
        expect(JSON.stringify(result)).toContain("which XML cannot contain");
      },
    );

    it.each(["\u200b", " \u00ad\u2060 ", "\u3164", "\n\t"])(
      "%j is refused, because nobody can see it",
      async (value) => {
        const metadata_ = { title: [{ value }] };
        expect(
          await fault(editor("/v1/objects", { json: { object_type: "coin", metadata_ } })),
        ).toMatchObject({
          pointer: "/metadata_/title/0/value",
          code: "entry.empty",
        });
      },
    );

    it("tabs, line breaks, DEL and C1 controls, joiners, emoji and unassigned characters are stored as they are", async () => {
      const value = "a\tb\r\nc\u007f\u0085\u0092 نامه\u200cای 👩\u200d🎨 \u{1fffe}";
      const { id } = await create(editor, "object", { metadata_: { title: english(value) } });
      expect((await read(editor(`/v1/objects/${id}`))).metadata_.title).toEqual(english(value));
    });
  });

  describe("spaces around values", () => {
    it("are removed from the number, so that nobody has to guess them", async () => {
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

    it("are removed from text, dates, numbers and terms, but not from rich text", async () => {
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

    it("are removed from columns and the notes of relations, too", async () => {
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
      expect(await fault(wish("  "))).toMatchObject({
        pointer: "/metadata_/role/0/value",
        code: "entry.empty",
      });
      expect(await read(wish(" painter "), 201)).toMatchObject({
        metadata_: { role: [{ value: "painter" }] },
      });
    });

    it("leave an empty value when there is nothing else, in any field", async () => {
      const { id } = await createObject(editor, "Harbour");
      for (const field of ["title", "description", "date", "number_of_parts", "material"]) {
        for (const value of ["", "   ", "\n\t", "\u00a0\u2003"]) {
          expect(
            await fault(patch(`/v1/objects/${id}`, { metadata_: { [field]: [{ value }] } })),
          ).toMatchObject({
            pointer: `/metadata_/${field}/0/value`,
            code: "entry.empty",
          });
        }
      }
      expect(await fault(patch(`/v1/objects/${id}`, { idno: " \u00a0" }))).toMatchObject({
        pointer: "/idno",
      });
    });
  });

  describe("fields for identifiers of authorities", () => {
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
    ])("accept in %s: %s", async (field, value) => {
      expect((await read<{ metadata_: object }>(entity(field, value), 201)).metadata_).toMatchObject({
        [field]: [{ value }],
      });
    });

    it.each([
      [
        "gnd",
        "Brandt, Ida",
        '"Brandt, Ida" is neither a valid GND number, for example 118540238, nor an http or https address',
      ],
      ["gnd", "Q5582", "is neither a valid GND number"],
      ["gnd", "wikidata:Q5582", "is neither a valid GND number"],
      ["gnd", "https://", "is neither a valid GND number"],
      ["maker_gnd", "unknown", "is neither a valid GND number"],
      ["ulan", "118540238", "is neither a valid ULAN number, for example 500115588"],
      ["viaf", "0", "is neither a valid VIAF number"],
      ["wikidata", "5582", "is neither a valid Wikidata item, for example Q5582"],
      ["wikidata", "http://www.wikidata.org/entity/Q5582 ?", "is neither a valid Wikidata item"],
      [
        "isil",
        "DE-1",
        "is neither an http or https address nor an identifier with its scheme, for example isil:DE-1",
      ],
      ["isil", "http:DE-1", "is neither an http or https address"],
      ["isil", "gnd:Brandt", "is neither a valid GND number"],
      ["isil", "see: the card index", "is neither an http or https address"],
    ])("refuse in %s: %s", async (field, value, detail) => {
      const { pointer, detail: reason } = await fault(entity(field, value));
      expect(pointer).toBe(`/metadata_/${field}/0/value`);
      expect(reason).toContain(detail);
    });

    it("check the identifiers of places, too", async () => {
      await read(place("geonames", "2988507"), 201);
      await read(place("tgn", "7006952"), 201);
      expect((await fault(place("geonames", "Sternhöft"))).detail).toContain(
        "is neither a valid GeoNames number",
      );
      expect((await fault(place("tgn", "2988507000"))).detail).toContain("is neither a valid TGN number");
    });
  });
});
