/** Dates of the catalogue: EDTF for programs, words for people. */
export type { Language } from "./date-words.ts";
export { type EdtfDate, parseEdtf } from "./edtf.ts";
export { readWrittenDate, saysUndated } from "./written-dates.ts";
