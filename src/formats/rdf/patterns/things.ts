/** Patterns for fields about a thing: type, material, size, owner, language. */

import { isLanguageTag } from "../../../language-tag.ts";
import type { Entry } from "../../../records/record.ts";
import type { Field } from "../../../records/schema.ts";
import { rightsIri } from "../../../vocabularies/rights.ts";
import { text, typed } from "../graph.ts";
import { type About, classify, classifyByField, concept, eventOf, languageNode } from "./about.ts";
import { type Class, isA, type Property } from "./crm.ts";
import { DIMENSIONS, UNITS } from "./getty.ts";
import { type Pattern, partName } from "./pattern.ts";
import { statement } from "./texts.ts";

/** A pattern for values that are concepts. */
function concepts(property: Property, kind: Class, from?: "production" | "content"): Pattern["write"] {
  return (about, field, entries) => {
    const subject = from === undefined ? about.graph.about : eventOf(about, from);
    entries.forEach((entry, index) => {
      about.graph.add(
        subject,
        property,
        concept(about, field.vocabulary, entry, partName(field, index), kind),
      );
    });
  };
}

/** Adds types together with their field: nationality and gender are both types of a person. */
function types(about: About, field: Field, entries: readonly Entry[]): void {
  entries.forEach((entry, index) => {
    const node = concept(about, field.vocabulary, entry, partName(field, index));
    about.graph.add(about.graph.about, "P2_has_type", node);
    classifyByField(about, node, field);
  });
}

function rights(about: About, field: Field, entries: readonly Entry[]): void {
  entries.forEach((entry, index) => {
    const term = field.vocabulary === null ? undefined : about.around.term(field.vocabulary, entry.value);
    const node = about.graph.node(
      rightsIri(entry.value) ?? `${about.graph.about}#${partName(field, index)}`,
      "E30_Right",
    );
    about.graph.add(about.graph.about, "P104_is_subject_to", node);
    const labels = Object.entries(term?.label ?? {});
    for (const [lang, label] of labels) about.graph.add(node, "rdfs:label", text(label, lang));
    if (labels.length === 0) about.graph.add(node, "rdfs:label", text(entry.value, entry.lang));
  });
}

/** A pattern for names of people and institutions without a record. */
function actors(property: Property, kind: Class): Pattern["write"] {
  return (about, field, entries) =>
    entries.forEach((entry, index) => {
      const node = about.graph.part(partName(field, index), kind);
      about.graph.add(about.graph.about, property, node);
      about.graph.add(node, "rdfs:label", text(entry.value, entry.lang));
    });
}

const MEASURED =
  /^(?<kind>\p{L}[\p{L} _-]{0,40}?)\s*[:=]?\s*(?<value>\d{1,12}(?:[.,]\d{1,6})?)\s*(?<unit>\p{L}{1,12})?\.?$/u;
/** `1,100` is a thousand and a hundred to some, and one and a tenth to others. */
const AMBIGUOUS = /^\d{1,3},\d{3}$/;

type Measured = { kind: string; value: string; unit?: string };

/** Reads `height: 62.5 cm`; null for other forms. */
export function readMeasured(text: string): Measured | null {
  const found = MEASURED.exec(text)?.groups;
  return found && !AMBIGUOUS.test(found.value!) ? (found as Measured) : null;
}

function measurements(about: About, field: Field, entries: readonly Entry[]): void {
  entries.forEach((entry, index) => {
    const found = readMeasured(entry.value);
    if (found) {
      dimension(about, { node: partName(field, index), label: entry.value }, found);
    } else statement(about, about.graph.about, field, { entry, index });
  });
}

function dimension(
  about: About,
  { node: name, label }: { node: string; label: string },
  found: Measured,
): void {
  const { graph } = about;
  const node = graph.part(name, "E54_Dimension");
  graph.add(graph.about, "P43_has_dimension", node);
  graph.add(node, "rdfs:label", text(label));
  const kind = DIMENSIONS.get(found.kind.toLowerCase());
  if (kind) classify(about, node, kind);
  else {
    const own = graph.part(`${name}-kind`, "E55_Type");
    graph.add(node, "P2_has_type", own);
    graph.add(own, "rdfs:label", text(found.kind));
  }
  graph.add(node, "P90_has_value", typed(found.value.replace(",", "."), "xsd:decimal"));
  if (found.unit === undefined) return;
  const unit = UNITS[found.unit.toLowerCase()];
  const unitNode = unit
    ? graph.node(unit.iri, "E58_Measurement_Unit")
    : graph.part(`${name}-unit`, "E58_Measurement_Unit");
  graph.add(node, "P91_has_unit", unitNode);
  graph.add(unitNode, "rdfs:label", unit ? text(unit.label, "en") : text(found.unit));
}

