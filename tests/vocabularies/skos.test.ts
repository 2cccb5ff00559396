/** SKOS: what a vocabulary says leaves and comes back, and what a file says besides is named. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { Problem } from "../../src/problem.ts";
import { importSkos } from "../../src/vocabularies/terms/skos.ts";
import { SKOS_FORMATS, skosOf } from "../../src/vocabularies/terms/skos-write.ts";
import { listTerms, type TermRow } from "../../src/vocabularies/terms/store.ts";
import { TermDraftShape } from "../../src/vocabularies/terms/vocabulary-shape.ts";
import { findVocabulary } from "../../src/vocabularies/terms/vocabulary-store.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { createObject, faults, read } from "../support/museum/catalogue.ts";
import { databases, museumHere, onceFor } from "../support/museum/museum.ts";

const PREFIXES = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
  @prefix dct: <http://purl.org/dc/terms/> . @prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
  @prefix e: <http://thesaurus.example/> .\n`;

describe.each(databases)("vocabularies in SKOS, in the %s database,", async (database) => {
  const museum = await museumHere({ database });
  const admin = await museum.as("admin");

  const vocabulary = async (name: string) => {
    const json = { name, label: { en: name, "pt-BR": "Vocabulário" }, description: { de: "Wörter" } };
    await read(admin("/v1/vocabularies", { json }), 201);
    return `/v1/vocabularies/${name}`;
  };
  const termsOf = (name: string) => listTerms(museum.services.sql, name, {}, { limit: 1_000, offset: 0 });
  const written = async (name: string, as: "turtle" | "jsonld" = "turtle") => {
    const found = (await findVocabulary(museum.services.sql, name))!;
    return SKOS_FORMATS[as].write(skosOf(found, await termsOf(name), museum.services.config.baseUrl));
  };
  const take = (name: string, skos: string, isTrial = false) =>
    importSkos(museum.services, name, PREFIXES + skos, isTrial);
  const byValue = async (name: string) =>
    new Map((await termsOf(name)).map((term) => [term.value, term] as const));

  onceFor(database)("leave and come back equal, whatever they say", async () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((each) => TermDraftShape.safeParse({ value: each, alt_label: { en: [each] } }).success);
    const lang = fc.constantFrom("en", "de", "pt-BR", "zh-Hant-TW", "und", "x-local", "sl-rozaj");
    const once = fc.dictionary(
      lang.filter((each) => each !== "und"),
      text,
      { maxKeys: 3 },
    );
    const note = fc.dictionary(lang, text, { maxKeys: 3 });
    const several = fc.dictionary(lang, fc.array(text, { minLength: 1, maxLength: 4 }), { maxKeys: 3 });
    const said = {
      label: once,
      alt_label: several,
      hidden_label: several,
      definition: note,
      scope_note: note,
    };
    const places = { above: fc.array(fc.nat(), { maxLength: 4 }), isForeign: fc.boolean() };
    const term = fc.record({ value: text, ...said, ...places });
    const drawn = fc.sample(
      fc.uniqueArray(term, { selector: ({ value }) => value.trim(), minLength: 1, maxLength: 12 }),
      { numRuns: 12, seed: 59 },
    );
    for (const terms of drawn) {
      const here = await vocabulary("odd_words");
      const ids: string[] = [];
      for (const { above, isForeign, ...json } of terms) {
        const uri = isForeign ? `http://thesaurus.example/é/${ids.length}` : null;
        const [broader_id = null, ...also_broader] =
          ids.length === 0 ? [] : new Set(above.map((each) => ids[each % ids.length]!));
        const made = admin(`${here}/terms`, { json: { ...json, uri, broader_id, also_broader } });
        ids.push((await read<{ id: string }>(made, 201)).id);
      }
      const before = { terms: await termsOf("odd_words"), skos: await written("odd_words") };
      expect(await importSkos(museum.services, "odd_words", before.skos, false)).toEqual({
        ...{ added: [], changed: [], unchanged: terms.length, unread: [] },
      });
      expect(await termsOf("odd_words")).toEqual(before.terms);
      await read(admin(here, { method: "DELETE" }), 204);
      await vocabulary("odd_words");
      const { added, unread } = await importSkos(museum.services, "odd_words", before.skos, false);
      expect([added.length, unread]).toEqual([terms.length, []]);
      const isForeign = new Set(before.terms.flatMap(({ id, uri }) => (uri === null ? [] : id)));
      const known = ({ id, uri, ...each }: TermRow) => ({
        ...each,
        ...(isForeign.size === 0 && { id }),
        uri,
      });
      if (isForeign.size === 0)
        expect((await termsOf("odd_words")).map(known)).toEqual(before.terms.map(known));
      expect(await written("odd_words")).toEqual(before.skos);
      await read(admin(here, { method: "DELETE" }), 204);
    }
  });

  it("come from others with all names and broader terms; a second import changes nothing", async () => {
    await vocabulary("boats");
    await take("boats", `e:vessel a skos:Concept ; skos:prefLabel "vessel"@en .`);
    const skos = `e:s a skos:ConceptScheme . e:dhow a skos:Concept ; skos:inScheme e:s ; skos:prefLabel "dhow"@en ;
      skos:altLabel "dau"@de, "dow"@en, "baggala"@en, "sambuk", " " ; skos:hiddenLabel "dhaw"@en ;
      skos:definition "A lateen-rigged boat"@en ; skos:scopeNote "Also for models"@en ; skos:broader e:sailing, e:vessel .
      e:sailing a skos:Concept ; skos:prefLabel "sailing boat"@en . e:cargo a skos:Concept ; skos:prefLabel "cargo boat"@en ;
      skos:narrower e:dhow .`;
    const trial = await take("boats", skos, true);
    expect([trial.added.length, trial.unread, (await termsOf("boats")).length]).toEqual([3, [], 1]);
    expect(await take("boats", skos)).toEqual(trial);
    const terms = await byValue("boats");
    expect(terms.get("dhow")).toMatchObject({
      alt_label: { de: ["dau"], en: ["dow", "baggala"], und: ["sambuk"] },
      hidden_label: { en: ["dhaw"] },
      definition: { en: "A lateen-rigged boat" },
      scope_note: { en: "Also for models" },
      broader_id: terms.get("sailing boat")!.id,
      also_broader: [terms.get("vessel")!.id, terms.get("cargo boat")!.id],
    });
    expect(await take("boats", skos)).toMatchObject({ added: [], changed: [], unchanged: 3 });
    const less = `e:dhow a skos:Concept ; skos:prefLabel "dhow"@en ; skos:altLabel "dow"@en, "jalba"@en ; skos:broader e:cargo .`;
    expect((await take("boats", less)).changed).toEqual([
      {
        ...{ value: "dhow", label: { en: "dhow" }, broader: ["cargo boat"] },
        alt_label: { de: ["dau"], en: ["dow", "baggala", "jalba"], und: ["sambuk"] },
        what: ["broader_id", "also_broader", "alt_label"],
      },
    ]);
    expect((await byValue("boats")).get("dhow")).toMatchObject({
      alt_label: { de: ["dau"], en: ["dow", "baggala", "jalba"], und: ["sambuk"] },
      ...{ broader_id: terms.get("cargo boat")!.id, also_broader: [] },
    });
  });

  it("give their address to a term without one that has their label, if only one concept can be it", async () => {
    const json = { value: "silk", label: { en: "Silk", de: "Seide" } };
    const silk = await read<TermRow>(admin(`${await vocabulary("cloths")}/terms`, { json }), 201);
    const concept = (name: string, labels: string) => `e:${name} a skos:Concept ; skos:prefLabel ${labels} .`;
    // the label of another language, or of two concepts
    const two = concept("a", `"Floss"@en, "SEIDE"@de`) + concept("b", `"Yarn"@en, "Seide"@de`);
    for (const skos of [concept("s", `"Seide"@nl`), two])
      expect(await take("cloths", skos, true)).toMatchObject({ changed: [], unchanged: 0 });
    const skos = concept("s", `"seide"@de`);
    const trial = await take("cloths", skos, true);
    expect(trial).toMatchObject({ added: [], changed: [{ value: "silk", what: ["label", "uri"] }] });
    expect(await take("cloths", skos)).toEqual(trial);
    const label = { en: "Silk", de: "seide" };
    const uri = "http://thesaurus.example/s";
    expect(await termsOf("cloths")).toMatchObject([{ id: silk.id, value: "silk", label, uri }]);
    // now it has another address
    const other = await take("cloths", concept("t", `"Seide"@de`), true);
    expect(other).toMatchObject({ added: [{ value: "Seide" }], changed: [] });
  });

  onceFor(database)(
    "come over the API as on the page, with what the import does and what it does not read",
    async () => {
      const here = await vocabulary("cranes");
      const send = (body: string, { as = admin, query = "", type = "text/turtle; charset=utf-8" } = {}) =>
        as(`${here}/skos${query}`, { method: "POST", body, headers: { "Content-Type": type } });
      const skos = `${PREFIXES}e:a a skos:Concept ; skos:prefLabel "derrick"@en ; skos:altLabel "Ladebaum"@de ; skos:related e:b .
      e:b a skos:Concept ; skos:prefLabel "gin pole"@en ; skos:broader e:a .`;
      const done = {
        dry_run: false,
        added: [
          { value: "derrick", label: { en: "derrick" }, alt_label: { de: ["Ladebaum"] }, broader: [] },
          { value: "gin pole", label: { en: "gin pole" }, alt_label: {}, broader: ["derrick"] },
        ],
        ...{ changed: [], unchanged: 0 },
        unread: [{ path: "skos:related", count: 1, example: "http://thesaurus.example/b" }],
      };
      expect(await read(send(skos, { query: "?dry_run=true" }))).toEqual({ ...done, dry_run: true });
      expect(await termsOf("cranes")).toEqual([]);
      expect(await read(send(skos))).toEqual(done);
      const more = `<http://thesaurus.example/b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2004/02/skos/core#Concept> .
<http://thesaurus.example/b> <http://www.w3.org/2004/02/skos/core#prefLabel> "gin pole"@en .
<http://thesaurus.example/b> <http://www.w3.org/2004/02/skos/core#scopeNote> "Ashore"@en .`;
      expect(await read(send(more, { type: "application/n-triples" }))).toMatchObject({
        ...{ added: [], unchanged: 0, unread: [] },
        changed: [{ value: "gin pole", broader: ["derrick"], what: ["scope_note"] }],
      });
      expect((await byValue("cranes")).size).toBe(2);
      const before = await termsOf("cranes");
      const curator = await museum.as("cataloger");
      const statuses = [
        send("no Turtle"),
        send(skos, { query: "?dry_run=maybe" }),
        send(skos, { query: "?dryrun=true" }),
        send(skos, { type: "application/rdf+xml" }),
        send("#".repeat(1024 * 1024 + 1)),
        send(skos, { as: museum.ask }),
        send(skos, { as: curator }),
        admin("/v1/vocabularies/no_such_one/skos", {
          ...{ method: "POST", body: skos, headers: { "Content-Type": "text/turtle" } },
        }),
      ].map(async (answer) => {
        const { status, headers } = await answer;
        return [status, headers.get("Content-Type")];
      });
      const json = "application/problem+json";
      expect(await Promise.all(statuses)).toEqual(
        [422, 422, 422, 415, 413, 401, 403, 404].map((status) => [status, json]),
      );
      expect(await faults(send("no Turtle"))).toEqual([""]);
      expect(await termsOf("cranes")).toEqual(before);
    },
  );

  onceFor(database)(
    "account for every statement of a file: what was not read is named and counted",
    async () => {
      await vocabulary("knots");
      // the parts that are read
      const base = `e:s a skos:ConceptScheme ; skos:hasTopConcept e:a . e:a a skos:Concept ; skos:inScheme e:s ; skos:topConceptOf e:s ;
      skos:prefLabel "bend"@en . e:b a skos:Concept ; skos:prefLabel "sheet bend"@en ; skos:broader e:a .`;
      expect((await take("knots", base, true)).unread).toEqual([]);
      // a further statement with each property of SKOS and of others, and with names of our own
      const others = [
        ...["altLabel", "hiddenLabel", "definition", "scopeNote"].map(
          (name) => [`skos:${name}`, false] as const,
        ),
        ...[
          "note",
          "changeNote",
          "editorialNote",
          "example",
          "historyNote",
          "notation",
          "related",
          "exactMatch",
        ]
          .concat(["closeMatch", "broadMatch", "narrowMatch", "relatedMatch", "broaderTransitive"])
          .map((name) => [`skos:${name}`, true] as const),
        ...["dct:source", "xl:prefLabel", "e:invented"].map((name) => [name, true] as const),
      ];
      for (const [name, isUnread] of others) {
        const path = name.replace(/^(dct|xl|e):/, (prefix) => PREFIXES.match(`${prefix} <([^>]*)>`)![1]!);
        const expected = isUnread ? [{ path, count: 1, example: "said so" }] : [];
        expect((await take("knots", `${base} e:a ${name} "said so"@en .`, true)).unread).toEqual(expected);
      }
      const { unread } = await take(
        "knots",
        `${base} e:a skos:prefLabel "knot"@en ; skos:scopeNote "one"@en, "two"@en ; skos:related e:b ; skos:broader e:elsewhere .
       e:b skos:related e:a ; xl:altLabel [ xl:literalForm "weaver's knot"@en ] . e:s skos:prefLabel "Knots of others" .
       e:a skos:inScheme e:other .`,
      );
      const at = Object.fromEntries(unread.map(({ path, count, example }) => [path, [count, example]]));
      expect(at).toEqual({
        "skos:related": [2, "http://thesaurus.example/b"],
        "skos:prefLabel": [2, "knot"],
        "skos:scopeNote": [1, "two"],
        "skos:broader": [1, "http://thesaurus.example/elsewhere"],
        "skos:inScheme": [1, "http://thesaurus.example/other"],
        "http://www.w3.org/2008/05/skos-xl#altLabel": [1, expect.any(String)],
        "http://www.w3.org/2008/05/skos-xl#literalForm": [1, "weaver's knot"],
      });
    },
  );

  onceFor(database)(
    "refuse circles over any broader term, and too long or too many texts, in a preview already",
    async () => {
      await vocabulary("rigs");
      const refused = async (skos: string) => {
        const error = await take("rigs", skos, true).catch((thrown) => thrown);
        expect(error).toBeInstanceOf(Problem);
        return (error as Problem).errors.map(({ detail }) => say(ENGLISH, detail)).join();
      };
      const concept = (name: string, more: string) =>
        `e:${name} a skos:Concept ; skos:prefLabel "${name}" ; ${more} .`;
      expect(
        await refused(
          concept("a", "skos:broader e:b, e:c") + concept("b", "") + concept("c", "skos:broader e:a"),
        ),
      ).toContain("below itself");
      expect(await refused(concept("a", `skos:altLabel "${"x".repeat(501)}"@en`))).toContain("alt_label/en");
      const many = Array.from({ length: 101 }, (_, n) => `"${n}"@en`).join(", ");
      expect(await refused(concept("a", `skos:hiddenLabel ${many}`))).toContain("hidden_label/en");
      const above = Array.from({ length: 22 }, (_, n) => `e:t${n}`);
      const tops = above.map((each) => concept(each.slice(2), "")).join("\n");
      expect(await refused(`${tops} ${concept("a", `skos:broader ${above.join(", ")}`)}`)).toContain(
        "also_broader",
      );
    },
  );

  it("have several broader terms over the API: found, counted and listed below each, without circles", async () => {
    const here = "/v1/vocabularies/material/terms";
    const add = async (value: string, ...above: string[]) => {
      const [broader_id = null, ...also_broader] = above;
      return (await read<{ id: string }>(admin(here, { json: { value, broader_id, also_broader } }), 201)).id;
    };
    const [metal, precious] = [await add("Metalloid"), await add("Precious matter")];
    const electrum = await add("Electrum", metal, precious);
    const dore = await add("Doré", electrum);
    await createObject(admin, "Stater", {
      status: "public",
      metadata_: { material: [{ value: "Doré" }] },
    });
    await drainOutbox(museum.services);
    for (const value of ["Metalloid", "Precious matter", "Electrum", "Doré"]) {
      const listed = new URLSearchParams({ meta_material: value });
      for (const list of ["search", "objects"])
        expect((await read<{ total: number }>(museum.ask(`/v1/${list}?${listed}`))).total, value).toBe(1);
    }
    for (const above of [metal, precious]) {
      const below = await read<{ items: { value: string }[] }>(museum.ask(`${here}?broader=${above}`));
      expect(below.items.map(({ value }) => value)).toEqual(["Electrum"]);
    }
    const patch = (id: string, json: object) => admin(`${here}/${id}`, { method: "PATCH", json });
    expect(await faults(patch(precious, { also_broader: [dore] }))).toEqual(["/broader_id"]);
    expect(await faults(patch(precious, { broader_id: metal, also_broader: [dore] }))).toEqual([
      "/also_broader/0",
    ]);
    // a name that is searched: of another kind, in any case
    await read(patch(electrum, { alt_label: { de: ["Blassgold"] }, hidden_label: { en: ["elektrum"] } }));
    for (const q of ["blassGOLD", "ELEKTRUM"]) {
      const found = await read<{ items: { value: string }[] }>(museum.ask(`${here}?q=${q}`));
      expect(found.items.map(({ value }) => value)).toEqual(["Electrum"]);
    }
    // what was below a deleted term moves below all that were above it
    await read(admin(`${here}/${electrum}`, { method: "DELETE" }), 204);
    expect(await read(museum.ask(`${here}/${dore}`))).toMatchObject({
      broader_id: metal,
      also_broader: [precious],
    });
    await drainOutbox(museum.services);
    expect(
      (await read<{ total: number }>(museum.ask("/v1/search?meta_material=Precious%20matter"))).total,
    ).toBe(1);
  });
});
