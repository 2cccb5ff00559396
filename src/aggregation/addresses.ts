/** The public addresses of delivered records and files. */
import { recordIri } from "../linked-data/iris.ts";
import type { GraphMedium } from "../linked-data/loaded.ts";
import type { DeliveredView } from "./view.ts";

/** The record's page, which is also its IRI. */
export const pageAddress = ({ around, record: { row } }: DeliveredView): string =>
  recordIri(around.baseUrl, row.record_type, row.id);

export const fileAddress = (view: DeliveredView, { id }: GraphMedium): string =>
  `${pageAddress(view)}/media/${id}/file`;

/** The picture's service (IIIF Image API 3.0). */
export const imageService = ({ around }: DeliveredView, { storage_key }: GraphMedium): string =>
  // the name of the file in the store: its id and its ending (contract §4.4)
  `${around.baseUrl}/iiif/3/${storage_key.slice(storage_key.lastIndexOf("/") + 1)}`;

/** @param longest pixels of the longer side; without it, as large as there is */
export const imageAddress = (view: DeliveredView, medium: GraphMedium, longest?: number): string =>
  `${imageService(view, medium)}/full/${longest === undefined ? "max" : `!${longest},${longest}`}/0/default.jpg`;

export const manifestAddress = ({ around, record: { row } }: DeliveredView): string =>
  `${around.baseUrl}/iiif/presentation/3/objects/${row.id}/manifest`;
