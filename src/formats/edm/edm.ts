/**
 * An object in the Europeana Data Model, as RDF/XML in the external form (https://github.com/europeana/metis-schema): a pure
 * function of what visitors may see.
 */
import { isLanguageTag } from "../../language-tag.ts";
import type { PublicMedium } from "../../records/public/loaded.ts";
import { entriesOf } from "../../records/record.ts";
import { fieldsOf } from "../../records/schema.ts";
import { rightsUri } from "../../vocabularies/rights.ts";
import { DUBLIN_CORE } from "../../vocabularies/shape.ts";
import { type Attributes, type Content, element, type Xml } from "../../xml.ts";
import { fileAddress, imageAddress, imageService, manifestAddress, pageAddress } from "../addresses.ts";
import { entriesBy, valuesBy } from "../named.ts";
import { deliveredRights } from "../rights.ts";
import type { DeliveredView } from "../view.ts";
import { Contexts, literal, resource } from "./edm-contexts.ts";

const EDM_NAMESPACE = "http://www.europeana.eu/schemas/edm/";
export const EDM_SCHEMA = "http://www.europeana.eu/schemas/edm/EDM.xsd";
export const RDF_NAMESPACE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

const DECLARED: Attributes = {
  "xmlns:rdf": RDF_NAMESPACE,
  "xmlns:edm": EDM_NAMESPACE,
  "xmlns:ore": "http://www.openarchives.org/ore/terms/",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:dcterms": "http://purl.org/dc/terms/",
  "xmlns:skos": "http://www.w3.org/2004/02/skos/core#",
  "xmlns:owl": "http://www.w3.org/2002/07/owl#",
  "xmlns:rdaGr2": "http://rdvocab.info/ElementsGr2/",
  "xmlns:wgs84_pos": "http://www.w3.org/2003/01/geo/wgs84_pos#",
  "xmlns:svcs": "http://rdfs.org/sioc/services#",
  "xmlns:doap": "http://usefulinc.com/ns/doap#",
};

export function edmOf(view: DeliveredView): Xml {
  const contexts = new Contexts(view);
  const cho = providedCho(view, contexts);
  const shown = view.record.media.filter(isShown);
  return element(
    "rdf:RDF",
    DECLARED,
    cho,
    shown.map((medium) => webResource(view, medium)),
    contexts.written(),
    aggregation(view, shown),
    shown.filter(isImage).map((medium) => service(view, medium)),
  );
}

const isImage = ({ category }: PublicMedium): boolean => category === "image";
/** Whether a browser can show or play the file. */
const isShown = ({ category }: PublicMedium): boolean => Object.hasOwn(EDM_TYPES, category);

/** Category of the first file → `edm:type`. */
const EDM_TYPES: Readonly<Record<string, string>> = {
  image: "IMAGE",
  pdf: "TEXT",
  audio: "SOUND",
  video: "VIDEO",
  "3d": "3D",
};
/** Subtype → `edm:type` for objects without files. */
const OF_SUBTYPE: Readonly<Record<string, string>> = { book: "TEXT", manuscript: "TEXT" };

/** Pattern of a field → property. Other fields have the property of their Dublin Core element. */
const PROPERTIES: Readonly<Record<string, string>> = {
  title: "dc:title",
  alternative_title: "dcterms:alternative",
  object_name: "dc:type",
  style: "dc:type",
  culture: "dc:type",
  type: "dc:type",
  production_timespan: "dcterms:created",
  production_timespan_text: "dcterms:created",
  material: "dcterms:medium",
  technique: "dcterms:medium",
  measurement: "dcterms:extent",
  number_of_parts: "dcterms:extent",
  provenance: "dcterms:provenance",
  place_of_production_text: "dcterms:spatial",
  bibliography: "dcterms:isReferencedBy",
};

