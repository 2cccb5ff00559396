/** Nothing that a LIDO record says is dropped in silence: it is in the catalogue, or the report names its place. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Element } from "slimdom";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { type LidoContext, readLidoContext } from "../../src/imports/lido/context.ts";
import { lidoReading } from "../../src/imports/lido/lido.ts";
import { readLido } from "../../src/imports/lido/row.ts";
import { CHILDREN } from "../../src/imports/lido/structure.ts";
import { createReport } from "../../src/imports/report/report.ts";
import { parseRecordPath } from "../../src/imports/xml/clark.ts";
import { RecordReader } from "../../src/imports/xml/records.ts";
import type { Said } from "../../src/messages/said.ts";
import { isMaker } from "../../src/records/links/makers.ts";
import type { Metadata } from "../../src/records/record.ts";
import { wordsOf } from "../../src/text.ts";
import { allInEnglish, inEnglish } from "../support/lane/in-english.ts";
import { isShort } from "../support/lane/lane.ts";
import { importRoom } from "../support/museum/import-room.ts";
import { importText } from "../support/museum/importing.ts";
import { quickest } from "../support/museum/museum.ts";

const LIDO = "http://www.lido-schema.org";

function parsed(text: string): Element {
  const reader = new RecordReader(parseRecordPath(`//{${LIDO}}lido`)!);
  const found = [...reader.take(text).records, ...reader.end().records];
  return found[0]!.element;
}

/** Numbers from 0 to 1, the same for each seed. */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  eventType: ["Herstellung", "Erwerbung", "Ausstellung", "Fund", "Entwurf", "Restaurierung"],
  earliestDate: ["1640", "1640-05"],
  latestDate: ["1641"],
};

/** A valid record in which every text is a word of its own, and the words by their paths. */
function generated(seed: number): { text: string; words: { word: string; path: string }[] } {
  const random = randomBy(seed);
  const words: { word: string; path: string }[] = [];
  let count = 0;
  const fresh = (path: string): string => {
    count += 1;
    words.push({ word: `wort${seed}q${count}`, path });
    return `wort${seed}q${count}`;
  };
  const make = (name: string, path: string, depth: number): string => {
    const children = CHILDREN.get(name) ?? [];
    const own = WORDS[name];
    const concept =
      own && random() < 0.8 ? `<l:term>${own[Math.floor(random() * own.length)]}</l:term>` : null;
    const inside = (concept ? [] : children)
      .flatMap((child) => {
        const most = depth > 11 ? 0 : child.atMost > 1 && random() < 0.25 ? 2 : 1;
        const n = child.atLeast > 0 ? Math.max(1, most) : random() < 0.75 ? most : 0;
        const below = path === "" ? child.name : `${path}/${child.name}`;
        return Array.from({ length: n }, () => make(child.name, below, depth + 1));
      })
      .join("");
    const isDate = name === "earliestDate" || name === "latestDate";
    const content = isDate
      ? own![Math.floor(random() * own!.length)]!
      : (concept ?? (inside !== "" || children.length > 0 ? inside : fresh(path)));
    const attributes = [
      /Metadata$/.test(name) ? ' xml:lang="de"' : "",
      random() < 0.1 && name !== "lido" ? ` l:source="${fresh(`${path}/@source`)}"` : "",
      random() < 0.1 && name !== "lido" ? ` l:type="${fresh(`${path}/@type`)}"` : "",
    ].join("");
    return `<l:${name}${attributes}>${content}</l:${name}>`;
  };
  const text = make("lido", "", 0).replace("<l:lido", `<l:lido xmlns:l="${LIDO}"`);
  return { text, words };
}

