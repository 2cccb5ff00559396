/** What leaves as RDF is valid by the strictest reader, whatever the catalogue holds, and one bad graph stops no other. */
import fc from "fast-check";
import { Store } from "oxigraph";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { url } from "../../src/config/value-kinds.ts";
import { publicQuads } from "../../src/formats/rdf/public-quads.ts";
import { CONTEXT_PATH, context } from "../../src/formats/rdf/syntax/context.ts";
import { asIri } from "../../src/iri.ts";
import { isLanguageTag } from "../../src/language-tag.ts";
import { type Kind, kinds, PUBLIC_KINDS } from "../../src/records/kinds.ts";
import type { Entry, Metadata } from "../../src/records/record.ts";
import { currentSchema, type Field, fieldsOf } from "../../src/records/schema.ts";
import { metadataFaults } from "../../src/records/write/fields.ts";
import { importSkos } from "../../src/vocabularies/terms/skos.ts";
import { SKOS_FORMATS, skosOf } from "../../src/vocabularies/terms/skos-write.ts";
import { listTerms } from "../../src/vocabularies/terms/store.ts";
import { findVocabulary } from "../../src/vocabularies/terms/vocabulary-store.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { enableProjections } from "../../workers/projections.ts";
import { found } from "../ports/graph.ts";
import { ofJsonLd } from "../support/isomorphic.ts";
import { create, createObject, faults, type RecordJson, read, samples } from "../support/museum/catalogue.ts";
import { jpeg, newObject, send } from "../support/museum/media.ts";
import { type Ask, museumHere, openMuseum, quickest } from "../support/museum/museum.ts";
import { type Office, openOffice } from "../support/programs/command.ts";
import { type GraphServer, openGraphServer } from "../support/servers/graph-server.ts";

/** Why a strict reader refuses the text; null if it reads it. */
function refusal(text: string, format = "application/n-quads"): string | null {
  try {
    new Store().load(text, { format });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts);
const letters = (from: number, to: number) =>
  fc.string({ unit: oneOf(..."abcxyzAX0159"), minLength: from, maxLength: to });
const subtag = fc.oneof(
  letters(0, 9),
  oneOf(
    "en",
    "zh",
    "cmn",
    "Hant",
    "DE",
    "001",
    "1901",
    "rozaj",
    "x",
    "X",
    "u",
    "a",
    "i",
    "klingon",
    "sgn",
    "BE",
    "fr",
  ),
);
const tags = fc.oneof(
  fc.array(subtag, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("-")),
  oneOf(
    "x-hand",
    "i-klingon",
    "en-GB-oed",
    "de-1",
    "de_DE",
    "",
    "-",
    "de-",
    "german",
    "und",
    "sl-rozaj-biske",
  ),
);
const addresses = fc
  .tuple(
    oneOf("http://", "https://", "HTTPS://", "urn:", "urn://", "http:/", "mailto:", ""),
    fc.array(
      fc.oneof(
        oneOf("museum.example.org", "[::1]", "[zz]", ":8000", ":", "user@", "urn", "x-museum:"),
        oneOf(
          "/",
          "?",
          "#",
          "[",
          "]",
          "%",
          "%4",
          "%zz",
          "%20",
          "|",
          "\\",
          '"',
          "<",
          ">",
          "{",
          "}",
          "^",
          "`",
          " ",
          "\t",
        ),
        oneOf(
          "ä",
          "船",
          "\u{1F5FF}",
          "\ue000",
          "\ufdd0",
          "\ufffd",
          "\u200e",
          "\u{e0001}",
          "\u{1fffe}",
          "\u00a0",
          "\u0085",
        ),
        letters(0, 4),
      ),
      { maxLength: 12 },
    ),
  )
  .map(([scheme, parts]) => scheme + parts.join(""));

describe("a strict reader of RDF", () => {
  it("reads what counts as a language tag, and hardly anything else", () => {
    const check = (tag: string) => {
      const isRead = /^[A-Za-z\d-]+$/.test(tag) && refusal(`<a:a> <a:b> "x"@${tag} .\n`) === null;
      const isTag = isLanguageTag(tag);
      if (isTag) expect([tag, isRead]).toEqual([tag, true]);
      const subtags = tag.toLowerCase().split("-");
      const isUsual = /^([a-z]{2,3}|x|i)(-|$)/i.test(tag) && new Set(subtags).size === subtags.length;
      if (isUsual) expect([tag, isTag]).toEqual([tag, isRead]);
    };
    fc.assert(fc.property(tags, check), { numRuns: 5_000 });
    for (const tag of ["x-hand", "i-klingon", "de-CH-1996", "zh-min-nan", "en-a-bbb-x-a-ccc", "sgn-BE-FR"])
      expect(isLanguageTag(tag), tag).toBe(true);
    for (const tag of [
      "de-1",
      "en-a",
      "de-DE-DE",
      "i-nothing",
      "german",
      "de-1901-1901",
      "ar-a-aaa-b-bbb-a-ccc",
    ])
      expect(isLanguageTag(tag), tag).toBe(false);
  });

  it("reads every address, and none is changed that it reads", () => {
    const check = (address: string) => {
      const iri = asIri(address);
      const isRead = refusal(`<${address}> <a:b> "x" .\n`) === null;
      if (iri !== null) expect([address, refusal(`<${iri}> <a:b> "x" .\n`)]).toEqual([address, null]);
      // two kinds are always encoded: for private use (allowed in queries), and blanks (refused by other readers)
      if (iri !== null && isRead && !/[\p{Co}\s]/u.test(address.trim())) expect(iri).toBe(address.trim());
      if (iri !== null) expect(asIri(iri)).toBe(iri);
    };
    fc.assert(fc.property(addresses, check), { numRuns: 10_000 });
    expect(asIri("https://museum.example.org/terms?tx_news[news]=12#a#b")).toBe(
      "https://museum.example.org/terms?tx_news%5Bnews%5D=12#a%23b",
    );
    expect(asIri("http://[::1]:8000/50%/ä")).toBe("http://[::1]:8000/50%25/ä");
    // every address of the service begins with a configured one
    expect(url.parse("https://museum.example.org/cat[1]/")).toEqual({
      value: "https://museum.example.org/cat%5B1%5D",
    });
    expect(asIri("urn:isbn:0[4]")).toBe("urn:isbn:0%5B4%5D");
    for (const other of ["mailto:a@b.example", "http://a[b]/", "http://a:b/", "urn:"])
      expect(asIri(other), other).toBeNull();
  });
});

const text = fc.oneof(
  addresses,
  fc.string({ unit: "binary", maxLength: 20 }),
  oneOf(
    "Höhe: 62,5 cm",
    '"',
    "\\",
    "a\nb .\n<x>",
    "<b>",
    "-90,180",
    "POINT(1 2)",
    "Q5582",
    "isil:DE-1",
    "12",
    "true",
  ),
);
const dates = oneOf(
  "1920",
  "-0043",
  "1900/1910",
  "192X",
  "Y17E7",
  "Y-170000",
  "../1985",
  "1920~",
  "1984?",
  "2004-06-XX",
);
const entry: fc.Arbitrary<Entry> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: dates }),
    fc.option(tags, { nil: undefined }),
  )
  .map(([value, lang]) => (lang === undefined ? { value } : { value, lang }));

