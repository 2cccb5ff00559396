/** What a museum configures: fields, subtypes, vocabularies and relation types. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { KINDS } from "../../src/records/kinds.ts";
import { documentsOf } from "../../src/search/project.ts";
import { changeConfiguration } from "../../src/vocabularies/configuration-store.ts";
import { inLong } from "../support/lane/lane.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not computed with
type Answer = any;

describe.each(databases)("configuration in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const visitor = museum.ask;
  const admin = await museum.as("admin");
  const cataloger = await museum.as("cataloger");

  const body = async (answer: Response | Promise<Response>): Promise<Answer> => (await answer).json();
  const status = async (answer: Promise<Response>) => (await answer).status;
  const put = (path: string, json: unknown, headers?: Record<string, string>) =>
    admin(path, { method: "PUT", json, headers });
  const patch = (path: string, json: unknown, headers?: Record<string, string>) =>
    admin(path, { method: "PATCH", json, headers });
  const remove = (path: string) => admin(path, { method: "DELETE" });
  const pointers = async (answer: Response | Promise<Response>) => {
    const problem = await body(answer);
    expect(problem.status).toBe(422);
    return problem.errors.map((fault: { pointer: string }) => fault.pointer);
  };
  const object = async (metadata_: Record<string, unknown>, more = {}): Promise<Answer> => {
    const answer = await admin("/v1/objects", { json: { object_type: "painting", metadata_, ...more } });
    expect(answer.status).toBe(201);
    return answer.json();
  };
  const addField = async (name: string, more: Record<string, unknown> = {}) => {
    const answer = await admin("/v1/schemas/object", {
      json: { name, label: { en: name }, field_type: "text", ...more },
    });
    expect(answer.status, await answer.clone().text()).toBe(201);
    return answer;
  };
  const addVocabulary = async (name: string, ...values: string[]): Promise<string[]> => {
    expect(await status(admin("/v1/vocabularies", { json: { name, label: { en: name } } }))).toBe(201);
    const ids: string[] = [];
    for (const value of values)
      ids.push((await body(admin(`/v1/vocabularies/${name}/terms`, { json: { value } }))).id);
    return ids;
  };

  describe("schemas", () => {
    test("visitors read the public fields of all kinds except storage locations", async () => {
      const { items } = await body(visitor("/v1/schemas"));
      expect(items.map((item: Answer) => item.record_type)).toEqual(
        KINDS.filter((kind) => kind !== "storage_location"),
      );
      expect(items[0]).toMatchObject({ plural: "objects", title_field: "title" });
      expect(items[0].subtypes[0]).toEqual({
        name: expect.any(String),
        label: expect.any(Object),
        is_default: expect.any(Boolean),
        form: expect.arrayContaining(["title", "material"]),
        sort_order: expect.any(Number),
        crm_class: null,
      });
      const persons = items[1].subtypes.find((subtype: Answer) => subtype.name === "person");
      expect(persons.crm_class).toBe("crm:E21_Person");
      for (const item of items) for (const field of item.fields) expect(field.is_public).toBe(true);
      expect(await status(visitor("/v1/schemas/object/insurance_value"))).toBe(404);
      expect(await status(visitor("/v1/schemas/storage_location"))).toBe(404);
      expect(await status(visitor("/v1/subtypes/storage_location"))).toBe(404);
    });

    test("staff read every field of every kind", async () => {
      const { items } = await body(cataloger("/v1/schemas"));
      expect(items.map((item: Answer) => item.record_type)).toEqual(KINDS);
      expect(await status(cataloger("/v1/schemas/object/insurance_value"))).toBe(200);
      expect((await body(cataloger("/v1/schemas/storage_location"))).fields.length).toBeGreaterThan(0);
    });

    test("something that does not or cannot exist is answered with 404", async () => {
      for (const path of [
        "schemas/objects",
        "schemas/__proto__",
        "schemas/object/nosuch",
        "schemas/object/No%20Name",
      ]) {
        expect(await status(visitor(`/v1/${path}`)), path).toBe(404);
      }
      expect(await status(visitor("/v1/subtypes/object/constructor"))).toBe(404);
      expect(await status(visitor("/v1/vocabularies/No-Such"))).toBe(404);
      expect(await status(visitor("/v1/vocabularies/nosuch/terms"))).toBe(404);
      expect(await status(visitor("/v1/relation-types/NOSUCH"))).toBe(404);
    });

    test("a schema is sent again only when the configuration changed, or to another reader", async () => {
      const etag = (await visitor("/v1/schemas/object")).headers.get("ETag")!;
      expect(await status(visitor("/v1/schemas/object", { headers: { "If-None-Match": etag } }))).toBe(304);
      expect(await status(cataloger("/v1/schemas/object", { headers: { "If-None-Match": etag } }))).toBe(200);
      await addField("etag_probe");
      expect(await status(visitor("/v1/schemas/object", { headers: { "If-None-Match": etag } }))).toBe(200);
    });

    test("a new field accepts values at once, is private until it is made public, and comes last", async () => {
      const answer = await addField("watermark", { is_searchable: "B" });
      expect(answer.headers.get("Location")).toBe("/v1/schemas/object/watermark");
      const { id } = await object({
        title: [{ value: "Letter" }],
        watermark: [{ value: "Strasbourg lily" }],
      });
      expect((await body(cataloger(`/v1/objects/${id}`))).metadata_.watermark).toEqual([
        { value: "Strasbourg lily" },
      ]);
      expect(await status(visitor("/v1/schemas/object/watermark"))).toBe(404);
      expect(await status(patch("/v1/schemas/object/watermark", { is_public: true }))).toBe(200);
      expect((await body(visitor("/v1/schemas/object/watermark"))).is_public).toBe(true);
      expect((await body(visitor("/v1/schemas/object"))).fields.at(-1).name).toBe("watermark");
    });

    test("only those who may manage schemas can change them", async () => {
      const json = { name: "forbidden_fruit", label: { en: "Fruit" }, field_type: "text" };
      expect(await status(visitor("/v1/schemas/object", { json }))).toBe(401);
      expect(await status(cataloger("/v1/schemas/object", { json }))).toBe(403);
      expect(await status(cataloger("/v1/schemas/object/title", { method: "DELETE" }))).toBe(403);
      expect(await status(cataloger("/v1/vocabularies", { json }))).toBe(403);
      expect(await status(cataloger("/v1/relation-types/created_by", { method: "DELETE" }))).toBe(403);
      expect(await status(cataloger("/v1/subtypes/object/painting", { method: "DELETE" }))).toBe(403);
    });

    test("every fault in a field is named", async () => {
      const draft = {
        name: "9lives",
        label: {},
        help: { english_language: "x" },
        field_type: "poem",
        mapping: { dc: "colour" },
        sort_order: 3e9,
        colour: "red",
      };
      expect((await pointers(admin("/v1/schemas/object", { json: draft }))).sort()).toEqual([
        "/colour",
        "/field_type",
        "/help/english_language",
        "/label",
        "/mapping/dc",
        "/name",
        "/sort_order",
      ]);
      const label = { en: "X" };
      const add = (json: object) =>
        pointers(admin("/v1/schemas/object", { json: { name: "x", label, ...json } }));
      expect(await add({ name: "constructor", field_type: "text" })).toEqual(["/name"]);
      expect(await add({ label: { en: " " }, field_type: "text" })).toEqual(["/label/en"]);
      expect(await add({ field_type: "vocab" })).toEqual(["/vocabulary"]);
      expect(await add({ field_type: "vocab", vocabulary: "nosuch" })).toEqual(["/vocabulary"]);
      expect(await add({ field_type: "text", vocabulary: "material" })).toEqual(["/vocabulary"]);
      expect(await add({ field_type: "text", record_type: "place" })).toEqual(["/record_type"]);
      expect(
        await status(admin("/v1/schemas/nosuch", { json: { name: "x", label, field_type: "text" } })),
      ).toBe(404);
      expect(
        await status(admin("/v1/schemas/object", { json: { name: "title", label, field_type: "text" } })),
      ).toBe(409);
      expect(await pointers(patch("/v1/schemas/object/date_text", { name: "date_words" }))).toEqual([
        "/name",
      ]);
    });

    test("a new field cannot be called like a column of its records or like a facet of the search", async () => {
      const label = { en: "X" };
      const add = (kind: string, name: string) =>
        admin(`/v1/schemas/${kind}`, { json: { name, label, field_type: "text" } });
      for (const [kind, ...names] of [
        ["object", "id", "record_type", "idno", "object_type", "collection_status", "status", "created_at"],
        ["occurrence", "status", "object_type", "storage_location_type", "collection_status"],
        ["procedure", "start_date", "reference_number"],
        ["place", "lat"],
        ["storage_location", "parent_id"],
      ] as const)
        for (const name of names) {
          const { errors } = await body(add(kind, name));
          expect(errors, `${kind}.${name}`).toEqual([
            expect.objectContaining({ pointer: "/name", code: "field.built_in" }),
          ]);
        }
      // names of columns of other record types are allowed
      for (const name of ["start_date", "lat", "type"])
        expect(await status(add("occurrence", name)), name).toBe(201);
    });

    test("a field that is called so already can still be used and changed", async () => {
      await museum.services.sql`
        insert into schema_fields (record_type, name, label, field_type, sort_order, is_public)
        values ('place', 'status', '{"en": "State"}', 'text', 900, true)`;
      await changeConfiguration(museum.services.sql, async () => undefined);
      const changed = await patch("/v1/schemas/place/status", { label: { en: "Condition" } });
      expect((await body(changed)).label).toEqual({ en: "Condition" });
      const metadata_ = { name: [{ value: "Quay" }], status: [{ value: "silted up" }] };
      expect(await body(admin("/v1/places", { json: { metadata_ } }))).toMatchObject({ metadata_ });
      expect(await status(admin("/v1/places?meta_status=silted%20up"))).toBe(200);
    });

    test("a field can change its type only if all values fit; the refusal counts those that do not", async () => {
      await addField("pages", { is_repeatable: true });
      await object({ pages: [{ value: "12" }] });
      const wrong = await object({ pages: [{ value: "about 40" }, { value: "9" }] });
      const refused = await body(patch("/v1/schemas/object/pages", { field_type: "number" }));
      expect(refused.status).toBe(409);
      expect(refused.detail).toContain("1 record has values");
      expect(refused.detail).toContain(wrong.idno);
      expect((await body(patch("/v1/schemas/object/pages", { is_repeatable: false }))).status).toBe(409);

      await admin(`/v1/objects/${wrong.id}`, {
        method: "PATCH",
        json: { metadata_: { pages: [{ value: "40" }] } },
      });
      expect(
        await status(patch("/v1/schemas/object/pages", { field_type: "number", is_repeatable: false })),
      ).toBe(200);
      expect(
        await status(
          admin("/v1/objects", { json: { object_type: "book", metadata_: { pages: [{ value: "x" }] } } }),
        ),
      ).toBe(422);
    });

    test("a text field can become a controlled one when its values are terms", async () => {
      await addVocabulary("binding", "leather");
      await addField("binding");
      await object({ binding: [{ value: "vellum" }] });
      const change = { field_type: "vocab", vocabulary: "binding" };
      expect(await status(patch("/v1/schemas/object/binding", change))).toBe(409);
      await admin("/v1/vocabularies/binding/terms", { json: { value: "vellum" } });
      expect(await status(patch("/v1/schemas/object/binding", change))).toBe(200);
    });

    test("a changed field marks the records of all kinds whose search documents change, and no others", async () => {
      const { services } = museum;
      const { sql } = services;
      await addVocabulary("season", "1901");
      await addField("season", { is_public: true, is_searchable: "A" });
      await addField("using", { is_public: true, is_facet: true });
      const namesake = { name: "season", label: { en: "season" }, field_type: "text", is_searchable: "A" };
      expect(await status(admin("/v1/schemas/entity", { json: namesake }))).toBe(201);
      const season = [{ value: "1901" }];
      const ids = [
        (
          await object(
            {
              title: [{ value: "Scythe" }],
              season,
              using: [{ value: "creativecommons.org/licenses/by/4.0/deed.en" }],
            },
            { status: "public" },
          )
        ).id,
        (await object({ title: [{ value: "Without a season" }] })).id,
        (await body(admin("/v1/entities", { json: { entity_type: "person", metadata_: { season } } }))).id,
      ];
      const documents = async () =>
        new Map((await documentsOf(services, ids)).documents.map((one) => [one.id, one]));
      const changes: [string, Record<string, unknown>][] = [
        ["object/season", { is_facet: true }],
        ["object/season", { field_type: "number" }],
        ["object/season", { field_type: "date" }],
        ["object/season", { field_type: "text" }],
        ["object/season", { is_searchable: "B" }],
        ["object/season", { is_public: false }],
        ["object/season", { is_facet: false }],
        ["object/using", { mapping: { pattern: "right" } }],
        ["object/season", { label: { en: "Time of year" }, help: { en: "As told" }, is_repeatable: true }],
      ];
      const marked = [];
      for (const [field, change] of changes) {
        await sql`delete from outbox`;
        const before = await documents();
        expect(await status(patch(`/v1/schemas/${field}`, change)), JSON.stringify(change)).toBe(200);
        const after = await documents();
        const changed = ids.filter((id) => !isDeepStrictEqual(before.get(id), after.get(id)));
        const rows = await sql<{ id: string }[]>`select record_id as id from outbox where target = 'search'`;
        expect(rows.map(({ id }) => id).sort(), JSON.stringify(change)).toEqual(changed.sort());
        marked.push(changed.length);
      }
      expect(marked).toEqual([2, 1, 1, 1, 1, 1, 2, 1, 0]);
    });

    test("a field cannot be deleted while records use it, also those in the trash", async () => {
      await addField("shelfmark");
      const { id } = await object({ shelfmark: [{ value: "A 12" }] });
      await admin(`/v1/objects/${id}`, { method: "DELETE" });
      const refused = await body(remove("/v1/schemas/object/shelfmark"));
      expect(refused).toMatchObject({
        status: 409,
        detail: expect.stringContaining("1 record (1 in the trash)"),
      });
      await admin(`/v1/objects/${id}/restore`, { method: "POST" });
      await admin(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_: { shelfmark: null } } });
      expect(await status(remove("/v1/schemas/object/shelfmark"))).toBe(204);
      expect(await status(remove("/v1/schemas/object/shelfmark"))).toBe(404);
    });

    test("the title field can be neither deleted nor hidden, and storage locations are never public", async () => {
      expect(await status(remove("/v1/schemas/object/title"))).toBe(409);
      expect(await pointers(patch("/v1/schemas/entity/name", { is_public: false }))).toEqual(["/is_public"]);
      expect(await pointers(patch("/v1/schemas/entity/name", { field_type: "richtext" }))).toEqual([
        "/field_type",
      ]);
      expect(await pointers(patch("/v1/schemas/storage_location/name", { is_public: true }))).toEqual([
        "/is_public",
      ]);
      expect(
        await status(patch("/v1/schemas/storage_location/name", { help: { en: "Room and shelf" } })),
      ).toBe(200);
    });

    inLong(test)("there can be at most 127 facets; fields with the same name count once", async () => {
      const { items } = await body(admin("/v1/schemas"));
      const facets = new Set<string>();
      for (const item of items) for (const field of item.fields) if (field.is_facet) facets.add(field.name);
      for (let n = facets.size; n < 127; n++) await addField(`facet_${n}`, { is_facet: true });
      const json = { label: { en: "F" }, field_type: "text", is_facet: true };
      expect(await pointers(admin("/v1/schemas/object", { json: { ...json, name: "one_more" } }))).toEqual([
        "/is_facet",
      ]);
      expect(await status(admin("/v1/schemas/place", { json: { ...json, name: "facet_126" } }))).toBe(201);
    });
  });

  describe("subtypes", () => {
    test("a subtype can be created, replaced, made the default, and deleted when no record has it", async () => {
      const path = "/v1/subtypes/object/globe";
      const created = await put(path, { label: { en: "Globe" }, is_default: true });
      expect(created.status).toBe(201);
      expect(created.headers.get("Location")).toBe(path);
      expect((await body(admin("/v1/objects", { json: {} }))).object_type).toBe("globe");
      expect(await status(put(path, { label: { en: "Globe", fr: "Globe" }, sort_order: 7 }))).toBe(200);
      expect(await body(visitor(path))).toEqual({
        name: "globe",
        label: { en: "Globe", fr: "Globe" },
        is_default: false,
        form: [],
        sort_order: 7,
        crm_class: null,
      });
      expect((await body(remove(path))).detail).toContain("used by 1 record");
      expect(await status(put("/v1/subtypes/object/orrery", { label: { en: "Orrery" } }))).toBe(201);
      expect(await status(remove("/v1/subtypes/object/orrery"))).toBe(204);
    });

    test("a subtype says which fields its form shows, and visitors learn nothing of those for staff", async () => {
      const path = "/v1/subtypes/object/print";
      const form = ["title", "internal_note", "edition"];
      expect((await body(put(path, { label: { en: "Print" }, form }))).form).toEqual(form);
      expect((await body(admin(path))).form).toEqual(form);
      expect((await body(visitor(path))).form).toEqual(["title", "edition"]);
      const { subtypes } = await body(visitor("/v1/schemas/object"));
      expect(subtypes.find(({ name }: { name: string }) => name === "print").form).toEqual([
        "title",
        "edition",
      ]);
    });

    test("a subtype can have a class of CIDOC CRM or LRMoo that suits its kind", async () => {
      const path = "/v1/subtypes/entity/guild";
      const guild = { label: { en: "Guild" }, crm_class: "crm:E74_Group" };
      expect((await body(put(path, guild))).crm_class).toBe("crm:E74_Group");
      expect((await body(visitor(path))).crm_class).toBe("crm:E74_Group");
      const refused = await body(put(path, { ...guild, crm_class: "crm:E74_Grup" }));
      expect(refused.errors).toEqual([
        {
          pointer: "/crm_class",
          code: "subtype.class",
          detail: expect.stringContaining('did you mean "crm:E74_Group"?'),
        },
      ]);
      const book = { label: { en: "Book" }, crm_class: "crm:E74_Group" };
      expect(await pointers(put("/v1/subtypes/object/book", book))).toEqual(["/crm_class"]);
      expect((await body(visitor("/v1/subtypes/object/book"))).crm_class).toBe("lrmoo:F5_Item");
      expect((await body(put(path, { label: guild.label }))).crm_class).toBeNull();
      expect(await status(remove(path))).toBe(204);
    });

    test("a new default replaces the previous one", async () => {
      for (const name of ["first_choice", "second_choice"]) {
        await put(`/v1/subtypes/place/${name}`, { label: { en: name }, is_default: true });
      }
      const { items } = await body(visitor("/v1/subtypes/place"));
      expect(items.filter((item: Answer) => item.is_default).map((item: Answer) => item.name)).toEqual([
        "second_choice",
      ]);
      expect(await pointers(put("/v1/subtypes/place/Not%20A%20Name", { label: { en: "x" } }))).toEqual([
        "path:name",
      ]);
    });
  });

  describe("vocabularies", () => {
    test("everybody can read vocabularies and their numbers of terms", async () => {
      const { items } = await body(visitor("/v1/vocabularies"));
      const material = items.find((item: Answer) => item.name === "material");
      expect(material.term_count).toBeGreaterThan(5);
      expect(await body(visitor("/v1/vocabularies/material"))).toEqual(material);
    });

    test("terms are listed in pages", async () => {
      await addVocabulary("paged", "c", "a", "b");
      const first = await visitor("/v1/vocabularies/paged/terms?page_size=2");
      expect(first.headers.get("Link")).toContain(
        '</v1/vocabularies/paged/terms?page_size=2&page=2>; rel="next"',
      );
      expect(await body(first)).toMatchObject({
        total: 3,
        page: 1,
        page_size: 2,
        items: [{ value: "c" }, { value: "a" }],
      });
      expect((await body(visitor("/v1/vocabularies/paged/terms?page_size=2&page=2"))).items).toHaveLength(1);
      expect((await body(visitor("/v1/vocabularies/paged/terms?page=1000000000"))).items).toEqual([]);
      expect(await pointers(visitor("/v1/vocabularies/paged/terms?page_size=201"))).toEqual([
        "query:page_size",
      ]);
      expect(await pointers(visitor("/v1/vocabularies/paged/terms?broader=x"))).toEqual(["query:broader"]);
      expect(await pointers(visitor("/v1/vocabularies/paged/terms?colour=red"))).toEqual(["query:colour"]);
    });

    test("a term is found by part of its value or label, regardless of case and accents", async () => {
      await addVocabulary("glazes", "Céladon", "50% lead_glaze");
      const label = { de: "Straßenpflaster", da: "Smørrebrød", ru: "Жёлтый" };
      await admin("/v1/vocabularies/glazes/terms", { json: { value: "yellow", label } });
      const found = async (q: string) => {
        const page = await body(visitor(`/v1/vocabularies/glazes/terms?q=${encodeURIComponent(q)}`));
        return page.items.map((item: Answer) => item.value);
      };
      expect(await found("celad")).toEqual(["Céladon"]);
      expect(await found("CÉL")).toEqual(["Céladon"]);
      expect(await found("strasse")).toEqual(["yellow"]);
      expect(await found("STRAẞENPF")).toEqual(["yellow"]);
      expect(await found("smorre")).toEqual(["yellow"]);
      expect(await found("желт")).toEqual(["yellow"]);
      expect(await found("50% lead_")).toEqual(["50% lead_glaze"]);
      expect(await found("%")).toEqual(["50% lead_glaze"]);
      expect(await found("de")).toEqual([]);
      expect(await found("nothing' or 1=1 --")).toEqual([]);
    });

    test("terms form a tree without circles within one vocabulary", async () => {
      const [wood, oak] = await addVocabulary("tree", "wood", "oak", "bog oak");
      const [elsewhere] = await addVocabulary("other_tree", "elsewhere");
      const term = (id: string | undefined) => `/v1/vocabularies/tree/terms/${id}`;
      const bog = (await body(visitor("/v1/vocabularies/tree/terms?q=bog"))).items[0].id;
      expect(await status(patch(term(oak), { broader_id: wood }))).toBe(200);
      expect(await status(patch(term(bog), { broader_id: oak }))).toBe(200);
      for (const broader_id of [bog, oak, wood, elsewhere, crypto.randomUUID()]) {
        expect(await pointers(patch(term(wood), { broader_id }))).toEqual(["/broader_id"]);
      }
      const below = async (id: string) => {
        const page = await body(visitor(`/v1/vocabularies/tree/terms?broader=${id}`));
        return page.items.map((item: Answer) => item.value);
      };
      expect(await below(wood!)).toEqual(["oak"]);
      expect(await below("none")).toEqual(["wood"]);
      expect(await status(remove(term(oak)))).toBe(204);
      expect(await below(wood!)).toEqual(["bog oak"]);
      expect(await status(visitor(`/v1/vocabularies/other_tree/terms/${wood}`))).toBe(404);
    });

    test("a controlled term in use can be neither deleted nor renamed, but its label can be changed", async () => {
      const [good, poor] = await addVocabulary("condition", "good", "poor");
      await addField("condition", { field_type: "vocab", vocabulary: "condition" });
      const { id } = await object({ condition: [{ value: "good" }] });
      const term = `/v1/vocabularies/condition/terms/${good}`;
      expect((await body(remove(term))).detail).toContain("used by 1 record");
      expect((await body(patch(term, { value: "fine" }))).status).toBe(409);
      expect(await status(patch(term, { label: { de: "gut" } }))).toBe(200);
      expect(await status(patch(`/v1/vocabularies/condition/terms/${poor}`, { value: "bad" }))).toBe(200);
      expect(await status(patch(`/v1/vocabularies/condition/terms/${poor}`, { value: "good" }))).toBe(409);
      await admin(`/v1/objects/${id}`, {
        method: "PATCH",
        json: { metadata_: { condition: [{ value: "bad" }] } },
      });
      expect(await status(remove(term))).toBe(204);
      expect((await body(remove("/v1/vocabularies/condition"))).detail).toContain("object.condition");
    });

    test("a vocabulary that no field uses can be deleted with its terms", async () => {
      await addVocabulary("shortlived", "mayfly");
      expect(
        await status(
          put("/v1/vocabularies/shortlived", { label: { en: "Brief" }, uri: "javascript:alert(1)" }),
        ),
      ).toBe(422);
      const kept = await body(
        put("/v1/vocabularies/shortlived", { label: { en: "Brief" }, uri: "https://example.org/v" }),
      );
      expect(kept).toMatchObject({ uri: "https://example.org/v", term_count: 1, description: {} });
      expect(await status(remove("/v1/vocabularies/shortlived"))).toBe(204);
      expect(await status(visitor("/v1/vocabularies/shortlived/terms"))).toBe(404);
    });
  });

  describe("relation types", () => {
    const type = (name: string, inverse: string, more = {}) => ({
      name,
      inverse,
      label: { en: name },
      inverse_label: { en: inverse },
      from_types: ["object"],
      to_types: ["entity"],
      ...more,
    });

    test("visitors see only public ones", async () => {
      const { items } = await body(visitor("/v1/relation-types"));
      const names = items.map((item: Answer) => item.name);
      expect(names).toContain("created_by");
      expect(names).not.toContain("stored_at");
      expect(await status(visitor("/v1/relation-types/stored_at"))).toBe(404);
      expect(await status(cataloger("/v1/relation-types/stored_at"))).toBe(200);
    });

    test("a name is unique among the names of both directions", async () => {
      const add = async (json: object) => status(admin("/v1/relation-types", { json }));
      const created = await admin("/v1/relation-types", { json: type("framed_by", "framed") });
      expect(created.status).toBe(201);
      expect(created.headers.get("Location")).toBe("/v1/relation-types/framed_by");
      expect(await add(type("framed_by", "framed_too"))).toBe(409);
      expect(await add(type("framed", "framed_back"))).toBe(409);
      expect(await add(type("gilded_by", "framed"))).toBe(409);
      expect(await add(type("gilded_by", "framed_by"))).toBe(409);
      const pair = type("pendant_of", "pendant_of", { to_types: ["object"], inverse_label: undefined });
      expect(await body(admin("/v1/relation-types", { json: pair }))).toMatchObject({
        inverse_label: { en: "pendant_of" },
      });
      expect(await pointers(admin("/v1/relation-types", { json: type("twin_of", "twin_of") }))).toEqual([
        "/to_types",
      ]);
      expect(
        await pointers(admin("/v1/relation-types", { json: { ...type("x", "y"), to_types: ["dragon"] } })),
      ).toEqual(["/to_types/0"]);
      expect(
        await pointers(admin("/v1/relation-types", { json: type("x", "y", { inverse_label: undefined }) })),
      ).toEqual(["/inverse_label"]);
    });

    test("a type in use cannot be deleted or lose ends in use, and hiding it marks the records", async () => {
      await admin("/v1/relation-types", {
        json: type("restored_by", "restored", { to_types: ["entity", "place"] }),
      });
      const { id } = await object({ title: [{ value: "Triptych" }] });
      const entity = await body(
        admin("/v1/entities", {
          json: { entity_type: "person", metadata_: { name: [{ value: "A. Restorer" }] } },
        }),
      );
      const link = await admin(`/v1/objects/${id}/relations`, {
        json: { relation_type: "restored_by", to_type: "entity", to_id: entity.id },
      });
      expect(link.status).toBe(201);
      const path = "/v1/relation-types/restored_by";
      expect((await body(remove(path))).detail).toContain("1 link");
      expect(await body(patch(path, { to_types: ["place"] }))).toMatchObject({
        status: 409,
        detail: expect.stringContaining("1 link"),
      });
      expect(await status(patch(path, { to_types: ["entity"] }))).toBe(200);
      const { sql } = museum.services;
      // as that of a maker, who is counted
      for (const change of [
        { mapping: { path: "E12_Production/crm:P14_carried_out_by" } },
        { is_public: false },
      ]) {
        await sql`delete from outbox`;
        expect(await status(patch(path, change))).toBe(200);
        expect([...(await sql`select record_id from outbox`)]).toEqual([{ record_id: id }]);
      }
    });
  });

  test("only one of two contradicting simultaneous changes succeeds", async () => {
    const [one, two] = await addVocabulary("race", "one", "two");
    const under = (id?: string, broader_id?: string) =>
      status(patch(`/v1/vocabularies/race/terms/${id}`, { broader_id }));
    expect((await Promise.all([under(one, two), under(two, one)])).sort()).toEqual([200, 422]);
    const types = ["left_of", "right_of", "west_of"].map((name) =>
      status(
        admin("/v1/relation-types", {
          json: {
            name,
            inverse: "beside",
            label: { en: name },
            inverse_label: { en: "beside" },
            from_types: ["object"],
            to_types: ["object"],
          },
        }),
      ),
    );
    expect((await Promise.all(types)).sort()).toEqual([201, 409, 409]);
  });

  test("what was read can be sent back unchanged", async () => {
    const term = (await body(admin("/v1/vocabularies/material/terms?page_size=1"))).items[0];
    const paths = [
      ...(await body(admin("/v1/schemas"))).items.flatMap((item: Answer) =>
        item.fields.slice(0, 3).map((field: Answer) => `/v1/schemas/${item.record_type}/${field.name}`),
      ),
      "/v1/subtypes/object/painting",
      "/v1/vocabularies/material",
      `/v1/vocabularies/material/terms/${term.id}`,
      "/v1/relation-types/related_to",
      "/v1/relation-types/created_by",
    ];
    for (const path of paths) {
      const before = await body(admin(path));
      const answer = await put(path, before);
      expect(answer.status, `${path}: ${await answer.clone().text()}`).toBe(200);
      expect(await body(answer)).toEqual(before);
    }
  });

  test("a change is refused when somebody else was faster", async () => {
    for (const [path, change] of [
      ["/v1/schemas/object/edition", { help: { en: "Once" } }],
      ["/v1/subtypes/object/painting", { label: { en: "Paintings" } }],
      ["/v1/vocabularies/technique", { label: { en: "Techniques" } }],
      ["/v1/relation-types/made_at", { label: { en: "Made in" } }],
    ] as const) {
      const read = await admin(path);
      const headers = { "If-Match": read.headers.get("ETag")! };
      const whole = { ...(await body(read)), ...change };
      const changed = await put(path, whole, headers);
      expect(changed.status, path).toBe(200);
      expect(await status(put(path, whole, headers)), path).toBe(412);
      expect(await status(put(path, whole, { "If-Match": changed.headers.get("ETag")! })), path).toBe(200);
    }
  });

  test("an invalid If-Match gives 422, and one that does not match gives 412", async () => {
    const path = "/v1/vocabularies/technique";
    const read = await admin(path);
    const whole = await body(read);
    const tag = read.headers.get("ETag")!;
    for (const odd of ["a b", '"a', `${tag} ${tag}`, "*, *"])
      expect(await status(put(path, whole, { "If-Match": odd })), odd).toBe(422);
    for (const other of ['"7"', "7", '"a,b"', `W/${tag}`])
      expect(await status(put(path, whole, { "If-Match": other })), other).toBe(412);
    for (const fitting of [tag, tag.slice(1, -1), `"7", ${tag}`, "*"])
      expect(await status(put(path, whole, { "If-Match": fitting })), fitting).toBe(200);
  });

  test("faults and refusals are in the language of the reader, with a code for programs", async () => {
    const json = { name: "Kleider", label: {}, uri: "kleider" };
    const german = await body(admin("/v1/vocabularies", { json, headers: { "Accept-Language": "de" } }));
    expect(german.errors).toEqual([
      { pointer: "/name", code: "name.form", detail: expect.stringContaining("Kleinbuchstaben") },
      {
        pointer: "/label",
        code: "text_per_language.none",
        detail: expect.stringContaining('{"de": "Titel"}'),
      },
      { pointer: "/uri", code: "address.authority", detail: expect.stringContaining("ist keine http-") },
    ]);
    await addVocabulary("garments", "cloak");
    await addField("garment", { field_type: "vocab", vocabulary: "garments" });
    const made = await object({ garment: [{ value: "cloak" }] });
    await admin(`/v1/objects/${made.id}`, { method: "DELETE" });
    await object({ garment: [{ value: "cloak" }] });
    const refused = admin("/v1/schemas/object/garment", {
      method: "DELETE",
      headers: { "Accept-Language": "fr" },
    });
    expect(await body(refused)).toMatchObject({
      status: 409,
      code: "field.in_use",
      detail: expect.stringMatching(
        /^Le champ object\.garment est utilisé par 2 notices \(dont 1 dans la corbeille\)/,
      ),
    });
  });

  test("a patch cannot remove a name", async () => {
    for (const path of ["/v1/vocabularies/technique", "/v1/relation-types/made_at"]) {
      const answer = await admin(path, { method: "PATCH", json: { name: null } });
      expect([answer.status, (await answer.json()).errors], path).toEqual([
        422,
        [expect.objectContaining({ pointer: "/name", code: "not_removable" })],
      ]);
    }
  });

  test("no input makes the service fail", async () => {
    const odd: unknown[] = [
      null,
      [],
      "x",
      7,
      {},
      { name: null },
      { name: "a\u0000b" },
      { label: { en: "\ud800" } },
    ];
    odd.push({
      name: "ok",
      label: { en: "x\u0000" },
      field_type: "text",
      inverse: "ko",
      from_types: [],
      to_types: [{}],
    });
    odd.push(JSON.parse('{"__proto__": {"name": "x"}, "label": {"__proto__": "x"}, "value": "\\u0000"}'));
    odd.push({
      name: "ok",
      label: { en: "x" },
      mapping: { "\u0000": "x" },
      vocabulary: "\u0000",
      broader_id: "\u0000",
    });
    const term = (await body(admin("/v1/vocabularies/material/terms?page_size=1"))).items[0];
    const lists = ["schemas/object", "vocabularies", "vocabularies/material/terms", "relation-types"];
    const ones = ["schemas/object/edition", "vocabularies/role", `vocabularies/material/terms/${term.id}`];
    ones.push(
      "relation-types/made_at",
      "subtypes/object/print",
      "schemas/object/%ff",
      "vocabularies/%F0%9F%92%A9",
    );
    ones.push("vocabularies/material/terms/no-uuid");
    for (const json of odd) {
      for (const path of lists) expect(await status(admin(`/v1/${path}`, { json })), path).toBeLessThan(500);
      for (const path of ones) {
        expect(await status(put(`/v1/${path}`, json)), path).toBeLessThan(500);
        expect(await status(patch(`/v1/${path}`, json)), path).toBeLessThan(500);
      }
    }
    for (const query of [
      "page=0",
      "page=x",
      "page=1&page=2",
      "q=%F0%9F%92%A9%5C%25_",
      "q=",
      "broader=",
      "q=%00",
    ]) {
      expect(await status(visitor(`/v1/vocabularies/material/terms?${query}`)), query).toBeLessThan(500);
    }
    expect(museum.log.filter((line) => line.includes("request failed"))).toEqual([]);
  });
});