describe("what LIDO says", () => {
  const room = importRoom(quickest);
  let known: LidoContext;
  beforeAll(async () => {
    known = await readLidoContext(room.services, true);
  });

  async function run(text: string, dryRun = false) {
    const { mapping, ...reading } = await lidoReading(room.services, OPERATOR);
    const done = await importText(room.services, text, mapping as Record<string, unknown>, {
      ...reading,
      autoPublish: true,
      dryRun,
    });
    const report = createReport({ kind: "object", unit: "record", dryRun });
    report.take(done.outcomes);
    return { done, report };
  }

  it("is in the row or among the places that were not read, for any valid record", () => {
    const silent: string[] = [];
    for (let seed = 1; seed <= 40; seed += 1) {
      const { text, words } = generated(seed);
      const { mapped, unmapped = [], invalid } = readLido(known, parsed(text), "");
      expect(invalid).toEqual([]);
      const kept = JSON.stringify([mapped, known.newTerms.splice(0)]);
      const places = new Set(unmapped.map(([place]) => place));
      expect(words.length).toBeGreaterThan(20);
      for (const { word, path } of words)
        if (!new RegExp(`${word}(?!\\d)`).test(kept) && !places.has(path)) silent.push(`${seed} ${path}`);
    }
    expect(silent).toEqual([]);
  });

  it("is accounted for in preview, report and result, with path, count and example", async () => {
    const record = (n: number, more: string) => lido(`U-${n}`, event("Herstellung", more));
    const thing = "<l:thingPresent><l:displayObject>Modell aus Gips</l:displayObject></l:thingPresent>";
    const text = wrap(record(1, thing), record(2, thing), record(3, ""));
    const place = "descriptiveMetadata/eventWrap/eventSet/event/thingPresent/displayObject";
    for (const dryRun of [true, false]) {
      const { done, report } = await run(text, dryRun);
      expect(report.json(done)).toMatchObject({
        unmapped: { [place]: 2 },
        unmapped_examples: { [place]: "Modell aus Gips" },
        invalid: { count: 0 },
      });
      expect(allInEnglish(report.lines(done)).join("\n")).toContain(`\n  ${place} (2): Modell aus Gips\n`);
    }
  });

  it("comes in from a record that is not valid, and the report says what is wrong with which record", async () => {
    const untyped = lido("V-1").replace(/<l:objectClassificationWrap>.*?<\/l:objectClassificationWrap>/, "");
    const strange = lido("V-2", "<l:eventSet><l:maker>Ada Holm</l:maker></l:eventSet>");
    const twice = lido("V-3").replace("</l:recordType>", "</l:recordType><l:recordType/>");
    const late = lido("V-4").replace(/(<l:lidoRecID>.*?<\/l:lidoRecID>)(.*)(<\/l:lido>)/s, "$2$1$3");
    const { done, report } = await run(wrap(lido("V-0"), untyped, strange, twice, late));
    expect(done).toMatchObject({ created: 5, rejected: 0 });
    const { invalid } = report.json(done) as { invalid: { count: number; first: { faults: Said[] }[] } };
    expect(invalid.first.map(({ faults }) => faults.map(inEnglish))).toEqual([
      ['"descriptiveMetadata" lacks "objectClassificationWrap"'],
      ['"eventSet" must not contain "maker"'],
      ['"recordWrap" contains "recordType" more than once'],
      ['"lidoRecID" is in the wrong place in "lido"'],
    ]);
    expect(allInEnglish(report.lines(done)).join("\n")).toContain(
      'Not valid LIDO (4 records), imported as far as it can be read:\n  line 8: "descriptiveMetadata" lacks',
    );
    expect(report.json(done).unmapped).toMatchObject({ "descriptiveMetadata/eventWrap/eventSet/maker": 1 });
  });

  it("about events, people, numbers, sizes and materials has a place", async () => {
    const person = (name: string, more = "") =>
      `<l:actor l:type="person"><l:nameActorSet><l:appellationValue>${name}</l:appellationValue></l:nameActorSet>${more}</l:actor>`;
    const inRole = (name: string, role: string, more = "") =>
      `<l:eventActor><l:actorInRole>${person(name, more)}<l:roleActor><l:term>${role}</l:term></l:roleActor></l:actorInRole></l:eventActor>`;
    const note = (words: string) =>
      `<l:eventDescriptionSet><l:descriptiveNoteValue>${words}</l:descriptiveNoteValue></l:eventDescriptionSet>`;
    const about =
      "<l:nationalityActor><l:term>dänisch</l:term></l:nationalityActor><l:genderActor>weiblich</l:genderActor>";
    const materials = `<l:eventMaterialsTech><l:displayMaterialsTech>Öl auf Leinwand</l:displayMaterialsTech><l:materialsTech>
      <l:termMaterialsTech><l:term>Eiche</l:term></l:termMaterialsTech><l:extentMaterialsTech>Rahmen</l:extentMaterialsTech></l:materialsTech></l:eventMaterialsTech>`;
    const name = "<l:eventName><l:appellationValue>Auf See</l:appellationValue></l:eventName>";
    const events =
      event("Herstellung", inRole("Ada Holm", "Malerin", about) + materials + note("Für die Messe gemalt.")) +
      event("Erwerbung", note("Auf der Messe gekauft.")) +
      event("Ausstellung", name + inRole("Bea Lund", "Kuratorin") + note("In drei Räumen.")).replace(
        "<l:eventSet>",
        "<l:eventSet><l:displayEvent>Die große Schau</l:displayEvent>",
      );
    const more = `<l:inscriptionsWrap><l:inscriptions><l:inscriptionTranscription>A. H.</l:inscriptionTranscription>
      <l:inscriptionDescription><l:descriptiveNoteValue>unten rechts</l:descriptiveNoteValue></l:inscriptionDescription></l:inscriptions></l:inscriptionsWrap>
      <l:repositoryWrap><l:repositorySet><l:workID>S-1</l:workID><l:workID l:type="Altes Inventar">K 17</l:workID></l:repositorySet></l:repositoryWrap>
      <l:objectMeasurementsWrap><l:objectMeasurementsSet><l:objectMeasurements><l:measurementsSet><l:measurementType>Höhe</l:measurementType>
      <l:measurementUnit>cm</l:measurementUnit><l:measurementValue>12</l:measurementValue></l:measurementsSet>
      <l:extentMeasurements>Rahmen</l:extentMeasurements><l:qualifierMeasurements>ca.</l:qualifierMeasurements></l:objectMeasurements>
      </l:objectMeasurementsSet></l:objectMeasurementsWrap>`;
    const { done } = await run(wrap(lido("S-1", events).replace("</l:titleWrap>", `</l:titleWrap>${more}`)));
    expect(done.outcomes[0]!.row.unmapped!.map(([place]) => place)).toEqual([
      "administrativeMetadata/recordWrap/recordType/term",
      "administrativeMetadata/recordWrap/recordSource/legalBodyName/appellationValue",
    ]);
    const { sql } = room.services;
    const [made] = await sql`select metadata from records where idno = 'S-1'`;
    const german = (value: string) => [{ value, lang: "de" }];
    expect(made!.metadata).toMatchObject({
      other_numbers: [{ value: "Altes Inventar: K 17" }],
      inscription: [...german("A. H."), ...german("unten rechts")],
      dimensions: [{ value: "Rahmen, Höhe: ca. 12 cm" }],
      material_text: [...german("Rahmen: Eiche"), ...german("Öl auf Leinwand")],
      production_note: german("Für die Messe gemalt."),
      acquisition_note: german("Auf der Messe gekauft."),
    });
    const [show] = await sql`select metadata from records where record_type = 'occurrence'`;
    expect(show!.metadata.description).toEqual([...german("Die große Schau"), ...german("In drei Räumen.")]);
    const people = await sql`
      select p.metadata, l.relation_type, l.metadata as said, t.record_type from records p
      join relations l on p.id in (l.from_id, l.to_id) join records t on t.id = l.to_id
      where p.record_type = 'entity' order by p.metadata ->> 'name'`;
    expect(people).toMatchObject([
      { metadata: { nationality: [{ value: "dänisch" }], gender: [{}] }, relation_type: "created_by" },
      {
        relation_type: "participated_in",
        said: { role: [{ value: "Kuratorin" }] },
        record_type: "occurrence",
      },
    ]);
  });

  const unread = (row: { unmapped?: readonly (readonly [string, string])[] }) =>
    Object.fromEntries((row.unmapped ?? []).filter(([place]) => !place.startsWith("administrative")));
  const made = async (idno: string) => {
    const [row] = await room.services.sql`select metadata from records where idno = ${idno}`;
    return row!.metadata;
  };
  const links = async () =>
    (
      await room.services.sql`select f.idno || ' ' || l.relation_type || ' ' || t.title || ' ' ||
        coalesce(l.metadata #>> '{role,0,value}', '') as link from relations l join records f on f.id = l.from_id
        join records t on t.id = l.to_id order by l.created_at, l.id`
    ).map(({ link }) => link);
  const ROLE = "descriptiveMetadata/eventWrap/eventSet/event/eventActor/actorInRole/roleActor";
  const actor = (name: string, role: string, { display = "", more = "" } = {}) =>
    `<l:eventActor>${display && `<l:displayActorInRole>${display}</l:displayActorInRole>`}<l:actorInRole><l:actor>
    <l:nameActorSet><l:appellationValue>${name}</l:appellationValue></l:nameActorSet>${more}</l:actor>
    ${role && `<l:roleActor>${role}</l:roleActor>`}</l:actorInRole></l:eventActor>`;
  const PAINTER = "<l:conceptID>http://vocab.getty.edu/aat/300025136</l:conceptID>";

  it("about a known concept is kept as far as its term says the same", async () => {
    const same = actor("Ada Holm", `${PAINTER}<l:term xml:lang="fr">peintre</l:term>`);
    const term = "<l:term>Kunstmalerin</l:term>";
    const more = `<l:conceptID>https://d-nb.info/gnd/4037220-0</l:conceptID><l:term l:addedSearchTerm="yes">Pinslerin</l:term>`;
    const { done } = await run(
      wrap(
        lido("K-1", event("Herstellung", same)),
        lido(
          "K-2",
          event("Herstellung", actor("Ada Holm", PAINTER + term, { display: "Kunstmalerin: Ada Holm" })),
        ),
        lido("K-3", event("Herstellung", actor("Ada Holm", PAINTER + more))),
      ),
    );
    expect(done.outcomes.map(({ row }) => unread(row))).toEqual([
      {},
      {
        [`${ROLE}/term`]: "Kunstmalerin",
        [ROLE.replace("actorInRole/roleActor", "displayActorInRole")]: "Kunstmalerin: Ada Holm",
      },
      { [`${ROLE}/conceptID`]: "https://d-nb.info/gnd/4037220-0", [`${ROLE}/term`]: "Pinslerin" },
    ]);
    expect(await links()).toEqual([1, 2, 3].map((n) => `K-${n} created_by Ada Holm painter`));
    expect(await made("K-2")).not.toHaveProperty("creator_text");
  });

  it("about a new concept becomes a term with its other names, which later imports know", async () => {
    const type = (terms: string) => `<l:objectWorkType>${terms}</l:objectWorkType>`;
    const record = (number: string, terms: string) =>
      lido(number).replace(/<l:objectWorkType>.*?<\/l:objectWorkType>/, type(terms));
    const about = `<l:conceptID>http://things.example/jug</l:conceptID><l:term xml:lang="de">Bartmannkrug</l:term>
      <l:term xml:lang="en">bellarmine</l:term><l:term xml:lang="de" l:addedSearchTerm="yes">Bartkrug</l:term>`;
    const first = await run(wrap(record("T-1", about)));
    expect(unread(first.done.outcomes[0]!.row)).toEqual({});
    const [term] = await room.services.sql`select * from vocabulary_terms where value = 'Bartmannkrug'`;
    expect(term).toMatchObject({
      label: { de: "Bartmannkrug", en: "bellarmine" },
      alt_label: { de: ["Bartkrug"] },
      uri: "http://things.example/jug",
    });
    await run(wrap(record("T-2", "<l:term>Bartkrug</l:term>")));
    expect((await made("T-2")).object_name).toEqual([{ value: "Bartmannkrug" }]);
  });

  it("of a person who is described again fills in, and the report names what differs", async () => {
    const vital = (born: string) =>
      `<l:vitalDatesActor><l:earliestDate>${born}</l:earliestDate></l:vitalDatesActor>`;
    const person = (more: string) =>
      event("Herstellung", actor("Cleo Brandt", "<l:term>Töpferin</l:term>", { more }));
    const from = (nation: string) => `<l:nationalityActor><l:term>${nation}</l:term></l:nationalityActor>`;
    const { mapping, ...reading } = await lidoReading(room.services, OPERATOR);
    // in the long lane, far enough apart for another batch
    const between = Array.from({ length: isShort ? 1 : 900 }, (_, n) => lido(`Z-${n}`));
    const text = wrap(
      lido("D-1", person("")),
      lido("D-2", person(vital("1850"))),
      ...between,
      lido("D-3", person(from("dänisch") + vital("1850"))),
      lido("D-4", person(from("deutsch") + vital("1851"))),
    );
    const done = await importText(room.services, text, mapping as Record<string, unknown>, reading);
    const [cleo] = await room.services.sql`select metadata from records where title = 'Cleo Brandt'`;
    expect(cleo!.metadata).toMatchObject({
      birth_date: [{ value: "1850" }],
      nationality: [{ value: "dänisch" }],
    });
    const said = done.outcomes.filter(({ row }) => row.unmapped).map(({ row }) => unread(row));
    const place = ROLE.replace("roleActor", "actor");
    expect(said.filter((each) => Object.keys(each).length > 0)).toEqual([
      { [`${place}/nationalityActor/term`]: "deutsch", [`${place}/vitalDatesActor/earliestDate`]: "1851" },
    ]);
  });

  it("in a second language is kept as a translation, and nothing is there twice", async () => {
    const group = (lang: string, words: readonly string[]) =>
      `<l:descriptiveMetadata xml:lang="${lang}"><l:objectClassificationWrap><l:objectWorkTypeWrap><l:objectWorkType>
      <l:conceptID>http://things.example/chest</l:conceptID><l:term>${words[0]}</l:term></l:objectWorkType></l:objectWorkTypeWrap></l:objectClassificationWrap>
      <l:objectIdentificationWrap><l:titleWrap><l:titleSet><l:appellationValue>${words[0]} 1</l:appellationValue></l:titleSet></l:titleWrap></l:objectIdentificationWrap>
      <l:eventWrap>${event(
        "Herstellung",
        `${actor("Ada Holm", `<l:term>${words[1]}</l:term>`)}<l:eventDate><l:displayDate>${words[2]}</l:displayDate></l:eventDate>
      <l:eventDescriptionSet><l:descriptiveNoteValue>${words[3]}</l:descriptiveNoteValue></l:eventDescriptionSet>`,
      )}</l:eventWrap></l:descriptiveMetadata>`;
    const german = group("de", ["Truhe", "Tischlerin", "wohl um die Jahrhundertmitte", "Für eine Hochzeit."]);
    const english = group("en", ["chest", "joiner", "probably about mid-century", "For a wedding."]);
    const text = lido("L-1").replace(/<l:descriptiveMetadata.*<\/l:descriptiveMetadata>/s, german + english);
    const { done } = await run(wrap(text));
    expect(await made("L-1")).toMatchObject({
      object_name: [{ value: "Truhe" }],
      date_text: [
        { value: "wohl um die Jahrhundertmitte", lang: "de" },
        { value: "probably about mid-century", lang: "en" },
      ],
      production_note: [
        { value: "Für eine Hochzeit.", lang: "de" },
        { value: "For a wedding.", lang: "en" },
      ],
    });
    expect(await links()).toEqual(["L-1 created_by Ada Holm Tischlerin"]);
    expect(unread(done.outcomes[0]!.row)).toEqual({
      "descriptiveMetadata/objectClassificationWrap/objectWorkTypeWrap/objectWorkType/term": "chest",
      [`${ROLE}/term`]: "joiner",
    });
  });

  it("about who ordered or published a thing never makes them its makers", async () => {
    const roles = ["", "<l:term>Herzogin</l:term>", "<l:term>Auftraggeberin</l:term>"];
    const text = ["Auftrag", "Herausgabe"].flatMap((type) =>
      roles.map((role) => lido(`M-${type}-${role.length}`, event(type, actor("Dora Lenz", role)))),
    );
    await run(wrap(...text));
    const all = await room.services.sql<{ metadata: Metadata }[]>`select metadata from relations`;
    expect(all).toHaveLength(6);
    expect(all.filter(({ metadata }) => isMaker(metadata))).toEqual([]);
    await run(wrap(lido("M-1", event("Entwurf", actor("Dora Lenz", "<l:term>Zeichnerin</l:term>")))));
    const [drawn] = await room.services.sql<{ metadata: Metadata }[]>`
      select l.metadata from relations l join records r on r.id = l.from_id where r.idno = 'M-1'`;
    expect(isMaker(drawn!.metadata)).toBe(true);
  });

  it("about them in words for display is never the name of a creator, and is not lost", async () => {
    const display = "Auftrag der Abtei, vermittelt durch Bote K.";
    const abbey = (role: string) =>
      actor("Abtei Sankt Veit", role && `<l:term>${role}</l:term>`, { display });
    const inWords = `<l:eventActor><l:displayActorInRole>${display}</l:displayActorInRole></l:eventActor>`;
    const { done } = await run(
      wrap(
        lido("V-1", event("Beauftragung", abbey("Auftraggeberin"))),
        lido("V-2", event("Herausgabe", abbey(""))),
        lido("V-3", event("Beauftragung", inWords)),
        lido("V-4", event("Entwurf", abbey("Auftraggeberin"))),
        lido("V-5", event("Herstellung", abbey("Auftraggeberin"))),
        lido("V-6", event("Entwurf", abbey("Zeichnerin"))),
        lido("V-7", event("Herstellung", abbey(""))),
      ),
    );
    expect(done).toMatchObject({ created: 7, without: {} });
    const german = (value: string) => [{ value, lang: "de" }];
    const kept = { provenance: 0, production_note: 0, creator_text: 0 };
    const texts = async (idno: string) => {
      const all = Object.entries<{ value: string }[]>(await made(idno));
      return Object.fromEntries(all.filter(([name]) => name in kept));
    };
    expect(await texts("V-1")).toEqual({ provenance: german(`Beauftragung: ${display}`) });
    expect(await texts("V-2")).toEqual({ provenance: german(`Herausgabe: ${display}`) });
    expect(await texts("V-3")).toEqual({ provenance: german(`Beauftragung: ${display}`) });
    expect(await texts("V-4")).toEqual({ provenance: german(`Entwurf: ${display}`) });
    expect(await texts("V-5")).toEqual({ production_note: german(display) });
    for (const idno of ["V-6", "V-7"])
      expect(await texts(idno)).toEqual({ creator_text: [{ value: display }] });
  });

  const SHELF = new URL("../../../shared/data/lido/", import.meta.url);
  it.skipIf(!existsSync(SHELF))(
    "of published records is valid, and is in the catalogue or in the report",
    () => {
      for (const name of readdirSync(SHELF)) {
        const element = parsed(readFileSync(new URL(name, SHELF), "utf8"));
        const { mapped, unmapped = [], invalid } = readLido(known, element, "");
        expect(invalid).toEqual([]);
        const kept = wordsOf(JSON.stringify(mapped)).join(" ");
        const places = new Set(unmapped.map(([place]) => place));
        const lost = leaves(element).filter(
          ({ text, path }) => !places.has(path) && !kept.includes(wordsOf(text).join(" ")),
        );
        // what is left was understood: terms of vocabularies, types of events, dates
        for (const { path } of lost)
          expect(path).toMatch(
            /(term|genderActor|prefLabel|altLabel|(exact|close)Match|mappingRelation|conceptID|Date|display(MaterialsTech|ObjectMeasurements)|measurement(Type|Unit)|pos)$/i,
          );
      }
    },
  );
});

