/** The administrative half of a LIDO record: rights, the record itself, files. */
import type { PublicMedium } from "../../records/public/loaded.ts";
import type { Entry } from "../../records/record.ts";
import { rightsIri } from "../../vocabularies/rights.ts";
import type { Xml } from "../../xml.ts";
import { fileAddress, imageAddress, manifestAddress, pageAddress } from "../addresses.ts";
import { valuesBy } from "../named.ts";
import { statementOf } from "../rights.ts";
import type { DeliveredView } from "../view.ts";
import type { NamedLink } from "./lido-events.ts";
import { objectSet } from "./lido-named.ts";
import { type Concept, concept, conceptOf, from, holder, lido, localId, names, text } from "./lido-parts.ts";
import { ITEM_LEVEL, PROVIDED_IMAGE, SPECIFIC_RIGHTS, THUMBNAIL } from "./lido-terms.ts";

export function administrativeMetadata(view: DeliveredView, links: readonly NamedLink[], lang: string): Xml {
  return lido(
    "administrativeMetadata",
    { "xml:lang": lang },
    rightsWork(view),
    recordWrap(view, links),
    resources(view),
  );
}

function rightsWork(view: DeliveredView): Xml | null {
  const { row } = view.record;
  const rights = valuesBy(view, row, "right").flatMap(({ field, entries }) =>
    entries.map((entry) => rightsType(conceptOf(view, field, entry))),
  );
  const holders = valuesBy(view, row, "rights_holder").flatMap(({ field, entries }) =>
    entries.map((entry) => legalBody("rightsHolder", [entry], from(field))),
  );
  const credits = valuesBy(view, row, "credit").flatMap(({ field, entries }) =>
    entries.map((entry) => text("creditLine", entry, from(field))),
  );
  const set = holder("rightsWorkSet", {}, rights, holders, credits);
  return set && lido("rightsWorkWrap", {}, set);
}

const rightsType = (rights: Concept): Xml => concept("rightsType", rights, { "lido:type": SPECIFIC_RIGHTS });

const legalBody = (name: string, called: readonly Entry[], attributes = {}): Xml =>
  lido(
    name,
    {},
    lido(
      "legalBodyName",
      {},
      called.map((entry) => text("appellationValue", entry, attributes)),
    ),
  );

function recordWrap(view: DeliveredView, links: readonly NamedLink[]): Xml {
  const { row } = view.record;
  const collections = links.filter(({ type, outgoing }) => outgoing && type.name === "in_collection");
  return lido(
    "recordWrap",
    {},
    localId("recordID", row.idno),
    concept("recordType", {
      uris: [ITEM_LEVEL],
      terms: [
        { value: "Item-level record", lang: "en" },
        { value: "Einzelobjekt", lang: "de" },
      ],
    }),
    lido(
      "recordSource",
      {},
      names("legalBodyName", view.museum.names),
      lido("legalBodyWeblink", {}, view.museum.homepage),
    ),
    // the rights of the metadata, not of the work
    view.museum.rights &&
      lido("recordRights", {}, concept("rightsType", { uris: [view.museum.rights], terms: [] })),
    lido(
      "recordInfoSet",
      {},
      lido("recordInfoLink", { "lido:formatResource": "text/html" }, pageAddress(view)),
      lido("recordMetadataDate", {}, `${row.updated_at.slice(0, 19)}Z`),
    ),
    collections.map(({ named }) => objectSet(view, named, "collection")),
  );
}

function resources(view: DeliveredView): Xml | null {
  return holder(
    "resourceWrap",
    {},
    view.record.media.map((medium, index) => resource(view, medium, index + 1)),
  );
}

const RESOURCE_TYPES: Readonly<Record<string, readonly [en: string, de: string]>> = {
  image: ["digital image", "Digitales Bild"],
  pdf: ["text document", "Textdokument"],
  audio: ["sound recording", "Tonaufnahme"],
  video: ["moving image", "Bewegtbild"],
  "3d": ["3D model", "3D-Modell"],
};

function resource(view: DeliveredView, medium: PublicMedium, order: number): Xml {
  const representation = (address: string, formatResource: string, type?: string) =>
    lido(
      "resourceRepresentation",
      { "lido:type": type },
      lido("linkResource", { "lido:formatResource": formatResource }, address),
    );
  const isImage = medium.category === "image";
  const [en, de] = RESOURCE_TYPES[medium.category] ?? [medium.category, medium.category];
  const terms = [
    { value: en, lang: "en" },
    { value: de, lang: "de" },
  ];
  return lido(
    "resourceSet",
    { "lido:sortorder": String(order) },
    localId("resourceID", medium.id),
    isImage
      ? [
          representation(imageAddress(view, medium), "image/jpeg", PROVIDED_IMAGE),
          representation(imageAddress(view, medium, 400), "image/jpeg", THUMBNAIL),
          representation(manifestAddress(view), "application/ld+json"),
        ]
      : representation(fileAddress(view, medium), medium.mime_type),
    concept("resourceType", { uris: [], terms }),
    medium.caption.map((entry) => text("resourceDescription", entry)),
    medium.alt_text.map((entry) => text("resourceDescription", entry, { "lido:type": "alt text" })),
    rightsResource(view, medium),
  );
}

/** Portals require a right for each file. A file without a licence has the rights statement of its object. */
function rightsResource(view: DeliveredView, { license_uri, rights_holder }: PublicMedium): Xml | null {
  const uri = license_uri === null ? statementOf(view) : rightsIri(license_uri);
  return holder(
    "rightsResource",
    {},
    uri && rightsType({ uris: [uri], terms: [] }),
    rights_holder && legalBody("rightsHolder", [{ value: rights_holder }]),
  );
}
