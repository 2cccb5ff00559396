/** Names of facets that are not fields: subtypes, collection statuses, and dates by decade and century (in EDTF: `193X`, `19XX`). */

/** A date that covers more decades (or centuries) than this is too vague and is not counted by them. */
const MOST = 10;

/** The facets with the decades and the centuries of a date field. The names of fields have no dots. */
export const decadesOf = (field: string): string => `${field}.decade`;
export const centuriesOf = (field: string): string => `${field}.century`;
/** The facet with the subtypes of a kind of record. */
export const subtypesOf = (kind: string): string => `${kind}.type`;
/** The facet with the makers of objects (`maker-facet.ts`). */
export const MAKERS = "object.maker";
/** The facet with the collection statuses of objects. */
export const COLLECTION_STATUS = "object.collection_status";

export function buckets(first: number, last: number): { decades: string[]; centuries: string[] } {
  return { decades: periods(first, last, 10), centuries: periods(first, last, 100) };
}

function periods(first: number, last: number, years: 10 | 100): string[] {
  const from = Math.trunc(first / years);
  const to = Math.trunc(last / years);
  if (to - from >= MOST || Math.abs(first) > 9999 || Math.abs(last) > 9999) return [];
  const all = new Set<string>();
  for (let n = from; n <= to; n++) {
    const digits = String(Math.abs(n)).padStart(years === 10 ? 3 : 2, "0");
    const before = n < 0 || (n === 0 && last < 0) ? "-" : "";
    all.add(`${before}${digits}${years === 10 ? "X" : "XX"}`);
  }
  return [...all];
}
