/** Linked Art 1.0: the records against the schemas that Linked Art publishes. */
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { graphOf } from "../../src/formats/rdf/map.ts";
import type { Json } from "../../src/formats/rdf/syntax/json-ld.ts";
import { linkedArt } from "../../src/formats/rdf/syntax/linked-art.ts";
import { loadPublic } from "../../src/records/public/load.ts";
import { museumHere } from "../support/museum/museum.ts";
import { ROOT } from "../support/sources.ts";

const BASE = "http://127.0.0.1:8000";
const SCHEMAS = `${ROOT}tests/fixtures/linked-art/`;
const SCHEMA_OF: Record<string, string> = {
  Activity: "event",
  Event: "event",
  Group: "group",
  HumanMadeObject: "object",
  LinguisticObject: "text",
  Period: "event",
  Person: "person",
  Place: "place",
  PropositionalObject: "abstract",
  Set: "set",
};

const documents = new Map<string, Json>();

const museum = await museumHere({
  demo: true,
  env: { ARK_ENABLED: "true", ARK_NAAN: "12345" },
});
beforeAll(async () => {
  const keys = new Map([...museum.demo].map(([key, id]) => [id, key]));
  const { around, records } = await loadPublic(museum.services, [...keys.keys()]);
  for (const record of records) documents.set(keys.get(record.row.id)!, linkedArt(graphOf(around, record)));
});

describe("Linked Art of the demo museum", () => {
  it("is valid by the schemas of the API, for every record", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const name of readdirSync(SCHEMAS).filter((file) => file.endsWith(".json"))) {
      ajv.addSchema(JSON.parse(readFileSync(SCHEMAS + name, "utf8")));
    }
    const faults = [...documents].flatMap(([key, document]) => {
      const fits = ajv.getSchema(
        `https://linked.art/api/1.0/schema/${SCHEMA_OF[document.type as string]}.json`,
      )!;
      return fits(asInTheApi(document)) ? [] : [`${key}: ${ajv.errorsText(fits.errors)}`];
    });
    expect(documents.size).toBeGreaterThan(200);
    expect(faults).toEqual([]);
  });

  it("has the ARK as an identifier, and as an equivalent address", () => {
    for (const [key, document] of documents) {
      expect(JSON.stringify(document.identified_by), key).toMatch(/"content":"ark:\/12345\/\w{8}"/);
      expect(JSON.stringify(document.equivalent), key).toContain(`${BASE}/ark:/12345/`);
    }
  });

  it("has concepts with external ids, dimensions as numbers, and depicted things in what is shown", () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document whose parts are tried one by one
    const figurehead = documents.get("obj-figurehead") as any;
    expect(figurehead.made_of[0]).toMatchObject({
      id: "http://vocab.getty.edu/aat/300012264",
      _label: "oak",
    });
    expect(figurehead.dimension[0]).toMatchObject({ type: "Dimension", value: 148 });
    expect(figurehead.shows[0].about.map(({ _label }: Json) => _label)).toContain("compasses");
    expect(figurehead.produced_by.timespan.begin_of_the_begin).toBe("1867-01-01T00:00:00Z");
    expect(figurehead.produced_by.part[0].carried_out_by[0].type).toBe("Person");
  });
});

/**
 * The API wants what is shown as a document of its own; the model shows it in place. The API's schemas know equivalents of
 * events only as Activity, and those of works only as LinguisticObject, whatever the type of the document.
 */
function asInTheApi({ shows, equivalent, ...document }: Json): Json {
  const family = { event: "Activity", abstract: "LinguisticObject" }[SCHEMA_OF[document.type as string]!];
  return {
    ...document,
    ...(shows ? { shows: [{ id: `${BASE}/what-is-shown`, type: "VisualItem" }] } : {}),
    ...(equivalent
      ? { equivalent: (equivalent as Json[]).map((same) => ({ ...same, type: family ?? same.type })) }
      : {}),
  };
}
