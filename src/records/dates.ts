/** Dates of the catalogue: EDTF for the machine, what people write for the eye. */
export type { Language } from "./date-words.ts";
export { type EdtfDate, parseEdtf } from "./edtf.ts";
export { readWrittenDate, saysUndated } from "./written-dates.ts";
