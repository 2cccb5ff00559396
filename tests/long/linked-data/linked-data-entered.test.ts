/**
 * Linked data of what museums enter and import, character by character and record by record: valid and the same in every
 * format, or refused.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { OPERATOR } from "../../../src/caller.ts";
import { graphOf } from "../../../src/formats/rdf/map.ts";
import { CONTEXT_PATH, context } from "../../../src/formats/rdf/syntax/context.ts";
import { jsonLd } from "../../../src/formats/rdf/syntax/json-ld.ts";
import { nQuads } from "../../../src/formats/rdf/syntax/n-quads.ts";
import { turtle } from "../../../src/formats/rdf/syntax/turtle.ts";
import { lidoReading } from "../../../src/imports/lido/lido.ts";
import { loadPublic } from "../../../src/records/public/load.ts";
import {
  isRapperThere,
  ofJsonLd,
  ofTurtle,
  ofTurtleByRapper,
  RAPPER_MISSING,
} from "../../support/isomorphic.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { importRoom } from "../../support/museum/import-room.ts";
import { importText } from "../../support/museum/importing.ts";
import { museumHere, quickest } from "../../support/museum/museum.ts";
import { faultsOf, parsed, readOntology } from "../../support/ontology.ts";

/** Characters and strings, as they may occur inside a text or an address. */
const SIGNS = [
  ..." \"'<>\\{}|^`%#?&;=+[]()@:!*,~$/",
  ..."\t\n\r\0\u0001\u000b\u001f\u007f\u0085\u009f",
  ..."\u00a0\u00ad\u200b\u200e\u200f\u2028\u202e\u2066\ufeff\ufff9\ufffd\ufffe\uffff",
  ..."äשء日\u0301\u{1f3a8}\ue000\u{f0000}\u{1fffe}",
  "\ud83c",
  "\udfa8",
  "%zz",
  "%00",
  "\\u0022",
  "_:b",
  '"@en',
  '"^^<x>',
  "> <a:b> <a:c> .\n<a:d",
];

