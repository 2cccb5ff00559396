/** The IRIs of nodes. */
import { type Kind, kinds } from "../records/kinds.ts";

/** The IRI of a record (interface §4). */
export const recordIri = (baseUrl: string, kind: Kind, id: string): string =>
  `${baseUrl}/${kinds[kind].plural}/${id}`;

/** @param record the IRI of the object */
export const fileIri = (record: string, id: string): string => `${record}/media/${id}/file`;

/** The service of a picture (IIIF Image API 3.0): the name of its file in the store, which is its id and its ending (contract §4.4). */
export const imageServiceIri = (baseUrl: string, storageKey: string): string =>
  `${baseUrl}/iiif/3/${storageKey.slice(storageKey.lastIndexOf("/") + 1)}`;

/** The IIIF manifest of an object. */
export const manifestIri = (baseUrl: string, id: string): string =>
  `${baseUrl}/iiif/presentation/3/objects/${id}/manifest`;

/** The named graph of a record (contract §4.5). */
export const graphName = (kind: Kind, id: string): string => `urn:svc:graph:${kind}:${id}`;

/** Characters that IRIs must not contain (RFC 3987 §2.2). In Turtle and N-Triples they would break the document. */
const UNFIT = /[\s<>"{}|\\^`\p{Cc}]/gu;
const SCHEME = /^(https?:\/\/|urn:)\S/i;

/** A web address or URN as allowed in RDF, with other characters percent-encoded; null if it is not one. */
export function asIri(address: string): string | null {
  const trimmed = address.trim();
  if (!SCHEME.test(trimmed)) return null;
  const iri = trimmed.replace(UNFIT, encodeURIComponent);
  return URL.canParse(iri) ? iri : null;
}
