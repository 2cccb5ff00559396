import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readAs } from "../../src/http/faults.ts";
import { said, toldText } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { faultsJson } from "../../src/problem.ts";
import { createObject, english, type ProblemJson, read, samples } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { JARGON } from "../support/refusals.ts";

/** The faults reported for a value that the schema does not accept. */
function faultsFor(shape: z.ZodType, value: unknown, place: "body" | "query" = "body"): string[] {
  const result = readAs(shape, value, place);
  return "faults" in result
    ? faultsJson(ENGLISH, result.faults).map(({ pointer, detail }) => `${pointer} ${detail}`.trim())
    : [];
}

describe("the fault of a value", () => {
  const LONG = "x".repeat(300);

  it.each<[string, z.ZodType, unknown, string]>([
    ["text instead of a list", z.array(z.string()), "Harbour", "must be a list, not text"],
    ["a list instead of an object", z.object({}), [], "must be an object, not a list"],
    ["an object instead of text", z.string(), {}, "must be text, not an object"],
    ["null instead of text", z.string(), null, "must be text, not null"],
    ["a number instead of text", z.string(), 7, "must be text, not a number"],
    ["true instead of text", z.string(), true, "must be text, not true"],
    ["text instead of a number", z.number(), "7", "must be a number, not text"],
    ["text instead of a boolean", z.boolean(), "yes", "must be true or false, not text"],
    ["text instead of metadata", z.record(z.string(), z.string()), "x", "must be an object, not text"],
    ["a fraction instead of a whole number", z.int(), 1.5, "1.5 is not a whole number"],
    ["an infinite number", z.number(), Number.POSITIVE_INFINITY, "is not a number that can be stored"],
    ["text instead of a number in an address", z.coerce.number(), "x", "must be a number"],
    ["a value where none is allowed", z.never(), 1, "must be left out"],
    ["too large a number", z.number().max(90), 91, "91 is too large: at most 90"],
    ["too small a number", z.number().min(-90), -91, "-91 is too small: at least -90"],
    [
      "far too large a number",
      z.coerce.number().int().min(1).max(200),
      "99999999999999999999",
      "100000000000000000000 is too large: at most 200",
    ],
    ["far too small a number", z.int().min(1), -1e20, "-100000000000000000000 is too small: at least 1"],
    ["a number equal to an exclusive minimum", z.number().gt(0), 0, "0 is too small: must be more than 0"],
    ["long text", z.string().max(200), LONG, "has 300 characters; the limit is 200"],
    ["short text", z.string().min(3), "ab", "has 2 characters, but must have at least 3"],
    ["empty text", z.string().min(1), "", "is empty"],
    ["an empty list", z.array(z.string()).min(1), [], "is empty"],
    ["a long list", z.array(z.int()).max(2), [1, 2, 3], "has 3 entries; the limit is 2"],
    [
      "a word that is not in the list",
      z.enum(["draft", "public"]),
      "secret",
      '"secret" is not one of draft, public',
    ],
    [
      "a misspelt word",
      z.enum(["draft", "internal", "public"]),
      "publik",
      '"publik" is not one of draft, internal, public; did you mean "public"?',
    ],
    ["a number instead of a word", z.enum(["draft", "public"]), 1, "must be one of draft, public"],
    ["the wrong constant", z.literal("split"), "join", '"join" must be split'],
    ["a day that does not exist", z.iso.date(), "2026-02-30", "there is no day 2026-02-30"],
    [
      "a day in another form",
      z.iso.date(),
      "31.1.2026",
      '"31.1.2026" is not a valid date such as 2026-01-31',
    ],
    [
      "an invalid time",
      z.iso.datetime(),
      "noon",
      '"noon" is not a valid date and time such as 2026-01-31T12:00:00',
    ],
    ["an invalid id", z.uuid(), "1", '"1" is not a valid UUID such as 0198c0de-0000-7000-8000-000000000001'],
    ["an invalid e-mail address", z.email(), "x", '"x" is not a valid e-mail address'],
    [
      "text that does not match a pattern",
      z.string().regex(/^a/),
      "b",
      '"b" does not have the required form',
    ],
    [
      "neither of two",
      z.union([z.string(), z.int()]),
      [],
      "must be text, not a list, or must be a number, not a list",
    ],
    [
      "neither of two lists",
      z.union([z.array(z.string()), z.array(z.int())]),
      [{}],
      "matches none of the allowed forms",
    ],
    [
      "an unknown kind",
      z.discriminatedUnion("type", [z.object({ type: z.literal("a") }), z.object({ type: z.literal("b") })]),
      { type: "c" },
      "/type matches none of the allowed forms",
    ],
    [
      "a long name",
      z.record(z.string().max(2), z.int()),
      { abc: 1 },
      "/abc its name has 3 characters; the limit is 2",
    ],
    [
      "refused for its own reason",
      z.string().refine(() => false, toldText(said("fault.or", { one: "a", other: "b" }))),
      "x",
      "a, or b",
    ],
    ["refused without a reason", z.string().refine(() => false), "x", "is not valid"],
  ])("says what the value must be: %s", (_what, shape, value, expected) => {
    const faultsOf = faultsFor(shape, value);
    expect(faultsOf).toEqual([expected]);
    expect(faultsOf[0]).not.toMatch(JARGON);
  });

  it("says that a value is missing", () => {
    const shape = z.strictObject({ title: z.string(), status: z.enum(["draft"]), parts: z.array(z.int()) });
    expect(faultsFor(shape, {})).toEqual(["/title is missing", "/status is missing", "/parts is missing"]);
  });

  it("names an unknown key, and suggests the one that was meant", () => {
    const shape = z.strictObject({ title: z.string().optional(), date: z.string().optional() });
    expect(faultsFor(shape, { titel: "x", colour: "red", "a/b\n": 1 })).toEqual([
      '/titel is unknown; did you mean "title"?',
      "/colour is unknown",
      "/a~1b\n is unknown",
    ]);
    expect(faultsFor(z.object({ entry: shape }), { entry: { dat: "1887" } })).toEqual([
      '/entry/dat is unknown; did you mean "date"?',
    ]);
    expect(faultsFor(shape, { titel: "x" }, "query")).toEqual([
      'query:titel is not a parameter of this address; did you mean "title"?',
    ]);
  });

  it("is found even for a hundred thousand unknown keys", () => {
    const shape = z.strictObject({ object_type: z.string().optional(), metadata_: z.string().optional() });
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`objekt_type_${n}`, n]));
    expect(faultsFor(shape, many)).toHaveLength(100_000);
  });

  it("says that a parameter is given more than once", () => {
    const shape = z.strictObject({
      q: z.string().optional(),
      status: z.enum(["draft", "public"]).optional(),
    });
    expect(faultsFor(shape, { q: ["a", "b"], status: ["draft", "draft"] }, "query")).toEqual([
      "query:q is given more than once",
      "query:status is given more than once",
    ]);
  });
});

