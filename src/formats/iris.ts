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
