/** Whatever leaves the catalogue says "workshop of" in words, and nowhere that the master made the piece. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Store } from "oxigraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fingerprintOf } from "../../src/aggregation/fingerprint.ts";
import { viewsOf } from "../../src/formats/view.ts";
import { EXAMPLE_QUERIES } from "../../src/linked-data/sparql/examples.ts";
import { attributed } from "../../src/records/links/attributions.ts";
import { qualifierOfWords } from "../../src/records/links/qualifier-words.ts";
import type { Metadata } from "../../src/records/record.ts";
import { isShort } from "../support/lane/lane.ts";
import { linking, posted, read } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";
import { faultsOf, parsed, readOntology } from "../support/ontology.ts";
import { ROOT } from "../support/sources.ts";

const CRM = "http://www.cidoc-crm.org/cidoc-crm/";
const LINKED_ART = "profile=https%3A%2F%2Flinked.art%2Fns%2Fv1%2Flinked-art.json";
const SCHEMAS =
  process.env.CONFORMANCE_SCHEMAS ?? fileURLToPath(new URL("../../../shared/schemas/", import.meta.url));
const XSD: Readonly<Record<string, string>> = {
  lido: "lido/lido-v1.1.xsd",
  edm: "edm/src/main/resources/schema_xsds/EDM.xsd",
  dc: "oai/oai_dc.xsd",
};
const NAME = "Jelle Marsman";

type Case = { called: string; words: readonly string[]; property?: string; metadata: Metadata };

/** What the link says, what must be read, and the property that the attribution names. */
const QUALIFIED: readonly Case[] = [
  ...(
    [
      ["attributed_to", "attributed to", "… zugeschrieben", "P14_carried_out_by"],
      ["workshop_of", "workshop of", "Werkstatt von", "P15_was_influenced_by"],
      ["circle_of", "circle of", "Umkreis von", "P15_was_influenced_by"],
      ["follower_of", "follower of", "Nachfolger von", "P15_was_influenced_by"],
      ["manner_of", "manner of", "in der Art von", "P15_was_influenced_by"],
      ["copy_after", "copy after", "Kopie nach", "P15_was_influenced_by"],
      ["possibly", "possibly", "möglicherweise", "P14_carried_out_by"],
      ["formerly_attributed_to", "formerly attributed to", "früher … zugeschrieben", "P14_carried_out_by"],
    ] as const
  ).map(([value, english, german, property]) => ({
    called: value,
    words: [`${english} ${NAME}`, german.includes("…") ? german.replace("…", NAME) : `${german} ${NAME}`],
    property,
    metadata: { qualifier: [{ value }] },
  })),
  {
    called: "words alone",
    words: [`Schüler des ${NAME}`],
    metadata: { qualifier_text: [{ value: "Schüler des", lang: "de" }] },
  },
  {
    called: "words without a language",
    words: [`geschenkt von ${NAME}`],
    metadata: { qualifier_text: [{ value: "geschenkt von" }] },
  },
  {
    called: "a term and words",
    words: [`Werkstatt oder Umkreis des ${NAME}`],
    property: "P15_was_influenced_by",
    metadata: {
      qualifier: [{ value: "workshop_of" }],
      qualifier_text: [{ value: "Werkstatt oder Umkreis des", lang: "de" }],
    },
  },
  {
    called: "a term of the museum",
    words: [`pupil of ${NAME}`],
    metadata: { qualifier: [{ value: "pupil_of" }] },
  },
  {
    called: "words with a place for the name",
    words: [`from the time when ${NAME} was here`],
    metadata: { qualifier_text: [{ value: "from the time when … was here", lang: "en" }] },
  },
];

const CASES = QUALIFIED.flatMap((each) => [
  each,
  {
    ...each,
    called: `${each.called}, with a role`,
    metadata: { ...each.metadata, role: [{ value: "painter" }] },
  },
]);