describe.each(databases)("faults in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const faultsOf = async (answer: Response | Promise<Response>) =>
    ((await read<ProblemJson>(answer, 422)).errors ?? []).map(
      ({ pointer, detail }) => `${pointer} ${detail}`,
    );

  it("in a draft say what to write instead", async () => {
    const draft = {
      object_typ: "painting",
      status: "Public",
      idno: "x".repeat(201),
      metadata_: {
        title: "Harbour",
        titel: english("Harbour"),
        date: [{ wert: "1887" }],
        material: ["canvas"],
      },
    };
    expect(await faultsOf(editor("/v1/objects", { json: draft }))).toEqual([
      "/idno has 201 characters; the limit is 200",
      '/status "Public" is not one of draft, internal, public; did you mean "public"?',
      "/metadata_/title must be a list, not text",
      "/metadata_/date/0/value is missing",
      "/metadata_/date/0/wert is unknown",
      "/metadata_/material/0 must be an object, not text",
      '/object_typ is unknown; did you mean "object_type"?',
    ]);
    const procedure = { ...samples.procedure.draft, start_date: "2026-02-30", due_date: "tomorrow" };
    expect(await faultsOf(editor("/v1/procedures", { json: procedure }))).toEqual([
      "/start_date there is no day 2026-02-30",
      '/due_date "tomorrow" is not a valid date such as 2026-01-31',
    ]);
    expect(
      await faultsOf(editor("/v1/places", { json: { ...samples.place.draft, lat: 91, lon: "9" } })),
    ).toEqual(["/lat 91 is too large: at most 90", "/lon must be a number, not text"]);
    expect(await faultsOf(editor("/v1/objects", { json: { ...samples.object.draft, idno: " " } }))).toEqual([
      "/idno is empty",
    ]);
  });

  it("of an unknown field or relation type suggest the one that was meant", async () => {
    const { id } = await createObject(editor, "Harbour");
    const metadata_ = {
      titel: english("Harbour"),
      matrial: [{ value: "canvas" }],
      smell: [{ value: "tar" }],
    };
    expect(await faultsOf(editor(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_ } }))).toEqual([
      '/metadata_/titel there is no field "titel"; did you mean "title"?',
      '/metadata_/matrial there is no field "matrial"; did you mean "material"?',
      '/metadata_/smell there is no field "smell"',
    ]);
    const wish = { relation_type: "creatd_by", to_type: "entity", to_id: id };
    expect(await faultsOf(editor(`/v1/objects/${id}/relations`, { json: wish }))).toEqual([
      '/relation_type there is no relation type "creatd_by"; did you mean "created_by"?',
    ]);
  });

  it("of an address suggest the parameter that was meant", async () => {
    expect(
      await faultsOf(museum.ask("/v1/objects?pagesize=5&object_typ=coin&colour=red&sort_by=titel&page=0")),
    ).toEqual([
      "query:page 0 is too small: at least 1",
      'query:sort_by "titel" is not one of idno, title, created_at, updated_at, date; did you mean "title"?',
      'query:pagesize is not a parameter of this address; did you mean "page_size"?',
      'query:object_typ is not a parameter of this address; did you mean "object_type"?',
      "query:colour is not a parameter of this address",
    ]);
    for (const [page, fault] of [
      ["", "is empty"],
      ["1e3", '"1e3" is not a whole number in digits'],
      ["0x10", '"0x10" is not a whole number in digits'],
      ["%2B5", '"+5" is not a whole number in digits'],
      ["%205", '" 5" is not a whole number in digits'],
      ["5%20", '"5 " is not a whole number in digits'],
      ["1.0", '"1.0" is not a whole number in digits'],
      ["1_000", '"1_000" is not a whole number in digits'],
      ["%D9%A3", '"٣" is not a whole number in digits'],
      ["-1", "-1 is too small: at least 1"],
      ["9999999999999", "9999999999999 is too large: at most 1000000000"],
      ["9".repeat(60), `${"9".repeat(40)}… is too large: at most 1000000000`],
      ["0".repeat(60), "0 is too small: at least 1"],
      [`-${"9".repeat(20)}`, `-${"9".repeat(20)} is too small: at least 1`],
    ]) {
      for (const path of ["objects", "search"])
        expect(await faultsOf(museum.ask(`/v1/${path}?page=${page}`)), path).toEqual([`query:page ${fault}`]);
    }
    expect(await faultsOf(museum.ask("/v1/objects?q=a&q=b&page_size=many&page_size=5"))).toEqual([
      "query:page_size is given more than once",
      "query:q is given more than once",
    ]);
    const ids = Array.from({ length: 201 }, () => crypto.randomUUID());
    expect(await faultsOf(museum.ask(`/v1/objects?ids=${ids}`))).toEqual([
      "query:ids has 201 entries; the limit is 200",
    ]);
    expect(await faultsOf(museum.ask("/v1/objects/17"))).toEqual([
      'path:id "17" is not a valid UUID such as 0198c0de-0000-7000-8000-000000000001',
    ]);
    expect(
      await faultsOf(museum.ask("/v1/search?facet=material&meta_matrial=oil&title=x&facets=techniqe")),
    ).toEqual([
      'query:facets there is no field "techniqe"; did you mean "technique"?',
      'query:facet is not a parameter of this address; did you mean "facets"?',
      'query:meta_matrial there is no field "matrial"; did you mean "material"?',
      'query:title is not a parameter of this address; did you mean "meta_title"?',
    ]);
  });

  it("never suggest to a visitor a field that is not public", async () => {
    for (const query of [
      "facets=internal_not",
      "meta_internal_not=x",
      "internal_note=x",
      "meta_conditon_note=x",
    ]) {
      expect((await faultsOf(museum.ask(`/v1/search?${query}`))).join()).not.toContain("did you mean");
      expect((await faultsOf(editor(`/v1/search?${query}`))).join()).toContain("did you mean");
    }
  });
});
