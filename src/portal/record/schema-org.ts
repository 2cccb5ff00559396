/** A record, and the museum, in the words of https://schema.org, for search engines. */
import { asIri } from "../../iri.ts";
import { languages } from "../../messages/translate.ts";
import { museum } from "../../pages/schema-org.ts";
import type { View } from "../../pages/view.ts";
import { dateInWords } from "../../records/dates/in-words.ts";
import type { Kind } from "../../records/kinds.ts";
import { isPicture, sizedImage } from "../../records/media/pictures.ts";
import { authorityIri } from "../../records/write/authority-ids.ts";
import { rightsIri } from "../../vocabularies/rights.ts";
import { recordAddress } from "../addresses.ts";
import { rightsOf } from "./rights-summary.ts";
import { type Link, linkedBy, linkedMakers, makersOf, type RecordView, valuesOf } from "./view.ts";

const TYPES: Readonly<Record<Kind, string>> = {
  object: "VisualArtwork",
  entity: "Person",
  place: "Place",
  occurrence: "Event",
  procedure: "Action",
  collection: "Collection",
  storage_location: "Place",
};
/** Pixels of pictures that search engines show. */
const PICTURE = 1_200;
const MOST_PICTURES = 10;
const typeOf = ({ record_type, subtype }: { record_type: Kind; subtype: string }): string =>
  record_type === "entity" && subtype !== "person" ? "Organization" : TYPES[record_type];

/** The dates that schema.org knows (ISO 8601). EDTF also has seasons, written as further months. */
const DATE = /^\d{4}(-(0\d|1[0-2])(-\d\d)?)?$/;

/** For the home page: the museum, and how to search its catalogue (https://schema.org/SearchAction). */
export function aboutTheMuseum(baseUrl: string, view: View, summary: string): unknown {
  const { address, homepage_url } = view.settings;
  const id = asIri(`${homepage_url ?? baseUrl}#museum`);
  return {
    "@context": "https://schema.org",
    "@graph": [
      { ...museum(baseUrl, view), "@id": id, address: address === "" ? undefined : address },
      {
        "@type": "WebSite",
        "@id": `${baseUrl}/#website`,
        url: `${baseUrl}/`,
        name: view.name,
        description: summary,
        inLanguage: languages(),
        publisher: { "@id": id },
        potentialAction: {
          "@type": "SearchAction",
          target: { "@type": "EntryPoint", urlTemplate: `${baseUrl}/search?q={search_term_string}` },
          "query-input": "required name=search_term_string",
        },
      },
    ],
  };
}

export function schemaOrg(baseUrl: string, view: View, record: RecordView, summary: string | null): unknown {
  const { row, title } = record;
  const address = baseUrl + recordAddress(row);
  return {
    "@context": "https://schema.org",
    "@type": typeOf(row),
    "@id": address,
    url: address,
    name: title.value,
    identifier: row.idno,
    description: summary ?? undefined,
    sameAs: some(sameAs(record)),
    ...ofKind(baseUrl, view, record),
    ...(row.record_type === "object" || row.record_type === "collection"
      ? {
          license: some(rightsOf(record).flatMap((address) => rightsIri(address) ?? [])),
          provider: museum(baseUrl, view),
        }
      : {}),
  };
}

function ofKind(baseUrl: string, { t }: View, record: RecordView): Record<string, unknown> {
  const { row } = record;
  const values = (name: string) => some(valuesOf(record, name));
  const day = (name: string) => valuesOf(record, name).find((value) => DATE.test(value));
  const linked = (type: string) => some(linkedBy(record, type).map((item) => named(baseUrl, item)));
  switch (row.record_type) {
    case "object":
      return {
        ...makers(baseUrl, record),
        dateCreated: day("date"),
        temporal:
          day("date") === undefined
            ? some(valuesOf(record, "date").map((value) => dateInWords(value, t.language)))
            : undefined,
        material: values("material"),
        artform: values("object_name"),
        keywords: values("subject"),
        creditText: valuesOf(record, "credit_line")[0],
        isPartOf: linked("in_collection"),
        locationCreated: linked("made_at"),
        image: some(
          record.media
            .filter(isPicture)
            .slice(0, MOST_PICTURES)
            .map((picture) => sizedImage(baseUrl, picture, PICTURE).address),
        ),
      };
    case "entity":
      return row.subtype === "person"
        ? { birthDate: day("birth_date"), deathDate: day("death_date"), jobTitle: values("role") }
        : { foundingDate: day("formation"), dissolutionDate: day("dissolution") };
    case "occurrence":
      return { ...beginAndEnd(valuesOf(record, "date")[0]), location: linked("took_place_at") };
    default:
      return row.lat === null || row.lon === null
        ? {}
        : { geo: { "@type": "GeoCoordinates", latitude: row.lat, longitude: row.lon } };
  }
}

/** A maker with a qualifier ("workshop of") is not the creator, so only the words are given. A commissioner is a contributor. */
function makers(baseUrl: string, record: RecordView): Record<string, unknown> {
  const linked = linkedBy(record, "created_by");
  const made = linkedMakers(record);
  const written = made.length === 0 ? makersOf(record).map((name) => ({ "@type": "Person", name })) : [];
  const plain = (links: readonly Link[]) =>
    links.filter(({ isQualified }) => !isQualified).map((item) => named(baseUrl, item));
  return {
    creator: some([...plain(made), ...written]),
    contributor: some(plain(linked.filter(({ isMaker }) => !isMaker))),
    disambiguatingDescription: some(
      linked.filter(({ isQualified }) => isQualified).map(({ title }) => title),
    ),
  };
}

function beginAndEnd(date = ""): { startDate?: string | undefined; endDate?: string | undefined } {
  const [startDate, endDate] = date.split("/").map((end) => (DATE.test(end) ? end : undefined));
  return { startDate, endDate };
}

/** Undefined for an empty list, so that JSON omits it. */
const some = <T>(all: readonly T[]): T | readonly T[] | undefined => (all.length > 1 ? all : all[0]);

const named = (baseUrl: string, item: Link) => ({
  "@type": typeOf(item),
  "@id": baseUrl + recordAddress(item),
  name: item.title,
});

/** The addresses of the record in authority files. */
function sameAs({ fields }: RecordView): string[] {
  return fields
    .filter(({ field }) => field.field_type === "authority")
    .flatMap(({ field, entries }) =>
      entries.flatMap(({ value }) => {
        const iri = asIri(authorityIri(field.name, value) ?? value);
        return iri === null ? [] : [iri];
      }),
    );
}
