/** The public addresses of delivered records and files. */

import type { PublicMedium } from "../records/public/loaded.ts";
import { fileIri, imageServiceIri, manifestIri, recordIri } from "./iris.ts";
import type { DeliveredView } from "./view.ts";

/** The record's page, which is also its IRI. */
export const pageAddress = ({ around, record: { row } }: DeliveredView): string =>
  recordIri(around.baseUrl, row.record_type, row.id);

export const fileAddress = (view: DeliveredView, { id }: PublicMedium): string =>
  fileIri(pageAddress(view), id);

/** The picture's service (IIIF Image API 3.0). */
export const imageService = ({ around }: DeliveredView, { storage_key }: PublicMedium): string =>
  imageServiceIri(around.baseUrl, storage_key);

/** @param longest pixels of the longer side; without it, as large as there is */
export const imageAddress = (view: DeliveredView, medium: PublicMedium, longest?: number): string =>
  `${imageService(view, medium)}/full/${longest === undefined ? "max" : `!${longest},${longest}`}/0/default.jpg`;

export const manifestAddress = ({ around, record: { row } }: DeliveredView): string =>
  manifestIri(around.baseUrl, row.id);
