import { describe, expect, it } from "vitest";
import { KINDS } from "../../src/records/kinds.ts";
import { create, samples } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { leavingNothing, refusal } from "../support/refusals.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const DEEP = "[".repeat(10_000) + "]".repeat(10_000);
const LONG = "x".repeat(1024 * 1024);

describe.each(databases)("bad bodies in the %s database", async (database) => {
  const museum = await museumHere({ database });
  const admin = await museum.as("superuser");
  const ids = Object.fromEntries(
    await Promise.all(KINDS.map(async (kind) => [kind, (await create(admin, kind)).id] as const)),
  );
  leavingNothing(() => museum);

  const send = (method: string, path: string, body: BodyInit | null, headers: HeadersInit = JSON_TYPE) =>
    admin(path, { method, body, headers: headers as Record<string, string> });
  const bytes = (text: string) => new TextEncoder().encode(text);

  /** Routes that take JSON. */
  const routes = (): [string, string][] => [
    ...KINDS.flatMap((kind): [string, string][] => [
      ["POST", `/v1/${samples[kind].plural}`],
      ["PUT", `/v1/${samples[kind].plural}/${ids[kind]}`],
      ["PATCH", `/v1/${samples[kind].plural}/${ids[kind]}`],
    ]),
    ["POST", `/v1/objects/${ids.object}/status`],
    ["POST", `/v1/objects/${ids.object}/relations`],
    ["POST", `/api/v1/entities/${ids.entity}/relations`],
    ["POST", "/v1/schemas/object"],
    ["PATCH", "/v1/schemas/object/rights"],
    ["PUT", "/v1/schemas/object/rights"],
    ["POST", "/v1/vocabularies"],
    ["PATCH", "/v1/vocabularies/material"],
    ["POST", "/v1/vocabularies/material/terms"],
    ["POST", "/v1/relation-types"],
    ["PATCH", "/v1/relation-types/created_by"],
    ["POST", "/v1/users"],
    ["PATCH", "/v1/users/00000000-0000-4000-8000-000000000000"],
    ["POST", "/v1/roles"],
    ["PUT", "/v1/roles/viewer"],
    ["PATCH", "/v1/roles/viewer"],
    ["POST", "/v1/auth/login"],
    ["POST", "/v1/auth/password"],
  ];

  describe("every route that takes JSON", () => {
    it.each<[string, BodyInit | null, number]>([
      ["nothing", null, 400],
      ["white space", " \n\t ", 400],
      ["half a body", '{"idno": "x"', 400],
      ["no JSON", "idno=x&status=public", 400],
      ["JSON with a comment", '{"idno": /* none */ "x"}', 400],
      ["NaN", "NaN", 400],
      ["two bodies", "{}{}", 400],
      ["a NUL after the body", "{}\u0000", 400],
      ["Latin-1", new Uint8Array([...bytes('{"idno":"'), 0xe9, ...bytes('"}')]), 400],
      ["overlong UTF-8", new Uint8Array([...bytes('{"idno":"'), 0xc0, 0xaf, ...bytes('"}')]), 400],
      ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), 400],
      ["10,000 nested lists", DEEP, 400],
      ["10,000 nested objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, 400],
      ["3 MB", JSON.stringify({ idno: LONG + LONG + LONG }), 413],
      ["3 MB of white space", " ".repeat(3 * 1024 * 1024), 413],
      ["a list", "[]", 422],
      ["a list of one draft", "[{}]", 422],
      ["text", '"title"', 422],
      ["a number", "7", 422],
      ["a number that is too large", "1e400", 422],
      ["true", "true", 422],
      ["null", "null", 422],
      ["an unknown member", '{"no_such_thing": 1}', 422],
      ["__proto__", '{"__proto__": {"status": "public"}}', 422],
      ["constructor", '{"constructor": {"prototype": {}}}', 422],
      ["a member without a name", '{"": 1}', 422],
    ])("refuses %s", async (_, body, status) => {
      for (const [method, path] of routes()) {
        // sign-in routes take shorter bodies than records
        const statuses = path.startsWith("/v1/auth/") && status === 400 ? [400, 413] : [status];
        await refusal(await send(method, path, body), path, ...statuses);
        if (status === 413) break;
      }
    });

    const members = (value: string) => Array.from({ length: 30_000 }, (_, n) => `"k${n}": ${value}`).join();
    it.each([
      ["unknown members", `{${members("1")}}`],
      ["unknown fields", `{"metadata_": {${members("[]")}}}`],
      ["entries", `{"metadata_": {"title": [${Array(30_000).fill("1").join()}]}}`],
      ["languages", `{"value": "x", "label": {${members('"x"')}}}`],
      ["empty lists", `[${Array(30_000).fill("[]").join()}]`],
    ])("refuses tens of thousands of %s without naming each", async (_, body) => {
      for (const [method, path] of routes()) {
        const answer = await send(method, path, body);
        expect((await answer.clone().text()).length).toBeLessThan(400);
        await refusal(answer, path, 413);
      }
    });

    it.each([
      "text/plain",
      "text/json",
      "application/xml",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "json",
      "*/*",
      "",
    ])("refuses the content type %j", async (type) => {
      for (const [method, path] of routes()) {
        const answer = await send(method, path, bytes("{}"), type === "" ? {} : { "Content-Type": type });
        expect(answer.headers.get("Accept")).toContain("application/json");
        await refusal(answer, path, 415);
      }
    });

    it("refuses an announced body of 100 MB before reading any of it", async () => {
      for (const [method, path] of routes()) {
        const endless = new ReadableStream(
          {
            pull() {
              throw new Error("the body was read");
            },
          },
          { highWaterMark: 0 },
        );
        const headers = { ...JSON_TYPE, "Content-Length": "104857600" };
        const answer = await admin(path, { method, body: endless, headers, duplex: "half" } as never);
        await refusal(answer, path, 413);
      }
    });

    it("refuses a body without an announced length once it is too long", async () => {
      let sent = 0;
      const endless = new ReadableStream({
        pull(controller) {
          sent += 1;
          controller.enqueue(new Uint8Array(64 * 1024).fill(32));
        },
      });
      const answer = await admin("/v1/objects", {
        method: "POST",
        body: endless,
        headers: JSON_TYPE,
        duplex: "half",
      } as never);
      await refusal(answer, "/v1/objects", 413);
      expect(sent).toBeLessThan(50);
    });
  });

  describe("a record", () => {
    const at = (kind: keyof typeof samples, more: object): [string, unknown] => [
      `/v1/${samples[kind].plural}`,
      { ...samples[kind].draft, ...more },
    ];
    const metadata = (more: object) => at("object", { metadata_: more });

    it.each<[string, [string, unknown], string[]]>([
      ["with a number as type", at("object", { object_type: 7 }), ["/object_type"]],
      ["of an unknown type", at("object", { object_type: "spaceship" }), ["/object_type"]],
      ["with an unknown status", at("object", { status: "PUBLIC" }), ["/status"]],
      [
        "with several faults",
        at("object", { status: 1, idno: [], colour: "red" }),
        ["/idno", "/status", "/colour"],
      ],
      ["with an invalid id", at("object", { id: "1" }), ["/id"]],
      ["with null as number", at("object", { idno: null }), ["/idno"]],
      ["with NUL in its number", at("object", { idno: "a\u0000b" }), ["/idno"]],
      ["with half a surrogate pair in its number", at("object", { idno: "a\ud800" }), ["/idno"]],
      ["with a number of 1 MB", at("object", { idno: LONG }), ["/idno"]],
      ["with a list as metadata", at("object", { metadata_: [] }), ["/metadata_"]],
      ["with an unknown field", metadata({ nickname: [] }), ["/metadata_/nickname"]],
      ["with text for a list", metadata({ title: "Harbour" }), ["/metadata_/title"]],
      ["with an object for a list", metadata({ title: { value: "Harbour" } }), ["/metadata_/title"]],
      ["with text for an entry", metadata({ title: ["Harbour"] }), ["/metadata_/title/0"]],
      ["with a list for an entry", metadata({ title: [["Harbour"]] }), ["/metadata_/title/0"]],
      ["with a number as value", metadata({ title: [{ value: 7 }] }), ["/metadata_/title/0/value"]],
      ["with null as value", metadata({ title: [{ value: null }] }), ["/metadata_/title/0/value"]],
      ["without a value", metadata({ title: [{ lang: "en" }] }), ["/metadata_/title/0/value"]],
      ["with a blank value", metadata({ title: [{ value: " \n" }] }), ["/metadata_/title/0/value"]],
      [
        "with more in an entry",
        metadata({ title: [{ value: "x", note: "y" }] }),
        ["/metadata_/title/0/note"],
      ],
      ["with NUL in a value", metadata({ title: [{ value: "a\u0000" }] }), ["/metadata_/title/0/value"]],
      [
        "with half a pair in a value",
        metadata({ title: [{ value: "\udc00a" }] }),
        ["/metadata_/title/0/value"],
      ],
      ["with a value of 1 MB", metadata({ title: [{ value: LONG }] }), ["/metadata_/title/0/value"]],
      [
        "with an invalid language",
        metadata({ title: [{ value: "x", lang: "english!" }] }),
        ["/metadata_/title/0/lang"],
      ],
      [
        "with NUL as language",
        metadata({ title: [{ value: "x", lang: "\u0000" }] }),
        ["/metadata_/title/0/lang"],
      ],
      [
        "with a second entry where only one is allowed",
        metadata({ provenance: [{ value: "x" }, { value: "y" }] }),
        ["/metadata_/provenance/1"],
      ],
      ["with 1,001 entries", metadata({ title: Array(1_001).fill({ value: "x" }) }), ["/metadata_/title"]],
      ["with constructor as field", metadata({ constructor: [{ value: "x" }] }), ["/metadata_/constructor"]],
      ["with toString as field", metadata({ toString: [{ value: "x" }] }), ["/metadata_/toString"]],
      ["with NUL in a field's name", metadata({ "a\u0000": [] }), ["/metadata_/a\u0000"]],
      ["with a slash and a tilde in a field's name", metadata({ "a/b~c": [] }), ["/metadata_/a~1b~0c"]],
      ["with a field's name of 1 MB", metadata({ [LONG]: [] }), [`/metadata_/${LONG}`]],
      ["with an invalid date", metadata({ date: [{ value: "last summer" }] }), ["/metadata_/date/0/value"]],
      ["in the year 0", at("procedure", { start_date: "0000-01-01" }), ["/start_date"]],
      ["with a date-time for a day", at("procedure", { due_date: "2026-01-01T00:00:00" }), ["/due_date"]],
      ["with an object as parent", at("collection", { parent_id: { id: "x" } }), ["/parent_id"]],
    ])("%s is refused, and its fault is located", async (_, [path, json], pointers) => {
      const problem = await refusal(await admin(path, { json }), path, 422);
      expect(problem.errors!.map(({ pointer }) => pointer)).toEqual(pointers);
    });

    it.each([
      ['{"lat": 1e400, "lon": 0}', ["/lat"]],
      ['{"lat": -1e400, "lon": 1e999}', ["/lat", "/lon"]],
      ['{"metadata_": {"__proto__": [{"value": "x"}]}}', ["/metadata_/__proto__"]],
      [
        '{"metadata_": {"name": [{"value": "x", "__proto__": {"lang": "en"}}]}}',
        ["/metadata_/name/0/__proto__"],
      ],
      ['{"metadata_": {"name": [{"value": "\\ud800"}]}}', ["/metadata_/name/0/value"]],
      ['{"metadata_": {"\\udfff": [{"value": "x"}]}}', ["/metadata_/\udfff"]],
      ['{"idno": "\\u0000"}', ["/idno"]],
    ])("with the body %s is refused", async (body, pointers) => {
      const path = `/v1/places/${ids.place}`;
      const problem = await refusal(await send("PATCH", path, body), path, 422);
      expect(problem.errors!.map(({ pointer }) => pointer)).toEqual(pointers);
    });
  });
});
