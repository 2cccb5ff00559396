/** Finds the fields for what a column of names contains beside the names: years of a life, or words such as "unknown". */
import type { Kind } from "../../records/kinds.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import type { Mapping } from "./mapping.ts";
import { isExact } from "./transforms.ts";

/** Patterns of fields (`Field.mapping`) for words such as "unknown", by relation type. */
const AS_WRITTEN: Readonly<Record<string, string>> = {
  created_by: "creator_text",
  made_at: "place_of_production_text",
  depicts: "depicted_text",
  acquired_from: "acquisition_note",
};
const OF_PERSONS = { birth: "birth", death: "death", active: "biography" };
const OF_OTHERS = { birth: "formation", death: "dissolution", active: "biography" };
const PERSON = "person";
const OTHERS = new Set(["organisation", "family", "group"]);

/** Adds these fields to entries whose names are read. Names from our own exports are exact, so they are not read. */
export function withNames(mapping: Mapping, kind: Kind, schema: Schema): Mapping {
  const mapped = new Set(mapping.map(({ target }) => (target.kind === "field" ? target.name : undefined)));
  const fieldFor = (of: Kind, pattern: string | undefined): string | undefined =>
    [...fieldsOf(schema, of).values()].find((field) => pattern && field.mapping.pattern === pattern)?.name;
  return mapping.map((entry) => {
    const { target } = entry;
    if (target.kind !== "relation" || entry.asWritten || isExact(entry.transforms)) return entry;
    const unknown = fieldFor(kind, AS_WRITTEN[target.relation_type]);
    const ofFirm = OTHERS.has(target.subtype ?? "");
    const patterns = ofFirm ? OF_OTHERS : OF_PERSONS;
    const ofPerson = Object.entries(target.to_type === "entity" ? patterns : {}).map(
      ([what, pattern]) => [what, fieldFor("entity", pattern)] as const,
    );
    const names = Object.fromEntries(
      [["unknown", mapped.has(unknown) ? undefined : unknown] as const, ...ofPerson].filter(
        ([, field]) => field !== undefined,
      ),
    );
    const hasPersons = schema.subtypes.get(target.to_type)?.has(PERSON);
    const person = target.subtype === undefined && hasPersons ? { person: PERSON } : {};
    return { ...entry, names: { ...names, ...person, ...(ofFirm ? { ofFirm } : {}) } };
  });
}
