/** Linked data contains nothing that is not public, for any caller, and is valid whatever people enter. */
import { describe, expect, it } from "vitest";
import { ofTurtle } from "../support/isomorphic.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";
import { faultsOf, parsed, readOntology } from "../support/ontology.ts";

/** What the museum of tests marks as secret (support/museum/marked.ts), and what this test adds. */
const SECRETS = /KESTREL|OSPREY|MERLIN|HARRIER|PEREGRINE|GOSHAWK|WRYNECK|FULMAR|NIGHTJAR/;
const ontology = readOntology();
const FORMATS = [
  "format=jsonld",
  "format=turtle",
  "profile=https%3A%2F%2Flinked.art%2Fns%2Fv1%2Flinked-art.json",
];
const PLURALS = ["objects", "entities", "places", "occurrences", "procedures", "collections"];

const museum = await museumHere({ demo: "with media" });
const staff = await museum.as("superuser");

const json = async <T>(answer: Response): Promise<T> => {
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as T;
};
const turtleOf = async (path: string): Promise<string> => {
  const answer = await museum.ask(`/v1${path}/export?format=turtle`);
  expect(answer.status, path).toBe(200);
  return answer.text();
};
async function published(kind: string, body: object): Promise<string> {
  const { id } = await json<{ id: string }>(
    await staff(`/v1/${kind}`, { json: { status: "public", ...body } }),
  );
  return `/${kind}/${id}`;
}
const titled = (title: string, more: object = {}) => ({
  object_type: "print",
  metadata_: { title: [{ value: title }], ...more },
});
const linked = async (from: string, relation_type: string, to: string, metadata_ = {}) =>
  json(
    await staff(`/v1${from}/relations`, {
      json: { relation_type, to_type: TYPES[to.split("/")[1]!], to_id: to.split("/")[2], metadata_ },
    }),
  );
const TYPES: Record<string, string> = {
  objects: "object",
  entities: "entity",
  places: "place",
  occurrences: "occurrence",
  collections: "collection",
};

describe("the demo museum's secrets", () => {
  it("are in no export of all records of a kind", async () => {
    for (const plural of PLURALS) {
      const text = await (await staff(`/v1/${plural}/export`)).text();
      expect(text.length, plural).toBeGreaterThan(1_000);
      expect(text, plural).not.toMatch(SECRETS);
      expect(text, plural).not.toContain("/storage-locations/");
    }
  });

  it("are in no export of a record in any format, for staff or visitors", async () => {
    const [sampled] = [["obj-figurehead", "obj-japanese-print"].map((key) => museum.demo.get(key)!)];
    for (const id of sampled!) {
      for (const query of FORMATS) {
        for (const ask of [museum.ask, staff]) {
          expect(await (await ask(`/v1/objects/${id}/export?${query}`)).text(), query).not.toMatch(SECRETS);
        }
      }
    }
  });

  it("are not in linked data for staff who may see the whole record", async () => {
    const path = `/v1/objects/${museum.demo.get("obj-figurehead")}`;
    expect(await (await staff(path)).text()).toMatch(SECRETS);
    for (const type of ["text/turtle", "application/ld+json"]) {
      expect(await (await staff(path, { headers: { Accept: type } })).text()).not.toMatch(SECRETS);
    }
  });
});

