/** Checks metadata against the installation's schema (interface §2). Pure: every fault at once, with its pointer. */

import { UUID } from "../ids.ts";
import { isLanguageTag, NO_LANGUAGE_TAG } from "../language-tag.ts";
import { didYouMean } from "../nearest.ts";
import { type Fault, jsonPointer } from "../problem.ts";
import { isBlank, textFault } from "../text.ts";
import { authorityFault } from "./authority-ids.ts";
import { suggestDates } from "./date-suggestions.ts";
import { parseEdtf } from "./edtf.ts";
import { type Kind, kinds } from "./kinds.ts";
import { type Entry, hasEntry, type Metadata, tidyEntry, trimmedEntry } from "./record.ts";
import type { Field, FieldType, Schema } from "./schema.ts";
import { fieldsOf } from "./schema.ts";

/** Characters in one value. */
const LONGEST_VALUE = 100_000;
/** Entries of one field. */
const MOST_ENTRIES = 1_000;
/** How many unknown names get a "did you mean". */
const MOST_COMPARED = 20;

const NUMBER = /^[+-]?\d{1,30}(\.\d{1,30})?$/;

/** The tag, if it names a language: none for `und`, `zxx`, `mul` and `mis`. */
export function namedLanguage(tag: string | null | undefined): string | undefined {
  const named = tag && isLanguageTag(tag) && !/^(und|zxx|mul|mis)(-|$)/i.test(tag);
  return named ? tag : undefined;
}

/**
 * Faults of metadata against the installation's schema. The structure was checked before.
 *
 * @param before what the record had: such an entry may have any language, since earlier versions accepted more
 */
export function metadataFaults(
  schema: Schema,
  kind: Kind,
  metadata: Metadata,
  before: Metadata = {},
): Fault[] {
  const fields = fieldsOf(schema, kind);
  const faults: Fault[] = [];
  for (const [name, entries] of Object.entries(metadata)) {
    const at = jsonPointer("metadata_", name);
    const field = fields.get(name);
    if (!field) {
      const hint = faults.length < MOST_COMPARED ? didYouMean(name, fields.keys()) : "";
      const unknown = `${kinds[kind].one} has no field ${JSON.stringify(name.slice(0, 80))}`;
      faults.push({ pointer: at, detail: unknown + hint });
      continue;
    }
    if (entries.length > MOST_ENTRIES) {
      faults.push({ pointer: at, detail: `more than ${MOST_ENTRIES} entries` });
      continue;
    }
    entries.forEach((entry, index) => {
      const fault = hasEntry(before[name] ?? [], entry)
        ? entryFault(schema, field, { value: entry.value })
        : entryFault(schema, field, entry);
      if (fault) faults.push({ pointer: `${at}/${index}/${fault.part}`, detail: fault.detail });
    });
    if (!field.is_repeatable) faults.push(...repetition(field, entries, at));
  }
  return faults;
}

/** Required fields without a value, which prevent publication. */
export function missingFaults(schema: Schema, kind: Kind, metadata: Metadata): Fault[] {
  return [...fieldsOf(schema, kind).values()]
    .filter((field) => field.is_required && !metadata[field.name]?.length)
    .map((field) => ({
      pointer: jsonPointer("metadata_", field.name),
      detail: `${field.name} is required for publication`,
    }));
}

/** A field that is not repeatable has one entry, or one for each language when it is translatable. */
function repetition(field: Field, entries: readonly Entry[], at: string): Fault[] {
  const seen = new Set<string>();
  const faults: Fault[] = [];
  entries.forEach((entry, index) => {
    const language = field.is_translatable ? (entry.lang ?? "").toLowerCase() : "";
    if (seen.has(language)) {
      faults.push({
        pointer: `${at}/${index}`,
        detail: field.is_translatable
          ? `${field.name} is not repeatable: one entry per language`
          : `${field.name} is not repeatable: one entry`,
      });
    }
    seen.add(language);
  });
  return faults;
}

function entryFault(
  schema: Schema,
  field: Field,
  entry: Entry,
): { part: "value" | "lang"; detail: string } | null {
  const { value, lang } = entry;
  if (value.length > LONGEST_VALUE) {
    return { part: "value", detail: `has ${value.length} characters, the limit is ${LONGEST_VALUE}` };
  }
  const untold = textFault(value);
  if (untold) return { part: "value", detail: untold };
  if (isBlank(value)) return { part: "value", detail: "is empty; leave the entry out" };
  if (lang !== undefined && !isLanguageTag(lang)) {
    return { part: "lang", detail: `${JSON.stringify(lang.slice(0, 40))} ${NO_LANGUAGE_TAG}` };
  }
  const detail = CHECKS[field.field_type](value, field, schema);
  return detail ? { part: "value", detail } : null;
}

/** Why a value is not valid for its field; null if it is. */
type Check = (value: string, field: Field, schema: Schema) => string | null;

const anything: Check = () => null;
const shown = (value: string) => JSON.stringify(value.slice(0, 80));
const demand =
  (suits: (value: string) => boolean, otherwise: string): Check =>
  (value) =>
    suits(value) ? null : `${shown(value)} ${otherwise}`;

/** A type without a check does not compile. */
const CHECKS: Readonly<Record<FieldType, Check>> = {
  text: anything,
  richtext: anything,
  vocab_free: anything,
  measurement: anything,
  date: dateFault,
  number: demand((value) => NUMBER.test(value), "is not a decimal number"),
  boolean: demand((value) => value === "true" || value === "false", "is neither true nor false"),
  url: demand(isWebAddress, "is not an http or https address"),
  geo: demand(isCoordinates, 'is not a "latitude,longitude" in decimal degrees'),
  authority: (value, { name }) => authorityFault(name, value),
  relation: demand((value) => UUID.test(value), "is not a record id (UUID)"),
  vocab: (value, { vocabulary }, { terms }) =>
    vocabulary && terms.get(vocabulary)?.has(value)
      ? null
      : `${shown(value)} is not a term of the vocabulary ${vocabulary}`,
};

function dateFault(value: string): string | null {
  if (parseEdtf(value)) return null;
  const read = suggestDates(value);
  const hint =
    read.length > 0
      ? `; did you mean ${read.join(" or ")}?`
      : ", for example 1920, 1920-05, 1920~, 192X, 1900/1910";
  return `${shown(value)} is not an EDTF date${hint}`;
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

function isCoordinates(value: string): boolean {
  const parts = value.split(",").map((part) => part.trim());
  if (parts.length !== 2 || !parts.every((part) => NUMBER.test(part))) return false;
  return Math.abs(Number(parts[0])) <= 90 && Math.abs(Number(parts[1])) <= 180;
}

/**
 * Metadata in its stored form: fields in the order of the schema, no empty lists, no undefined languages, no blanks
 * around values. Rich text keeps its blanks.
 */
export function tidyMetadata(schema: Schema, kind: Kind, metadata: Metadata): Metadata {
  const tidy: Metadata = {};
  for (const { name, field_type } of fieldsOf(schema, kind).values()) {
    const entries = metadata[name];
    if (!entries || entries.length === 0) continue;
    tidy[name] = entries.map(field_type === "richtext" ? tidyEntry : trimmedEntry);
  }
  return tidy;
}