describe("whatever a record may hold", async () => {
  const museum = await museumHere();
  const editor = await museum.as("editor");

  /** Of these invented entries, those that a record of this kind may hold. */
  async function accepted(kind: Kind, seed: number): Promise<Metadata> {
    const schema = await currentSchema(museum.services.sql);
    const fitting = (field: Field, entries: readonly Entry[]) =>
      entries
        .filter((each) => metadataFaults(schema, kind, { [field.name]: [each] }).length === 0)
        .slice(0, field.is_repeatable ? 5 : 1);
    return Object.fromEntries(
      [...fieldsOf(schema, kind).values()].map((field, n) => [
        field.name,
        field.field_type === "relation"
          ? []
          : fitting(field, fc.sample(entry, { numRuns: 60, seed: seed * 1_000 + n })),
      ]),
    );
  }

  it("each format can be read", async () => {
    const contexts = { [museum.services.config.baseUrl + CONTEXT_PATH]: context() };
    const languages = new Set<string>();
    for (const kind of PUBLIC_KINDS) {
      for (let seed = 1; seed <= 4; seed++) {
        const { draft, plural } = samples[kind];
        const sample = (draft.metadata_ ?? {}) as Metadata;
        const metadata_ = { ...(await accepted(kind, seed)) };
        const title = kinds[kind].titleField;
        if (!metadata_[title]?.length) metadata_[title] = sample[title] ?? [];
        for (const { lang } of Object.values(metadata_).flat()) if (lang) languages.add(lang);
        const made = await read<RecordJson>(
          editor(`/v1/${plural}`, { json: { ...draft, metadata_, status: "public" } }),
          201,
        );
        const exported = async (format: string) =>
          (await museum.ask(`/v1/${plural}/${made.id}/export?format=${format}`)).text();
        expect(refusal(await exported("turtle"), "text/turtle")).toBeNull();
        const quads = (await ofJsonLd(JSON.parse(await exported("jsonld")), contexts)).join("\n");
        expect(refusal(quads)).toBeNull();
        if (kind === "object") expect(refusal(await exported("edm"), "application/rdf+xml")).toBeNull();
      }
      for await (const { text: all } of publicQuads(museum.services, kind, 100))
        expect(refusal(all)).toBeNull();
    }
    expect(languages.size).toBeGreaterThan(20);
  });

  it("a title, a caption, a label and a mapping may have a private language, but none that is no tag", async () => {
    const titled = (lang: string) => ({
      ...samples.object.draft,
      metadata_: { title: [{ value: "Hand-written", lang }] },
    });
    expect(await faults(editor("/v1/objects", { json: titled("nl-1") }))).toEqual([
      "/metadata_/title/0/lang",
    ]);
    const { id } = await read(editor("/v1/objects", { json: titled("x-hand") }), 201);
    const form = { caption: JSON.stringify([{ value: "Bow", lang: "tlh-0" }]) };
    const sent = await send(editor, id, await jpeg(20, 20), "bow.jpg", form);
    expect(sent.status).toBe(422);
    const entity = await create(editor, "entity", { metadata_: { name: [{ value: "Ada Vellum" }] } });
    const linked = (lang: string) =>
      editor(`/v1/objects/${id}/relations`, {
        json: {
          ...{ relation_type: "created_by", to_type: "entity", to_id: entity.id },
          metadata_: { role: [{ value: "skriver", lang }] },
        },
      });
    expect(await faults(linked("nb-1"))).toEqual(["/metadata_/role/0/lang"]);
    await read(linked("nb"), 201);
    const admin = await museum.as("admin");
    const label = (lang: string) =>
      admin("/v1/vocabularies/material/terms", { json: { value: `Oak ${lang}`, label: { [lang]: "Oak" } } });
    expect((await label("fy-a")).status).toBe(422);
    expect((await label("i-klingon")).status).toBe(201);
  });
});

