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
import type { Kind } from "../../src/records/kinds.ts";
import { addRelation } from "../../src/records/links/relations.ts";
import type { Entry, Metadata } from "../../src/records/record.ts";
import { currentSchema, fieldsOf } from "../../src/records/schema.ts";
import { createRecord } from "../../src/records/write/write.ts";
import type { Services } from "../../src/services.ts";
import { TermDraftShape } from "../../src/vocabularies/terms/vocabulary-shape.ts";
import { createTerm, removeTerm } from "../../src/vocabularies/terms/write.ts";
import { allInEnglish } from "../support/lane/in-english.ts";
import { inLong } from "../support/lane/lane.ts";
import { importRoom } from "../support/museum/import-room.ts";
import { type Choices, emptied, type Imported, importText } from "../support/museum/importing.ts";
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
    const done = await importLido(
      other.services,
      `${WRAP}${[...before.values()].join("\n")}</lido:lidoWrap>`,
    );
    expect(Object.values(done.lines).filter((line) => line !== "created")).toEqual([]);
    expect(done).toMatchObject({ created: 91, finished: true, without: {} });
    const after = await exported(other);
    for (const [idno, text] of before) expect(lines(after.get(idno) ?? ""), idno).toEqual(lines(text));
  });

  it("is the same with several numbers, qualified measurements, notes, and materials in words", async () => {
    const pick = <One>(n: number, all: readonly One[]): One => all[n % all.length]!;
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
        dimensions: [
          {
            value: pick(n, ["height: ca. 12 cm", "width: 3,5 cm", "height: about 2 m", "frame, depth: 1 cm"]),
          },
          { value: `diameter: ${n + 1} mm` },
        ],
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
    const done = await importLido(
      other.services,
      `${WRAP}${[...before.values()].join("\n")}</lido:lidoWrap>`,
    );
    expect(done).toMatchObject({ created: 24, without: {} });
    const stored = async ({ services: { sql } }: Museum) =>
      (await sql`select metadata from records where idno like 'G %' order by idno`).map(
        (row) => row.metadata,
      );
    expect(await stored(other)).toEqual(await stored(museum));
    const after = await exported(other);
    for (const [idno, text] of before) expect(lines(after.get(idno) ?? ""), idno).toEqual(lines(text));
  });

  it("is the same with makers who are qualified, by terms, in words, by both, and with roles", async () => {
    const { services } = museum;
    const draft = { status: "public" as const, metadata: { name: [{ value: "Joris van Eck" }] } };
    const { id: to_id } = await createRecord(services, OPERATOR, "entity", draft);
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
      const metadata = { title: [{ value: `Bildnis ${n}`, lang: "de" }] };
      const object = { idno: `Q ${String(n).padStart(2, "0")}`, status: "public" as const, metadata };
      const { id } = await createRecord(services, OPERATOR, "object", object);
      const link = { relation_type: "created_by", to_type: "entity" as const, to_id, metadata_ };
      await addRelation(services, OPERATOR, "object", id, link, null);
    }
    const before = new Map([...(await exported(museum))].filter(([idno]) => idno.startsWith("Q ")));
    await importLido(other.services, `${WRAP}${[...before.values()].join("\n")}</lido:lidoWrap>`);
    const stored = async ({ services: { sql } }: Museum) =>
      (
        await sql`
          select l.metadata from relations l join records r on r.id = l.from_id where r.idno like 'Q %'
          order by r.idno`
      ).map((row) => row.metadata);
    expect(await stored(museum)).toHaveLength(all.length);
    expect(await stored(other)).toEqual(await stored(museum));
    const after = await exported(other);
    for (const [idno, xml] of before) expect(lines(after.get(idno) ?? ""), idno).toEqual(lines(xml));
  });
});

