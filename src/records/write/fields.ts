/** Checks metadata against the installation's schema (interface §2). Pure: every fault at once, with its pointer. */

import { UUID } from "../../ids.ts";
import { isLanguageTag, noLanguageTag } from "../../language-tag.ts";
import { type Said, said } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { type Fault, jsonPointer } from "../../problem.ts";
import { nearest, withNear } from "../../text/nearest.ts";
import { beginning, isBlank, textFault } from "../../text.ts";
import { parseEdtf } from "../dates/edtf.ts";
import { suggestDates } from "../dates/readings.ts";
import type { Kind } from "../kinds.ts";
import { type Entry, hasEntry, type Metadata, renamedEntries, tidyEntry, trimmedEntry } from "../record.ts";
import type { Field, FieldType, Schema } from "../schema.ts";
import { fieldsOf, termNow } from "../schema.ts";
import { authorityFault } from "./authority-ids.ts";

/** Characters in one value. */
const LONGEST_VALUE = 100_000;
/** Entries of one field. */
const MOST_ENTRIES = 1_000;
/** How many unknown names get a "did you mean". */
const MOST_COMPARED = 20;

const NUMBER = /^[+-]?\d{1,30}(\.\d{1,30})?$/;

export const tooLong = (value: string, limit: number): Said =>
  said("fault.length.too_long", { count: value.length, limit });

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
      const unknown = said("fault.field.unknown", { name: beginning(name, 80) });
      const near = faults.length < MOST_COMPARED ? nearest(name, fields.keys()) : undefined;
      faults.push({ pointer: at, detail: withNear(unknown, near) });
      continue;
    }
    if (entries.length > MOST_ENTRIES) {
      faults.push({
        pointer: at,
        detail: said("fault.entries.too_many", { count: entries.length, limit: MOST_ENTRIES }),
      });
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
      detail: said("fault.field.required", { field: field.name }),
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
        detail: said(field.is_translatable ? "fault.field.one_per_language" : "fault.field.one_entry", {
          field: field.name,
        }),
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
): { part: "value" | "lang"; detail: Said } | null {
  const { value, lang } = entry;
  if (value.length > LONGEST_VALUE) {
    return { part: "value", detail: tooLong(value, LONGEST_VALUE) };
  }
  const untold = textFault(value);
  if (untold) return { part: "value", detail: untold };
  if (isBlank(value)) return { part: "value", detail: said("fault.entry.empty") };
  if (lang !== undefined && !isLanguageTag(lang)) {
    return { part: "lang", detail: noLanguageTag(lang) };
  }
  const detail = CHECKS[field.field_type](value, field, schema);
  return detail ? { part: "value", detail } : null;
}

/** Why a value is not valid for its field; null if it is. */
type Check = (value: string, field: Field, schema: Schema) => Said | null;

const anything: Check = () => null;
const shown = (value: string) => beginning(value, 80);
const demand =
  (suits: (value: string) => boolean, otherwise: MessageKey): Check =>
  (value) =>
    suits(value) ? null : said(otherwise, { value: shown(value) });

/** A type without a check does not compile. */
const CHECKS: Readonly<Record<FieldType, Check>> = {
  text: anything,
  richtext: anything,
  vocab_free: anything,
  measurement: anything,
  date: dateFault,
  number: demand((value) => NUMBER.test(value), "fault.value.number"),
  boolean: demand((value) => value === "true" || value === "false", "fault.value.boolean"),
  url: demand(isWebAddress, "fault.value.url"),
  geo: demand(isCoordinates, "fault.value.geo"),
  authority: (value, { name }) => authorityFault(name, value),
  relation: demand((value) => UUID.test(value), "fault.value.relation"),
  vocab: (value, { vocabulary }, { terms }) =>
    vocabulary && terms.get(vocabulary)?.has(value)
      ? null
      : said("fault.value.vocab", { value: shown(value), vocabulary: String(vocabulary) }),
};

function dateFault(value: string): Said | null {
  if (parseEdtf(value)) return null;
  const read = suggestDates(value);
  const [date = "", other = ""] = read;
  return said("fault.value.date", { value: shown(value), count: read.length, date, other });
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
 * around values. Rich text keeps its blanks. Merged terms are the ones that they are now.
 */
export function tidyMetadata(schema: Schema, kind: Kind, metadata: Metadata): Metadata {
  const tidy: Metadata = {};
  for (const { name, field_type, vocabulary } of fieldsOf(schema, kind).values()) {
    const entries = metadata[name];
    if (!entries || entries.length === 0) continue;
    const given = entries.map(field_type === "richtext" ? tidyEntry : trimmedEntry);
    tidy[name] = renamedEntries(given, termNow(schema, vocabulary));
  }
  return tidy;
}
