/** Reads a LIDO record (1.0 or 1.1) as an object, the reverse of `formats/lido/lido.ts`. Does not use the database. */

import type { Element } from "slimdom";
import { CURRENT_REPOSITORY, FORMER_REPOSITORY } from "../../formats/lido/lido-terms.ts";
import { KINDS_OF_TEXT } from "../../formats/rdf/patterns/getty.ts";
import { fold } from "../../text.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import type { ReadRecord } from "../xml/file.ts";
import { unmappedIn } from "../xml/unmapped.ts";
import { type LidoContext, withoutLearning } from "./context.ts";
import { isAlternative, objectEnd, repositoryEnd } from "./ends.ts";
import { type Link, readEvent } from "./events.ts";
import { Links } from "./links.ts";
import { materials } from "./materials.ts";
import { measurementsOf } from "./measurements.ts";
import { readNumber } from "./numbers.ts";
import { structureFaults } from "./structure.ts";
import { readRelatedWork, readSubject } from "./subjects.ts";
import { subtypeOf } from "./subtypes.ts";
import { Values } from "./values.ts";
import {
  at,
  attribute,
  concept,
  glimpse,
  inheritedLanguage,
  isKept,
  keep,
  origin,
  ownName,
  textOf,
} from "./xml.ts";

const GROUP = "objectIdentificationWrap";

export function readLido(known: LidoContext, record: Element, outside: string): ReturnType<ReadRecord> {
  const [first, ...others] = at(record, "descriptiveMetadata");
  const values = new Values(known, first ? inheritedLanguage(first, outside) : undefined, outside);
  const links = new Links(known);
  const link: Link = (relation_type, end, part = {}) => links.add(relation_type, end, part);
  if (first) {
    readTexts(first, values);
    readGroup(known, first, values, link);
  }
  // the other groups are translations: their texts are new, but not their events and people
  const quiet = withoutLearning(known);
  for (const other of others) {
    readTexts(other, values);
    const translated = new Values(quiet, inheritedLanguage(other, outside), outside, values);
    readGroup(quiet, other, translated, (type, end, part = {}) => links.keepRepeated(type, end, part));
  }
  const [administrative, ...further] = at(record, "administrativeMetadata");
  if (administrative) {
    readRights(administrative, values);
    for (const set of at(administrative, "recordWrap/collection/object"))
      link("in_collection", objectEnd(known, "collection", set));
  }
  for (const other of further)
    readRights(other, new Values(quiet, inheritedLanguage(other, outside), outside, values));
  const idno = readNumber(record, values);
  for (const value of new Set(known.notes.splice(0))) values.add(values.named("internal_note"), { value });
  const subtype = first ? subtypeOf(known, first) : undefined;
  const mapped: MappedRow = {
    record_type: "object",
    ...(idno === undefined ? {} : { idno }),
    ...(subtype === undefined ? {} : { subtype }),
    fields: values.metadata,
    media: at(record, "administrativeMetadata/resourceWrap/resourceSet").flatMap(
      (set) => mediaName(set) ?? [],
    ),
    relations: links.relations,
    columns: {},
    faults: [],
    unread: [],
    doubted: known.doubted.splice(0),
    unmatched: [],
  };
  return { mapped, unmapped: unmappedIn(record, isKept), invalid: structureFaults(record) };
}

/** Reads everything except titles and other texts. */
function readGroup(known: LidoContext, group: Element, values: Values, link: Link): void {
  readClassification(group, values);
  readRest(known, group, values, link);
  for (const event of at(group, "eventWrap/eventSet")) readEvent(known, event, values, link);
  for (const subject of at(group, "objectRelationWrap/subjectWrap/subjectSet"))
    readSubject(known, subject, values, link);
  for (const work of at(group, "objectRelationWrap/relatedWorksWrap/relatedWorkSet"))
    readRelatedWork(known, work, values, link);
}

function readClassification(group: Element, values: Values): void {
  const [wrap] = at(group, "objectClassificationWrap");
  if (!wrap) return;
  for (const type of at(wrap, "objectWorkTypeWrap/objectWorkType")) {
    const read = concept(type);
    if (ownName(read.uris, "subtypes/object")) keep(read.all);
    else values.concept(type, values.byPattern("object_name"));
  }
  for (const element of at(wrap, "classificationWrap/classification")) {
    const type = glimpse(element, "type");
    const read = concept(element);
    if (type && /europeana/i.test(type)) continue;
    if (ownName(read.uris, "subtypes/object")) keep(read.all);
    else if (values.named(type)) attribute(element, "type");
    if (!ownName(read.uris, "subtypes/object"))
      values.concept(element, values.named(type) ?? values.byPattern("object_name"));
  }
}

