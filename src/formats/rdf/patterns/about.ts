/** What all patterns share: the record, its graph, and nodes that several patterns write to. */
import { asIri } from "../../../iri.ts";
import { isLanguageTag } from "../../../language-tag.ts";
import {
  type LoadedRecord,
  labelsOf,
  type Neighbour,
  type Surroundings,
  type Term,
} from "../../../records/public/loaded.ts";
import type { Entry } from "../../../records/record.ts";
import type { Field, Labels } from "../../../records/schema.ts";
import { recordIri } from "../../iris.ts";
import { type Graph, text } from "../graph.ts";
import { classesOf } from "./classes.ts";
import { type Class, isA, type Property } from "./crm.ts";
import type { Concept } from "./getty.ts";

export type About = {
  graph: Graph;
  classes: readonly Class[];
  record: LoadedRecord;
  around: Surroundings;
};

/** English if there is one, else the first label. */
function bestLabel(labels: Labels, otherwise: string) {
  const lang = labels.en === undefined ? Object.keys(labels)[0] : "en";
  return lang === undefined ? text(otherwise) : text(labels[lang]!, lang);
}

/** Gives a node a type from a well-known thesaurus. */
export function classify({ graph }: About, node: string, { iri, label }: Concept): void {
  graph.add(node, "P2_has_type", graph.node(iri, "E55_Type"));
  graph.add(iri, "rdfs:label", text(label, "en"));
}

/** Gives a node the field as its type, so that values of different fields stay distinct. */
export function classifyByField({ graph, around }: About, node: string, field: Field): void {
  const iri = `${around.baseUrl}/v1/schemas/${field.record_type}/${field.name}`;
  graph.add(node, "P2_has_type", graph.node(iri, "E55_Type"));
  graph.add(iri, "rdfs:label", bestLabel(field.label, field.name));
}

/** Gives a node a subtype or relation type of this installation as its type. */
export function classifyBy({ graph, around }: About, node: string, path: string, labels: Labels): void {
  const iri = `${around.baseUrl}/v1/${path}`;
  graph.add(node, "P2_has_type", graph.node(iri, "E55_Type"));
  graph.add(iri, "rdfs:label", bestLabel(labels, path.slice(path.lastIndexOf("/") + 1)));
}

/**
 * A value as a concept. An address is the concept itself; a term of a vocabulary has its own node. Any other word gets a
 * node of this record only, since two records need not mean the same by a word.
 */
export function concept(
  about: About,
  vocabulary: string | null,
  { value, lang }: Entry,
  name: string,
  kind: Class = "E55_Type",
): string {
  const { graph, around } = about;
  const term = vocabulary === null ? undefined : around.term(vocabulary, value);
  if (term) return termNode(about, term, kind);
  const address = /^(https?|urn):/i.test(value) ? asIri(value) : null;
  if (address) return graph.node(address, kind);
  const node = graph.part(name, kind);
  graph.add(node, "rdfs:label", text(value, lang));
  return node;
}

function termNode({ graph, around }: About, term: Term, kind: Class): string {
  const write = ({ id, vocabulary, value, label, alt_label, uri }: Omit<Term, "broader">): string => {
    const iri = `${around.baseUrl}/v1/vocabularies/${vocabulary}/terms/${id}`;
    graph.node(iri, kind, "skos:Concept");
    graph.add(iri, "rdfs:label", bestLabel(label, value));
    for (const [lang, name] of Object.entries(label)) graph.add(iri, "skos:prefLabel", text(name, lang));
    for (const [lang, names] of Object.entries(alt_label))
      for (const name of names) graph.add(iri, "skos:altLabel", text(name, lang));
    const same = uri === null ? null : asIri(uri);
    if (same) graph.add(iri, "skos:exactMatch", same);
    return iri;
  };
  const iri = write(term);
  for (const above of term.broader) graph.add(iri, "skos:broader", write(above));
  return iri;
}

/** Adds the text of a name, title or note, in its language. */
export function content({ graph }: About, node: string, { value, lang }: Entry): void {
  graph.add(node, "P190_has_symbolic_content", text(value, lang));
  if (lang !== undefined && isLanguageTag(lang))
    graph.add(node, "P72_has_language", languageNode(graph, lang));
}

/** The Library of Congress has an address for each language of ISO 639-1. Private tags (`x-…`, `i-…`) stay whole. */
export function languageNode(graph: Graph, lang: string): string {
  const code = lang.toLowerCase().replace(/(?<=^[a-z]{2,8})-.*$/, "");
  const node =
    code.length === 2
      ? graph.node(`http://id.loc.gov/vocabulary/iso639-1/${code}`, "E56_Language")
      : graph.part(`language-${code}`, "E56_Language");
  graph.add(node, "rdfs:label", text(code));
  return node;
}

/** A mentioned record: its class and its name. Returns its IRI. */
export function mention({ graph, around }: About, neighbour: Neighbour, classes?: readonly Class[]): string {
  const { id, record_type, subtype, idno, names } = neighbour;
  const iri = recordIri(around.baseUrl, record_type, id);
  graph.node(iri, ...(classes ?? classesOf(around.schema, record_type, subtype)));
  const written = new Set<string>();
  for (const { value, lang } of labelsOf(names, idno)) {
    // a name that is the same in several languages is added once
    if (!written.has(value)) graph.add(iri, "rdfs:label", text(value, lang));
    written.add(value);
  }
  return iri;
}

/** Nodes of which a record has at most one, shared by all fields and relations about them: its events and its content. */
const EVENTS = {
  production: ["P108i_was_produced_by", "E12_Production"],
  acquisition: ["P24i_changed_ownership_through", "E8_Acquisition"],
  birth: ["P98i_was_born", "E67_Birth"],
  death: ["P100i_died_in", "E69_Death"],
  formation: ["P95i_was_formed_by", "E66_Formation"],
  dissolution: ["P99i_was_dissolved_by", "E68_Dissolution"],
  beginning: ["P92i_was_brought_into_existence_by", "E63_Beginning_of_Existence"],
  end: ["P93i_was_taken_out_of_existence_by", "E64_End_of_Existence"],
  "work-creation": ["R16i_was_created_by", "F27_Work_Creation"],
  "expression-creation": ["R17i_was_created_by", "F28_Expression_Creation"],
  "manifestation-creation": ["R24i_was_created_through", "F30_Manifestation_Creation"],
  content: ["P128_carries", "E73_Information_Object"],
} as const satisfies Record<string, readonly [Property, Class]>;

export type EventName = keyof typeof EVENTS;

export function eventOf({ graph }: About, name: EventName): string {
  const [property, kind] = EVENTS[name];
  const node = graph.part(name, kind);
  graph.add(graph.about, property, node);
  return node;
}

/** The event that creates a work, an expression or a manifestation; null for other classes. */
export function creationOf(classes: readonly Class[]): EventName | null {
  if (isA(classes, "F1_Work")) return "work-creation";
  if (isA(classes, "F2_Expression")) return "expression-creation";
  return isA(classes, "F3_Manifestation") ? "manifestation-creation" : null;
}
