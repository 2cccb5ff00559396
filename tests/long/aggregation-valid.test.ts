/**
 * What aggregators check and the schemas do not: the Schematron rules of EDM, as they stand in its XSDs; and whole files of
 * LIDO, with the data of real museums where they lie beside the checkout. CONFORMANCE_SCHEMAS: where the schemas are.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import fontoxpath from "fontoxpath";
import { type Document, type Element, parseXmlDocument } from "slimdom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { edmOf } from "../../src/aggregation/edm.ts";
import { lidoOf } from "../../src/aggregation/lido.ts";
import { EUROPEANA_STATEMENT } from "../../src/aggregation/rights.ts";
import { viewsOf } from "../../src/aggregation/view.ts";
import { document } from "../../src/xml.ts";
import type { JobInput } from "../../workers/job-kind.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { importText } from "../support/importing.ts";
import { type Museum, openMuseum, quickest } from "../support/museum.ts";

const SHELF = fileURLToPath(new URL("../../../shared/", import.meta.url));
const SCHEMAS = process.env.CONFORMANCE_SCHEMAS ?? join(SHELF, "schemas");
const EDM = join(SCHEMAS, "edm/src/main/resources/schema_xsds");
const LIDO = join(SCHEMAS, "lido/lido-v1.1.xsd");
const ROWS = 400;
const TAKEN = new RegExp(EUROPEANA_STATEMENT, "i");

let museum: Museum;
beforeAll(async () => {
  museum = await openMuseum({ demo: "with media", database: quickest });
  for (const name of ["teenie/teenie", "wcma/objects"]) {
    const path = join(SHELF, "data", `${name}.csv`);
    if (!existsSync(path)) continue;
    const recipe = new URL(`../../docs/examples/${name}.mapping.json`, import.meta.url);
    // quoted cells have line ends, so a cut may fall into a record, which is refused
    const text = readFileSync(path, "utf8").split("\n").slice(0, ROWS).join("\n");
    await importText(museum.services, text, JSON.parse(readFileSync(recipe, "utf8")), { autoPublish: true });
  }
}, 120_000);
afterAll(() => museum.close());

async function views() {
  const rows = await museum.services.sql<{ id: string }[]>`
    select id from records where record_type = 'object' and status = 'public'`;
  return viewsOf(
    museum.services,
    rows.map(({ id }) => id),
  );
}

type Rule = { context: string; asserts: { test: string; told: string }[] };

/** The rules that stand in the annotations of these schemas (ISO 19757-3), and their prefixes. */
function readRules(files: readonly string[]): { rules: Rule[]; prefixes: Map<string, string> } {
  const rules: Rule[] = [];
  const prefixes = new Map<string, string>();
  for (const file of files) {
    const schema = parseXmlDocument(readFileSync(join(EDM, file), "utf8"));
    const named = (element: Document | Element, name: string) =>
      fontoxpath.evaluateXPathToNodes(`.//*:${name}`, element) as unknown as Element[];
    for (const ns of named(schema, "ns")) prefixes.set(ns.getAttribute("prefix")!, ns.getAttribute("uri")!);
    for (const rule of named(schema, "rule"))
      rules.push({
        context: rule.getAttribute("context")!,
        asserts: named(rule, "assert").map((each) => ({
          // of several nodes XPath 1.0 takes the first, of which these rules are written
          test: each
            .getAttribute("test")!
            .replace(/normalize-space\s*\(([\w:]+)\)/g, "normalize-space($1[1])"),
          told: (each.textContent ?? "").replace(/\s+/g, " ").trim(),
        })),
      });
  }
  return { rules, prefixes };
}