describe("a linked record that is not public", () => {
  it("is left out with its name and address, in both directions", async () => {
    const print = await published("objects", titled("The public print"));
    const maker = await json<{ id: string }>(
      await staff("/v1/entities", {
        json: { entity_type: "person", metadata_: { name: [{ value: "NIGHTJAR" }] } },
      }),
    );
    await linked(print, "created_by", `/entities/${maker.id}`, { role: [{ value: "printmaker" }] });
    for (const query of FORMATS) {
      const text = await (await staff(`/v1${print}/export?${query}`)).text();
      expect(text, query).not.toMatch(SECRETS);
      expect(text, query).not.toContain(maker.id);
    }
    await json(await staff(`/v1/entities/${maker.id}/publish`, { method: "POST" }));
    expect(await turtleOf(print)).toContain("NIGHTJAR");
    expect(await turtleOf(`/entities/${maker.id}`)).toContain("The public print");
    await json(await staff(`/v1${print}/status`, { json: { status: "internal" } }));
    expect(await turtleOf(`/entities/${maker.id}`)).not.toContain(print);
  });

  it("is left out as the parent of a collection, and as the value of a field", async () => {
    const hidden = await json<{ id: string }>(
      await staff("/v1/collections", { json: { metadata_: { title: [{ value: "NIGHTJAR bequest" }] } } }),
    );
    const shown = await published("collections", {
      parent_id: hidden.id,
      metadata_: { title: [{ value: "Prints" }] },
    });
    await json(
      await staff("/v1/schemas/collection", {
        json: {
          name: "successor",
          label: { en: "Successor" },
          field_type: "relation",
          is_public: true,
          is_repeatable: true,
        },
      }),
    );
    const other = await published("collections", { metadata_: { title: [{ value: "Drawings" }] } });
    await json(
      await staff(`/v1${shown}`, {
        method: "PATCH",
        json: { metadata_: { successor: [{ value: hidden.id }, { value: other.split("/")[2] }] } },
      }),
    );
    const turtle = await turtleOf(shown);
    expect(turtle).not.toContain(hidden.id);
    expect(turtle).not.toMatch(SECRETS);
    expect(turtle).toContain("Drawings");
    expect(faultsOf(ontology, parsed(turtle), new Set())).toEqual([]);
  });
});

describe("media in linked data", () => {
  it("are present if they are public, with file, caption and rights", async () => {
    const print = await published("objects", titled("A print with pictures"));
    const id = print.split("/")[2]!;
    const sent = await send(staff, id, await jpeg(30, 20), "print.jpg", {
      caption: "The print",
      license_uri: "https://creativecommons.org/publicdomain/zero/1.0/",
      rights_holder: "Museum",
    });
    const shown = await json<{ media_id: string }>(sent);
    const hidden = await json<{ media_id: string }>(
      await send(staff, id, await jpeg(31, 20), "NIGHTJAR.jpg", {
        visibility: "private",
        caption: "NIGHTJAR",
      }),
    );
    const turtle = await turtleOf(print);
    expect(turtle).toContain(`${print}/media/${shown.media_id}/file>`);
    expect(turtle).toContain('"The print"');
    const { baseUrl } = museum.services.config;
    for (const address of [
      `${baseUrl}/iiif/3/${shown.media_id}.jpg`,
      `${baseUrl}/iiif/presentation/3${print}/manifest`,
    ]) {
      expect(turtle).toContain(`<${address}>`);
      const answer = await museum.ask(address.slice(baseUrl.length));
      expect([200, 303], address).toContain(answer.status);
    }
    expect(turtle).not.toContain(hidden.media_id);
    expect(turtle).not.toMatch(SECRETS);
    expect(faultsOf(ontology, parsed(turtle), new Set())).toEqual([]);
    const art = await json<{ representation: unknown[] }>(
      await museum.ask(`/v1${print}/export?${FORMATS[2]}`),
    );
    expect(art.representation).toMatchObject([
      {
        type: "VisualItem",
        digitally_shown_by: [
          {
            type: "DigitalObject",
            format: "image/jpeg",
            digitally_available_via: [{ conforms_to: [{ id: "http://iiif.io/api/image" }] }],
          },
        ],
      },
    ]);
  });
});

