/** Attributions in LIDO: who is the maker, and who is only said to be. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { lidoReading } from "../../src/imports/lido/lido.ts";
import { createPreview } from "../../src/imports/report/preview.ts";
import { createReport } from "../../src/imports/report/report.ts";
import type { Metadata } from "../../src/records/record.ts";
import { importRoom } from "../support/museum/import-room.ts";
import { importText } from "../support/museum/importing.ts";
import { quickest } from "../support/museum/museum.ts";

type Said = {
  qualifier?: string;
  extent?: string;
  shown?: string;
  role?: string;
  name?: string;
  lang?: string;
};

/** `qualifier`, `extent`: elements as XML, or words. */
const actor = ({
  qualifier = "",
  extent = "",
  shown = "",
  role = "Maler",
  name = "Joris van Eck",
}: Said): string =>
  `<eventActor>${shown && `<displayActorInRole>${shown}</displayActorInRole>`}<actorInRole>
    <actor><nameActorSet><appellationValue>${name}</appellationValue></nameActorSet></actor>
    ${role && `<roleActor><term>${role}</term></roleActor>`}
    ${qualifier && `<attributionQualifierActor>${qualifier}</attributionQualifierActor>`}
    ${extent && `<extentActor>${extent}</extentActor>`}</actorInRole></eventActor>`;

const record = (
  number: string,
  actors: string,
  { lang = "de", event = "Herstellung" } = {},
): string => `<lido>
  <lidoRecID>${number}</lidoRecID><descriptiveMetadata xml:lang="${lang}"><objectIdentificationWrap><titleWrap><titleSet>
  <appellationValue>Bildnis ${number}</appellationValue></titleSet></titleWrap></objectIdentificationWrap>
  <eventWrap><eventSet><event><eventType><term>${event}</term></eventType>${actors}</event></eventSet></eventWrap>
  </descriptiveMetadata></lido>`;