describe.runIf(existsSync(EDM))("EDM", () => {
  const { rules, prefixes } = readRules([
    ...["EDM-EXTERNAL-MAIN.xsd", "EDM-COMMON-MAIN.xsd", "CONTEXTS.xsd", "RDF.xsd", "ORE.xsd"],
  ]);
  const options = {
    namespaceResolver: (prefix: string) => (prefix === "xml" ? XML : (prefixes.get(prefix) ?? null)),
  };
  const XML = "http://www.w3.org/XML/1998/namespace";
  /** A function of its own, which the aggregator's style sheet has as a list of patterns. */
  const isOwn = (test: string) => test.includes("isValidRightsField");
  const patterns = [
    ...readFileSync(join(EDM, "schematron/schematron.xsl"), "utf8").matchAll(/<pattern\s+value="([^"]+)"/g),
  ].map(([, text]) => new RegExp(text!));

  function faultsOf(text: string): string[] {
    const doc = parseXmlDocument(text);
    const found: string[] = [];
    for (const { context, asserts } of rules)
      for (const node of fontoxpath.evaluateXPathToNodes(`//${context}`, doc, null, null, options))
        for (const { test, told } of asserts)
          if (!isOwn(test) && !fontoxpath.evaluateXPathToBoolean(test, node, null, null, options))
            found.push(told);
    const rights = fontoxpath.evaluateXPathToStrings("//edm:rights/@rdf:resource", doc, null, null, options);
    for (const each of rights)
      if (!patterns.some((pattern) => pattern.test(each))) found.push(`rights ${each}`);
    const once = ["count(//edm:ProvidedCHO) = 1", "count(//ore:Aggregation) = 1"];
    for (const test of once)
      if (!fontoxpath.evaluateXPathToBoolean(test, doc, null, null, options)) found.push(test);
    return found;
  }

  it("keeps the rules of its Schematron, for every public object", async () => {
    expect(rules.flatMap(({ asserts }) => asserts).length).toBeGreaterThan(15);
    expect(patterns.length).toBeGreaterThan(5);
    const all = await views();
    expect(all.length).toBeGreaterThan(80);
    // the check for aggregators tells of statements that Europeana does not take
    const isTold = (fault: string) => fault.startsWith("rights ") && !TAKEN.test(fault.slice(7));
    const faults = all.flatMap((view) =>
      faultsOf(document(edmOf(view)))
        .filter((fault) => !isTold(fault))
        .map((fault) => `${view.record.row.idno}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it("is told from what does not keep them", async () => {
    const [view] = await views();
    const text = document(edmOf(view!));
    for (const [from, to, fault] of [
      [/<edm:dataProvider[\s\S]*?<\/edm:dataProvider>/, "", "edm:dataProvider"],
      [/<edm:isShown(By|At)[^>]*>/g, "", "edm:isShownAt or edm:isShownBy"],
      [
        /<edm:rights rdf:resource="[^"]*"/g,
        '<edm:rights rdf:resource="http://rights.example/"',
        "rights http",
      ],
      [/<(dc:(?:title|description))\b[^>]*>[\s\S]*?<\/\1>/g, "", "dc:title"],
    ] as const) {
      const broken = text.replace(from, to);
      expect(broken, String(from)).not.toBe(text);
      expect(faultsOf(broken).join(), fault).toContain(fault);
    }
  });
});

describe.runIf(existsSync(LIDO))("LIDO", () => {
  it("of the nightly file, and of a few records in one, is valid", async () => {
    await KIND_WORK.dump.run({
      services: museum.services,
      report: async () => undefined,
    } as unknown as JobInput);
    const packed = await museum.ask("/dumps/objects.lido.xml.gz");
    expect(packed.status).toBe(200);
    const files = {
      dump: gunzipSync(Buffer.from(await packed.arrayBuffer())).toString("utf8"),
      one: document(lidoOf((await views())[0]!)),
    };
    expect(files.dump.match(/<lido:lido[ >]/g)!.length).toBe((await views()).length);
    for (const [name, text] of Object.entries(files)) {
      const path = join(museum.dataDir, `${name}.xml`);
      writeFileSync(path, text);
      // says what is wrong on stderr, and ends with another code
      execFileSync("xmllint", ["--nonet", "--noout", "--schema", LIDO, path], { stdio: "pipe" });
    }
  }, 120_000);
});
