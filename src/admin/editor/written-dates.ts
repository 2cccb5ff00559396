/** Turns dates in words into EDTF, and keeps their wording in the field for the date as written. */
import { parseEdtf } from "../../records/dates/edtf.ts";
import { suggestDates } from "../../records/dates/readings.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Entry } from "../../records/record.ts";
import type { Field } from "../../records/schema.ts";
import { ENTRY, type Values, valuesOfForm } from "./values.ts";

/** Separates the wordings of several dates. */
const BETWEEN = "; ";

/** The EDTF of words with only one reading; null for EDTF itself, and for words on whose meaning people must decide. */
export function readingOfWords(text: string): string | null {
  if (parseEdtf(text.trim())) return null;
  const [reading, another] = suggestDates(text);
  return another === undefined ? (reading ?? null) : null;
}

/** The field for the wording of a date: the pattern is that of the date with `_text`. */
export const wordingFieldOf = (fields: readonly Field[], { mapping }: Field): Field | undefined =>
  fields.find((field) => field.field_type === "text" && field.mapping.pattern === `${mapping.pattern}_text`);

/** The values, with dates in words turned into EDTF where possible. */
export function withReadDates(fields: readonly Field[], values: Values): Values {
  let read = values;
  for (const field of fields) {
    const entries = values.metadata[field.name] ?? [];
    if (field.field_type !== "date" || !entries.some(({ value }) => readingOfWords(value))) continue;
    const words = entries.filter(({ value }) => readingOfWords(value)).map(({ value }) => value.trim());
    const edtf = entries.map((entry) => ({ ...entry, value: readingOfWords(entry.value) ?? entry.value }));
    const metadata = { ...read.metadata, [field.name]: edtf };
    read = withWording(fields, field, words, { ...read, metadata });
  }
  return read;
}

/** The same for a sent form. If the form asks for it, one date that cannot be read moves to the field for the wording. */
export function typedValues(fields: readonly Field[], kind: Kind, form: ReadonlyMap<string, string>): Values {
  const control = form.get("wording") ?? "";
  const words = form.get(control)?.trim();
  const field = fields.find(({ name }) => name === ENTRY.exec(control)?.[1]);
  if (!words || !field || !wordingFieldOf(fields, field)) {
    return withReadDates(fields, valuesOfForm(kind, form));
  }
  const others = new Map([...form].filter(([name]) => name !== control));
  return withWording(fields, field, [words], withReadDates(fields, valuesOfForm(kind, others)));
}

/**
 * Adds the typed words to the wording. Keeps all words there, except those of a date that is no longer in the
 * field.
 */
function withWording(
  fields: readonly Field[],
  date: Field,
  words: readonly string[],
  values: Values,
): Values {
  const field = wordingFieldOf(fields, date);
  if (!field) return values;
  const dates = new Set(values.metadata[date.name]?.map(({ value }) => value.trim()));
  const before = values.metadata[field.name] ?? [];
  const unmarked = before.find(({ lang }) => lang === undefined);
  const stay = (unmarked?.value ?? "").split(BETWEEN).filter((part) => {
    const edtf = readingOfWords(part);
    return part.trim() !== "" && (edtf === null || dates.has(edtf));
  });
  const wording: Entry = { value: [...new Set([...stay, ...words])].join(BETWEEN) };
  const entries = [...before.filter((entry) => entry !== unmarked), wording];
  return { ...values, metadata: { ...values.metadata, [field.name]: entries } };
}
