/** Patterns of fields about events: production, acquisition, birth and death. */
import type { Entry } from "../../../records/record.ts";
import { type Field, fieldsOf } from "../../../records/schema.ts";
import { text } from "../graph.ts";
import { type About, concept, creationOf, type EventName, eventOf } from "./about.ts";
import { type Pattern, partName } from "./pattern.ts";
import { writeTimeSpan } from "./time-spans.ts";

const valuesOf = (entries: readonly Entry[]) => entries.map(({ value }) => value);

/** Adds the time-span of an event. If no field has the date in words, the EDTF date becomes its label. */
function when(about: About, event: string, name: string, entries: readonly Entry[], lasted = false): void {
  const { graph } = about;
  const span = `${graph.about}#${name}`;
  graph.add(event, "P4_has_time-span", span);
  writeTimeSpan(graph, span, valuesOf(entries), { lasted });
  if (name === "production-time" && hasWords(about)) return;
  for (const { value } of entries) graph.add(span, "rdfs:label", text(value));
}

/** Whether a field says in words when the object was made. */
function hasWords({ around, record: { row } }: About): boolean {
  return [...fieldsOf(around.schema, row.record_type).values()].some(
    ({ name, mapping }) => mapping.pattern === "production_timespan_text" && row.metadata[name]?.length,
  );
}

/** A pattern for the date of an event of which the record has one. */
function dated(name: EventName): Pattern["write"] {
  return (about, _field, entries) => when(about, eventOf(about, name), `${name}-time`, entries);
}

/** The time-span of a record that is an event; for a work, of its creation. */
function timeSpan(about: About, _field: Field, entries: readonly Entry[]): void {
  const creation = creationOf(about.classes);
  const event = creation === null ? about.graph.about : eventOf(about, creation);
  when(about, event, creation === null ? "time" : `${creation}-time`, entries, creation === null);
}

function wordedProduction(about: About, _field: Field, entries: readonly Entry[]): void {
  const { graph } = about;
  const span = graph.part("production-time", "E52_Time-Span");
  graph.add(eventOf(about, "production"), "P4_has_time-span", span);
  for (const { value, lang } of entries) graph.add(span, "rdfs:label", text(value, lang));
}

function placeOfProduction(about: About, field: Field, entries: readonly Entry[]): void {
  const { graph } = about;
  entries.forEach(({ value, lang }, index) => {
    const place = graph.part(partName(field, index), "E53_Place");
    graph.add(eventOf(about, "production"), "P7_took_place_at", place);
    graph.add(place, "rdfs:label", text(value, lang));
  });
}

function methodOfAcquisition(about: About, field: Field, entries: readonly Entry[]): void {
  entries.forEach((entry, index) => {
    const method = concept(about, field.vocabulary, entry, partName(field, index));
    about.graph.add(eventOf(about, "acquisition"), "P2_has_type", method);
  });
}

const SPAN = "P4_has_time-span / E52_Time-Span";

export const EVENT_PATTERNS = {
  production_timespan: {
    domain: "E24_Physical_Human-Made_Thing",
    otherwise: "timespan",
    path: `P108i_was_produced_by / E12_Production / ${SPAN}`,
    about: "When it was made; several dates are one span around all of them",
    write: dated("production"),
  },
  production_timespan_text: {
    domain: "E24_Physical_Human-Made_Thing",
    path: `P108i_was_produced_by / E12_Production / ${SPAN} / rdfs:label`,
    about: "The same in words",
    write: wordedProduction,
  },
  place_of_production_text: {
    domain: "E24_Physical_Human-Made_Thing",
    path: "P108i_was_produced_by / E12_Production / P7_took_place_at / E53_Place",
    about: "Words for where it was made, where no place is linked",
    write: placeOfProduction,
  },
  acquisition_date: {
    domain: "E18_Physical_Thing",
    path: `P24i_changed_ownership_through / E8_Acquisition / ${SPAN}`,
    about: "When the museum acquired it",
    write: dated("acquisition"),
  },
  acquisition_method: {
    domain: "E18_Physical_Thing",
    path: "P24i_changed_ownership_through / E8_Acquisition / P2_has_type / E55_Type",
    about: "How the museum acquired it",
    write: methodOfAcquisition,
  },
  timespan: {
    domain: "E2_Temporal_Entity",
    otherwise: "creation",
    path: SPAN,
    about: "When an event took place; an interval has both ends, each on its own (P81a, P81b)",
    write: timeSpan,
  },
  creation: {
    domain: "E89_Propositional_Object",
    path: `R16i_was_created_by, R17i_was_created_by or R24i_was_created_through / F27, F28 or F30 / ${SPAN}`,
    about: "When a work, an expression or a manifestation was made",
    write: timeSpan,
  },
  birth: {
    domain: "E21_Person",
    otherwise: "formation",
    path: `P98i_was_born / E67_Birth / ${SPAN}`,
    about: "When a person was born",
    write: dated("birth"),
  },
  death: {
    domain: "E21_Person",
    otherwise: "dissolution",
    path: `P100i_died_in / E69_Death / ${SPAN}`,
    about: "When a person died",
    write: dated("death"),
  },
  formation: {
    domain: "E74_Group",
    otherwise: "beginning",
    path: `P95i_was_formed_by / E66_Formation / ${SPAN}`,
    about: "When an organisation, family or group began",
    write: dated("formation"),
  },
  dissolution: {
    domain: "E74_Group",
    otherwise: "end",
    path: `P99i_was_dissolved_by / E68_Dissolution / ${SPAN}`,
    about: "When it ended",
    write: dated("dissolution"),
  },
  beginning: {
    domain: "E77_Persistent_Item",
    path: `P92i_was_brought_into_existence_by / E63_Beginning_of_Existence / ${SPAN}`,
    about: "When anything that lasts began",
    write: dated("beginning"),
  },
  end: {
    domain: "E77_Persistent_Item",
    path: `P93i_was_taken_out_of_existence_by / E64_End_of_Existence / ${SPAN}`,
    about: "When it ended",
    write: dated("end"),
  },
} as const satisfies Record<string, Pattern>;
