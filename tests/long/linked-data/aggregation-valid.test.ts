/**
 * What aggregators check beyond the schemas: the Schematron rules in the XSDs of EDM, and whole files of LIDO, with data of
 * real museums if it is beside the checkout. CONFORMANCE_SCHEMAS says where the schemas are.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import fontoxpath from "fontoxpath";
import { type Document, type Element, parseXmlDocument } from "slimdom";
import { beforeAll, describe, expect, it } from "vitest";
import { edmOf } from "../../../src/formats/edm/edm.ts";
import { lidoOf } from "../../../src/formats/lido/lido.ts";
import { viewsOf } from "../../../src/formats/view.ts";
import { isForEuropeana, rightsIn } from "../../../src/vocabularies/rights.ts";
import { document } from "../../../src/xml.ts";
import type { JobInput } from "../../../workers/job-kind.ts";
import { KIND_WORK } from "../../../workers/job-kinds.ts";
import { importText } from "../../support/museum/importing.ts";
import { museumHere, quickest } from "../../support/museum/museum.ts";

const SHELF = fileURLToPath(new URL("../../../../shared/", import.meta.url));
const SCHEMAS = process.env.CONFORMANCE_SCHEMAS ?? join(SHELF, "schemas");
const EDM = join(SCHEMAS, "edm/src/main/resources/schema_xsds");
const LIDO = join(SCHEMAS, "lido/lido-v1.1.xsd");
const ROWS = 400;

const museum = await museumHere({ demo: "with media", database: quickest });
beforeAll(async () => {
  for (const name of ["teenie/teenie", "wcma/objects"]) {
    const path = join(SHELF, "data", `${name}.csv`);
    if (!existsSync(path)) continue;
    const recipe = new URL(`../../../docs/examples/${name}.mapping.json`, import.meta.url);
    // quoted cells contain line ends, so this may cut a record, which is then refused
    const text = readFileSync(path, "utf8").split("\n").slice(0, ROWS).join("\n");
    await importText(museum.services, text, JSON.parse(readFileSync(recipe, "utf8")), { autoPublish: true });
  }
}, 120_000);

async function views() {
  const rows = await museum.services.sql<{ id: string }[]>`
    select id from records where record_type = 'object' and status = 'public'`;
  return viewsOf(
    museum.services,
    rows.map(({ id }) => id),
  );
}

type Rule = { context: string; asserts: { test: string; message: string }[] };

/** The Schematron rules (ISO 19757-3) in the annotations of these schemas, and their prefixes. */
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
          // XPath 1.0, in which these rules are written, takes the first of several nodes
          test: each
            .getAttribute("test")!
            .replace(/normalize-space\s*\(([\w:]+)\)/g, "normalize-space($1[1])"),
          message: (each.textContent ?? "").replace(/\s+/g, " ").trim(),
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
  /** A function of the aggregator, whose style sheet has it as a list of patterns. */
  const isOwn = (test: string) => test.includes("isValidRightsField");
  const patterns = [
    ...readFileSync(join(EDM, "schematron/schematron.xsl"), "utf8").matchAll(/<pattern\s+value="([^"]+)"/g),
  ].map(([, text]) => new RegExp(text!));

  function faultsOf(text: string): string[] {
    const doc = parseXmlDocument(text);
    const found: string[] = [];
    for (const { context, asserts } of rules)
      for (const node of fontoxpath.evaluateXPathToNodes(`//${context}`, doc, null, null, options))
        for (const { test, message } of asserts)
          if (!isOwn(test) && !fontoxpath.evaluateXPathToBoolean(test, node, null, null, options))
            found.push(message);
    const rights = fontoxpath.evaluateXPathToStrings("//edm:rights/@rdf:resource", doc, null, null, options);
    for (const each of rights)
      if (!patterns.some((pattern) => pattern.test(each))) found.push(`rights ${each}`);
    const once = ["count(//edm:ProvidedCHO) = 1", "count(//ore:Aggregation) = 1"];
    for (const test of once)
      if (!fontoxpath.evaluateXPathToBoolean(test, doc, null, null, options)) found.push(test);
    return found;
  }

  it("follows its Schematron rules, for every public object", async () => {
    expect(rules.flatMap(({ asserts }) => asserts).length).toBeGreaterThan(15);
    expect(patterns.length).toBeGreaterThan(5);
    const all = await views();
    expect(all.length).toBeGreaterThan(80);
    // the aggregator check reports statements that Europeana does not accept
    const isReported = (fault: string) => {
      const rights = fault.startsWith("rights ") ? rightsIn(fault.slice(7)) : null;
      return rights !== null && !isForEuropeana(rights);
    };
    const faults = all.flatMap((view) =>
      faultsOf(document(edmOf(view)))
        .filter((fault) => !isReported(fault))
        .map((fault) => `${view.record.row.idno}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it("is refused by these rules if it breaks them", async () => {
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
  it("is valid in the nightly file, and as a single record", async () => {
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
      // reports faults on stderr, and ends with another exit code
      execFileSync("xmllint", ["--nonet", "--noout", "--schema", LIDO, path], { stdio: "pipe" });
    }
  }, 120_000);
});
