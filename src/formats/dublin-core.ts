/** Any record as simple Dublin Core, as OAI-PMH requires it (http://www.openarchives.org/OAI/2.0/oai_dc.xsd). */
import { asIri } from "../iri.ts";
import { isMaker } from "../records/links/makers.ts";
import type { Link } from "../records/public/loaded.ts";
import { type Entry, entriesOf } from "../records/record.ts";
import { type Field, fieldsOf } from "../records/schema.ts";
import { rightsUri } from "../vocabularies/rights.ts";
import { type Attributes, element, type Xml } from "../xml.ts";
import { imageAddress, pageAddress } from "./addresses.ts";
import { calledIn } from "./named.ts";
import type { DeliveredView } from "./view.ts";

export const OAI_DC_NAMESPACE = "http://www.openarchives.org/OAI/2.0/oai_dc/";
export const OAI_DC_SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd";

const DECLARED: Attributes = {
  "xmlns:oai_dc": OAI_DC_NAMESPACE,
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation": `${OAI_DC_NAMESPACE} ${OAI_DC_SCHEMA}`,
};

const DC_ELEMENTS = [
  ...["title", "creator", "subject", "description", "publisher", "contributor", "date", "type", "format"],
  ...["identifier", "source", "language", "relation", "coverage", "rights"],
];

/** Kind of record → type of the DCMI Type Vocabulary (http://purl.org/dc/dcmitype/). */
const TYPES: Readonly<Record<string, string>> = {
  object: "PhysicalObject",
  collection: "Collection",
  occurrence: "Event",
};
/** Category of a file → DCMI type. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  image: "StillImage",
  pdf: "Text",
  audio: "Sound",
  video: "MovingImage",
};

/** Relation type → element; all others become `dc:relation`. */
const OF_LINKS: Readonly<Record<string, string>> = {
  created_by: "creator",
  made_at: "coverage",
  found_at: "coverage",
  depicts: "subject",
  about: "subject",
};

export function dublinCoreOf(view: DeliveredView): Xml {
  const { row, links, media } = view.record;
  const byText = new Map<string, Xml>();
  const add = (name: string, { value, lang }: Entry) => {
    const xml = element(`dc:${name}`, { "xml:lang": lang }, value);
    // the same value in a field and a link is written once
    byText.set(xml.text, xml);
  };
  const dcmiTypes = new Set([TYPES[row.record_type], ...media.map(({ category }) => FILE_TYPES[category])]);
  for (const field of fieldsOf(view.around.schema, row.record_type).values()) {
    const name = String(field.mapping.dc);
    if (!DC_ELEMENTS.includes(name) || field.field_type === "relation") continue;
    for (const entry of row.metadata[field.name] ?? []) {
      for (const each of wordsOf(view, field, entry)) add(name, each);
    }
  }
  for (const link of links) {
    const named = view.named.get(link.other.id);
    if (named) for (const entry of calledIn(view, link, named)) add(elementOf(link), entry);
  }
  const subtype = view.around.schema.subtypes.get(row.record_type)?.get(row.subtype);
  for (const entry of entriesOf(subtype?.label ?? {})) add("type", entry);
  for (const type of dcmiTypes) if (type) add("type", { value: `http://purl.org/dc/dcmitype/${type}` });
  for (const type of new Set(media.map(({ mime_type }) => mime_type))) add("format", { value: type });
  for (const name of view.museum.names) add("publisher", name);
  for (const value of identifiersOf(view)) add("identifier", { value });
  return element("oai_dc:dc", DECLARED, inOrder([...byText.values()]));
}

function elementOf({ relation_type, outgoing, metadata }: Link): string {
  const known = (outgoing ? OF_LINKS[relation_type] : undefined) ?? "relation";
  return known === "creator" && !isMaker(metadata) ? "contributor" : known;
}

/** The value itself, then the other names of its term. */
function wordsOf({ around }: DeliveredView, { vocabulary, mapping }: Field, entry: Entry): Entry[] {
  const term = vocabulary === null ? undefined : around.term(vocabulary, entry.value);
  const value = mapping.dc === "rights" ? (rightsUri(entry.value) ?? entry.value) : entry.value;
  const labels = entriesOf(term?.label ?? {});
  const uri = term?.uri && asIri(term.uri);
  const own = labels.some((label) => label.value === value) ? [] : [{ ...entry, value }];
  return [...own, ...labels, ...(uri && uri !== value && mapping.dc !== "rights" ? [{ value: uri }] : [])];
}

/** The number, the address of the record, and that of its main picture. */
function identifiersOf(view: DeliveredView): string[] {
  const { row, media } = view.record;
  const picture = media.find(({ category }) => category === "image");
  return [
    row.idno,
    pageAddress(view),
    ...(view.record.ark ? [view.record.ark.ark, view.record.ark.url] : []),
    ...(picture ? [imageAddress(view, picture, 400)] : []),
  ];
}

const nameOf = ({ text }: Xml): string => /^<dc:(\w+)/.exec(text)![1]!;

/** In the standard order of the fifteen elements. */
function inOrder(elements: readonly Xml[]): Xml[] {
  const place = (xml: Xml) => DC_ELEMENTS.indexOf(nameOf(xml));
  return [...elements].sort((a, b) => place(a) - place(b));
}
