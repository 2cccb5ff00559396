/** The IRIs of nodes. */
import { type Kind, kinds } from "../records/kinds.ts";

/** The IRI of a record (interface §4). */
export const recordIri = (baseUrl: string, kind: Kind, id: string): string =>
  `${baseUrl}/${kinds[kind].plural}/${id}`;

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