describe("our own LIDO of linked people", async () => {
  const museum = await museumHere();
  const other = await museumHere();

  it("is the same with several links to one person, and with people who took part in events", async () => {
    const { services } = museum;
    const create = async (kind: "entity" | "occurrence" | "object", metadata: Metadata, idno?: string) =>
      (
        await createRecord(services, OPERATOR, kind, {
          ...{
            status: "public" as const,
            metadata,
            ...(kind === "occurrence" ? { subtype: "exhibition" } : {}),
          },
          ...(idno ? { idno } : {}),
        })
      ).id;
    const [ada, bea] = [
      await create("entity", { name: [{ value: "Ada Holm" }], nationality: [{ value: "Danish" }] }),
      await create("entity", { name: [{ value: "Bea Lund" }] }),
    ];
    const link = (
      kind: "entity" | "object",
      id: string,
      relation_type: string,
      to_id: string,
      roles: string[],
    ) =>
      addRelation(
        services,
        OPERATOR,
        kind,
        id,
        {
          relation_type,
          to_type:
            kind === "entity" ? "occurrence" : relation_type === "created_by" ? "entity" : "occurrence",
          to_id,
          metadata_: roles.length > 0 ? { role: roles.map((value) => ({ value })) } : {},
        },
        null,
      );
    const show = await create("occurrence", { title: [{ value: "At sea", lang: "en" }] });
    await link("entity", ada, "participated_in", show, []);
    await link("entity", ada, "participated_in", show, ["curator"]);
    await link("entity", bea, "participated_in", show, ["Rednerin", "donor"]);
    for (const n of [1, 2, 3]) {
      const id = await create("object", { title: [{ value: `Krug ${n}`, lang: "de" }] }, `P ${n}`);
      for (const roles of [[], ["painter"], ["engraver", "painter"], ["commissioner"]])
        await link("object", id, "created_by", ada, roles);
      await link("object", id, n === 1 ? "depicts" : "exhibited_in", show, []);
    }
    const before = await exported(museum);
    for (const xml of before.values()) expect(xml).toContain(">Rednerin</lido:term>");
    await importLido(other.services, `${WRAP}${[...before.values()].join("\n")}</lido:lidoWrap>`);
    const stored = async ({ services: { sql } }: Museum) =>
      (
        await sql`select f.title || ' ' || l.relation_type || ' ' || t.title || ' ' || l.metadata as link
          from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id order by 1`
      ).map((row) => row.link);
    expect(await stored(museum)).toHaveLength(18);
    expect(await stored(other)).toEqual(await stored(museum));
    const after = await exported(other);
    for (const [idno, xml] of before) expect(lines(after.get(idno) ?? ""), idno).toEqual(lines(xml));
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
    await importLido(other.services, `${WRAP}${[...before.values()].join("\n")}</lido:lidoWrap>`);
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
    expect(told.map(({ draft: { idno } }) => [idno, back.get(idno)])).toEqual(
      told.map(({ draft: { idno, metadata } }) => [idno, metadata]),
    );
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
      await saveBatch(
        room.services,
        OPERATOR,
        "entity",
        people.map(({ idno, name, gnd }) => ({
          draft: { idno, metadata: { name: [{ value: name }], ...(gnd ? { gnd: [{ value: gnd }] } : {}) } },
        })),
        { upsert: "refuse", importId: null },
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
    const save = (idno: string, name: string) =>
      saveBatch(
        room.services,
        OPERATOR,
        "entity",
        [{ draft: { idno, metadata: { name: [{ value: name }] } } }],
        {
          upsert: "refuse",
          importId: null,
        },
      );
    await save("P1", "ANNA  PETERSEN");
    await save("P2", "Hans Pétersen");
    const done = await run(GERMAN);
    expect(await room.links()).toEqual(
      expect.arrayContaining([
        expect.stringContaining("acquired_from ANNA  PETERSEN"),
        expect.stringContaining("related_to Hans Petersen"),
      ]),
    );
    const report = createReport({ kind: "object", unit: "record", dryRun: false });
    report.take(done.outcomes);
    expect(report.json(done).similar_names).toMatchObject({
      names: [{ value: "Hans Petersen", title: "Hans Pétersen", idno: "P2" }],
    });
  });

  inLong(it)("changes nothing in a dry run, doubles nothing the second time, and can be undone", async () => {
    const dry = await run(GERMAN, { dryRun: true });
    expect(dry).toMatchObject({ created: 2, rejected: 0 });
    expect(await room.titles("entity")).toEqual([]);
    const done = await run(GERMAN);
    const before = [await room.links(), await room.titles("entity"), await room.titles("place")];
    expect(await run(GERMAN, { upsertStrategy: "merge" })).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
    expect(await run(GERMAN, { upsertStrategy: "replace" })).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
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
      const { sql, services } = { ...room.services, services: room.services };
      const save = (kind: Kind, idno: string, metadata: Metadata) =>
        saveBatch(services, OPERATOR, kind, [{ draft: { idno, metadata } }], {
          upsert: "refuse",
          importId: null,
        });
      await save("place", "FL", { name: [{ value: "Flensburg" }] });
      await save("entity", "HP", { name: [{ value: "Hans Petersen" }], nationality: [{ value: "Danish" }] });
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
      const placed = GERMAN.replaceAll(
        /(Flensburg<\/lido:appellationValue><\/lido:namePlaceSet>)/g,
        `$1${point}`,
      );
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
    expect((await record("D 1")).metadata).toMatchObject({
      material: [{ value: "Ton, glasiert" }, { value: "Engobe, geritzt" }],
      technique: [{ value: "gedreht" }],
      dimensions: [{ value: "H. 12 cm" }],
      date: [{ value: "1850%" }],
      provenance: [{ value: "Verbringung: nach 1945", lang: "de" }],
      internal_note: [
        {
          value:
            "event: Herstellung <http://vocab.example/made>\nevent: Verbringung <http://vocab.example/lost>",
        },
      ],
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

async function exported(museum: Museum): Promise<Map<string, string>> {
  const rows = await museum.services.sql<
    { id: string }[]
  >`select id from records where record_type = 'object'`;
  const views = await viewsOf(
    museum.services,
    rows.map(({ id }) => id),
  );
  return new Map(views.map((view) => [view.record.row.idno, lidoOf(view).text]));
}

/** One element in each line, without ids and the time of the last change, which differ in another catalogue. */
const lines = (text: string): string[] =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replace(/(<lido:recordMetadataDate>)[^<]*/g, "$1")
    .replace(/></g, ">\n<")
    .split("\n");
