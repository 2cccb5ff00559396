/** The administrative half of a LIDO record: rights, the record itself, files. */
import type { PublicMedium } from "../../records/public/loaded.ts";
import { entriesOf } from "../../records/record.ts";
import { rightsIri } from "../../vocabularies/rights.ts";
import type { Attributes, Xml } from "../../xml.ts";
import { fileAddress, imageAddress, manifestAddress, pageAddress } from "../addresses.ts";
import { statementOf } from "../rights.ts";
import type { DeliveredView } from "../view.ts";
import type { NamedLink } from "./lido-events.ts";
import { objectSet } from "./lido-named.ts";
import { concept, conceptsBy, holder, lido, lidoWith, localId, names, text, textsBy } from "./lido-parts.ts";
import { ITEM_LEVEL, PROVIDED_IMAGE, SPECIFIC_RIGHTS, THUMBNAIL } from "./lido-terms.ts";

export function administrativeMetadata(view: DeliveredView, links: readonly NamedLink[], lang: string): Xml {
  return lidoWith(
    "administrativeMetadata",
    { "xml:lang": lang },
    rightsWork(view),
    recordWrap(view, links),
    resources(view),
  );
}

function rightsWork(view: DeliveredView): Xml | null {
  const set = holder(
    "rightsWorkSet",
    conceptsBy(view, "right", "rightsType", SPECIFIC),
    textsBy(view, "rights_holder", "appellationValue").map(rightsHolder),
    textsBy(view, "credit", "creditLine"),
  );
  return set && lido("rightsWorkWrap", set);
}

const SPECIFIC: Attributes = { "lido:type": SPECIFIC_RIGHTS };

const rightsHolder = (name: Xml): Xml => lido("rightsHolder", lido("legalBodyName", name));

function recordWrap(view: DeliveredView, links: readonly NamedLink[]): Xml {
  const { row } = view.record;
  const collections = links.filter(({ type, outgoing }) => outgoing && type.name === "in_collection");
  return lido(
    "recordWrap",
    localId("recordID", row.idno),
    concept("recordType", {
      uris: [ITEM_LEVEL],
      terms: entriesOf({ en: "Item-level record", de: "Einzelobjekt" }),
    }),
    lido(
      "recordSource",
      names("legalBodyName", view.museum.names),
      lido("legalBodyWeblink", view.museum.homepage),
    ),
    // the rights of the metadata, not of the work
    view.museum.rights &&
      lido("recordRights", concept("rightsType", { uris: [view.museum.rights], terms: [] })),
    lido(
      "recordInfoSet",
      lidoWith("recordInfoLink", { "lido:formatResource": "text/html" }, pageAddress(view)),
      lido("recordMetadataDate", `${row.updated_at.slice(0, 19)}Z`),
    ),
    collections.map(({ named }) => objectSet(view, named, "collection")),
  );
}

function resources(view: DeliveredView): Xml | null {
  return holder(
    "resourceWrap",
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
    lidoWith(
      "resourceRepresentation",
      { "lido:type": type },
      lidoWith("linkResource", { "lido:formatResource": formatResource }, address),
    );
  const isImage = medium.category === "image";
  const [en, de] = RESOURCE_TYPES[medium.category] ?? [medium.category, medium.category];
  return lidoWith(
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
    concept("resourceType", { uris: [], terms: entriesOf({ en, de }) }),
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
    uri && concept("rightsType", { uris: [uri], terms: [] }, SPECIFIC),
    rights_holder && rightsHolder(text("appellationValue", { value: rights_holder })),
  );
}