describe("linked data of what people enter", () => {
  it("is valid RDF, whatever characters there are", async () => {
    const title = 'Le "bœuf" \\ <écorché> \t{1655}\n»שלום« ‮ \u{1F3A8} \u0085';
    const object = await published(
      "objects",
      titled(title, { material: [{ value: 'http://example.org/a b"c<d>|e\\^`' }] }),
    );
    const turtle = await turtleOf(object);
    const titles = parsed(turtle).filter(({ predicate }) =>
      predicate.value.endsWith("P190_has_symbolic_content"),
    );
    expect(titles.map(({ object }) => object.value)).toContain(title);
    expect(turtle).toContain("<http://example.org/a%20b%22c%3Cd%3E%7Ce%5C%5E%60>");
    const quads = await (await museum.ask("/v1/objects/export")).text();
    const own = quads
      .split("\n")
      .filter((line) => line.includes(`<urn:svc:graph:object:${object.split("/")[2]}>`));
    expect(own).toHaveLength(ofTurtle(turtle).length);
    expect(parsed(quads, "N-Quads").length).toBeGreaterThan(1_000);
  });

  it("has the addresses of authorities in their official form, and a value without one as an identifier", async () => {
    await json(
      await staff("/v1/schemas/entity", {
        json: {
          name: "isil",
          label: { en: "ISIL" },
          field_type: "authority",
          is_public: true,
          mapping: { pattern: "authority_uri" },
        },
      }),
    );
    const entity = await published("entities", {
      entity_type: "person",
      metadata_: {
        name: [{ value: "Artemisia" }],
        gnd: [{ value: "118540238" }],
        ulan: [{ value: "http://vocab.getty.edu/page/ulan/500115588" }],
        isil: [{ value: "isil:DE-1" }],
        wikidata: [{ value: "https://www.wikidata.org/wiki/Q5582" }],
      },
    });
    const turtle = await turtleOf(entity);
    for (const iri of [
      "https://d-nb.info/gnd/118540238",
      "http://vocab.getty.edu/ulan/500115588",
      "http://www.wikidata.org/entity/Q5582",
    ]) {
      expect(turtle).toContain(`<${iri}>`);
    }
    expect(turtle).toContain('"isil:DE-1"');
    expect(turtle).not.toContain("<isil:");
  });

  it("has a note for a field without a known meaning, or with a pattern that does not fit the record", async () => {
    await json(
      await staff("/v1/schemas/place", {
        json: {
          name: "watermark",
          label: { en: "Watermark", de: "Wasserzeichen" },
          field_type: "text",
          is_public: true,
          mapping: { pattern: "no_such_thing" },
        },
      }),
    );
    await json(
      await staff("/v1/schemas/place", {
        json: {
          name: "built_of",
          label: { en: "Built of" },
          field_type: "vocab_free",
          vocabulary: "material",
          is_public: true,
          mapping: { pattern: "material" },
        },
      }),
    );
    const place = await published("places", {
      metadata_: {
        name: [{ value: "Kiln" }],
        watermark: [{ value: "a crown" }],
        built_of: [{ value: "clay" }],
      },
    });
    const turtle = await turtleOf(place);
    expect(turtle).toContain('"a crown"');
    expect(turtle).toContain('"Watermark"@en');
    expect(turtle).toContain("aat:300010439");
    expect(faultsOf(ontology, parsed(turtle), new Set())).toEqual([]);
  });

  it("describes a link as an attribute assignment if its path does not fit", async () => {
    await json(
      await staff("/v1/relation-types", {
        json: {
          name: "restored_in",
          inverse: "place_of_restoration_of",
          label: { en: "restored in" },
          inverse_label: { en: "place of restoration of" },
          from_types: ["object", "entity"],
          to_types: ["place"],
          mapping: { path: "P31i_was_modified_by / E11_Modification / P7_took_place_at" },
        },
      }),
    );
    const place = await published("places", { metadata_: { name: [{ value: "Workshop" }] } });
    const object = await published("objects", titled("A mended print"));
    const person = await published("entities", {
      entity_type: "group",
      metadata_: { name: [{ value: "The menders" }] },
    });
    await linked(object, "restored_in", place);
    await linked(person, "restored_in", place);
    const all = await Promise.all([object, person, place].map(turtleOf));
    for (const turtle of all) expect(faultsOf(ontology, parsed(turtle), new Set())).toEqual([]);
    expect(all[0]).toContain("crm:E11_Modification");
    expect(all[1]).toContain("crm:E13_Attribute_Assignment");
    expect(all[1]).toContain('"restored in"@en');
  });
});