/** Reads the texts, which each language has its own. */
function readTexts(group: Element, values: Values): void {
  const [wrap] = at(group, GROUP);
  if (!wrap) return;
  const titles = at(wrap, "titleWrap/titleSet/appellationValue");
  for (const title of titles) {
    values.text(title, isAlternative(title) ? "alternative_title" : "title");
  }
  for (const set of at(wrap, "inscriptionsWrap/inscriptions")) {
    for (const path of ["inscriptionTranscription", "inscriptionDescription/descriptiveNoteValue"])
      for (const each of at(set, path)) values.text(each, "inscription");
  }
  for (const set of at(wrap, "objectDescriptionWrap/objectDescriptionSet")) {
    const pattern = kindOfText(glimpse(set, "type"));
    for (const each of at(set, "descriptiveNoteValue")) {
      if (pattern !== undefined || origin(each) !== null) attribute(set, "type");
      values.text(each, pattern ?? "description");
    }
  }
}

/** The kind of a text, from its type as a Getty concept or as a word; undefined if the type is unknown. */
function kindOfText(type: string | null): string | undefined {
  const known = Object.entries(KINDS_OF_TEXT).find(([, { iri }]) => iri === type)?.[0];
  if (known) return known === "accession_number" ? "description" : known;
  return type !== null && /provenan|provenien|herkunft/.test(fold(type)) ? "provenance" : undefined;
}

function readRest(known: LidoContext, group: Element, values: Values, link: Link): void {
  const [wrap] = at(group, GROUP);
  if (!wrap) return;
  for (const set of at(wrap, "repositoryWrap/repositorySet")) {
    const displays = at(set, "displayRepository");
    const hasName = displays.length > 0 || at(set, "repositoryName").length > 0;
    // a monument has a place instead of a repository
    const places = hasName ? [] : at(set, "repositoryLocation/namePlaceSet/appellationValue");
    for (const display of [...displays, ...places])
      values.add(
        values.named(origin(display)) ?? values.named("current_location_note"),
        values.entry(display),
      );
    const isKnown = (type: string) => type === FORMER_REPOSITORY || type === CURRENT_REPOSITORY;
    if (attribute(set, "type", isKnown) === FORMER_REPOSITORY) continue;
    for (const body of at(set, "repositoryName")) link("kept_by", repositoryEnd(known, body));
  }
  for (const name of ["displayState", "displayEdition"])
    for (const each of at(wrap, `displayStateEditionWrap/${name}`)) values.text(each, "edition");
  for (const set of at(wrap, "objectMeasurementsWrap/objectMeasurementsSet"))
    for (const each of measurementsOf(set)) values.add(values.byPattern("measurement"), each);
  for (const set of at(wrap, "objectMaterialsTechWrap/objectMaterialsTechSet")) materials(set, values);
}

function readRights(administrative: Element, values: Values): void {
  for (const set of at(administrative, "rightsWorkWrap/rightsWorkSet")) {
    for (const type of at(set, "rightsType")) values.concept(type, values.byPattern("right"));
    for (const name of at(set, "rightsHolder/legalBodyName/appellationValue"))
      values.text(name, "rights_holder");
    for (const credit of at(set, "creditLine")) values.text(credit, "credit");
  }
}

const FILE = /^[^/\\\s?#]+\.(jpe?g|tiff?|png|webp|gif|avif|pdf|mp3|wav|ogg|mp4|webm|glb)$/i;

/** The file name by which `import-media` assigns a file to the object: an identifier, or the end of a URL. */
function mediaName(set: Element): string | null {
  const all = [
    ...at(set, "resourceID").map((each) => ({ each, text: textOf(each) })),
    ...at(set, "resourceRepresentation/linkResource").map((each) => ({
      each,
      text: textOf(each).split("/").at(-1)!,
    })),
  ];
  const found = all.find(({ text }) => FILE.test(text) && text !== "default.jpg");
  if (found) keep([found.each]);
  return found?.text ?? null;
}
