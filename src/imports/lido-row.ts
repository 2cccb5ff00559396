/** Reads a LIDO record (1.0 or 1.1) as an object: the reverse of `aggregation/lido.ts`. Pure. */

import type { Element } from "slimdom";
import {
  CURRENT_REPOSITORY,
  DOCUMENTED_IN,
  FORMER_REPOSITORY,
  INVENTORY_NUMBER,
} from "../aggregation/lido-terms.ts";
import { UUID_PATTERN } from "../ids.ts";
import { KINDS_OF_TEXT } from "../linked-data/getty.ts";
import { attributionKey, mayBeQualified } from "../records/attributions.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import type { Metadata } from "../records/record.ts";
import { relationTypeNamed } from "../records/schema.ts";
import { composed, fold } from "../text.ts";
import type { LidoContext } from "./lido-context.ts";
import {
  actorEnd,
  isAlternative,
  namesIn,
  objectEnd,
  occurrenceEnd,
  placeEnd,
  type ReadEnd,
  relationNamed,
  repositoryEnd,
} from "./lido-ends.ts";
import { type Link, materials, type Part, readEvent } from "./lido-events.ts";
import { structureFaults } from "./lido-structure.ts";
import { subtypeOf } from "./lido-subtypes.ts";
import { measurementsOf, Values } from "./lido-values.ts";
import {
  allIn,
  at,
  attribute,
  concept,
  type Found,
  glimpse,
  identifiers,
  inheritedLanguage,
  isKept,
  isUri,
  keep,
  NOTHING,
  origin,
  ownName,
  textOf,
  typeOf,
} from "./lido-xml.ts";
import type { MappedRow } from "./mapped-row.ts";
import { unmappedIn } from "./unmapped.ts";
import type { ReadRecord } from "./xml-file.ts";

const GROUP = "objectIdentificationWrap";

export function readLido(known: LidoContext, record: Element, outside: string): ReturnType<ReadRecord> {
  const [first, ...others] = at(record, "descriptiveMetadata");
  const values = new Values(known, first ? inheritedLanguage(first, outside) : undefined, outside);
  const relations = new Map<string, MappedRow["relations"][number]>();
  const link: Link = (relation_type, end, part = {}) => addLink(known, relations, relation_type, end, part);
  if (first) {
    readClassification(first, values);
    readTexts(first, values);
    readRest(known, first, values, link);
    for (const event of at(first, "eventWrap/eventSet")) readEvent(known, event, values, link);
    for (const subject of at(first, "objectRelationWrap/subjectWrap/subjectSet"))
      readSubject(known, subject, values, link);
    for (const work of at(first, "objectRelationWrap/relatedWorksWrap/relatedWorkSet"))
      readRelatedWork(known, work, values, link);
  }
  // from the same metadata in another language take only the texts, or events and people would be there twice
  for (const other of others) readTexts(other, values);
  for (const administrative of at(record, "administrativeMetadata").slice(0, 1)) {
    readRights(administrative, values);
    for (const set of at(administrative, "recordWrap/collection/object"))
      link("in_collection", objectEnd(known, "collection", set));
  }
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
    relations: [...relations.values()],
    columns: {},
    faults: [],
    unread: [],
    doubted: known.doubted.splice(0),
    unmatched: [],
  };
  return { mapped, unmapped: unmappedIn(record, isKept), invalid: structureFaults(record) };
}

/** Adds a link; if there is one to the same record with the same relation type and attribution, it gets the further role instead. */
function addLink(
  known: LidoContext,
  relations: Map<string, MappedRow["relations"][number]>,
  relation_type: string,
  end: ReadEnd | null,
  { roles = [], attribution }: Part,
): void {
  if (!end) return;
  const { to_type, value, described, from: nodes } = end;
  const found = relationTypeNamed(known.schema, relation_type);
  if (!found) return;
  const [from, to] = found.inverse
    ? [found.type.to_types, found.type.from_types]
    : [found.type.from_types, found.type.to_types];
  if (!from.includes("object") || !to.includes(to_type)) return;
  const qualified = attribution && mayBeQualified(found.type) ? attribution : undefined;
  const more = qualified?.metadata ?? {};
  const key = `${relation_type} ${to_type} ${described?.key ?? value} ${attributionKey(more)}`;
  const earlier = relations.get(key);
  const before = earlier?.metadata?.role ?? [];
  const fresh = roles.filter(({ value: role }) => !before.some((each) => each.value === role));
  const all = [...before, ...fresh.map(({ value: role }) => ({ value: role }))];
  const metadata = { ...(all.length > 0 ? { role: all } : {}), ...more };
  // objects are never created from a name
  const made = { relation_type, to_type, value, ...(described ? { described } : { create: false as const }) };
  const base = earlier ?? made;
  relations.set(key, Object.keys(metadata).length > 0 ? { ...base, metadata } : base);
  const isLost = earlier !== undefined && !isPartOf(described?.metadata, earlier.described?.metadata);
  if (!isLost) keep(nodes);
  keep([...roles.flatMap((role) => role.from ?? []), ...(qualified?.from ?? [])]);
}