describe("a qualifier and a name", () => {
  const de = { language: "de" };
  const fr = { language: "fr" };
  it.each([
    [de, "… zugeschrieben", "Joris van Eck", "Joris van Eck zugeschrieben"],
    [de, "früher … zugeschrieben", "$& $1", "früher $& $1 zugeschrieben"],
    [de, "Werkstatt von", "Ingres", "Werkstatt von Ingres"],
    [{ language: "en" }, "atelier de", "Ingres", "atelier de Ingres"],
    [fr, "atelier de", "Ingres", "atelier d’Ingres"],
    [fr, "suiveur de", "Élise Aubry", "suiveur d’Élise Aubry"],
    [fr, "école de … (?)", "œil", "école d’œil (?)"],
    [fr, "à la manière de", "Yves Klein", "à la manière d’Yves Klein"],
    [fr, "entourage de", "Yan Brunel", "entourage de Yan Brunel"],
    [fr, "entourage de", "Joris van Eck", "entourage de Joris van Eck"],
    [fr, "attribué à", "Ingres", "attribué à Ingres"],
    [fr, "étude", "Ingres", "étude Ingres"],
    [fr, "grande …", "Ingres", "grande Ingres"],
  ])("read right: %j %s + %s", (language, qualifier, name, words) => {
    expect(attributed(language, qualifier, name)).toBe(words);
  });

  it("are found in a list without the place for the name, and nothing else is lost", () => {
    const qualifiers = new Map([["formerly", { de: "früher … zugeschrieben" }]]);
    for (const words of ["früher … zugeschrieben", "Früher zugeschrieben", "formerly"])
      expect(qualifierOfWords({ qualifiers }, words)).toEqual({ qualifier: [{ value: "formerly" }] });
    const doubted = "früher zugeschrieben?";
    expect(qualifierOfWords({ qualifiers }, doubted)).toEqual({
      qualifier: [],
      qualifier_text: [{ value: doubted }],
    });
  });
});