describe("attributions in LIDO", () => {
  const room = importRoom(quickest);

  async function run(...records: string[]) {
    const text = `<lidoWrap xmlns="http://www.lido-schema.org" xmlns:skos="http://www.w3.org/2004/02/skos/core#">${records.join("\n")}</lidoWrap>`;
    const { mapping, ...reading } = await lidoReading(room.services, OPERATOR);
    const choices = { ...reading, autoPublish: true };
    return importText(room.services, text, mapping as Record<string, unknown>, choices);
  }

  /** The qualified links of each object: number → metadata without the role. */
  async function links(): Promise<Record<string, Metadata[]>> {
    const rows = await room.services.sql<{ idno: string; metadata: Metadata }[]>`
      select o.idno, l.metadata from relations l join records o on o.id = l.from_id
      where l.relation_type = 'created_by' order by o.idno, l.metadata ->> 'qualifier' nulls first`;
    const all: Record<string, Metadata[]> = {};
    for (const {
      idno,
      metadata: { role: _, ...others },
    } of rows)
      all[idno] = [...(all[idno] ?? []), others];
    return all;
  }
  const creators = async (idno: string) =>
    (await room.services.sql`select metadata -> 'creator_text' as text from records where idno = ${idno}`)[0]!
      .text;

  it("become terms by words in any language, whatever small words follow", async () => {
    const words: Record<string, readonly string[]> = {
      workshop_of: [
        "Werkstatt von",
        "Werkstatt des",
        "Werkstatt",
        "workshop of",
        "studio of",
        "Atelier de",
        "atelier d'",
        "workshop_of",
      ],
      circle_of: ["Umkreis", "Umkreis des", "circle of", "entourage de"],
      follower_of: ["Nachfolger", "Nachfolge des", "follower of", "suiveur de"],
      manner_of: ["in der Art des", "manner of", "à la manière de"],
      copy_after: ["Kopie nach", "copy after", "copie d’après", "Copie d'apres"],
      attributed_to: ["zugeschrieben", "Zugeschrieben an", "attributed to", "attribué à", "Zuschreibung"],
      possibly: ["vermutlich", "possibly", "peut-être", "vielleicht"],
      formerly_attributed_to: [
        "früher zugeschrieben",
        "ehemals zugeschrieben an",
        "formerly attributed to",
        "anciennement attribué à",
      ],
    };
    const all = Object.entries(words).flatMap(([term, each]) => each.map((word) => [term, word] as const));
    const done = await run(...all.map(([, word], n) => record(`A ${100 + n}`, actor({ qualifier: word }))));
    expect(done).toMatchObject({ created: all.length, without: {} });
    const found = await links();
    expect(all.map(([, word], n) => [word, found[`A ${100 + n}`]])).toEqual(
      all.map(([term, word]) => [word, [{ qualifier: [{ value: term }] }]]),
    );
  });

  it("are terms in concepts in several languages, and one attribution", async () => {
    const term = (lang: string, word: string) =>
      `<skos:prefLabel xml:lang="${lang}">${word}</skos:prefLabel>`;
    const concept = `<skos:Concept>${term("nl", "kring van")}${term("de", "Umkreis von")}</skos:Concept>`;
    await run(record("C 1", actor({ qualifier: concept })));
    expect((await links())["C 1"]).toEqual([{ qualifier: [{ value: "circle_of" }] }]);
  });

  it("keep words that no term has, with their language, and concepts of which only the address is known", async () => {
    const done = await run(
      record("W 1", actor({ qualifier: "Werkstatt oder Umkreis des" })),
      record("W 2", actor({ qualifier: "Schule des", shown: "Schule des Joris van Eck (Maler)" }), {
        lang: "en",
      }),
      record("W 3", actor({ qualifier: "<conceptID>http://vocab.example/pupil</conceptID>" })),
    );
    expect(await links()).toEqual({
      "W 1": [{ qualifier_text: [{ value: "Werkstatt oder Umkreis des", lang: "de" }] }],
      "W 2": [{ qualifier_text: [{ value: "Schule des", lang: "en" }] }],
      "W 3": [{ qualifier_text: [{ value: "http://vocab.example/pupil", lang: "de" }] }],
    });
    const report = createReport({ kind: "object", unit: "record", dryRun: false });
    report.take(done.outcomes);
    expect(report.json(done).qualifier_texts).toMatchObject([
      { value: "Werkstatt oder Umkreis des", count: 1 },
      { value: "Schule des", count: 1 },
      { value: "http://vocab.example/pupil", count: 1 },
    ]);
    const preview = createPreview({ kind: "object", unit: "record" });
    preview.take(done.outcomes);
    expect(preview.json().attributions).toHaveLength(3);
  });

  it("keep the words or the first number of an unknown concept, and the report has its other numbers", async () => {
    const id = (text: string) => `<conceptID>${text}</conceptID>`;
    const done = await run(
      record("I 1", actor({ qualifier: `${id("P7")}<term>Schule des</term>` })),
      record("I 2", actor({ qualifier: id("P7") + id("http://vocab.example/pupil") })),
      record("I 3", actor({ qualifier: id("P7") + id("P8") })),
      record("I 4", actor({ qualifier: `${id("")}<term/>` })),
    );
    const words = (value: string) => [{ qualifier_text: [{ value, lang: "de" }] }];
    expect(await links()).toEqual({
      "I 1": words("Schule des"),
      "I 2": words("http://vocab.example/pupil"),
      "I 3": words("P7"),
      "I 4": [{}],
    });
    const report = createReport({ kind: "object", unit: "record", dryRun: false });
    report.take(done.outcomes);
    const path =
      "descriptiveMetadata/eventWrap/eventSet/event/eventActor/actorInRole/attributionQualifierActor";
    expect(report.json(done)).toMatchObject({ unmapped: { [`${path}/conceptID`]: 3 } });
  });

  it("are read from the text for display, if it says them before or behind the name", async () => {
    await run(
      record("D 1", actor({ shown: "Werkstatt von Joris van Eck (Maler)" })),
      record("D 2", actor({ shown: "Joris van Eck (zugeschrieben), Maler" })),
      record("D 3", actor({ shown: "Kopie nach Joris van Eck", name: "Eck, Joris van" })),
      record("D 4", actor({ shown: "Schüler des Joris van Eck" })),
      record("D 5", actor({ shown: "nach Joris van Eck (Maler)" })),
      record("D 6", actor({ shown: "früher Joris van Eck zugeschrieben" })),
    );
    expect(await links()).toEqual({
      "D 1": [{ qualifier: [{ value: "workshop_of" }] }],
      "D 2": [{ qualifier: [{ value: "attributed_to" }] }],
      "D 3": [{ qualifier: [{ value: "copy_after" }] }],
      "D 4": [{ qualifier_text: [{ value: "Schüler des", lang: "de" }] }],
      "D 5": [{ qualifier_text: [{ value: "nach", lang: "de" }] }],
      "D 6": [{ qualifier: [{ value: "formerly_attributed_to" }] }],
    });
    for (const idno of ["D 1", "D 6"]) expect(await creators(idno)).toBeNull();
  });

  it("never make a plain maker into another, and no words are lost", async () => {
    await run(
      record("P 1", actor({ shown: "Joris van Eck (Maler)" })),
      record("P 2", actor({ shown: "Maler: Joris van Eck" })),
      record("P 3", actor({ shown: "gemalt von Joris van Eck" })),
      record("P 4", actor({ shown: "Meister Joris van Eck, Bürger von Gent" })),
      record("P 5", actor({ shown: "van Eck und Gesellen" })),
      record("P 6", actor({ extent: "Figuren" })),
    );
    expect(Object.values(await links())).toEqual(Array.from({ length: 6 }, () => [{}]));
    expect(await creators("P 1")).toBeNull();
    expect(await creators("P 2")).toBeNull();
    expect(await creators("P 4")).toMatchObject([{ value: "Meister Joris van Eck, Bürger von Gent" }]);
    expect(await creators("P 5")).toMatchObject([{ value: "van Eck und Gesellen" }]);
    const [link] = await room.services.sql<{ metadata: Metadata }[]>`
      select l.metadata from relations l join records o on o.id = l.from_id where o.idno = 'P 6'`;
    expect(link!.metadata).toEqual({ role: [{ value: "Maler" }, { value: "Figuren" }] });
  });

  it("are terms without the place that their names have for the maker", async () => {
    await room.services.sql`
      insert into vocabulary_terms (vocabulary, value, label)
      values ('attribution_qualifier', 'after_design', '{"de": "nach einem Entwurf … gefertigt"}')`;
    await run(
      record("Q 1", actor({ qualifier: "nach einem Entwurf gefertigt" })),
      record("Q 2", actor({ qualifier: "nach einem Entwurf … gefertigt" })),
    );
    const term = [{ qualifier: [{ value: "after_design" }] }];
    expect(await links()).toEqual({ "Q 1": term, "Q 2": term });
  });

  it("of our own exports are a term, words, or both", async () => {
    const term = `<term encodinganalog="qualifier" xml:lang="en">workshop of</term><term xml:lang="de">Werkstatt von</term>`;
    const words = `<term encodinganalog="qualifier_text" xml:lang="de">Werkstatt von</term><term xml:lang="en">his shop,</term>`;
    const both = `${term}</attributionQualifierActor><attributionQualifierActor>${words}`;
    const text = [
      { value: "Werkstatt von", lang: "de" },
      { value: "his shop,", lang: "en" },
    ];
    const own = (xml: string) =>
      xml
        .replaceAll("encodinganalog", "l:encodinganalog")
        .replace("<lido>", '<lido xmlns:l="http://www.lido-schema.org">');
    await run(
      own(record("O 1", actor({ qualifier: term }))),
      own(record("O 2", actor({ qualifier: words }))),
      own(record("O 3", actor({ qualifier: both }))),
    );
    expect(await links()).toEqual({
      "O 1": [{ qualifier: [{ value: "workshop_of" }] }],
      "O 2": [{ qualifier_text: text }],
      "O 3": [{ qualifier: [{ value: "workshop_of" }], qualifier_text: text }],
    });
  });

  it("of one person are several links, and doubled by no second import", async () => {
    const both = record(
      "B 1",
      actor({}) + actor({ qualifier: "Werkstatt" }) + actor({ qualifier: "Werkstatt", role: "Zeichner" }),
    );
    await run(both);
    const text = { "B 1": [{}, { qualifier: [{ value: "workshop_of" }] }] };
    expect(await links()).toEqual(text);
    await run(both);
    expect(await links()).toEqual(text);
  });

  it("of people who made nothing are in the report, not in the link", async () => {
    const done = await run(
      record("N 1", actor({ qualifier: "zugeschrieben", role: "Besitzer" }), { event: "Besitz" }),
    );
    expect(done).toMatchObject({ created: 1, without: {} });
    expect(done.outcomes[0]!.row.unmapped!.map(([place]) => place)).toContain(
      "descriptiveMetadata/eventWrap/eventSet/event/eventActor/actorInRole/attributionQualifierActor",
    );
  });

  const CASE = new URL("../../../shared/data/cases/08-lido-attribution.xml", import.meta.url);
  it.skipIf(!existsSync(CASE))("of a workshop's piece, a copy and an ascription are kept", async () => {
    const { mapping, ...reading } = await lidoReading(room.services, OPERATOR);
    await importText(room.services, readFileSync(CASE, "utf8"), mapping as Record<string, unknown>, reading);
    expect(await links()).toEqual({
      "Q-1": [{ qualifier: [{ value: "workshop_of" }] }],
      "Q-2": [{ qualifier: [{ value: "copy_after" }] }],
      "Q-3": [{ qualifier: [{ value: "attributed_to" }] }],
      "Q-4": [{}],
    });
  });
});
