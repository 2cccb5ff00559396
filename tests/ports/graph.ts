/** What every adapter of the port `graph` must do. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GraphQuery, Graphs } from "../../src/services.ts";

export type OpenedGraphs = { graphs: Graphs; close(): Promise<void> };

/** In order. */
const [FIRST, SECOND, THIRD] = ["1", "2", "3"].map((n) => `00000000-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const named = (id: string) => `urn:svc:graph:object:${id}`;
const graphOf = (id: string, title: string) => ({
  name: named(id),
  triples: `<http://museum.example/${id}> <http://purl.org/dc/terms/title> ${title} .\n`,
});
const nothing = (id: string) => ({ name: named(id), triples: "" });

/** A query of the default graph, which is the union of all graphs. */
export const query = (text: string, more: Partial<GraphQuery> = {}): GraphQuery => ({
  text,
  base: "http://museum.example/sparql",
  type: "application/sparql-results+json",
  defaultGraphs: [],
  namedGraphs: [],
  union: true,
  ...more,
});

export async function answered(
  graphs: Graphs,
  asked: GraphQuery,
  until: AbortSignal = NEVER,
): Promise<string> {
  const { content, over } = await graphs.query(asked, until);
  const text = await new Response(content).text();
  await over;
  return text;
}
export const NEVER: AbortSignal = new AbortController().signal;

/** The values found, row by row. */
export async function found(graphs: Graphs, text: string, more: Partial<GraphQuery> = {}): Promise<string[]> {
  const { results } = JSON.parse(await answered(graphs, query(text, more))) as {
    results: { bindings: Record<string, { value: string }>[] };
  };
  return results.bindings.flatMap((row) => Object.values(row).map(({ value }) => value)).sort();
}

/** Makes billions of rows out of a handful. */
export const ENDLESS =
  "SELECT (COUNT(*) AS ?n) { VALUES ?a { 1 2 3 4 5 6 7 8 9 } VALUES ?b { 1 2 3 4 5 6 7 8 9 } VALUES ?c { 1 2 3 4 5 6 7 8 9 } " +
  "VALUES ?d { 1 2 3 4 5 6 7 8 9 } VALUES ?e { 1 2 3 4 5 6 7 8 9 } VALUES ?f { 1 2 3 4 5 6 7 8 9 } " +
  "VALUES ?g { 1 2 3 4 5 6 7 8 9 } VALUES ?h { 1 2 3 4 5 6 7 8 9 } VALUES ?i { 1 2 3 4 5 6 7 8 9 } " +
  "VALUES ?j { 1 2 3 4 5 6 7 8 9 } VALUES ?k { 1 2 3 4 5 6 7 8 9 } FILTER(?a + ?b + ?c + ?d + ?e + ?f + ?g + ?h + ?i + ?j + ?k < 0) }";

const TITLES = "SELECT ?t { ?s <http://purl.org/dc/terms/title> ?t }";

export function graphExpectations(name: string, open: () => Promise<OpenedGraphs>): void {
  describe(`graphs: ${name}`, () => {
    let opened: OpenedGraphs;
    let graphs: Graphs;
    beforeAll(async () => {
      opened = await open();
      graphs = opened.graphs;
    });
    afterAll(() => opened.close());

    it("finds what was just stored, and nothing that was replaced", async () => {
      expect(await found(graphs, TITLES)).toEqual([]);
      await graphs.replace([graphOf(FIRST, '"Harbour"@en'), graphOf(SECOND, '"Figurehead"')]);
      expect(await found(graphs, TITLES)).toEqual(["Figurehead", "Harbour"]);
      await graphs.replace([graphOf(FIRST, '"Hafen"@de')]);
      expect(await found(graphs, TITLES)).toEqual(["Figurehead", "Hafen"]);
      await graphs.replace([nothing(FIRST), nothing(THIRD)]);
      expect(await found(graphs, TITLES)).toEqual(["Figurehead"]);
      await graphs.replace([graphOf(FIRST, '"Harbour"')]);
      expect(await found(graphs, TITLES)).toEqual(["Figurehead", "Harbour"]);
      await graphs.replace([]);
    });

    it("stores each record in its own graph, and lists the records in order", async () => {
      await graphs.replace([graphOf(THIRD, '"Third"'), graphOf(FIRST, '"First"'), nothing(SECOND)]);
      expect(await found(graphs, `SELECT ?t { GRAPH <${named(THIRD)}> { ?s ?p ?t } }`)).toEqual(["Third"]);
      expect(await found(graphs, "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }")).toEqual([
        named(FIRST),
        named(THIRD),
      ]);
      expect(await graphs.idsAfter(null, 10)).toEqual([FIRST, THIRD]);
      expect(await graphs.idsAfter(null, 1)).toEqual([FIRST]);
      expect(await graphs.idsAfter(FIRST, 10)).toEqual([THIRD]);
      expect(await graphs.idsAfter(THIRD, 10)).toEqual([]);
    });

    it("stores quotation marks, line breaks and every script unchanged", async () => {
      const title = 'Sie sagte "… \\u" .\n<x> } 船首像 \u{1F5FF}\t';
      const written = `${JSON.stringify(title)}@de`;
      await graphs.replace([graphOf(FIRST, written)]);
      expect(await found(graphs, `SELECT ?t { GRAPH <${named(FIRST)}> { ?s ?p ?t } }`)).toEqual([title]);
    });

    it("leaves out a graph that it cannot read, with what it had of it, and stores the others", async () => {
      await graphs.replace([graphOf(FIRST, '"Buoy"'), graphOf(SECOND, '"Buoy"')]);
      const unfit = await graphs.replace([
        graphOf(FIRST, '"Lantern"@2'),
        graphOf(SECOND, '"Lantern"'),
        graphOf(THIRD, "<http://museum.example/a b>"),
      ]);
      expect(unfit.map(({ name }) => name).sort()).toEqual([named(FIRST), named(THIRD)]);
      for (const { reason } of unfit) expect(reason).toMatch(/\S/);
      expect(await found(graphs, TITLES)).toEqual(["Lantern"]);
      expect(await graphs.idsAfter(null, 10)).toEqual([SECOND]);
    });

    it("queries the graphs that the request or the query names", async () => {
      await graphs.replace([
        graphOf(FIRST, '"First"'),
        graphOf(SECOND, '"Second"'),
        graphOf(THIRD, '"Third"'),
      ]);
      const all = "SELECT ?t { { ?s ?p ?t } UNION { GRAPH ?g { ?s ?p ?t } } }";
      const chosen = { defaultGraphs: [named(FIRST)], namedGraphs: [named(THIRD)], union: false };
      expect(await found(graphs, all, chosen)).toEqual(["First", "Third"]);
      const from = `SELECT ?t FROM <${named(SECOND)}> { ?s ?p ?t }`;
      expect(await found(graphs, from, { union: false })).toEqual(["Second"]);
    });

    it("explains what is wrong with a query, and changes nothing", async () => {
      for (const text of ["SELECT", "SELECT * { ?s ?p", "DROP ALL", "INSERT DATA { <a:a> <a:b> <a:c> }", ""])
        await expect(answered(graphs, query(text)), text).rejects.toMatchObject({ code: "malformed" });
      await expect(answered(graphs, query("SELECT * { ?s ?p"))).rejects.toThrow(/(1:|line 1, column )1\d/);
      expect(await found(graphs, TITLES)).toHaveLength(3);
    });

    it("is reachable", () => graphs.ping());
  });
}