const folder = mkdtempSync(join(tmpdir(), "svc-attributions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const museum = await museumHere();
const staff = await museum.as("superuser");
let person: string;

beforeAll(async () => {
  await posted(staff, "/v1/vocabularies/attribution_qualifier/terms", {
    value: "pupil_of",
    label: { en: "pupil of" },
  });
  await posted(staff, "/v1/relation-types", {
    name: "painted_by",
    inverse: "painter_of",
    ...{ label: { en: "painted by" }, inverse_label: { en: "painter of" } },
    ...{ from_types: ["object"], to_types: ["entity"], is_public: true },
    mapping: { path: "P108i_was_produced_by / E12_Production / P14_carried_out_by" },
  });
  person = await published("entities", {
    entity_type: "person",
    metadata_: { name: [{ value: NAME }], wikidata: [{ value: "Q42" }] },
  });
});

async function published(plural: string, body: object): Promise<string> {
  return (await read(staff(`/v1/${plural}`, { json: { status: "public", ...body } }), 201)).id;
}

/** An object by this person. */
async function made(
  title: string,
  links: readonly Metadata[],
  relation_type = "created_by",
): Promise<string> {
  const id = await published("objects", {
    object_type: "painting",
    metadata_: { title: [{ value: title }] },
  });
  for (const metadata_ of links) await linking(staff)(id, relation_type, "entity", person, metadata_);
  return id;
}

async function exported(id: string, query: string, plural = "objects"): Promise<string> {
  const answer = await museum.ask(`/v1/${plural}/${id}/export?${query}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

const isValid = (format: string, text: string): void => {
  const file = join(folder, `${format}.xml`);
  writeFileSync(file, text);
  const schema = join(SCHEMAS, XSD[format]!);
  execFileSync("xmllint", ["--nonet", "--noout", ...(existsSync(schema) ? ["--schema", schema] : []), file], {
    stdio: "pipe",
  });
};

const schemaOrgOf = (page: string): Record<string, unknown> =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!);

/** The text of all elements of this name. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, "g"))].map(([, text]) => text!);

const iri = () => `${museum.services.config.baseUrl}/entities/${person}`;

/** That CIDOC CRM is used properly, and nobody is said to have carried out anything. */
function expectAttributed(turtle: string, { words, property }: Pick<Case, "words" | "property">): void {
  const quads = parsed(turtle);
  expect(faultsOf(readOntology(), quads, new Set())).toEqual([]);
  const of = (name: string) => quads.filter(({ predicate }) => predicate.value === CRM + name);
  expect([...of("P14_carried_out_by"), ...of("P14i_performed")]).toEqual([]);
  const [assigned] = [...of("P141_assigned"), ...of("P141i_was_assigned_by")];
  const [attribution, whom] = assigned!.predicate.value.endsWith("P141_assigned")
    ? [assigned!.subject, assigned!.object]
    : [assigned!.object, assigned!.subject];
  expect(whom.value).toBe(iri());
  const about = quads.filter(({ subject }) => subject.value === attribution.value);
  const labels = about.filter(({ predicate }) => predicate.value.endsWith("#label"));
  expect(labels.map(({ object }) => object.value)).toEqual(expect.arrayContaining([...words]));
  const named = about.filter(({ predicate }) => predicate.value.endsWith("P177_assigned_property_of_type"));
  expect(named.map(({ object }) => object.value)).toEqual(property ? [CRM + property] : []);
}

/** One of each sort in the short lane. */
const SHORT = ["attributed_to", "workshop_of, with a role", "words alone", "a term and words"];
const TRIED = CASES.filter(({ called }) => !isShort || SHORT.includes(called));

describe.each(TRIED)("$called", ({ called, words, property, metadata }) => {
  let id: string;
  /** By a relation type of the museum. */
  let other: string;
  beforeAll(async () => {
    id = await made(`Portrait, ${called}`, [metadata]);
    other = await made(`Own type, ${called}`, [metadata], "painted_by");
  });

  it("is an attribution of its own in RDF, for every type of relation to a maker", async () => {
    const [, query] = EXAMPLE_QUERIES.find(([key]) => key === "sparql.example.attributed")!;
    for (const each of [id, other]) {
      const turtle = await exported(each, "format=turtle");
      expectAttributed(turtle, { words, ...(property && { property }) });
      // the example on the page for queries finds it
      const store = new Store();
      store.load(turtle, { format: "text/turtle" });
      const found = store.query(query) as Map<string, { value: string }>[];
      expect(new Set(found.map((row) => row.get("person")!.value))).toEqual(new Set([iri()]));
      expect(found.map((row) => row.get("words")!.value)).toEqual(expect.arrayContaining([...words]));
      expect(found[0]!.get("property")?.value).toBe(property && CRM + property);
    }
  });

  it("is one in Linked Art too", async () => {
    const document = JSON.parse(await exported(id, LINKED_ART));
    const text = JSON.stringify(document);
    expect(text).not.toContain('"carried_out_by":');
    const { produced_by } = document;
    const [attribution] = (produced_by.attributed_by ?? produced_by.part[0].attributed_by) as Record<
      string,
      unknown
    >[];
    expect(attribution).toMatchObject({ assigned: [{ id: iri(), type: "Person", _label: NAME }] });
    expect(attribution!.identified_by).toEqual([{ type: "Name", content: words[0] }]);
    const key = { P14_carried_out_by: "carried_out_by", P15_was_influenced_by: "influenced_by" }[
      property ?? ""
    ];
    expect(attribution!.assigned_property).toBe(key);
    const core = JSON.parse(readFileSync(`${ROOT}tests/fixtures/linked-art/core.json`, "utf8"));
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(core);
    const fits = ajv.getSchema(`${core.$id}#/$defs/AttributeAssignment`)!;
    expect(fits(attribution), ajv.errorsText(fits.errors)).toBe(true);
  });

  it("leaves in words in EDM and Dublin Core, without the agent", async () => {
    for (const format of ["edm", "dc"])
      for (const each of [id, other]) {
        const text = await exported(each, `format=${format}`);
        isValid(format, text);
        for (const word of words) expect(text).toContain(`>${word}</dc:`);
        if (each === id) expect(textsOf(text, "dc:creator")).toEqual(expect.arrayContaining([...words]));
        expect(text).not.toContain(`>${NAME}<`);
        expect(text).not.toContain(person);
        expect(text).not.toContain("Q42");
      }
  });

  it("leaves in LIDO as a qualifier of the actor, and in words", async () => {
    const text = await exported(id, "format=lido");
    isValid("lido", text);
    expect(textsOf(text, "lido:displayActorInRole")).toEqual(expect.arrayContaining([...words]));
    const terms = text
      .split("<lido:attributionQualifierActor>")
      .slice(1)
      .flatMap((each) => textsOf(each.split("</lido:attributionQualifierActor>")[0]!, "lido:term"));
    const own = metadata.qualifier_text?.map(({ value }) => value);
    const alone = words.map((each) => each.replace(NAME, "").replace(/ +/g, " ").trim());
    expect(terms).toEqual(expect.arrayContaining(own ?? alone));
  });

  it("has no creator or author on its page, but the words", async () => {
    const answer = await museum.ask(`/objects/${id}`, { headers: { Accept: "text/html" } });
    expect(answer.headers.get("Link") ?? "").not.toContain('rel="author"');
    const told = schemaOrgOf(await answer.text());
    expect(told).not.toHaveProperty("creator");
    expect(words).toContain(told.disambiguatingDescription);
  });
});

