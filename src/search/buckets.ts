/** Facets that are not fields: subtypes, collection statuses, and dates by decade and century (in EDTF: `193X`, `19XX`). */
import { parseEdtf } from "../records/dates/edtf.ts";

/** A date that covers more decades (or centuries) than this is too vague to be counted in them. */
const MOST = 10;

/** The facets of a date field. Names of fields have no dots. */
export const decadesOf = (field: string): string => `${field}.decade`;
export const centuriesOf = (field: string): string => `${field}.century`;
/** The facet with the subtypes of a kind of record. */
export const subtypesOf = (kind: string): string => `${kind}.type`;
/** The facet with the makers of objects (`maker-facet.ts`). */
export const MAKERS = "object.maker";
/** The facet that says who sees a picture of an object: `public` or `private` (`pictureOf`). */
export const PICTURES = "object.picture";
/** The facet with the collection statuses of objects. */
export const COLLECTION_STATUS = "object.collection_status";

/** Years are astronomical (0 is 1 BC); `last` is included. */
export function buckets(first: number, last: number): { decades: string[]; centuries: string[] } {
  return { decades: periods(first, last, 10), centuries: periods(first, last, 100) };
}

function periods(first: number, last: number, size: 10 | 100): string[] {
  if (Math.abs(first) > 9999 || Math.abs(last) > 9999) return [];
  const all: string[] = [];
  for (let year = first; year <= last; year = yearsOf(all.at(-1)!)!.to + 1) {
    if (all.length === MOST) return [];
    all.push(bucketOf(year, size));
  }
  return all;
}

/** Astronomical years; both included. */
export type Years = { from: number; to: number };

/** The decade (`193X`) or century (`19XX`) of a year: 1 BC is in `-00XX`, AD 1 in `00XX`. */
export function bucketOf(year: number, size: 10 | 100): string {
  const digits = String(Math.trunc(Math.abs(year) / size)).padStart(size === 10 ? 3 : 2, "0");
  return `${year <= 0 ? "-" : ""}${digits}${size === 10 ? "X" : "XX"}`;
}

/** Null for anything but a decade or century. */
export const yearsOf = (bucket: string): Years | null =>
  /^-?(\d{3}X|\d{2}XX)$/.test(bucket) ? yearsIn(bucket) : null;

/** The first and last year of a date; null if it is open at an end or is not EDTF. */
export function yearsIn(edtf: string): Years | null {
  const date = parseEdtf(edtf);
  if (!date?.earliest || !date.latest) return null;
  return { from: Number.parseInt(date.earliest, 10), to: Number.parseInt(date.latest, 10) };
}