/** The texts of an element with their paths. */
function leaves(element: Element, path = ""): { text: string; path: string }[] {
  if (element.children.length === 0) return [{ text: element.textContent ?? "", path }];
  return element.children.flatMap((child) =>
    leaves(child, path ? `${path}/${child.localName}` : child.localName),
  );
}

const wrap = (...records: string[]): string =>
  `<l:lidoWrap xmlns:l="${LIDO}">\n${records.join("\n")}</l:lidoWrap>`;

const event = (type: string, more: string): string =>
  `<l:eventSet><l:event><l:eventType><l:term>${type}</l:term></l:eventType>${more}</l:event></l:eventSet>`;

/** A valid record. */
const lido = (number: string, events = ""): string => `<l:lido><l:lidoRecID>${number}</l:lidoRecID>
  <l:descriptiveMetadata xml:lang="de"><l:objectClassificationWrap><l:objectWorkTypeWrap><l:objectWorkType><l:term>Krug</l:term></l:objectWorkType></l:objectWorkTypeWrap></l:objectClassificationWrap>
  <l:objectIdentificationWrap><l:titleWrap><l:titleSet><l:appellationValue>Krug ${number}</l:appellationValue></l:titleSet></l:titleWrap></l:objectIdentificationWrap>
  ${events && `<l:eventWrap>${events}</l:eventWrap>`}</l:descriptiveMetadata>
  <l:administrativeMetadata xml:lang="de"><l:recordWrap><l:recordID>${number}</l:recordID><l:recordType><l:term>item</l:term></l:recordType>
  <l:recordSource><l:legalBodyName><l:appellationValue>Museum am Ufer</l:appellationValue></l:legalBodyName></l:recordSource></l:recordWrap></l:administrativeMetadata></l:lido>`;