it("is an attribution for records that were not produced, too", async () => {
  const subtype = { label: { en: "Animal" }, crm_class: "crm:E20_Biological_Object" };
  await read(staff("/v1/subtypes/object/animal", { method: "PUT", json: subtype }), 201);
  const id = await published("objects", {
    object_type: "animal",
    metadata_: { title: [{ value: "Stuffed fox" }] },
  });
  const json = { relation_type: "created_by", to_type: "entity", to_id: person };
  const metadata_ = { qualifier: [{ value: "possibly" }] };
  await read(staff(`/v1/objects/${id}/relations`, { json: { ...json, metadata_ } }), 201);
  const turtle = await exported(id, "format=turtle");
  expect(turtle).toContain("relation-types/created_by");
  expectAttributed(turtle, { words: [`possibly ${NAME}`] });
});

it("has another public date when the qualifier is called differently", async () => {
  const id = await made("Renamed", [{ qualifier: [{ value: "pupil_of" }] }]);
  const print = async () => {
    const [view] = await viewsOf(museum.services, [id]);
    return fingerprintOf(view!, []);
  };
  const before = await print();
  const path = "/v1/vocabularies/attribution_qualifier/terms";
  const { items } = await read<{ items: { id: string; value: string }[] }>(staff(`${path}?page_size=200`));
  const term = items.find(({ value }) => value === "pupil_of")!;
  const rename = (en: string) => staff(`${path}/${term.id}`, { method: "PATCH", json: { label: { en } } });
  await read(rename("student of"));
  try {
    expect(await print()).not.toBe(before);
  } finally {
    await read(rename("pupil of"));
  }
  expect(await print()).toBe(before);
});

