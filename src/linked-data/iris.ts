/** The IRIs of nodes. */
import { type Kind, kinds } from "../records/kinds.ts";

/** What a record is called in linked data (interface §4). */
export const recordIri = (baseUrl: string, kind: Kind, id: string): string =>
  `${baseUrl}/${kinds[kind].plural}/${id}`;

/** The named graph of a record (contract §4.5). */
export const graphName = (kind: Kind, id: string): string => `urn:svc:graph:${kind}:${id}`;

/** What an IRI has no place for (RFC 3987 §2.2); in Turtle and N-Triples any of them breaks the document. */
const UNFIT = /[\s<>"{}|\\^`\p{Cc}]/gu;
const SCHEME = /^(https?:\/\/|urn:)\S/i;

/** A web address or URN as allowed in RDF, with other characters percent-encoded; null if it is not one. */
export function asIri(address: string): string | null {
  const trimmed = address.trim();
  if (!SCHEME.test(trimmed)) return null;
  const iri = trimmed.replace(UNFIT, encodeURIComponent);
  return URL.canParse(iri) ? iri : null;
}