/** Whether an earlier description of the same record says all that this one says. */
const isPartOf = (one: Metadata = {}, other: Metadata = {}): boolean =>
  Object.entries(one).every(([name, entries]) =>
    entries.every(({ value }) => other[name]?.some((each) => each.value === value)),
  );

/** The inventory number, else the id of the record in its source. Further inventory numbers go to fields. */
function readNumber(record: Element, values: Values): string | undefined {
  const sets = at(record, `descriptiveMetadata/${GROUP}/repositoryWrap/repositorySet`);
  const isFormer = (set: Element) => glimpse(set, "type") === FORMER_REPOSITORY;
  const all = [...sets.filter((set) => !isFormer(set)), ...sets.filter(isFormer)]
    .flatMap((set) => at(set, "workID"))
    .filter((each) => textOf(each) !== "");
  const ours = all.find((each) => origin(each) === "idno");
  const first = ours ?? all[0];
  for (const each of all) {
    const isFirst = each === first;
    if (isFirst) attribute(each, "type", saysInventory);
    if (each === ours) keep([each]);
    else if (isFirst) values.add(values.byPattern("identifier"), { value: textOf(each), from: [each] });
    else values.add(values.named(origin(each)) ?? values.named("other_numbers"), numberIn(each));
  }
  const [recordId] = at(record, "lidoRecID").map((each) => ({ value: textOf(each), from: [each] }));
  const others = at(record, "administrativeMetadata/recordWrap/recordID").map((each) => ({
    value: textOf(each),
    from: [each],
  }));
  const ids = [...(recordId ? [recordId] : []), ...others].filter(({ value }) => value !== "");
  // prefer an id of the source system to an address
  const last = recordId && isUri(recordId.value) ? [...others, recordId] : ids;
  const number = first ? textOf(first) : last.find(({ value }) => value !== "")?.value;
  if (!ours && recordId?.value && recordId.value !== number)
    values.add(values.named("internal_note"), { ...recordId, value: `LIDO record ${recordId.value}` });
  for (const { value, from } of ids) {
    if (value === number || (ours && from[0] === recordId?.from[0])) keep(from);
    if (isKept.has(from[0]!)) keep(typeOf(from[0]!));
  }
  return number && composed(number);
}

/** Types that say only that it is an inventory number. */
const INVENTORY = /^(invent\p{L}*( ?-?(number|nummer|nr\.?))?|numero d.inventaire)$/u;

const saysInventory = (type: string): boolean => type === INVENTORY_NUMBER || INVENTORY.test(fold(type));

