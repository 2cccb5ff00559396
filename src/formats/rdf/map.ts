/** Maps a record to a graph of CIDOC CRM and LRMoo: a pure function of the loaded data. */
import { kinds } from "../../records/kinds.ts";
import { type LoadedRecord, labelsOf, type Surroundings } from "../../records/public/loaded.ts";
import { fieldsOf } from "../../records/schema.ts";
import type { Ark } from "../../services.ts";
import { recordIri } from "../iris.ts";
import { Graph, text } from "./graph.ts";
import { type About, classify, classifyBy, mention } from "./patterns/about.ts";
import { classesOf, classesOfExemplar } from "./patterns/classes.ts";
import { ARK, OWNERS_NUMBER } from "./patterns/getty.ts";
import { EXEMPLIFIED_BY, writeLink, writeNamed } from "./patterns/links.ts";
import { writeMedia } from "./patterns/media.ts";
import { patternOf } from "./patterns/patterns.ts";
import { writeProcedureColumns } from "./patterns/procedure-columns.ts";
import { wkt } from "./patterns/things.ts";

/** The graph of a public record. The same record gives the same triples in the same order. */
export function graphOf(around: Surroundings, record: LoadedRecord): Graph {
  const { row } = record;
  const own = classesOf(around.schema, row.record_type, row.subtype);
  const isExemplar = record.links.some(
    ({ relation_type, outgoing }) => relation_type === EXEMPLIFIED_BY && !outgoing,
  );
  const classes = isExemplar ? classesOfExemplar(own) : own;
  const graph = new Graph(recordIri(around.baseUrl, row.record_type, row.id));
  const about: About = { graph, classes, record, around };
  graph.node(graph.about, ...classes);
  writeIdentity(about);
  writeFields(about);
  writeColumns(about);
  writeMedia(about);
  for (const link of record.links) writeLink(about, link);
  return graph;
}

function writeIdentity(about: About): void {
  const { graph, record, around } = about;
  const { row } = record;
  const names = row.metadata[kinds[row.record_type].titleField] ?? [];
  for (const { value, lang } of labelsOf(names, row.idno))
    graph.add(graph.about, "rdfs:label", text(value, lang));
  const subtype = around.schema.subtypes.get(row.record_type)?.get(row.subtype);
  classifyBy(about, graph.about, `subtypes/${row.record_type}/${row.subtype}`, subtype?.label ?? {});
  const number = graph.part("idno", "E42_Identifier");
  graph.add(graph.about, "P1_is_identified_by", number);
  graph.add(graph.about, "P48_has_preferred_identifier", number);
  graph.add(number, "P190_has_symbolic_content", text(row.idno));
  classify(about, number, OWNERS_NUMBER);
  if (record.ark) writeArk(about, record.ark);
  for (const id of row.formers ?? [])
    graph.add(graph.about, "owl:sameAs", recordIri(around.baseUrl, row.record_type, id));
}

function writeArk(about: About, { ark, url }: Ark): void {
  const { graph } = about;
  const name = graph.part("ark", "E42_Identifier");
  graph.add(graph.about, "P1_is_identified_by", name);
  graph.add(name, "P190_has_symbolic_content", text(ark));
  classify(about, name, ARK);
  graph.add(graph.about, "owl:sameAs", url);
}

function writeFields(about: About): void {
  const { row, named } = about.record;
  for (const field of fieldsOf(about.around.schema, row.record_type).values()) {
    const entries = row.metadata[field.name];
    if (!entries || entries.length === 0) continue;
    if (field.field_type === "relation") {
      entries.forEach(({ value }, index) => {
        const neighbour = named.get(value.toLowerCase());
        if (neighbour) writeNamed(about, field, neighbour, index);
      });
    } else patternOf(field, about.classes).write(about, field, entries);
  }
}

/** Writes columns that are not fields: coordinates, the parent of a collection, dates of a procedure. */
function writeColumns(about: About): void {
  const { graph, record } = about;
  const { row, parent } = record;
  if (row.lat !== null && row.lon !== null)
    graph.add(graph.about, "P168_place_is_defined_by", wkt(row.lat, row.lon));
  if (parent) graph.add(graph.about, "P46i_forms_part_of", mention(about, parent));
  if (row.record_type === "procedure") writeProcedureColumns(about);
}
