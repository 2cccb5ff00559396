/** What a link says of itself (`metadata_`): it has no schema but for the qualifier, and must be storable text of limited length. */
import { isLanguageTag, noLanguageTag } from "../../language-tag.ts";
import { type Said, said } from "../../messages/said.ts";
import { type Fault, invalid, jsonPointer } from "../../problem.ts";
import { textFault } from "../../text.ts";
import { type Metadata, trimmedEntry } from "../record.ts";
import type { RelationType, Schema } from "../schema.ts";
import { tooLong } from "../write/fields.ts";
import { qualifierFaults, tidyNotes } from "./attributions.ts";

/** The notes as they are stored: trimmed, and without empty lists. 422 if a link of this type cannot have them. */
export function checkedNotes(schema: Schema, type: RelationType, notes: Metadata): Metadata {
  const metadata = Object.fromEntries(
    Object.entries(tidyNotes(schema, notes)).flatMap(([name, entries]) =>
      entries.length > 0 ? [[name, entries.map(trimmedEntry)]] : [],
    ),
  );
  const own = textFaults(metadata);
  const faults = own.length > 0 ? own : qualifierFaults(schema, type, metadata);
  if (faults.length > 0) throw invalid(faults);
  return metadata;
}

function textFaults(metadata: Metadata): Fault[] {
  return Object.entries(metadata).flatMap(([name, entries]) => [
    ...(/^[a-z][a-z0-9_]{0,62}$/.test(name)
      ? []
      : [{ pointer: jsonPointer("metadata_", name), detail: said("fault.metadata.name") }]),
    ...entries.flatMap(({ value, lang }, index) => {
      const fault = (part: string, detail: Said) => [
        { pointer: jsonPointer("metadata_", name, index, part), detail },
      ];
      if (value === "") return fault("value", said("fault.entry.empty"));
      if (value.length > 5_000) return fault("value", tooLong(value, 5_000));
      if (lang !== undefined && !isLanguageTag(lang)) return fault("lang", noLanguageTag(lang));
      const detail = textFault(value);
      return detail ? fault("value", detail) : [];
    }),
  ]);
}
