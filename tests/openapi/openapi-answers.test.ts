/** What Schemathesis found (tests/conformance/fuzz.ts), in the short lane. */
import { describe, expect, it } from "vitest";
import { museumHere } from "../support/museum/museum.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document that is looked into
type Json = any;

const env = { TRIPLESTORE_ENABLED: "true", SPARQL_ENDPOINT_ENABLED: "true" };
const museum = await museumHere({ demo: "with media", env });
const viewer = await museum.as("viewer");
const description: Json = await (await museum.ask("/openapi.json")).json();

const parameter = (path: string, name: string) =>
  description.paths[path].get.parameters.find((each: Json) => each.name === name).schema;

describe("an answer", () => {
  const object = () => `/v1/objects/${museum.demo.get("obj-evening-harbour")}`;
  const asText = (query: string) => `/sparql?query=${encodeURIComponent(query)}`;

  it.each<[path: string, address: () => string, accept?: string]>([
    ["/contexts/v1.json", () => "/contexts/v1.json"],
    ["/v1/objects/{id}", object, "application/ld+json"],
    ["/v1/objects/{id}", object, "text/turtle"],
    ["/v1/objects/{id}/export", () => `${object()}/export`],
    ["/v1/objects/{id}/export", () => `${object()}/export?format=turtle`],
    ["/v1/objects/{id}/export", () => `${object()}/export?format=lido`],
    ["/v1/objects/export", () => "/v1/objects/export"],
    ["/v1/objects/export", () => "/v1/objects/export?format=csv"],
    ["/v1/objects/export", () => "/v1/objects/export?format=ndjson"],
    ["/sparql", () => "/sparql"],
    ["/sparql", () => asText("ASK {}")],
    ["/sparql", () => asText("ASK {}"), "text/csv"],
    ["/sparql", () => asText("CONSTRUCT {} WHERE {}"), "application/ld+json"],
  ])("of %s has a media type and a shape that the description names (%#)", async (path, address, accept) => {
    const answer = await viewer(address(), accept ? { headers: { Accept: accept } } : {});
    await answer.body?.cancel();
    expect(answer.status).toBe(200);
    const { content } = description.paths[path].get.responses["200"];
    const type = answer.headers.get("Content-Type")!.split(";")[0]!;
    expect(Object.keys(content)).toContain(type);
    const isText = content[type].schema.type === "string";
    expect(isText).toBe(!/[/+]json$/.test(type));
  });

  it("to a body that is too slow, and to an address that is too long, is described", () => {
    expect(description.paths["/v1/objects"].post.responses).toHaveProperty("408");
    expect(description.paths["/v1/objects"].get.responses).toHaveProperty("431");
  });
});

describe("the description of a parameter", () => {
  it("says what is accepted: the id of a record, or none", () => {
    expect(parameter("/v1/search", "rel_entity")).toMatchObject({ format: "uuid" });
    expect(parameter("/v1/collections", "parent_id")).toMatchObject({
      anyOf: [{ format: "uuid" }, { enum: ["none"] }],
    });
    const words = [
      parameter("/v1/search", "type").pattern,
      parameter("/v1/entities/{id}", "include").pattern,
    ];
    expect(words.map((one) => new RegExp(one).test("object, place"))).toEqual([true, false]);
    expect(words.map((one) => new RegExp(one).test("title,ark"))).toEqual([false, true]);
    expect(parameter("/sparql", "default-graph-uri")).toMatchObject({ items: { format: "iri" } });
  });

  it("says how long a new password and the permissions of a key are", () => {
    const { PasswordChange, ApiKeyDraft } = description.components.schemas;
    expect(PasswordChange.properties.new_password).toMatchObject({ minLength: 12, maxLength: 1024 });
    expect(ApiKeyDraft.properties.permissions).toMatchObject({ minItems: 1, items: { minLength: 1 } });
  });
});
