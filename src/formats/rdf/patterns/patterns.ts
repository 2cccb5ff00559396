/** All patterns, and which of them applies to a field. */
import type { Field } from "../../../records/schema.ts";
import { type Class, isA } from "./crm.ts";
import { EVENT_PATTERNS } from "./events.ts";
import type { Pattern } from "./pattern.ts";
import { TEXT_PATTERNS } from "./texts.ts";
import { THING_PATTERNS } from "./things.ts";

export const PATTERNS: Readonly<Record<string, Pattern>> = {
  ...TEXT_PATTERNS,
  ...THING_PATTERNS,
  ...EVENT_PATTERNS,
};

/** Pattern → the type of field whose values it can read. */
const NEEDS: Readonly<Record<string, Field["field_type"]>> = {
  coordinates: "geo",
  ...Object.fromEntries(Object.keys(EVENT_PATTERNS).map((name) => [name, "date"])),
};
/** Event patterns that take words. */
const WORDED = ["production_timespan_text", "place_of_production_text", "acquisition_method"];

/**
 * The pattern of a field, or its alternative for the record's class. A field without a pattern, or with one that is unknown
 * or cannot read its values, becomes a note, so that no public value is left out.
 */
export function patternOf(field: Field, classes: readonly Class[]): Pattern {
  const note = PATTERNS.note!;
  const named = String(field.mapping.pattern);
  const needed = WORDED.includes(named) ? undefined : NEEDS[named];
  let pattern =
    Object.hasOwn(PATTERNS, named) && (!needed || field.field_type === needed) ? PATTERNS[named]! : note;
  while (!isA(classes, pattern.domain)) pattern = PATTERNS[pattern.otherwise ?? "note"] ?? note;
  return pattern;
}