/** `Old number: K 17`: a number with the kind that its label or type names. */
function numberIn(element: Element): Found {
  const value = textOf(element);
  const label = attribute(element, "label");
  const type = glimpse(element, "type");
  const isKind = type !== null && !isUri(type) && !saysInventory(type);
  attribute(element, "type", () => saysInventory(type!) || (label === null && isKind));
  const kind = label ?? (isKind ? type : null);
  return { value: kind === null ? value : `${kind}: ${value}`, from: [element] };
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

/** Texts, which may come in several languages. */
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

/** The kind of a text: the Getty concept of its type, or the word of its type; undefined if it is not known. */
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

function readSubject(known: LidoContext, set: Element, values: Values, link: Link): void {
  const subjects = at(set, "subject");
  const texts = subjects.length === 0 ? at(set, "displaySubject") : [];
  for (const text of texts) values.text(text, "depicted_text");
  for (const subject of subjects) {
    const relation =
      relationNamed([attribute(subject, "type", (type) => relationNamed([type]) !== null)]) ?? "depicts";
    for (const each of at(subject, "subjectConcept")) values.concept(each, values.byPattern("subject"));
    for (const actor of at(subject, "subjectActor/actor")) link(relation, actorEnd(known, actor));
    for (const place of at(subject, "subjectPlace/place")) link(relation, placeEnd(known, place));
    for (const event of at(subject, "subjectEvent/event"))
      link(relation, occurrenceEnd(known, event, occurrenceType(event)));
    for (const object of at(subject, "subjectObject/object"))
      readObject(known, object, relation, values, link);
    for (const name of [
      "subjectActor/displayActor",
      "subjectPlace/displayPlace",
      "subjectObject/displayObject",
    ]) {
      const [parent] = name.split("/");
      if (at(subject, `${parent}/${parent!.slice("subject".length).toLowerCase()}`).length > 0) continue;
      for (const display of at(subject, name)) values.text(display, "depicted_text");
    }
  }
}

function occurrenceType(event: Element): string | undefined {
  const [type] = at(event, "eventType");
  const term = type && concept(type).terms.find(({ lang }) => lang === "en" || lang === undefined);
  return term && fold(term.value);
}

/** An object as a subject: a link to the record of its address, else only its name. */
function readObject(known: LidoContext, object: Element, relation: string, values: Values, link: Link): void {
  const kind = kindOf(object);
  const { locals } = identifiers(object, "objectID");
  if (kind && kind !== "object") link(relation, objectEnd(known, kind, object));
  else if (kind === "object" && locals[0]) {
    // names and addresses of the other object are in its own record
    const from = allIn(object);
    link(relation, { to_type: "object", value: locals[0].value, from });
  } else
    for (const name of namesIn(object, "objectName").preferred)
      values.add(values.byPattern("depicted_text"), name);
}

const OWN_ADDRESS = new RegExp(`/([a-z-]+)/${UUID_PATTERN}$`);

/** The record type in one of our own addresses: `…/collections/<id>`. */
function kindOf(object: Element): Kind | undefined {
  const ids = identifiers(object, "objectID").uris.map(({ value }) => value);
  const addresses = [...ids, ...at(object, "objectWebResource").map(textOf)];
  const plural = addresses.map((uri) => OWN_ADDRESS.exec(uri)?.[1]).find((each) => each);
  return Object.values(kinds).find((each) => each.plural === plural)?.kind;
}

function readRelatedWork(known: LidoContext, work: Element, values: Values, link: Link): void {
  const [typed] = at(work, "relatedWorkRelType");
  const type = typed ? concept(typed) : NOTHING;
  const relation = relationNamed(type.uris);
  const [object] = at(work, "relatedWork/object");
  if (relation || type.uris.includes(DOCUMENTED_IN)) keep(type.all);
  if (relation && object) {
    readObject(known, object, relation, values, link);
    return;
  }
  const otherwise = type.uris.includes(DOCUMENTED_IN)
    ? values.byPattern("bibliography")
    : values.named("internal_note");
  const displays = at(work, "displayRelatedWork");
  for (const display of displays)
    values.add(values.named(origin(display)) ?? otherwise, values.entry(display));
  if (displays.length > 0) return;
  const role = type.terms.find(({ lang }) => lang === values.lang) ?? type.terms[0];
  for (const note of at(work, "relatedWork/object/objectNote")) {
    const { value, lang, from = [] } = values.entry(note);
    if (value === "") continue;
    const told = role ? { value: `${role.value}: ${value}`, from: [...from, ...role.from] } : { value, from };
    values.add(otherwise, { ...told, lang });
  }
}

function readRights(administrative: Element, values: Values): void {
  for (const set of at(administrative, "rightsWorkWrap/rightsWorkSet")) {
    for (const type of at(set, "rightsType")) values.concept(type, values.byPattern("right"));
    for (const name of at(set, "rightsHolder/legalBodyName/appellationValue"))
      values.text(name, "rights_holder");
    for (const credit of at(set, "creditLine")) values.text(credit, "credit");
  }
}

/** The name of a file: `image.jpg`. */
const FILE = /^[^/\\\s?#]+\.(jpe?g|tiff?|png|webp|gif|avif|pdf|mp3|wav|ogg|mp4|webm|glb)$/i;

/** The file name by which `import-media` will assign a file: an identifier, or the end of an address. */
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