function parts(about: About, field: Field, entries: readonly Entry[]): void {
  entries.forEach((entry, index) => {
    const isWhole = /^\d{1,9}$/.test(entry.value);
    if (isWhole)
      about.graph.add(about.graph.about, "P57_has_number_of_parts", typed(entry.value, "xsd:integer"));
    else statement(about, about.graph.about, field, { entry, index });
  });
}

/** Well-known text: longitude first. */
export const wkt = (lat: number, lon: number) => typed(`POINT(${lon} ${lat})`, "geo:wktLiteral");

function coordinates({ graph }: About, _field: Field, entries: readonly Entry[]): void {
  for (const { value } of entries) {
    const [lat, lon] = value.split(",").map(Number) as [number, number];
    graph.add(graph.about, "P168_place_is_defined_by", wkt(lat, lon));
  }
}

/** Adds languages. A record with a language is also a linguistic object (LRMoo, F2_Expression). */
function languages(about: About, field: Field, entries: readonly Entry[]): void {
  const { graph } = about;
  entries.forEach((entry, index) => {
    const term = field.vocabulary === null ? undefined : about.around.term(field.vocabulary, entry.value);
    if (!isLanguageTag(entry.value)) {
      statement(about, graph.about, field, { entry, index });
      return;
    }
    const node = languageNode(graph, entry.value);
    for (const [lang, label] of Object.entries(term?.label ?? {}))
      graph.add(node, "rdfs:label", text(label, lang));
    if (isA(about.classes, "F1_Work")) {
      graph.add(graph.about, "R79_has_representative_expression_attribute", node);
    } else {
      graph.node(graph.about, "E33_Linguistic_Object");
      graph.add(graph.about, "P72_has_language", node);
    }
  });
}

const TYPE = {
  domain: "E1_CRM_Entity",
  path: "P2_has_type / E55_Type (skos:prefLabel, skos:exactMatch, skos:broader)",
  write: types,
} as const;

export const THING_PATTERNS = {
  type: { ...TYPE, about: "What it is, by a term of a vocabulary; the concept names the field" },
  object_name: { ...TYPE, about: "What the thing is, in one noun" },
  style: { ...TYPE, about: "Style or period" },
  culture: { ...TYPE, about: "Culture of origin" },
  subject: {
    domain: "E18_Physical_Thing",
    otherwise: "about",
    path: "P128_carries / E73_Information_Object / P129_is_about / E55_Type",
    about: "What it depicts or is about, by a term",
    write: concepts("P129_is_about", "E55_Type", "content"),
  },
  about: {
    domain: "E89_Propositional_Object",
    otherwise: "type",
    path: "P129_is_about / E55_Type",
    about: "What a work is about, by a term",
    write: concepts("P129_is_about", "E55_Type"),
  },
  material: {
    domain: "E18_Physical_Thing",
    otherwise: "type",
    path: "P45_consists_of / E57_Material",
    about: "What it is made of",
    write: concepts("P45_consists_of", "E57_Material"),
  },
  technique: {
    domain: "E24_Physical_Human-Made_Thing",
    otherwise: "type",
    path: "P108i_was_produced_by / E12_Production / P32_used_general_technique / E55_Type",
    about: "How it was made",
    write: concepts("P32_used_general_technique", "E55_Type", "production"),
  },
  measurement: {
    domain: "E70_Thing",
    path: "P43_has_dimension / E54_Dimension (P2_has_type, P90_has_value, P91_has_unit)",
    about: "Kind, value and unit; anything else becomes a dimension statement",
    write: measurements,
  },
  number_of_parts: {
    domain: "E19_Physical_Object",
    path: "P57_has_number_of_parts",
    about: "A whole number",
    write: parts,
  },
  right: {
    domain: "E72_Legal_Object",
    path: "P104_is_subject_to / E30_Right",
    about: "The address of a rights statement or licence",
    write: rights,
  },
  rights_holder: {
    domain: "E72_Legal_Object",
    path: "P105_right_held_by / E39_Actor",
    about: "Who holds the rights, in words",
    write: actors("P105_right_held_by", "E39_Actor"),
  },
  department: {
    domain: "E18_Physical_Thing",
    otherwise: "type",
    path: "P50_has_current_keeper / E74_Group",
    about: "The department that keeps it",
    write: actors("P50_has_current_keeper", "E74_Group"),
  },
  curator_text: {
    domain: "E78_Curated_Holding",
    path: "P109_has_current_or_former_curator / E39_Actor",
    about: "Who is responsible for a collection, in words",
    write: actors("P109_has_current_or_former_curator", "E39_Actor"),
  },
  language: {
    domain: "E89_Propositional_Object",
    path: "P72_has_language / E56_Language; of a work R79_has_representative_expression_attribute",
    about: "Language of a work, an expression or a manifestation",
    write: languages,
  },
  coordinates: {
    domain: "E53_Place",
    path: "P168_place_is_defined_by (geo:wktLiteral)",
    about: "Latitude and longitude, WGS 84",
    write: coordinates,
  },
} as const satisfies Record<string, Pattern>;
