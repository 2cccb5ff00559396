/** Every record of the demo museum as a graph in CIDOC CRM and LRMoo. */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { Graph } from "../../src/formats/rdf/graph.ts";
import { graphOf } from "../../src/formats/rdf/map.ts";
import { CLASSES, inverseOf, PROPERTIES, type Property } from "../../src/formats/rdf/patterns/crm.ts";
import { PATTERNS } from "../../src/formats/rdf/patterns/patterns.ts";
import { CONTEXT_PATH, context } from "../../src/formats/rdf/syntax/context.ts";
import { jsonLd } from "../../src/formats/rdf/syntax/json-ld.ts";
import { nQuads } from "../../src/formats/rdf/syntax/n-quads.ts";
import { turtle } from "../../src/formats/rdf/syntax/turtle.ts";
import { loadPublic } from "../../src/records/public/load.ts";
import { PAGE, REGENERATE, tables } from "../support/docs/linked-data-tables.ts";
import {
  isRapperThere,
  ofJsonLd,
  ofTurtle,
  ofTurtleByRapper,
  RAPPER_MISSING,
} from "../support/isomorphic.ts";
import { notTried } from "../support/lane/skipped.ts";
import { museumHere } from "../support/museum/museum.ts";
import { faultsOf, parsed, readOntology } from "../support/ontology.ts";

const BASE = "http://127.0.0.1:8000";
const ontology = readOntology();
/** The graphs, by the keys of the demo museum. */
const graphs = new Map<string, Graph>();

const museum = await museumHere({
  demo: true,
  env: { ARK_ENABLED: "true", ARK_NAAN: "12345" },
});
beforeAll(async () => {
  const keys = new Map([...museum.demo].map(([key, id]) => [id, key]));
  const { around, records } = await loadPublic(museum.services, [...keys.keys()]);
  for (const record of records) graphs.set(keys.get(record.row.id)!, graphOf(around, record));
});

describe("the graphs of the demo museum", () => {
  it("are those of all public records, and of no others", async () => {
    const [row] = await museum.services.sql<{ n: number }[]>`
      select count(*)::int as n from records where status = 'public'`;
    expect(graphs.size).toBe(row!.n);
    expect([...graphs.keys()].filter((key) => key.startsWith("loc-"))).toEqual([]);
  });

  it("use only classes and properties of CIDOC CRM and LRMoo, with the domains and ranges that those allow", () => {
    const used = new Set<string>();
    const faults = [...graphs].flatMap(([key, graph]) =>
      faultsOf(ontology, parsed(nQuads(graph), "N-Triples"), used).map((fault) => `${key}: ${fault}`),
    );
    expect(faults).toEqual([]);
    expect([...used]).toEqual(
      expect.arrayContaining([
        "F1_Work",
        "F5_Item",
        "R3_is_realised_in",
        "R4_embodies",
        "R7_exemplifies",
        "P62_depicts",
      ]),
    );
  });

  it("identify each record by its ARK, and declare its address the same", () => {
    for (const [key, { about, described }] of graphs) {
      const statements = described.get(`${about}#ark`)!;
      const [, content] = statements.find(([property]) => property === "P190_has_symbolic_content")!;
      const ark = (content as { value: string }).value;
      expect(ark, key).toMatch(/^ark:\/12345\/\w{8}$/);
      expect(described.get(about), key).toEqual(
        expect.arrayContaining([
          ["P1_is_identified_by", `${about}#ark`],
          ["owl:sameAs", `${BASE}/${ark}`],
        ]),
      );
    }
  });

  it("have an address for every node, and a path to each from the record", () => {
    for (const [key, graph] of graphs) {
      expect(nQuads(graph), key).not.toMatch(/_:/);
      expect(jsonLd(graph, BASE), key).not.toHaveProperty("@included");
    }
  });

  it("are the same in Turtle, N-Triples and JSON-LD", async () => {
    const contexts = { [BASE + CONTEXT_PATH]: context() };
    for (const [key, graph] of graphs) {
      const written = ofTurtle(turtle(graph));
      expect(written, key).toHaveLength([...graph.described.values()].flat().length);
      expect(ofTurtle(nQuads(graph)), key).toEqual(written);
      expect(await ofJsonLd(jsonLd(graph, BASE), contexts), key).toEqual(written);
    }
  });

  it("are read in the same way by another parser", () => {
    if (!isRapperThere) return notTried(RAPPER_MISSING);
    // one process for all graphs
    const all = [...graphs.values()];
    expect(ofTurtleByRapper(all.map((graph) => turtle(graph)).join("\n"))).toEqual(
      [...new Set(all.flatMap((graph) => ofTurtle(turtle(graph))))].sort(),
    );
  });

  it("are the same when they are made again", async () => {
    const ids = [...museum.demo.values()];
    const { around, records } = await loadPublic(museum.services, ids.toReversed());
    const again = records.map((record) => nQuads(graphOf(around, record)));
    expect(again).toEqual([...graphs.values()].map((graph) => nQuads(graph)));
  });
});

describe("the program's tables of CIDOC CRM and LRMoo", () => {
  it("agree with the ontologies", () => {
    expect(CLASSES).toEqual(Object.fromEntries(ontology.classes));
    const known = Object.keys(PROPERTIES).map((name) => [name, ontology.properties.get(name)]);
    expect(PROPERTIES).toEqual(Object.fromEntries(known));
  });

  it("have every inverse property with its domain and range exchanged", () => {
    const twoWays = (Object.keys(PROPERTIES) as Property[]).filter((name) => /^[PR]\d+i_/.test(name));
    for (const name of twoWays) {
      if (PROPERTIES[name][1] === "Literal") continue;
      expect(PROPERTIES[inverseOf(name)], name).toEqual(PROPERTIES[name].toReversed());
    }
  });
});

describe("docs/linked-data.md", () => {
  it("lists every pattern and every path", async () => {
    const page = await readFile(PAGE, "utf8");
    for (const table of Object.values(tables())) expect(page.includes(table), REGENERATE).toBe(true);
  });

  it("lists every pattern that the default schema uses", async () => {
    const named = await museum.services.sql<{ pattern: string }[]>`
      select distinct mapping ->> 'pattern' as pattern from schema_fields`;
    expect(named.map(({ pattern }) => pattern).filter((pattern) => !(pattern in PATTERNS))).toEqual([]);
  });
});
