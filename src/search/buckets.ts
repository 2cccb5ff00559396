/** What the index counts beside the fields: subtypes, where objects stand, and dates by decade and century as EDTF writes them (`193X`, `19XX`). */

/** Decades, or centuries, that one date is counted in; a date that touches more is too vague for them. */
const MOST = 10;

/** Name under which the index counts the decades of a date field, and its centuries. No field's name has a dot. */
export const decadesOf = (field: string): string => `${field}.decade`;
export const centuriesOf = (field: string): string => `${field}.century`;
/** The same for the subtypes of a kind of record. */
export const subtypesOf = (kind: string): string => `${kind}.type`;
/** And for the collection statuses of objects. */
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