function providedCho(view: DeliveredView, contexts: Contexts): Xml {
  const { row, links } = view.record;
  const properties = [...fieldsOf(view.around.schema, "object").values()].flatMap((field) => {
    const entries = field.field_type === "relation" ? [] : (row.metadata[field.name] ?? []);
    const name = PROPERTIES[String(field.mapping.pattern)] ?? `dc:${field.mapping.dc}`;
    if (!PROPERTIES[String(field.mapping.pattern)] && !DUBLIN_CORE.includes(String(field.mapping.dc)))
      return [];
    return entries.map((entry) => contexts.value(name, field, entry));
  });
  const linked = links.flatMap((link) => contexts.link(link) ?? []);
  return element(
    "edm:ProvidedCHO",
    { "rdf:about": pageAddress(view) },
    element("dc:identifier", {}, row.idno),
    view.record.ark && element("dc:identifier", {}, view.record.ark.ark),
    properties,
    typeOf(view),
    languages(view),
    linked.filter(({ property }) => !property.startsWith("edm:")).map(({ content }) => content),
    linked.filter(({ property }) => property.startsWith("edm:")).map(({ content }) => content),
    element("edm:type", {}, edmType(view)),
    view.record.ark && resource("owl:sameAs", view.record.ark.url),
  );
}

/** The type from the subtype, if no field has it. */
function typeOf(view: DeliveredView): Content {
  const { row } = view.record;
  const subtype = view.around.schema.subtypes.get("object")?.get(row.subtype);
  if (!subtype || subtype.is_default || entriesBy(view, row, "object_name").length > 0) return null;
  return entriesOf(subtype.label).map((label) => literal("dc:type", label));
}

/** Europeana requires a language for works with text; by default that of the title. */
function languages(view: DeliveredView): Content {
  if (edmType(view) !== "TEXT") return null;
  const [title] = view.record.row.metadata.title ?? [];
  return element("dc:language", {}, title?.lang && isLanguageTag(title.lang) ? title.lang : "zxx");
}

function edmType({ record: { row, media } }: DeliveredView): string {
  const first = media.find(isShown);
  return (first && EDM_TYPES[first.category]) ?? OF_SUBTYPE[row.subtype] ?? "IMAGE";
}

/** The address of the file itself. */
const shownAt = (view: DeliveredView, medium: PublicMedium): string =>
  isImage(medium) ? imageAddress(view, medium) : fileAddress(view, medium);

function webResource(view: DeliveredView, medium: PublicMedium): Xml {
  const rights = rightsUri(medium.license_uri ?? "");
  return element(
    "edm:WebResource",
    { "rdf:about": shownAt(view, medium) },
    [...medium.caption, ...medium.alt_text].map((entry) => literal("dc:description", entry)),
    element("dc:format", {}, isImage(medium) ? "image/jpeg" : medium.mime_type),
    medium.rights_holder && element("dc:rights", {}, medium.rights_holder),
    rights && resource("edm:rights", rights),
    isImage(medium) && view.record.media.some(isImage)
      ? [
          resource("dcterms:isReferencedBy", manifestAddress(view)),
          resource("svcs:has_service", imageService(view, medium)),
        ]
      : null,
  );
}

/** https://pro.europeana.eu/page/iiif: the service by which viewers zoom. */
function service(view: DeliveredView, medium: PublicMedium): Xml {
  return element(
    "svcs:Service",
    { "rdf:about": imageService(view, medium) },
    resource("dcterms:conformsTo", "http://iiif.io/api/image"),
    resource("doap:implements", "http://iiif.io/api/image/3/level2.json"),
  );
}

function aggregation(view: DeliveredView, shown: readonly PublicMedium[]): Xml {
  const { row } = view.record;
  const [first, ...others] = shown;
  const picture = shown.find(isImage);
  const museum = view.museum.names[0]!;
  const rights = deliveredRights(view);
  const free = valuesBy(view, row, "rights_holder", "credit").flatMap(({ entries }) => entries);
  return element(
    "ore:Aggregation",
    { "rdf:about": `${pageAddress(view)}#aggregation` },
    resource("edm:aggregatedCHO", pageAddress(view)),
    literal("edm:dataProvider", museum),
    others.map((medium) => resource("edm:hasView", shownAt(view, medium))),
    resource("edm:isShownAt", pageAddress(view)),
    first && resource("edm:isShownBy", shownAt(view, first)),
    picture && resource("edm:object", imageAddress(view, picture)),
    literal("edm:provider", museum),
    free.map((entry) => literal("dc:rights", entry)),
    resource("edm:rights", rights ?? NOT_EVALUATED),
  );
}

/** "Copyright not evaluated", for records without a rights statement: EDM requires one. */
const NOT_EVALUATED = "http://rightsstatements.org/vocab/CNE/1.0/";
