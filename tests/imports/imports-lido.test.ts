/** Imports of objects from LIDO, without a mapping. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { lidoOf } from "../../src/formats/lido/lido.ts";
import { viewsOf } from "../../src/formats/view.ts";
import { lidoReading } from "../../src/imports/lido/lido.ts";
import { createReport } from "../../src/imports/report/report.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { saveBatch } from "../../src/records/batch/batch.ts";
import type { Entry, Metadata } from "../../src/records/record.ts";
import { currentSchema, fieldsOf } from "../../src/records/schema.ts";
import type { Services } from "../../src/services.ts";
import { TermDraftShape } from "../../src/vocabularies/terms/vocabulary-shape.ts";
import { createTerm, removeTerm } from "../../src/vocabularies/terms/write.ts";
import { allInEnglish } from "../support/lane/in-english.ts";
import { inLong } from "../support/lane/lane.ts";
import { importRoom } from "../support/museum/import-room.ts";
import { type Choices, emptied, type Imported, importText } from "../support/museum/importing.ts";
import { keeping } from "../support/museum/keeping.ts";
import { type Museum, museumHere, quickest } from "../support/museum/museum.ts";

const WRAP = '<lido:lidoWrap xmlns:lido="http://www.lido-schema.org" xmlns:gml="http://www.opengis.net/gml">';

async function importLido(services: Services, text: string, choices: Choices = {}): Promise<Imported> {
  const { mapping, ...reading } = await lidoReading(services, OPERATOR);
  return importText(services, text, mapping as Record<string, unknown>, {
    ...reading,
    autoPublish: true,
    ...choices,
  });
}

inLong(describe)("LIDO of the demo museum", async () => {
  const museum = await museumHere({ demo: true });
  const other = await museumHere();

  it("is the same after export, import elsewhere, and another export", async () => {
    const before = await exported(museum);
    expect(before.size).toBe(91);
    const done = await importLido(other.services, wrapped(before));
    expect(Object.values(done.lines).filter((line) => line !== "created")).toEqual([]);
    expect(done).toMatchObject({ created: 91, finished: true, without: {} });
    await expectSame(before, other);
  });

  it("is the same with several numbers, qualified measurements, notes, and materials in words", async () => {
    const pick = <One>(n: number, all: readonly One[]): One => all[n % all.length]!;
    const sizes = ["height: ca. 12 cm", "width: 3,5 cm", "height: about 2 m", "frame, depth: 1 cm"];
    const draft = (n: number) => ({
      idno: `G ${n}`,
      status: "public" as const,
      metadata: {
        title: [{ value: `Krug ${n}`, lang: "de" }],
        ...(n % 2 === 0 ? { accession_number: [{ value: `1923/${n}` }] } : {}),
        other_numbers: [
          { value: `old inventory: K ${n}` },
          { value: pick(n, ["Z 1:2", "loan: Nr. 3: b", `X ${n}`]) },
          { value: `loan: ${n}` },
        ],
        dimensions: [{ value: pick(n, sizes) }, { value: `diameter: ${n + 1} mm` }],
        ...(n % 3 === 0 ? { material: [{ value: "canvas" }, { value: "oil paint" }] } : {}),
        material_text: [
          { value: pick(n, ["Öl auf Leinwand", "frame: gilded wood", "Canvas", "canvas"]), lang: "en" },
          { value: "Rahmen: Holz" },
        ],
        production_note: [
          { value: `Made for the fair.\n\nTwice ${n}.`, lang: "en" },
          { value: "Für die Messe gemacht.", lang: "de" },
        ],
        ...(n % 4 === 0 ? { acquisition_note: [{ value: "Bought at the fair.", lang: "en" }] } : {}),
        inscription: [{ value: "H. P." }, { value: "unten rechts signiert", lang: "de" }],
      },
    });
    const drafts = Array.from({ length: 24 }, (_, n) => ({ draft: draft(n) }));
    await saveBatch(museum.services, OPERATOR, "object", drafts, { upsert: "refuse", importId: null });
    const before = new Map([...(await exported(museum))].filter(([idno]) => idno.startsWith("G ")));
    expect(before.size).toBe(24);
    const done = await importLido(other.services, wrapped(before));
    expect(done).toMatchObject({ created: 24, without: {} });
    const stored = ({ services: { sql } }: Museum) =>
      sql`select metadata from records where idno like 'G %' order by idno`;
    expect(await stored(other)).toEqual(await stored(museum));
    await expectSame(before, other);
  });

  it("is the same with makers who are qualified, by terms, in words, by both, and with roles", async () => {
    const { services } = museum;
    const { keep, link } = keeping(services);
    const joris = await keep("entity", { name: [{ value: "Joris van Eck" }] });
    const role = { role: [{ value: "painter" }] };
    const text = (value: string, lang?: string) => ({
      qualifier_text: [{ value, ...(lang ? { lang } : {}) }],
    });
    const terms = [...(await currentSchema(services.sql)).qualifiers.keys()];
    const all: Metadata[] = [
      ...terms.flatMap((value) => [{ qualifier: [{ value }] }, { qualifier: [{ value }], ...role }]),
      text("Werkstatt oder Umkreis des", "de"),
      { ...text("after a lost work of"), ...role },
      { qualifier: [{ value: "possibly" }], ...text("wohl eigenhändig", "de") },
      role,
    ];
    for (const [n, metadata_] of all.entries()) {
      const title = [{ value: `Bildnis ${n}`, lang: "de" }];
      const id = await keep("object", { title }, { idno: `Q ${String(n).padStart(2, "0")}` });
      await link(id, "created_by", "entity", joris, metadata_);
    }
    const before = new Map([...(await exported(museum))].filter(([idno]) => idno.startsWith("Q ")));
    await importLido(other.services, wrapped(before));
    const stored = ({ services: { sql } }: Museum) => sql`
      select l.metadata from relations l join records r on r.id = l.from_id where r.idno like 'Q %' order by r.idno`;
    expect(await stored(museum)).toHaveLength(all.length);
    expect(await stored(other)).toEqual(await stored(museum));
    await expectSame(before, other);
  });
});

describe("our own LIDO of linked people", async () => {
  const museum = await museumHere();
  const other = await museumHere();

  it("is the same with several links to one person, and with people who took part in events", async () => {
    const { keep, link } = keeping(museum.services);
    const ada = await keep("entity", { name: [{ value: "Ada Holm" }], nationality: [{ value: "Danish" }] });
    const bea = await keep("entity", { name: [{ value: "Bea Lund" }] });
    const as = (...roles: string[]): Metadata =>
      roles.length > 0 ? { role: roles.map((value) => ({ value })) } : {};
    const atSea = { title: [{ value: "At sea", lang: "en" }] };
    const show = await keep("occurrence", atSea, { subtype: "exhibition" });
    const partook = (who: string, ...roles: string[]) =>
      link(who, "participated_in", "occurrence", show, as(...roles), "entity");
    await partook(ada);
    await partook(ada, "curator");
    await partook(bea, "Rednerin", "donor");
    for (const n of [1, 2, 3]) {
      const id = await keep("object", { title: [{ value: `Krug ${n}`, lang: "de" }] }, { idno: `P ${n}` });
      for (const roles of [[], ["painter"], ["engraver", "painter"], ["commissioner"]])
        await link(id, "created_by", "entity", ada, as(...roles));
      await link(id, n === 1 ? "depicts" : "exhibited_in", "occurrence", show);
    }
    const before = await exported(museum);
    for (const xml of before.values()) expect(xml).toContain(">Rednerin</lido:term>");
    await importLido(other.services, wrapped(before));
    const stored = ({ services: { sql } }: Museum) => sql`
      select f.title || ' ' || l.relation_type || ' ' || t.title || ' ' || l.metadata as link
      from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id order by 1`;
    expect(await stored(museum)).toHaveLength(18);
    expect(await stored(other)).toEqual(await stored(museum));
    await expectSame(before, other);
  });

  it("is the same for every kind of text, with and without a language, and for dates in words", async () => {
    for (const { services } of [museum, other]) await emptied(services.sql);
    const fields = [...fieldsOf(await currentSchema(museum.services.sql), "object").values()];
    const kinds = fields.filter((field) => field.is_translatable);
    const words = (value: string, ...langs: (string | undefined)[]) =>
      langs.map((lang) => ({ value, ...(lang ? { lang } : {}) }));
    const dated = (text: string, date?: string): Metadata[] =>
      [undefined, "de", "en"].map((lang) => ({
        ...(date ? { date: words(date, undefined) } : {}),
        date_text: words(text, lang),
      }));
    const all: Metadata[] = [
      ...kinds.flatMap(({ name }) => [
        { [name]: words(`Text ${name}`, undefined) },
        { [name]: words(`Text ${name}`, undefined, "de", "fr") },
      ]),
      ...["c. 1641", "um 1641", "about 1641", "1641~"].flatMap((text) => [
        ...dated(text),
        ...dated(text, "1641~"),
      ]),
    ];
    const drafts = all.map((metadata, n) => ({
      draft: {
        idno: `W ${String(n).padStart(3, "0")}`,
        status: "public" as const,
        metadata: { title: words("Krug", "de"), ...metadata },
      },
    }));
    await saveBatch(museum.services, OPERATOR, "object", drafts, { upsert: "refuse", importId: null });
    const before = await exported(museum);
    expect(before.size).toBe(all.length);
    await importLido(other.services, wrapped(before));
    const rows = await other.services.sql<{ idno: string; metadata: Metadata }[]>`
      select idno, metadata from records where record_type = 'object' order by idno`;
    // LIDO has no place for some
    const isOut = (idno: string, { value }: Entry) => before.get(idno)!.includes(`>${value}<`);
    const told = drafts.filter(({ draft: { idno } }, n) =>
      Object.values(all[n]!)
        .at(-1)!
        .every((entry) => isOut(idno, entry)),
    );
    expect(told.length).toBeGreaterThan(40);
    const back = new Map(rows.map(({ idno, metadata }) => [idno, metadata]));
    for (const { draft } of told) expect(back.get(draft.idno), draft.idno).toEqual(draft.metadata);
  });
});

const GEONAMES = "https://sws.geonames.org/2926271/";
const HANS = "https://d-nb.info/gnd/118500002";
const GERMAN = readFileSync(new URL("../fixtures/lido-german.xml", import.meta.url), "utf8");

describe("LIDO from elsewhere", () => {
  const room = importRoom(quickest);
  const run = (text: string, choices?: Choices) => importLido(room.services, text, choices);
  const record = async (idno: string) => {
    const [row] = await room.services.sql<{ subtype: string; metadata: Metadata; lat: number | null }[]>`
      select subtype, metadata, lat from records where idno = ${idno} and deleted_at is null`;
    return row!;
  };
  const values = ({ metadata }: { metadata: Metadata }, name: string) =>
    (metadata[name] ?? []).map(({ value, lang }) => (lang ? `${value} @${lang}` : value));

  it("fills an object's fields without a mapping, in German and in English", async () => {
    expect((await run(GERMAN)).lines).toEqual({ 3: "created", 131: "created" });
    const chest = await record("1923.17");
    expect(chest.subtype).toBe("furniture");
    const fields = Object.fromEntries(Object.keys(chest.metadata).map((name) => [name, values(chest, name)]));
    expect(fields).toMatchObject({
      title: ["Seemannskiste mit Schiffsbild @de", "Sea chest with a ship @en"],
      alternative_title: ["Kiste des Steuermanns @de"],
      object_name: ["Truhe"],
      description: ["Kiefernholz, innen bemalt.\n\nDer Deckel ist erneuert. @de", "Painted pine. @en"],
      inscription: ["H. P. 1842 @de"],
      date: ["1842~"],
      date_text: ["um 1842, der Deckel jünger @de"],
      material: ["Kiefernholz, Eisen, Ölfarbe"],
      dimensions: ["48 x 97 x 45 cm (geschlossen)"],
      place_of_production_text: ["wohl Flensburger Förde"],
      creator_text: ["unbekannter Tischler"],
      acquisition_date: ["1923-05-02"],
      acquisition_method: ["gift"],
      credit_line: ["Schenkung Petersen @de"],
      rights: ["http://creativecommons.org/publicdomain/zero/1.0/"],
      provenance: ["Gebrauch: 1842/1870, Bark Dorothea, Hans Petersen (Steuermann) @de"],
      accession_number: ["1923.17"],
      internal_note: ["LIDO record DE-MUS-000000/4711"],
    });
    expect(await room.links()).toEqual([
      "1923.17 acquired_from Anna Petersen",
      "1923.17 exhibited_in Auf See",
      "1923.17 found_at Flensburg",
      "1923.17 related_to Hans Petersen",
      "1924.3 created_by Hansen, Jens",
      "1924.3 depicts Flensburg",
      "OCC-000001 took_place_at Flensburg",
    ]);
    const [maker] = await room.records("entity");
    expect(maker).toBeDefined();
    const [made] = await room.services.sql<{ metadata: Metadata }[]>`
      select l.metadata from relations l where relation_type = 'created_by'`;
    expect(made!.metadata).toEqual({ role: [{ value: "Maler" }, { value: "Zeichner" }] });
    const [flensburg] = (await room.records("place")) as { metadata: Metadata }[];
    expect(flensburg!.metadata).toMatchObject({
      name: [{ value: "Flensburg" }],
      geonames: [{ value: "https://sws.geonames.org/2926271/" }],
    });
    const [show] = (await room.records("occurrence")) as { subtype: string; metadata: Metadata }[];
    expect(show).toMatchObject({ subtype: "exhibition", metadata: { date: [{ value: "1998-05/1998-09" }] } });
  });

  it("counts dates in words that can be read in two ways, unless the span of the date decides", async () => {
    const dated = (
      n: number,
      span: string,
    ) => `<lido:lido><lido:lidoRecID lido:type="local">D ${n}</lido:lidoRecID>
      <lido:descriptiveMetadata xml:lang="en"><lido:objectIdentificationWrap><lido:titleWrap><lido:titleSet>
      <lido:appellationValue>Diary</lido:appellationValue></lido:titleSet></lido:titleWrap></lido:objectIdentificationWrap>
      <lido:eventWrap><lido:eventSet><lido:event>
      <lido:eventType><lido:term>Production</lido:term></lido:eventType>
      <lido:eventDate><lido:displayDate>1907-08</lido:displayDate>${span}</lido:eventDate>
      </lido:event></lido:eventSet></lido:eventWrap></lido:descriptiveMetadata></lido:lido>`;
    const month = `<lido:date><lido:earliestDate>1907-08</lido:earliestDate><lido:latestDate>1907-08</lido:latestDate></lido:date>`;
    const done = await run(`${WRAP}${dated(1, "")}${dated(2, month)}</lido:lidoWrap>`);
    expect(values(await record("D 1"), "date")).toEqual(["1907/1908"]);
    expect(values(await record("D 1"), "date_text")).toEqual(["1907-08 @en"]);
    expect(values(await record("D 2"), "date")).toEqual(["1907-08"]);
    const report = createReport({ kind: "object", unit: "record", dryRun: false });
    report.take(done.outcomes);
    expect(report.json(done).ambiguous_dates).toMatchObject({ count: 1, first: [{ value: "1907-08" }] });
  });

  it("leaves out languages that are none, and the report says which", async () => {
    const titled = (
      n: number,
      title: string,
    ) => `<lido:lido><lido:lidoRecID lido:type="local">T ${n}</lido:lidoRecID>
      <lido:descriptiveMetadata xml:lang="fry-1"><lido:objectIdentificationWrap><lido:titleWrap>${title}</lido:titleWrap>
      </lido:objectIdentificationWrap></lido:descriptiveMetadata></lido:lido>`;
    const set = (lang: string, text: string) =>
      `<lido:titleSet><lido:appellationValue xml:lang="${lang}">${text}</lido:appellationValue></lido:titleSet>`;
    const done = await run(
      `${WRAP}${titled(1, set("de-a", "Bake") + set("x-frisian", "Baak"))}\n${titled(2, set("i-klingon", "Boj"))}</lido:lidoWrap>`,
    );
    expect(done).toMatchObject({ created: 2, without: {} });
    expect(values(await record("T 1"), "title")).toEqual(["Bake", "Baak @x-frisian"]);
    expect(values(await record("T 2"), "title")).toEqual(["Boj @i-klingon"]);
    const report = createReport({ kind: "object", unit: "record", dryRun: false });
    report.take(done.outcomes);
    expect(report.json(done).untagged).toEqual([
      { value: "fry-1", records: 2, line: 1 },
      { value: "de-a", records: 1, line: 1 },
    ]);
    expect(allInEnglish(report.lines(done)).join("\n")).toMatch(
      /xml:lang .* left out:\n {2}"fry-1" in 2 records, the first in line 1\n/,
    );
  });

  it("keeps the place of a monument, works that have only a note, and the meaning of a notation", async () => {
    const term = (name: string, ...terms: string[]) => `<lido:${name}>${terms.join("")}</lido:${name}>`;
    const fountain = `${WRAP}<lido:lido><lido:lidoRecID lido:type="local">F 1</lido:lidoRecID>
      <lido:descriptiveMetadata xml:lang="en">
        <lido:objectIdentificationWrap>
          <lido:titleWrap><lido:titleSet><lido:appellationValue>The fountain</lido:appellationValue></lido:titleSet></lido:titleWrap>
          <lido:repositoryWrap><lido:repositorySet><lido:repositoryLocation><lido:namePlaceSet>
            <lido:appellationValue>Sternhöft, market square</lido:appellationValue>
          </lido:namePlaceSet></lido:repositoryLocation></lido:repositorySet></lido:repositoryWrap>
        </lido:objectIdentificationWrap>
        <lido:objectRelationWrap>
          <lido:subjectWrap><lido:subjectSet><lido:subject>${term(
            "subjectConcept",
            '<lido:conceptID lido:type="local" lido:source="Iconclass">23 D 42</lido:conceptID>',
            "<lido:term>23 D 42</lido:term>",
            '<lido:term lido:addedSearchTerm="yes">spring</lido:term>',
            '<lido:term lido:addedSearchTerm="yes">nature</lido:term>',
          )}</lido:subject></lido:subjectSet></lido:subjectWrap>
          <lido:relatedWorksWrap><lido:relatedWorkSet>
            <lido:relatedWork><lido:object><lido:objectNote>The basin</lido:objectNote></lido:object></lido:relatedWork>
            ${term("relatedWorkRelType", "<lido:term>has part</lido:term>")}
          </lido:relatedWorkSet></lido:relatedWorksWrap>
        </lido:objectRelationWrap>
      </lido:descriptiveMetadata></lido:lido></lido:lidoWrap>`;
    expect((await run(fountain)).created).toBe(1);
    const made = await record("F 1");
    expect(values(made, "current_location_note")).toEqual(["Sternhöft, market square @en"]);
    expect(values(made, "subject")).toEqual(["23 D 42 spring"]);
    expect(values(made, "internal_note")).toEqual(["has part: The basin @en"]);
    const french = (
      await room.services.sql`
      update records set metadata = jsonb_set(metadata, '{title}', '[{"value": "Fontaine", "lang": "fr"}]' || (metadata -> 'title'))
      where idno = 'F 1' returning metadata`
    )[0]!.metadata;
    expect((await run(fountain, { upsertStrategy: "merge" })).unchanged).toBe(1);
    expect((await record("F 1")).metadata).toEqual(french);
    // a vocabulary may contain the notation itself
    const draft = TermDraftShape.parse({ value: "23 d 42" });
    const notation = await createTerm(room.services, "subject", draft);
    expect((await run(fountain, { upsertStrategy: "merge" })).updated).toBe(1);
    expect(values(await record("F 1"), "subject")).toEqual(["23 d 42"]);
    await removeTerm(room.services, "subject", notation.id, null);
  });

  inLong(it)(
    "finds existing people by authority number in any notation, by number, and by name",
    async () => {
      const { sql } = room.services;
      const people = [
        { idno: "ENT-A", name: "Jens H. Hansen", gnd: "118500000" },
        { idno: "P 7", name: "Anna Petersen" },
        { idno: "ENT-C", name: "Hans Petersen", gnd: "118500001" },
      ];
      const { keep } = keeping(room.services);
      for (const { idno, name, gnd } of people)
        await keep(
          "entity",
          { name: [{ value: name }], ...(gnd ? { gnd: [{ value: gnd }] } : {}) },
          { idno },
        );
      await run(GERMAN);
      const rows = await sql<{ idno: string; relation_type: string }[]>`
      select t.idno, l.relation_type from relations l join records t on t.id = l.to_id
      where t.record_type = 'entity' order by 1`;
      expect(rows.map((row) => `${row.relation_type} ${row.idno}`)).toEqual([
        // the same name with another GND number is another person
        "related_to ENT-000001",
        "created_by ENT-A",
        "acquired_from P 7",
      ]);
    },
  );

  it("matches names exactly: without an accent, a name is another person, which the report lists", async () => {
    const { keep } = keeping(room.services);
    await keep("entity", { name: [{ value: "ANNA  PETERSEN" }] }, { idno: "P1" });
    await keep("entity", { name: [{ value: "Hans Pétersen" }] }, { idno: "P2" });
    const done = await run(GERMAN);
    expect(await room.links()).toEqual(
      expect.arrayContaining([
        expect.stringContaining("acquired_from ANNA  PETERSEN"),
        expect.stringContaining("related_to Hans Petersen"),
      ]),
    );
    const report = createReport({ kind: "object", unit: "record", dryRun: false });
    report.take(done.outcomes);
    const names = [{ value: "Hans Petersen", title: "Hans Pétersen", idno: "P2" }];
    expect(report.json(done).similar_names).toMatchObject({ names });
  });

  inLong(it)("changes nothing in a dry run, doubles nothing the second time, and can be undone", async () => {
    const dry = await run(GERMAN, { dryRun: true });
    expect(dry).toMatchObject({ created: 2, rejected: 0 });
    expect(await room.titles("entity")).toEqual([]);
    const done = await run(GERMAN);
    const before = [await room.links(), await room.titles("entity"), await room.titles("place")];
    for (const upsertStrategy of ["merge", "replace"] as const)
      expect(await run(GERMAN, { upsertStrategy })).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect([await room.links(), await room.titles("entity"), await room.titles("place")]).toEqual(before);
    expect(done).toMatchObject({ created: 2 });
  });

  const termsOf = (vocabulary: string) => room.services.sql<{ value: string; uri: string | null }[]>`
    select value, uri from vocabulary_terms where vocabulary = ${vocabulary}`;

  inLong(it)("keeps addresses of unknown concepts: in a new term, or else in a note", async () => {
    const words = `<lido:eventMethod><lido:conceptID>http://d-nb.info/gnd/4032288-1</lido:conceptID>
        <lido:term xml:lang="de">Klöppeln</lido:term></lido:eventMethod>
      <lido:eventMethod><lido:conceptID>http://d-nb.info/gnd/4014814-0</lido:conceptID>
        <lido:term xml:lang="de">Radierung</lido:term></lido:eventMethod>`;
    // the second concept has a term with another address
    await run(GERMAN.replace("<lido:eventPlace>", `${words}<lido:eventPlace>`));
    const chest = await record("1923.17");
    expect(values(chest, "technique")).toEqual(["Klöppeln", "etching"]);
    expect(values(chest, "internal_note").join()).toContain(
      "technique: etching <http://d-nb.info/gnd/4014814-0>",
    );
    const [lace] = (await termsOf("technique")).filter(({ value }) => value === "Klöppeln");
    expect(lace).toMatchObject({ uri: "http://d-nb.info/gnd/4032288-1" });
    const chests = (await termsOf("object_name")).filter(({ value }) => value === "Truhe");
    expect(chests).toMatchObject([{ uri: "http://d-nb.info/gnd/4186364-1" }]);
    const text = [...(await exported(room.museum)).values()].join();
    for (const uri of ["4032288-1", "4186364-1"]) expect(text).toContain(`http://d-nb.info/gnd/${uri}<`);
    // by another name, it is still the same term
    await emptied(room.services.sql);
    await run(GERMAN.replace('<lido:term xml:lang="de">Truhe</lido:term>', ""));
    expect(values(await record("1923.17"), "object_name")).toEqual(["Truhe"]);
  });

  inLong(it)(
    "fills in what people and places lack when it merges, replaces nothing, and can be undone",
    async () => {
      const { services } = room;
      const { sql } = services;
      const { keep } = keeping(services);
      await keep("place", { name: [{ value: "Flensburg" }] }, { idno: "FL" });
      const hans = { name: [{ value: "Hans Petersen" }], nationality: [{ value: "Danish" }] };
      await keep("entity", hans, { idno: "HP" });
      const seen = async () => {
        const rows = await sql<
          { idno: string; version: number; lat: number | null; gnd: string; nation: string }[]
        >`
        select idno, version, lat, metadata #>> '{gnd,0,value}' as gnd, metadata #>> '{geonames,0,value}' as geonames,
          metadata #>> '{nationality,0,value}' as nation
        from records where idno in ('FL', 'HP') order by idno`;
        return rows.map((row) => ({ ...row }));
      };
      const bare = await seen();
      await run(GERMAN);
      expect(await seen()).toEqual(bare);
      const point = "<lido:gml><gml:Point><gml:pos>54.78 9.43</gml:pos></gml:Point></lido:gml>";
      const name = /Flensburg<\/lido:appellationValue><\/lido:namePlaceSet>/g;
      const placed = GERMAN.replaceAll(name, `$&${point}`);
      const merged = await run(placed, { upsertStrategy: "merge" });
      expect(await seen()).toEqual([
        { idno: "FL", version: 2, lat: 54.78, gnd: null, geonames: GEONAMES, nation: null },
        { idno: "HP", version: 2, lat: null, gnd: HANS, geonames: null, nation: "Danish" },
      ]);
      await run(placed, { upsertStrategy: "merge" });
      expect((await seen()).map(({ version }) => version)).toEqual([2, 2]);
      await undoImport(services, OPERATOR, merged.importId, { dryRun: false });
      expect((await seen()).map(({ version: _, ...row }) => row)).toEqual(
        bare.map(({ version: _, ...row }) => row),
      );
    },
  );

  inLong(it)(
    "refuses an invalid record, keeps its original XML, and says where a file is broken",
    async () => {
      const [before, second] = GERMAN.split(/(?=<lido:lidoRecID lido:type="local">)/);
      const untitled =
        before!.replace(/<lido:titleWrap>[\s\S]*?<\/lido:titleWrap>/g, "<lido:titleWrap/>") + second;
      const done = await run(untitled);
      expect(done.lines[3]).toBe("rejected: title is required for publication");
      expect(done.rejects).toContain("<lido:workID");
      expect(done).toMatchObject({ created: 1, rejected: 1 });
      const broken = await run(GERMAN.slice(0, -400), { upsertStrategy: "merge" });
      expect(broken).toMatchObject({ finished: true, broken: expect.stringContaining("line") });
      expect(await room.titles()).toHaveLength(2);
    },
  );

  it("keeps what is only displayed, whatever the event is called, and the addresses of other event types", async () => {
    const set = (name: string, inner: string) => `<lido:${name}>${inner}</lido:${name}>`;
    const event = (type: string, inner: string) =>
      set("eventSet", set("event", set("eventType", type) + inner));
    const text = (name: string, words: string) => `<lido:${name} xml:lang="de">${words}</lido:${name}>`;
    await run(
      `${WRAP}<lido:lido><lido:lidoRecID>D 1</lido:lidoRecID><lido:descriptiveMetadata xml:lang="de">` +
        set(
          "objectIdentificationWrap",
          set("titleWrap", set("titleSet", text("appellationValue", "Krug"))) +
            set(
              "objectMeasurementsWrap",
              set("objectMeasurementsSet", text("displayObjectMeasurements", "H. 12 cm")),
            ),
        ) +
        set(
          "eventWrap",
          event(
            "<lido:conceptID>http://vocab.example/made</lido:conceptID><lido:term>Herstellung</lido:term>",
            set("eventDate", text("displayDate", "um 1850 (?)")) +
              set(
                "eventMaterialsTech",
                text("displayMaterialsTech", "Ton, glasiert") +
                  '<lido:displayMaterialsTech lido:label="technique">gedreht</lido:displayMaterialsTech>' +
                  '<lido:displayMaterialsTech lido:label="Material/Technik">Engobe, geritzt</lido:displayMaterialsTech>',
              ),
          ) +
            event(
              "<lido:conceptID>http://vocab.example/lost</lido:conceptID><lido:term>Verbringung</lido:term>",
              set("eventDate", text("displayDate", "nach 1945")),
            ),
        ) +
        "</lido:descriptiveMetadata></lido:lido></lido:lidoWrap>",
    );
    const events =
      "event: Herstellung <http://vocab.example/made>\nevent: Verbringung <http://vocab.example/lost>";
    expect((await record("D 1")).metadata).toMatchObject({
      material: [{ value: "Ton, glasiert" }, { value: "Engobe, geritzt" }],
      technique: [{ value: "gedreht" }],
      dimensions: [{ value: "H. 12 cm" }],
      date: [{ value: "1850%" }],
      provenance: [{ value: "Verbringung: nach 1945", lang: "de" }],
      internal_note: [{ value: events }],
    });
  });

  it("learns from picture names which file belongs to which object", async () => {
    await run(GERMAN);
    const rows = await room.services.sql<{ filename: string }[]>`select filename from media_names`;
    expect(rows.map(({ filename }) => filename)).toEqual(["kiste-1923-17.jpg"]);
  });
});

const SHELF = fileURLToPath(new URL("../../../shared/data/lido/", import.meta.url));

describe("published records in LIDO 1.0 and 1.1", () => {
  const room = importRoom(quickest);
  it.skipIf(!existsSync(SHELF))("are imported completely, with makers and places", async () => {
    for (const name of readdirSync(SHELF).sort()) {
      const done = await importLido(room.services, readFileSync(SHELF + name, "utf8"));
      expect(done, name).toMatchObject({ rejected: 0, finished: true, without: {} });
    }
    const links = await room.links();
    expect(links).toContain("8360 (Inv. 1890) created_by Botticelli, Sandro");
    expect(links).toContain("1977.20 made_at Neapel");
    const [row] = await room.services.sql`select metadata, subtype from records where idno = '1977.20'`;
    expect(row).toMatchObject({
      subtype: "furniture",
      metadata: { date: [{ value: "1596/1605" }], date_text: [{ value: "um 1600", lang: "de" }] },
    });
  });
});

/** A file of these records. */
const wrapped = (records: ReadonlyMap<string, string>): string =>
  `${WRAP}${[...records.values()].join("\n")}</lido:lidoWrap>`;

/** The museum exports these records in the same words. */
async function expectSame(before: ReadonlyMap<string, string>, museum: Museum): Promise<void> {
  const after = await exported(museum);
  for (const [idno, text] of before) expect(lines(after.get(idno) ?? ""), idno).toEqual(lines(text));
}

async function exported(museum: Museum): Promise<Map<string, string>> {
  const rows = await museum.services.sql<
    { id: string }[]
  >`select id from records where record_type = 'object'`;
  const ids = rows.map(({ id }) => id);
  const views = await viewsOf(museum.services, ids);
  return new Map(views.map((view) => [view.record.row.idno, lidoOf(view).text]));
}

/** One element in each line, without ids and the time of the last change, which differ in another catalogue. */
const lines = (text: string): string[] =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replace(/(<lido:recordMetadataDate>)[^<]*/g, "$1")
    .replace(/></g, ">\n<")
    .split("\n");
