/** The files under /dumps/ for portals of open data (https://www.w3.org/TR/vocab-dcat-3/) and search engines (https://schema.org/Dataset). */
import { asIri } from "../iri.ts";
import { languages, translator } from "../messages/translate.ts";
import { museum } from "../pages/schema-org.ts";
import type { View } from "../pages/view.ts";
import type { Settings } from "../settings/settings.ts";
import { rightsIri } from "../vocabularies/rights.ts";
import type { DumpFormat, DumpSet } from "./published.ts";

/** Returns null if no files may be served. */
type Files = DumpSet | null;

const MEDIA_TYPES: Record<DumpFormat, string> = {
  ndjson: "application/x-ndjson",
  nquads: "application/n-quads",
  lido: "application/xml",
};
/** The standards of their contents. */
const STANDARDS: Partial<Record<DumpFormat, string>> = {
  nquads: "http://www.cidoc-crm.org/cidoc-crm/",
  lido: "http://www.lido-schema.org/",
};

const XSD = "http://www.w3.org/2001/XMLSchema#";
const iri = (id: string) => ({ "@id": id, "@type": "@id" });
const typed = (id: string, type: string) => ({ "@id": id, "@type": `${XSD}${type}` });
const perLanguage = (id: string) => ({ "@id": id, "@container": "@language" });
const CONTEXT = {
  dcat: "http://www.w3.org/ns/dcat#",
  dct: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  spdx: "http://spdx.org/rdf/terms#",
  id: "@id",
  type: "@type",
  title: perLanguage("dct:title"),
  description: perLanguage("dct:description"),
  modified: typed("dct:modified", "dateTime"),
  frequency: iri("dct:accrualPeriodicity"),
  license: iri("dct:license"),
  conformsTo: iri("dct:conformsTo"),
  publisher: "dct:publisher",
  name: perLanguage("foaf:name"),
  homepage: iri("foaf:homepage"),
  landingPage: iri("dcat:landingPage"),
  distribution: "dcat:distribution",
  accessURL: iri("dcat:accessURL"),
  downloadURL: iri("dcat:downloadURL"),
  mediaType: iri("dcat:mediaType"),
  compressFormat: iri("dcat:compressFormat"),
  byteSize: typed("dcat:byteSize", "nonNegativeInteger"),
  checksum: "spdx:checksum",
  algorithm: iri("spdx:algorithm"),
  checksumValue: typed("spdx:checksumValue", "hexBinary"),
};
const media = (type: string) => `https://www.iana.org/assignments/media-types/${type}`;

/** In every language of the program. */
const inLanguages = (key: "catalogue" | "dumps.lead" | `dumps.format.${DumpFormat}`) =>
  Object.fromEntries(languages().map((language) => [language, translator(language)(key)]));

export function dcat(baseUrl: string, settings: Settings, set: Files): unknown {
  const page = `${baseUrl}/dumps/`;
  const name = Object.keys(settings.name).length > 0 ? settings.name : inLanguages("catalogue");
  const license = rightsIri(settings.metadata_rights ?? "") ?? undefined;
  const homepage = asIri(settings.homepage_url ?? "") ?? `${baseUrl}/`;
  return {
    "@context": CONTEXT,
    id: `${page}#dataset`,
    type: "dcat:Dataset",
    title: name,
    description: inLanguages("dumps.lead"),
    landingPage: page,
    modified: set?.made_at,
    frequency: "http://publications.europa.eu/resource/authority/frequency/DAILY",
    license,
    publisher: { id: `${homepage}#museum`, type: "foaf:Agent", name, homepage },
    distribution: (set?.files ?? []).map((file) => ({
      id: `${page}#${file.name}`,
      type: "dcat:Distribution",
      title: inLanguages(`dumps.format.${file.format}`),
      accessURL: page,
      downloadURL: page + file.name,
      license,
      modified: set?.made_at,
      mediaType: media(MEDIA_TYPES[file.format]),
      compressFormat: media("application/gzip"),
      conformsTo: STANDARDS[file.format],
      byteSize: file.bytes,
      checksum: {
        type: "spdx:Checksum",
        algorithm: "spdx:checksumAlgorithm_sha256",
        checksumValue: file.sha256,
      },
    })),
  };
}

/** In the language of the page. */
export function dataset(baseUrl: string, view: View, set: Files): unknown {
  const { t, name, settings } = view;
  const page = `${baseUrl}/dumps/`;
  return {
    "@context": "https://schema.org",
    "@type": "Dataset",
    "@id": `${page}#dataset`,
    url: page,
    name,
    description: t("dumps.lead"),
    dateModified: set?.made_at,
    license: rightsIri(settings.metadata_rights ?? "") ?? undefined,
    isAccessibleForFree: true,
    creator: museum(baseUrl, view),
    distribution: (set?.files ?? []).map((file) => ({
      "@type": "DataDownload",
      name: file.name,
      description: t(`dumps.format.${file.format}`),
      contentUrl: page + file.name,
      encodingFormat: ["application/gzip", MEDIA_TYPES[file.format]],
      contentSize: `${file.bytes} B`,
      sha256: file.sha256,
    })),
  };
}