describe("a character that somebody enters", async () => {
  const museum = await museumHere({ database: quickest });
  const staff = await museum.as("superuser");

  /** The path of the record's export. Null if it was refused, after a check that the fault locates the value. */
  async function entered(kind: string, subtype: object, metadata_: object): Promise<string | null> {
    const answer = await staff(`/v1/${kind}`, { json: { status: "public", ...subtype, metadata_ } });
    const body = (await answer.json()) as { id: string; errors?: { pointer: string; detail: string }[] };
    if (answer.status === 201) return `/v1/${kind}/${body.id}/export`;
    expect([answer.status, body.errors?.[0]?.pointer]).toEqual([422, expect.stringContaining("/metadata_/")]);
    return null;
  }

  /** The record's Turtle, after a check by independent parsers that it is the same graph as its JSON-LD. */
  async function exported(path: string, sign: string): Promise<string> {
    const quoted = JSON.stringify(sign);
    const text = await (await museum.ask(`${path}?format=turtle`)).text();
    const lines = ofTurtle(text);
    if (isRapperThere) expect(ofTurtleByRapper(text), quoted).toEqual(lines);
    const json = await (await museum.ask(`${path}?format=jsonld`)).json();
    const at = (json as { "@context": string })["@context"];
    expect(await ofJsonLd(json as object, { [at]: context() }), quoted).toEqual(lines);
    return text;
  }

  it("in a text is unchanged, or refused", async () => {
    if (!isRapperThere) notTried(RAPPER_MISSING);
    const refused: string[] = [];
    for (const sign of SIGNS) {
      const title = `before${sign}behind`;
      const path = await entered(
        "objects",
        { object_type: "print" },
        {
          title: [{ value: title, lang: "en" }],
          description: [{ value: title }],
          material: [{ value: title }],
        },
      );
      if (path === null) {
        refused.push(sign);
        continue;
      }
      const values = parsed(await exported(path, sign)).map(({ object }) => object.value);
      expect(values, JSON.stringify(sign)).toContain(title);
    }
    // what XML does not allow
    expect(refused).toEqual(["\0", "\u0001", "\u000b", "\u001f", "\ufffe", "\uffff", "\ud83c", "\udfa8"]);
    const quads = await (await museum.ask("/v1/objects/export")).text();
    expect(new Set(parsed(quads, "N-Quads").map(({ graph }) => graph.value)).size).toBe(
      SIGNS.length - refused.length,
    );
  });

  it("in an address of an authority, a licence or a concept never makes an invalid address", async () => {
    for (const sign of SIGNS) {
      const uri = `https://d-nb.info/gnd/118${sign}540238`;
      const paths = [
        await entered(
          "entities",
          { entity_type: "person" },
          { name: [{ value: "Artemisia" }], gnd: [{ value: uri }] },
        ),
        await entered(
          "objects",
          { object_type: "print" },
          {
            title: [{ value: "Print" }],
            rights: [{ value: `http://rights.example/a${sign}b` }],
            material: [{ value: `http://terms.example/a${sign}b` }],
          },
        ),
      ];
      for (const path of paths) {
        if (path === null) continue;
        for (const { subject, object } of parsed(await exported(path, sign)))
          for (const { value } of [subject, object].filter(({ termType }) => termType === "NamedNode"))
            expect(URL.canParse(value) && !/[\s<>"{}|\\^`\p{Cc}\p{Cs}]/u.test(value), value).toBe(true);
      }
    }
  });
});

const SHELF = fileURLToPath(new URL("../../../../shared/data/", import.meta.url));
const RECORDS = 300;

describe("linked data of real museums' records", () => {
  const room = importRoom(quickest);
  const ontology = readOntology();

  async function expectSameInEveryFormat(least: number): Promise<void> {
    await room.services.sql`update records set status = 'public' where record_type <> 'storage_location'`;
    const rows = await room.services.sql<{ id: string }[]>`select id from records`;
    const { around, records } = await loadPublic(
      room.services,
      rows.map(({ id }) => id),
    );
    expect(records.length).toBeGreaterThan(least);
    const contexts = { [around.baseUrl + CONTEXT_PATH]: context() };
    const all: string[] = [];
    for (const record of records) {
      const graph = graphOf(around, record);
      const text = turtle(graph);
      const lines = ofTurtle(text);
      expect(ofTurtle(nQuads(graph)), record.row.idno).toEqual(lines);
      expect(await ofJsonLd(jsonLd(graph, around.baseUrl), contexts), record.row.idno).toEqual(lines);
      expect(faultsOf(ontology, parsed(text), new Set()), record.row.idno).toEqual([]);
      all.push(text);
    }
    if (!isRapperThere) return notTried(RAPPER_MISSING);
    expect(ofTurtleByRapper(all.join("\n"))).toEqual([...new Set(all.flatMap(ofTurtle))].sort());
  }

  for (const name of ["teenie/teenie", "wcma/objects"]) {
    const path = `${SHELF}${name}.csv`;
    it.skipIf(!existsSync(path))(`${name}.csv is the same graph in every format`, async () => {
      const recipe = `../../../docs/examples/${name}.mapping.json`;
      const mapping = JSON.parse(readFileSync(new URL(recipe, import.meta.url), "utf8"));
      // quoted cells contain line ends, so this may cut a record, which is then refused
      const text = readFileSync(path, "utf8").split("\n").slice(0, RECORDS).join("\n");
      await importText(room.services, text, mapping);
      await expectSameInEveryFormat(RECORDS / 3);
    });
  }

  it.skipIf(!existsSync(`${SHELF}lido`))("from LIDO is the same graph in every format", async () => {
    const { mapping, ...reading } = await lidoReading(room.services, OPERATOR);
    for (const name of readdirSync(`${SHELF}lido`).sort())
      await importText(room.services, readFileSync(`${SHELF}lido/${name}`), mapping as never, reading);
    await expectSameInEveryFormat(10);
  });
});