describe("values that an earlier version has stored", async () => {
  let object: string;
  let admin: Ask;
  const LICENCE = "https://museum.example.org/licence?tx[id]=7%";
  const museum = await museumHere({ env: { TRIPLESTORE_ENABLED: "true" } });
  beforeAll(async () => {
    const editor = await museum.as("editor");
    admin = await museum.as("admin");
    const { sql } = museum.services;
    object = await newObject(editor);
    const uploaded = await send(editor, object, await jpeg(20, 20), "bow.jpg", { caption: "Bow" });
    expect(uploaded.status).toBe(201);
    const metadata = {
      title: [
        { value: "Prow", lang: "nds-1" },
        { value: "Bug", lang: "de" },
      ],
      material: [{ value: "bog oak" }],
      rights: [{ value: "https://museum.example.org/terms?tx_news[news]=12" }],
    };
    await read(
      admin("/v1/vocabularies/material/terms", { json: { value: "bog oak", label: { en: "Oak" } } }),
      201,
    );
    await sql`update records set metadata = ${sql.json(metadata)}, status = 'public' where id = ${object}`;
    await sql`update vocabulary_terms set label = '{"en-a": "Oakwood", "fr": "Chêne"}', uri = 'http://terms.example/a[1]' where value = 'bog oak'`;
    await sql`update object_media set caption = '[{"value": "Bow", "lang": "en-b"}]', license_uri = ${LICENCE}`;
    await read(editor(`/v1/objects/${object}/status`, { json: { status: "internal" } }));
    await read(editor(`/v1/objects/${object}/status`, { json: { status: "public" } }));
    await drainOutbox(museum.services);
  });

  it("leave without the tag, and with encoded addresses, in every format", async () => {
    const exported = async (format: string) =>
      (await museum.ask(`/v1/objects/${object}/export?format=${format}`)).text();
    const turtle = await exported("turtle");
    expect(refusal(turtle, "text/turtle")).toBeNull();
    for (const word of [
      "Prow",
      "Bug",
      "Chêne",
      "Oakwood",
      "tx_news%5Bnews%5D=12",
      "terms.example/a%5B1%5D",
      "7%25",
    ])
      expect(turtle).toContain(word);
    const edm = await exported("edm");
    expect(refusal(edm, "application/rdf+xml")).toBeNull();
    expect(edm).toContain("Prow");
    for (const format of ["jsonld", "edm", "lido", "dc"])
      expect(await exported(format), format).not.toMatch(/nds-1|"en-[ab]"|(id": |resource=|about=)"[^"]*\[/);
    const manifest = await (await museum.ask(`/iiif/presentation/3/objects/${object}/manifest`)).text();
    expect(manifest).toContain("Prow");
    expect(manifest).not.toMatch(/nds-1|"en-[ab]"/);
    const page = await (await museum.ask(`/objects/${object}`, { headers: { Accept: "text/html" } })).text();
    const about = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!;
    expect(about).toContain("tx_news%5Bnews%5D=12");
    const { sql, config } = museum.services;
    const vocabulary = await findVocabulary(sql, "material");
    const terms = await listTerms(sql, "material", {}, { limit: 1_000, offset: 0 });
    const quads = skosOf(vocabulary!, terms, config.baseUrl);
    const skos = SKOS_FORMATS.turtle.write(quads);
    expect(refusal(skos, "text/turtle")).toBeNull();
    expect(skos).toContain("terms.example/a%5B1%5D");
    expect(refusal((await ofJsonLd(JSON.parse(SKOS_FORMATS.jsonld.write(quads)), {})).join("\n"))).toBeNull();
    const again = await importSkos(museum.services, "material", skos, true);
    // a name without a valid tag comes back as another name
    const changed = [expect.objectContaining({ value: "bog oak", what: ["alt_label"] })];
    expect(again).toEqual({ added: [], changed, unchanged: terms.length - 1, unread: [] });
  });

  it("stay when something else of the record changes, but cannot be entered anew", async () => {
    const patched = (title: Entry[]) =>
      admin(`/v1/objects/${object}`, { method: "PATCH", json: { metadata_: { title } } });
    const title = [
      { value: "Prow", lang: "nds-1" },
      { value: "Klüver", lang: "de" },
    ];
    const { metadata_ } = await read<RecordJson>(patched(title));
    expect(metadata_.title).toEqual(title);
    expect(await faults(patched([{ value: "Stern", lang: "nds-1" }]))).toEqual(["/metadata_/title/0/lang"]);
  });

  it("do not stop the triple store", async () => {
    expect(await found(museum.services.graphs!, 'SELECT ?o { ?s ?p ?o FILTER(STR(?o) = "Prow") }')).toContain(
      "Prow",
    );
  });
});

describe("a graph that the triple store cannot read", () => {
  const NAMES = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }";
  const name = (id: string) => `urn:svc:graph:object:${id}`;
  const CURSED = "Cursed compass";

  it("is left out, named, and made anew (embedded, stored by an earlier version)", async () => {
    const museum = await openMuseum({ env: { TRIPLESTORE_ENABLED: "true" } });
    onTestFinished(() => museum.close());
    const { services } = museum;
    const { sql } = services;
    const editor = await museum.as("editor");
    const good = await createObject(editor, "Compass", { status: "public" });
    const bad = await createObject(editor, "Sand glass", { status: "public" });
    await sql`update graphs set triples = '<a:a> <a:b> "x"@en-1 .' || chr(10), changed = nextval('graphs_changed')
      where record_id = ${bad.id}`;
    expect(await found(services.graphs!, NAMES)).toEqual([name(good.id)]);
    await services.graphs!.ping();
    const [waiting] = await sql`select target, last_error from outbox where record_id = ${bad.id}`;
    expect(waiting).toMatchObject({ target: "graph", last_error: expect.stringContaining("extension") });
    const { checks } = (await (await museum.ask("/health")).json()) as { checks: Record<string, string> };
    expect(checks.oxigraph).toBe("ok");
    await sql`update outbox set due_at = now()`;
    await drainOutbox(services);
    expect(await found(services.graphs!, NAMES)).toEqual([name(bad.id), name(good.id)].sort());
  });

  describe("of a server", () => {
    let office: Office;
    let server: GraphServer;
    beforeAll(async () => {
      office = await openOffice(quickest);
      server = await openGraphServer({ refuses: CURSED });
      office.settings.TRIPLESTORE_ENABLED = "true";
      office.settings.TRIPLESTORE_URL = server.url;
    });
    afterAll(async () => {
      await office.close();
      await server.close();
    });

    it("is named with type and reason by the rebuild and the doctor, while all others are there", async () => {
      const titles = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? `${CURSED} ${n}` : `Compass ${n}`));
      await office.look(enableProjections);
      const lines = titles.join("\n");
      const file = await office.put("compasses.csv", `title\n${lines}\n`);
      const mapping = await office.put("mapping.json", '{"title": "title"}');
      const imported = await office.run(
        "import-csv",
        file,
        "--type",
        "object",
        "--mapping",
        mapping,
        "--auto-publish",
      );
      expect(imported).toMatchObject({ code: 0 });
      const rebuilt = await office.run("rebuild", "graph");
      expect(rebuilt).toMatchObject({ code: 3, out: expect.stringContaining("20 failed") });
      const failed = rebuilt.err.match(/^object [0-9a-f-]{36}: .*cursed.*$/gim);
      expect(failed).toHaveLength(20);
      expect(server.store.query(NAMES)).toHaveLength(20);
      const { out } = await office.run("doctor");
      expect(out).toMatch(/warning +outbox .*20 failed: object [0-9a-f-]{36}: .*cursed/i);
      const asJson = await office.run("rebuild", "graph", "--json");
      expect([asJson.code, JSON.parse(asJson.out).result.failed]).toEqual([3, 20]);
    });
  });
});
