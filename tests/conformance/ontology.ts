/** CIDOC CRM and LRMoo: the list by which tests check exports equals the published RDFS. */
import { existsSync, readFileSync } from "node:fs";
import { readOntology } from "../support/ontology.ts";
import type { Findings } from "./findings.ts";

const FILES = ["cidoc/cidoc_crm_v7.1.3.rdf", "cidoc/LRMoo_v1.1.1.rdf"];

export function checkOntology(schemas: URL, findings: Findings): void {
  const files = FILES.map((name) => new URL(name, schemas));
  const missing = files.find((file) => !existsSync(file));
  if (missing) {
    findings.notChecked("CIDOC CRM and LRMoo", `there is no ${missing.pathname}`);
    return;
  }
  const published = files.flatMap((file) => [...statementsOf(readFileSync(file, "utf8"))]);
  const { classes, properties } = readOntology();
  const known = [
    ...[...classes].flatMap(([name, above]) => [name, ...above.map((each) => `${name} subClassOf ${each}`)]),
    ...[...properties].flatMap(([name, [domain, range]]) => [
      name,
      `${name} domain ${domain}`,
      `${name} range ${range}`,
    ]),
  ];
  findings.judged(
    `${published.length} statements of CIDOC CRM 7.1.3 and LRMoo 1.1.1 against the list of the tests`,
    [
      ...published.filter((each) => !known.includes(each)).map((each) => `the list lacks: ${each}`),
      ...known.filter((each) => !published.includes(each)).map((each) => `nowhere published: ${each}`),
    ],
  );
}

const local = (iri: string): string => iri.slice(iri.search(/[^/#]*$/));

function* statementsOf(text: string): Iterable<string> {
  const described = /<(rdfs:Class|rdf:Property) rdf:about="([^"]+)">([\s\S]*?)<\/\1>/g;
  for (const [, , about, body] of text.matchAll(described)) {
    const name = local(about!);
    yield name;
    for (const [, what, other] of body!.matchAll(/<rdfs:(subClassOf|domain|range) rdf:resource="([^"]+)"/g)) {
      yield `${name} ${what} ${local(other!)}`;
    }
  }
}
