/** Names of fields, columns and their values. */
import type { MessageKey } from "../messages/translate.ts";
import type { Option } from "../pages/forms.ts";
import { labelIn } from "../pages/texts.ts";
import type { View } from "../pages/view.ts";
import { type Fault, type FaultJson, faultsJson } from "../problem.ts";
import { COLLECTION_STATUSES, type Kind, kinds, STATUSES } from "../records/kinds.ts";
import { QUALIFIERS } from "../records/links/attributions.ts";
import { fieldsOf, relationLabels, type Schema } from "../records/schema.ts";

/** Parts of a link and of its form. */
const OF_LINK: Readonly<Record<string, MessageKey>> = {
  relation_type: "admin.link.type",
  to: "admin.link.to",
  to_id: "admin.link.to",
  to_type: "admin.link.to",
  role: "users.role",
  qualifier: "admin.link.qualify",
  qualifier_text: "admin.link.qualifierWords",
  [QUALIFIERS]: "admin.link.qualify",
};

export const isOfLink = (schema: Schema, kind: Kind, name: string): boolean =>
  name in OF_LINK && !fieldsOf(schema, kind).has(name);

/**
 * @param name of a metadata field, a column, `idno`, `status`, a date of the record, the key of the subtype, a subtype, a part
 * of a link or a relation type
 */
export function namePlainly({ t }: Pick<View, "t">, schema: Schema, kind: Kind, name: string): string {
  const field = fieldsOf(schema, kind).get(name);
  return field ? labelIn(field.label, t.language, name) : besideFields({ t }, schema, kind, name);
}

/** The label of a column of the record, or of a part of a link. */
function besideFields({ t }: Pick<View, "t">, schema: Schema, kind: Kind, name: string): string {
  if (name === "idno") return t("admin.number");
  if (name === "status") return t("admin.status");
  if (name === "created_at") return t("admin.created");
  if (name === "updated_at") return t("admin.changed");
  if (name === kinds[kind].subtypeKey) return t("search.subtype");
  const column = kinds[kind].columns.find((each) => each === name);
  if (column) return t(`column.${column}`);
  const part = OF_LINK[name];
  if (part) return t(part);
  const labels = schema.subtypes.get(kind)?.get(name)?.label ?? relationLabels(schema, name);
  return labelIn(labels, t.language, name);
}

/** Codes of faults whose sentences name the field themselves. */
const NAMES_FIELD: ReadonlySet<string | undefined> = new Set([
  "field.required",
  "field.one_entry",
  "field.one_per_language",
]);

/** The name of the place of a fault. `label`: null if the sentence names it. `place`: the first steps of the pointer. */
export function faultPlainly(
  view: Pick<View, "t">,
  schema: Schema,
  kind: Kind,
  { pointer, code }: FaultJson,
): { label: string | null; place: string | null; name: string | null } {
  const [, place = null, field] = /^\/(metadata_\/(\w+)|\w+)/.exec(pointer) ?? [];
  const name = field ?? place;
  if (name === null) return { label: null, place, name };
  // a form beside the fields may have an input that is called like a field
  const named = field === undefined ? besideFields : namePlainly;
  const label = named(view, schema, kind, name);
  return { label: label === place || NAMES_FIELD.has(code) ? null : label, place, name };
}

/** The faults, which name fields by their labels. */
export const faultsNamed = (
  view: Pick<View, "t">,
  schema: Schema,
  kind: Kind,
  faults: readonly Fault[],
): FaultJson[] => faultsJson(view.t, faults, (name) => namePlainly(view, schema, kind, name));

/** The faults as sentences. */
export const faultsPlainly = (
  view: Pick<View, "t">,
  schema: Schema,
  kind: Kind,
  faults: readonly Fault[],
): string[] =>
  faultsNamed(view, schema, kind, faults).map((fault) => {
    const { label } = faultPlainly(view, schema, kind, fault);
    return label === null ? fault.detail : `${label}${view.t("form.colon")} ${fault.detail}`;
  });

/** The label of a status or subtype; any other value unchanged. @param name as in `namePlainly` */
export function valuePlainly({ t }: View, schema: Schema, kind: Kind, name: string, value: string): string {
  const status = name === "status" && STATUSES.find((each) => each === value);
  if (status) return t(`status.${status}`);
  const standing = name === "collection_status" && COLLECTION_STATUSES.find((each) => each === value);
  if (standing) return t(`collectionStatus.${standing}`);
  const subtype = name === kinds[kind].subtypeKey && schema.subtypes.get(kind)?.get(value);
  return subtype ? labelIn(subtype.label, t.language, value) : value;
}

/** The subtypes of a kind, with their labels. */
export const subtypeChoices = ({ t }: Pick<View, "t">, schema: Schema, kind: Kind): Option[] =>
  [...(schema.subtypes.get(kind)?.values() ?? [])].map(({ name, label }) => ({
    value: name,
    label: labelIn(label, t.language, name),
  }));

/** The values of a column with their names: of the collection status, or of the subtype. */
export const columnChoices = (view: View, schema: Schema, kind: Kind, column: string): Option[] =>
  column === "collection_status"
    ? COLLECTION_STATUSES.map((value) => ({ value, label: view.t(`collectionStatus.${value}`) }))
    : subtypeChoices(view, schema, kind);
