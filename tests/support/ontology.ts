/** Checks exports against the ontologies of CIDOC CRM and LRMoo: every class, every property, domain and range. */
import { readFileSync } from "node:fs";
import { Parser, type Quad } from "n3";
import { ROOT } from "./sources.ts";

export const FIXTURE = `${ROOT}tests/fixtures/cidoc-crm-7.1.3-lrmoo-1.1.1.txt`;

export type Ontology = {
  classes: ReadonlyMap<string, readonly string[]>;
  properties: ReadonlyMap<string, readonly [domain: string, range: string]>;
};

export function readOntology(text = readFileSync(FIXTURE, "utf8")): Ontology {
  const [, classes = "", properties = ""] = text.split("\n\n");
  const lines = (part: string) =>
    part
      .trim()
      .split("\n")
      .map((line) => line.split(":") as [string, string]);
  return {
    classes: new Map(lines(classes).map(([name, above]) => [name, above.split(" ").filter(Boolean)])),
    properties: new Map(
      lines(properties).map(([name, ends]) => [name, ends.trim().split(" > ") as [string, string]]),
    ),
  };
}

const OWN = /^http:\/\/(?:www\.cidoc-crm\.org\/cidoc-crm|iflastandards\.info\/ns\/lrm\/lrmoo)\/(.*)$/;
const RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/** The faults of a graph, in sentences; `met` collects the classes and properties that it uses. */
export function faultsOf(ontology: Ontology, quads: readonly Quad[], met: Set<string>): string[] {
  const types = new Map<string, string[]>();
  const faults: string[] = [];
  for (const { subject, predicate, object } of quads) {
    if (predicate.value !== RDF_TYPE) continue;
    const name = OWN.exec(object.value)?.[1];
    if (name === undefined) continue;
    met.add(name);
    if (!ontology.classes.has(name)) faults.push(`there is no class ${name}`);
    types.set(subject.value, [...(types.get(subject.value) ?? []), name]);
  }
  const isA = (iri: string, wanted: string): boolean =>
    (types.get(iri) ?? []).some((name) => isBelow(ontology, name, wanted));
  for (const { subject, predicate, object } of quads) {
    const name = OWN.exec(predicate.value)?.[1];
    if (name === undefined) continue;
    met.add(name);
    const [domain, range] = ontology.properties.get(name) ?? [];
    if (domain === undefined) faults.push(`there is no property ${name}`);
    else if (!isA(subject.value, domain)) {
      faults.push(
        `${name} leads from ${subject.value}, which is not a valid ${domain} but ${types.get(subject.value) ?? "nothing"}`,
      );
    } else if (range === "Literal" ? object.termType !== "Literal" : !isA(object.value, range!)) {
      faults.push(
        `${name} leads to ${object.value}, which is not a valid ${range} but ${types.get(object.value) ?? "nothing"}`,
      );
    }
  }
  return faults;
}

function isBelow(ontology: Ontology, name: string, wanted: string): boolean {
  return (
    name === wanted || (ontology.classes.get(name) ?? []).some((above) => isBelow(ontology, above, wanted))
  );
}

export const parsed = (text: string, format = "text/turtle"): Quad[] => new Parser({ format }).parse(text);
