/** Arranges the fields of the editor: under a heading by meaning, and in the form or behind “Add a field”. */
import { kinds } from "../../records/kinds.ts";
import type { Field } from "../../records/schema.ts";

const GROUPS = ["identification", "production", "description", "rights", "acquisition", "notes"] as const;
export type Group = (typeof GROUPS)[number];
type FieldGroup = { group: Group; fields: Field[] };

/** Fields are grouped by their linked-data pattern; those without one go under Description. */
const PATTERNS: Readonly<Partial<Record<Group, string>>> = {
  identification:
    "title name alternative_title alternative_name object_name identifier authority_uri type number_of_parts department " +
    "birth death formation dissolution timespan coordinates language",
  production:
    "creator_text production_timespan production_timespan_text material material_text technique measurement style culture " +
    "place_of_production_text production_note edition",
  rights: "right rights_holder credit",
  acquisition: "acquisition_method acquisition_date acquisition_note provenance",
};
const GROUP_OF = new Map(
  GROUPS.flatMap((group) => (PATTERNS[group] ?? "").split(" ").map((pattern) => [pattern, group] as const)),
);

function groupOf({ name, is_public, record_type, mapping }: Field): Group {
  if (name === kinds[record_type].titleField) return "identification";
  // all fields of storage locations are for staff
  if (!is_public && record_type !== "storage_location") return "notes";
  return GROUP_OF.get(String(mapping.pattern)) ?? "description";
}

/**
 * @param form names of the fields that the subtype shows first, in its order, which also orders the headings; empty: all
 * @param isOpen whether to show a field that the subtype does not show first
 */
export function arranged(
  fields: readonly Field[],
  form: readonly string[],
  isOpen: (field: Field) => boolean,
): { shown: FieldGroup[]; folded: FieldGroup[] } {
  const place = ({ name }: Field) => (form.includes(name) ? form.indexOf(name) : form.length);
  const ordered = [...fields].sort((a, b) => place(a) - place(b));
  const first = ordered.filter(({ name }) => form.includes(name)).map(groupOf);
  const groups = [...new Set([...first, ...GROUPS])];
  const grouped = (those: readonly Field[]) =>
    groups
      .map((group) => ({ group, fields: those.filter((field) => groupOf(field) === group) }))
      // the section with the columns of the record is always shown
      .filter(({ group, fields }) => fields.length > 0 || (group === "identification" && those !== folded));
  const isShown = (field: Field) => form.length === 0 || form.includes(field.name) || isOpen(field);
  const folded = ordered.filter((field) => !isShown(field));
  return { shown: grouped(ordered.filter(isShown)), folded: grouped(folded) };
}