describe("a person with pieces of a workshop", () => {
  it("has performed only what was made in person", async () => {
    const own = await made("By hand", [{}]);
    const both = await made("By hand and workshop", [{}, { qualifier: [{ value: "workshop_of" }] }]);
    const turtle = await exported(person, "format=turtle", "entities");
    const quads = parsed(turtle);
    expect(faultsOf(readOntology(), quads, new Set())).toEqual([]);
    const performed = quads.filter(({ predicate }) => predicate.value === `${CRM}P14i_performed`);
    const productions = [own, both].map((id) => `${museum.services.config.baseUrl}/objects/${id}#production`);
    expect(performed.map(({ object }) => object.value).sort()).toEqual(productions.sort());
    expect(JSON.parse(await exported(person, LINKED_ART, "entities"))).not.toHaveProperty("carried_out");
    // each once as the maker, however often the link is found
    const store = new Store();
    for (const id of [own, both]) store.load(await exported(id, "format=turtle"), { format: "text/turtle" });
    store.load(turtle, { format: "text/turtle" });
    const [, makers] = EXAMPLE_QUERIES.find(([key]) => key === "sparql.example.makers")!;
    const [row, ...others] = store.query(makers) as Map<string, { value: string }>[];
    expect(others).toEqual([]);
    expect([row!.get("maker")!.value, row!.get("objects")!.value]).toEqual([iri(), "2"]);
    const page = await (await museum.ask(`/objects/${both}`, { headers: { Accept: "text/html" } })).text();
    expect(schemaOrgOf(page)).toMatchObject({
      creator: { "@id": iri() },
      disambiguatingDescription: `workshop of ${NAME}`,
    });
    const edm = await exported(both, "format=edm");
    expect(edm).toContain(`<dc:creator rdf:resource="${iri()}"/>`);
    expect(textsOf(edm, "dc:creator")).toContain(`workshop of ${NAME}`);
  });
});

describe("somebody who had another part in it", () => {
  const others = ["commissioner", "Auftraggeberin", "publisher", "commanditaire", "portrayed person"];

  it.each(isShort ? others.slice(0, 2) : others)("is not its creator: %s", async (value) => {
    const id = await made(`Ordered, ${value}`, [{ role: [{ value }] }]);
    const own = await made(`Ordered, own type, ${value}`, [{ role: [{ value }] }], "painted_by");
    for (const each of [id, own]) {
      const quads = parsed(await exported(each, "format=turtle"));
      expect(faultsOf(readOntology(), quads, new Set())).toEqual([]);
      expect(quads.filter(({ predicate }) => /P14i?_/.test(predicate.value))).toEqual([]);
      expect(quads.some(({ predicate }) => predicate.value.endsWith("P141_assigned"))).toBe(true);
      expect(quads.some(({ object }) => object.value === value)).toBe(true);
    }
    expect(await exported(id, LINKED_ART)).not.toContain('"carried_out_by":');
    for (const format of ["edm", "dc"]) {
      const text = await exported(id, `format=${format}`);
      isValid(format, text);
      expect(text).not.toContain("dc:creator");
      expect(text).toMatch(
        format === "edm" ? `<dc:contributor rdf:resource="${iri()}"/>` : `<dc:contributor>${NAME}<`,
      );
    }
    const answer = await museum.ask(`/objects/${id}`, { headers: { Accept: "text/html" } });
    expect(answer.headers.get("Link") ?? "").not.toContain('rel="author"');
    const page = await answer.text();
    expect(schemaOrgOf(page)).toMatchObject({ contributor: { "@id": iri() } });
    expect(schemaOrgOf(page)).not.toHaveProperty("creator");
    expect(/<p class="lead">.*?<\/p>/s.exec(page)?.[0] ?? "").not.toContain(NAME);
  });

  it("is its creator with a role of making beside", async () => {
    const id = await made("Printed", [{ role: [{ value: "printmaker" }, { value: "publisher" }] }]);
    expect(await exported(id, "format=dc")).toContain(`<dc:creator>${NAME}<`);
    const worded = await made("Printed, in words", [{ role: [{ value: "Stecher und Verleger" }] }]);
    expect(await exported(worded, "format=edm")).toContain(`<dc:creator rdf:resource="${iri()}"/>`);
  });
});
