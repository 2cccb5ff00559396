/** The short names of classes and properties, and their IRIs. */
import type { Class, Property } from "./crm.ts";

export const PREFIXES = {
  crm: "http://www.cidoc-crm.org/cidoc-crm/",
  lrmoo: "http://iflastandards.info/ns/lrm/lrmoo/",
  dig: "http://www.ics.forth.gr/isl/CRMdig/",
  la: "https://linked.art/ns/terms/",
  dc: "http://purl.org/dc/elements/1.1/",
  dcterms: "http://purl.org/dc/terms/",
  edtf: "http://id.loc.gov/datatypes/edtf/",
  geo: "http://www.opengis.net/ont/geosparql#",
  owl: "http://www.w3.org/2002/07/owl#",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  skos: "http://www.w3.org/2004/02/skos/core#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
} as const;

/** Classes of CIDOC CRM and LRMoo have no prefix. */
export type ClassName = Class | "skos:Concept" | "dig:D1_Digital_Object" | "la:DigitalService";

export type Predicate =
  | Property
  | "rdf:type"
  | "rdfs:label"
  | "owl:sameAs"
  | "skos:prefLabel"
  | "skos:altLabel"
  | "skos:exactMatch"
  | "skos:broader"
  | "la:digitally_available_via"
  | "la:access_point"
  | "dc:format"
  | "dcterms:conformsTo";

export type Datatype = "xsd:dateTime" | "xsd:decimal" | "xsd:integer" | "geo:wktLiteral" | "edtf:EDTF";

/** The name with its prefix, for example `crm:P2_has_type`. */
export function prefixed(name: string): string {
  if (name.includes(":")) return name;
  return /^[FR]\d/.test(name) ? `lrmoo:${name}` : `crm:${name}`;
}

const iris = new Map<string, string>();

export function iriOf(name: ClassName | Predicate | Datatype): string {
  const known = iris.get(name);
  if (known) return known;
  const [prefix, local] = prefixed(name).split(":") as [keyof typeof PREFIXES, string];
  const iri = PREFIXES[prefix] + local;
  iris.set(name, iri);
  return iri;
}
